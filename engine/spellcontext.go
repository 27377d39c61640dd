package engine

import (
	"math"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/search"
	"github.com/quarry-search/quarry/engine/internal/segment"
)

// aloneWorth is what a document that holds a repair, but none of the other
// words of the query, is worth beside one that does.
const aloneWorth = 0.05

// movedWorth is by how many powers of e a word may be rarer that has just the
// letters that were typed, in another order: there are few such words, and
// fingers that are out of step are the commonest slip.
const movedWorth = 2

// company is where the words of a query stand that the indexes know: a repair
// that never stands beside them is hardly what was meant.
type company struct {
	pages []map[[2]int]*search.Page // by run, segment and slot
	any   bool
	words int // how many they are
}

// company returns that of the words of the request.
func (sp *speller) company() *company {
	if sp.rare && !sp.right {
		return &company{}
	}
	if sp.beside != nil {
		return sp.beside
	}
	c := &company{}
	sp.beside = c
	words := map[int]bool{} // by where they stand; some records of any index have each
	for _, run := range sp.runs {
		pages := map[[2]int]*search.Page{}
		for _, w := range run.res.asked {
			if w.filler {
				continue
			}
			for seg, list := range run.res.leaves[w.leaf].lists {
				if sp.addTo(pages, run, seg, list) {
					words[w.at] = true
				}
			}
		}
		c.pages = append(c.pages, pages)
	}
	c.any, c.words = len(words) > 0, len(words)
	return c
}

// addTo adds the documents of a list to pages, and tells whether it has any.
func (sp *speller) addTo(pages map[[2]int]*search.Page, run *searchRun, seg int, list *posting.List) bool {
	if list == nil {
		return false
	}
	for slot := range run.segs[seg].Slots {
		c := list.Container(run.segs[seg].Slots[slot].Page)
		if c == nil {
			continue
		}
		at := [2]int{seg, slot}
		if pages[at] == nil {
			p := sp.e.pages.take()
			sp.pages = append(sp.pages, p)
			clear(p.words[:])
			pages[at] = &p.words
		}
		c.OrInto(pages[at])
	}
	return list.DF > 0
}

// together counts the documents that hold a candidate and another word of the
// query.
func (sp *speller) together(around *company, c *candidate) (most int64, err error) {
	if !around.any {
		return 0, nil
	}
	for _, space := range [...]uint16{segment.SpaceText, segment.SpaceWord} {
		sum := int64(0)
		for i, v := range sp.sights {
			lists := v.run.term(space, []byte(c.word), false)
			for seg, s := range v.run.iv.segs {
				entry, err := lists.entry(s)
				if err != nil {
					return 0, err
				}
				n, err := around.with(v, i, seg, entry.list)
				if err != nil {
					return 0, err
				}
				sum += n
			}
		}
		most = max(most, sum)
	}
	return most, nil
}

// with counts the documents of a list that hold another word of the query, as
// far as the request may see them.
func (c *company) with(v *sight, run, seg int, list *posting.List) (n int64, err error) {
	if list == nil {
		return 0, nil
	}
	for slot := range v.run.segs[seg].Slots {
		l, words := list.Container(v.run.segs[seg].Slots[slot].Page), c.pages[run][[2]int{seg, slot}]
		if l == nil || words == nil {
			continue
		}
		if len(v.sets) == 0 && v.run.segs[seg].Slots[slot].Dead == nil { // all may be seen
			n += int64(l.AndCount((*[posting.PageSize / 64]uint64)(words)))
			continue
		}
		visible, err := v.page(seg, slot)
		if err != nil {
			return 0, err
		}
		both := *visible
		for i := range both {
			both[i] &= words[i]
		}
		n += int64(l.AndCount((*[posting.PageSize / 64]uint64)(&both)))
	}
	return n, nil
}

// rank orders repairs, the best first: an edit weighs as much as being four
// powers of e rarer, and letters in another order movedWorth of them less. The
// former and aloneWorth were chosen on judged collections with misspelt queries.
// df counts documents, together those with another word of the query.
func rank(c *candidate, df, together int64, beside bool) float64 {
	n := float64(df)
	if beside {
		n = aloneWorth*n + float64(together)
	}
	at := 4*float64(c.edits) - math.Log(n)
	if c.moved {
		at -= movedWorth
	}
	return at
}
