package engine

import (
	"context"
	"fmt"
	"testing"
)

// A phrase that more than 4,096 records of a page hold, beside two words that so many
// hold, but fewer.
func TestFrequentPhraseBesideWords(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "i", Schema{Fields: []Field{{Name: "t", Type: Text, Search: true}}})
	want := int64(0)
	for n := 0; n < 12_000; {
		var b Batch
		for range 1000 {
			text := "alpha beta"
			if n%10 == 0 {
				text = "beta alpha"
			}
			if n%5 < 3 {
				text += " gamma"
			}
			if n%7 < 5 {
				text += " delta"
			}
			if n%10 != 0 && n%5 < 3 && n%7 < 5 {
				want++
			}
			b.Put("i", fmt.Appendf(nil, `{"id":"%d","t":%q}`, n, text))
			n++
		}
		apply(t, e, &b)
	}
	if err := e.Flush(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := e.Merge(context.Background(), "i"); err != nil {
		t.Fatal(err)
	}
	res := find(t, e, &Request{Indexes: []string{"i"}, Query: `"alpha beta" gamma delta `})
	if res.Total != want {
		t.Errorf("total %d, want %d", res.Total, want)
	}
}
