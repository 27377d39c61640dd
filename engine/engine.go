package engine

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/quarry-search/quarry/engine/internal/fuzzy"
	"github.com/quarry-search/quarry/engine/internal/intent"
	"github.com/quarry-search/quarry/engine/internal/page"
	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/search"
	"github.com/quarry-search/quarry/engine/internal/segment"
	"github.com/quarry-search/quarry/engine/internal/termdict"
	"github.com/quarry-search/quarry/engine/internal/vector"
	"github.com/quarry-search/quarry/storage"
)

// Engine holds any number of indexes in one data directory. All methods may be
// called at the same time; searches never wait for writes.
//
// These errors are given by every method that they can concern, and are not
// repeated there: ErrClosed after Close; the error of a context that has ended;
// ErrNotFound for an index that is not there; ErrReadOnly for a write with
// Options.ReadOnly; ErrStorageFull for a write when the disk is, after which
// searches go on; ErrCorrupt where stored bytes are damaged, which
// Events.Corruption is told of, too. A method that has failed has changed
// nothing, unless it says otherwise, or the error is ErrUnsettled: then what it
// was to write is in the log, and there when the engine is opened again, if it can
// be. Nothing more can be written until then.
type Engine struct {
	opts    Options
	store   *storage.Store
	caches  *cacheMemory // all of the following that are caches
	lists   *listCache
	facts   *wordFacts
	words   *lru[uint64, *fuzzy.Lexicon] // by segmentRef.uid
	values  *lru[lexiconKey, *valueLexicon]
	domains *lru[string, *intent.Domain]     // of several indexes, by intentTables.id
	cues    sync.Map                         // *intent.Cues by intentTables.languages
	frames  sync.Map                         // *frames by Request.Language
	spoken  sync.Map                         // *listedWords by language
	dicts   *lru[dictBlock, []byte]          // blocks of dictionaries
	recent  *blockCache                      // stored blocks that were read lately
	columns *page.Pool                       // ids, lengths of texts and values that were read
	vectors *lru[uint32, *vectors]           // by index.number
	fields  *lru[fieldBlockKey, *fieldBlock] // vectors of fields
	filters filterCache
	pages   pagePool // memory of matches of searches that have ended
	bonuses bonusPool
	rooms   roomPool
	books   bookshelf
	blocks  *page.BlockDecoder
	scratch scratch // memory of batches that are done
	room    *batchRoom
	pool    search.Pool
	ids     *idSource

	// mu is held while a batch gets its version, its document numbers and its
	// place in the log. It guards what writers know.
	mu        writeLock
	version   uint64 // of the last batch that got one
	ledger    ledger // after the last commit of batches or rows
	writers   map[string]*index
	nextIndex uint32
	last      *ticket // of the last batch, for the order of publication

	// broken is set when a batch is in the log but could not be published, and
	// by Close: nothing may be written any more.
	broken atomic.Pointer[error]

	// pubMu guards the publication of views and what it leaves behind.
	pubMu   sync.Mutex
	live    map[uint64]struct{} // numbers of the views that are held
	retired []keyRange
	changed chan struct{} // closed and replaced at each publication
	view    atomic.Pointer[view]

	maintain     maintainer
	embedPause   time.Duration // after the last failure; of the goroutine that embeds
	opened       time.Time
	calls        atomic.Int64  // that are under way: see acquire
	idle         chan struct{} // of one: after the last of them, once there is no view
	uids         atomic.Uint64
	damage       atomic.Pointer[error]
	embedderDown seldom
	closing      sync.Mutex
	shut         bool // stop was called
	closed       bool
}

