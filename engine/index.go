package engine

import (
	"context"
	"encoding/binary"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/quarry-search/quarry/engine/internal/page"
	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/storage"
)

// index is what writers and the background know of an index. Readers use
// indexView.
type index struct {
	number  uint32
	created time.Time

	// Guarded by Engine.mu: the state after the last batch that got a version.
	name    string
	schema  *compiled
	nextDoc posting.DocID
	filter  *page.IDFilter // of every id that was ever written; nil until loaded

	// Stored under Engine.mu, loaded by everybody.
	update   atomic.Pointer[update]   // nil: the index has the schema that it was given last
	progress atomic.Pointer[progress] // of the rebuild that is under way; nil: none

	// diskMu is held by whoever changes what is on disk besides the batch log:
	// a flush, or the end of a merge. It guards the fields below.
	diskMu sync.Mutex
	disk   manifest
	tidy   bool // what a crash left behind is deleted

	saved savedFilter // does not change after Open

	asked   atomic.Bool // by a search, since wordsRound looked
	awaited atomic.Bool // by a search, or in a pause of writes, since the last flush; see memoryMerge

	misfits sync.Map // misfit by uint16, the number of its page; see sparsePages

	vectors   vectorState
	embedding embedState

	mergeMu   sync.Mutex            // held during a merge on disk
	rebuildMu sync.Mutex            // held during a rebuild
	copyLeft  atomic.Pointer[index] // the copy of a rebuild that failed, if it could not be dropped
}

// lookup returns the document number and version of a record id, as of the
// last batch that got a version. Engine.mu is held.
func (e *Engine) lookup(ix *index, id string, key []byte) (doc posting.DocID, version uint64, ok bool, err error) {
	if ix.filter != nil && !ix.filter.MayContain([]byte(id)) {
		return 0, 0, false, nil
	}
	err = e.store.View(storage.AppendIDKey(key[:0], ix.number, id), func(v []byte) error {
		doc, version, err = decodeIDEntry(v)
		ok = err == nil
		return err
	})
	if translate(err) == ErrNotFound {
		return 0, 0, false, nil
	}
	return doc, version, ok, err
}

// An entry of the id map is the document number and the version of the batch
// that wrote the record, big endian.
const idEntryBytes = 4 + 8

func appendIDEntry(dst []byte, doc posting.DocID, version uint64) []byte {
	dst = binary.BigEndian.AppendUint32(dst, doc)
	return binary.BigEndian.AppendUint64(dst, version)
}

func decodeIDEntry(v []byte) (posting.DocID, uint64, error) {
	if len(v) != idEntryBytes {
		return 0, 0, corruptf("an entry of the id map has %d bytes", len(v))
	}
	return binary.BigEndian.Uint32(v), binary.BigEndian.Uint64(v[4:]), nil
}

// CreateIndex makes an empty index. The schema may be empty: with Dynamic set
// it then grows with the records. The rows are written in the same commit.
// Errors: ErrIndexExists if the name is in use; an *InvalidError for a schema or
// name that will not do, with pointers into the schema, such as "/fields/0/type".
func (e *Engine) CreateIndex(ctx context.Context, name string, s Schema, rows ...Row) (info IndexInfo, err error) {
	defer e.tell(&err)
	if err := ctx.Err(); err != nil {
		return IndexInfo{}, err
	}
	e.useEmbedders(&s)
	if err := s.validate(e.opts.Limits, e.analyzerNames()); err != nil {
		return IndexInfo{}, err
	}
	if err := e.checkEmbedders(&s, nil); err != nil {
		return IndexInfo{}, err
	}
	return e.createIndex(ctx, name, s, rows)
}

// createIndex makes an index with a schema that is valid. Its embedders need not
// be there.
func (e *Engine) createIndex(ctx context.Context, name string, s Schema, rows []Row) (IndexInfo, error) {
	if err := e.mu.LockWithin(ctx); err != nil {
		return IndexInfo{}, err
	}
	if err := e.storable(); err != nil {
		e.mu.Unlock()
		return IndexInfo{}, err
	}
	if e.writers[name] != nil {
		e.mu.Unlock()
		return IndexInfo{}, fmt.Errorf("index %q: %w", name, ErrIndexExists)
	}
	c := e.newCommit()
	c.rows = rows
	if _, err := c.create(name, s); err != nil {
		e.mu.Unlock()
		return IndexInfo{}, err
	}
	if err := e.finish(c); err != nil {
		return IndexInfo{}, err
	}
	return e.Index(name)
}

// DeleteIndex deletes an index with all its records. The rows are written in
// the same commit.
func (e *Engine) DeleteIndex(ctx context.Context, name string, rows ...Row) (err error) {
	defer e.tell(&err)
	if err := e.mu.LockWithin(ctx); err != nil {
		return err
	}
	if err := e.storable(); err != nil {
		e.mu.Unlock()
		return err
	}
	ix := e.writers[name]
	if ix == nil {
		e.mu.Unlock()
		return noIndex(name)
	}
	c := e.newCommit()
	c.rows = rows
	c.drop(ix)
	if left := ix.copyLeft.Load(); left != nil && e.writers[left.name] == left {
		c.drop(left)
	}
	return e.finish(c)
}
