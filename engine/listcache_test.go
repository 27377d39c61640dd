package engine

import (
	"fmt"
	"testing"

	"github.com/quarry-search/quarry/engine/internal/posting"
)

// TestListCacheKeepsLargeLists checks that a list which takes a large part of
// the budget, as that of a frequent word with its positions does, is read once,
// and that many small ones do not push it out.
func TestListCacheKeepsLargeLists(t *testing.T) {
	const budget = 64 << 20
	c := newListCache(budget)
	reads := 0
	load := func(key string, size int) {
		t.Helper()
		_, err := c.load(listKey{key: key}, func() (*posting.List, int, error) {
			reads++
			return &posting.List{}, size, nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	load("the", budget/8)
	load("of", budget/16)
	for i := range 10_000 {
		load(fmt.Sprint(i), 10_000)
	}
	before := reads
	load("the", budget/8)
	load("of", budget/16)
	if reads != before {
		t.Errorf("%d of 2 large lists were read twice", reads-before)
	}
	load("all", budget)
	if _, bytes := c.size(); bytes > budget {
		t.Errorf("%d bytes are kept, the budget is %d", bytes, budget)
	}
}

// TestListCacheGivesSmallListsWhatLargeOnesLeave: without large lists, small ones
// have all of the budget, and what was used last stays, whatever division it is in.
func TestListCacheGivesSmallListsWhatLargeOnesLeave(t *testing.T) {
	const budget, size = 64 << 20, 100_000
	c := newListCache(budget)
	reads := 0
	load := func(i, size int) {
		t.Helper()
		_, err := c.load(listKey{key: fmt.Sprint(i)}, func() (*posting.List, int, error) {
			reads++
			return &posting.List{}, size, nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for i := range 1000 {
		load(i, size)
	}
	lists, bytes := c.size()
	if bytes > budget || bytes < budget-2*size {
		t.Errorf("%d bytes are kept, the budget is %d", bytes, budget)
	}
	reads = 0
	for i := 999; i > 1000-lists; i-- {
		load(i, size)
	}
	if reads != 0 {
		t.Errorf("%d of the last %d lists were read twice", reads, lists)
	}
	load(-1, budget/8) // a large one
	if _, bytes := c.size(); bytes > budget || bytes < budget-2*size {
		t.Errorf("with a large one %d bytes are kept, the budget is %d", bytes, budget)
	}
	reads = 0
	load(-1, budget/8)
	if reads != 0 {
		t.Error("the large one was pushed out")
	}
}

// TestListsAreCompactWhereRoomIsShort: a cache tells when half of its own budget is
// taken, and when next to all of the memory is that it shares with other caches.
func TestListsAreCompactWhereRoomIsShort(t *testing.T) {
	const budget = 64 << 20
	fill := func(c *listCache, bytes int) {
		t.Helper()
		for i := 0; i < bytes; i += 100_000 {
			_, err := c.load(listKey{key: fmt.Sprint(i)}, func() (*posting.List, int, error) { return &posting.List{}, 100_000, nil })
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	c := newListCache(budget)
	if fill(c, budget/3); c.crowded() {
		t.Error("a third of the budget is taken, and the cache is crowded")
	}
	if fill(c, budget*2/3); !c.crowded() {
		t.Error("two thirds of the budget are taken, and the cache is not crowded")
	}
	m := &cacheMemory{limit: budget}
	c = newListCache(budget)
	c.join(m, budget/2)
	other := m.join(budget, func(int64) {})
	if c.crowded() {
		t.Error("the memory is empty, and the cache is crowded")
	}
	if other.count(budget - budget/32); !c.crowded() {
		t.Error("the memory is full, and the cache is not crowded")
	}
}
