package httpapi

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// FuzzGraphQL: whatever a GraphQL request is, it is answered with 200 or a 4xx,
// no field fails by the service's own fault, and what is refused with 400 has
// changed nothing.
func FuzzGraphQL(f *testing.F) {
	for _, query := range []string{
		`{ search(q: "red", limit: 2, facets: [{field: "price", ranges: [[null, 1]]}], highlight: {}, explain: true) { hits { id record(fields: "title") explain highlight { text } } facets { values { value } } } }`,
		`query ($q: String = "x", $n: Int, $b: Boolean!) { search(q: $q, limit: $n) @skip(if: $b) { total } indexes(first: $n) { nodes { fields { name } } } }`,
		`mutation ($r: JSON) { batch(input: {index: "shop", records: [$r, {id: 5, x: 1.0}]}, idempotencyKey: "k") { id ids errors { detail } } deleteRecord(id: 5) }`,
		`mutation { putIndex(name: "n", schema: {fields: [{name: "a", type: "int"}]}) { fields { type } } swapIndexes(a: "n", b: "shop") deleteIndex(name: "n") }`,
		`{ record(id: "a", index: "shop") { record } batch(id: "b") { id } usage(from: "2026-11-01", to: "x") { day } __schema { types { name } } __type(name: "Hit") { fields { name } } }`,
		`{ ...f ... on Query { __typename } } fragment f on Query { search { ...g } } fragment g on SearchResult { tookMs version }`,
		introspectionQuery,
		`{ search(q: {a: [1, "x", null, E, $v]}, index: [[1]], sort: 5) { total } }`,
		`{ __type(name: [1]) { name } record(id: 5) { id } }`,
	} {
		for _, variables := range []string{"", `{"q":null,"n":-1,"b":true,"r":{"id":"x","big":12345678901234567890}}`} {
			f.Add(query, variables)
		}
	}
	for _, query := range graphBombs {
		f.Add(query, `{}`)
	}
	services := lend(f)
	f.Fuzz(func(t *testing.T, query, variables string) {
		s := services.to(t)
		s.check = false // takes more time than all the rest
		if !jsontext.Value(variables).IsValid() || variables == "null" {
			variables = ""
		}
		if _, err := json.Marshal(query); err != nil {
			return
		}
		before := services.engine.Version()
		a := s.graph(query, variables)
		if a.status != 200 && (a.status < 400 || a.status >= 500) {
			t.Fatalf("%d %s", a.status, a.body)
		}
		if after := services.engine.Version(); a.status != 200 && after != before {
			t.Errorf("refused with %d, but version %d became %d: %s", a.status, before, after, a.body)
		}
		if a.status == 200 && strings.Contains(a.body, `"code":"internal"`) {
			t.Errorf("%s", a.body)
		}
	})
}
