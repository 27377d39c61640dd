package engine_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"github.com/quarry-search/quarry/engine"
	"github.com/quarry-search/quarry/engine/query"
)

// Product is a record of an index.
type Product struct {
	ID    string
	Title string
	Brand string `quarry:"facet"`
	Price float64
}

func Example() {
	ctx := context.Background()
	e, _ := engine.Open("", nil) // in memory; give it a directory to keep things
	defer e.Close()
	products, _ := engine.Bind[Product](ctx, e, "products", nil)
	products.Put(ctx, Product{"1", "Red running shoes", "Nike", 39.5}, Product{"2", "Blue hat", "Asics", 9})
	res, _ := products.Search(ctx, &engine.Request{Query: "runing shoe", Filter: "Price < 50"})
	for _, hit := range res.Hits {
		fmt.Println(hit.ID, hit.Record.Title)
	}
	// Output: 1 Red running shoes
}

// store returns an index of a few products.
func store() (*engine.Engine, *engine.Index[Product]) {
	e, err := engine.Open("", nil)
	if err != nil {
		log.Fatal(err)
	}
	products, err := engine.Bind[Product](context.Background(), e, "products", nil)
	if err != nil {
		log.Fatal(err)
	}
	err = products.Put(context.Background(),
		Product{"1", "Red running shoes", "Nike", 39.5},
		Product{"2", "Blue running shirt", "Asics", 19},
		Product{"3", "Red hat", "Nike", 9.25},
	)
	if err != nil {
		log.Fatal(err)
	}
	return e, products
}

// Put, Get and Delete take and give values.
func ExampleIndex() {
	ctx := context.Background()
	e, products := store()
	defer e.Close()
	hat, err := products.Get(ctx, "3")
	if err != nil {
		log.Fatal(err)
	}
	hat.Price = 7.5
	if err := products.Put(ctx, hat); err != nil {
		log.Fatal(err)
	}
	if err := products.Delete(ctx, "1", "2"); err != nil {
		log.Fatal(err)
	}
	for p, err := range products.Records(ctx, engine.RecordsOptions{}) {
		fmt.Println(p, err)
	}
	_, err = products.Get(ctx, "1")
	fmt.Println(errors.Is(err, engine.ErrNotFound))
	// Output:
	// {3 Red hat Nike 7.5} <nil>
	// true
}

// A tag says what a field is for where its Go type does not.
func ExampleSchemaOf() {
	type Article struct {
		Slug    string `json:"slug" quarry:"id"`
		Title   string `json:"title"` // weighs 5, as titles do
		Lead    string `json:"lead" quarry:"weight=2"`
		Source  string `json:"source" quarry:"analyzer=code"`
		Section string `json:"section" quarry:"keyword"`
		Author  struct {
			Name string `json:"name" quarry:"facet"`
		} `json:"author"`
		Tags    []string        `json:"tags" quarry:"facet"`
		Written time.Time       `json:"written"`
		Changed int64           `json:"changed" quarry:"date"` // seconds since 1970
		Places  []engine.Point  `json:"places"`
		Layout  map[string]bool `json:"layout" quarry:"-"`
	}
	s, err := engine.SchemaOf[Article]()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("primary key", s.PrimaryKey)
	for _, f := range s.Fields {
		fmt.Println(f.Name, f.Type, f.Weight, f.Facet)
	}

	type Mistaken struct {
		ID    string
		Title string `quarry:"text,wieght=2"`
	}
	_, err = engine.SchemaOf[Mistaken]()
	var invalid *engine.InvalidError
	if errors.As(err, &invalid) {
		fmt.Println(invalid.Problems[0].Detail[:60], "at column", invalid.Problems[0].Column)
	}
	// Output:
	// primary key slug
	// title text 5 false
	// lead text 2 false
	// source text 0 false
	// section keyword 0 true
	// author.name text 5 true
	// tags text 0 true
	// written date 0 true
	// changed date 0 true
	// places geo 0 false
	// layout json 0 false
	// Mistaken.Title: the tag "text,wieght=2": unknown option "wie at column 6
}

// Facets count the values among all matches; highlights mark the words that
// matched; the parts of an explanation add up to the score.
func ExampleIndex_Search() {
	e, products := store()
	defer e.Close()
	brand := "Nike" // from a form, for example
	res, err := products.Search(context.Background(), &engine.Request{
		Query:     "red shoe",
		Filter:    "Brand = " + query.Quote(brand),
		Facets:    []engine.FacetRequest{{Field: "Brand"}, {Field: "Price", Stats: true}},
		Highlight: &engine.HighlightRequest{Fields: []string{"Title"}},
		Explain:   true,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Total, "in all")
	for _, hit := range res.Hits {
		sum := 0.0
		for _, part := range hit.Explain.Parts {
			sum += part.Score
		}
		fmt.Println(hit.Record.Price, hit.Highlight[0].Text, sum == hit.Score)
	}
	fmt.Println(res.Facets["Brand"].Values, "up to", res.Facets["Price"].Stats.Max)
	// Output:
	// 2 in all
	// 39.5 <mark>Red</mark> running <mark>shoes</mark> true
	// 9.25 <mark>Red</mark> hat true
	// [{Nike 2}] up to 39.5
}

// Hits goes through all hits, page by page, of one state of the index.
func ExampleIndex_Hits() {
	e, products := store()
	defer e.Close()
	r := &engine.Request{Sort: []engine.SortKey{{Field: "Price"}}, Limit: 2} // two in a page
	for hit, err := range products.Hits(context.Background(), r) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(hit.Record.Price, hit.Record.Title)
	}
	// Output:
	// 9.25 Red hat
	// 19 Blue running shirt
	// 39.5 Red running shoes
}

