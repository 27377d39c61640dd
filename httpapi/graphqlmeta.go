package httpapi

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	graphql "github.com/graph-gophers/graphql-go"
	"github.com/graph-gophers/graphql-go/ast"
	"github.com/quarry-search/quarry/httpapi/internal/gqldoc"
)

// The executor does not know all fields of introspection: it lacks the description of a
// schema and what is repeatable, of October 2021, and isOneOf, of September 2025. Clients
// that ask for one of them would learn nothing of the schema. These fields are therefore
// put into the types that documents are validated against (extendIntrospection); in a
// document that is run, others stand in their place, under names that tell them
// from all others (run), and in its answer what they stand for (metaAnswer).

// A metaField is a field that the executor does not know.
type metaField struct {
	on, name, typ string
	description   string
	// instead is the field of the same type that is asked for in its place.
	instead string
	// value is what it is, given what the other one is.
	value func(g *graphService, instead string) jsontext.Value
}

func metaFields() []metaField {
	return []metaField{
		{"__Schema", "description", "String", "What the schema says of itself.", "__typename", func(g *graphService, _ string) jsontext.Value {
			var w jsonWriter
			w.text(g.schema.AST().SchemaDefinition.Desc)
			return w.buf
		}},
		{"__Directive", "isRepeatable", "Boolean!", "Whether it may be used several times in one place.", "__typename", func(*graphService, string) jsontext.Value {
			return jsontext.Value("false") // the executor knows no others
		}},
		{"__Type", "isOneOf", "Boolean", "Of an input object, whether exactly one of its fields is to be given.", "kind", func(_ *graphService, kind string) jsontext.Value {
			if kind == "INPUT_OBJECT" {
				return jsontext.Value("false") // schema.graphql has none that is
			}
			return jsontext.Value("null")
		}},
	}
}

// extendIntrospection lets documents have the fields that the executor does not know.
func extendIntrospection(s *ast.Schema) error {
	for _, f := range metaFields() {
		on, ok := s.Types[f.on].(*ast.ObjectTypeDefinition)
		name, required := strings.CutSuffix(f.typ, "!")
		var typ ast.Type = s.Types[name]
		if !ok || typ == nil || on.Fields.Get(f.name) != nil {
			return fmt.Errorf("introspection of GraphQL: %s.%s is in the way", f.on, f.name)
		}
		if required {
			typ = &ast.NonNull{OfType: typ}
		}
		on.Fields = append(on.Fields, &ast.FieldDefinition{Name: f.name, Type: typ, Desc: f.description})
	}
	places, ok := s.Types["__DirectiveLocation"].(*ast.EnumTypeDefinition)
	if !ok {
		return fmt.Errorf("introspection of GraphQL: no places of directives")
	}
	places.EnumValuesDefinition = append(places.EnumValuesDefinition, &ast.EnumValueDefinition{EnumValue: "VARIABLE_DEFINITION", Desc: "Location adjacent to a variable definition."})
	return nil
}

// run executes an operation.
func (g *graphService) run(ctx context.Context, doc *gqldoc.Document, op *gqldoc.Operation, vars map[string]any) *graphql.Response {
	text := doc.Text(op)
	if !strings.Contains(text, "__schema") && !strings.Contains(text, "__type") { // most ask for records
		return g.schema.Exec(ctx, text, op.Name, vars)
	}
	mark := "meta"
	for strings.Contains(text, mark) {
		mark += "_"
	}
	fields := metaFields()
	roots := map[string]bool{}
	found := false
	query := doc.TextWith(op, func(f gqldoc.Field) (alias, name string) {
		switch f.Name {
		case "__schema", "__type":
			roots[f.Key] = true // only root fields are called so
		case "description":
			if f.Parent != "__schema" && f.Parent != "__Schema" {
				return "", ""
			}
		}
		for i, m := range fields {
			if m.name == f.Name {
				found = true
				return fmt.Sprint(mark, i, f.Key), m.instead
			}
		}
		return "", ""
	})
	if !found {
		return g.schema.Exec(ctx, text, op.Name, vars)
	}
	if errs := g.schema.ValidateWithVariables(text, vars); len(errs) > 0 {
		return &graphql.Response{Errors: errs}
	}
	res := g.schema.Exec(ctx, query, op.Name, vars)
	if len(res.Data) > 0 {
		data, err := g.metaAnswer(res.Data, roots, mark, fields)
		if err != nil { // the executor's answer is no JSON
			data = nil
		}
		res.Data = data
	}
	return res
}

// metaAnswer returns the data of an answer with the fields that were asked for in the
// place of those that mark begins. They are below the root fields of introspection.
func (g *graphService) metaAnswer(data []byte, roots map[string]bool, mark string, fields []metaField) ([]byte, error) {
	var out bytes.Buffer
	dec, enc := jsontext.NewDecoder(bytes.NewReader(data)), jsontext.NewEncoder(&out)
	root := ""
	for {
		token, err := dec.ReadToken()
		if err != nil {
			return nil, err
		}
		depth := dec.StackDepth()
		kind, n := dec.StackIndex(depth)
		isKey := kind == '{' && n%2 == 1 && token.Kind() == '"'
		if isKey && depth == 1 {
			root = token.String()
		}
		rest, marked := "", false
		if isKey && depth > 1 && roots[root] {
			rest, marked = strings.CutPrefix(token.String(), mark)
		}
		if !marked {
			if err := enc.WriteToken(token); err != nil {
				return nil, err
			}
			if depth == 0 {
				return out.Bytes(), nil
			}
			continue
		}
		instead, err := dec.ReadToken()
		if err != nil {
			return nil, err
		}
		field := fields[rest[0]-'0']
		if err := enc.WriteToken(jsontext.String(rest[1:])); err != nil {
			return nil, err
		}
		if err := enc.WriteValue(field.value(g, instead.String())); err != nil {
			return nil, err
		}
	}
}
