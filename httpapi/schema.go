package httpapi

import (
	"slices"
	"strings"

	"github.com/quarry-search/quarry/engine"
)

// parseSchema reads a schema. What the body does not name stays as in base.
// With merge the fields of the body are those of base changed or new ones
// after them; otherwise they are all fields there are.
func (s *Server) parseSchema(body value, base engine.Schema, merge bool) (engine.Schema, error) {
	var d reader
	schema := base
	keyAt, fieldsGiven := "", false
	d.object(body, []member{
		{"primary_key", func(v value) {
			if d.str(v, &schema.PrimaryKey) {
				keyAt = v.at
			}
		}},
		{"language", func(v value) { d.str(v, &schema.Language) }},
		{"visible", func(v value) {
			visible := true
			d.boolean(v, &visible)
			schema.Hidden = !visible
		}},
		{"dynamic", func(v value) { d.boolean(v, &schema.Dynamic) }},
		{"presets", func(v value) { s.presets(&d, v, &schema) }},
		{"semantic", func(v value) { schema.Semantic = engine.Semantic(max(d.oneOf(v, "auto", "off", "on"), 0)) }},
		{"thesaurus", func(v value) { schema.NoThesaurus = d.oneOf(v, "on", "off") == 1 }},
		{"synonyms", func(v value) { d.synonyms(v, &schema.Synonyms) }},
		{"stop_words", func(v value) { d.strings(v, &schema.StopWords) }},
		{"rules", func(v value) { d.rules(v, &schema.Rules) }},
		{"intent", func(v value) { d.intentSettings(v, &schema.Intent) }},
		{"fields", func(v value) {
			fieldsGiven = true
			if !d.want(v, "[", "a list of fields") {
				return
			}
			if !merge {
				schema.Fields = nil
			}
			listed, n := map[string]bool{}, 0
			v.eachElement(func(e value) {
				if n++; n <= s.engineMax.IndexFields { // each is compared with all before it
					d.field(e, &schema, listed)
				}
			})
			if n > s.engineMax.IndexFields {
				d.at(v.at, engine.CodeLimitExceeded, "%d fields; an index may have %d", n, s.engineMax.IndexFields)
			}
		}},
	})
	if keyAt != "" && !fieldsGiven && schema.Field(primaryKey(&schema)) >= 0 { // which the engine would say of the field
		d.at(keyAt, engine.CodeInvalidRequest, "%q is a field of the index already, and the primary key is no field", primaryKey(&schema))
	}
	return schema, d.err()
}

// field reads a field of a schema and puts it into s. listed holds the names
// of those before it in the body.
func (d *reader) field(v value, s *engine.Schema, listed map[string]bool) {
	before := d.total
	name := ""
	var set []func(*engine.Field) // what the body says, for the field as it is
	flag := func(at func(*engine.Field) *bool) func(value) {
		return func(v value) {
			var on bool
			if d.boolean(v, &on) {
				set = append(set, func(f *engine.Field) { *at(f) = on })
			}
		}
	}
	text := func(at func(*engine.Field) *string) func(value) {
		return func(v value) {
			var s string
			if d.str(v, &s) {
				set = append(set, func(f *engine.Field) { *at(f) = s })
			}
		}
	}
	var typ engine.Type
	searchSet := false
	object := d.object(v, []member{
		{"name", func(v value) { d.str(v, &name) }},
		{"type", func(v value) { typ = d.fieldType(v) }},
		{"search", func(v value) {
			searchSet = true
			flag(func(f *engine.Field) *bool { return &f.Search })(v)
		}},
		{"filter", flag(func(f *engine.Field) *bool { return &f.Filter })},
		{"facet", flag(func(f *engine.Field) *bool { return &f.Facet })},
		{"sort", flag(func(f *engine.Field) *bool { return &f.Sort })},
		{"weight", func(v value) {
			var w float64
			if d.number(v, 0, 1000, &w) {
				set = append(set, func(f *engine.Field) { f.Weight = w })
			}
		}},
		{"b", func(v value) {
			var b float64
			if d.number(v, 0, 1, &b) {
				set = append(set, func(f *engine.Field) { f.B = &b })
			}
		}},
		{"language", text(func(f *engine.Field) *string { return &f.Language })},
		{"analyzer", text(func(f *engine.Field) *string { return &f.Analyzer })},
		{"dimensions", func(v value) {
			var n int64
			if d.integer(v, 1, maxDimensions, engine.CodeInvalidRequest, &n) {
				set = append(set, func(f *engine.Field) { f.Dimensions = int(n) })
			}
		}},
		{"metric", func(v value) {
			if m := d.oneOf(v, "cosine", "dot"); m >= 0 {
				set = append(set, func(f *engine.Field) { f.Metric = engine.Metric(m) })
			}
		}},
		{"embedder", text(func(f *engine.Field) *string { return &f.Embedder })},
		{"from", func(v value) {
			var from []string
			if d.strings(v, &from) {
				set = append(set, func(f *engine.Field) { f.From = from })
			}
		}},
	})
	if !object || d.total > before {
		return
	}
	if name == "" {
		d.at(v.at, engine.CodeInvalidRequest, "a field needs a name")
		return
	}
	if listed[name] {
		d.at(v.child("name"), engine.CodeInvalidRequest, "the field is listed twice")
		return
	}
	listed[name] = true
	i := slices.IndexFunc(s.Fields, func(f engine.Field) bool { return f.Name == name })
	if i < 0 {
		if typ == 0 {
			d.at(v.at, engine.CodeInvalidRequest, "a new field needs a type")
			return
		}
		i = len(s.Fields)
		s.Fields = append(s.Fields, engine.Field{Name: name})
	}
	f := &s.Fields[i]
	if typ != 0 && typ != f.Type {
		f.Type = typ
		if !searchSet {
			f.Search = typ == engine.Text
		}
	}
	for _, apply := range set {
		apply(f)
	}
}

// maxDimensions is what a vector field may have at most.
const maxDimensions = 4096

// fieldType reads the name of a type; 0 after a fault.
func (d *reader) fieldType(v value) engine.Type {
	var name string
	if !d.str(v, &name) {
		return 0
	}
	t, ok := engine.ParseType(name)
	switch {
	case ok:
	case strings.HasPrefix(name, "vector("):
		d.at(v.at, engine.CodeInvalidRequest, "must be \"vector\", with the number as dimensions")
	default:
		d.at(v.at, engine.CodeInvalidRequest, "must be one of %s", quotedList(typeNames()))
	}
	return t
}

// typeNames returns the names of the engine's types.
func typeNames() (names []string) {
	for t := engine.Text; t <= engine.Vector; t++ {
		names = append(names, t.String())
	}
	return names
}
