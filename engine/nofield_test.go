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
		{Request{Filter: "price < 10 AND tenant = 1.5 AND brand < 1 AND released = 1.5"}, `the field "released" is a date and cannot be compared with a float`},
		{Request{Filter: "released = true"}, `the field "released" is a date and cannot be compared with a bool`},
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
