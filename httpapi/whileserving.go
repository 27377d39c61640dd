package httpapi

import (
	"context"
	"sync"
)

// whileServing is work that goes on for as long as anybody serves.
type whileServing struct {
	mu      sync.Mutex // guards the others
	serving int        // how many starts have not been stopped
	stop    context.CancelFunc
	done    chan struct{}
}

// start begins the work unless it is under way. What it returns is to be called
// once; the last of these calls ends the work and waits for its end.
func (b *whileServing) start(run func(context.Context)) (stop func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.serving++; b.serving == 1 {
		var ctx context.Context
		ctx, b.stop = context.WithCancel(context.Background())
		done := make(chan struct{})
		b.done = done
		go func() {
			defer close(done)
			run(ctx)
		}()
	}
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.serving--; b.serving == 0 {
			b.stop()
			<-b.done
		}
	}
}
