package engine

import (
	"context"
	"strings"
	"testing"
)

// Constants are compared with integers as they are written, not as the floats
// next to them.
func TestIntegersAreComparedExactlyWithNumbers(t *testing.T) {
	e := newEngine(t, nil)
	apply(t, e, puts("k", `{"id":"a","n":9223372036854775807}`, `{"id":"b","n":9223372036854775806}`, `{"id":"c","n":9007199254740992}`, `{"id":"d","n":-9223372036854775808}`, `{"id":"e","n":5}`))
	for filter, want := range map[string]string{
		"n = 9007199254740993.0":                             "",
		"n = 9007199254740993e0":                             "",
		"n = 9007199254740992.0":                             "c",
		"n = 9007199254740992.5":                             "",
		"n = 9223372036854775807.0":                          "a",
		"n != 9223372036854775807.0":                         "b c d e",
		"n != 9223372036854775807.5":                         "a b c d e",
		"n < 9223372036854775806.5":                          "b c d e",
		"n <= 9223372036854775806.0":                         "b c d e",
		"n < 9223372036854775806.0":                          "c d e",
		"n > 9223372036854775806.5":                          "a",
		"n >= 9223372036854775807.5":                         "",
		"n <= 9223372036854775808.0":                         "a b c d e",
		"n > -9223372036854775808.5":                         "a b c d e",
		"n < -9223372036854775808.5":                         "",
		"n <= -92233720368547758.08e2":                       "d",
		"n > 1e300":                                          "",
		"n > -1e300":                                         "a b c d e",
		"n 9007199254740992.5..9223372036854775806.5":        "b",
		"n:{9223372036854775805.5 TO 9223372036854775807.0}": "b",
		"n IN [9007199254740992.5, 9223372036854775806.0]":   "b",
		"n = 5.0000000000000000001":                          "",
		"n < 5.0000000000000000001":                          "d e",
		"n = 5.0 OR n = 0.5e1":                               "e",
	} {
		if got := sortWords(filtered(t, e, "k", filter)); got != want {
			t.Errorf("%s: %q, want %q", filter, got, want)
		}
	}
	_, err := e.Search(context.Background(), &Request{Filter: "n = 9223372036854775808"})
	wantProblem(t, err, CodeInvalidFilter, "/filter")
}

// A field of floats takes every number that it gives.
func TestFloatsTakeIntegersBeyond64Bits(t *testing.T) {
	e := newEngine(t, nil)
	apply(t, e, puts("k", `{"id":"a","i":9223372036854775807}`))
	apply(t, e, puts("k", `{"id":"b","i":9223372036854775808}`, `{"id":"c","i":18446744073709551615}`))
	for filter, want := range map[string]string{
		"i = 9223372036854776000":                         "b",
		"i = 9223372036854775807":                         "a",
		"i >= 9223372036854775808":                        "b c",
		"i IN [18446744073709551615, 1]":                  "c",
		"i 9223372036854775808..18446744073709551615":     "b c",
		"i > -18446744073709551615 AND NOT i < 2.5":       "a b c",
		"i:[18446744073709551614 TO *]":                   "c",
		"i < 99999999999999999999999999999999999999999.5": "a b c",
	} {
		if got := sortWords(filtered(t, e, "k", filter)); got != want {
			t.Errorf("%s: %q, want %q", filter, got, want)
		}
	}
}

func TestTextIsNotOrderedAsNumbers(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "k", Schema{Fields: []Field{{Name: "p", Type: Keyword, Filter: true}, {Name: "t", Type: Text, Filter: true}}})
	apply(t, e, puts("k", `{"id":"1","p":"10","t":"10"}`, `{"id":"2","p":"9","t":"9"}`))
	for _, filter := range []string{"p > 5", "t <= 5", "p 1..2", "p < 1.5", "p >= true", `p 1.."2"`, "p:[1 TO *]"} {
		_, err := e.Search(context.Background(), &Request{Filter: filter})
		if inv := wantProblem(t, err, CodeInvalidFilter, "/filter"); !strings.Contains(inv.Problems[0].Detail, "quotes") {
			t.Errorf("%s: %v", filter, inv)
		}
	}
	for filter, want := range map[string]string{`p > "5"`: "2", "p = 10": "1", "p != 10": "2", "p IN [9, 10]": "1 2", "p = 18446744073709551616": ""} {
		if got := sortWords(filtered(t, e, "k", filter)); got != want {
			t.Errorf("%s: %q, want %q", filter, got, want)
		}
	}
}