// Open opens the engine in a data directory and makes the directory if it is
// not there. With an empty dir everything is kept in memory and gone after
// Close. One process at a time may have a directory open. It takes milliseconds,
// and after a crash up to the time of indexing the records past the last flush.
//
// Errors: ErrLocked when another process, or this one, has dir open; ErrForeign
// if there is something else in it, together with ErrHalfMade if that is to become
// a data directory; ErrBackup if it is a backup, together with ErrUnfinished if
// that was not finished; ErrNewerFormat if a later release wrote it; ErrStorageFull if less than Options.MinFreeBytes is free, and ErrReadOnly
// for a file system that is mounted for reading, both without Options.ReadOnly
// alone; ErrInvalid, an *InvalidError, for Options that make no sense;
// ErrNoAnalyzer if an index needs an analyzer that Options.Analyzers does not
// have; ErrCorrupt, for which see Repair; those of the file system, such as
// fs.ErrNotExist for ReadOnly and a dir that is not there.
func Open(dir string, o *Options) (*Engine, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	e := &Engine{
		opts:    o.withDefaults(),
		mu:      newWriteLock(),
		writers: map[string]*index{},
		live:    map[uint64]struct{}{},
		changed: make(chan struct{}),
		idle:    make(chan struct{}, 1),
	}
	e.makeCaches()
	e.room = newBatchRoom(e.opts.Memory)
	e.ids = newIDSource(e.opts.Now)
	var err error
	if e.blocks, err = page.NewBlockDecoder(); err != nil {
		return nil, err
	}
	store, err := storage.Open(dir, &storage.Options{
		ReadOnly:     e.opts.ReadOnly,
		InMemory:     dir == "",
		CacheBytes:   e.opts.storeCache(),
		MinFreeBytes: e.opts.MinFreeBytes,
		FS:           e.opts.fs,
		Unfinished:   e.opts.unfinished,
		Fatal:        e.opts.Events.Fatal,
		Events: storage.Events{
			Corruption:      e.corruption,
			BackgroundError: e.background,
			LowDisk:         e.opts.Events.LowDisk,
			WriteStall:      e.opts.Events.WriteStall,
			SlowDisk:        e.opts.Events.SlowDisk,
		},
	})
	if err != nil {
		return nil, translate(err)
	}
	e.store = store
	if err := e.recover(); err != nil {
		return nil, errors.Join(translate(err), store.Close())
	}
	e.opened = time.Now()
	if !e.opts.ReadOnly {
		e.maintain.start(e)
	}
	return e, nil
}

// Close writes what is only in memory to disk, so that the next Open is fast,
// and releases everything. New calls are refused with ErrClosed, and so are those
// who wait for a version; Close waits for the others that are under way, also for
// iterations, so neither the body of one nor an Event may call it. While a Snapshot
// is open the directory cannot be released: the engine takes no more calls, but
// Close returns ErrBusy and is to be called again. After it was successful it
// returns ErrClosed.
func (e *Engine) Close() (err error) {
	defer e.tell(&err)
	e.closing.Lock()
	defer e.closing.Unlock()
	if e.closed {
		return ErrClosed
	}
	var errs []error
	if !e.shut { // else a Close before this one was told ErrBusy
		e.shut = true
		errs = e.stop()
	}
	for e.calls.Load() > 0 {
		<-e.idle
	}
	err = e.store.Close()
	e.closed = !errors.Is(err, ErrBusy)
	return translate(errors.Join(append(errs, err)...))
}

// stop ends what goes on in the background and takes no calls any more.
func (e *Engine) stop() (errs []error) {
	if !e.opts.ReadOnly {
		e.maintain.stop()
		if e.storable() == nil {
			errs = append(errs, e.flush(context.Background()), e.saveIDFilters(), e.reap())
		}
	}
	e.mu.Lock()
	if e.last != nil {
		e.last.wait() // what is in the log already is answered for
	}
	closed := ErrClosed
	e.broken.Store(&closed)
	e.mu.Unlock()
	e.pubMu.Lock()
	v := e.view.Swap(nil)
	close(e.changed) // wakes those who wait for a version
	e.changed = make(chan struct{})
	e.pubMu.Unlock()
	e.drop(v)
	return errs
}

// storable returns why nothing can be written, or nil.
func (e *Engine) storable() error {
	if p := e.broken.Load(); p != nil {
		return *p
	}
	return nil
}

// Version returns the version of the newest batch that searches see; 0 before
// the first one, and after Close.
func (e *Engine) Version() uint64 {
	if v := e.view.Load(); v != nil {
		return v.version
	}
	return 0
}

