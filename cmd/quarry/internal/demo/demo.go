package demo

import (
	"embed"
	"encoding/json"
	"fmt"

	"github.com/quarry-search/quarry/engine"
)

//go:embed data
var data embed.FS

// Index is a sample index.
type Index struct {
	Name    string
	Schema  engine.Schema
	Records [][]byte // JSON objects
}

// Indexes returns the sample indexes: products and elements. An error means
// that the tables in this program are at fault.
func Indexes() ([]Index, error) {
	products, err := products()
	if err != nil {
		return nil, fmt.Errorf("sample products: %w", err)
	}
	elements, err := elements()
	if err != nil {
		return nil, fmt.Errorf("sample elements: %w", err)
	}
	return []Index{
		{Name: "products", Schema: productSchema(), Records: products},
		{Name: "elements", Schema: elementSchema(), Records: elements},
	}, nil
}

// titleWeight is what matches in a title count more than in a description.
const titleWeight = 3

// text is a searched field; short ones can be filtered and counted as a whole.
func text(name string, short bool) engine.Field {
	return engine.Field{Name: name, Type: engine.Text, Search: true, Filter: short, Facet: short, Sort: short}
}

// value is a field for filters, facets and sorting.
func value(name string, t engine.Type) engine.Field {
	return engine.Field{Name: name, Type: t, Filter: true, Facet: true, Sort: true}
}

func weighted(f engine.Field) engine.Field {
	f.Weight = titleWeight
	return f
}

// marshal writes records as JSON.
func marshal[T any](records []T) ([][]byte, error) {
	out := make([][]byte, len(records))
	for i, r := range records {
		b, err := json.Marshal(r)
		if err != nil {
			return nil, err
		}
		out[i] = b
	}
	return out, nil
}
