package demo

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/quarry-search/quarry/engine"
)

// element is a record of the chemical elements.
type element struct {
	ID         string  `json:"id"` // the symbol
	Name       string  `json:"name"`
	Symbol     string  `json:"symbol"`
	Number     int     `json:"number"`
	Group      int     `json:"group,omitzero"` // absent for lanthanides and actinides but the first
	Period     int     `json:"period"`
	Category   string  `json:"category"`
	Phase      string  `json:"phase,omitempty"` // at room temperature; absent if not known
	Discovered int     `json:"discovered,omitzero"`
	Weight     float64 `json:"atomic_weight,omitzero"`
	Note       string  `json:"note"`
}

func elementSchema() engine.Schema {
	return engine.Schema{PrimaryKey: "id", Language: "en", Fields: []engine.Field{
		weighted(text("name", true)),
		text("symbol", true),
		value("number", engine.Int),
		value("group", engine.Int),
		value("period", engine.Int),
		text("category", true),
		text("phase", true),
		value("discovered", engine.Int),
		value("atomic_weight", engine.Float),
		text("note", false),
	}}
}

func elements() ([][]byte, error) {
	table, err := data.ReadFile("data/elements.tsv")
	if err != nil {
		return nil, err
	}
	var all []element
	lines := strings.Split(strings.TrimSpace(string(table)), "\n")
	for i, line := range lines[1:] {
		e, err := parseElement(line)
		if err != nil {
			return nil, fmt.Errorf("elements.tsv:%d: %w", i+2, err)
		}
		all = append(all, e)
	}
	return marshal(all)
}

func parseElement(line string) (element, error) {
	f := strings.Split(line, "\t")
	if len(f) != 10 {
		return element{}, fmt.Errorf("%d columns, want 10", len(f))
	}
	e := element{ID: f[1], Symbol: f[1], Name: f[2], Category: f[5], Phase: f[6], Note: f[9]}
	for _, column := range []struct {
		text string
		to   *int
	}{{f[0], &e.Number}, {f[3], &e.Group}, {f[4], &e.Period}, {f[7], &e.Discovered}} {
		if column.text == "" {
			continue
		}
		n, err := strconv.Atoi(column.text)
		if err != nil {
			return element{}, err
		}
		*column.to = n
	}
	if f[8] != "" {
		w, err := strconv.ParseFloat(f[8], 64)
		if err != nil {
			return element{}, err
		}
		e.Weight = w
	}
	return e, nil
}
