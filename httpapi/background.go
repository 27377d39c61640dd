package httpapi

import (
	"context"
	"sync"
)

// background is work that goes on for as long as anybody serves.
type background struct {
	mu      sync.Mutex
	serving int
	stop    context.CancelFunc
	done    chan struct{}
}

// start begins the work unless it is under way. What it returns is to be called
// once; the last of these calls ends the work and waits for its end.
func (b *background) start(run func(context.Context)) (stop func()) {
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
