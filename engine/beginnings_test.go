package engine

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestBeginningsAskedAgain: a word that is being typed, which also stands for what begins
// with it, has the same hits however often it is asked for, and those that scoring every
// match finds: with writes, deletions and new segments in between.
func TestBeginningsAskedAgain(t *testing.T) {
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 41))
		e := newEngine(t, &Options{NoMerge: seed%2 == 0})
		create(t, e, "i", Schema{Fields: []Field{{Name: "t", Type: Text, Search: true, Language: "en"}, {Name: "u", Type: Text, Search: true}}})
		words := strings.Fields("no not note notebook notes noted nothing nor north northern pa pan panda pandas panel paneling pans run running runs runner")
		text := func() string {
			var w []string
			for range 1 + r.IntN(6) {
				w = append(w, words[min(r.IntN(len(words)), r.IntN(len(words)))])
			}
			return strings.Join(w, " ")
		}
		for step := range 8 {
			b := &Batch{}
			for range 1 + r.IntN(60) {
				id := fmt.Sprint(r.IntN(400))
				if r.IntN(4) == 0 {
					b.Ops = append(b.Ops, Op{Kind: OpDelete, Index: "i", ID: id})
					continue
				}
				b.Ops = append(b.Ops, puts("i", fmt.Sprintf(`{"id":%q,"t":%q,"u":%q}`, id, text(), text())).Ops...)
			}
			apply(t, e, b)
			for range 30 {
				q := Request{Limit: 1 + r.IntN(30), Match: Match(r.IntN(3))}
				q.Query = words[r.IntN(len(words))]
				switch r.IntN(5) {
				case 0:
					q.Query = q.Query[:1+r.IntN(len(q.Query))]
				case 1:
					q.Query += "*"
				case 2:
					q.Query = words[r.IntN(len(words))] + " " + q.Query
				case 3:
					q.Fields = []FieldWeight{{Field: "t"}}
				}
				slow := q
				slow.Exhaustive = true
				want := rankedOf(find(t, e, &slow))
				for n := range 6 {
					if got := rankedOf(find(t, e, &q)); got != want {
						t.Fatalf("seed %d, step %d: %q, asked for the time %d (-want +got):\n%s", seed, step, q.Query, n+1, cmp.Diff(want, got))
					}
				}
			}
		}
	}
}

// rankedOf is the ids and scores of hits.
func rankedOf(res *Result) string {
	var b strings.Builder
	for _, h := range res.Hits {
		fmt.Fprintf(&b, "%s %v\n", h.ID, h.Score)
	}
	return b.String()
}
