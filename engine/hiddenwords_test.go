package engine

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestHiddenWords: what a caller who may see some records finds, and what is told of the query, does not
// depend on the words of others, how many of them there may be.
func TestHiddenWords(t *testing.T) {
	words := strings.Fields("sun flower sunflower movie film movies cheap house cheaphouse houseboat boat motor boatmotor boardmotor board kids kid calorie caloriemate rain login log in")
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 11))
		language := []string{"en", "de"}[seed%2]
		var seen []string
		for i := range 4 {
			seen = append(seen, fmt.Sprintf(`{"id":"v%d","tenant":1,"title":%q}`, i, phraseOf(r, words, 1+r.IntN(4))))
		}
		engines := make([]*Engine, 2)
		for which := range engines {
			e := newEngine(t, nil)
			create(t, e, "i", Schema{Language: language, Fields: []Field{{Name: "title", Type: Text, Search: true, Weight: 3}, {Name: "tenant", Type: Int, Filter: true}}})
			b := puts("i", seen...)
			for i := range 30 {
				text := "neutral"
				if which == 1 && i < 6 {
					text = phraseOf(r, words, 1+r.IntN(3))
				}
				b.Put("i", fmt.Appendf(nil, `{"id":"h%d","tenant":2,"title":%q}`, i, "zeta "+text))
			}
			apply(t, e, b)
			engines[which] = e
		}
		for range 20 {
			req := Request{Query: phraseOf(r, words, 1+r.IntN(3)), Restrict: []string{"tenant = 1"}, Limit: 50, Prefix: Prefix(r.IntN(2)), Match: Match(r.IntN(2))}
			var told [2]string
			for which, e := range engines {
				res := find(t, e, &req)
				q := res.Query
				ids := strings.Fields(idsOf(res))
				slices.Sort(ids) // what a word weighs may depend on others
				told[which] = fmt.Sprint(res.Total, ids, q.Text, q.Corrections, q.Compounds, q.Thesaurus, q.DidYouMean)
			}
			if told[0] != told[1] {
				t.Errorf("seed %d, %s: %q among %q:\n%s, and beside others\n%s", seed, language, req.Query, seen, told[0], told[1])
			}
		}
	}
}

// TestHiddenWordsAreThereForOthers: what one caller may not see is not remembered as missing.
func TestHiddenWordsAreThereForOthers(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "i", Schema{Language: "en", Fields: []Field{{Name: "title", Type: Text, Search: true}, {Name: "tenant", Type: Int, Filter: true}}})
	apply(t, e, puts("i", `{"id":"v","tenant":1,"title":"sun and flower"}`, `{"id":"h","tenant":2,"title":"houseboat"}`))
	for _, c := range []struct {
		restrict []string
		want     string
	}{{[]string{"tenant = 1"}, ""}, {nil, "h"}} {
		told := false
		for _, joined := range find(t, e, &Request{Query: "house boat", Restrict: c.restrict, Prefix: PrefixOff}).Query.Compounds {
			told = told || joined.To == "houseboat"
		}
		if told != (c.want != "") {
			t.Errorf("within %q: looked for as a houseboat: %v", c.restrict, told)
		}
	}
}
