package engine

import (
	"sync"
	"testing"
)

// A value that has been put in the place of another is there, whoever reads the
// old one at that time.
func TestReplacedValuesStay(t *testing.T) {
	c := newLRU[int, int](1 << 20)
	var newest sync.Mutex // orders replace with what it replaces
	now := 0
	var readers sync.WaitGroup
	stop := make(chan struct{})
	for range 2 {
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				newest.Lock()
				old := now
				newest.Unlock()
				c.add(1, old, 1)
			}
		})
	}
	for n := 1; n <= 20_000; n++ {
		newest.Lock()
		now = n
		newest.Unlock()
		c.replace(1, n, 1)
		if v, ok := c.find(1); !ok || v != n {
			t.Errorf("after %d was put, %d (%v) is there", n, v, ok)
			break
		}
	}
	close(stop)
	readers.Wait()
}
