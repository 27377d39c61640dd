package engine

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// nameWords are words of titles: frequent ones and fillers, and forms of one stem.
var nameWords = strings.Fields("it up the bird birds alien aliens sniper american man go going love you")

// namedIDs returns the ids of hits that got something for their name.
func namedIDs(t *testing.T, hits []Hit) (ids []string) {
	t.Helper()
	for _, h := range hits {
		sum, is := 0.0, false
		for _, p := range h.Explain.Parts {
			sum += p.Score
			is = is || p.Stage == StageName
		}
		if sum != h.Score {
			t.Fatalf("the parts of %s add up to %v, its score is %v", h.ID, sum, h.Score)
		}
		if is {
			ids = append(ids, h.Index+"/"+h.ID)
		}
	}
	return ids
}

// phraseOf returns some words.
func phraseOf(r *rand.Rand, from []string, n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = from[r.IntN(len(from))]
	}
	return strings.Join(words, " ")
}

// titledRecords is an engine of two indexes, a and b, of n records each in some segments, of
// which every seventh is deleted again; the titles and kinds of the others are by index and id.
func titledRecords(t *testing.T, r *rand.Rand, n int, phrase, title func(n int) string) (e *Engine, titles map[string]string, kinds map[string]int) {
	t.Helper()
	e = newEngine(t, &Options{NoMerge: true})
	titles, kinds = map[string]string{}, map[string]int{}
	for _, index := range []string{"a", "b"} {
		create(t, e, index, Schema{Language: "en", Fields: []Field{
			{Name: "title", Type: Text, Search: true, Weight: 3}, {Name: "body", Type: Text, Search: true},
			{Name: "kind", Type: Int, Filter: true},
		}})
		for i := range n {
			id := fmt.Sprintf("%03d", i)
			title, kind := title(i), r.IntN(3)
			titles[index+"/"+id], kinds[index+"/"+id] = title, kind
			shown := strings.ToUpper(title[:1]) + title[1:] + []string{"", "!", "."}[r.IntN(3)]
			apply(t, e, puts(index, fmt.Sprintf(`{"id":%q,"title":%q,"body":%q,"kind":%d}`, id, shown, phrase(3+r.IntN(30)), kind)))
			if r.IntN(n/4) == 0 {
				if err := e.Flush(context.Background()); err != nil {
					t.Fatal(err)
				}
			}
		}
		for i := 0; i < n; i += 7 {
			id := fmt.Sprintf("%03d", i)
			delete(titles, index+"/"+id)
			apply(t, e, &Batch{Ops: []Op{{Kind: OpDelete, Index: index, ID: id}}})
		}
	}
	return e, titles, kinds
}

// TestNamesComeFirst: the records that have the query for a title come first, wherever their
// words stand in the order by words, in any segments and indexes, whatever else is asked for.
func TestNamesComeFirst(t *testing.T) {
	const seed = 17
	r := rand.New(rand.NewPCG(seed, 0))
	phrase := func(n int) string { return phraseOf(r, nameWords, n) }
	e, titles, kinds := titledRecords(t, r, 600, phrase, func(n int) string {
		if n%20 == 0 {
			return "love" // more than may have one name
		}
		return phrase(1 + r.IntN(3))
	})
	some, many := 0, 0
	for n := range 300 {
		q := phrase(1 + r.IntN(3))
		if n%25 == 0 {
			q = "love"
		}
		req := Request{Query: q, Limit: 1000, Explain: true, Typo: Typo{Off: true}, NoSynonyms: true}
		kind := r.IntN(4) - 1
		switch filter := fmt.Sprintf("kind = %d", kind); {
		case kind >= 0 && n%2 == 0:
			req.Filter = filter
		case kind >= 0:
			req.Restrict = []string{filter}
		}
		if n%3 > 0 {
			req.Indexes = []string{[]string{"a", "b"}[n%2]}
		}
		var want []string
		for key, title := range titles {
			if title == q && (kind < 0 || kinds[key] == kind) && (req.Indexes == nil || key[:1] == req.Indexes[0]) {
				want = append(want, key)
			}
		}
		what := fmt.Sprintf("seed %d, %q, filter %q, restrict %q, indexes %q", seed, q, req.Filter, req.Restrict, req.Indexes)
		if len(want) > maxNamed {
			want = nil
			many++
		} else if len(want) > 0 {
			some++
		}
		for range 2 { // the second time it is known
			res := find(t, e, &req)
			got := namedIDs(t, res.Hits)
			first := idList(res.Hits[:len(got)])
			if !slices.Equal(first, got) || !slices.Equal(sortedList(got), sortedList(want)) {
				t.Fatalf("%s: %q have the name, and %q come first; want %q", what, got, first, want)
			}
			if all := idList(res.Hits); len(slices.Compact(sortedList(all))) != len(all) {
				t.Fatalf("%s: a record comes twice", what)
			}
			pages, page := []string(nil), req
			page.Limit, page.After = 1+r.IntN(30), nil
			for {
				one := find(t, e, &page)
				pages = append(pages, idList(one.Hits)...)
				if page.After = one.Next; one.Next == nil || len(pages) > 3*page.Limit+60 {
					break
				}
			}
			if req.Limit > completePage && page.Limit >= completePage && !slices.Equal(pages, idList(res.Hits)[:len(pages)]) {
				t.Fatalf("%s: by pages of %d\n%q\nat once\n%q", what, page.Limit, pages, idList(res.Hits)[:len(pages)])
			}
		}
	}
	if some < 50 || many < 3 {
		t.Errorf("seed %d: %d queries are names, %d of too many", seed, some, many)
	}
}

