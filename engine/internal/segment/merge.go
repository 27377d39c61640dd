package segment

import (
	"bytes"
	"context"
	"fmt"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/quarry-search/quarry/engine/internal/posting"
)

// Merge writes the segment that a Writer would have built from the live
// documents of the readers, to the byte. The readers must hold disjoint,
// ascending ranges of documents, and no more text fields than im.Table; fields
// keep their ordinals, so lists of a reader with fewer are only given other
// codes. dead returns the deleted documents of a page, or nil for none; it may
// itself be nil. Terms left without documents vanish.
//
// Memory holds one list at a time beside what the readers and out hold. ctx
// ends the merge between terms. After an error, what out got is to be thrown
// away.
func Merge(ctx context.Context, readers []*Reader, dead func(page uint16) *[posting.PageSize / 64]uint64, im *Impacts, out Sink) (Meta, error) {
	docs, err := liveDocs(readers, dead)
	if err != nil {
		return Meta{}, err
	}
	m := merger{ctx: ctx, dead: dead}
	base := posting.DocID(0)
	if !docs.IsEmpty() {
		base = docs.Minimum()
	}
	if m.out, err = newAssembler(out, im, base); err != nil {
		return Meta{}, err
	}
	for i, r := range readers {
		if r.meta.TextFields > m.out.head.fields {
			return Meta{}, fmt.Errorf("segment: merge of %d text fields into %d", r.meta.TextFields, m.out.head.fields)
		}
		in := input{ordinal: i, r: r, it: r.Scan(nil, nil)}
		if err := m.push(in); err != nil {
			return Meta{}, err
		}
	}
	if err := m.run(); err != nil {
		return Meta{}, err
	}
	return m.out.finish(docs)
}

// liveDocs returns the documents of all readers that are not dead, and
// verifies that the ranges ascend.
func liveDocs(readers []*Reader, dead func(page uint16) *[posting.PageSize / 64]uint64) (*roaring.Bitmap, error) {
	docs := roaring.New()
	var last *Meta
	for i, r := range readers {
		if r.meta.Docs == 0 {
			continue
		}
		if last != nil && last.MaxDoc >= r.meta.MinDoc {
			return nil, fmt.Errorf("segment: merge: reader %d begins at document %d, after %d", i, r.meta.MinDoc, last.MaxDoc)
		}
		last = &r.meta
		docs.Or(r.docs)
		if dead == nil {
			continue
		}
		for _, page := range r.meta.Pages {
			if words := dead(page); words != nil {
				gone := roaring.FromDense(words[:], true)
				docs.AndNot(roaring.AddOffset64(gone, int64(page)<<16))
			}
		}
	}
	return docs, nil
}

// input is a reader at one of its terms.
type input struct {
	ordinal int
	r       *Reader
	it      *TermIter
}

// merger walks over the terms of all inputs in ascending order.
type merger struct {
	ctx     context.Context
	dead    func(page uint16) *[posting.PageSize / 64]uint64
	inputs  []input // a heap by key, then by ordinal
	out     *assembler
	builder posting.Builder
	small   posting.SmallReader
	key     []byte
}

// checkEvery is the number of terms between two looks at the context.
const checkEvery = 256

// run merges all terms.
func (m *merger) run() error {
	for n := 0; len(m.inputs) > 0; n++ {
		if n%checkEvery == 0 {
			if err := m.ctx.Err(); err != nil {
				return err
			}
		}
		m.key = append(m.key[:0], m.inputs[0].it.Key()...)
		if len(m.key) < 2 {
			return fmt.Errorf("%w: reader %d: %s", ErrCorrupt, m.inputs[0].ordinal, place(m.key))
		}
		m.builder.Reset(m.out.coding, kindOf(m.key))
		for len(m.inputs) > 0 && bytes.Equal(m.inputs[0].it.Key(), m.key) {
			if err := m.take(); err != nil {
				return err
			}
		}
		if m.builder.Len() == 0 {
			continue
		}
		if err := m.out.add(m.key, &m.builder); err != nil {
			return fmt.Errorf("%s: %w", place(m.key), err)
		}
	}
	return nil
}

// take adds the list of the first input to the builder and moves that input.
func (m *merger) take() error {
	in := m.inputs[0]
	l, err := in.r.list(m.key, in.it.it.Info(), true, false, m.small.Parse, posting.Parse)
	if err == nil {
		err = m.builder.Append(l, in.r.codes(), m.dead)
	}
	if err != nil {
		return fmt.Errorf("reader %d: %s: %w", in.ordinal, place(m.key), mark(err))
	}
	if in.it.Next() {
		m.down(0)
		return nil
	}
	last := len(m.inputs) - 1
	m.inputs[0] = m.inputs[last]
	m.inputs = m.inputs[:last]
	m.down(0)
	if err := in.it.Err(); err != nil {
		return fmt.Errorf("reader %d: %w", in.ordinal, err)
	}
	return nil
}

// push adds an input that stands before its first term.
func (m *merger) push(in input) error {
	if !in.it.Next() {
		if err := in.it.Err(); err != nil {
			return fmt.Errorf("reader %d: %w", in.ordinal, err)
		}
		return nil
	}
	m.inputs = append(m.inputs, in)
	for i := len(m.inputs) - 1; i > 0 && m.inputs[i].before(&m.inputs[(i-1)/2]); i = (i - 1) / 2 {
		m.inputs[i], m.inputs[(i-1)/2] = m.inputs[(i-1)/2], m.inputs[i]
	}
	return nil
}

// down restores the heap below i.
func (m *merger) down(i int) {
	for {
		kid := 2*i + 1
		if kid >= len(m.inputs) {
			return
		}
		if kid+1 < len(m.inputs) && m.inputs[kid+1].before(&m.inputs[kid]) {
			kid++
		}
		if !m.inputs[kid].before(&m.inputs[i]) {
			return
		}
		m.inputs[i], m.inputs[kid] = m.inputs[kid], m.inputs[i]
		i = kid
	}
}

// before orders inputs by key, then by document range.
func (in *input) before(other *input) bool {
	c := bytes.Compare(in.it.Key(), other.it.Key())
	return c < 0 || c == 0 && in.ordinal < other.ordinal
}
