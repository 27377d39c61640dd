package engine

import (
	"context"
	"iter"
	"sync"
)

// Snapshot is the state of an engine after one batch. It never changes: what
// is written, merged or deleted later is not seen through it, so several
// searches and reads fit together. It is safe for concurrent use. After Close its
// methods return ErrClosed; what is under way then, such as an iteration, goes on.
//
// An open Snapshot keeps what it sees from being deleted on disk, and the engine
// from being closed: see Engine.Close.
type Snapshot struct {
	e      *Engine
	v      *view
	mu     sync.Mutex // guards closed
	closed bool
}

// Snapshot returns the newest state. ErrClosed after the engine's Close.
func (e *Engine) Snapshot() (*Snapshot, error) {
	v, err := e.acquire()
	if err != nil {
		return nil, err
	}
	e.leave() // with the view held
	return &Snapshot{e: e, v: v}, nil
}

// Close releases the snapshot. A second Close returns ErrClosed.
func (s *Snapshot) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return ErrClosed
	}
	s.closed = true
	s.e.drop(s.v)
	return nil
}

// hold is as Engine.acquire.
func (s *Snapshot) hold() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return ErrClosed
	}
	s.e.calls.Add(1)
	s.v.refs.Add(1)
	return nil
}

// Version returns the version of the last batch that the snapshot sees.
func (s *Snapshot) Version() uint64 { return s.v.version }

// Search answers a request. MinVersion is not looked at.
func (s *Snapshot) Search(ctx context.Context, r *Request) (*Result, error) {
	if err := s.hold(); err != nil {
		return nil, err
	}
	defer s.e.release(s.v)
	return s.e.searchIn(ctx, s.v, r)
}

// Record is as Engine.Record.
func (s *Snapshot) Record(index, id string, restrict ...string) (Record, error) {
	if err := s.hold(); err != nil {
		return Record{}, err
	}
	defer s.e.release(s.v)
	return s.e.recordIn(s.v, index, id, restrict)
}

// Records is as Engine.Records.
func (s *Snapshot) Records(ctx context.Context, index string, o RecordsOptions) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		if err := s.hold(); err != nil {
			yield(Record{}, err)
			return
		}
		defer s.e.release(s.v)
		s.e.recordsIn(ctx, s.v, index, o)(yield)
	}
}
