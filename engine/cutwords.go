package engine

import (
	"slices"
	"strings"

	"github.com/quarry-search/quarry/engine/internal/intent"
	"github.com/quarry-search/quarry/engine/query"
)

// cut makes several words of those of a query that say something about a field beside something
// else, with no space between: "2000元以下手机". Most queries have none, and what stands so in a
// title is left as it is.
func (s *searcher) cut(tree query.Node) (query.Node, error) {
	if s.wordly || s.req.Intent.Mode == IntentOff || s.req.Ranking != RankingDefault || s.req.Syntax != SyntaxSimple || !intent.Unspaced(s.req.Query) {
		return tree, nil
	}
	clauses := plainClauses(tree)
	if len(clauses) == 0 {
		return tree, nil
	}
	_, cues := s.domain()
	var out []query.Node
	for i, c := range clauses {
		t, ok := plainWord(c)
		var places []int
		if ok && len(t.Text) == t.End-t.Start { // and so written without escapes
			places = cues.Cut(t.Text)
			if len(places) > 0 {
				named, err := s.inTitles(t.Text)
				if err != nil {
					return nil, err
				}
				if named {
					places = nil
				}
			}
		}
		if out == nil && (len(places) > 0 || ok && cues.Excepts(t.Text) != 0) {
			out = slices.Clone(clauses[:i])
		}
		begin := 0
		for _, at := range places {
			out = append(out, query.Text{Text: t.Text[begin:at], Start: t.Start + begin, End: t.Start + at})
			begin = at
		}
		switch {
		case begin > 0:
			t.Text, t.Start = t.Text[begin:], t.Start+begin
			out = append(out, t)
		case out != nil:
			out = append(out, c)
		}
	}
	if out == nil || len(out) > s.e.opts.Limits.QueryTerms {
		return tree, nil
	}
	b, _ := tree.(query.Bool) // or it was one word
	b.Should = out
	return exclude(b, cues), nil
}

// exclude makes exclusions of what a query denies by a word without a space before or behind it:
// "ナイキ以外のスニーカー", "不要无线的鼠标". One that denies all that it asks for is left alone.
func exclude(b query.Bool, cues *intent.Cues) query.Bool {
	var wanted, denied []query.Node
	for i := 0; i < len(b.Should); i++ {
		t, ok := plainWord(b.Should[i])
		where := 0
		if ok {
			where = cues.Excepts(t.Text)
		}
		switch {
		case where > 0 && i+1 < len(b.Should):
			about, ok := plainWord(b.Should[i+1])
			if !ok {
				return b
			}
			i++
			if rest, cut := cutParticle(&about); cut {
				wanted = append(wanted, rest)
			}
			denied = append(denied, quoted(about))
		case where < 0 && len(wanted) > 0:
			about, ok := plainWord(wanted[len(wanted)-1])
			if !ok {
				return b
			}
			wanted, denied = wanted[:len(wanted)-1], append(denied, quoted(about))
		default:
			wanted = append(wanted, b.Should[i])
		}
	}
	if len(wanted) > 0 && len(denied) > 0 {
		b.Should, b.MustNot = wanted, slices.Concat(b.MustNot, denied)
	}
	return b
}

// cutParticle cuts a word behind the particle that ends what is said of a thing, and returns
// what follows.
func cutParticle(t *query.Text) (rest query.Text, ok bool) {
	for _, particle := range [...]string{"的", "の"} {
		if at := strings.Index(t.Text, particle); at > 0 && at+len(particle) < len(t.Text) {
			behind := at + len(particle)
			rest = query.Text{Text: t.Text[behind:], Start: t.Start + behind, End: t.End}
			t.Text, t.End = t.Text[:at], t.Start+at
			return rest, true
		}
	}
	return rest, false
}

// quoted is a word whose parts stand together.
func quoted(t query.Text) query.Text {
	t.Quoted = true
	return t
}
