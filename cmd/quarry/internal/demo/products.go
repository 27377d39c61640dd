package demo

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/BurntSushi/toml"
	"github.com/quarry-search/quarry/engine"
)

// product is a record of the shop.
type product struct {
	ID          string   `json:"id"`
	Title       string   `json:"title"`
	Description string   `json:"description"`
	Brand       string   `json:"brand"`
	Category    string   `json:"category"`
	Color       string   `json:"color"`
	Price       float64  `json:"price"`
	Rating      float64  `json:"rating,omitzero"` // absent before the first review
	Stock       int      `json:"stock"`
	InStock     bool     `json:"in_stock"`
	Released    string   `json:"released"`
	Tags        []string `json:"tags"`
}

func productSchema() engine.Schema {
	return engine.Schema{PrimaryKey: "id", Language: "en", Fields: []engine.Field{
		weighted(text("title", false)),
		text("description", false),
		text("brand", true),
		text("category", true),
		text("color", true),
		value("price", engine.Float),
		value("rating", engine.Float),
		value("stock", engine.Int),
		value("in_stock", engine.Bool),
		value("released", engine.Date),
		text("tags", true),
	}}
}

// department is a file of tables.
type department struct {
	Brands   []string   `toml:"brands"`
	Category []category `toml:"category"`
}

type category struct {
	Name      string     `toml:"name"`
	Code      string     `toml:"code"`
	Count     int        `toml:"count"`
	Price     [2]float64 `toml:"price"`
	Kinds     []string   `toml:"kinds"`
	Models    []string   `toml:"models"`
	Materials []string   `toml:"materials"`
	Colors    []string   `toml:"colors"`
	Tags      []string   `toml:"tags"`
	Opening   []string   `toml:"opening"`
	Detail    []string   `toml:"detail"`
	Closing   []string   `toml:"closing"`
}

// products makes all records of the shop, category by category.
func products() ([][]byte, error) {
	files, err := data.ReadDir("data")
	if err != nil {
		return nil, err
	}
	var all []product
	for _, file := range files { // in the order of their names
		if path.Ext(file.Name()) != ".toml" {
			continue
		}
		var d department
		if _, err := toml.DecodeFS(data, path.Join("data", file.Name()), &d); err != nil {
			return nil, fmt.Errorf("%s: %w", file.Name(), err)
		}
		for _, c := range d.Category {
			list, err := c.products(d.Brands)
			if err != nil {
				return nil, fmt.Errorf("%s: %s: %w", file.Name(), c.Name, err)
			}
			all = append(all, list...)
		}
	}
	return marshal(all)
}

// products makes the records of a category. What they are depends on the
// category's own table only, so that a change of one leaves the others alone.
func (c *category) products(brands []string) ([]product, error) {
	if most := len(brands) * len(c.Models) * len(c.Kinds) * len(c.Colors); c.Count > most/2 {
		return nil, fmt.Errorf("%d products of %d combinations", c.Count, most)
	}
	if len(c.Opening) == 0 || len(c.Detail) < 2 || len(c.Closing) == 0 || len(c.Materials) == 0 || len(c.Tags) < 2 {
		return nil, errors.New("the table is not complete")
	}
	var seed uint64
	for _, b := range []byte(c.Code) {
		seed = seed<<8 | uint64(b)
	}
	r := rand.New(rand.NewPCG(seed, 1))
	seen := map[string]bool{}
	var out []product
	for len(out) < c.Count {
		w := words{
			brand: one(r, brands), model: one(r, c.Models), kind: one(r, c.Kinds),
			color: one(r, c.Colors), material: one(r, c.Materials),
		}
		title := fmt.Sprintf("%s %s %s, %s", w.brand, w.model, w.kind, w.color)
		if seen[title] {
			continue
		}
		seen[title] = true
		p := product{
			ID: fmt.Sprintf("%s-%04d", c.Code, len(out)+1), Title: title, Description: c.describe(r, w),
			Brand: w.brand, Category: c.Name, Color: w.color,
			Price:    price(r, c.Price[0], c.Price[1]),
			Released: time.Date(2019, 1, 1+r.IntN(2500), 0, 0, 0, 0, time.UTC).Format(time.DateOnly),
			Tags:     some(r, c.Tags, 1+r.IntN(3)),
		}
		if r.IntN(12) > 0 {
			p.Rating = math.Round(50-20*r.Float64()*r.Float64()-r.Float64()*5) / 10
		}
		if r.IntN(8) > 0 {
			p.Stock = 1 + r.IntN(120)
		}
		p.InStock = p.Stock > 0
		out = append(out, p)
	}
	return out, nil
}

// words are what the sentences speak of.
type words struct{ brand, model, kind, color, material string }

func (c *category) describe(r *rand.Rand, w words) string {
	sentences := append([]string{one(r, c.Opening)}, some(r, c.Detail, 2)...)
	if r.IntN(4) > 0 {
		sentences = append(sentences, one(r, c.Closing))
	}
	for i, s := range sentences {
		sentences[i] = w.fill(s)
	}
	return strings.Join(sentences, " ")
}

// fill puts words into a sentence.
func (w words) fill(s string) string {
	s = strings.NewReplacer("{brand}", w.brand, "{model}", w.model, "{kind}", w.kind, "{color}", w.color, "{material}", w.material).Replace(s)
	parts := strings.Split(s, " ")
	for i := range parts[:len(parts)-1] {
		if (parts[i] == "a" || parts[i] == "A") && strings.ContainsRune("aeio", rune(parts[i+1][0])) {
			parts[i] += "n"
		}
	}
	s = strings.Join(parts, " ")
	first, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[n:]
}

func one(r *rand.Rand, list []string) string { return list[r.IntN(len(list))] }

// some returns n different elements in the order of the list.
func some(r *rand.Rand, list []string, n int) []string {
	at := r.Perm(len(list))[:n]
	slices.Sort(at)
	out := make([]string, n)
	for i, j := range at {
		out[i] = list[j]
	}
	return out
}

// price returns a price as shops like them, more often low than high.
func price(r *rand.Rand, low, high float64) float64 {
	p := low + (high-low)*r.Float64()*r.Float64()
	switch {
	case p < 20:
		return math.Floor(p) + []float64{.49, .9, .95}[r.IntN(3)]
	case p < 200:
		return math.Floor(p) + []float64{0, .5, .9}[r.IntN(3)]
	}
	return math.Floor(p/10)*10 + []float64{0, 5, 9}[r.IntN(3)]
}
