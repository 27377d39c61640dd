package httpapi

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/quarry-search/quarry/engine"
)

// turns bounds how many searches are carried out at a time. They are work for
// processors, so more at a time than there are makes all of them later, and
// lets the scheduler forget connections. Those that come when all places are
// taken wait, and are refused when they have waited for too long: a service
// that has more to do than it can answers the ones it takes as soon as ever, in
// place of all of them too late.
//
// What may wait is controlled as in CoDel (Nichols, Jacobson: Controlling Queue
// Delay, 2012), in its form for servers (Maurer: Fail at Scale, 2015). A queue
// that was empty a moment ago is a burst, which passes, however long the queue.
// One that has not been empty for standing does not pass by waiting, it only
// makes every answer late by its length: as long as it stands, queued searches
// wait for each place, and more are refused at once. As those who are refused
// come again when Retry-After says, it counts as standing until they had the
// time to.
type turns struct {
	places chan struct{}
	wait   time.Duration // at most

	mu      sync.Mutex
	waiting int
	since   time.Time // somebody waits
	until   time.Time // those who were refused lately come again
}

const (
	standing  = 100 * time.Millisecond
	queued    = 16
	comeAgain = 2 * time.Second
)

func newTurns(l *Limits) *turns {
	return &turns{places: make(chan struct{}, l.Searches), wait: l.SearchTimeout / 2}
}

// take waits for a place, which must be given back.
func (t *turns) take(ctx context.Context) error {
	select {
	case t.places <- struct{}{}:
		return nil
	default:
	}
	if !t.queue() {
		return t.refusal("as many wait as may")
	}
	defer t.leave()
	late := time.NewTimer(t.wait)
	defer late.Stop()
	select {
	case t.places <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-late.C:
		return t.refusal("none of them ended soon enough")
	}
}

func (t *turns) giveBack() { <-t.places }

type turnsKey struct{}

// with returns the context of a search that has a place.
func (t *turns) with(ctx context.Context) context.Context {
	return context.WithValue(ctx, turnsKey{}, t)
}

// Elsewhere returns an embedder that does its work on another machine: while a
// search waits for it, others are carried out in its place. Without it an
// embedder that answers slowly holds up searches that do not need it.
func Elsewhere(m engine.Embedder) engine.Embedder { return elsewhere{m} }

type elsewhere struct{ engine.Embedder }

func (e elsewhere) Embed(ctx context.Context, kind engine.TextKind, texts []string) ([][]float32, error) {
	if t, ok := ctx.Value(turnsKey{}).(*turns); ok {
		t.giveBack()
		defer func() { t.places <- struct{}{} }() // it has waited already
	}
	return e.Embedder.Embed(ctx, kind, texts)
}

// queue counts a search as one that waits, unless it may not.
func (t *turns) queue() bool {
	now := time.Now()
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.waiting == 0 {
		t.since = now
	}
	stands := now.Sub(t.since) > standing || now.Before(t.until)
	if stands && t.waiting >= queued*cap(t.places) {
		return false
	}
	t.waiting++
	return true
}

func (t *turns) leave() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.waiting--
}

func (t *turns) refusal(why string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.until = time.Now().Add(comeAgain)
	return &problem{
		code:   codeOverloaded,
		detail: fmt.Sprintf("the service carries out as many searches at a time as it may, %d, and %s", cap(t.places), why),
	}
}
