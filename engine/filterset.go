package engine

import (
	"bytes"
	"context"
	"errors"
	"math"

	"github.com/quarry-search/quarry/engine/internal/page"
	"github.com/quarry-search/quarry/engine/internal/search"
	"github.com/quarry-search/quarry/engine/internal/segment"
)

// filterSet evaluates a condition on the pages of a view's segments.
type filterSet struct {
	run  *searchRun
	cond *condition
	memo map[[2]int]*search.Page
	err  error
}

func (s *filterSet) words(seg, slot int) *search.Page {
	key := [2]int{seg, slot}
	if w, ok := s.memo[key]; ok {
		return w
	}
	w, err := s.eval(s.cond, seg, slot)
	if err != nil && s.err == nil {
		s.err = err
	}
	if s.memo == nil {
		s.memo = map[[2]int]*search.Page{}
	}
	s.memo[key] = w
	return w
}

// eval returns the documents of a slot's page that satisfy c; nil for none.
// The result belongs to the caller.
func (s *filterSet) eval(c *condition, seg, slot int) (*search.Page, error) {
	out := new(search.Page)
	switch c.op {
	case condAll:
		fillAll(out)
	case condNone:
	case condNot:
		w, err := s.eval(c.kids[0], seg, slot)
		if err != nil {
			return nil, err
		}
		for i := range out {
			out[i] = ^w[i]
		}
	case condAnd:
		fillAll(out)
		for _, k := range c.kids {
			w, err := s.eval(k, seg, slot)
			if err != nil {
				return nil, err
			}
			for i := range out {
				out[i] &= w[i]
			}
		}
	case condOr:
		for _, k := range c.kids {
			w, err := s.eval(k, seg, slot)
			if err != nil {
				return nil, err
			}
			for i := range out {
				out[i] |= w[i]
			}
		}
	default:
		return out, s.predicate(c, seg, slot, out)
	}
	return out, nil
}

func fillAll(w *search.Page) {
	for i := range w {
		w[i] = ^uint64(0)
	}
}

// predicate sets the bits of the documents that satisfy a predicate.
func (s *filterSet) predicate(c *condition, seg, slot int, out *search.Page) error {
	iv := s.run.iv
	sl := &s.run.segs[seg].Slots[slot]
	if (c.typ == Text || c.typ == Keyword) && c.op == condEqual {
		for _, v := range c.values {
			list, err := s.run.list(iv.segs[seg], segment.SpaceValues+uint16(c.field), v.Str, false)
			if err != nil {
				return err
			}
			if list != nil {
				if cont := list.Container(sl.Page); cont != nil {
					cont.OrInto(out)
				}
			}
		}
		return nil
	}
	ref := iv.chunkOf(uint32(sl.Page)<<16 | uint32(sl.First))
	if ref == nil {
		return corruptf("page %d has no chunk", sl.Page)
	}
	if err := c.scan(ref, uint16(c.field), out); err != nil || c.typ != Float {
		return err
	}
	return c.scan(ref, uint16(c.field)|floatColumns, out)
}

// scan sets the bits of the documents of a chunk that satisfy the predicate by
// their values in a column.
func (c *condition) scan(ref *chunkRef, number uint16, out *search.Page) error {
	if info, ok := ref.chunk.ColumnInfo(number); !ok || (c.op == condRange && !info.MayMatch(c.lo, c.hi)) || (c.op == condNear && !info.MayHold(c.area)) {
		return nil
	}
	col, err := ref.chunk.Column(number)
	if err != nil || col == nil {
		return err
	}
	base := int(uint16(ref.base()))
	switch c.op {
	case condEqual:
		for _, v := range c.values {
			col.Range(page.At(v), page.At(v), out, base)
		}
	case condRange:
		col.Range(c.lo, c.hi, out, base)
	case condPrefix:
		lo, hi := col.Dict().Prefix(c.prefix)
		set := page.NewOrdSet(col.Dict().Len())
		set.AddRange(lo, hi)
		col.OrdsIn(set, out, base)
	case condExists:
		col.Present(out, base)
	case condNear:
		col.Within(c.area, out, base)
	}
	return nil
}

