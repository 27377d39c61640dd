package engine

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/quarry-search/quarry/engine/internal/collect"
	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/search"
	"github.com/quarry-search/quarry/engine/internal/segment"
	"github.com/quarry-search/quarry/tokenize"
)

const (
	// cachedLooks is how many of the terms that begin with what was typed are counted by
	// lists that are kept, the most frequent first. The others are read past the cache,
	// which they would empty.
	cachedLooks = 300
	// spareCompletions is how many terms more than wanted are kept, since some
	// turn out to be filler words.
	spareCompletions = 8
	// formLetters is the letters from which all written words are looked at,
	// and not only terms. Words and their stems begin alike at least so far.
	formLetters = 3
	// fewTerms is how many terms are counted one by one, whichever records there are. Of more,
	// those are looked for first that stand in the records, if these are few enough to be read.
	fewTerms = 64
)

// completer finds the words that a word being typed may become, in the records that a search
// matches and in no others: what these hold decides what is found, how often, and in which
// form it is written, whatever else the index has.
type completer struct {
	*searcher
	prefix []byte
	all    bool                      // every record matches
	pages  []map[[2]int]*search.Page // the matches of each run by segment and slot, unless it is all
	docs   int                       // how many matches there are, unless it is all
	looks  int                       // terms that have been counted
	read   *readWords                // of the matches; nil: they are not read
}

// completion is a term that a word being typed may become.
type completion struct {
	term  string
	words []string // those begun that it is the stem of, if it is not begun itself
	bound int64    // documents that hold it, any there are
	count int64    // matches that hold it
}