// TestNamesAreWholeQueries: what is only a part of a query, or has another form, is no name.
func TestNamesAreWholeQueries(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "i", Schema{Language: "en", Fields: []Field{
		{Name: "title", Type: Text, Search: true, Weight: 3}, {Name: "body", Type: Text, Search: true},
		{Name: "year", Type: Int, Filter: true, Facet: true},
	}})
	apply(t, e, puts("i",
		`{"id":"1","title":"Alien","body":"in space","year":1979}`,
		`{"id":"2","title":"Aliens","body":"alien and aliens, more of them, alien by alien","year":1986}`,
		`{"id":"3","title":"Laptop","body":"touchscreen","year":2020}`,
		`{"id":"4","title":"Laptop with keyboard","body":"laptop","year":2021}`,
		`{"id":"5","title":"日本語","body":"本","year":2001}`,
		`{"id":"6","title":"Ночной дозор","body":"x","year":2004}`,
		`{"id":"7","title":"Été","body":"x","year":2005}`,
		`{"id":"vim","title":"Vi improved","body":"vim is an editor","year":2006}`,
		`{"id":"8","title":"vim plugin for vim","body":"vim vim vim","year":2007}`,
		`{"id":"2008","title":"A year","body":"2008 was one","year":2008}`,
		`{"id":"sku-42","title":"Red shoes","body":"nothing else","year":2009}`,
	))
	for _, tt := range []struct {
		r    Request
		want string
	}{
		{Request{Query: "alien"}, "i/1"},
		{Request{Query: "ALIENS"}, "i/2"},
		{Request{Query: `"aliens"`}, "i/2"},
		{Request{Query: "+alien"}, ""},
		{Request{Query: "title:alien"}, ""},
		{Request{Query: "alien movie"}, ""},
		{Request{Query: "aliem"}, "i/1"}, // repaired
		{Request{Query: "laptop without touchscreen"}, ""},
		{Request{Query: "laptop 2020"}, ""},
		{Request{Query: "日本語"}, "i/5"},
		{Request{Query: "ночной ДОЗОР"}, "i/6"},
		{Request{Query: "ete"}, "i/7"},
		{Request{Query: "vim"}, "i/vim"}, // by its id
		{Request{Query: "VIM"}, "i/vim"},
		{Request{Query: "vim", Restrict: []string{"year > 2000"}}, "i/vim"},
		{Request{Query: "vim", Restrict: []string{"year > 2006"}}, ""},
		{Request{Query: "vim editor"}, ""},
		{Request{Query: "2008", Intent: Intent{Mode: IntentOff}}, ""}, // ids that are numbers are met by chance
		{Request{Query: "sku-42"}, "i/sku-42"},                        // a match though no text has it
		{Request{Query: "alien", Tuning: Tuning{Title: -1}}, ""},
		{Request{Query: "alien", Ranking: RankingBM25}, ""},
		{Request{Query: "alien", Fields: []FieldWeight{{Field: "body"}}}, ""},
		{Request{Query: "alien", Fields: []FieldWeight{{Field: "title"}}}, "i/1"},
		{Request{Query: "alien", Filter: "year > 1980"}, ""},
		{Request{Query: "alien", Hide: []string{"1"}}, ""},
	} {
		tt.r.Explain = true
		if got := strings.Join(namedIDs(t, find(t, e, &tt.r).Hits), " "); got != tt.want {
			t.Errorf("%q %+v: %q have the name, want %q", tt.r.Query, tt.r, got, tt.want)
		}
	}
}

