package engine

import (
	"reflect"
	"testing"
	"unsafe"
)

// fillIn sets everything in a value to something that is not its zero value:
// each slice and map has one element.
func fillIn(v reflect.Value) {
	if !v.CanSet() { // not exported
		v = reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(1)
	case reflect.Uint8:
		v.SetUint(1)
	case reflect.Float64:
		v.SetFloat(0.5)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fillIn(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fillIn(v.Index(0))
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fillIn(key)
		fillIn(value)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Struct:
		for i := range v.NumField() {
			fillIn(v.Field(i))
		}
	default:
		panic("a schema with a " + v.Kind().String())
	}
}

// shared calls tell with the path of each pointer, slice and map that two values share.
func shared(a, b reflect.Value, path string, tell func(path string)) {
	switch a.Kind() {
	case reflect.Pointer:
		if a.Pointer() == b.Pointer() && !a.IsNil() {
			tell(path)
			return
		}
		if !a.IsNil() && !b.IsNil() {
			shared(a.Elem(), b.Elem(), path, tell)
		}
	case reflect.Slice:
		if a.Len() > 0 && a.Pointer() == b.Pointer() {
			tell(path)
		}
		for i := range min(a.Len(), b.Len()) {
			shared(a.Index(i), b.Index(i), path+"[]", tell)
		}
	case reflect.Map:
		if a.Pointer() == b.Pointer() && !a.IsNil() {
			tell(path)
		}
		for _, key := range a.MapKeys() {
			if other := b.MapIndex(key); other.IsValid() {
				shared(a.MapIndex(key), other, path+"[]", tell)
			}
		}
	case reflect.Struct:
		for i := range a.NumField() {
			shared(a.Field(i), b.Field(i), path+"."+a.Type().Field(i).Name, tell)
		}
	}
}

// TestSchemasAreCopied: what a caller hands over or gets of a schema shares no
// memory with what the engine has of it.
func TestSchemasAreCopied(t *testing.T) {
	var s Schema
	fillIn(reflect.ValueOf(&s).Elem())
	s.Fields[0].Type, s.Fields[0].Language, s.Fields[0].Analyzer = Text, "en", ""
	compare := func(what string, a, b *Schema) {
		t.Helper()
		shared(reflect.ValueOf(a).Elem(), reflect.ValueOf(b).Elem(), "Schema", func(path string) { t.Errorf("%s shares %s", what, path) })
	}
	c := s.clone()
	if !reflect.DeepEqual(*c, s) {
		t.Errorf("a clone is another schema:\n got %+v\nwant %+v", *c, s)
	}
	compare("clone", &s, c)
	compiled, err := compile(&s, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	compare("compile", &s, &compiled.Schema)

	e := newEngine(t, nil)
	b := 0.5
	given := Schema{
		Fields:   []Field{{Name: "t", Type: Text, Search: true, Filter: true, B: &b}, {Name: "v", Type: Vector, Dimensions: 2}},
		Synonyms: []Synonym{{Words: []string{"red", "rouge"}}}, StopWords: []string{"foo"}, Notes: map[string]string{"a": "1"},
		Rules:  []Rule{{ID: "r", Query: "hat", Pin: []Pin{{ID: "1", Position: 1}}, Hide: []string{"2"}}},
		Intent: IntentSettings{Skip: []string{"t"}, Words: []IntentWords{{Words: []string{"cheap"}, Filter: `t = "1"`}}},
	}
	create(t, e, "i", given)
	inForce := func() *Schema { return &e.writers["i"].schema.Schema }
	compare("CreateIndex", &given, inForce())
	info, err := e.Index("i")
	if err != nil {
		t.Fatal(err)
	}
	compare("Index", &info.Schema, inForce())
	given.StopWords = []string{"bar"}
	if info, err = e.UpdateIndex(t.Context(), "i", given); err != nil {
		t.Fatal(err)
	}
	compare("UpdateIndex", &given, inForce())
	compare("what UpdateIndex returns", &info.Schema, inForce())
	given.Fields = append(given.Fields, Field{Name: "k", Type: Keyword, Filter: true})
	if info, err = e.StartUpdate(t.Context(), "i", given); err != nil {
		t.Fatal(err)
	}
	compare("StartUpdate", &given, inForce())
	compare("what StartUpdate notes", &given, &e.writers["i"].update.Load().schema)
	compare("RebuildInfo", &info.Rebuild.Schema, &e.writers["i"].update.Load().schema)
}
