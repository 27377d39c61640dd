package search

import (
	"context"
	"fmt"
	"math"
	"sync/atomic"

	"github.com/quarry-search/quarry/engine/internal/posting"
)

// worthJoining is the number of counts of a term from which on its living documents are
// put together, which takes about as long as a few of them.
const worthJoining = 4

// Living is where it is kept which documents of a term live: those that the lists of all
// segments hold, by page, for counts in the same segments with the same documents dead.
// Ten segments have three times as many parts of pages as there are pages, and each
// with its own few documents, of which the dead have to be left out every time. The
// counts that ask for a term find its living documents and leave them here. The zero
// value keeps nothing. It is safe for concurrent use and must not be copied.
type Living struct {
	// Keep is asked whether so many bytes may be kept; nil: none may.
	Keep func(bytes int) bool

	asked atomic.Int32
	pages atomic.Pointer[[]posting.Container] // by page
}

// Bytes returns the memory that the documents take up.
func (l *Living) Bytes() int { return livingBytes(l.known()) }

// known returns the documents, nil if they are not known.
func (l *Living) known() []posting.Container {
	if pages := l.pages.Load(); pages != nil {
		return *pages
	}
	return nil
}

func livingBytes(pages []posting.Container) (n int) {
	for i := range pages {
		n += 128 + len(pages[i].Array)
		if pages[i].Words != nil {
			n += len(pages[i].Words) * 8
		}
	}
	return n
}

// isScattered tells whether to have the living documents of the segments together saves
// much: where they have far more slots than there are pages, or dead documents.
func (r *run) isScattered() bool {
	slots, pages, last := 0, 0, -1
	for i := range r.q.Segments {
		for j := range r.q.Segments[i].Slots {
			s := &r.q.Segments[i].Slots[j]
			if s.Dead != nil {
				return true
			}
			if slots++; int(s.Page) != last {
				pages, last = pages+1, int(s.Page)
			}
		}
	}
	return slots > pages+pages/4
}

// living returns the living documents of a leaf, which is no phrase, by page, and whether
// they are known.
func (r *run) living(leaf int) ([]posting.Container, bool) {
	at := r.q.Leaves[leaf].Living
	if at == nil || at.Keep == nil {
		return nil, false
	}
	if pages := at.known(); pages != nil {
		return pages, true
	}
	if at.asked.Add(1) < worthJoining {
		return nil, false
	}
	pages := r.joinLiving(leaf)
	if !at.Keep(livingBytes(pages)) {
		at.asked.Store(math.MinInt32) // there is no room, and hardly will be
		return nil, false
	}
	at.pages.Store(&pages)
	return pages, true
}

// joinLiving puts the living documents of a leaf together; not nil.
func (r *run) joinLiving(leaf int) []posting.Container {
	pages := []posting.Container{}
	page := -1 // r.page is of it
	finish := func() {
		if page >= 0 {
			if c, any := posting.Gather(uint16(page), &r.page); any {
				pages = append(pages, c)
			}
		}
	}
	for i := range r.q.Segments {
		list := r.q.list(leaf, i)
		if list == nil {
			continue
		}
		for j := range r.q.Segments[i].Slots {
			slot := &r.q.Segments[i].Slots[j]
			c := list.Container(slot.Page)
			if c == nil {
				continue
			}
			if int(slot.Page) != page {
				finish()
				page, r.page = int(slot.Page), Page{}
			}
			c.OrInto(&r.page)
			if slot.Dead != nil {
				first, end := slot.words()
				for w := first; w < end; w++ {
					r.page[w] &^= slot.Dead[w]
				}
			}
		}
	}
	finish()
	return pages
}

// countLiving is countPlain by what is kept of the living documents of kids; false if it
// is not known of all of them.
func (r *run) countLiving(ctx context.Context, op Op, kids []int32, most int64) (total int64, known bool, err error) {
	known = true
	r.joined = r.joined[:0]
	for _, k := range kids {
		pages, ok := r.living(r.leaves[r.nodes[k].arg].leaf)
		known = known && ok
		r.joined = append(r.joined, pages)
	}
	if !known {
		return 0, false, nil
	}
	whole := Slot{Last: posting.PageSize - 1}
	r.slot = &whole
	for {
		if err := ctx.Err(); err != nil {
			return 0, true, fmt.Errorf("search: %w", err)
		}
		page := posting.PageSize
		for _, pages := range r.joined {
			if len(pages) > 0 {
				page = min(page, int(pages[0].Page))
			} else if op == OpAnd {
				return total, true, nil
			}
		}
		if page == posting.PageSize {
			return total, true, nil
		}
		r.flat = r.flat[:0]
		for i, pages := range r.joined {
			if len(pages) > 0 && int(pages[0].Page) == page {
				r.flatAdd(&pages[0])
				r.joined[i] = pages[1:]
			}
		}
		if op == OpAnd && len(r.flat) < len(kids) {
			continue
		}
		if total += int64(r.countFlat(op)); total >= most {
			return total, true, nil
		}
	}
}
