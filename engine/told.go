package engine

import (
	"errors"
	"fmt"
	"sync"
	"time"
)

// told is where every error leaves the engine, whichever exported method returns
// it: what the packages below find wrong with their bytes gets the mark
// ErrCorrupt, and Events.Corruption and Healthy know of it. No lock is held.
func (e *Engine) told(err error) error {
	if err == nil {
		return nil
	}
	if err = markDamage(err); errors.Is(err, ErrCorrupt) {
		e.corruption(err)
	}
	return err
}

// tell is told for a method that defers it, before anything else.
func (e *Engine) tell(err *error) { *err = e.told(*err) }

// corruption notes damage.
func (e *Engine) corruption(err error) {
	if !errors.Is(err, ErrCorrupt) {
		err = fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	e.damage.CompareAndSwap(nil, &err)
	if e.opts.Events.Corruption != nil {
		e.opts.Events.Corruption(err)
	}
}

func (e *Engine) background(err error) {
	if err != nil && e.opts.Events.Background != nil {
		e.opts.Events.Background(err)
	}
}

// embedderFailed tells that a query went without its embedder.
func (e *Engine) embedderFailed(name string, err error) {
	if f := e.opts.Events.EmbedderDown; f != nil && e.embedderDown.due(time.Now()) {
		f(name, err)
	}
}

// tellEvery is how often it is told what may happen with every search.
const tellEvery = time.Second

// seldom lets one event through in a while.
type seldom struct {
	mu   sync.Mutex
	last time.Time // of the one that was let through
}

func (s *seldom) due(now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.last.IsZero() && now.Sub(s.last) < tellEvery {
		return false
	}
	s.last = now
	return true
}
