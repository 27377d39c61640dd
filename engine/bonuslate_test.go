package engine

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestLate: what filler words and the forms of words add is the same whether the kernel
// adds it to all records, as it does under MinScore, or it comes late, to the best.
func TestLate(t *testing.T) {
	const seed = 3
	r := rand.New(rand.NewPCG(seed, 1))
	words := strings.Fields("the of running runs run river rivers boats boat a in bridges")
	d := newDisk(t, Options{})
	create(t, d.e, "i", Schema{Fields: []Field{{Name: "title", Type: Text, Search: true, Weight: 5}, {Name: "text", Type: Text, Search: true}}})
	for range 4 {
		var records []string
		for range 60 {
			var text []string
			for range 1 + r.IntN(12) {
				text = append(text, words[r.IntN(len(words))])
			}
			records = append(records, fmt.Sprintf(`{"id":"%d","title":%q,"text":%q}`, r.IntN(300), words[r.IntN(len(words))], strings.Join(text, " ")))
		}
		apply(t, d.e, puts("i", records...))
	}
	d.states("i", func(t *testing.T, e *Engine) {
		without := 0
		for _, q := range []string{"the running of boats", "running rivers", "runs in the river", "boats", "the of", "bridges running a boat"} {
			r := Request{Query: q, Match: MatchAny, Tuning: termsAlone, Explain: true, Limit: 300}
			best := find(t, e, &r).Hits
			r.MinScore = 1e-9
			all := map[string]float64{}
			for _, h := range find(t, e, &r).Hits {
				all[h.ID] = h.Score
			}
			for i, h := range best {
				sum := 0.0
				for _, p := range h.Explain.Parts {
					sum += p.Score
				}
				if sum != h.Score || i > 0 && h.Score > best[i-1].Score {
					t.Fatalf("seed %d: %q: hit %d has the score %v, its parts come to %v", seed, q, i, h.Score, sum)
				}
				// The last of the first may share their score with others, and then have none.
				if whole := all[h.ID]; h.Score > whole || h.Score < whole && i < rerankDepth/2 {
					t.Errorf("seed %d: %q: hit %d has %v of %v", seed, q, i, h.Score, whole)
				} else if h.Score < whole {
					without++
				}
			}
			if len(best) != len(all) {
				t.Errorf("%q: %d hits, by the least score %d", q, len(best), len(all))
			}
		}
		if without < 50 {
			t.Errorf("this tests too little: %d hits are without what comes late", without)
		}
	})
}
