package query_test

import (
	"errors"
	"fmt"

	"github.com/quarry-search/quarry/engine/query"
)

func ExampleParseSimple() {
	n, err := query.ParseSimple(`red OR blue "running shoes" -used`, query.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	b := n.(query.Bool)
	fmt.Println("should: ", query.String(b.Should[0]), "and", query.String(b.Should[1]))
	fmt.Println("mustn't:", query.String(b.MustNot[0]))
	fmt.Println("all:    ", query.String(n))
	// Output:
	// should:  red OR blue and "running shoes"
	// mustn't: used
	// all:     (red OR blue) "running shoes" -used
}

func ExampleParseQuery() {
	n, err := query.ParseQuery(`title:(red AND sho*)^2 price:>=10`, query.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(query.String(n))
	fmt.Println(query.Fields(n))
	// Output:
	// (+title:red +title:sho*)^2 price:[10 TO *]
	// [price title]
}

func ExampleParseFilter() {
	n, err := query.ParseFilter(`in_stock = true and (brand in ['Nike'] or price 10..20)`, query.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(query.String(n))
	fmt.Println(query.String(query.Simplify(n)))
	// Output:
	// in_stock = true AND (brand IN ["Nike"] OR price 10..20)
	// in_stock = true AND (brand = "Nike" OR price 10..20)
}

func ExampleError() {
	_, err := query.ParseFilter(`brand = Nike`, query.Limits{})
	var e *query.Error
	if errors.As(err, &e) {
		fmt.Printf("%s at %d: %s\n", e.Code, e.Column, e.Detail)
	}
	// Output:
	// invalid_filter at 9: expected a value after "="; text must stand in quotes
}

func ExampleRewrite() {
	n, err := query.ParseSimple("red shoes", query.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	n = query.Rewrite(n, func(n query.Node) query.Node {
		if t, ok := n.(query.Text); ok && t.Text == "shoes" {
			boots := query.Boost{Node: query.Text{Text: "boots"}, Factor: 0.5}
			return query.Bool{Should: []query.Node{t, boots}, MinShould: 1}
		}
		return n
	})
	fmt.Println(query.String(n))
	// Output:
	// red (shoes OR boots^0.5)
}