// WaitVersion returns when searches see a version, or with the context's
// error, or ErrClosed. It does not ask whether the version was ever given out.
func (e *Engine) WaitVersion(ctx context.Context, version uint64) error {
	for {
		e.pubMu.Lock()
		changed := e.changed
		e.pubMu.Unlock()
		switch v := e.view.Load(); {
		case v == nil:
			return ErrClosed
		case v.version >= version:
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Limits returns the limits in force.
func (e *Engine) Limits() Limits { return e.opts.Limits }

// Healthy returns the first damage that was met since Open, or nil.
func (e *Engine) Healthy() error {
	if p := e.damage.Load(); p != nil {
		return *p
	}
	return nil
}

// Indexes describes all indexes, by name. There are none after Close.
func (e *Engine) Indexes() []IndexInfo {
	v, err := e.acquire()
	if err != nil {
		return nil
	}
	defer e.release(v)
	out := make([]IndexInfo, 0, len(v.indexes))
	for _, name := range v.names() {
		if !isHidden(name) {
			out = append(out, e.info(v, name))
		}
	}
	return out
}

// Index describes the index of this name.
func (e *Engine) Index(name string) (IndexInfo, error) {
	v, err := e.acquire()
	if err != nil {
		return IndexInfo{}, err
	}
	defer e.release(v)
	if v.indexes[name] == nil {
		return IndexInfo{}, noIndex(name)
	}
	return e.info(v, name), nil
}

func noIndex(name string) error {
	return fmt.Errorf("index %q: %w", name, ErrNotFound)
}

func (e *Engine) info(v *view, name string) IndexInfo {
	iv := v.indexes[name]
	info := IndexInfo{
		Name: name, Records: iv.stats.Docs, State: "ready", Version: iv.version,
		CreatedAt: iv.created, UpdatedAt: iv.updated, Schema: *iv.schema.Schema.clone(),
	}
	if iv.schema.stale != nil {
		info.State = "stale"
	}
	if info.Rebuild = iv.ix.rebuildInfo(); info.Rebuild != nil && info.Rebuild.Err == nil {
		info.State = "rebuilding"
	}
	info.Bytes = iv.size(e.store)
	if h, err := e.vectorHeadOf(iv.ix); err == nil && h.Model != 0 {
		info.LearntFrom = h.Records
	}
	info.Embedded = e.embedded(iv)
	return info
}

// resolveNames expands the names and patterns of a request; no names stand for
// all indexes that are not hidden. The result is sorted by name.
func (v *view) resolveNames(names []string) ([]string, error) {
	if len(names) == 1 && v.indexes[names[0]] != nil {
		return names, nil
	}
	set := map[string]bool{}
	if len(names) == 0 {
		for name, iv := range v.indexes {
			if !iv.schema.Hidden && !isHidden(name) {
				set[name] = true
			}
		}
	}
	for _, n := range names {
		prefix, pattern := strings.CutSuffix(n, "*")
		if !pattern {
			if v.indexes[n] == nil {
				return nil, noIndex(n)
			}
			set[n] = true
			continue
		}
		for name, iv := range v.indexes {
			if strings.HasPrefix(name, prefix) && !iv.schema.Hidden && !isHidden(name) {
				set[name] = true
			}
		}
	}
	out := make([]string, 0, len(set))
	for name := range set {
		out = append(out, name)
	}
	sort.Strings(out)
	return out, nil
}

// now is the time that is stored with changes, without its monotonic part and
// to the microsecond, so that it survives storing.
func (e *Engine) now() time.Time { return e.opts.Now().UTC().Truncate(time.Microsecond) }

// translate replaces the store's word for a missing key by the engine's.
func translate(err error) error {
	if errors.Is(err, storage.ErrNotFound) && !errors.Is(err, ErrCorrupt) {
		return ErrNotFound
	}
	return markDamage(err)
}

// markDamage marks what the packages below find wrong with their bytes.
func markDamage(err error) error {
	if err == nil || errors.Is(err, ErrCorrupt) {
		return err
	}
	for _, damage := range [...]error{segment.ErrCorrupt, page.ErrCorrupt, posting.ErrCorrupt, termdict.ErrCorrupt, vector.ErrCorrupt} {
		if errors.Is(err, damage) {
			return fmt.Errorf("%w: %w", ErrCorrupt, err)
		}
	}
	return err
}

func corruptf(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrCorrupt, fmt.Errorf(format, args...))
}
