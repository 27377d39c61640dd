package engine

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode"
)

// SchemaOf returns the schema that Bind gives an index of T, a struct. See
// [Index] for how the Go types of fields, and their tags, become fields of the
// index. The schema may be changed and given to Engine.CreateIndex.
//
// Mistakes in the type and its tags are reported all at once, as an
// *InvalidError whose problems name the Go field, and the column in its tag.
func SchemaOf[T any]() (Schema, error) { return schemaOf(reflect.TypeFor[T]()) }

func schemaOf(t reflect.Type) (Schema, error) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	var b schemaBuilder
	if t.Kind() != reflect.Struct || ownJSON(t) != asIs || t == timeType {
		b.addf(t.String(), 0, "an index is of a struct that encoding/json writes as an object")
		return Schema{}, b.problems.orNil()
	}
	b.key = b.keyOf(t)
	b.object(t, "", t.Name())
	if err := b.problems.orNil(); err != nil {
		return Schema{}, err
	}
	return b.schema, b.schema.validate(Limits{}.orDefaults(), nil)
}

// schemaBuilder makes a schema of a struct type.
type schemaBuilder struct {
	schema   Schema
	key      string         // the member that is the id of records
	inside   []reflect.Type // the structs that are being looked at, from the outermost one on
	problems problems
}

// addf notes a mistake at a Go field. column is that in its tag, or 0.
func (b *schemaBuilder) addf(field string, column int, format string, args ...any) {
	b.problems.add(Problem{Code: CodeInvalidRequest, Position: -1, Column: column, Detail: field + ": " + fmt.Sprintf(format, args...)})
}

// object adds the fields of a struct. path is the name of the field that it is
// the value of, with a dot, or ""; at is the same in Go.
func (b *schemaBuilder) object(t reflect.Type, path, at string) {
	if slices.Contains(b.inside, t) {
		b.addf(at, 0, `%s contains itself, without an end; the tag quarry:"-" or quarry:"json" only stores it`, t)
		return
	}
	b.inside = append(b.inside, t)
	defer func() { b.inside = b.inside[:len(b.inside)-1] }()
	for _, m := range membersOf(t) {
		at := at + "." + m.field.Name
		text, tagged := m.field.Tag.Lookup("quarry")
		tag, wrong := parseTag(text)
		for _, e := range wrong {
			b.addf(at, e.column, "the tag %q: %s", text, e.detail)
		}
		switch {
		case len(wrong) > 0:
			// What is misspelt may be the type: without one the rest is not judged.
			if tag.typ != 0 && !tag.id && !tag.skip {
				b.value(m.field.Type, path+m.name, at, tag, m.quoted)
			}
		case !tagged && strings.Contains(string(m.field.Tag), "quarry:"):
			b.addf(at, 0, "the tag `%s` does not have the form quarry:\"…\"", m.field.Tag)
		case path == "" && m.name == b.key:
			b.id(m, at, tag)
		case tag.id && path == "":
			b.addf(at, 1, "a record has one id, and this is the second")
		case tag.id:
			b.addf(at, 1, "an id is a field of the record itself")
		default:
			b.value(m.field.Type, path+m.name, at, tag, m.quoted)
		}
	}
}

// keyOf returns the member that is the id of records: the one with the tag of
// an id, or else the one of the name "id", or else "ID" or the like.
func (b *schemaBuilder) keyOf(t reflect.Type) string {
	members := membersOf(t)
	for _, is := range []func(structMember) bool{
		func(m structMember) bool {
			tag, _ := parseTag(m.field.Tag.Get("quarry"))
			return tag.id
		},
		func(m structMember) bool { return m.name == "id" },
		func(m structMember) bool { return strings.EqualFold(m.name, "id") },
	} {
		if i := slices.IndexFunc(members, is); i >= 0 {
			return members[i].name
		}
	}
	b.addf(t.Name(), 0, `no field is the record's id: name one "id", or give it the tag quarry:"id"`)
	return ""
}

// id takes the field that holds the id of records.
func (b *schemaBuilder) id(m structMember, at string, tag fieldTag) {
	if m.name != "id" {
		b.schema.PrimaryKey = m.name
	}
	if tag.id = false; !tag.isZero() {
		b.addf(at, 1, "the field is the record's id, which takes no options")
	}
	t := m.field.Type
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if k := t.Kind(); ownJSON(t) != asText && (ownJSON(t) != asIs || k != reflect.String && !isInt(k)) || t == timeType {
		b.addf(at, 0, "an id is a string or an integer, not %s", m.field.Type)
	}
}

