package page

import "fmt"

// Merge returns one chunk with the documents of chunks of one page, given by
// ascending base; numbers between them that no chunk has become holes. It has
// as many text fields as the chunk with the most. The parts of the result are
// the bytes that a Builder gives for the same documents.
//
// It reads all parts of the chunks, one at a time, and leaves loaded what it
// read: Drop releases it.
func Merge(chunks []*Chunk) (*Chunk, error) {
	if len(chunks) == 0 {
		return nil, fmt.Errorf("merge: %w: no chunks", ErrInvalid)
	}
	first := chunks[0]
	a := newAssembly(first.base, 0)
	if err := a.reserve(chunks); err != nil {
		return nil, fmt.Errorf("merge: %w", err)
	}
	for _, c := range chunks {
		if c.base/Size != first.base/Size || c.base-first.base < uint32(a.n) || c.base < first.base {
			return nil, fmt.Errorf("merge: %w: chunk at %d after numbers %d to %d", ErrInvalid, c.base, first.base, first.base+uint32(a.n)-1)
		}
		if err := a.appendChunk(c); err != nil {
			return nil, fmt.Errorf("merge: %w", err)
		}
	}
	return a.chunk()
}

// eachColumn calls f with the columns of c and what each becomes a part of.
func (a *assembly) eachColumn(c *Chunk, f func(col *Column, b *columnBuilder) error) error {
	for i := range c.columns {
		info := &c.columns[i].info
		col, err := c.Column(info.Field)
		if err != nil {
			return err
		}
		b, err := a.column(info.Field, info.Kind)
		if err != nil {
			return err
		}
		if err := f(col, b); err != nil {
			return err
		}
	}
	return nil
}

// reserve makes room for the documents of chunks, so that what holds them need not grow. It goes by the
// columns, not by the summaries, of which nobody has checked yet that they are right.
func (a *assembly) reserve(chunks []*Chunk) error {
	type room struct{ docs, values, terms int }
	n, rooms := 0, map[*columnBuilder]room{}
	for _, c := range chunks {
		n += c.n
		if err := a.eachColumn(c, func(col *Column, b *columnBuilder) error {
			r := rooms[b]
			r.docs += col.docs
			r.values += col.vals.n
			if col.dict != nil {
				r.terms += col.dict.Len()
			}
			rooms[b] = r
			return nil
		}); err != nil {
			return err
		}
	}
	a.ends = make([]int, 0, n)
	for b, r := range rooms {
		b.places, b.ends = make([]uint16, 0, r.docs), make([]uint64, 0, r.docs)
		b.keys, b.terms = make([]uint64, 0, r.values), make([]string, 0, r.terms)
	}
	return nil
}

// appendChunk appends the documents of c, which begins at or after the end.
func (a *assembly) appendChunk(c *Chunk) error {
	shift := int(c.base - a.base)
	a.n = shift + c.n
	a.textFields = max(a.textFields, c.textFields)
	id, err := c.allIDs()
	if err != nil {
		return err
	}
	for len(a.ends) < shift {
		a.addID(nil)
	}
	for i := range c.n {
		a.addID(id(i))
	}
	if a.all, err = appendNorms(a.all, c, AllFields, shift); err != nil {
		return err
	}
	for i := range c.norms {
		f := int(c.norms[i].field)
		if a.norms[f], err = appendNorms(a.norms[f], c, f, shift); err != nil {
			return err
		}
	}
	return a.eachColumn(c, func(col *Column, b *columnBuilder) error { return b.addColumn(col, shift) })
}

// appendNorms appends the norms of a field of c, if it has any, so that they
// begin at shift.
func appendNorms(norms []byte, c *Chunk, field, shift int) ([]byte, error) {
	more, err := c.Norms(field)
	if err != nil || more == nil {
		return norms, err
	}
	return append(pad(norms, shift), more...), nil
}
