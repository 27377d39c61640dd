package httpapi

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/quarry-search/quarry/engine"
)

// TestAllMistakesOfASearch: whatever a mistake is of, the form of the request,
// filters, indexes or fields, it is told together with the others.
func TestAllMistakesOfASearch(t *testing.T) {
	s := withEngine(t, "")
	s.want(201, "PUT", "/v1/indexes/products", productSchema)
	s.want(201, "POST", "/v1/batch", products)
	form := `"limt":1,"explain":"yes",`
	for _, c := range []struct{ body, want string }{
		{`{` + form + `"filter":"prise < 10 AND brnd = 'x'","sort":["prise","titel:desc"],"fields":["titel","bdy"],"facets":["colr","brnd"],"distinct":"brnd","highlight":{"fields":["tilte"]},"return":["titel"]}`,
			"/limt /explain /fields/0 /fields/1 /filter@1 /filter@16 /sort/0 /sort/1 /facets/0 /facets/1 /distinct /highlight/fields/0 /return/0"},
		{`{"fields":["titel","bdy"],"filter":"prise < 10"}`, "/fields/0 /fields/1 /filter@1"},
		{`{` + form + `"filter":"prise <","sort":"a"}`, "/limt /explain /filter@8 /sort"},
		{`{"filter":["prise <","price > 1","brand ="],"sort":"a"}`, "/filter/0@8 /filter/2@8 /sort"},
		{`{"filter":["price > 1","brnd = \"x\""],"sort":"a:up"}`, "/sort /filter/1@1"},
		// In the place of a mistake there is one, and others keep their places.
		{`{"sort":["titel:up","price","titel"],"fields":["a^x","b"],"facets":[1,"b",{"field":"c","ranges":[[2,1],["x","y"]]}],"return":[1,"titel"],"highlight":{"fields":[1,"titel"],"words":-1}}`,
			"/sort/0 /sort/2 /fields/0 /facets/0 /facets/2/ranges/0 /return/0 /highlight/fields/0 /highlight/words /fields/1 /facets/1 /facets/2 /highlight/fields/1 /return/1"},
		// What is half there is not looked at.
		{`{"group":{"field":"brnd","limit":"x"},"geo":{"field":"loc","lat":"x","lon":1,"radius":"1km"},"typo":{"min1":"x","min2":1,"off_fields":["z"]},"sort":"z"}`,
			"/group/limit /geo/lat /typo/min1 /sort"},
		{`{` + form + `"group":{"field":"brnd"},"geo":{"field":"loc","lat":1,"lon":1,"radius":"1km"},"typo":{"off_fields":["z"]},"language":"xx","vector":[1,2]}`,
			"/limt /explain /language /typo/off_fields/0 /geo/field /group/field /vector"},
		{`{` + form + `"similar":{"id":"none"},"filter":"a = 1"}`, "/limt /explain /filter@1 /similar/id"},
		{`{"q":"(red","syntax":"query","limt":1,"sort":"z"}`, "/limt /q@1 /sort"},
		// Of fields nothing is known where an index is not.
		{`{"index":"none","filter":"prise <","sort":"z"}`, "/index /filter@8"},
		{`{` + form + `"index":["none","products"],"filter":"prise < 1"}`, "/limt /explain /index/0"},
		{`{"index":["no ne"],"limt":1,"filter":"prise < 1"}`, "/index/0 /limt"},
		{`{` + form + `"q":"red"}`, "/limt /explain"},
	} {
		p := s.want(422, "POST", "/v1/search", c.body).problem(t)
		if got, want := places(p), strings.Fields(c.want); !slices.Equal(got, want) {
			slices.Sort(got)
			if slices.Sort(want); !slices.Equal(got, want) {
				t.Errorf("%s\n got %q\nwant %q", c.body, got, want)
			}
		}
	}
	p := s.want(422, "POST", "/v1/search", `{"sort":["`+strings.Join(strings.Split("abcdefghijklmnopq", ""), `","`)+`"]}`).problem(t)
	if len(p.Errors) != 17 || p.Errors[0].Pointer != "/sort" || p.Errors[0].Code != engine.CodeLimitExceeded {
		t.Errorf("too many keys: %+v", p)
	}
	p = s.want(422, "POST", "/v1/suggest", `{"q":"r","limt":1,"filter":"prise < 1"}`).problem(t)
	if got := places(p); !slices.Equal(got, []string{"/limt", "/filter@1"}) {
		t.Errorf("suggest: %q", got)
	}
	p = s.want(422, "POST", "/v1/multi-search", `{"searches":[{"limt":1,"sort":"z"},{},{"filter":"prise < 1"},{"limit":-1,"index":"none"}]}`).problem(t)
	if got := places(p); !slices.Equal(got, []string{"/searches/0/limt", "/searches/3/limit", "/searches/0/sort", "/searches/2/filter@1", "/searches/3/index"}) {
		t.Errorf("multi-search: %q", got)
	}
	a := s.graph(`{ search(q: "x", limit: -1, filter: "prise < 1") { total } }`, "")
	if !strings.Contains(a.body, `"pointer":"/limit"`) || !strings.Contains(a.body, `"pointer":"/filter"`) {
		t.Errorf("GraphQL: %s", a.body)
	}
	if used := s.server.turns; len(used.quick)+len(used.slow) > 0 {
		t.Error("a place is taken after all")
	}
}

// places are the pointers of a problem's list, with columns.
func places(p problemBody) (list []string) {
	for _, f := range p.Errors {
		at := f.Pointer
		if f.Column > 0 {
			at += "@" + strconv.Itoa(f.Column)
		}
		list = append(list, at)
	}
	return list
}

// What else is wrong is told of what the key may use, and of nothing else.
func TestMistakesTellNothingOfOtherIndexes(t *testing.T) {
	s := withEngine(t, "")
	s.want(201, "PUT", "/v1/indexes/secret", `{"fields":[{"name":"hidden","type":"int","filter":true}]}`)
	s.want(201, "PUT", "/v1/indexes/open", `{"fields":[{"name":"shown","type":"int","filter":true}]}`)
	var made struct{ Key string }
	s.want(201, "POST", "/v1/keys", `{"name":"k","scopes":["search"],"indexes":["open"]}`).into(t, &made)
	s.key = made.Key
	for body, want := range map[string]string{
		`{"limt":1,"index":"secret","filter":"hidden < \"x\" AND none = 1"}`:             "/limt /index",
		`{"limt":1,"index":["open","secret"],"filter":"hidden < \"x\" AND none = 1"}`:    "/limt /index/1",
		`{"limt":1,"filter":"hidden < \"x\" AND none = 1 AND shown = 1","sort":"hidde"}`: "/limt /filter@1 /filter@18 /sort",
		`{"limt":1,"index":"*","filter":"hidden < \"x\""}`:                               "/limt /filter@1",
	} {
		p := s.want(422, "POST", "/v1/search", body).problem(t)
		if got := places(p); !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%s: %q, want %s", body, got, want)
		}
		for _, f := range p.Errors {
			if strings.Contains(f.Detail, `mean "hidden"`) || strings.Contains(f.Detail, `"hidden" is an int`) {
				t.Errorf("%s: %s", body, f.Detail)
			}
		}
	}
}
