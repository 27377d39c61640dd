package engine

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// begunShare is what a title gets for a query that is its beginning, by the definition of begun.go: a
// share of the whole, above 1 if it begins so and above 0 within it; 0 for nothing.
func begunShare(title, q string) float64 {
	words, typed := strings.Fields(title), strings.Fields(q)
	best, letters := 0., float64(len(strings.Join(words, "")))
	for at := 0; at+len(typed) <= len(words); at++ {
		n := len(typed) - 1
		if slices.Equal(words[at:at+n], typed[:n]) && strings.HasPrefix(words[at+n], typed[n]) {
			share := float64(len(strings.Join(typed, ""))) / letters
			if at == 0 {
				share++
			}
			best = max(best, share)
		}
	}
	return best
}

// TestBegunNames: titles that a query begins come first, the most complete ones first, if none
// holds its words as they stand; in any segments, after deletes, in several indexes, and for callers
// who see some of the records.
func TestBegunNames(t *testing.T) {
	const seed = 23
	r := rand.New(rand.NewPCG(seed, 0))
	vocabulary := strings.Fields("potter pottery potent harbor harvest harp gladiator glass alabama zebra quartz nightjar")
	phrase := func(n int) string { return phraseOf(r, vocabulary, n) }
	e, titles, kinds := titledRecords(t, r, 200, phrase, func(int) string { return phrase(1 + r.IntN(4)) })
	some := 0
	for n := range 400 {
		words := strings.Fields(phrase(1 + r.IntN(3)))
		last := words[len(words)-1]
		words[len(words)-1] = last[:2+r.IntN(len(last)-2)]
		q := strings.Join(words, " ")
		req := Request{Query: q, Limit: 400, Typo: Typo{Off: true}, NoSynonyms: true, Explain: true}
		kind := -1
		switch kind = r.IntN(2); n % 5 {
		case 0:
			req.Filter = fmt.Sprintf("kind = %d", kind)
		case 1, 2:
			req.Restrict = []string{fmt.Sprintf("kind = %d", kind)}
		default:
			kind = -1
		}
		hidden := func(key string) bool { return kind >= 0 && kinds[key] != kind }
		if n%3 > 0 {
			req.Indexes = []string{[]string{"a", "b"}[n%2]}
		}
		if slices.ContainsFunc(vocabulary, func(w string) bool { return w == words[len(words)-1] }) {
			continue // titles hold it as it stands
		}
		var want []string // each index has some of its own at most
		for _, index := range []string{"a", "b"} {
			for key, title := range titles {
				if strings.HasPrefix(key, index) && (req.Indexes == nil || key[:1] == req.Indexes[0]) && begunShare(title, q) > 0 {
					want = append(want, key)
				}
			}
		}
		if req.Restrict != nil {
			want = slices.DeleteFunc(want, hidden)
		}
		if len(want) > maxNamed {
			continue // which of them is told by how they are counted
		}
		if want = slices.DeleteFunc(want, hidden); len(want) == 0 {
			continue
		}
		some++
		slices.SortFunc(want, func(x, y string) int { return cmp.Compare(begunShare(titles[y], q), begunShare(titles[x], q)) })
		for range 2 { // the second time it is known
			res := find(t, e, &req)
			at := fmt.Sprintf("seed %d, %q, filter %q, restricted to %q, indexes %q", seed, q, req.Filter, req.Restrict, req.Indexes)
			if len(res.Hits) < len(want) {
				t.Fatalf("%s: %d hits, want %d", at, len(res.Hits), len(want))
			}
			for i, key := range want {
				got := titles[res.Hits[i].Index+"/"+res.Hits[i].ID]
				if a, b := begunShare(got, q), begunShare(titles[key], q); a-b > 1e-9 || b-a > 1e-9 {
					t.Fatalf("%s: hit %d is %q, want one like %q", at, i, got, titles[key])
				}
			}
			if len(res.Hits) > len(want) && stages(res.Hits[len(want)])[StageName] > 0 {
				t.Fatalf("%s: hit %d is raised, too: %q", at, len(want), titles[res.Hits[len(want)].Index+"/"+res.Hits[len(want)].ID])
			}
		}
	}
	if some < 50 {
		t.Errorf("seed %d: only %d queries begin a name", seed, some)
	}
}

