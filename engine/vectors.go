package engine

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/vector"
	"github.com/quarry-search/quarry/storage"
)

// The vectors of an index are learnt from its own records (package vector) and
// kept in the store, under a number of each training:
//
//	model 0, part 0             the head: which model is in force, and how far it goes
//	model n, part 1, ordinal i  the model, in pieces of vectorPiece bytes
//	model n, part 2, ordinal i  the vectors of documents i*vectorBlock and up,
//	                            one behind the other; zeros where one is dead,
//	                            and nothing at all where all are
//
// A model is written under a new number, and the commit of the head brings it
// into force and deletes the one before. What a crash leaves of others is
// deleted with the next training. Since document numbers are not given out
// twice, a vector stays right until its document is deleted.
const (
	vectorHeadPart  = 0
	vectorModelPart = 1
	vectorDocsPart  = 2

	vectorPiece = 256 << 10
	// vectorBlock is a compromise: a few new documents write a whole block
	// again, and each block is a read when vectors are loaded.
	vectorBlock = 512
)

// vectorHead describes the vectors of an index.
type vectorHead struct {
	Format  int    `json:"format"`
	Model   uint32 `json:"model"`    // its number; 0: the index has none
	Last    uint32 `json:"last"`     // the highest number that a model has had
	Records int64  `json:"records"`  // live ones at the training
	Trained uint32 `json:"trained"`  // document numbers given out before the training
	NextDoc uint32 `json:"next_doc"` // documents below have a vector
	Bytes   int    `json:"bytes"`    // of the encoded model
}

// before tells whether a head of an index is older than another.
func (h *vectorHead) before(o *vectorHead) bool {
	return h.Model < o.Model || h.Model == o.Model && h.NextDoc < o.NextDoc
}

// vectors is a model with the vectors of documents. It never changes; new
// documents get a new vectors that shares what is full.
type vectors struct {
	head   vectorHead
	model  *vector.Model
	blocks [][]byte // nil: all documents of the block were dead when it was made
}

// of returns the vector of a document, nil if it has none yet.
func (v *vectors) of(doc posting.DocID) vector.Vector {
	if doc >= v.head.NextDoc {
		return nil
	}
	size := v.model.Size()
	if v.blocks[doc/vectorBlock] == nil { // asked for by a snapshot in which it lives
		return make(vector.Vector, size)
	}
	at := int(doc%vectorBlock) * size
	return vector.Vector(v.blocks[doc/vectorBlock][at : at+size])
}

// bytes is about the memory that the vectors take.
func (v *vectors) bytes() int {
	n := v.model.Bytes()
	for _, b := range v.blocks {
		n += len(b)
	}
	return n
}

// vectorState is what the engine knows of the vectors of an index.
type vectorState struct {
	training sync.Mutex                 // held by who trains or folds in
	learnt   func()                     // the event of that; with training held
	mu       sync.Mutex                 // held by who loads, or puts a new head into force
	head     atomic.Pointer[vectorHead] // nil until it is read; changes with mu held
}

// learnt notes the event for the end of the training.
func (e *Engine) learnt(iv *indexView, index string, records int, start time.Time) {
	if f := e.opts.Events.Learnt; f != nil {
		iv.ix.vectors.learnt = func() { f(index, records, time.Since(start)) }
	}
}

// endTraining gives training back and then tells of what was learnt.
func (s *vectorState) endTraining() {
	tell := s.learnt
	s.learnt = nil
	s.training.Unlock()
	if tell != nil {
		tell()
	}
}

// vectorHeadOf returns the head of the vectors of an index; its Model is 0 if
// there are none.
func (e *Engine) vectorHeadOf(ix *index) (*vectorHead, error) {
	if h := ix.vectors.head.Load(); h != nil {
		return h, nil
	}
	ix.vectors.mu.Lock()
	defer ix.vectors.mu.Unlock()
	if h := ix.vectors.head.Load(); h != nil {
		return h, nil
	}
	h := &vectorHead{}
	b, err := e.store.Get(storage.VectorKey(ix.number, 0, vectorHeadPart, 0))
	switch {
	case translate(err) == ErrNotFound:
	case err != nil:
		return nil, err
	default:
		if err := decodeJSON("vectors", b, h); err != nil {
			return nil, err
		}
	}
	ix.vectors.head.Store(h)
	return h, nil
}

// vectorsOf returns the vectors of an index, nil if it has none. They are read
// from the store when they are first asked for, and stay in memory as long as
// there is room.
func (e *Engine) vectorsOf(ix *index) (*vectors, error) {
	for {
		head, err := e.vectorHeadOf(ix)
		if err != nil || head.Model == 0 {
			return nil, err
		}
		v, err := e.loadVectors(ix)
		if err != nil || v != nil && !v.head.before(head) {
			return v, err
		}
		// Who read them was overtaken by setVectors before it could keep them.
		e.vectors.remove(ix.number)
	}
}