// A batch of several indexes, which happens as a whole.
func ExampleIndex_Add() {
	type Order struct {
		ID      int
		Product string `quarry:"keyword"`
	}
	ctx := context.Background()
	e, products := store()
	defer e.Close()
	orders, err := engine.Bind[Order](ctx, e, "orders", nil)
	if err != nil {
		log.Fatal(err)
	}
	var b engine.Batch
	if err := errors.Join(orders.Add(&b, Order{1, "3"}), products.Add(&b, Product{ID: "4", Title: "Green socks"})); err != nil {
		log.Fatal(err)
	}
	b.Delete("products", "3")
	res, err := e.Apply(ctx, &b)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Put, "put,", res.Deleted, "deleted")
	// Output: 2 put, 1 deleted
}

// A snapshot stays as it is, whatever is written meanwhile.
func ExampleIndex_At() {
	ctx := context.Background()
	e, products := store()
	defer e.Close()
	s, err := e.Snapshot()
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close() // before the engine
	if err := products.Delete(ctx, "1"); err != nil {
		log.Fatal(err)
	}
	then, err := products.At(s).Get(ctx, "1")
	fmt.Println(then.Title, err)
	_, err = products.Get(ctx, "1")
	fmt.Println(err)
	// Output:
	// Red running shoes <nil>
	// record of index "products": not found
}

// Settings say what a struct does not: language, synonyms, stop words, rules.
func ExampleBind() {
	type Schuh struct {
		ID    string
		Titel string
		SKU   string `quarry:"analyzer=whitespace"` // byte for byte, cut at white space only
	}
	ctx := context.Background()
	e, err := engine.Open("", nil)
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	shoes, err := engine.Bind[Schuh](ctx, e, "schuhe", &engine.Schema{
		Language: "de",
		Synonyms: []engine.Synonym{{Words: []string{"Turnschuh", "Sneaker"}}},
	})
	if err != nil {
		log.Fatal(err)
	}
	if err := shoes.Put(ctx, Schuh{"1", "Rote Turnschuhe", "TS-17/b"}, Schuh{"2", "Gummistiefel", "GS-17/b"}); err != nil {
		log.Fatal(err)
	}
	for _, q := range []string{"roter sneaker", "TS-17/b"} {
		res, err := shoes.Search(ctx, &engine.Request{Query: q})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(q, "→", res.Hits[0].Record.Titel)
	}
	// Output:
	// roter sneaker → Rote Turnschuhe
	// TS-17/b → Rote Turnschuhe
}

// An index learns from its own records which words mean what. It does so by
// itself where the records are many and long enough; SemanticOn asks for it,
// and TrainVectors for it now.
func ExampleEngine_TrainVectors() {
	type Note struct {
		ID   int
		Text string
	}
	ctx := context.Background()
	e, err := engine.Open("", nil)
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	notes, err := engine.Bind[Note](ctx, e, "notes", &engine.Schema{Semantic: engine.SemanticOn})
	if err != nil {
		log.Fatal(err)
	}
	var all []Note
	for i := range 40 {
		all = append(all,
			Note{3 * i, fmt.Sprint("the physician treats patients in the hospital, case ", i)},
			Note{3*i + 1, fmt.Sprint("the doctor sees patients in the hospital, case ", i)},
			Note{3*i + 2, fmt.Sprint("the gardener plants roses in the park, bed ", i)})
	}
	if err := notes.Put(ctx, all...); err != nil {
		log.Fatal(err)
	}
	if err := e.TrainVectors(ctx, "notes"); err != nil {
		log.Fatal(err)
	}
	res, err := notes.Search(ctx, &engine.Request{Query: "doctor patients", Explain: true, Limit: 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Query.Semantic != nil)
	for _, part := range res.Hits[0].Explain.Parts {
		if part.Stage == engine.StageMeaning {
			fmt.Println("a part of the score is for the meaning:", part.Score > 0)
		}
	}
	// Output:
	// true
	// a part of the score is for the meaning: true
}

// A backup is made beside searches and writes, and restored to a directory of
// its own.
func ExampleEngine_Backup() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "quarry")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	e, err := engine.Open(filepath.Join(dir, "data"), nil)
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	products, err := engine.Bind[Product](ctx, e, "products", nil)
	if err != nil {
		log.Fatal(err)
	}
	if err := products.Put(ctx, Product{ID: "1", Title: "Red running shoes"}); err != nil {
		log.Fatal(err)
	}
	if _, err := e.Backup(ctx, filepath.Join(dir, "backup")); err != nil {
		log.Fatal(err)
	}
	if _, err := engine.RestoreBackup(ctx, filepath.Join(dir, "backup"), filepath.Join(dir, "restored")); err != nil {
		log.Fatal(err)
	}
	restored, err := engine.Open(filepath.Join(dir, "restored"), nil)
	if err != nil {
		log.Fatal(err)
	}
	defer restored.Close()
	fmt.Println(restored.Indexes()[0].Name, restored.Indexes()[0].Records)
	// Output: products 1
}
