package httpapi

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Pages by offset are of one set of records, the same as by cursor, although
// few records hold every word and many some.
func TestPagesAreOfOneSet(t *testing.T) {
	s := withEngine(t, "")
	var records []string
	for i := range 10 {
		records = append(records, fmt.Sprintf(`{"id":"b%02d","t":"red shoe","n":%d,"c":"both"}`, i, 100+i))
	}
	for i := range 20 {
		records = append(records, fmt.Sprintf(`{"id":"o%02d","t":"red hat","n":%d,"c":"one"}`, i, i))
	}
	s.want(201, "PUT", "/v1/indexes/k", `{"fields":[{"name":"t","type":"text"},{"name":"n","type":"int","sort":true},{"name":"c","type":"keyword","facet":true}]}`)
	s.want(201, "POST", "/v1/batch", `{"index":"k","records":[`+strings.Join(records, ",")+`]}`)
	for _, sort := range []string{``, `,"sort":"n:asc"`} {
		var byOffset, byCursor []string
		for offset := 0; offset < 16; offset += 4 {
			var got searchBody
			s.want(200, "POST", "/v1/search", fmt.Sprintf(`{"q":"red shoe","limit":4,"offset":%d,"facets":"c"%s}`, offset, sort)).into(t, &got)
			byOffset = append(byOffset, got.ids()...)
			if got.Total != 10 {
				t.Errorf("offset %d%s: total %d", offset, sort, got.Total)
			}
		}
		cursor := ""
		for {
			var got struct {
				searchBody
				NextCursor *string `json:"next_cursor"`
			}
			s.want(200, "POST", "/v1/search", fmt.Sprintf(`{"q":"red shoe","limit":4%s%s}`, sort, cursor)).into(t, &got)
			byCursor = append(byCursor, got.ids()...)
			if got.NextCursor == nil {
				break
			}
			cursor = `,"cursor":"` + *got.NextCursor + `"`
		}
		if len(byOffset) != 10 || !slices.Equal(byOffset, byCursor) {
			t.Errorf("by offset %v, by cursor %v", byOffset, byCursor)
		}
	}
}

// Figures of integers are exact, beyond 64 bits if need be, and there without
// any match, too.
func TestFacetFiguresAreExact(t *testing.T) {
	s := withEngine(t, "")
	s.want(201, "PUT", "/v1/indexes/k", `{"fields":[{"name":"b","type":"int","filter":true,"facet":true}]}`)
	s.want(201, "POST", "/v1/batch", `{"index":"k","records":[{"b":9007199254740993},{"b":2},{"b":[9223372036854775807,9223372036854775807]}]}`)
	for filter, want := range map[string]string{
		"b = 9007199254740993 OR b = 2": `{"min":2,"max":9007199254740993,"avg":4503599627370498,"sum":9007199254740995,"count":2}`,
		"b = 9007199254740993":          `{"min":9007199254740993,"max":9007199254740993,"avg":9007199254740993,"sum":9007199254740993,"count":1}`,
		"b = 9223372036854775807":       `{"min":9223372036854775807,"max":9223372036854775807,"avg":9223372036854775807,"sum":18446744073709551614,"count":2}`,
		"b < 0":                         `{"min":null,"max":null,"avg":null,"sum":0,"count":0}`,
	} {
		a := s.want(200, "POST", "/v1/search", `{"filter":"`+filter+`","limit":0,"facets":[{"field":"b","stats":true}]}`)
		if !strings.Contains(a.body, `"stats":`+want) {
			t.Errorf("%s: %s", filter, a.body)
		}
		g := s.want(200, "POST", "/v1/graphql", `{"query":"{ search(filter: \"`+filter+`\", facets: [{field: \"b\"}]) { facets { stats { min max avg sum count } } } }"}`)
		if !strings.Contains(g.body, want) {
			t.Errorf("GraphQL, %s: %s", filter, g.body)
		}
	}
}

// A key with a filter learns neither how many records there are beside its own
// nor how many of them hold a word.
func TestFilteredKeysDoNotCountTheRest(t *testing.T) {
	s := withEngine(t, "")
	s.want(201, "PUT", "/v1/indexes/k", `{"fields":[{"name":"t","type":"text"},{"name":"tenant","type":"int","filter":true}]}`)
	s.want(201, "PUT", "/v1/indexes/other", `{"fields":[{"name":"t","type":"text"}]}`)
	s.want(201, "POST", "/v1/batch", `{"index":"other","records":[{"t":"merger"},{"t":"x"}]}`)
	records := []string{`{"t":"merger","tenant":7}`, `{"t":"lunch","tenant":7}`}
	for range 50 {
		records = append(records, `{"t":"merger","tenant":8}`)
	}
	s.want(201, "POST", "/v1/batch", `{"index":"k","records":[`+strings.Join(records, ",")+`]}`)
	k := s.as(s.makeKey(`{"scopes":["search","read"],"filter":"tenant = 7"}`).Key)
	type index struct {
		Name           string
		Records, Bytes int
	}
	var list struct{ Indexes []index }
	k.want(200, "GET", "/v1/indexes", "").into(t, &list)
	var one index
	k.want(200, "GET", "/v1/indexes/k", "").into(t, &one)
	if want := []index{{"k", 2, 0}, {"other", 0, 0}}; !slices.Equal(list.Indexes, want) || one != want[0] {
		t.Errorf("%v, %v", list, one)
	}
	a := k.want(200, "POST", "/v1/search", `{"q":"merger","index":"k","explain":true}`)
	if strings.Contains(a.body, `"df"`) || strings.Contains(a.body, `"idf"`) || !strings.Contains(a.body, `"norm"`) {
		t.Error(a.body)
	}
}
