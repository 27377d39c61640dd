package posting

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"github.com/quarry-search/quarry/engine/internal/score"
)

// Append adds the postings of l except those of dead documents. dead returns
// the deleted documents of a page, or nil for none; it may itself be nil. l
// must hold what the builder's kind asks for, positions included, and has its
// codes from coding, which may have fewer fields than the builder's. The
// documents of l come after those added before.
func (b *Builder) Append(l *List, coding *Coding, dead func(page uint16) *[PageSize / 64]uint64) error {
	s := source{list: l, coding: coding, same: b.kind == KindDocs || coding.book.Fields() == b.coding.book.Fields()}
	for i := range l.Containers {
		c := &l.Containers[i]
		if dead != nil {
			s.dead = dead(c.Page)
		}
		if err := b.appendContainer(c, &s); err != nil {
			return err
		}
	}
	return nil
}

// source is a list being appended, read from front to back.
type source struct {
	list   *List
	coding *Coding
	same   bool // coding has as many fields as the builder's
	dead   *[PageSize / 64]uint64
	from   uint64 // where the positions of the next rank begin, in bits or elements of flat
	width  uint   // of a position, in bits
}

// appendContainer is Append for the documents of one page.
func (b *Builder) appendContainer(c *Container, s *source) error {
	page, rank := DocID(c.Page)<<16, c.First
	if c.Words == nil {
		for a := c.Array; len(a) >= 2; a = a[2:] {
			if err := b.appendPosting(s, rank, page|DocID(binary.LittleEndian.Uint16(a))); err != nil {
				return err
			}
			rank++
		}
		return nil
	}
	for w, x := range c.Words {
		for ; x != 0; x &= x - 1 {
			if err := b.appendPosting(s, rank, page|DocID(w<<6|bits.TrailingZeros64(x))); err != nil {
				return err
			}
			rank++
		}
	}
	return nil
}

// appendPosting adds the posting of s with the given rank, unless it is dead.
func (b *Builder) appendPosting(s *source, rank int, doc DocID) error {
	live := s.dead == nil || s.dead[doc&(PageSize-1)>>6]>>(doc&63)&1 == 0
	if n := len(b.docs); live && n > 0 && b.docs[n-1] >= doc {
		return fmt.Errorf("%w: document %d after %d", ErrCorrupt, doc, b.docs[n-1])
	}
	if b.kind == KindDocs {
		if live {
			b.docs = append(b.docs, doc)
		}
		return nil
	}
	code := s.list.codes.at(rank)
	total := uint64(s.coding.totals[code])
	if code == score.Escape {
		total = vectorTotal(s.list.codes.escapeAt(rank))
	}
	if total == 0 || total > maxTotal {
		return fmt.Errorf("%w: document %d has %d occurrences", ErrCorrupt, doc, total)
	}
	at := len(b.positions)
	if b.kind == KindPositions {
		var err error
		if b.positions, err = s.positions(rank, total, b.positions); err != nil {
			return fmt.Errorf("document %d: %w", doc, err)
		}
	}
	if !live {
		b.positions = b.positions[:at]
		return nil
	}
	if code == score.Escape || !s.same {
		v := s.list.Vector(rank, s.coding.book)
		if v == nil || int(v[len(v)-1].Field) >= b.coding.book.Fields() {
			return fmt.Errorf("%w: document %d has the vector %v", ErrCorrupt, doc, v)
		}
		if code = b.code(v); code == score.Escape {
			b.vectors = appendVector(b.vectors, v)
			b.escapes = append(b.escapes, escape{rank: len(b.docs), end: len(b.vectors), total: int(total)})
		}
	}
	b.codes = append(b.codes, code)
	b.docs = append(b.docs, doc)
	return nil
}

// positions appends the n positions of rank, which follow those of the rank
// before.
func (s *source) positions(rank int, n uint64, dst []uint32) ([]uint32, error) {
	p := &s.list.positions
	if p.start != nil {
		if s.from+n > uint64(len(p.flat)) {
			return dst, fmt.Errorf("%w: positions are cut off", ErrCorrupt)
		}
		dst = append(dst, p.flat[s.from:s.from+n]...)
		s.from += n
		return dst, nil
	}
	if rank%positionBlock == 0 {
		var ok bool
		if s.from, s.width, ok = p.block(rank / positionBlock); !ok {
			return dst, fmt.Errorf("%w: no positions", ErrCorrupt)
		}
	}
	at := len(dst)
	if dst = p.append(dst, s.from, s.width, n); uint64(len(dst)-at) != n {
		return dst[:at], fmt.Errorf("%w: positions are cut off", ErrCorrupt)
	}
	s.from += n * uint64(s.width)
	return dst, nil
}
