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