// value adds what a Go type is in records, under the given name.
func (b *schemaBuilder) value(t reflect.Type, path, at string, tag fieldTag, quoted bool) {
	for {
		if k := t.Kind(); k != reflect.Pointer && (k != reflect.Slice && k != reflect.Array || ownJSON(t) != asIs || isBytes(t)) {
			break
		}
		t = t.Elem()
	}
	natural, known := naturalType(t)
	switch {
	case !known && ownJSON(t) == asIs:
		b.addf(at, 0, `encoding/json cannot write %s; the tag json:"-" leaves the field out`, t)
		return
	case tag.skip:
		tag, natural = fieldTag{}, JSON
	case !known && tag.typ == 0:
		b.addf(at, 0, `%s writes JSON of its own: name the type of that in the tag, such as quarry:"float", or store it only, with quarry:"-"`, t)
		return
	case known && tag.typ != 0 && !fits(t, natural, tag.typ):
		b.addf(at, 0, "%s cannot be %s", t, article(tag.typ))
		return
	case quoted && (natural == Int || natural == Float || natural == Bool):
		natural = Keyword // the JSON option "string" writes text
	case natural == 0 && tag.typ == 0 && !tag.isZero():
		b.addf(at, 0, `%s is an object, which takes no options but "-", "json" and "geo"`, t)
		return
	case natural == 0 && tag.typ == 0 && t.Kind() == reflect.Struct:
		b.object(t, path+".", at)
		return
	case natural == 0 && tag.typ == 0: // the records tell what is in it
		b.schema.Dynamic = true
		return
	}
	f, details := tag.field(path, natural)
	for _, detail := range details {
		b.addf(at, 0, "%s", detail)
	}
	b.schema.Fields = append(b.schema.Fields, f)
}

func (t *fieldTag) isZero() bool {
	return !t.skip && !t.id && t.typ == 0 && len(t.on)+len(t.off) == 0 && t.weight == 0 && t.b == nil && t.language == "" && t.analyzer == ""
}

var (
	timeType   = reflect.TypeFor[time.Time]()
	pointType  = reflect.TypeFor[Point]()
	numberType = reflect.TypeFor[json.Number]()
	rawType    = reflect.TypeFor[json.RawMessage]()
)

// naturalType is the type of a field of a Go type. 0 is an object whose members
// are fields, or a value of any kind. known is false where the Go type does not
// tell, because it writes JSON of its own or none.
func naturalType(t reflect.Type) (typ Type, known bool) {
	switch t {
	case timeType:
		return Date, true
	case pointType:
		return Geo, true
	case numberType:
		return Float, true
	case rawType:
		return JSON, true
	}
	switch ownJSON(t) {
	case asText:
		return Keyword, true
	case asJSON:
		return 0, false
	}
	switch k := t.Kind(); {
	case k == reflect.String:
		return Text, true
	case k == reflect.Bool:
		return Bool, true
	case isInt(k):
		return Int, true
	case isFloat(k):
		return Float, true
	case isBytes(t):
		return JSON, true
	case k == reflect.Struct, k == reflect.Map, k == reflect.Interface:
		return 0, true
	}
	return 0, false
}

// fits tells whether the JSON of a Go type, whose natural type is given, can be
// read as a type that a tag names.
func fits(t reflect.Type, natural, typ Type) bool {
	switch natural {
	case Text, Keyword:
		return typ == Text || typ == Keyword || typ == Date || typ == Geo || typ == JSON
	case Date:
		return typ == Date || typ == Text || typ == Keyword || typ == JSON
	case Int, Float:
		return typ == natural || typ == Float || typ == Date || typ == Text || typ == Keyword || typ == JSON || t == numberType && typ == Int
	case Bool:
		return typ == Bool || typ == Text || typ == Keyword || typ == JSON
	case JSON:
		return typ == JSON || t == rawType || typ == Keyword
	case Geo:
		return typ == Geo || typ == JSON
	}
	switch t.Kind() {
	case reflect.Struct:
		return typ == JSON || typ == Geo && isPlaceStruct(t)
	case reflect.Map:
		return typ == JSON || typ == Geo
	}
	return true
}

