package httpapi

import (
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/graph-gophers/graphql-go/ast"
	"github.com/quarry-search/quarry/engine"
	"github.com/quarry-search/quarry/httpapi/internal/gqldoc"
)

// variables reads the values of an operation's variables as their types say.
// whole are those that are whole numbers. Values of the type JSON stay as they
// are, whatever they hold.
func (g *graphService) variables(op *gqldoc.Operation, given value) (vars map[string]any, whole map[string]int64, err error) {
	vars, whole = map[string]any{}, map[string]int64{}
	var d reader
	types := map[string]*gqldoc.Variable{}
	for _, v := range op.Variables {
		types[v.Name] = v
	}
	if given.raw.Kind() == '{' {
		eachMember(given.raw, func(name string, raw jsontext.Value) {
			at := value{raw, value{at: "/variables"}.child(name)}
			v := types[name]
			if v == nil {
				return // clients send one set of variables with several documents
			}
			t := g.inputType(v.Type)
			if t == nil {
				return // the executor says so
			}
			vars[name] = d.graphInput(at, t)
			if n, ok := vars[name].(int32); ok {
				whole[name] = int64(n)
			}
		})
	}
	for _, v := range op.Variables {
		if _, ok := vars[v.Name]; !ok && v.Type.NonNull && v.Default == nil {
			d.at(value{at: "/variables"}.child(v.Name), engine.CodeInvalidRequest, "is missing")
		}
	}
	return vars, whole, graphFaults(d.faults)
}

// inputType finds the type that a document refers to; nil if there is none.
func (g *graphService) inputType(t *gqldoc.Type) ast.Type {
	var found ast.Type
	if t.Of != nil {
		of := g.inputType(t.Of)
		if of == nil {
			return nil
		}
		found = &ast.List{OfType: of}
	} else if named := g.schema.AST().Types[t.Name]; named != nil {
		found = named
	} else {
		return nil
	}
	if t.NonNull {
		return &ast.NonNull{OfType: found}
	}
	return found
}

// graphInput reads a value of an input type.
func (d *reader) graphInput(v value, t ast.Type) any {
	if required, ok := t.(*ast.NonNull); ok {
		if v.raw.Kind() == 'n' {
			d.at(v.at, engine.CodeInvalidRequest, "must not be null")
			return nil
		}
		t = required.OfType
	}
	if v.raw.Kind() == 'n' {
		return nil
	}
	switch t := t.(type) {
	case *ast.List:
		if v.raw.Kind() != '[' { // one is taken for a list of one
			return []any{d.graphInput(v, t.OfType)}
		}
		list := []any{}
		v.eachElement(func(e value) { list = append(list, d.graphInput(e, t.OfType)) })
		return list
	case *ast.InputObject:
		return d.graphObject(v, t)
	case *ast.EnumTypeDefinition:
		words := make([]string, len(t.EnumValuesDefinition))
		for i, w := range t.EnumValuesDefinition {
			words[i] = w.EnumValue
		}
		if i := d.oneOf(v, words...); i >= 0 {
			return words[i]
		}
	case *ast.ScalarTypeDefinition:
		return d.graphScalar(v, t.Name)
	}
	return nil
}

func (d *reader) graphObject(v value, t *ast.InputObject) any {
	object := map[string]any{}
	members := make([]member, 0, len(t.Values))
	for _, field := range t.Values {
		members = append(members, member{field.Name.Name, func(v value) {
			object[field.Name.Name] = d.graphInput(v, field.Type)
		}})
	}
	if !d.object(v, members) {
		return nil
	}
	for _, field := range t.Values {
		_, given := object[field.Name.Name]
		if _, required := field.Type.(*ast.NonNull); required && !given && field.Default == nil {
			d.at(v.child(field.Name.Name), engine.CodeInvalidRequest, "is missing")
		}
	}
	return object
}

func (d *reader) graphScalar(v value, name string) any {
	switch name {
	case "Int":
		var n int64
		if d.integer(v, -1<<31, 1<<31-1, engine.CodeInvalidRequest, &n) {
			return int32(n)
		}
	case "Float":
		var f float64
		if d.number(v, -math.MaxFloat64, math.MaxFloat64, &f) {
			return f
		}
	case "Boolean":
		var b bool
		if d.boolean(v, &b) {
			return b
		}
	case "ID":
		if d.want(v, `"0`, "a string or an integer") {
			if v.raw.Kind() == '"' {
				return v.text()
			}
			if integerText.Match(v.raw) {
				return string(v.raw)
			}
			d.at(v.at, engine.CodeInvalidRequest, "must be a string or an integer")
		}
	case "JSON":
		return v.raw.Clone()
	default: // String and DateTime
		var s string
		if d.str(v, &s) {
			return s
		}
	}
	return nil
}

