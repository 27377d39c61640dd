package engine

import (
	"fmt"
	"strings"

	"github.com/quarry-search/quarry/engine/internal/fuzzy"
)

// fieldEdits is how many edits lead from a misspelt field to the one that was
// meant; letter case aside.
const fieldEdits = 2

// noField is what is told about a field that does not exist, with the one of
// the schemas that may have been meant.
func noField(name string, schemas ...*compiled) string {
	detail := fmt.Sprintf("there is no field %q", name)
	for _, c := range schemas {
		for i := range c.Fields {
			if f := c.Fields[i].Name; strings.EqualFold(f, name) {
				return fmt.Sprintf("%s; did you mean %q?", detail, f)
			}
		}
	}
	pattern, ok := fuzzy.NewPattern(name)
	if !ok {
		return detail
	}
	like, best := "", min(fieldEdits, (pattern.Letters()-1)/2)+1
	for _, c := range schemas {
		for i := range c.Fields {
			f := c.Fields[i].Name
			if d := pattern.Distance([]byte(f)); d < best || d == best && like != "" && f < like {
				like, best = f, d
			}
		}
	}
	if like == "" {
		return detail
	}
	return fmt.Sprintf("%s; did you mean %q?", detail, like)
}

// noField is the same of a field that no index of the search has.
func (s *searcher) noField(name string) string {
	var schemas []*compiled
	for _, n := range s.names {
		schemas = append(schemas, s.v.indexes[n].schema)
	}
	return noField(name, schemas...)
}