func isInt(k reflect.Kind) bool   { return k >= reflect.Int && k <= reflect.Uintptr }
func isFloat(k reflect.Kind) bool { return k == reflect.Float32 || k == reflect.Float64 }

// isBytes tells whether encoding/json writes a type as base64.
func isBytes(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8 && ownJSON(t.Elem()) == asIs
}

// isPlaceStruct tells whether a struct is written as {"lat":…,"lon":…}.
func isPlaceStruct(t reflect.Type) bool {
	m := membersOf(t)
	return len(m) == 2 && !slices.ContainsFunc(m, func(m structMember) bool {
		return m.name != "lat" && m.name != "lon" || m.quoted || !isFloat(m.field.Type.Kind()) && !isInt(m.field.Type.Kind())
	})
}

// Who writes the JSON of a type.
const (
	asIs   = iota // encoding/json
	asText        // its MarshalText
	asJSON        // its MarshalJSON
)

// ownJSON tells who writes the JSON of an addressable value of a type.
func ownJSON(t reflect.Type) int {
	has := func(i reflect.Type) bool {
		return t.Implements(i) || t.Kind() != reflect.Pointer && reflect.PointerTo(t).Implements(i)
	}
	switch {
	case t.Kind() == reflect.Interface:
		return asIs
	case has(reflect.TypeFor[json.Marshaler]()):
		return asJSON
	case has(reflect.TypeFor[encoding.TextMarshaler]()):
		return asText
	}
	return asIs
}

// structMember is a field of a struct that encoding/json writes as a member of
// an object.
type structMember struct {
	name   string
	field  reflect.StructField
	depth  int  // of embedded structs around it
	tagged bool // the name is that of the json tag
	quoted bool // the JSON option "string"
	order  []int
}

// membersOf returns what encoding/json writes of a struct, by its rules: fields
// of embedded structs stand among those of the struct; of several of one name
// the least deep one counts, and among these the one with a tag; if there is
// not just one such field, none does.
func membersOf(t reflect.Type) []structMember {
	var all []structMember
	collectMembers(t, nil, nil, &all)
	byName := map[string][]structMember{}
	for _, m := range all {
		byName[m.name] = append(byName[m.name], m)
	}
	var out []structMember
	for _, m := range all {
		rivals := byName[m.name]
		least := slices.MinFunc(rivals, compareMembers)
		if slices.Equal(least.order, m.order) && !slices.ContainsFunc(rivals, func(o structMember) bool {
			return !slices.Equal(o.order, m.order) && compareMembers(o, m) == 0
		}) {
			out = append(out, m)
		}
	}
	return out
}

// compareMembers orders members of one name: the one that counts comes first.
func compareMembers(a, b structMember) int {
	switch {
	case a.depth != b.depth:
		return a.depth - b.depth
	case a.tagged == b.tagged:
		return 0
	case a.tagged:
		return -1
	}
	return 1
}

// collectMembers adds the members of a struct and of those embedded in it.
// order is the way to it, and around are the structs on it.
func collectMembers(t reflect.Type, order []int, around []reflect.Type, out *[]structMember) {
	if slices.Contains(around, t) {
		return // deeper ones of the same names never count
	}
	around = append(slices.Clone(around), t)
	for i := range t.NumField() {
		f := t.Field(i)
		inner := f.Type
		if inner.Name() == "" && inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		if !f.IsExported() && !(f.Anonymous && inner.Kind() == reflect.Struct) {
			continue
		}
		tag := f.Tag.Get("json")
		if tag == "-" {
			continue
		}
		name, options, _ := strings.Cut(tag, ",")
		if !validJSONName(name) {
			name = ""
		}
		way := append(slices.Clone(order), i)
		if f.Anonymous && name == "" && inner.Kind() == reflect.Struct {
			collectMembers(inner, way, around, out)
			continue
		}
		m := structMember{
			name: name, field: f, depth: len(order), tagged: name != "", order: way,
			quoted: slices.Contains(strings.Split(options, ","), "string"),
		}
		if name == "" {
			m.name = f.Name
		}
		*out = append(*out, m)
	}
}

// validJSONName tells whether encoding/json takes a name from a tag.
func validJSONName(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}