func TestDatesAreOfRFC3339(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "k", Schema{Fields: []Field{{Name: "d", Type: Date, Filter: true}}})
	apply(t, e, puts("k", `{"id":"a","d":"2024-05-01t10:00:00z"}`, `{"id":"b","d":253402300799}`, `{"id":"c","d":"9999-12-31T23:59:59.999999999Z"}`, `{"id":"d","d":"0000-01-01"}`))
	for filter, want := range map[string]string{
		"d = 2024-05-01t10:00:00z": "a", `d = "2024-05-01T10:00:00z"`: "a", "d < 253402300799": "a d", "d >= 253402300799": "b c", "d = -62167219200": "d",
	} {
		if got := sortWords(filtered(t, e, "k", filter)); got != want {
			t.Errorf("%s: %q, want %q", filter, got, want)
		}
	}
	for value, want := range map[string]string{
		`1714521600000`:               "milliseconds",
		`1714521600000.5`:             "milliseconds",
		`1714521600000000000`:         "milliseconds",
		`253402300800`:                "milliseconds",
		`"9999-12-31T23:59:59-01:00"`: "after the year 9999",
		`"0000-01-01T00:00:00+01:00"`: "before the year 0",
		`-62167219201`:                "before the year 0",
		`"today"`:                     `"2026-11-21 13:05:00"`,
	} {
		_, err := e.Apply(context.Background(), puts("k", `{"id":"x","d":`+value+`}`))
		if inv := wantProblem(t, err, CodeInvalidFieldType, "/record/d"); !strings.Contains(inv.Problems[0].Detail, want) {
			t.Errorf("%s: %v", value, inv)
		}
		if strings.HasSuffix(value, ".5") {
			continue // which are no dates in filters
		}
		_, err = e.Search(context.Background(), &Request{Filter: "d > " + value})
		if inv := wantProblem(t, err, CodeInvalidFilter, "/filter"); !strings.Contains(inv.Problems[0].Detail, want) {
			t.Errorf("filter %s: %v", value, inv)
		}
	}
}

// A problem of a filter has a column, and names its index where several are
// searched.
func TestProblemsOfFiltersNameTheirPlaces(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "a", Schema{Fields: []Field{{Name: "x", Type: Int, Filter: true}, {Name: "n", Type: Int, Sort: true}}})
	create(t, e, "b", Schema{Fields: []Field{{Name: "x", Type: Keyword, Filter: true}, {Name: "n", Type: Int, Filter: true, Facet: true, Sort: true}}})
	_, err := e.Search(context.Background(), &Request{Indexes: []string{"a"}, Filter: `x = 1 OR x = "ä" OR NOT (x IN ["b", null] AND n = 1)`})
	inv := wantProblem(t, err, CodeInvalidFilter, "/filter")
	for i, column := range []int{10, 26, 47} {
		if inv.Total != 3 || inv.Problems[i].Column != column || strings.Contains(inv.Problems[i].Detail, "index") {
			t.Fatalf("%+v", inv.Problems)
		}
	}
	for _, c := range []struct {
		r     Request
		index string
	}{
		{Request{Filter: `x = "one"`}, "a"},
		{Request{Filter: `x > 1`}, "b"},
		{Request{Facets: []FacetRequest{{Field: "n"}}}, "a"},
		{Request{Sort: []SortKey{{Field: "x"}}}, "a"},
		{Request{Distinct: "x", Filter: "n = 1"}, "a"},
	} {
		_, err := e.Search(context.Background(), &c.r)
		if err == nil || !strings.Contains(err.Error(), `in the index "`+c.index+`", `) {
			t.Errorf("%+v: %v", c.r, err)
		}
	}
	if _, err := e.Search(context.Background(), &Request{Filter: `nosuch = 1`}); strings.Contains(err.Error(), "index") {
		t.Error(err)
	}
	_, err = e.Apply(context.Background(), &Batch{Ops: []Op{{Kind: OpDeleteWhere, Index: "a", Filter: `x = 1 OR y = 2`}}})
	if inv := wantProblem(t, err, CodeUnknownField, "/filter"); inv.Problems[0].Column != 10 {
		t.Errorf("%+v", inv.Problems)
	}
}
