package engine

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/vector"
	"github.com/quarry-search/quarry/storage"
)

// The vectors of a Vector field are kept beside segments and chunks, in runs of
// consecutive documents, under the number of the first. A run never reaches over
// the end of a block of fieldBlockDocs numbers, nor is it changed; document
// numbers are not given out twice, so merges do not touch it. It is deleted with
// its page, or its index. Sealed, a run is
//
//	uvarint  1, its format
//	uvarint  field, number of the first document
//	uvarint  dimensions, documents
//	         for each document the vector, as package vector writes a row;
//	         zeros where a document has none
//
// Vectors that records bring are written by the commit of their batch, so they
// are as durable and as visible as the records. Those that an embedder makes are
// written some time later, in the order of the documents: all below the end of
// the last run have been seen to.
const (
	runFormat = 1
	// fieldBlockDocs is how many documents are read, and held for searches, at
	// once: half a MiB at a thousand dimensions.
	fieldBlockDocs = 512
)

// vectorRun is the decoded form of what is stored.
type vectorRun struct {
	first posting.DocID
	docs  int
	size  int    // of a vector
	data  []byte // docs of them
}

func encodeRun(field int, r vectorRun) []byte {
	b := make([]byte, 0, 16+len(r.data))
	for _, n := range [...]uint64{runFormat, uint64(field), uint64(r.first), uint64(r.size - vector.RowSize(0)), uint64(r.docs)} {
		b = binary.AppendUvarint(b, n)
	}
	return seal(append(b, r.data...))
}

// decodeRun reads the run of a field that its key says begins at first. It
// shares the bytes.
func decodeRun(b []byte, field, dims int, first posting.DocID) (vectorRun, error) {
	what := func() string { return fmt.Sprintf("vectors of field %d from document %d on", field, first) }
	b, err := unseal(what(), b)
	if err != nil {
		return vectorRun{}, err
	}
	var n [5]uint64
	for i := range n {
		v, w := binary.Uvarint(b)
		if w <= 0 {
			return vectorRun{}, corruptf("%s: they are cut off", what())
		}
		n[i], b = v, b[w:]
	}
	r := vectorRun{first: first, docs: int(min(n[4], 1<<20)), size: vector.RowSize(dims), data: b}
	switch {
	case n[0] != runFormat:
		return r, corruptf("%s: format %d, this release knows %d", what(), n[0], runFormat)
	case n[1] != uint64(field) || n[2] != uint64(first):
		return r, corruptf("%s: they are of field %d and document %d", what(), n[1], n[2])
	case n[3] != uint64(dims):
		return r, corruptf("%s: %d dimensions instead of %d", what(), n[3], dims)
	case r.docs == 0 || int(first%fieldBlockDocs)+r.docs > fieldBlockDocs || len(b) != r.docs*r.size:
		return r, corruptf("%s: %d bytes for %d documents", what(), len(b), n[4])
	}
	for i := range r.docs {
		if !r.vector(i).Valid() {
			return r, corruptf("%s: document %d has a vector without length", what(), int(first)+i)
		}
	}
	return r, nil
}

func (r *vectorRun) vector(i int) vector.Vector { return r.data[i*r.size:][:r.size] }

// encodeRuns puts the vectors that new documents bring into the store's batch.
func encodeRuns(kv *storage.Batch, ix uint32, schema *compiled, base posting.DocID, docs []*document) {
	for field := range schema.vectorFields() {
		var r vectorRun
		flush := func() {
			if r.docs > 0 {
				kv.Set(storage.FieldRunKey(ix, uint16(field), r.first), encodeRun(field, r))
			}
			r.docs, r.data = 0, r.data[:0]
		}
		r.size = vector.RowSize(schema.Fields[field].Dimensions)
		for i, d := range docs {
			doc := base + uint32(i)
			j := slices.IndexFunc(d.vectors, func(v fieldVector) bool { return v.field == field })
			if r.docs > 0 && doc/fieldBlockDocs != r.first/fieldBlockDocs {
				flush()
			}
			if j < 0 {
				continue
			}
			if r.docs == 0 {
				r.first = doc
			}
			r.data = append(r.data, make([]byte, int(doc-r.first)*r.size-len(r.data))...) // of those without
			r.data = append(r.data, d.vectors[j].data...)
			r.docs = int(doc-r.first) + 1
		}
		flush()
	}
}

// runsOfPage is the range of the vectors of a field in a page.
func runsOfPage(ix uint32, field int, p uint16) (lo, hi []byte) {
	next := uint32(p)<<16 + 1<<16
	if p == 1<<16-1 {
		next = ^uint32(0)
	}
	return storage.FieldRunRange(ix, uint16(field), uint32(p)<<16, next)
}

// fieldBlockKey names a block of the vectors of a field. Numbers of indexes are
// not given out twice, and a field keeps its ordinal.
type fieldBlockKey struct {
	index uint32
	field uint16
	block uint32
}

// fieldBlock is the vectors of up to fieldBlockDocs documents. It is right for
// the documents below upto.
type fieldBlock struct {
	upto posting.DocID
	data []byte // nil: none of the documents has one
}

// fieldReader reads the vectors of a field of one view. It is used by one
// goroutine.
type fieldReader struct {
	e     *Engine
	kv    storage.Reader
	index uint32
	field int
	dims  int
	upto  posting.DocID // documents below have been seen to

	number uint32
	block  *fieldBlock
}

// fieldReader returns a reader of a Vector field. Vectors that records bring are
// those of the view; those that are made later are as new as there are.
func (e *Engine) fieldReader(v *view, iv *indexView, field int) (*fieldReader, error) {
	f := &iv.schema.Fields[field]
	r := &fieldReader{e: e, kv: v.kv, index: iv.ix.number, field: field, dims: f.Dimensions, upto: iv.nextDoc}
	if f.embeds() {
		next, err := e.embeddedUpTo(iv.ix, field, f.Dimensions)
		if err != nil {
			return nil, err
		}
		r.kv, r.upto = e.store, min(next, iv.nextDoc)
	}
	return r, nil
}

