package main

import (
	"testing"
	"testing/synctest"
	"time"
)

// Memory is given back once after a row of works, however many and small they are, and
// again after the next row; not for a few things.
func TestMemoryIsGivenBackAfterWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		given := 0
		g := memoryGiver{give: func() { given++ }}
		after := func(d time.Duration, want int) {
			t.Helper()
			time.Sleep(d)
			synctest.Wait()
			if given != want {
				t.Errorf("memory was given back %d times, want %d", given, want)
			}
		}
		g.leave(muchWork - 1)
		after(time.Hour, 0)
		g.leave(1)
		after(workPause-1, 0)
		for range 20 {
			g.leave(10)
			after(workPause/2, 0)
		}
		g.leave(muchWork)
		after(workPause, 1)
		after(time.Hour, 1)
		g.leave(10)
		after(time.Hour, 1)
		g.leave(muchWork)
		after(workPause, 2)
	})
}
