package search

import (
	"fmt"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/score"
)

// Expand returns the documents that are in any of lists, which are of one
// segment and may be nil: the leaf of a prefix, or of a word with mistakes. It
// returns nil if there are none.
func Expand(lists []*posting.List) *posting.List {
	var (
		docs []posting.DocID
		bits pageBits
		next = make([]int, len(lists))
	)
	for {
		page, left := uint16(0), false
		for i, l := range lists {
			if l != nil && next[i] < len(l.Containers) {
				if p := l.Containers[next[i]].Page; !left || p < page {
					page, left = p, true
				}
			}
		}
		if !left {
			break
		}
		for i, l := range lists {
			if l != nil && next[i] < len(l.Containers) && l.Containers[next[i]].Page == page {
				bits.add(&l.Containers[next[i]])
				next[i]++
			}
		}
		for place := range bits.drain {
			docs = append(docs, posting.DocID(page)<<16|posting.DocID(place))
		}
	}
	if len(docs) == 0 {
		return nil
	}
	return posting.FromDocs(docs)
}

// Restrict returns the postings of a list of seg that have the term in one of
// some text fields, with their frequencies in those fields only: the leaf of a
// term that is looked for in a field. fields is by ordinal; those beyond its
// end do not count. The result has no positions, and is nil if it would be
// empty. It reads the whole list: O(DF).
func Restrict(seg *Segment, list *posting.List, fields []bool) (*posting.List, error) {
	if list == nil || !list.HasFreqs {
		return nil, nil
	}
	book := seg.Table.Book()
	within := func(v score.Vector) score.Vector {
		var out score.Vector
		for _, f := range v {
			if int(f.Field) < len(fields) && fields[f.Field] {
				out = append(out, f)
			}
		}
		return out
	}
	byCode := make([]score.Vector, book.Len())
	for code := range byCode {
		byCode[code] = within(book.Vector(uint8(code)))
	}
	b := posting.NewBuilder(posting.NewCoding(book), posting.KindFreqs)
	for rank, doc := range list.All {
		var v score.Vector
		if code := int(list.Code(rank)); code < len(byCode) {
			v = byCode[code]
		} else {
			v = within(list.Vector(rank, book))
		}
		if len(v) == 0 {
			continue
		}
		if err := b.Add(doc, v, nil); err != nil {
			return nil, fmt.Errorf("search: restricted list: %w", err)
		}
	}
	return seg.made(b)
}

// made ends a list that was made for one query. Its bounds are such that
// s.Bounds turns them into upper bounds.
func (s *Segment) made(b *posting.Builder) (*posting.List, error) {
	if b.Len() == 0 {
		return nil, nil
	}
	l, err := b.List(&posting.Impacts{Table: s.Table, Norms: s.norms})
	if err != nil {
		return nil, fmt.Errorf("search: made list: %w", err)
	}
	// The builder's bounds are of impacts under s.Table, as they are now, but
	// those that s.Bounds expects are of impacts when the segment was built.
	var then [256]byte
	b8 := 0
	for now := range then {
		for b8 < 255 && int(s.Bounds[b8]) < now<<8|0xff {
			b8++
		}
		then[now] = byte(b8)
	}
	l.Translate(&then)
	return l, nil
}

// norms gives a builder the norms of the slot of a document.
func (s *Segment) norms(doc posting.DocID) (posting.NormRun, error) {
	slot := s.slot(uint16(doc >> 16))
	if slot == nil {
		return posting.NormRun{}, fmt.Errorf("%w: the segment has no page for document %d", ErrMalformed, doc)
	}
	page := doc &^ (posting.PageSize - 1)
	return posting.NormRun{
		First: page | posting.DocID(slot.NormBase),
		Last:  page | posting.DocID(slot.Last),
		Norms: slot.Norms,
	}, nil
}
