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
	if s := c.stats(); s.Bytes > budget {
		t.Errorf("%d bytes are kept, the budget is %d", s.Bytes, budget)
	}
}
