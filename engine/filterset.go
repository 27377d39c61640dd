package engine

import (
	"bytes"
	"context"
	"errors"
	"math"
	"slices"

	"github.com/quarry-search/quarry/engine/internal/collect"
	"github.com/quarry-search/quarry/engine/internal/page"
	"github.com/quarry-search/quarry/engine/internal/search"
	"github.com/quarry-search/quarry/engine/internal/segment"
)

// filterSet evaluates a condition on the pages of a view's segments.
type filterSet struct {
	run  *searchRun
	cond *condition
	memo map[[2]int]*search.Page
	ids  map[*condition]func(seg, slot int) *search.Page // see withIDs
	err  error
}

// some is words, but nil if there are none.
func (s *filterSet) some(seg, slot int) *search.Page {
	if w := s.words(seg, slot); *w != (search.Page{}) {
		return w
	}
	return nil
}

// words returns the documents of a slot that satisfy the condition. They must
// not be changed.
func (s *filterSet) words(seg, slot int) *search.Page {
	key := [2]int{seg, slot}
	if w, ok := s.memo[key]; ok {
		return w
	}
	sl := &s.run.segs[seg].Slots[slot]
	e := &filterEval{run: s.run, set: s, seg: seg, at: slot, slot: sl, ref: s.run.iv.chunkOf(uint32(sl.Page)<<16 | uint32(sl.First))}
	w := new(search.Page)
	setBits(w, int(sl.First), int(sl.Last)+1)
	if err := e.and(s.cond, w); err != nil && s.err == nil {
		s.err = err
	}
	if s.memo == nil {
		s.memo = map[[2]int]*search.Page{}
	}
	s.memo[key] = w
	return w
}

// setBits sets the bits from from up to to.
func setBits(w *search.Page, from, to int) {
	for i := from &^ 63; i < to; i += 64 {
		word := ^uint64(0)
		if i < from {
			word <<= from - i
		}
		if i+64 > to {
			word &= ^uint64(0) >> (i + 64 - to)
		}
		w[i>>6] |= word
	}
}

// filterEval evaluates conditions in one slot.
type filterEval struct {
	run  *searchRun
	set  *filterSet
	seg  int
	at   int // the number of slot
	slot *search.Slot
	ref  *chunkRef
}

// and takes the documents that do not satisfy c out of acc. Conditions that
// follow others have the fewer documents to look at.
func (e *filterEval) and(c *condition, acc *search.Page) error {
	switch c.op {
	case condAll:
	case condNone:
		*acc = search.Page{}
	case condAnd:
		for _, k := range c.kids {
			if err := e.and(k, acc); err != nil {
				return err
			}
			if *acc == (search.Page{}) {
				return nil
			}
		}
	case condOr:
		var any search.Page
		for _, k := range c.kids {
			rest := *acc
			for i := range rest {
				rest[i] &^= any[i]
			}
			if err := e.and(k, &rest); err != nil {
				return err
			}
			for i := range any {
				any[i] |= rest[i]
			}
		}
		*acc = any
	case condNot:
		not := *acc
		if err := e.and(c.kids[0], &not); err != nil {
			return err
		}
		for i := range acc {
			acc[i] &^= not[i]
		}
	case condID:
		some, err := e.set.withIDs(c, e.seg, e.at)
		if err != nil {
			return err
		}
		if some == nil {
			some = new(search.Page)
		}
		and(acc, some)
	default:
		return e.predicate(c, acc)
	}
	return nil
}

// byWord tells whether a predicate is answered by the posting lists of whole
// values.
func (c *condition) byWord() bool { return (c.typ == Text || c.typ == Keyword) && c.op == condEqual }

// fewDocs is the number of documents of a page up to which a predicate is
// tested on each: several times as costly for one as going through a column.
const fewDocs = page.Size / 8

// predicate takes the documents that do not satisfy a predicate out of acc.
func (e *filterEval) predicate(c *condition, acc *search.Page) error {
	if c.byWord() {
		var any search.Page
		for _, v := range c.values {
			list, err := e.run.list(e.run.iv.segs[e.seg], segment.SpaceValues+uint16(c.field), v.Str, false)
			if err != nil {
				return err
			}
			if list != nil {
				if cont := list.Container(e.slot.Page); cont != nil {
					cont.OrInto(&any)
				}
			}
		}
		and(acc, &any)
		return nil
	}
	if e.ref == nil {
		return corruptf("page %d has no chunk", e.slot.Page)
	}
	if lo, hi, ok := c.oneRange(); ok && collect.Count(acc) <= e.run.e.opts.fewDocs {
		col, err := e.ref.chunk.Column(uint16(c.field))
		if err != nil {
			return err
		}
		if col == nil {
			*acc = search.Page{}
			return nil
		}
		col.Keep(lo, hi, acc, int(uint16(e.ref.base())))
		return nil
	}
	all, err := e.run.e.filters.load(c, e.ref)
	if err == nil {
		and(acc, all)
	}
	return err
}

func and(acc, w *search.Page) {
	for i := range acc {
		acc[i] &= w[i]
	}
}

// oneRange returns the bounds of a predicate that is one range of the values of
// one column.
func (c *condition) oneRange() (lo, hi page.Bound, ok bool) {
	switch {
	case c.twoColumns:
	case c.op == condRange:
		return c.lo, c.hi, true
	case c.op == condEqual && len(c.values) == 1:
		return page.At(c.values[0]), page.At(c.values[0]), true
	}
	return lo, hi, false
}

// scan sets the bits of the documents of a chunk that satisfy a predicate.
func (c *condition) scan(ref *chunkRef, out *search.Page) error {
	if err := c.scanColumn(ref, uint16(c.field), out); err != nil || !c.twoColumns {
		return err
	}
	return c.scanColumn(ref, uint16(c.field)|floatColumns, out)
}

// scanColumn is scan for one of the columns of the field.
func (c *condition) scanColumn(ref *chunkRef, number uint16, out *search.Page) error {
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
func (c *condition) matches(id string, columns []page.ColumnValues) bool {
	switch c.op {
	case condAll:
		return true
	case condNone:
		return false
	case condID:
		return slices.Contains(c.ids, id)
	case condNot:
		return !c.kids[0].matches(id, columns)
	case condAnd:
		for _, k := range c.kids {
			if !k.matches(id, columns) {
				return false
			}
		}
		return true
	case condOr:
		for _, k := range c.kids {
			if k.matches(id, columns) {
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
func (e *Engine) eachMatch(ctx context.Context, v *view, iv *indexView, cond *condition, f func(doc uint32, c *page.Chunk, i int) error) error {
	segs, err := iv.segments()
	if err != nil {
		return err
	}
	run := &searchRun{e: e, kv: v.kv, iv: iv, segs: segs}
	set := &filterSet{run: run, cond: cond}
	q := &search.Query{
		Sets:     []search.Set{{Words: set.some}},
		Match:    &search.Expr{Op: search.OpSet},
		Segments: segs,
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
