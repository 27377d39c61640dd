package engine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/quarry-search/quarry/engine/internal/fuzzy"
)

// fieldEdits is how many edits lead from a misspelt field to the one that was
// meant; letter case aside.
const fieldEdits = 2

// noField is what is told about a field that does not exist, with the one of
// the schemas that may have been meant.
func noField(name string, schemas ...*compiled) string {
	for _, c := range schemas {
		if name == c.primaryKey() {
			return fmt.Sprintf("%q is the primary key, which is kept with every record and is no field", name)
		}
	}
	detail := fmt.Sprintf("there is no field %q", name)
	if name == "id" && len(schemas) == 1 {
		return fmt.Sprintf("%s; the id of records is called %q here", detail, schemas[0].primaryKey())
	}
	if like := similarField(name, schemas...); like != "" {
		return fmt.Sprintf("%s; did you mean %q?", detail, like)
	}
	return detail
}

// similarField returns the field of the schemas that a misspelt name may have
// meant, "" if there is none.
func similarField(name string, schemas ...*compiled) string {
	for _, c := range schemas {
		for i := range c.Fields {
			if f := c.Fields[i].Name; strings.EqualFold(f, name) {
				return f
			}
		}
	}
	pattern, ok := fuzzy.NewPattern(name)
	if !ok {
		return ""
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
	return like
}

// noField is the same of a field that no index of the search has.
func (s *searcher) noField(name string) string {
	var schemas []*compiled
	for _, n := range s.names {
		schemas = append(schemas, s.v.indexes[n].schema)
	}
	return noField(name, schemas...)
}

// noField adds that no index of the search has a field. Past those that are
// listed, which are only counted, it does not look for what may be meant, as that
// takes a look at all fields.
func (p *problems) noField(s *searcher, pointer, name string) {
	detail := ""
	if p.err.Total < maxProblems {
		detail = s.noField(name)
	}
	p.addf(CodeUnknownField, pointer, "%s", detail)
}

// checkMembers tests the members of records that are to be taken against the
// schemas, so that a misspelt one does not pass as one that the records lack:
// one that no schema knows is taken for misspelt if it is like one that is known.
// Others may be members to which no record has given a value yet.
func (s *searcher) checkMembers() error {
	if len(s.req.Members) == 0 {
		return nil
	}
	var schemas []*compiled
	for _, name := range s.names {
		c := s.v.indexes[name].schema
		if !c.Dynamic {
			return nil
		}
		schemas = append(schemas, c)
	}
	var unknown []int
	for i, path := range s.req.Members {
		if !slices.ContainsFunc(schemas, func(c *compiled) bool { return c.knows(path) }) {
			unknown = append(unknown, i)
		}
	}
	if len(unknown) == 0 || len(schemas) == 0 {
		return nil
	}
	objects := map[string]bool{} // paths that lead to an object with fields in it
	for _, c := range schemas {
		for i := range c.Fields {
			for path := above(c.Fields[i].Name); path != "" && !objects[path]; path = above(path) {
				objects[path] = true
			}
		}
	}
	var p problems
	for _, i := range unknown[:min(len(unknown), maxProblems)] { // each is compared with all fields
		path := s.req.Members[i]
		if !objects[path] && similarField(path, schemas...) != "" {
			p.addf(CodeUnknownField, fmt.Sprintf("/return/%d", i), "%s", noField(path, schemas...))
		}
	}
	return p.orNil()
}

// knows tells whether a path leads to a value that the schema tells of: the id,
// a field, or a part of a JSON or Geo value. Members that never had a value are
// not among the fields, and cannot be told from misspelt ones.
func (c *compiled) knows(path string) bool {
	if path == c.primaryKey() {
		return true
	}
	if _, ok := c.byName[path]; ok {
		return true
	}
	for up := above(path); up != ""; up = above(up) {
		if i, ok := c.byName[up]; ok {
			return c.Fields[i].Type == JSON || c.Fields[i].Type == Geo
		}
	}
	return false
}

// above is the path of the object that a path leads into; "" for a record.
func above(path string) string { return path[:max(0, strings.LastIndexByte(path, '.'))] }
