package httpapi

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

const parityFields = `hits { id index score record explain highlight { field text start item matches } }
	total totalExact nextCursor version query { text filtersFromIntent corrections { from to } didYouMean }
	facets { field values { value count } ranges { from to count } other missing stats { min max avg sum count } exact }`

// The same search by REST and by GraphQL, over random records, gives the same
// hits, scores, totals, facets and cursors, or the same mistake at the same
// place.
func TestGraphQLParity(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	s := withEngine(t, "")
	for _, index := range []string{"shop", "news"} {
		s.want(201, "PUT", "/v1/indexes/"+index, `{"fields":[{"name":"title","type":"text","weight":3},{"name":"text","type":"text"},
			{"name":"brand","type":"keyword","filter":true,"facet":true,"sort":true},{"name":"price","type":"float","filter":true,"facet":true,"sort":true},
			{"name":"stock","type":"int","filter":true,"facet":true,"sort":true},{"name":"on","type":"bool","filter":true,"facet":true}]}`)
		s.want(201, "POST", "/v1/batch?index="+index, randomRecords(rng, 300), "Content-Type: application/x-ndjson")
	}
	cursors := 0
	for i := range 500 {
		s.check = i < 25 // held to each other, answers are seldom wrong alone
		search := randomSearch(rng)
		for page := 0; ; page++ {
			next, ok := s.sameSearch(search)
			if !ok {
				t.Fatalf("seed %d, search %d: %s", seed, i, search)
			}
			if next == nil || page == 2 {
				break
			}
			cursors++
			search["cursor"] = next
			delete(search, "offset")
		}
	}
	if cursors == 0 {
		t.Error("no search had a second page")
	}
}

// members are those of a JSON object, unread.
type members map[string]jsontext.Value

func (m members) String() string {
	text, _ := json.Marshal(m, json.Deterministic(true))
	return string(text)
}

// sameSearch runs a search both ways and returns the cursor to the next page.
func (s *service) sameSearch(search members) (next jsontext.Value, ok bool) {
	s.t.Helper()
	rest := s.do("POST", "/v1/search", search.String())
	graph := s.graph(`query ($q: String, $index: [String!], $filter: String, $sort: [String!], $limit: Int = 20, $offset: Int, $cursor: String,
			$facets: [FacetInput!], $highlight: HighlightInput, $explain: Boolean) {
		search(q: $q, index: $index, filter: $filter, sort: $sort, limit: $limit, offset: $offset, cursor: $cursor, facets: $facets, highlight: $highlight, explain: $explain) {`+
		parityFields+` } }`, search.String())
	if rest.status != 200 {
		var got graphAnswer
		graph.into(s.t, &got)
		p := rest.problem(s.t)
		if len(got.Errors) != 1 || len(got.Errors[0].Extensions.Errors) != len(p.Errors) || got.Errors[0].Extensions.Code != p.Code {
			s.t.Errorf("REST: %s\nGraphQL: %s", rest.body, graph.body)
			return nil, false
		}
		found := got.Errors[0].Extensions.Errors // in the order of the arguments, not of the body
		slices.SortFunc(found, func(a, b graphFault) int { return strings.Compare(a.Pointer, b.Pointer) })
		slices.SortFunc(p.Errors, func(a, b problemFault) int { return strings.Compare(a.Pointer, b.Pointer) })
		for i, e := range found {
			// GraphQL takes one value for a list of it.
			at := p.Errors[i].Pointer
			if e.Pointer != at && e.Pointer != at+"/0" || e.Code != p.Errors[i].Code {
				s.t.Errorf("REST: %s\nGraphQL: %s", rest.body, graph.body)
				return nil, false
			}
		}
		return nil, true
	}
	var want, got object
	rest.into(s.t, &want)
	graph.into(s.t, &got)
	found, _ := memberAt(got, "data", "search").(object)
	byField(memberAt(found, "facets"))
	hits, _ := memberAt(found, "hits").([]any)
	for _, h := range hits {
		byField(memberAt(h, "highlight"))
	}
	if diff := cmp.Diff(inGraphQL(want), found); diff != "" {
		s.t.Errorf("-REST +GraphQL\n%s\n%s", diff, graph.body)
		return nil, false
	}
	if cursor, ok := want["next_cursor"].(string); ok {
		next, _ = json.Marshal(cursor)
	}
	return next, true
}

// byField sorts a list of objects.
func byField(v any) []any {
	list, _ := v.([]any)
	slices.SortFunc(list, func(a, b any) int {
		return strings.Compare(a.(object)["field"].(string), b.(object)["field"].(string))
	})
	return list
}

