package main

import (
	"log/slog"
	"runtime/debug"
	"sync"
	"time"
)

// memoryGiver gives unused memory back to the system when much work is done: the runtime
// does it little by little, and never all of it. The words of a million packages are read by
// way of ten times as much as they take. It is safe for concurrent use.
type memoryGiver struct {
	give func()

	mu    sync.Mutex
	left  int // how much work has left its memory behind
	timer *time.Timer
}

const (
	// muchWork is how many words, or records, leave so much behind that it is worth a
	// collection of garbage.
	muchWork = 50_000
	// mergeWork is what a merge counts as, which may be of few segments or of all records.
	mergeWork = muchWork / 2
	// workPause is how long nothing more comes until the work counts as done: longer than it
	// takes a steady stream of writes to fill the memory of a flush, beside which a collection
	// of garbage would only be in the way.
	workPause = 10 * time.Second
)

// newMemoryGiver returns one that gives what the heap has free, and the pages of the program.
func newMemoryGiver(log *slog.Logger) *memoryGiver {
	return &memoryGiver{give: func() {
		debug.FreeOSMemory()
		if err := giveProgramPages(); err != nil {
			log.Debug("the pages of the program stay mapped", "error", err)
		}
	}}
}

// leave says that work on so many things is done.
func (g *memoryGiver) leave(things int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.left += things
	switch {
	case g.left < muchWork:
	case g.timer == nil:
		g.timer = time.AfterFunc(workPause, g.done)
	default:
		g.timer.Reset(workPause)
	}
}

func (g *memoryGiver) done() {
	g.mu.Lock()
	g.left, g.timer = 0, nil
	g.mu.Unlock()
	g.give()
}
