package demo

import (
	"bytes"
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/quarry-search/quarry/engine"
)

func TestIndexesAreTheSameEachTime(t *testing.T) {
	a, err := Indexes()
	if err != nil {
		t.Fatal(err)
	}
	b, err := Indexes()
	if err != nil {
		t.Fatal(err)
	}
	for i := range a {
		if !slices.EqualFunc(a[i].Records, b[i].Records, bytes.Equal) {
			t.Errorf("%s differ from one call to the next", a[i].Name)
		}
	}
}

func TestProducts(t *testing.T) {
	records, err := products()
	if err != nil {
		t.Fatal(err)
	}
	if n := len(records); n < 1900 || n > 2400 {
		t.Errorf("%d products, want about 2,000", n)
	}
	ids, titles := map[string]bool{}, map[string]bool{}
	categories := map[string]int{}
	sentence := regexp.MustCompile(`^[A-Z0-9].*\.$`)
	unrated := 0
	for _, r := range records {
		var p product
		if err := json.Unmarshal(r, &p); err != nil {
			t.Fatal(err)
		}
		if ids[p.ID] || titles[p.Title] {
			t.Errorf("%s: id or title %q is there twice", p.ID, p.Title)
		}
		ids[p.ID], titles[p.Title] = true, true
		categories[p.Category]++
		if !sentence.MatchString(p.Description) || strings.ContainsAny(p.Description, "{}") {
			t.Errorf("%s: description %q is not made of sentences", p.ID, p.Description)
		}
		if wrong := regexp.MustCompile(`(?i)\ba [aeio]`).FindString(p.Description); wrong != "" {
			t.Errorf("%s: %q in %q", p.ID, wrong, p.Description)
		}
		for _, part := range []string{p.Brand, p.Color} {
			if part == "" || !strings.Contains(p.Title, part) {
				t.Errorf("%s: title %q lacks %q", p.ID, p.Title, part)
			}
		}
		if p.Price < 3 || p.Price > 3000 || math.Abs(p.Price*100-math.Round(p.Price*100)) > 1e-6 {
			t.Errorf("%s: price %v", p.ID, p.Price)
		}
		if p.Rating == 0 {
			unrated++
		} else if p.Rating < 1 || p.Rating > 5 {
			t.Errorf("%s: rating %v", p.ID, p.Rating)
		}
		if p.InStock != (p.Stock > 0) || len(p.Tags) == 0 {
			t.Errorf("%s: in stock %v of %d, tags %q", p.ID, p.InStock, p.Stock, p.Tags)
		}
		if _, err := time.Parse(time.DateOnly, p.Released); err != nil {
			t.Errorf("%s: %v", p.ID, err)
		}
	}
	if len(categories) < 20 || unrated == 0 {
		t.Errorf("%d categories, %d products without a rating", len(categories), unrated)
	}
}

func TestElements(t *testing.T) {
	records, err := elements()
	if err != nil {
		t.Fatal(err)
	}
	if len(records) != 118 {
		t.Fatalf("%d elements, want 118", len(records))
	}
	symbols, names := map[string]bool{}, map[string]bool{}
	for i, r := range records {
		var e element
		if err := json.Unmarshal(r, &e); err != nil {
			t.Fatal(err)
		}
		if e.Number != i+1 || symbols[e.Symbol] || names[e.Name] {
			t.Errorf("element %d: %s", i+1, r)
		}
		symbols[e.Symbol], names[e.Name] = true, true
		if e.Period < 1 || e.Period > 7 || e.Group > 18 || e.Group == 0 && !strings.HasSuffix(e.Category, "ide") {
			t.Errorf("%s: group %d, period %d, %s", e.Name, e.Group, e.Period, e.Category)
		}
		// A nucleus has about one neutron for each proton, a heavy one half as
		// many again.
		if e.Weight != 0 && (e.Weight < 1.9*float64(e.Number)-2 || e.Weight > 2.7*float64(e.Number)) && e.Number > 1 {
			t.Errorf("%s: weight %v", e.Name, e.Weight)
		}
		if !strings.HasSuffix(e.Note, ".") {
			t.Errorf("%s: note %q", e.Name, e.Note)
		}
	}
}

// The schemas describe all fields of the records and no others.
func TestSchemas(t *testing.T) {
	indexes, err := Indexes()
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range indexes {
		inferred, err := engine.Infer(i.Records, i.Schema.PrimaryKey)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range inferred.Fields {
			if i.Schema.Field(f.Name) < 0 {
				t.Errorf("%s: the records have a field %q that the schema lacks", i.Name, f.Name)
			}
		}
		for _, f := range i.Schema.Fields {
			if inferred.Field(f.Name) < 0 {
				t.Errorf("%s: no record has the field %q of the schema", i.Name, f.Name)
			}
		}
	}
}
