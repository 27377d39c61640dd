package engine

import (
	"context"
	"fmt"
	"testing"
	"time"
)

// TestWordsAreReadBeforehand: after a round in the background a misspelt query
// has nothing left to read.
func TestWordsAreReadBeforehand(t *testing.T) {
	reads := make(chan int, 100)
	e := newEngine(t, &Options{Events: Events{Words: func(_ string, words int, _ time.Duration) { reads <- words }}})
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
	if n := <-reads; n < 2 {
		t.Errorf("the application is told of %d words, want two at least", n)
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

// TestLexiconsGoWithTheirSegments: what is kept of the words of a segment is given
// up when a merge has replaced it, or its index is deleted, and not before.
func TestLexiconsGoWithTheirSegments(t *testing.T) {
	e := newEngine(t, nil)
	ctx := context.Background()
	for _, name := range []string{"i", "j"} {
		create(t, e, name, Schema{Fields: []Field{{Name: "title", Type: Text, Search: true}, {Name: "color", Type: Keyword, Facet: true}}})
	}
	lexicons := func() [2]int {
		t.Helper()
		for _, name := range []string{"i", "j"} {
			if len(e.view.Load().indexes[name].segs) > 0 {
				find(t, e, &Request{Indexes: []string{name}, Query: "red runing shoes"})
			}
		}
		words, _ := e.words.size()
		values, _ := e.values.size()
		return [2]int{words, values}
	}
	for round := range 3 {
		apply(t, e, puts("i", fmt.Sprintf(`{"id":"%d","title":"running shoes","color":"red"}`, round)))
		apply(t, e, puts("j", fmt.Sprintf(`{"id":"%d","title":"running shoes","color":"red"}`, round)))
		if err := e.Flush(ctx); err != nil {
			t.Fatal(err)
		}
		segs := 0
		for _, iv := range e.view.Load().indexes {
			segs += len(iv.segs)
		}
		if got, want := lexicons(), [2]int{segs, segs}; got != want {
			t.Errorf("round %d: lexicons of words and values are %v with %d segments", round, got, segs)
		}
	}
	before, err := e.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"i", "j"} {
		if err := e.Merge(ctx, name); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := before.Search(ctx, &Request{Indexes: []string{"i"}, Query: "red runing shoes"}); err != nil {
		t.Fatal(err)
	}
	if got := lexicons(); got[0] < 4 || got[1] < 4 {
		t.Errorf("while a snapshot is open lexicons of words and values are %v, want those of both segments as well", got)
	}
	if err := before.Close(); err != nil {
		t.Fatal(err)
	}
	if got, want := lexicons(), [2]int{2, 2}; got != want {
		t.Errorf("after merges lexicons of words and values are %v, want %v", got, want)
	}
	if err := e.DeleteIndex(ctx, "j"); err != nil {
		t.Fatal(err)
	}
	if words, _ := e.words.size(); words != 1 {
		t.Errorf("%d lexicons after one of two indexes is deleted", words)
	}
}
