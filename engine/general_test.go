package engine

import (
	"fmt"
	"testing"
)

// TestGeneralWords: a word for what all records are, by what they call it, is a filler word
// beside others, in one index and in several.
func TestGeneralWords(t *testing.T) {
	e := newEngine(t, nil)
	for _, index := range []string{"a", "b", "c"} {
		create(t, e, index, Schema{Language: "en", Fields: []Field{{Name: "text", Type: Text, Search: true}}})
	}
	for n := range 120 {
		text := fmt.Sprintf("a film of %d by nobody", n)
		switch {
		case n%10 == 3:
			text = "a movie, a movie, for the home"
		case n%10 == 4:
			text = "a film of a shark in a bay, which is shown at sea"
		}
		record := fmt.Sprintf(`{"id":"%03d","text":%q}`, n, text)
		apply(t, e, puts("a", record))
		apply(t, e, puts([]string{"b", "c"}[n%2], record))
	}
	for _, tt := range []struct {
		r     Request
		total int64
	}{
		{Request{Query: "shark movies"}, 12},
		{Request{Query: "shark films", Limit: 10}, 12},             // which they hold
		{Request{Query: "movies"}, 12},                             // by itself it is looked for
		{Request{Query: "shark movies", Match: MatchAll}, 0},       // and if everything has to be there
		{Request{Query: "+movies shark"}, 12},                      // or it does
		{Request{Query: `"movie for" shark`, Match: MatchAny}, 24}, // as it is written
		{Request{Query: "shark movies", NoStopWords: true}, 24},    // switched off
		{Request{Query: "shark movies", NoSynonyms: true}, 24},     //
		{Request{Query: "shark movies", Ranking: RankingBM25}, 24}, //
		{Request{Query: "shark home"}, 24},                         // no synonym of "home" is in many
	} {
		for _, indexes := range [][]string{{"a"}, {"b", "c"}, {"a"}} {
			tt.r.Indexes = indexes
			if got := find(t, e, &tt.r).Total; got != tt.total {
				t.Errorf("%q %+v: %d, want %d", tt.r.Query, tt.r, got, tt.total)
			}
		}
	}
}

// TestWhatIndexesAreCalled: what an index is called by is a filler word in it, as all its records are
// that. Alone it is looked for; beside what only filters, it is not needed.
func TestWhatIndexesAreCalled(t *testing.T) {
	e := newEngine(t, nil)
	schema := Schema{Language: "en", Fields: []Field{{Name: "title", Type: Text, Search: true, Weight: 5}, {Name: "price", Type: Float, Filter: true}}}
	for _, index := range []string{"laptops", "used_laptops_v2", "goods"} {
		create(t, e, index, schema)
		apply(t, e, puts(index, `{"id":"1","title":"Surface Laptop","price":1000}`, `{"id":"2","title":"Nitro by Acer","price":600}`,
			`{"id":"3","title":"Aspire by Acer","price":400}`, `{"id":"4","title":"Swift","price":300}`))
	}
	for _, tt := range []struct {
		r            Request
		named, else_ string
	}{
		{Request{Query: "acer laptop"}, "2 3", "1 2 3"},
		{Request{Query: "laptops by acer"}, "2 3", "1 2 3"},
		{Request{Query: "laptop"}, "1", "1"},
		{Request{Query: "laptops between 500 and 800"}, "2", "1"}, // in goods, none is
		{Request{Query: "laptops under $100"}, "1", "1"},          // there is none
		{Request{Query: "acer laptop", Match: MatchAll}, "", ""},
		{Request{Query: `acer "laptop"`}, "1 2 3", "1 2 3"},
		{Request{Query: "acer laptop", NoStopWords: true}, "1 2 3", "1 2 3"},
		{Request{Query: "acer laptop", Ranking: RankingBM25}, "1 2 3", "1 2 3"},
		{Request{Query: "swift lap"}, "4 1", "4 1"},
	} {
		for index, want := range map[string]string{"laptops": tt.named, "used_laptops_v2": tt.named, "goods": tt.else_} {
			tt.r.Indexes = []string{index}
			if got := idsOf(find(t, e, &tt.r)); got != want {
				t.Errorf("%q in %s: %q, want %q", tt.r.Query, index, got, want)
			}
		}
	}
}
