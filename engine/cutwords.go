package engine

import (
	"slices"

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
		var pieces [][2]int
		var err error
		if ok && len(t.Text) == t.End-t.Start { // and so written without escapes
			if pieces, err = s.pieces(t.Text, cues); err != nil {
				return nil, err
			}
			if len(pieces) > 0 {
				named, err := s.inTitles(t.Text)
				if err != nil {
					return nil, err
				}
				if named {
					pieces = nil
				}
			}
		}
		if out == nil && (len(pieces) > 0 || ok && excepts(cues, t.Text)) {
			out = slices.Clone(clauses[:i])
		}
		for _, p := range pieces {
			out = append(out, query.Text{Text: t.Text[p[0]:p[1]], Start: t.Start + p[0], End: t.Start + p[1]})
		}
		if len(pieces) == 0 && out != nil {
			out = append(out, c)
		}
	}
	if out == nil || len(out) > s.e.opts.Limits.QueryTerms {
		return tree, nil
	}
	b, _ := tree.(query.Bool) // or it was one word
	b.Should = out
	return s.exclude(b, cues)
}

// excepts tells whether a word denies another.
func excepts(cues *intent.Cues, word string) bool {
	where, _ := cues.Excepts(word)
	return where != 0
}

// pieces returns the words that a word of the query is cut into, without the particles beside values of
// fields. nil: it is one word.
func (s *searcher) pieces(text string, cues *intent.Cues) (pieces [][2]int, err error) {
	places, err := s.places(text, cues)
	if err != nil {
		return nil, err
	}
	changed := len(places) > 0
	ends := append(places, len(text))
	begin := 0
	for i, end := range ends {
		piece := text[begin:end]
		var values [][2]int
		if intent.Unspaced(piece) && !cues.Says(piece) && !excepts(cues, piece) {
			if values, err = s.cutsValues(piece, begin > 0, end < len(text), cues); err != nil {
				return nil, err
			}
			if i+1 < len(ends) && len(values) > 1 {
				if where, _ := cues.Excepts(text[end:ends[i+1]]); where < 0 {
					values = nil // all of it is denied: 黒いイヤホン以外
				}
			}
		}
		for _, v := range values {
			pieces = append(pieces, [2]int{begin + v[0], begin + v[1]})
		}
		if changed = changed || len(values) > 0; len(values) == 0 {
			pieces = append(pieces, [2]int{begin, end})
		}
		begin = end
	}
	if !changed {
		return nil, nil
	}
	return pieces, nil
}

// places returns the places at which a word of the query is cut.
func (s *searcher) places(text string, cues *intent.Cues) ([]int, error) {
	places := cues.Cut(text)
	if len(cues.ValueExcepts()) == 0 || !intent.Unspaced(text) {
		return places, nil
	}
	out := slices.Clone(places)
	begin := 0
	for _, end := range append(places, len(text)) {
		if excepts(cues, text[begin:end]) {
			begin = end
			continue
		}
		more, err := s.cutsValue(text[begin:end], cues)
		if err != nil {
			return nil, err
		}
		for _, at := range more {
			out = append(out, begin+at)
		}
		begin = end
	}
	slices.Sort(out)
	return out, nil
}
