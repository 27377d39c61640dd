package engine

import (
	"context"
	"sync"
)

// batchRoom bounds the bytes of records in the batches that are carried out at
// a time: while its words are sorted a batch takes up to some twenty times as much
// memory. Those for which there is no room wait, in the order in which they
// came. A small batch takes none: it need not wait for large ones.
type batchRoom struct {
	most int

	mu      sync.Mutex
	used    int
	waiting []*roomWaiter
}

type roomWaiter struct {
	bytes int
	ready chan struct{} // closed when it has its room
}

const (
	smallBatch = 1 << 20
	// Of Options.Memory, one part in roomShare is for the records of batches, but
	// no less than leastRoom, in which the two batches go that an import has on
	// their way.
	roomShare = 8
	leastRoom = 12 << 20
)

func newBatchRoom(memory int64) *batchRoom {
	return &batchRoom{most: int(max(memory/roomShare, leastRoom))}
}

// take waits until there is room for a batch, or until ctx ends. A batch that
// is larger than all the room has it alone. giveBack has to be called.
func (r *batchRoom) take(ctx context.Context, b *Batch) (giveBack func(), err error) {
	bytes := 0
	for i := range b.Ops {
		bytes += len(b.Ops[i].Record)
	}
	if bytes <= smallBatch {
		return func() {}, nil
	}
	w := &roomWaiter{min(bytes, r.most), make(chan struct{})}
	r.change(func() { r.waiting = append(r.waiting, w) })
	giveBack = func() { r.change(func() { r.used -= w.bytes }) }
	select {
	case <-w.ready:
		return giveBack, nil
	case <-ctx.Done():
	}
	r.change(func() {
		for i, other := range r.waiting {
			if other == w {
				r.waiting = append(r.waiting[:i:i], r.waiting[i+1:]...)
				return
			}
		}
		r.used -= w.bytes // it has just got its room
	})
	return nil, ctx.Err()
}

// change carries out a change and gives room to those who wait first, as far as
// there is any.
func (r *batchRoom) change(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f()
	for len(r.waiting) > 0 && r.used+r.waiting[0].bytes <= r.most {
		r.used += r.waiting[0].bytes
		close(r.waiting[0].ready)
		r.waiting = r.waiting[1:]
	}
}
