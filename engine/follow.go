package engine

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/quarry-search/quarry/tokenize"
)

const (
	// followHits is in how many of the best records next words are looked for, and followTokens in
	// how much of each text.
	followHits   = 20
	followTokens = 1 << 12
)

// follow offers the words that follow a text in the best records that hold
// all of it: the next one that is no filler, with what stands between.
func (g *suggester) follow(text string) error {
	s := g.searcher(text)
	l := g.e.opts.Limits
	s.req.Limit = min(followHits, l.Hits, l.Window)
	res, err := s.run()
	if err != nil {
		return err
	}
	times := map[string]int{}
	for _, h := range res.Hits {
		if err := g.ctx.Err(); err != nil {
			return fmt.Errorf("search: %w", err)
		}
		c := g.v.indexes[h.Index].schema
		for name, texts := range textsOf(h.Record, c) {
			a := c.text[c.textOf[c.byName[name]]].analyzer
			words := a.AnalyzeQuery(res.Query.Text)
			if len(words) == 0 {
				continue
			}
			once := map[string]bool{}
			for _, t := range texts {
				for _, next := range following(t, a.AnalyzeWhile(t, followTokens, func([]tokenize.Token) bool { return false }), words) {
					once[next] = true
				}
			}
			for next := range once {
				times[next]++
			}
		}
	}
	next := make([]string, 0, len(times))
	for w, n := range times {
		if n > 1 || !strings.Contains(w, " ") { // filler in between needs a second witness
			next = append(next, w)
		}
	}
	slices.SortFunc(next, func(a, b string) int { return cmp.Or(cmp.Compare(times[b], times[a]), strings.Compare(a, b)) })
	begin := strings.TrimRight(res.Query.Text, " ") + " "
	for _, w := range next {
		if len(g.out) >= g.limit {
			break
		}
		if err := g.offer(begin + w); err != nil {
			return err
		}
	}
	return nil
}

// following returns what follows the last of some words in a text, in lower
// case, as far as it stands in the same sentence and is none of them.
func following(text string, tokens, words []tokenize.Token) (out []string) {
	const between = 3 // words at most
	term := words[len(words)-1].Term
	for i := range tokens {
		if !bytes.Equal(tokens[i].Term, term) || tokens[i].Part {
			continue
		}
		for j := i + 1; j < len(tokens) && j <= i+between; j++ {
			t := &tokens[j]
			if t.Part || t.Kind != tokenize.KindWord || strings.ContainsAny(text[tokens[j-1].End:max(t.Start, tokens[j-1].End)], ".!?;:()\n\"") {
				break
			}
			if slices.ContainsFunc(words, func(w tokenize.Token) bool { return bytes.Equal(w.Term, t.Term) }) {
				break
			}
			if !t.Stop {
				out = append(out, strings.ToLower(text[tokens[i+1].Start:t.End]))
				break
			}
		}
	}
	return out
}
