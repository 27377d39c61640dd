package engine

import (
	"context"
	"errors"
	"testing"
)

// A field that does not exist is told with the one that was meant, wherever a
// request names fields.
func TestNoField(t *testing.T) {
	e := boutique(t, boutiqueSchema())
	for _, tt := range []struct {
		r    Request
		want string
	}{
		{Request{Filter: "prise < 10"}, `there is no field "prise"; did you mean "price"?`},
		{Request{Filter: `Brand = "Nike"`}, `there is no field "Brand"; did you mean "brand"?`},
		{Request{Filter: `maker = "Nike"`}, `there is no field "maker"`},
		{Request{Filter: "x = 1"}, `there is no field "x"`},
		{Request{Filter: "price < 10 AND tenant = 1.5 AND brand < \"1\" AND released = 1.5"}, `the field "released" is a date and cannot be compared with a float`},
		{Request{Filter: "released = true"}, `the field "released" is a date and cannot be compared with a bool`},
		{Request{Filter: `released > "1 May 2026"`}, `the field "released" is compared with dates as "2026-11-21" or "2026-11", times as "2026-11-21T13:05:00Z", "2026-11-21T13:05:00+01:00" or, for UTC, without a zone ("2026-11-21T13:05:00", "2026-11-21T13:05", "2026-11-21 13:05:00"), or seconds since 1970; this is none of them`},
		{Request{Filter: "released > 1763730300000000"}, `the field "released": the date lies after the year 9999: it looks like milliseconds, and seconds since 1970 are what is taken`},
		{Request{Sort: []SortKey{{Field: "id"}}}, `"id" is the primary key, which is kept with every record and is no field`},
		{Request{Sort: []SortKey{{Field: "-price"}}}, `there is no field "-price"; did you mean "price"?`},
		{Request{Sort: []SortKey{{Field: "price DESC"}}}, `a direction stands behind a colon, as in "price:desc"`},
		{Request{Sort: []SortKey{{Field: "size desc"}}}, `there is no field "size desc"`},
		{Request{Facets: []FacetRequest{{Field: "colour"}}}, `there is no field "colour"; did you mean "color"?`},
		{Request{Distinct: "barnd"}, `there is no field "barnd"; did you mean "brand"?`},
		{Request{Query: "x", Fields: []FieldWeight{{Field: "titel"}}}, `there is no field "titel"; did you mean "title"?`},
		{Request{Query: "x", Highlight: &HighlightRequest{Fields: []string{"tilte"}}}, `there is no field "tilte"; did you mean "title"?`},
		{Request{Query: "x", Typo: Typo{OffFields: []string{"titl"}}}, `there is no field "titl"; did you mean "title"?`},
		{Request{Query: "titel:x", Syntax: SyntaxQuery}, `there is no field "titel"; did you mean "title"?`},
	} {
		_, err := e.Search(context.Background(), &tt.r)
		var invalid *InvalidError
		if !errors.As(err, &invalid) || invalid.Problems[0].Detail != tt.want {
			t.Errorf("%+v: %v, want %s", tt.r, err, tt.want)
		}
	}
}

// A member to be taken that is like one of an index, and none, is an error; what an
// index may hold without telling of it is none.
func TestMembersThatNoIndexKnows(t *testing.T) {
	e := newEngine(t, nil)
	createDynamic := func(name string, s Schema) {
		if _, err := e.CreateIndex(t.Context(), name, s); err != nil {
			t.Fatal(err)
		}
	}
	createDynamic("open", Schema{Dynamic: true, PrimaryKey: "sku", Fields: []Field{{Name: "place", Type: Geo}, {Name: "extra", Type: JSON}}})
	createDynamic("closed", Schema{Fields: []Field{{Name: "title", Type: Text}}})
	apply(t, e, puts("open", `{"sku":"1","title":"Lamp","author":{"name":"Ann"},"size":null}`))
	for _, tt := range []struct {
		indexes string
		member  string
		want    string // "": it is known
	}{
		{"open", "title", ""},
		{"open", "sku", ""},
		{"open", "author", ""},
		{"open", "author.name", ""},
		{"open", "place.lat", ""},
		{"open", "extra.a.b", ""},
		{"open", "titel", `there is no field "titel"; did you mean "title"?`},
		{"open", "author.nam", `there is no field "author.nam"; did you mean "author.name"?`},
		{"open", "autho", ""},
		{"open", "title.x", `there is no field "title.x"; did you mean "title"?`},
		{"open", "size", ""}, // null is no value
		{"open", "siz", ""},
		{"open", "colour", ""},
		{"open", "", ""},
		{"open", ".", ""},
		{"closed", "titel", ""},
		{"*", "titel", ""},
		{"none*", "titel", ""},
	} {
		r := Request{Indexes: []string{tt.indexes}, Members: []string{"title", tt.member}}
		_, err := e.Search(t.Context(), &r)
		var invalid *InvalidError
		switch {
		case tt.want == "" && err != nil:
			t.Errorf("%s of %s: %v", tt.member, tt.indexes, err)
		case tt.want != "" && (!errors.As(err, &invalid) || invalid.Problems[0].Detail != tt.want || invalid.Problems[0].Pointer != "/return/1"):
			t.Errorf("%s of %s: %v, want %s", tt.member, tt.indexes, err, tt.want)
		}
	}
}

// A number that is no id is not told that ids may be numbers.
func TestNumbersThatAreNoIDs(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "i", Schema{})
	for _, id := range []string{"1.5", "1e3", "9223372036854775808", "-9223372036854775809"} {
		_, err := e.Apply(t.Context(), puts("i", `{"id":`+id+`}`))
		var invalid *InvalidError
		if !errors.As(err, &invalid) || invalid.Problems[0].Detail != "an id is a string or an integer of 64 bits, not another number; in quotes any number can be one" {
			t.Errorf("%s: %v", id, err)
		}
	}
}