// complete offers the words that begin with last, in records that the base
// matches. Words of one stem are found together, so they are offered as the one
// that is written most often.
func (g *suggester) complete(base *searcher, head, last string) error {
	prefix := tokenize.Fold(nil, []byte(strings.NewReplacer("'", "", "’", "").Replace(last)))
	if len(prefix) == 0 {
		return nil
	}
	if base.unspaced(last) {
		return nil // a pair of characters is no word
	}
	c := &completer{searcher: base, prefix: prefix}
	if err := c.match(); err != nil {
		return err
	}
	found, err := c.begun()
	if err != nil {
		return err
	}
	best, err := c.mostFrequent(found, g.limit+spareCompletions)
	if err != nil {
		return err
	}
	for i := range best {
		word, err := c.form(best[i].term)
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

// unspaced tells whether all texts are read so that a word ends within what is written without
// spaces.
func (s *searcher) unspaced(word string) bool {
	for _, run := range s.runs {
		for _, a := range run.iv.schema.analyzers() {
			if t := a.AnalyzeQuery(word); len(t) == 0 || t[len(t)-1].Kind < tokenize.KindBigram {
				return false
			}
		}
	}
	return true
}

// match finds the records.
func (c *completer) match() error {
	if c.all = c.tree == nil && !slices.ContainsFunc(c.runs, func(run *searchRun) bool { return len(run.res.must) > 0 }); c.all {
		return nil
	}
	for _, run := range c.runs {
		pages := map[[2]int]*search.Page{}
		c.pages = append(c.pages, pages)
		err := search.Matches(c.ctx, run.q, func(seg, slot int, words *search.Page) error {
			copied := *words
			pages[[2]int{seg, slot}] = &copied
			c.docs += collect.Count(words)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return c.used()
}

// begun returns the terms of words that begin with the prefix, those first that are in most
// documents of the indexes.
func (c *completer) begun() (out []completion, err error) {
	bounds, err := c.bounds(fewTerms)
	if err != nil {
		return nil, err
	}
	if len(bounds) > fewTerms {
		if err := c.readMatches(); err != nil {
			return nil, err
		}
		if c.read == nil {
			bounds, err = c.bounds(math.MaxInt)
		}
	}
	stems := map[string][]string{} // that differ from the words in a letter of the prefix
	switch {
	case err != nil:
		return nil, err
	case c.read != nil:
		bounds, stems = c.read.begun(c.prefix)
	default:
		for _, run := range c.runs {
			if c.looksAtWords(run) {
				if err := c.stemsIn(run, stems); err != nil {
					return nil, err
				}
			}
		}
		if err := c.boundsOf(stems, bounds); err != nil {
			return nil, err
		}
	}
	for term, n := range bounds {
		out = append(out, completion{term: term, words: stems[term], bound: n})
	}
	slices.SortFunc(out, func(a, b completion) int { return byFrequency(a.bound, b.bound, a.term, b.term) })
	return out, nil
}

// looksAtWords tells whether words of an index are looked at as they are written.
func (c *completer) looksAtWords(run *searchRun) bool {
	return utf8.RuneCount(c.prefix) >= formLetters || run.iv.schema.custom()
}

// bounds returns in how many documents the terms are that begin with the prefix; some of the
// terms if they are more than most.
func (c *completer) bounds(most int) (map[string]int64, error) {
	bounds := map[string]int64{}
	for _, run := range c.runs {
		for _, seg := range run.iv.segs {
			if err := c.ctx.Err(); err != nil {
				return nil, fmt.Errorf("search: %w", err)
			}
			lo := segment.Key(nil, segment.SpaceText, c.prefix)
			it := seg.reader.Terms(lo, prefixEnd(lo))
			for len(bounds) <= most && it.Next() {
				bounds[string(it.Key()[segment.SpaceBytes:])] += int64(it.DF())
			}
			if err := it.Err(); err != nil {
				return nil, err
			}
		}
	}
	return bounds, nil
}

// byFrequency is the order of two terms that stand in so many records.
func byFrequency(n, m int64, a, b string) int {
	return cmp.Or(cmp.Compare(m, n), strings.Compare(a, b))
}

// stemsIn adds to stems the words of an index that begin with the prefix and whose stems do not.
func (c *completer) stemsIn(run *searchRun, stems map[string][]string) error {
	seen := map[string]bool{}
	for _, seg := range run.iv.segs {
		lo := segment.Key(nil, segment.SpaceWord, c.prefix)
		it := seg.reader.Terms(lo, prefixEnd(lo))
		for it.Next() {
			word := string(it.Key()[segment.SpaceBytes:])
			if seen[word] {
				continue
			}
			seen[word] = true
			for _, a := range run.iv.schema.analyzers() {
				t := a.AnalyzeQuery(word)
				if len(t) > 0 && !bytes.HasPrefix(t[0].Term, c.prefix) && !slices.Contains(stems[string(t[0].Term)], word) {
					stems[string(t[0].Term)] = append(stems[string(t[0].Term)], word)
				}
			}
		}
		if err := it.Err(); err != nil {
			return err
		}
	}
	return nil
}

// boundsOf adds to bounds in how many documents stems are.
func (c *completer) boundsOf(stems map[string][]string, bounds map[string]int64) error {
	for stem := range stems {
		for _, run := range c.runs {
			for _, seg := range run.iv.segs {
				n, err := seg.reader.DF(segment.Key(nil, segment.SpaceText, []byte(stem)))
				if err != nil {
					return err
				}
				bounds[stem] += int64(n)
			}
		}
	}
	return nil
}

// mostFrequent returns the n terms that stand in most of the matches. terms are by falling
// bound, so it need not count those that cannot be among them.
func (c *completer) mostFrequent(terms []completion, n int) (best []completion, err error) {
	for _, t := range terms {
		if len(best) == n && byFrequency(t.bound, best[n-1].count, t.term, best[n-1].term) > 0 {
			break
		}
		if written, err := c.anyWritten(t.words); err != nil {
			return nil, err
		} else if len(t.words) > 0 && !written {
			continue
		}
		if t.count, err = c.count(segment.SpaceText, t.term); err != nil {
			return nil, err
		}
		if t.count == 0 {
			continue
		}
		at, _ := slices.BinarySearchFunc(best, t, func(a, b completion) int { return byFrequency(a.count, b.count, a.term, b.term) })
		best = slices.Insert(best, at, t)
		best = best[:min(n, len(best))]
	}
	return best, nil
}

// anyWritten tells whether one of some words stands in a match.
func (c *completer) anyWritten(words []string) (bool, error) {
	for _, w := range words {
		if n, err := c.count(segment.SpaceWord, w); err != nil || n > 0 {
			return n > 0, err
		}
	}
	return false, nil
}

// count returns how many matches hold a term.
func (c *completer) count(space uint16, term string) (n int64, err error) {
	if c.looks++; c.looks%256 == 0 && c.ctx.Err() != nil {
		return 0, fmt.Errorf("search: %w", c.ctx.Err())
	}
	for i, run := range c.runs {
		lists := run.term(space, []byte(term), false)
		for j, seg := range run.iv.segs {
			var list *posting.List
			if c.looks > cachedLooks {
				list, err = seg.reader.List([]byte(lists.key.key), segment.ListOptions{})
			} else {
				list, err = lists.list(seg)
			}
			if err != nil {
				return 0, err
			}
			if list != nil {
				n += int64(c.countIn(i, j, list))
			}
		}
	}
	return n, nil
}

// countIn returns how many matches in a segment are in a list of it.
func (c *completer) countIn(run, seg int, list *posting.List) (n int) {
	if c.all {
		return c.runs[run].live(list)
	}
	slots := c.runs[run].segs[seg].Slots
	for slot := range slots {
		if words := c.pages[run][[2]int{seg, slot}]; words != nil {
			if docs := list.Container(slots[slot].Page); docs != nil {
				n += docs.AndCount((*[posting.PageSize / 64]uint64)(words))
			}
		}
	}
	return n
}