// appendGraphInput writes an argument as the executor hands it over as JSON.
// Members of objects come by name.
func appendGraphInput(dst []byte, input any) []byte {
	w := jsonWriter{buf: dst}
	w.graphInput(input)
	return w.buf
}

func (w *jsonWriter) graphInput(input any) {
	switch v := input.(type) {
	case jsontext.Value:
		w.raw(v)
	case string:
		w.text(v)
	case bool:
		w.boolean(v)
	case int32:
		w.integer(int64(v))
	case int64:
		w.integer(v)
	case float64:
		before := len(w.buf)
		w.float(v)
		if !slices.ContainsFunc(w.buf[before:], func(c byte) bool { return c == '.' || c == 'e' }) {
			w.buf = append(w.buf, ".0"...) // it was written as a float
		}
	case []any:
		w.open('[')
		for _, e := range v {
			w.graphInput(e)
		}
		w.close(']')
	case map[string]any:
		w.open('{')
		for _, name := range slices.Sorted(maps.Keys(v)) {
			w.keyText(name)
			w.graphInput(v[name])
		}
		w.close('}')
	default:
		w.null()
	}
}

// given tells whether there is an argument and it is not null.
func (v graphJSON) given() bool { return v.raw != nil && v.raw.Kind() != 'n' }

// text of an argument that is a string or a number.
func (v graphJSON) text() string {
	if v.raw.Kind() == '"' {
		return value{raw: v.raw}.text()
	}
	return string(v.raw)
}

// list returns the argument as a list: one value stands for a list of it.
func (v graphJSON) list() graphJSON {
	if !v.given() || v.raw.Kind() == '[' {
		return v
	}
	return graphJSON{slices.Concat([]byte("["), v.raw, []byte("]"))}
}

// inputShape says how an input object is written in the body of a REST
// request, for the members that differ. Those that are null are left out.
type inputShape map[string]struct {
	name   string
	list   bool // one value stands for a list of it
	number bool // digits in a string stand for a number
	below  inputShape
}

var (
	highlightShape = inputShape{"fields": {name: "fields", list: true}}
	facetShape     = inputShape{}
	operationShape = inputShape{"ifVersion": {name: "if_version", number: true}}
	batchShape     = inputShape{
		"operations": {name: "operations", list: true, below: operationShape},
		"records":    {name: "records", list: true},
	}
	indexShape = inputShape{
		"primaryKey": {name: "primary_key"},
		"fields":     {name: "fields", list: true, below: inputShape{"from": {name: "from", list: true}}},
	}
)

var allDigits = regexp.MustCompile(`^"[0-9]{1,20}"$`)

// shaped writes an input object, or a list of them.
func (w *jsonWriter) shaped(raw jsontext.Value, shape inputShape) {
	switch raw.Kind() {
	case '[':
		w.open('[')
		value{raw: raw}.eachElement(func(e value) { w.shaped(e.raw, shape) })
		w.close(']')
	case '{':
		w.open('{')
		eachMember(raw, func(name string, raw jsontext.Value) {
			v, m := graphJSON{raw}, shape[name]
			if !v.given() {
				return
			}
			if m.name != "" {
				name = m.name
			}
			if m.list {
				v = v.list()
			}
			if m.number && allDigits.Match(v.raw) {
				v.raw = v.raw[1 : len(v.raw)-1]
			}
			w.keyText(name)
			if m.below != nil {
				w.shaped(v.raw, m.below)
			} else {
				w.raw(v.raw)
			}
		})
		w.close('}')
	default:
		w.raw(raw)
	}
}

// camel turns the names in a JSON pointer of a REST request into those of
// GraphQL, down to records, whose names are their own.
func camel(pointer string) string {
	names := strings.Split(pointer, "/")
	for i, name := range names {
		if name == "record" || name == "records" {
			break
		}
		parts := strings.Split(name, "_")
		for j := 1; j < len(parts); j++ {
			if parts[j] != "" {
				parts[j] = strings.ToUpper(parts[j][:1]) + parts[j][1:]
			}
		}
		names[i] = strings.Join(parts, "")
	}
	return strings.Join(names, "/")
}

// texts returns an argument that is a list of strings.
func (v graphJSON) texts() (list []string) {
	value{raw: v.list().raw}.eachElement(func(e value) { list = append(list, graphJSON{e.raw}.text()) })
	return list
}

// param returns an argument as the parameter of a URL.
func (v graphJSON) param() string {
	if f, err := strconv.ParseFloat(string(v.raw), 64); err == nil && f == float64(int64(f)) {
		return strconv.FormatInt(int64(f), 10)
	}
	return v.text()
}
