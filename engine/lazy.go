package engine

import (
	"sync"
	"sync/atomic"
)

// lazy is a value that is made when it is first needed. An attempt that fails
// leaves nothing behind: a disk that could not be read once may be read again.
// It is safe for concurrent use.
type lazy[T any] struct {
	mu    sync.Mutex
	done  atomic.Bool
	value T
}

func (l *lazy[T]) get(make func() (T, error)) (T, error) {
	if l.done.Load() {
		return l.value, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.done.Load() {
		return l.value, nil
	}
	v, err := make()
	if err == nil {
		l.value = v
		l.done.Store(true)
	}
	return v, err
}
