package httpapi

import (
	"context"
	"sync"
)

// serving is the work that goes on beside requests as long as Serve runs for
// any listener. The zero value is ready.
type serving struct {
	mu    sync.Mutex
	calls int // of Serve
	stop  context.CancelFunc
	work  sync.WaitGroup
}

// begin starts the work, unless it runs. The returned function ends it when it
// was called as often as begin, waits for that, and tells so.
func (b *serving) begin(work ...func(context.Context)) (end func() (last bool)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.calls++; b.calls == 1 {
		var ctx context.Context
		ctx, b.stop = context.WithCancel(context.Background())
		for _, f := range work {
			b.work.Go(func() { f(ctx) })
		}
	}
	return func() bool {
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.calls--; b.calls > 0 {
			return false
		}
		b.stop()
		b.work.Wait()
		return true
	}
}

// runMeter writes down what the meter counts until ctx ends. It logs when that
// begins to fail and when it works again, not each time.
func (s *Server) runMeter(ctx context.Context) {
	failing := false
	s.meter.Run(ctx, func(err error) {
		switch {
		case err != nil && !failing:
			s.log.Error("usage is not written down; it is counted in memory and tried again", "cause", causeType(err))
		case err == nil && failing:
			s.log.Info("usage is written down again")
		}
		failing = err != nil
	})
}
