package engine

import (
	"fmt"
	"strings"
	"testing"
)

// Records with ascending scores, and one in another page of documents that has the score
// of the 31st best and stands before it by its id: paging loses it.
func TestPagingLosesNoTie(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "i", Schema{Fields: []Field{{Name: "t", Type: Text, Search: true}}})
	const n = 126 // twice 31 and 64
	text := func(tf int) string {
		return strings.Repeat("alpha x beta y z ", tf) + strings.Repeat("x y z x y ", n-tf)
	}
	var b Batch
	for i := 1; i <= n; i++ {
		b.Put("i", fmt.Appendf(nil, `{"id":"z%03d","t":%q}`, i, text(i)))
	}
	apply(t, e, &b)
	for i := 0; i < 66_000; {
		var b Batch
		for range 6_000 {
			b.Put("i", fmt.Appendf(nil, `{"id":"f%d","t":"nothing"}`, i))
			i++
		}
		apply(t, e, &b)
	}
	apply(t, e, puts("i", fmt.Sprintf(`{"id":"a","t":%q}`, text(n-30))))
	seen := map[string]bool{}
	req := &Request{Indexes: []string{"i"}, Query: "alpha beta ", Limit: 20}
	for {
		res := find(t, e, req)
		for _, h := range res.Hits {
			seen[h.ID] = true
		}
		if req.After = res.Next; res.Next == nil {
			if len(seen) != n+1 || res.Total != n+1 || !seen["a"] {
				t.Errorf("%d records of %d on all pages; that in the other page: %v", len(seen), res.Total, seen["a"])
			}
			break
		}
	}
}