func (e *Engine) loadVectors(ix *index) (*vectors, error) {
	return e.vectors.load(ix.number, func() (*vectors, int, error) {
		ix.vectors.mu.Lock()
		defer ix.vectors.mu.Unlock()
		v := &vectors{head: *ix.vectors.head.Load()}
		if v.head.Model == 0 { // just taken away
			return nil, 0, nil
		}
		if err := v.read(e.store, ix.number); err != nil {
			return nil, 0, fmt.Errorf("vectors: %w", err)
		}
		return v, v.bytes(), nil
	})
}

// read fills in what the head describes.
func (v *vectors) read(store *storage.Store, ix uint32) (err error) {
	data := make([]byte, 0, v.head.Bytes)
	for n := uint32(0); len(data) < v.head.Bytes; n++ {
		if err := store.View(storage.VectorKey(ix, v.head.Model, vectorModelPart, n), func(b []byte) error {
			data = append(data, b...)
			return nil
		}); err != nil {
			return vectorsCorrupt(err)
		}
	}
	if v.model, err = vector.Decode(data); err != nil {
		return corruptf("%w", err)
	}
	for first := uint32(0); first < v.head.NextDoc; first += vectorBlock {
		b, err := store.Get(storage.VectorKey(ix, v.head.Model, vectorDocsPart, first/vectorBlock))
		if err != nil {
			return vectorsCorrupt(err)
		}
		if len(b) == 0 {
			v.blocks = append(v.blocks, nil)
			continue
		}
		if want := int(min(vectorBlock, v.head.NextDoc-first)) * v.model.Size(); len(b) < want {
			return corruptf("block %d has %d bytes, want %d", first/vectorBlock, len(b), want)
		}
		v.blocks = append(v.blocks, b)
	}
	return nil
}

// vectorsCorrupt marks that something is missing that the head promises.
func vectorsCorrupt(err error) error {
	if translate(err) == ErrNotFound {
		return corruptf("a part is missing")
	}
	return err
}

// putVectors writes blocks of v from the one on that holds document first; the
// model, too, unless it is in the store. Nothing is in force before setVectors.
func (e *Engine) putVectors(ix uint32, v *vectors, first uint32, model []byte) error {
	b := e.store.NewBatch()
	put := func(part uint8, n uint32, data []byte) error {
		b.Set(storage.VectorKey(ix, v.head.Model, part, n), data)
		if b.Size() < 4<<20 {
			return nil
		}
		err := e.store.Commit(b)
		b = e.store.NewBatch()
		return err
	}
	for n := uint32(0); len(model) > 0; n++ {
		piece := model[:min(len(model), vectorPiece)]
		if err := put(vectorModelPart, n, piece); err != nil {
			return err
		}
		model = model[len(piece):]
	}
	for n := int(first / vectorBlock); n < len(v.blocks); n++ {
		if err := put(vectorDocsPart, uint32(n), v.blocks[n]); err != nil {
			return err
		}
	}
	if b.Empty() {
		return nil
	}
	return e.store.Commit(b)
}

// setVectors puts a head into force, with the vectors that it describes, nil
// if it has no model, and deletes all other models of the index. It does
// nothing if the index has been deleted.
func (e *Engine) setVectors(ix *index, head vectorHead, v *vectors) error {
	ix.vectors.mu.Lock()
	defer ix.vectors.mu.Unlock()
	head.Format = FormatVersion
	b := e.store.NewBatch()
	from, to := storage.VectorsRange(ix.number)
	if head.Model == 0 {
		b.DeleteRange(from, to)
	} else {
		lo, hi := storage.VectorRange(ix.number, head.Model)
		b.DeleteRange(from, lo)
		b.DeleteRange(hi, to)
	}
	b.Set(storage.VectorKey(ix.number, 0, vectorHeadPart, 0), encodeJSON(head))
	if err := e.store.Commit(b); err != nil {
		return err
	}
	ix.vectors.head.Store(&head)
	if v == nil {
		e.vectors.remove(ix.number)
		return nil
	}
	v.head = head
	e.vectors.replace(ix.number, v, v.bytes())
	return nil
}

// vectorPlaces counts the documents, dead ones too, of blocks in which one lives.
func (v *indexView) vectorPlaces() (n int64) {
	next := 0 // the first document of the block after the last one that counts
	for _, c := range v.chunks {
		for doc := max(next, int(c.base())); doc < int(c.end()); doc++ {
			if !v.isDead(posting.DocID(doc)) {
				first := doc - doc%vectorBlock
				next = first + vectorBlock
				n += int64(min(next, int(v.nextDoc)) - first)
				doc = next - 1
			}
		}
	}
	return n
}
