package engine

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// What only records out of sight hold is never offered, not even as the form of a word in sight,
// and however many words there are, those in sight are found.
func TestSuggestionsKeepOutOfSight(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "i", titleAndBody("en"))
	records := []string{`{"id":"1","title":"Project Zorb","kind":1}`, `{"id":"2","title":"acquire the shoe","body":"acme acxyz","kind":1}`}
	for i := range 40 {
		var words []string
		for n := range 40 {
			words = append(words, fmt.Sprintf("ac%c%c%cx", 'a'+i%26, 'a'+n%26, 'a'+i/26+2*(n/26)))
		}
		records = append(records, fmt.Sprintf(`{"id":"h%d","title":"Zorbs zorbing acquired shoes","body":%q,"kind":2}`, i, strings.Join(words, " ")))
	}
	apply(t, e, puts("i", records...))
	for _, c := range []struct{ q, want string }{
		{"zor", "Project Zorb=1 title, zorb=1"},
		{"zorbs", "zorb=1"}, // as what it is repaired to
		{"acq", "acquire the shoe=1 title, acquire=1"},
		{"sho", "acquire the shoe=1 title, shoe=1"},
		{"ac", "acquire the shoe=1 title, acme=1, acme acxyz=1, acquire=1, acxyz=1"},
		{"a", "acme=1, acme acxyz=1, acquire=1, acxyz=1"},
	} {
		for _, r := range []*SuggestRequest{{Query: c.q, Restrict: []string{"kind = 1"}}, {Query: c.q, Filter: "kind = 1"}} {
			if got := suggested(t, e, r); got != c.want {
				t.Errorf("%+v:\n got %s\nwant %s", *r, got, c.want)
			}
		}
	}
}

// Whoever sees a part of an index gets the suggestions of one that has nothing else, whether the
// records in sight are few enough to be read or not, and the words many enough for that.
func TestSuggestionsAreThoseOfRecordsInSight(t *testing.T) {
	for seed := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, 28))
		var roots []string // that no thesaurus knows
		for range 400 {
			roots = append(roots, string([]byte{'b' + byte(r.IntN(2)), "aeiou"[r.IntN(5)], "gjqvxz"[r.IntN(6)], "aeiou"[r.IntN(5)], "dkmnpt"[r.IntN(6)]}))
		}
		word := func(some int) string {
			return roots[r.IntN(some)] + [...]string{"", "", "s", "ing", "ed", "er", "y", "ily"}[r.IntN(8)]
		}
		text := func(some, n int) string {
			words := make([]string, 1+r.IntN(n))
			for i := range words {
				words[i] = word(some)
			}
			return strings.Join(words, " ")
		}
		visible, hidden := []int{20, 150, 400}[seed%3], 1000
		var all, seen Batch
		for i := range visible + hidden {
			kind, some := 1, 60
			if i%(visible+hidden) >= visible {
				kind, some = 2, len(roots)
			}
			record := fmt.Appendf(nil, `{"id":"%d","title":%q,"body":%q,"kind":%d}`, i, text(some, 3), text(some, 12), kind)
			if all.Put("i", record); kind == 1 {
				seen.Put("i", record)
			}
		}
		whole, part := newEngine(t, nil), newEngine(t, nil)
		create(t, whole, "i", titleAndBody("en"))
		create(t, part, "i", titleAndBody("en"))
		apply(t, whole, &all)
		apply(t, part, &seen)
		for range 150 {
			q := word(len(roots))
			if q = q[:1+r.IntN(len(q))]; r.IntN(3) == 0 {
				q = word(60) + " " + q
			}
			limit := 1 + r.IntN(12)
			want := withoutNext(suggested(t, part, &SuggestRequest{Query: q, Restrict: []string{"kind = 1"}, Limit: limit}))
			for _, ask := range []*SuggestRequest{{Query: q, Restrict: []string{"kind = 1"}, Limit: limit}, {Query: q, Filter: "kind = 1", Limit: limit}} {
				if got := withoutNext(suggested(t, whole, ask)); got != want {
					t.Errorf("seed %d: %+v:\n got %s\nwant %s", seed, *ask, got, want)
				}
			}
			if t.Failed() {
				return
			}
		}
	}
}

// withoutNext leaves of suggestions those that are not chosen from the best of many records: how
// many others hold a word that is in sight counts in scores.
func withoutNext(suggestions string) string {
	all := strings.Split(suggestions, ", ")
	return strings.Join(slices.DeleteFunc(slices.Clone(all), func(s string) bool {
		return slices.ContainsFunc(all, func(lead string) bool {
			text, n, _ := strings.Cut(lead, "=")
			count, _ := strconv.Atoi(strings.TrimSuffix(n, " title"))
			return count > followHits && strings.HasPrefix(s, text+" ") && !strings.HasSuffix(s, "title")
		})
	}), ", ")
}
