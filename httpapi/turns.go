package httpapi

import (
	"context"
	"strconv"
	"time"
)

// turns bounds how many searches are carried out at a time. Those that come
// when all places are taken wait, and are refused when they have waited for too
// long: a service that has more to do than it can answers the ones it takes as
// soon as ever, in place of all of them too late.
type turns struct {
	places chan struct{}
	wait   time.Duration
}

func newTurns(l *Limits) turns {
	return turns{places: make(chan struct{}, l.Searches), wait: l.SearchTimeout / 2}
}

// take waits for a place, which must be given back.
func (t *turns) take(ctx context.Context) error {
	select {
	case t.places <- struct{}{}:
		return nil
	default:
	}
	late := time.NewTimer(t.wait)
	defer late.Stop()
	select {
	case t.places <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-late.C:
		return &problem{
			code:   codeOverloaded,
			detail: "the service carries out as many searches at a time as it may, " + strconv.Itoa(cap(t.places)) + ", and none of them ended soon enough",
		}
	}
}

func (t *turns) giveBack() { <-t.places }
