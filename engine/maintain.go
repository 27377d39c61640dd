package engine

import (
	"context"
	"errors"
	"sync"
	"time"
)

// maintainer runs what an engine does in the background: it merges segments in
// memory, flushes them to disk, merges segments on disk, deletes what is not
// needed any more, reads the words of new segments, learns vectors, and has embedders make others. Each has
// a goroutine, so that a long merge does not keep memory from being flushed.
type maintainer struct {
	ctx    context.Context
	cancel context.CancelFunc
	wake   [6]chan struct{}
	done   sync.WaitGroup
}

// retryAfter is how long a failed flush or merge waits before the next try.
const retryAfter = time.Second

func (m *maintainer) start(e *Engine) {
	m.ctx, m.cancel = context.WithCancel(context.Background())
	for i, work := range [...]func(context.Context) error{e.flushRound, e.mergeRound, e.cleanRound, e.wordsRound, e.vectorRound, e.embedRound} {
		m.wake[i] = make(chan struct{}, 1)
		m.done.Add(1)
		go m.run(e, m.wake[i], work)
	}
	e.kick()
}

func (m *maintainer) run(e *Engine, wake chan struct{}, work func(context.Context) error) {
	defer m.done.Done()
	for {
		select {
		case <-m.ctx.Done():
			return
		case <-wake:
		}
		for {
			err := work(m.ctx)
			if err == nil || m.ctx.Err() != nil {
				break
			}
			e.background(e.told(err))
			select {
			case <-m.ctx.Done():
				return
			case <-time.After(retryAfter):
			}
		}
	}
}

func (m *maintainer) stop() {
	if m.cancel != nil {
		m.cancel()
		m.done.Wait()
	}
}

// kick makes the background look for work.
func (e *Engine) kick() {
	for _, w := range e.maintain.wake {
		select {
		case w <- struct{}{}:
		default:
		}
	}
}

// flushRound merges in memory and flushes where it is due, in all indexes.
func (e *Engine) flushRound(ctx context.Context) error {
	if err := e.reap(); err != nil {
		return err
	}
	var errs []error
	for _, ix := range e.indexesWhere(func(iv *indexView) bool { return e.flushDue(iv) || len(e.memoryMerge(iv)) > 0 }) {
		errs = append(errs, e.tidyMemory(ctx, ix))
	}
	return errors.Join(errs...)
}

// indexesWhere returns the indexes whose newest state f accepts, without those
// that have to be rebuilt first.
func (e *Engine) indexesWhere(f func(iv *indexView) bool) []*index {
	v, err := e.acquire()
	if err != nil {
		return nil // closing
	}
	defer e.release(v)
	var out []*index
	for _, iv := range v.indexes {
		if iv.schema.stale == nil && f(iv) {
			out = append(out, iv.ix)
		}
	}
	return out
}

// tidyMemory brings the in-memory segments of an index below their limits.
func (e *Engine) tidyMemory(ctx context.Context, ix *index) error {
	for ctx.Err() == nil {
		v, iv, err := e.acquireIndex(ix)
		if err != nil || iv == nil {
			return nil
		}
		flush, merge := e.flushDue(iv), len(e.memoryMerge(iv)) > 0
		e.release(v)
		switch {
		case flush:
			err = e.flushIndex(ctx, ix)
		case merge:
			err = e.mergeMemory(ctx, ix)
		default:
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// memory returns the in-memory segments, which are the last ones.
func (v *indexView) memory() []*segmentRef {
	i := len(v.segs)
	for i > 0 && v.segs[i-1].id == 0 {
		i--
	}
	return v.segs[i:]
}

func (e *Engine) flushDue(iv *indexView) bool {
	var bytes int64
	for _, s := range iv.memory() {
		bytes += s.bytes
	}
	docs := 0 // the dead ones, too, which may be in no segment any more
	for i := len(iv.chunks) - 1; i >= 0 && iv.chunks[i].id == 0; i-- {
		docs += iv.chunks[i].chunk.Len()
	}
	return bytes >= int64(e.opts.FlushBytes) || docs >= e.opts.FlushRecords
}

// memoryMerge returns the in-memory segments that are due to be merged. It serves those
// who search: while an index is only filled, the next flush merges them anyhow.
func (e *Engine) memoryMerge(iv *indexView) []*segmentRef {
	mem := iv.memory()
	if !iv.ix.awaited.Load() && len(mem) < unawaitedSegments {
		return nil
	}
	return mem[planMemory(sizes(mem), int64(e.opts.FlushBytes/settledShare)):]
}

// Flush writes everything that is searchable from memory only to disk. It is
// never needed: what is in memory only is in the log on disk, too.
func (e *Engine) Flush(ctx context.Context) (err error) {
	defer e.tell(&err)
	return e.flush(ctx)
}

func (e *Engine) flush(ctx context.Context) error {
	if e.opts.ReadOnly {
		return ErrReadOnly
	}
	v, err := e.acquire()
	if err != nil {
		return err
	}
	e.release(v)
	var errs []error
	for _, ix := range e.indexesWhere(func(iv *indexView) bool { return true }) {
		errs = append(errs, e.flushIndex(ctx, ix))
	}
	return errors.Join(errs...)
}

// newest returns an index as it is now. What the view holds may be deleted
// once another one takes its place.
func (e *Engine) newest(index string) (*indexView, error) {
	v, err := e.acquire()
	if err != nil {
		return nil, err
	}
	defer e.release(v)
	if iv := v.indexes[index]; iv != nil {
		return iv, nil
	}
	return nil, noIndex(index)
}

// Merge makes one segment of all segments of an index and purges deleted
// records from it. It takes time that grows with the index, beside searches and
// writes, and is never needed: the background merges what is worth it.
func (e *Engine) Merge(ctx context.Context, index string) (err error) {
	defer e.tell(&err)
	if e.opts.ReadOnly {
		return ErrReadOnly
	}
	iv, err := e.newest(index)
	if err != nil {
		return err
	}
	if iv.schema.stale == nil { // as Flush leaves it alone
		if err := e.flushIndex(ctx, iv.ix); err != nil {
			return err
		}
	}
	return e.mergeIndex(ctx, iv.ix, func(iv *indexView) (int, int) { return 0, len(iv.disk()) })
}

// disk returns the segments on disk, which are the first ones.
func (v *indexView) disk() []*segmentRef { return v.segs[:len(v.segs)-len(v.memory())] }
