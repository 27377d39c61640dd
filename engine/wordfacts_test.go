package engine

import (
	"fmt"
	"sync"
	"testing"
)

// TestWordFacts: what is found is what was added under the same key, and all that is kept
// stays within the budget, whoever adds it.
func TestWordFacts(t *testing.T) {
	m := &cacheMemory{limit: 1 << 20}
	p := newWordFacts(1 << 16)
	p.join(m, 1<<16)
	fact := func(view uint64, i int) *wordFact {
		return &wordFact{key: factKey{view, factKind(i % 3), fmt.Sprint("word", i)}, n: int64(i) + int64(view)<<32}
	}
	var all sync.WaitGroup
	for view := range uint64(4) {
		all.Add(1)
		go func() {
			defer all.Done()
			for i := range 2000 {
				f := fact(view, i)
				p.add(f)
				if g := p.find(&f.key); g != nil && g.n != f.n {
					t.Errorf("%v: %d, want %d", f.key, g.n, f.n)
				}
			}
		}()
	}
	all.Wait()
	found := 0
	for view := range uint64(4) {
		for i := range 2000 {
			f := fact(view, i)
			if g := p.find(&f.key); g != nil {
				if found++; g.n != f.n {
					t.Errorf("%v: %d, want %d", f.key, g.n, f.n)
				}
			}
		}
	}
	if found == 0 || p.bytes.Load() > p.budget || m.bytes.Load() != p.bytes.Load() {
		t.Errorf("%d facts in %d bytes, of which %d are counted; the budget is %d", found, p.bytes.Load(), m.bytes.Load(), p.budget)
	}
	p.shrink(p.budget)
	if left := p.bytes.Load(); left != int64(8*len(p.places)) {
		t.Errorf("%d bytes are left of nothing", left)
	}
	large := fact(1, 1)
	large.near = make([]candidate, maxNearWords)
	if p.add(large); p.find(&large.key) != nil {
		t.Error("a fact that would push out many others is kept")
	}
}
