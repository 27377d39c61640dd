package engine

import "context"

// writeLock is a mutex for whose turn a caller need not wait longer than it
// wants to. Those who wait get it in the order in which they came.
type writeLock chan struct{}

func newWriteLock() writeLock { return make(writeLock, 1) }

func (l writeLock) Lock() { l <- struct{}{} }

// LockWithin is Lock unless ctx ends before: then the lock is not held, and the
// error is that of ctx.
func (l writeLock) LockWithin(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case l <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (l writeLock) Unlock() {
	select {
	case <-l:
	default:
		panic("engine: unlock of a lock that nobody holds")
	}
}
