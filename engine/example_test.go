package engine_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/quarry-search/quarry/engine"
)

// The first record that is put into an index makes it, and its schema.
func ExampleBatch() {
	e, err := engine.Open("", nil)
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	var b engine.Batch
	b.Put("products", []byte(`{"id":"1","title":"Red running shoes","price":39.5}`))
	b.Put("products", []byte(`{"id":"2","title":"Blue hat","price":9}`))
	if _, err := e.Apply(context.Background(), &b); err != nil {
		log.Fatal(err)
	}
	res, err := e.Search(context.Background(), &engine.Request{Query: "shoe"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d: %s\n", res.Total, res.Hits[0].Record)
	// Output: 1: {"id":"1","title":"Red running shoes","price":39.5}
}

// shop returns an engine with a few products.
func shop() *engine.Engine {
	e, err := engine.Open("", nil)
	if err != nil {
		log.Fatal(err)
	}
	var b engine.Batch
	for _, record := range []string{
		`{"id":"1","title":"Red running shoes","brand":"Nike","price":39.5}`,
		`{"id":"2","title":"Blue running shirt","brand":"Asics","price":19}`,
		`{"id":"3","title":"Red hat","brand":"Nike","price":9.25}`,
	} {
		b.Put("products", []byte(record))
	}
	if _, err := e.Apply(context.Background(), &b); err != nil {
		log.Fatal(err)
	}
	return e
}

// A batch changes any number of indexes in one step: all of it, or nothing.
func ExampleEngine_Apply() {
	ctx := context.Background()
	e := shop()
	defer e.Close()
	var b engine.Batch
	b.Patch("products", "1", []byte(`{"price":29.5}`))
	b.Delete("products", "3")
	b.Put("news", []byte(`{"id":"n1","text":"Shoes are cheaper now"}`))
	res, err := e.Apply(ctx, &b)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Put, "put,", res.Patched, "patched,", res.Deleted, "deleted, created", res.IndexesCreated)

	b = engine.Batch{}
	b.Put("products", []byte(`{"id":"4","price":"cheap"}`))
	b.Put("products", []byte(`{"id":"5","price":1}`))
	_, err = e.Apply(ctx, &b)
	var invalid *engine.InvalidError
	if errors.As(err, &invalid) {
		p := invalid.Problems[0]
		fmt.Println(p.Code, "at", p.Pointer, "of operation", p.Position)
	}
	_, err = e.Record(ctx, "products", "5")
	fmt.Println("record 5:", errors.Is(err, engine.ErrNotFound))
	// Output:
	// 1 put, 1 patched, 1 deleted, created [news]
	// invalid_field_type at /record/price of operation 0
	// record 5: true
}

func ExampleEngine_Search_filterAndFacets() {
	e := shop()
	defer e.Close()
	fifteen := 15.0
	res, err := e.Search(context.Background(), &engine.Request{
		Query:  "red",
		Filter: `brand = "Nike" AND price < 100`,
		Sort:   []engine.SortKey{{Field: "price"}},
		Facets: []engine.FacetRequest{
			{Field: "brand"},
			{Field: "price", Ranges: []engine.FacetRange{{To: &fifteen}, {From: &fifteen}}},
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, h := range res.Hits {
		fmt.Printf("%s\n", h.Record)
	}
	for _, v := range res.Facets["brand"].Values {
		fmt.Println(v.Value, v.Count)
	}
	cheap, dear := res.Facets["price"].Ranges[0], res.Facets["price"].Ranges[1]
	fmt.Println("below 15:", cheap.Count, "and above:", dear.Count)
	// Output:
	// {"id":"3","title":"Red hat","brand":"Nike","price":9.25}
	// {"id":"1","title":"Red running shoes","brand":"Nike","price":39.5}
	// Nike 2
	// below 15: 1 and above: 1
}

func ExampleEngine_Search_highlight() {
	e := shop()
	defer e.Close()
	res, err := e.Search(context.Background(), &engine.Request{
		Query:     "runs shoe",
		Limit:     1,
		Highlight: &engine.HighlightRequest{Fields: []string{"title"}, Pre: "<b>", Post: "</b>"},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Hits[0].Highlight[0].Text)
	// Output: Red <b>running</b> <b>shoes</b>
}

// The parts of an explanation add up to the score exactly.
func ExampleEngine_Search_explain() {
	e := shop()
	defer e.Close()
	res, err := e.Search(context.Background(), &engine.Request{Query: "red hat ", Explain: true})
	if err != nil {
		log.Fatal(err)
	}
	best := res.Hits[0]
	sum := 0.0
	for _, p := range best.Explain.Parts {
		if p.Stage != "" {
			fmt.Printf("%s %s:%q\n", p.Stage, p.Field, p.Term)
		} else {
			fmt.Printf("%s:%s in %d records\n", p.Field, p.Term, p.DF)
		}
		sum += p.Score
	}
	fmt.Println(sum == best.Score)
	// Output:
	// title:red in 2 records
	// title:hat in 1 records
	// title title:""
	// coverage :""
	// proximity title:"red hat"
	// name :""
	// true
}

// A schema that is given beforehand says what fields are for.
func ExampleEngine_CreateIndex() {
	ctx := context.Background()
	e, err := engine.Open("", nil)
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	_, err = e.CreateIndex(ctx, "books", engine.Schema{
		PrimaryKey: "isbn",
		Fields: []engine.Field{
			{Name: "title", Type: engine.Text, Search: true, Weight: 3},
			{Name: "author.name", Type: engine.Keyword, Filter: true, Facet: true},
			{Name: "year", Type: engine.Int, Filter: true, Sort: true},
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	var b engine.Batch
	b.Put("books", []byte(`{"isbn":"9780141439518","title":"Pride and Prejudice","author":{"name":"Jane Austen"},"year":1813}`))
	if _, err := e.Apply(ctx, &b); err != nil {
		log.Fatal(err)
	}
	res, err := e.Search(ctx, &engine.Request{Query: "prejudice", Filter: `author.name = "Jane Austen" AND year < 1900`})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Hits[0].ID)
	// Output: 9780141439518
}

// With a cursor one goes through any number of hits.
func ExamplePosition() {
	e := shop()
	defer e.Close()
	r := engine.Request{Sort: []engine.SortKey{{Field: "price", Desc: true}}, Limit: 2}
	for {
		res, err := e.Search(context.Background(), &r)
		if err != nil {
			log.Fatal(err)
		}
		for _, h := range res.Hits {
			fmt.Print(h.ID, " ")
		}
		fmt.Println("of", res.Total)
		if r.After = res.Next; r.After == nil {
			break
		}
	}
	// Output:
	// 1 2 of 3
	// 3 of 3
}
