package engine

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/quarry-search/quarry/engine/internal/posting"
)

// loading returns a function that loads a list of a size from a cache, and how often each
// list has been read.
func loading(t *testing.T, c *listCache) (load func(key string, size int), reads map[string]int) {
	reads = map[string]int{}
	return func(key string, size int) {
		lists := c.of(0, listPlain, []byte(key))
		if _, err := lists.load(1, nil, func() (*posting.List, int, error) { reads[key]++; return &posting.List{}, size, nil }); err != nil {
			t.Fatal(err)
		}
	}, reads
}

// TestListsFoundWithoutALockStay: a list that every search asks for is not forgotten, small
// or large, though its division hears nothing of that; and one that was, and no longer is,
// goes.
func TestListsFoundWithoutALockStay(t *testing.T) {
	const budget = 4 << 20
	c := newListCache(budget)
	load, reads := loading(t, c)
	load("once", 1000)
	load("once", 1000)
	for i := range 20_000 {
		load("small", 1000)
		load("large", budget/16)
		load(fmt.Sprint("other ", i), 1000)
		if i%100 == 0 {
			load(fmt.Sprint("another ", i), budget/16)
		}
	}
	if reads["small"] != 1 || reads["large"] != 1 {
		t.Errorf("lists in constant use were read %d and %d times", reads["small"], reads["large"])
	}
	if load("once", 1000); reads["once"] != 2 {
		t.Error("a list that nobody asks for is never forgotten")
	}
}

// TestHotListsOutliveCold: where room is made, for the cache or for others, lists that nobody
// asks for go before one in constant use, in whichever division they are.
func TestHotListsOutliveCold(t *testing.T) {
	const budget = 4 << 20
	c := newListCache(budget)
	load, reads := loading(t, c)
	for i := range 20_000 {
		load("large", budget/16)
		load("small", 1000)
		load(fmt.Sprint("other ", i), 1000)
		if i%50 == 0 {
			c.shrink(60_000)
		}
	}
	if reads["large"] > 2 || reads["small"] > 2 {
		t.Errorf("lists in constant use were read %d and %d times", reads["large"], reads["small"])
	}
}

// TestForgottenListsAreNotNear: whatever searches do at the same time, what is found without
// a lock is what a division has: nothing is held that does not count.
func TestForgottenListsAreNotNear(t *testing.T) {
	const budget = 1 << 20
	c := newListCache(budget)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	var searches sync.WaitGroup
	for n := range uint64(4) {
		searches.Go(func() {
			r := rand.New(rand.NewPCG(seed, n))
			for range 20_000 {
				i := int(r.ExpFloat64() * 300)
				size := 500
				if i%9 == 0 {
					size = budget / 64
				}
				lists := c.of(0, listPlain, fmt.Append(nil, i))
				en, err := lists.load(uint64(i%3), nil, func() (*posting.List, int, error) { return &posting.List{DF: i}, size, nil })
				if err != nil || en.list.DF != i {
					t.Errorf("key %d: the list of %d, %v", i, en.list.DF, err)
				}
				if r.IntN(1000) == 0 {
					c.shrink(budget / 4)
				}
			}
		})
	}
	searches.Wait()
	near := map[bool]int{}
	for _, places := range [][]atomic.Pointer[listGroup]{c.near[:], c.nearLarge[:]} {
		for i := range places {
			g := places[i].Load()
			if g == nil {
				continue
			}
			near[g.large]++
			lists := c.of(0, listPlain, []byte(g.key.key))
			d := lists.division
			if g.large {
				d = c.large
			}
			if kept, ok := d.find(g.hash); !ok || kept != g {
				t.Errorf("%q is found, and forgotten", g.key.key)
			}
		}
	}
	if near[false] == 0 || near[true] == 0 {
		t.Errorf("%d small and %d large groups are near", near[false], near[true])
	}
}
