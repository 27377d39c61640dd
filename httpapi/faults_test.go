package httpapi

import (
	"context"
	"sync"
	"sync/atomic"
)

// failAfter lets the first n calls of a method pass and fails the others.
func failAfter(method string, n int, err error) func(context.Context, string) error {
	var calls atomic.Int64
	return func(_ context.Context, m string) error {
		if m == method && calls.Add(1) > int64(n) {
			return err
		}
		return nil
	}
}

// blockOnce tells over inside that a method is called for the first time, and
// holds that call until finish is closed.
func blockOnce(method string, inside, finish chan bool) func(context.Context, string) error {
	var once sync.Once
	return func(ctx context.Context, m string) error {
		first := false
		if m == method {
			once.Do(func() { first = true })
		}
		if first {
			close(inside)
			<-finish
		}
		return nil
	}
}