// TestValuesInNames: where titles have the words of a value together with the word beside
// them, half of these records or more have to have the value.
func TestValuesInNames(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "i", Schema{Language: "en", Fields: []Field{
		{Name: "title", Type: Text, Search: true, Weight: 3}, {Name: "genre", Type: Keyword, Facet: true, Filter: true},
		{Name: "tenant", Type: Int, Filter: true},
	}})
	apply(t, e, puts("i",
		`{"id":"1","title":"Star Wars","genre":"Fiction","tenant":1}`,
		`{"id":"2","title":"Star Wars: a new one","genre":"Fiction","tenant":1}`,
		`{"id":"3","title":"Star of the war","genre":"War","tenant":1}`,
		`{"id":"4","title":"A war far away","genre":"War","tenant":2}`,
		`{"id":"5","title":"Civil war in pictures","genre":"War","tenant":1}`,
		`{"id":"6","title":"Civil war by ants","genre":"Fiction","tenant":1}`,
		`{"id":"7","title":"Civil wars, a game","genre":"Fiction","tenant":2}`,
	))
	for _, tt := range []struct {
		r    Request
		want string
	}{
		{Request{Query: "war"}, ""},                                                                   // it is all of the query, and texts say it
		{Request{Query: "far war"}, `boost: genre = "War" (war)`},                                     // not together in a title
		{Request{Query: "star wars"}, ``},                                                             // 0 of 2
		{Request{Query: "star wars story"}, ``},                                                       // nor beside more
		{Request{Query: "star of the war"}, `boost: genre = "War" (war)`},                             // 1 of 1, past fillers
		{Request{Query: "civil war"}, ``},                                                             // 1 of 3
		{Request{Query: "civil war", Restrict: []string{"tenant = 1"}}, `boost: genre = "War" (war)`}, // 1 of 2 of those that are seen
		{Request{Query: "war pictures"}, `boost: genre = "War" (war)`},
		{Request{Query: "fiction wars"}, `boost: genre = "Fiction" (fiction); boost: genre = "War" (wars)`}, // a value beside a value
	} {
		for range 2 {
			if got := told(&find(t, e, &tt.r).Query); got != tt.want {
				t.Errorf("%q %q is understood as\n     %s\nwant %s", tt.r.Query, tt.r.Restrict, got, tt.want)
			}
		}
	}
}

// TestNamesThatSayNumbers: what a query says of a number is a part of the name of a record
// that it would leave out.
func TestNamesThatSayNumbers(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "i", Schema{Language: "en", Fields: []Field{
		{Name: "title", Type: Text, Search: true, Weight: 3}, {Name: "price", Type: Float, Filter: true, Sort: true}, {Name: "tenant", Type: Int, Filter: true},
	}})
	apply(t, e, puts("i",
		`{"id":"1","title":"Under 10 euros a day: a book of travels","price":25,"tenant":1}`,
		`{"id":"2","title":"Tapas under 10 euros","price":8,"tenant":1}`,
		`{"id":"3","title":"A day of tapas","price":30,"tenant":1}`,
		`{"id":"4","title":"Tapas for days","price":9,"tenant":2}`,
	))
	for _, tt := range []struct {
		r    Request
		want string
	}{
		{Request{Query: "under 10 euros a day"}, ""},
		{Request{Query: "under 10 euros a day", Restrict: []string{"tenant = 2"}}, `filter: price < 10 (under 10 euros)`}, // which the caller does not see
		{Request{Query: "tapas under 10 euros"}, `filter: price < 10 (under 10 euros)`},                                   // satisfied by what is called so
		{Request{Query: "tapas under 10 euros a day"}, `filter: price < 10 (under 10 euros)`},
		{Request{Query: "under 10 euros"}, `filter: price < 10 (under 10 euros)`}, // all that is said
	} {
		if got := told(&find(t, e, &tt.r).Query); got != tt.want {
			t.Errorf("%q %q is understood as\n     %s\nwant %s", tt.r.Query, tt.r.Restrict, got, tt.want)
		}
	}
}

// TestMisspeltNames: of the words that one may be misspelt for, that counts which makes the
// query the name of a record, however rare it is; where none does, or the caller may not see
// all records, the likeliest.
func TestMisspeltNames(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "i", Schema{Language: "en", Fields: []Field{
		{Name: "title", Type: Text, Search: true, Weight: 3}, {Name: "body", Type: Text, Search: true}, {Name: "tenant", Type: Int, Filter: true},
	}})
	apply(t, e, puts("i", `{"id":"1","title":"The masked bride","body":"one","tenant":1}`))
	for n := range 20 {
		apply(t, e, puts("i", fmt.Sprintf(`{"id":"m%d","title":"Marked cards %d","body":"the marked bride, marked for life","tenant":2}`, n, n)))
	}
	for _, tt := range []struct {
		r    Request
		text string
		hits string // how the id of the first begins
	}{
		{Request{Query: "the matked bride", Limit: 1}, "the masked bride", "1"},
		{Request{Query: "matked bride", Limit: 1}, "marked bride", "m"},
		{Request{Query: "matked cards", Limit: 1}, "marked cards", "m"},
		{Request{Query: "the matked bride", Limit: 1, Tuning: Tuning{Title: -1}}, "the marked bride", "m"},
		{Request{Query: "the matked bride", Limit: 1, Restrict: []string{"tenant = 2"}}, "the marked bride", "m"},
		{Request{Query: "the matked bride", Limit: 1, Typo: Typo{Off: true}, Match: MatchAll}, "the matked bride", ""},
	} {
		for range 2 {
			res := find(t, e, &tt.r)
			if res.Query.Text != tt.text || !strings.HasPrefix(idsOf(res), tt.hits) {
				t.Errorf("%q %+v: searched for %q, found %s; want %q, %s", tt.r.Query, tt.r, res.Query.Text, idsOf(res), tt.text, tt.hits)
			}
		}
	}
}
