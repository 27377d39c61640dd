package engine

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/search"
	"github.com/quarry-search/quarry/engine/internal/segment"
	"github.com/quarry-search/quarry/tokenize"
)

const (
	// completionLooks is how many of the terms that begin with what was typed
	// are counted together with the rest of the text, the most frequent first.
	completionLooks = 300
	// spareCompletions is how many terms more than wanted are kept, since some
	// turn out to be filler words.
	spareCompletions = 8
	// formLetters is the letters from which all written words are looked at,
	// and not only terms. Words and their stems begin alike at least so far.
	formLetters = 3
	// followHits is in how many of the best records next words are looked for.
	followHits = 20
)

// completion is a term that a word being typed may become.
type completion struct {
	term  string
	bound int64 // documents that hold it, deleted ones included
	count int64 // documents that hold it and the rest of the text
}

// complete offers the words that begin with last, in records that the base
// matches. Words of one stem are found together, so they are offered as the one
// that is written most often.
func (g *suggester) complete(base *searcher, head, last string) error {
	prefix := tokenize.Fold(nil, []byte(strings.NewReplacer("'", "", "’", "").Replace(last)))
	if len(prefix) == 0 {
		return nil
	}
	found, err := base.completions(prefix)
	if err != nil {
		return err
	}
	best, err := base.mostFrequent(found, g.limit+spareCompletions)
	if err != nil {
		return err
	}
	for _, c := range best {
		word, err := base.form(c.term, prefix)
		if err != nil {
			return err
		}
		if word == "" || len(g.out) >= g.limit {
			continue
		}
		if err := g.offer(head + word); err != nil {
			return err
		}
	}
	if len(g.out) > 0 {
		return nil
	}
	if !spelt(prefix) {
		return nil
	}
	sp := &speller{searcher: base}
	for _, run := range base.runs {
		sp.sights = append(sp.sights, base.sight(run))
	}
	fix, ok, err := sp.best(string(prefix), "", true, 1)
	if err != nil || !ok {
		return err
	}
	return g.offer(head + fix.word)
}

// completions returns the terms of words that begin with a prefix.
func (s *searcher) completions(prefix []byte) ([]completion, error) {
	bounds := map[string]int64{}
	for _, run := range s.runs {
		for _, seg := range run.iv.segs {
			if err := s.ctx.Err(); err != nil {
				return nil, fmt.Errorf("search: %w", err)
			}
			lo := segment.Key(nil, segment.SpaceText, prefix)
			it := seg.reader.Terms(lo, prefixEnd(lo))
			for it.Next() {
				bounds[string(it.Key()[2:])] += int64(it.DF())
			}
			if err := it.Err(); err != nil {
				return nil, err
			}
		}
	}
	// Stems that differ from the words in a letter of the prefix.
	for _, run := range s.runs {
		if utf8.RuneCount(prefix) >= formLetters || run.iv.schema.custom() {
			if err := run.stemsOf(prefix, bounds); err != nil {
				return nil, err
			}
		}
	}
	out := make([]completion, 0, len(bounds))
	for term, df := range bounds {
		out = append(out, completion{term: term, bound: df})
	}
	slices.SortFunc(out, func(a, b completion) int {
		return cmp.Or(cmp.Compare(b.bound, a.bound), strings.Compare(a.term, b.term))
	})
	return out, nil
}

// stemsOf adds to bounds the stems of the words that begin with a prefix where
// the stems themselves do not.
func (run *searchRun) stemsOf(prefix []byte, bounds map[string]int64) error {
	seen := map[string]bool{}
	for _, seg := range run.iv.segs {
		lo := segment.Key(nil, segment.SpaceWord, prefix)
		it := seg.reader.Terms(lo, prefixEnd(lo))
		for it.Next() {
			word := string(it.Key()[2:])
			if seen[word] {
				continue
			}
			seen[word] = true
			for _, a := range run.iv.schema.analyzers() {
				t := a.AnalyzeQuery(word)
				if len(t) == 0 || bytes.HasPrefix(t[0].Term, prefix) || seen[string(t[0].Term)] {
					continue
				}
				seen[string(t[0].Term)] = true
				for _, other := range run.iv.segs {
					n, err := other.reader.DF(segment.Key(nil, segment.SpaceText, t[0].Term))
					if err != nil {
						return err
					}
					bounds[string(t[0].Term)] += int64(n)
				}
			}
		}
		if err := it.Err(); err != nil {
			return err
		}
	}
	return nil
}