// matches evaluates the condition on a record that is not in an index yet.
func (c *condition) matches(columns []page.ColumnValues) bool {
	switch c.op {
	case condAll:
		return true
	case condNone:
		return false
	case condNot:
		return !c.kids[0].matches(columns)
	case condAnd:
		for _, k := range c.kids {
			if !k.matches(columns) {
				return false
			}
		}
		return true
	case condOr:
		for _, k := range c.kids {
			if k.matches(columns) {
				return true
			}
		}
		return false
	}
	for _, col := range columns {
		if int(col.Field&^floatColumns) != c.field {
			continue
		}
		for _, v := range col.Values {
			if c.predicate.holds(c.op, v) {
				return true
			}
		}
	}
	return false
}

// holds tells whether one value satisfies the predicate.
func (p *predicate) holds(op conditionOp, v page.Value) bool {
	switch op {
	case condExists:
		return true
	case condPrefix:
		return bytes.HasPrefix(v.Str, p.prefix)
	case condNear:
		return p.area.Contains(v.Code())
	case condEqual:
		for _, w := range p.values {
			if compareValues(v, w) == 0 {
				return true
			}
		}
		return false
	}
	if p.lo.Value.Kind != 0 {
		if c := compareValues(v, p.lo.Value); c < 0 || c == 0 && p.lo.Exclusive {
			return false
		}
	}
	if p.hi.Value.Kind != 0 {
		if c := compareValues(v, p.hi.Value); c > 0 || c == 0 && p.hi.Exclusive {
			return false
		}
	}
	return true
}

// compareValues orders two values of comparable kinds exactly.
func compareValues(a, b page.Value) int {
	if a.Kind == page.KindKeyword || b.Kind == page.KindKeyword {
		return bytes.Compare(a.Str, b.Str)
	}
	af, bf := a.Kind == page.KindFloat, b.Kind == page.KindFloat
	switch {
	case !af && !bf:
		return cmpOrdered(a.Int, b.Int)
	case af && bf:
		return cmpOrdered(a.Float, b.Float)
	case af:
		return -compareIntFloat(b.Int, a.Float)
	}
	return compareIntFloat(a.Int, b.Float)
}

func cmpOrdered[T int64 | float64](a, b T) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// compareIntFloat compares without rounding the integer.
func compareIntFloat(i int64, f float64) int {
	switch {
	case f >= 1<<63:
		return -1
	case f < -(1 << 63):
		return 1
	}
	if c := cmpOrdered(i, int64(math.Floor(f))); c != 0 || f == math.Floor(f) {
		return c
	}
	return -1
}

// eachMatch calls f for every live document of an index that a condition
// matches. The condition may be bound to a later schema than the index has.
func (e *Engine) eachMatch(ctx context.Context, iv *indexView, cond *condition, f func(doc uint32, c *page.Chunk, i int) error) error {
	segs, err := iv.segments()
	if err != nil {
		return err
	}
	run := &searchRun{e: e, iv: iv, segs: segs}
	set := &filterSet{run: run, cond: cond}
	q := &search.Query{
		Sets:     []search.Set{{Words: set.words}},
		Match:    &search.Expr{Op: search.OpSet},
		Segments: run.bind(nil),
	}
	err = search.Matches(ctx, q, func(seg, slot int, words *search.Page) error {
		p := uint32(segs[seg].Slots[slot].Page) << 16
		return eachBit(words, func(place int) error {
			doc := p | uint32(place)
			ref := iv.chunkOf(doc)
			return f(doc, ref.chunk, int(doc-ref.base()))
		})
	})
	return errors.Join(err, set.err)
}
