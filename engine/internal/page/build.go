package page

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/quarry-search/quarry/engine/internal/score"
)

// Builder makes chunks of documents with consecutive numbers. It is not safe
// for concurrent use.
type Builder struct {
	textFields int
	next       uint32 // number of the next document
	current    *assembly
	done       []*Chunk
	err        error // the first of Add; kept for Chunks
}

// NewBuilder returns a builder whose first document gets the number base.
// Documents have up to textFields text fields.
func NewBuilder(base uint32, textFields int) *Builder {
	return &Builder{textFields: textFields, next: base}
}

// Add adds the next document, or a hole. It keeps nothing of d. What is wrong
// with a document is told by Chunks.
func (b *Builder) Add(d *Doc) {
	if b.err != nil {
		return
	}
	if b.current == nil {
		b.current = newAssembly(b.next, b.textFields)
	}
	number := b.next
	if err := b.current.add(d); err != nil {
		b.err = fmt.Errorf("document %d: %w", number, err)
		return
	}
	if b.next++; b.next%Size == 0 {
		b.finish()
	}
}

func (b *Builder) finish() {
	chunk, err := b.current.chunk()
	if err != nil {
		b.err = err
		return
	}
	b.done = append(b.done, chunk)
	b.current = nil
}

// Chunks returns the documents added, a chunk for each page, by ascending
// base. The builder cannot be used afterwards. An error marked ErrInvalid says
// that a document had values that cannot be stored.
func (b *Builder) Chunks() ([]*Chunk, error) {
	if b.err == nil && b.current != nil {
		b.finish()
	}
	if b.err != nil {
		return nil, b.err
	}
	return b.done, nil
}

// assembly is a chunk being made.
type assembly struct {
	base       uint32
	n          int
	textFields int
	ids        []byte         // one after the other
	ends       []int          // of ids, by document
	all        []byte         // norms of all words; nil while there are none
	norms      map[int][]byte // by text field; shorter than n where zeros follow
	columns    map[uint16]*columnBuilder
}

func newAssembly(base uint32, textFields int) *assembly {
	return &assembly{
		base: base, textFields: textFields,
		norms: make(map[int][]byte), columns: make(map[uint16]*columnBuilder),
	}
}

func (a *assembly) add(d *Doc) error {
	place := a.n
	a.n++
	if d.Absent {
		a.addID(nil)
		return nil
	}
	a.addID(d.ID)
	if len(d.Lengths) > a.textFields {
		return fmt.Errorf("%w: lengths of %d text fields of %d", ErrInvalid, len(d.Lengths), a.textFields)
	}
	total := 0
	for f, words := range d.Lengths {
		if words > 0 {
			a.norms[f] = setNorm(a.norms[f], place, score.EncodeNorm(int(words)))
			total += int(words)
		}
	}
	if total > 0 {
		a.all = setNorm(a.all, place, score.EncodeNorm(total))
	}
	for i := range d.Columns {
		v := &d.Columns[i]
		if err := a.addValues(place, v); err != nil {
			return err
		}
	}
	return nil
}

func (a *assembly) addID(id []byte) {
	a.ids = append(a.ids, id...)
	a.ends = append(a.ends, len(a.ids))
}

func (a *assembly) id(i int) []byte {
	if i == 0 {
		return a.ids[:a.ends[0]]
	}
	return a.ids[a.ends[i-1]:a.ends[i]]
}

// setNorm sets norms[place], the last that is set so far, and fills the gap
// before it with zeros.
func setNorm(norms []byte, place int, norm byte) []byte {
	for len(norms) < place {
		norms = append(norms, 0)
	}
	return append(norms, norm)
}

func (a *assembly) addValues(place int, v *ColumnValues) error {
	if len(v.Values) == 0 {
		return nil
	}
	col, err := a.column(v.Field, v.Kind)
	if err != nil {
		return err
	}
	if k := len(col.places); k > 0 && int(col.places[k-1]) == place {
		return fmt.Errorf("column %d: %w: named twice", v.Field, ErrInvalid)
	}
	return col.add(place, v.Values)
}

// column returns the builder of a field.
func (a *assembly) column(field uint16, kind Kind) (*columnBuilder, error) {
	col := a.columns[field]
	if col == nil {
		if !kind.valid() {
			return nil, fmt.Errorf("column %d: %w: kind %d", field, ErrInvalid, kind)
		}
		col = &columnBuilder{field: field, kind: kind}
		a.columns[field] = col
	}
	if col.kind != kind {
		return nil, fmt.Errorf("column %d: %w: %v after %v", field, ErrInvalid, kind, col.kind)
	}
	return col, nil
}

// chunk encodes what was gathered.
func (a *assembly) chunk() (*Chunk, error) {
	src := memory{{Kind: PartIDs}: encodeAllIDs(a.n, a.id)}
	c := &Chunk{base: a.base, n: a.n, textFields: a.textFields, src: src, version: Part{Kind: PartSummary}.newest()}
	c.ids.ascend = ascend(a.n, a.id)
	for f, norms := range a.norms {
		p := Part{PartNorms, uint16(f)}
		src[p] = encodeNorms(p, pad(norms, a.n))
	}
	if len(a.norms) > 1 {
		p := Part{Kind: PartAllNorms}
		src[p] = encodeNorms(p, pad(a.all, a.n))
		c.all = new(slot[[]byte])
	}
	c.norms = make([]normSlot, 0, len(a.norms))
	for _, f := range sortedKeys(a.norms) {
		c.norms = append(c.norms, normSlot{field: uint16(f)})
	}
	c.columns = make([]columnSlot, len(a.columns))
	for i, f := range sortedKeys(a.columns) {
		data, info, err := a.columns[f].encode(a.n)
		if err != nil {
			return nil, fmt.Errorf("chunk at %d: %w", a.base, err)
		}
		src[Part{PartColumn, f}] = data
		c.columns[i].info = info
	}
	src[Part{Kind: PartSummary}] = c.encodeSummary()
	for _, data := range src {
		c.held += len(data)
	}
	return c, nil
}

// pad appends zeros up to length n.
func pad(b []byte, n int) []byte { return append(b, make([]byte, n-len(b))...) }

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
