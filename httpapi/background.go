package httpapi

import (
	"context"
	"sync"
	"time"
)

// background is the work of a server that no request waits for. It is done
// by goroutines that exist only while there is some.
type background struct {
	ctx    context.Context // ends with stop
	cancel context.CancelFunc

	mu      sync.Mutex
	stopped bool // mu guards it
	running sync.WaitGroup
}

func newBackground() *background {
	b := &background{}
	b.ctx, b.cancel = context.WithCancel(context.Background())
	return b
}

// start runs f on a goroutine of its own, unless stop was called: then it
// returns false. f returns soon after ctx has ended.
func (b *background) start(f func(ctx context.Context)) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.stopped {
		return false
	}
	b.running.Go(func() { f(b.ctx) })
	return true
}

// stop ends all work and returns when it has ended.
func (b *background) stop() {
	b.mu.Lock()
	b.stopped = true
	b.mu.Unlock()
	b.cancel()
	b.running.Wait()
}

// retryTime is how long work that failed waits before the next try.
const retryTime = time.Second

// pause waits before work is tried again; false when ctx ends first.
func pause(ctx context.Context) bool {
	t := time.NewTimer(retryTime)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
