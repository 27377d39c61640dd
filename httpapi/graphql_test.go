package httpapi

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
)

// graphAnswer is the answer to a GraphQL operation that was run.
type graphAnswer struct {
	Data   map[string]any
	Errors []struct {
		Message    string
		Path       []any
		Extensions struct {
			Code, Pointer string
			Status        int
			Errors        []struct{ Pointer, Code string }
			Indexes       []string
		}
	}
}

// graph sends a GraphQL request; variables is a JSON object or "".
func (s *service) graph(query, variables string) answer {
	s.t.Helper()
	body := map[string]any{"query": query}
	text, _ := json.Marshal(body)
	if variables != "" {
		text = append(text[:len(text)-1], `,"variables":`+variables+"}"...)
	}
	return s.do("POST", "/v1/graphql", string(text))
}

// run sends a GraphQL request that can be run.
func (s *service) run(query, variables string) graphAnswer {
	s.t.Helper()
	a := s.graph(query, variables)
	if a.status != 200 {
		s.t.Fatalf("%s: status %d: %s", query, a.status, a.body)
	}
	var got graphAnswer
	a.into(s.t, &got)
	return got
}

func TestGraphQLSearch(t *testing.T) {
	s := withRecords(t)
	a := s.graph(`{ search(q: "red", index: "shop", limit: 1, facets: [{field: "price", ranges: [[null, 50], [50, null]]}, {field: "title"}], highlight: {fields: "title"}, explain: true) {
		hits { id index score record highlight { field text matches } explain title: record(fields: "title") }
		total totalExact nextCursor version query { text corrections { from to } didYouMean } facets { field values { value count } ranges { from to count } other missing stats { min max avg sum count } exact } } }`, "")
	t.Log(a.status, a.body)
	for _, part := range []string{`"id":"a"`} {
		if !strings.Contains(a.body, part) {
			t.Errorf("%s is not in %s", part, a.body)
		}
	}
}