// mostFrequent returns the n terms that stand in most of the records that the
// search matches. terms are by falling bound, so it need not count those whose
// bound is too low.
func (s *searcher) mostFrequent(terms []completion, n int) ([]completion, error) {
	var best []completion
	counts := make([]func(seg int, list *posting.List) int, len(s.runs))
	for i, run := range s.runs {
		f, err := s.counter(run)
		if err != nil {
			return nil, err
		}
		counts[i] = f
	}
	for _, c := range terms[:min(completionLooks, len(terms))] {
		if len(best) == n && c.bound <= best[n-1].count {
			break
		}
		for i, run := range s.runs {
			lists := run.term(segment.SpaceText, []byte(c.term), false)
			for j, seg := range run.iv.segs {
				list, err := lists.list(seg)
				if err != nil {
					return nil, err
				}
				if list != nil {
					c.count += int64(counts[i](j, list))
				}
			}
		}
		if c.count == 0 || len(best) == n && c.count <= best[n-1].count {
			continue
		}
		at, _ := slices.BinarySearchFunc(best, c, func(a, b completion) int {
			return cmp.Or(cmp.Compare(b.count, a.count), strings.Compare(a.term, b.term))
		})
		best = slices.Insert(best, at, c)
		best = best[:min(n, len(best))]
	}
	return best, nil
}

// counter returns what counts the documents of a list that the search matches.
func (s *searcher) counter(run *searchRun) (func(seg int, list *posting.List) int, error) {
	if s.tree == nil && len(run.res.must) == 0 {
		return func(_ int, list *posting.List) int { return run.live(list) }, nil
	}
	pages := map[[2]int]*search.Page{}
	err := search.Matches(s.ctx, run.q, func(seg, slot int, words *search.Page) error {
		copied := *words
		pages[[2]int{seg, slot}] = &copied
		return nil
	})
	return func(seg int, list *posting.List) (n int) {
		for slot := range run.segs[seg].Slots {
			if words := pages[[2]int{seg, slot}]; words != nil {
				if c := list.Container(run.segs[seg].Slots[slot].Page); c != nil {
					n += c.AndCount((*[posting.PageSize / 64]uint64)(words))
				}
			}
		}
		return n
	}, err
}

// form returns the word that begins with a prefix, has the given stem and is
// written most often; "" if there is none, or it is filler. The words of a stem
// share all its letters but the last; the stem is one of them if it is in more
// documents than they. What an analyzer of the application made of words need
// not be like them: those that begin with the prefix are looked at.
func (s *searcher) form(term string, prefix []byte) (string, error) {
	runes := []rune(term)
	begin := runes[:max(min(2, len(runes)), len(runes)-1)]
	if !spelt([]byte(string(runes[:min(1, len(runes))]))) {
		begin = []rune(string(prefix))
	}
	forms := map[string]int64{}
	others, own := int64(0), int64(0)
	for _, run := range s.runs {
		stems := map[string]bool{}
		for _, seg := range run.iv.segs {
			n, err := seg.reader.DF(segment.Key(nil, segment.SpaceText, []byte(term)))
			if err != nil {
				return "", err
			}
			own += int64(n)
			lo := segment.Key(nil, segment.SpaceWord, []byte(string(begin)))
			it := seg.reader.Terms(lo, prefixEnd(lo))
			for it.Next() {
				word := string(it.Key()[2:])
				is, known := stems[word]
				if !known {
					is = run.iv.schema.stemsTo(word, term)
					stems[word] = is
				}
				if is {
					others += int64(it.DF())
					if strings.HasPrefix(word, string(prefix)) {
						forms[word] += int64(it.DF())
					}
				}
			}
			if err := it.Err(); err != nil {
				return "", err
			}
		}
	}
	if own > others && strings.HasPrefix(term, string(prefix)) {
		forms[term] = own - others
	}
	best := ""
	for word, n := range forms {
		if best == "" || cmp.Or(cmp.Compare(n, forms[best]), strings.Compare(best, word)) > 0 {
			best = word
		}
	}
	for _, run := range s.runs {
		for _, a := range run.iv.schema.analyzers() {
			if t := a.AnalyzeQuery(best); len(t) > 0 && run.res.stopWord(&t[0]) {
				return "", nil
			}
		}
	}
	return best, nil
}

// analyzers returns the analyzers of the text fields, each once.
func (c *compiled) analyzers() (out []*tokenize.Analyzer) {
	for _, t := range c.text {
		if !slices.Contains(out, t.analyzer) {
			out = append(out, t.analyzer)
		}
	}
	return out
}

// follow offers the words that follow a text in the best records that hold
// all of it: the next one that is no filler, with what stands between.
func (g *suggester) follow(text string) error {
	s := g.searcher(text)
	s.req.Limit = followHits
	res, err := s.run()
	if err != nil {
		return err
	}
	times := map[string]int{}
	for _, h := range res.Hits {
		c := g.v.indexes[h.Index].schema
		for name, texts := range textsOf(h.Record, c) {
			a := c.text[c.textOf[c.byName[name]]].analyzer
			words := a.AnalyzeQuery(res.Query.Text)
			if len(words) == 0 {
				continue
			}
			once := map[string]bool{}
			for _, t := range texts {
				for _, next := range following(t, a.Analyze(t), words) {
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
