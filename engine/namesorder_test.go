package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// titleAndBody is a schema with a title that weighs more than the body.
func titleAndBody(language string) Schema {
	return Schema{Language: language, Fields: []Field{
		{Name: "title", Type: Text, Search: true, Weight: 3}, {Name: "body", Type: Text, Search: true}, {Name: "kind", Type: Int, Filter: true},
	}}
}

// TestNamesKeepTheOrder: whatever the words of a name weigh, the record of the name comes
// first, scores fall, and pages hold every record once.
func TestNamesKeepTheOrder(t *testing.T) {
	long := strings.Repeat("x y z ", 100)
	for _, tt := range []struct {
		q    string
		fill func(put func(index, id, title, body string))
	}{
		{`"aliens"`, func(put func(index, id, title, body string)) { // quoted words are no words that bonuses ask for
			for i := range 60 {
				put("en", fmt.Sprint("a", i), "aliens aliens", strings.Repeat("aliens ", 1+i%7))
			}
			for i := range 2000 {
				put("en", fmt.Sprint("q", i), "x", "it")
			}
			put("en", "z", "aliens", long)
		}},
		{`"star wars" love`, func(put func(index, id, title, body string)) { // a phrase beside a frequent word
			for i := range 5000 {
				put("en", fmt.Sprint("q", i), "love", "love")
			}
			for i := range 60 {
				put("en", fmt.Sprint("a", i), "star wars star wars", "love "+strings.Repeat("star wars ", 1+i%7))
			}
			put("en", "z", "star wars love", long)
		}},
		{"aliens", func(put func(index, id, title, body string)) { // words weigh much in one index and little in the other
			for i := range 4000 {
				put("en", fmt.Sprint("q", i), "alien ship", "alien")
			}
			for i := range 60 {
				put("none", fmt.Sprint("b", i), "aliens saga", strings.Repeat("aliens ", 1+i%7))
			}
			put("en", "z", "aliens", long)
		}},
		{"shoes", func(put func(index, id, title, body string)) { // the stem weighs next to nothing, and the form much
			for i := range 940 {
				put("en", fmt.Sprint("q", i), "shoe box", "shoe")
			}
			for i := range 60 {
				put("en", fmt.Sprint("a", i), "shoes and shoes", strings.Repeat("shoes ", 1+i%7))
			}
			put("en", "z", "Shoes", long)
		}},
		{"shopping", func(put func(index, id, title, body string)) { // many titles of the stem and the length
			for i := range 700 {
				put("en", fmt.Sprint("q", i), "shop", "shopping shopping")
			}
			put("en", "z", "Shopping", long)
		}},
	} {
		e := newEngine(t, nil)
		for _, l := range []string{"en", "none"} {
			create(t, e, l, titleAndBody(l))
		}
		b := &Batch{}
		tt.fill(func(index, id, title, body string) {
			b.Put(index, fmt.Appendf(nil, `{"id":%q,"title":%q,"body":%q}`, id, title, body))
		})
		apply(t, e, b)
		res := find(t, e, &Request{Query: tt.q, Match: MatchAny, Limit: 1000, Explain: true})
		if got := namedIDs(t, res.Hits); !slices.Equal(got, []string{"en/z"}) || res.Hits[0].ID != "z" {
			t.Errorf("%s: %q have the name, %s comes first", tt.q, got, res.Hits[0].ID)
		}
		for i := range res.Hits[1:] {
			if res.Hits[i+1].Score > res.Hits[i].Score {
				t.Errorf("%s: the score rises at %d", tt.q, i+1)
				break
			}
		}
		for _, limit := range []int{1, 10, 25} {
			seen, req := map[string]bool{}, Request{Query: tt.q, Match: MatchAny, Limit: limit}
			for range 150 / limit {
				one := find(t, e, &req)
				for _, id := range idList(one.Hits) {
					if seen[id] {
						t.Fatalf("%s: with pages of %d, %s comes twice", tt.q, limit, id)
					}
					seen[id] = true
				}
				if req.After = one.Next; one.Next == nil {
					break
				}
			}
		}
	}
}

// TestNamesTellNothingOfWhatIsOutOfSight: whether a word is in records that the caller may not
// see decides nothing.
func TestNamesTellNothingOfWhatIsOutOfSight(t *testing.T) {
	var before []string
	for _, hidden := range []string{"other", "starwars"} {
		e := newEngine(t, nil)
		create(t, e, "i", titleAndBody("en"))
		b := &Batch{}
		for i := range 30 {
			b.Put("i", fmt.Appendf(nil, `{"id":"a%02d","title":"star wars","body":"star wars","kind":1}`, i))
		}
		b.Put("i", []byte(`{"id":"starwars","title":"thing","body":"star wars","kind":1}`))
		b.Put("i", fmt.Appendf(nil, `{"id":"hid","title":%q,"kind":2}`, hidden))
		apply(t, e, b)
		got := idList(find(t, e, &Request{Query: "starwars", Restrict: []string{"kind = 1"}, Limit: 100}).Hits)
		if before != nil && !slices.Equal(got, before) {
			t.Errorf("%s comes first where a record out of sight says %q, else %s", got[0], hidden, before[0])
		}
		before = got
	}
}

// TestIDsAreNamesWithoutTitles: an index without titles has ids.
func TestIDsAreNamesWithoutTitles(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "i", Schema{Language: "en", Fields: []Field{{Name: "body", Type: Text, Search: true}}})
	apply(t, e, puts("i", `{"id":"vim","body":"an editor, vim, that has very many words in its body and so on"}`, `{"id":"2","body":"vim vim vim"}`))
	if got := idsOf(find(t, e, &Request{Query: "vim"})); got != "vim 2" {
		t.Errorf("found %s, want vim first", got)
	}
	apply(t, e, puts("i", `{"id":"subversion","body":"keeps versions, and has many words beside subversion in its body"}`, `{"id":"3","body":"subversion subversion"}`))
	if got := idsOf(find(t, e, &Request{Query: "subversoin"})); got != "subversion 3" {
		t.Errorf("with a slip %s are found, want subversion first", got)
	}
}
