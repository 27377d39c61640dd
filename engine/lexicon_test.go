package engine

import (
	"context"
	"fmt"
	"testing"
)

// TestWordsAreReadBeforehand: after a round in the background a misspelt query
// has nothing left to read.
func TestWordsAreReadBeforehand(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "i", Schema{Fields: []Field{{Name: "title", Type: Text, Search: true}, {Name: "color", Type: Keyword, Facet: true}}})
	var records []string
	for i := range 2 * warmDocs {
		records = append(records, fmt.Sprintf(`{"id":"%d","title":"running shoes number%d","color":"red"}`, i, i))
	}
	apply(t, e, puts("i", records...))
	if err := e.Merge(context.Background(), "i"); err != nil {
		t.Fatal(err)
	}
	if err := e.wordsRound(context.Background()); err != nil {
		t.Fatal(err)
	}
	before, bytes := e.words.size()
	if before == 0 || bytes == 0 {
		t.Fatalf("%d lexicons of %d bytes", before, bytes)
	}
	if got := find(t, e, &Request{Query: "runing shoes", Prefix: PrefixOff}).Query.Corrections; len(got) != 1 || got[0].To != "running" {
		t.Errorf("corrections are %v", got)
	}
	if after, _ := e.words.size(); after != before {
		t.Errorf("the query read %d more lexicons", after-before)
	}
	values, _ := e.values.size()
	if got := told(&find(t, e, &Request{Query: "red shoes"}).Query); got != `boost: color = "red" (red)` || values == 0 {
		t.Errorf("understood %q with %d lexicons of values", got, values)
	}
	if after, _ := e.values.size(); after != values {
		t.Errorf("the query read %d more lexicons of values", after-values)
	}
}