// of returns the vector of a document, nil if it has none.
func (r *fieldReader) of(doc posting.DocID) (vector.Vector, error) {
	if doc >= r.upto {
		return nil, nil
	}
	if n := doc / fieldBlockDocs; r.block == nil || n != r.number {
		b, err := r.load(n)
		if err != nil {
			return nil, err
		}
		r.number, r.block = n, b
	}
	if r.block.data == nil {
		return nil, nil
	}
	size := vector.RowSize(r.dims)
	v := vector.Vector(r.block.data[int(doc%fieldBlockDocs)*size:][:size])
	if !v.Present() {
		return nil, nil
	}
	return v, nil
}

// load returns a block, from memory if what is there goes far enough.
func (r *fieldReader) load(n uint32) (*fieldBlock, error) {
	key := fieldBlockKey{r.index, uint16(r.field), n}
	need := min(r.upto, (n+1)*fieldBlockDocs)
	if b, ok := r.e.fields.find(key); ok && b.upto >= need {
		return b, nil
	}
	b := &fieldBlock{upto: need}
	size := vector.RowSize(r.dims)
	err := r.e.eachRun(r.kv, r.index, r.field, r.dims, n*fieldBlockDocs, (n+1)*fieldBlockDocs, func(run vectorRun) error {
		if b.data == nil {
			b.data = make([]byte, fieldBlockDocs*size)
		}
		copy(b.data[int(run.first%fieldBlockDocs)*size:], run.data)
		return nil
	})
	if err != nil {
		return nil, err
	}
	r.e.fields.replace(key, b, len(b.data))
	return b, nil
}

// eachRun calls f with the runs of a field that begin at a document from from to
// before to. What it gets belongs to it until it returns.
func (e *Engine) eachRun(kv storage.Reader, ix uint32, field, dims int, from, to posting.DocID, f func(r vectorRun) error) error {
	lo, hi := storage.FieldRunRange(ix, uint16(field), from, to)
	it, err := kv.Iter(lo, hi)
	if err != nil {
		return err
	}
	defer it.Close()
	for ok := it.First(); ok; ok = it.Next() {
		_, _, first, err := storage.ParseFieldRunKey(it.Key())
		if err != nil {
			return err
		}
		run, err := decodeRun(it.Value(), field, dims, first)
		if err != nil {
			return err
		}
		if err := f(run); err != nil {
			return err
		}
	}
	return it.Err()
}

// fieldVectors verifies that the runs of each Vector field are whole and do not
// overlap, and that the vectors that records bring are what is stored.
func (c *checker) fieldVectors() error {
	iv := c.iv
	ours := map[uint16]bool{}
	for field := range iv.schema.vectorFields() {
		ours[uint16(field)] = true
		f := &iv.schema.Fields[field]
		kv := storage.Reader(c.v.kv)
		next := posting.DocID(0)
		if err := c.e.eachRun(kv, iv.ix.number, field, f.Dimensions, 0, ^uint32(0), func(r vectorRun) error {
			if r.first < next {
				return corruptf("vectors of field %d from document %d on begin within those before", field, r.first)
			}
			if next = r.first + uint32(r.docs); next > iv.nextDoc && !f.embeds() {
				return corruptf("there are vectors of field %d up to document %d, the numbers end at %d", field, next, iv.nextDoc)
			}
			return c.ctx.Err()
		}); err != nil {
			return err
		}
	}
	lo, hi := storage.FieldRunsRange(iv.ix.number)
	it, err := c.v.kv.Iter(lo, hi)
	if err != nil {
		return err
	}
	defer it.Close()
	for ok := it.First(); ok; ok = it.Next() {
		if _, field, _, err := storage.ParseFieldRunKey(it.Key()); err != nil || !ours[field] {
			return corruptf("there are vectors of field %d, which has none: %w", field, err)
		}
	}
	if len(ours) == 0 {
		return it.Err()
	}
	return c.broughtVectors()
}

// broughtVectors compares the stored records of live documents with the vectors
// that are stored for them.
func (c *checker) broughtVectors() error {
	iv := c.iv
	readers := map[int]*fieldReader{}
	for field := range iv.schema.vectorFields() {
		if f := &iv.schema.Fields[field]; !f.embeds() {
			readers[field] = &fieldReader{e: c.e, kv: c.v.kv, index: iv.ix.number, field: field, dims: f.Dimensions, upto: iv.nextDoc}
		}
	}
	if len(readers) == 0 {
		return nil
	}
	var docs []posting.DocID
	for doc := posting.DocID(0); doc < iv.nextDoc; doc++ {
		if iv.chunkOf(doc) != nil && !iv.isDead(doc) {
			docs = append(docs, doc)
		}
	}
	var wrong error
	err := c.e.eachStored(c.ctx, c.v, iv.ix.number, docs, func(i int, record []byte) {
		if wrong != nil {
			return
		}
		brought, err := vectorsIn(record, iv.schema)
		if err != nil {
			wrong = corruptf("document %d: %w", docs[i], err)
			return
		}
		for field, r := range readers {
			stored, err := r.of(docs[i])
			if err != nil {
				wrong = err
				return
			}
			want := vector.Vector(nil)
			for _, v := range brought {
				if v.field == field {
					want = v.data
				}
			}
			if !slices.Equal(stored, want) {
				wrong = corruptf("document %d has another vector in field %d than its record gives", docs[i], field)
			}
		}
	})
	if err != nil {
		return err
	}
	return wrong
}