// TestBegunNamesOutOfSight: which titles are raised for a caller who sees some records does not
// depend on the others, whatever words they hold, and how many of them.
func TestBegunNamesOutOfSight(t *testing.T) {
	mine := []string{`{"id":"1","kind":1,"title":"Harry Potter and the Goblet"}`, `{"id":"2","kind":1,"title":"Pottery for Harry"}`, `{"id":"3","kind":1,"title":"A Potter's Wheel"}`}
	raised := func(hidden []string, q string) string {
		e := newEngine(t, nil)
		s := titleAndBody("en")
		create(t, e, "i", s)
		apply(t, e, puts("i", mine...))
		apply(t, e, puts("i", hidden...))
		var ids []string
		for _, h := range find(t, e, &Request{Query: q, Restrict: []string{"kind = 1"}, Explain: true}).Hits {
			if stages(h)[StageName] > 0 {
				ids = append(ids, h.ID)
			}
		}
		slices.Sort(ids) // scores do depend on how many others hold a word
		return strings.Join(ids, " ")
	}
	var many, words []string
	for i := range maxBegunHolders + 1 {
		many = append(many, fmt.Sprintf(`{"id":"m%d","kind":2,"title":"harry potter %d"}`, i, i))
	}
	for _, w := range strings.Fields("pott pot po potters harry") {
		words = append(words, fmt.Sprintf(`{"id":%q,"kind":2,"title":"harry %s"}`, w, w))
	}
	for _, q := range []string{"harry pott", "pot", "a p", "harry potter a", "potter"} {
		want := raised(nil, q)
		for name, hidden := range map[string][]string{"many": many, "words": words} {
			if got := raised(hidden, q); got != want {
				t.Errorf("%q raises %q beside %s out of sight, else %q", q, got, name, want)
			}
		}
	}
	if got := raised(nil, "harry pott"); got != "1" {
		t.Errorf("%q is raised, want 1", got)
	}
}

// TestNamesBeingTyped: what a person sees who types.
func TestNamesBeingTyped(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "films", Schema{Language: "en", Fields: []Field{
		{Name: "title", Type: Text, Search: true, Weight: 5}, {Name: "cast", Type: Text, Search: true}, {Name: "plot", Type: Text, Search: true},
	}})
	apply(t, e, puts("films",
		`{"id":"1","title":"Harry Potter and the Goblet of Fire","plot":"A wizard at school."}`,
		`{"id":"2","title":"Cry for Me, Billy","cast":"Harry Dean, Cliff Potts"}`,
		`{"id":"3","title":"Toy Story 2","cast":"Annie Potts","plot":"A pott of Harry."}`,
		`{"id":"4","title":"Get Him to the Greek","plot":"A trip."}`,
		`{"id":"5","title":"Don't Get Personal","plot":"The G men get him to the station."}`,
		`{"id":"6","title":"The Lord of the Rings","plot":"A ring."}`,
		`{"id":"7","title":"Frying Pan","plot":"Panic in the kitchen."}`,
		`{"id":"8","title":"Panic Room","plot":"A house."}`,
	))
	for q, want := range map[string]string{
		"harry pot": "1", "harry pott": "1", "harry potte": "1", "harry potter": "1", "pott": "1", "harry potter and t": "1",
		"get him to the": "4", "get him to the g": "4", "get him to the gr": "4", "lord of the r": "6", "the lord of the rin": "6",
		"pan": "7", "pani": "8",
	} {
		if got := idsOf(find(t, e, &Request{Query: q, Limit: 1})); got != want {
			t.Errorf("%q: %s is first, want %s", q, got, want)
		}
	}
	for _, r := range []Request{{Query: "harry pott", Prefix: PrefixOff}, {Query: "harry pott", Tuning: Tuning{Title: -1}}, {Query: `harry "pott"`}, {Query: "harry pott", Ranking: RankingBM25}} {
		r.Explain = true
		for _, h := range find(t, e, &r).Hits {
			if stages(h)[StageName] > 0 {
				t.Errorf("%+v raises %s", r, h.ID)
			}
		}
	}
}

// A word that records hold whole, or that something stands for, is no beginning of a name.
func TestWholeWordsAreNoBeginnings(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "pages", Schema{Language: "en", Fields: []Field{{Name: "title", Type: Text, Search: true}, {Name: "text", Type: Text, Search: true}}})
	apply(t, e, puts("pages",
		`{"id":"1","title":"Payments flow"}`, `{"id":"2","title":"Leave","text":"With full pay."}`, `{"id":"3","title":"Appraisals","text":"The pay is raised."}`,
		`{"id":"4","title":"First aid","text":"For all"}`, `{"id":"5","title":"Artificial intelligence tools","text":"And chatbots"}`))
	for q, want := range map[string]string{"pay": "3", "paym": "1", "AI": "5", "ai": "5", "aid": "4", "first a": "4"} {
		if got := idsOf(find(t, e, &Request{Query: q, Limit: 1})); got != want && !(q == "pay" && got == "2") {
			t.Errorf("%q: %s is first, want %s", q, got, want)
		}
	}
}
