package engine

import (
	"context"
	"iter"
	"sync/atomic"
)

// Snapshot is the state of an engine after one batch. It never changes: what
// is written, merged or deleted later is not seen through it, so several
// searches and reads fit together. It is safe for concurrent use until Close.
//
// An open Snapshot keeps what it sees from being deleted on disk, and the engine
// from being closed: see Engine.Close.
type Snapshot struct {
	e      *Engine
	v      *view
	closed atomic.Bool
}

// Snapshot returns the newest state. ErrClosed after the engine's Close.
func (e *Engine) Snapshot() (*Snapshot, error) {
	v, err := e.acquire()
	if err != nil {
		return nil, err
	}
	return &Snapshot{e: e, v: v}, nil
}

// Close releases the snapshot. A second Close returns ErrClosed.
func (s *Snapshot) Close() error {
	if s.closed.Swap(true) {
		return ErrClosed
	}
	s.e.release(s.v)
	return nil
}

// Version returns the version of the last batch that the snapshot sees.
func (s *Snapshot) Version() uint64 { return s.v.version }

// Search answers a request. MinVersion is not looked at.
func (s *Snapshot) Search(ctx context.Context, r *Request) (*Result, error) {
	if s.closed.Load() {
		return nil, ErrClosed
	}
	return s.e.searchIn(ctx, s.v, r)
}

// Record is as Engine.Record.
func (s *Snapshot) Record(index, id string, restrict ...string) (Record, error) {
	if s.closed.Load() {
		return Record{}, ErrClosed
	}
	return s.e.recordIn(s.v, index, id, restrict)
}

// Records is as Engine.Records.
func (s *Snapshot) Records(ctx context.Context, index string, o RecordsOptions) iter.Seq2[Record, error] {
	if s.closed.Load() {
		return func(yield func(Record, error) bool) { yield(Record{}, ErrClosed) }
	}
	return s.e.recordsIn(ctx, s.v, index, o)
}