// inGraphQL turns the answer of POST /v1/search into that of parityFields.
func inGraphQL(r object) object {
	list := func(named any, each func(field string, o object)) []any {
		out := []any{}
		o, _ := named.(object)
		for field, v := range o {
			v.(object)["field"] = field
			each(field, v.(object))
			out = append(out, v)
		}
		return byField(out)
	}
	orNull := func(o object, names ...string) {
		for _, name := range names {
			if _, ok := o[name]; !ok {
				o[name] = nil
			}
		}
	}
	q := r["query"].(object)
	out := object{
		"hits": r["hits"], "total": r["total"], "totalExact": r["total_exact"], "nextCursor": r["next_cursor"],
		"version": fmt.Sprint(r["version"]),
		"query":   object{"text": q["text"], "filtersFromIntent": q["filters_from_intent"], "corrections": q["corrections"], "didYouMean": q["did_you_mean"]},
		"facets":  list(r["facets"], func(_ string, o object) { orNull(o, "values", "ranges", "other", "stats") }),
	}
	for _, h := range r["hits"].([]any) {
		hit := h.(object)
		orNull(hit, "explain", "highlight")
		if hit["highlight"] != nil {
			hit["highlight"] = list(hit["highlight"], func(string, object) {})
		}
	}
	return out
}

var parityWords = strings.Fields(`red blue green shoe shoes running run walk hat coat the a of and quick brown fox lazy dog market price river
	mountain winter summer light heavy cheap new old small large house garden table chair music film book paper stone iron wood water fire`)

func randomText(rng *rand.Rand, n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = parityWords[int(float64(len(parityWords))*rng.Float64()*rng.Float64())] // some are frequent
	}
	return strings.Join(words, " ")
}

func randomRecords(rng *rand.Rand, n int) string {
	var lines []string
	for i := range n {
		r := map[string]any{"id": fmt.Sprintf("r%03d", i), "title": randomText(rng, 1+rng.IntN(5)), "text": randomText(rng, rng.IntN(40))}
		if rng.IntN(4) > 0 {
			r["brand"] = []string{"Nike", "Asics", "Puma"}[rng.IntN(3)]
			r["price"] = float64(rng.IntN(1000)) / 8
		}
		if rng.IntN(4) > 0 {
			r["stock"] = int64(1)<<60 + rng.Int64N(5)
			r["on"] = rng.IntN(2) == 0
		}
		line, _ := json.Marshal(r)
		lines = append(lines, string(line))
	}
	return ndjson(lines...)
}

// randomSearch makes a search; about one in ten is wrong somewhere.
func randomSearch(rng *rand.Rand) members {
	m := members{}
	set := func(chance float64, name string, values ...string) {
		if rng.Float64() < chance {
			m[name] = jsontext.Value(values[rng.IntN(len(values))])
		}
	}
	if rng.IntN(5) > 0 {
		m["q"], _ = json.Marshal(randomText(rng, 1+rng.IntN(4)))
	}
	set(0.3, "index", `"shop"`, `"n*"`, `["shop","news"]`, `"*"`)
	set(0.4, "filter", `"price > 20"`, `"brand = 'Nike' OR stock >= 1152921504606846978"`, `"NOT on = true"`, `"EXISTS price AND brand IN ['Puma','Asics']"`)
	set(0.3, "sort", `"price"`, `["brand:desc","score"]`, `["stock:asc","price:desc"]`, `"score:asc"`)
	set(0.7, "limit", "0", "1", "3", "7", "50")
	set(0.2, "offset", "0", "2", "30", "700")
	set(0.4, "facets", `"brand"`, `["brand",{"field":"price","ranges":[[null,20],[20,60.5],[60.5,null]]}]`, `[{"field":"price","limit":3},{"field":"stock"}]`, `[{"field":"on"}]`)
	set(0.3, "highlight", `{}`, `{"fields":["title"],"pre":"[","post":"]"}`, `{"words":5}`)
	set(0.3, "explain", "true", "false")
	set(0.02, "filter", `"price >"`, `"none = 1"`, `"title = 1"`)
	set(0.02, "sort", `"none"`, `["price","price"]`, `"text"`)
	set(0.02, "limit", "1000", "-1")
	set(0.02, "offset", "10000", "-5")
	set(0.02, "cursor", `"x"`)
	set(0.02, "index", `"none"`, `["shop","none"]`, `"A"`)
	set(0.02, "highlight", `{"words":-1}`, `{"fields":["none"]}`)
	// REST takes a text for a facet, GraphQL only the object.
	if f := string(m["facets"]); strings.Contains(f, `"brand"`) {
		m["facets"] = jsontext.Value(strings.Replace("["+strings.Trim(f, "[]")+"]", `"brand"`, `{"field":"brand"}`, 1))
		if strings.Contains(f, "ranges") {
			m["facets"] = jsontext.Value(strings.Replace(f, `["brand"`, `[{"field":"brand"}`, 1))
		}
	}
	return m
}
