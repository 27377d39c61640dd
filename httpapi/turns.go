package httpapi

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// turns bounds how many searches are carried out at a time. Those that come
// when all places are taken wait, and are refused when they have waited for too
// long: a service that has more to do than it can answers the ones it takes as
// soon as ever, in place of all of them too late.
//
// There are few quick places, half as many again as processors, which keeps these
// busy where some searches wait for a disk. More at a time would make all of them
// later, and the scheduler, which looks at connections when it has nothing else
// to do, would look at new requests only when it is through with all of those. A
// search that takes longer than quick ones do, because it has much to do or waits
// for a disk or an embedder, goes on in one of the other places, and its quick one
// is free: it does not hold up those that come after it.
//
// What may wait is controlled as in CoDel (Nichols, Jacobson: Controlling Queue
// Delay, 2012), in its form for servers (Maurer: Fail at Scale, 2015). A queue
// that was empty a moment ago is a burst, which passes, however long the queue.
// One that has not been empty for standing does not pass by waiting, it only
// makes every answer late by its length: as long as it stands, queued searches
// wait for each quick place, and more are refused at once. As those who are
// refused come again when Retry-After says, it counts as standing until they had
// the time to.
type turns struct {
	quick, slow chan struct{} // places that are taken
	wait        time.Duration // at most

	mu      sync.Mutex
	waiting int
	since   time.Time // somebody waits
	until   time.Time // those who were refused lately come again
}

const (
	quickTime = 20 * time.Millisecond
	standing  = 100 * time.Millisecond
	queued    = 16
	comeAgain = 2 * time.Second
)

func newTurns(l *Limits, processors int) *turns {
	quick := min(max(2, processors+processors/2), l.Searches)
	return &turns{quick: make(chan struct{}, quick), slow: make(chan struct{}, l.Searches-quick), wait: l.SearchTimeout / 2}
}

// take waits for a place, which must be given back.
func (t *turns) take(ctx context.Context) (*turn, error) {
	select {
	case t.quick <- struct{}{}:
		return t.begin(), nil
	default:
	}
	if !t.queue() {
		return nil, t.refusal("more searches come than the service can carry out, and as many wait as may, %d", queued*cap(t.quick))
	}
	defer t.leave()
	late := time.NewTimer(t.wait)
	defer late.Stop()
	select {
	case t.quick <- struct{}{}:
		return t.begin(), nil
	case <-ctx.Done():
		if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return nil, ctx.Err()
		}
		// Its time passed while it waited, on a machine too busy to tell it earlier.
	case <-late.C:
	}
	return nil, t.refusal("the service carries out as many searches at a time as it may, %d at most, and none of them ended soon enough", cap(t.quick)+cap(t.slow))
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
	if stands && t.waiting >= queued*cap(t.quick) {
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

func (t *turns) refusal(format string, n int) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.until = time.Now().Add(comeAgain)
	return &problem{code: codeOverloaded, detail: fmt.Sprintf(format, n)}
}

// turn is the place of a search.
type turn struct {
	turns *turns
	late  *time.Timer

	mu   sync.Mutex
	slow bool // its place is one of those
	over bool
}

func (t *turns) begin() *turn {
	p := &turn{turns: t}
	p.mu.Lock() // until late is set
	defer p.mu.Unlock()
	p.late = time.AfterFunc(quickTime, p.move)
	return p
}

// move goes on in a slow place, as soon as there is one.
func (p *turn) move() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over {
		return
	}
	select {
	case p.turns.slow <- struct{}{}:
		p.slow = true
		<-p.turns.quick
	default:
		p.late.Reset(quickTime)
	}
}

// giveBack ends a turn.
func (p *turn) giveBack() {
	p.late.Stop()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.over = true
	if p.slow {
		<-p.turns.slow
	} else {
		<-p.turns.quick
	}
}
