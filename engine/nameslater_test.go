package engine

import (
	"context"
	"fmt"
	"testing"
)

// TestNamesOfLaterFields: titles are found by their names and beginnings where other segments were
// written before there was a field of titles, and know no lengths of it.
func TestNamesOfLaterFields(t *testing.T) {
	ctx := context.Background()
	for _, flushed := range [...]bool{false, true} {
		t.Run(fmt.Sprint("flushed=", flushed), func(t *testing.T) {
			e := newEngine(t, nil)
			create(t, e, "i", Schema{Language: "en", Dynamic: true})
			apply(t, e, puts("i", `{"id": "a", "body": "night train, which was written before anybody thought of titles"}`))
			if flushed {
				if err := e.Flush(ctx); err != nil {
					t.Fatal(err)
				}
			}
			apply(t, e, puts("i", `{"id": "c", "title": "Night Train", "body": "to nowhere"}`))
			for _, q := range [...]string{"night train", "night tr", "train", "tr"} {
				if res := mustSearch(t, e, Request{Query: q}); len(res.Hits) != 2 || res.Hits[0].ID != "c" {
					t.Errorf("%q: %s", q, idsOf(res))
				}
			}
		})
	}
}
