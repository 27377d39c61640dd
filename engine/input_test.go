package engine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestSchemaProblems(t *testing.T) {
	ctx := context.Background()
	e := newEngine(t, &Options{Limits: Limits{IndexFields: 3}})
	nan, two := math.NaN(), 2.0
	field := func(f Field) Schema { return Schema{Fields: []Field{f}} }
	tests := []struct {
		name          string
		s             Schema
		code, pointer string
	}{
		{"language", Schema{Language: "xx"}, CodeInvalidRequest, "/language"},
		{"too many fields", Schema{Fields: make([]Field, 4)}, CodeLimitExceeded, "/fields"},
		{"no name", field(Field{Type: Int}), CodeInvalidRequest, "/fields/0/name"},
		{"control character", field(Field{Name: "a\nb", Type: Int}), CodeInvalidRequest, "/fields/0/name"},
		{"invalid UTF-8", field(Field{Name: "a\xff", Type: Int}), CodeInvalidRequest, "/fields/0/name"},
		{"long name", field(Field{Name: strings.Repeat("x", 257), Type: Int}), CodeInvalidRequest, "/fields/0/name"},
		{"twice", Schema{Fields: []Field{{Name: "a", Type: Int}, {Name: "a", Type: Bool}}}, CodeInvalidRequest, "/fields/1/name"},
		{"no type", field(Field{Name: "a"}), CodeInvalidRequest, "/fields/0/type"},
		{"unknown type", field(Field{Name: "a", Type: Vector + 1}), CodeInvalidRequest, "/fields/0/type"},
		{"search", field(Field{Name: "a", Type: Keyword, Search: true}), CodeInvalidRequest, "/fields/0/search"},
		{"json filter", field(Field{Name: "a", Type: JSON, Sort: true}), CodeInvalidRequest, "/fields/0/filter"},
		{"weight", field(Field{Name: "a", Type: Text, Weight: -1}), CodeInvalidRequest, "/fields/0/weight"},
		{"huge weight", field(Field{Name: "a", Type: Text, Weight: 1001}), CodeInvalidRequest, "/fields/0/weight"},
		{"weight NaN", field(Field{Name: "a", Type: Text, Weight: nan}), CodeInvalidRequest, "/fields/0/weight"},
		{"b", field(Field{Name: "a", Type: Text, B: &two}), CodeInvalidRequest, "/fields/0/b"},
		{"b NaN", field(Field{Name: "a", Type: Text, B: &nan}), CodeInvalidRequest, "/fields/0/b"},
		{"field language", field(Field{Name: "a", Type: Text, Language: "xx"}), CodeInvalidRequest, "/fields/0/language"},
		{"analyzer", field(Field{Name: "a", Type: Text, Analyzer: "x"}), CodeInvalidRequest, "/fields/0/analyzer"},
		{"key in fields", Schema{PrimaryKey: "sku", Fields: []Field{{Name: "sku", Type: Keyword, Filter: true}}}, CodeInvalidRequest, "/fields/0/name"},
		{"key with control characters", Schema{PrimaryKey: "a\x00"}, CodeInvalidRequest, "/primary_key"},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			_, err := e.CreateIndex(ctx, "i", c.s)
			wantProblem(t, err, c.code, c.pointer)
		})
	}
	if n := len(e.Indexes()); n != 0 {
		t.Errorf("%d indexes were made", n)
	}
	_, err := e.CreateIndex(ctx, "i", Schema{Language: "xx", Fields: []Field{{}, {Name: "a", Type: Bool, Search: true}}})
	if inv := wantProblem(t, err, CodeInvalidRequest, "/language"); inv != nil && (inv.Total != 4 || len(inv.Problems) != 4) {
		t.Errorf("not all problems at once: %v", inv.Problems)
	}
	create(t, e, "i", Schema{})
	_, err = e.UpdateIndex(ctx, "i", Schema{Language: "xx"})
	wantProblem(t, err, CodeInvalidRequest, "/language")
}

// inputSchema has a field of every type.
func inputSchema() Schema {
	return Schema{Fields: []Field{
		{Name: "text", Type: Text, Search: true, Filter: true, Sort: true},
		{Name: "key", Type: Keyword, Filter: true, Facet: true, Sort: true},
		{Name: "int", Type: Int, Filter: true, Facet: true, Sort: true},
		{Name: "float", Type: Float, Filter: true, Facet: true, Sort: true},
		{Name: "bool", Type: Bool, Filter: true, Facet: true, Sort: true},
		{Name: "date", Type: Date, Filter: true, Facet: true, Sort: true},
		{Name: "json", Type: JSON},
		{Name: "a.b", Type: Int, Filter: true},
	}}
}

func TestRecordProblems(t *testing.T) {
	ctx := context.Background()
	e := newEngine(t, &Options{Limits: Limits{RecordBytes: 4000, RecordDepth: 4, KeywordBytes: 100}})
	create(t, e, "i", inputSchema())
	deep := func(n int) string { return strings.Repeat(`{"x":`, n) + "1" + strings.Repeat("}", n) }
	tests := []struct {
		name, record  string
		code, pointer string
	}{
		{"empty", ``, CodeMalformedJSON, "/record"},
		{"blank", ` `, CodeMalformedJSON, "/record"},
		{"null", `null`, CodeInvalidRequest, "/record"},
		{"list", `[{"id":"1"}]`, CodeInvalidRequest, "/record"},
		{"string", `"x"`, CodeInvalidRequest, "/record"},
		{"number", `7`, CodeInvalidRequest, "/record"},
		{"cut off", `{"id":"1","text":"a`, CodeMalformedJSON, "/record"},
		{"not closed", `{"id":"1"`, CodeMalformedJSON, "/record"},
		{"two values", `{"id":"1"}{"id":"2"}`, CodeMalformedJSON, "/record"},
		{"trailing comma", `{"id":"1",}`, CodeMalformedJSON, "/record"},
		{"single quotes", `{'id':'1'}`, CodeMalformedJSON, "/record"},
		{"NaN", `{"id":"1","float":NaN}`, CodeMalformedJSON, "/record"},
		{"Infinity", `{"id":"1","float":-Infinity}`, CodeMalformedJSON, "/record"},
		{"hexadecimal", `{"id":"1","int":0x10}`, CodeMalformedJSON, "/record"},
		{"leading zero", `{"id":"1","int":010}`, CodeMalformedJSON, "/record"},
		{"name twice", `{"id":"1","text":"a","text":"b"}`, CodeMalformedJSON, "/record"},
		{"name twice, escaped", `{"id":"1","text":"a","te\u0078t":"b"}`, CodeMalformedJSON, "/record"},
		{"name twice, nested", `{"id":"1","json":{"a":1,"a":2}}`, CodeMalformedJSON, "/record"},
		{"invalid UTF-8", "{\"id\":\"1\",\"text\":\"a\xff\"}", CodeMalformedJSON, "/record"},
		{"invalid UTF-8 in a name", "{\"id\":\"1\",\"a\xff\":1}", CodeMalformedJSON, "/record"},
		{"lone surrogate", `{"id":"1","text":"\ud800"}`, CodeMalformedJSON, "/record"},
		{"control character", "{\"id\":\"1\",\"text\":\"a\nb\"}", CodeMalformedJSON, "/record"},
		{"byte order mark", "\ufeff{\"id\":\"1\"}", CodeMalformedJSON, "/record"},
		{"too deep", `{"id":"1","json":` + deep(4) + `}`, CodeMalformedJSON, "/record"},
		{"too deep in lists", `{"id":"1","json":[[[[1]]]]}`, CodeMalformedJSON, "/record"},
		{"too large", `{"id":"1","text":"` + strings.Repeat("x", 4000) + `"}`, CodeRecordTooLarge, "/record"},
		{"number beyond floats", `{"id":"1","float":1e400}`, CodeInvalidFieldType, "/record/float"},
		{"long number", `{"id":"1","float":0.` + strings.Repeat("1", 63) + `}`, CodeMalformedJSON, "/record"},

		{"int as string", `{"id":"1","int":"5"}`, CodeInvalidFieldType, "/record/int"},
		{"int as float", `{"id":"1","int":5.5}`, CodeInvalidFieldType, "/record/int"},
		{"int with exponent", `{"id":"1","int":1e3}`, "", ""},
		{"int with fraction behind an exponent", `{"id":"1","int":1234e-2}`, CodeInvalidFieldType, "/record/int"},
		{"int with a small fraction", `{"id":"1","int":5.0000000000000000001}`, CodeInvalidFieldType, "/record/int"},
		{"int beyond 64 bits, with a point", `{"id":"1","int":9223372036854775808.0}`, CodeInvalidFieldType, "/record/int"},
		{"int far beyond", `{"id":"1","int":1e300}`, CodeInvalidFieldType, "/record/int"},
		{"int of nearly nothing", `{"id":"1","int":1e-300}`, CodeInvalidFieldType, "/record/int"},
		{"int beyond 64 bits", `{"id":"1","int":9223372036854775808}`, CodeInvalidFieldType, "/record/int"},
		{"int below 64 bits", `{"id":"1","int":-9223372036854775809}`, CodeInvalidFieldType, "/record/int"},
		{"int as object", `{"id":"1","int":{"x":1}}`, "", ""},
		{"in a list", `{"id":"1","int":[1,2,"x"]}`, CodeInvalidFieldType, "/record/int/2"},
		{"nested", `{"id":"1","a":{"b":"x"}}`, CodeInvalidFieldType, "/record/a/b"},
		{"nested in a list", `{"id":"1","a":[{"b":1},{"b":true}]}`, CodeInvalidFieldType, "/record/a/1/b"},
		{"float as string", `{"id":"1","float":"1"}`, CodeInvalidFieldType, "/record/float"},
		{"bool as int", `{"id":"1","bool":1}`, CodeInvalidFieldType, "/record/bool"},
		{"bool as string", `{"id":"1","bool":"true"}`, CodeInvalidFieldType, "/record/bool"},
		{"date as word", `{"id":"1","date":"soon"}`, CodeInvalidFieldType, "/record/date"},
		{"date that is none", `{"id":"1","date":"2023-02-30"}`, CodeInvalidFieldType, "/record/date"},
		{"date beyond time", `{"id":"1","date":99999999999999}`, CodeInvalidFieldType, "/record/date"},
		{"date as bool", `{"id":"1","date":true}`, CodeInvalidFieldType, "/record/date"},
		{"long keyword", `{"id":"1","key":"` + strings.Repeat("x", 101) + `"}`, CodeLimitExceeded, "/record/key"},

		{"id bool", `{"id":true}`, CodeInvalidFieldType, "/record/id"},
		{"id float", `{"id":1.0}`, CodeInvalidFieldType, "/record/id"},
		{"id exponent", `{"id":1e2}`, CodeInvalidFieldType, "/record/id"},
		{"id beyond 64 bits", `{"id":9223372036854775808}`, CodeInvalidFieldType, "/record/id"},
		{"id object", `{"id":{"a":1}}`, CodeInvalidFieldType, "/record/id"},
		{"id empty object", `{"id":{}}`, CodeInvalidFieldType, "/record/id"},
		{"id empty list", `{"id":[]}`, CodeInvalidFieldType, "/record/id"},
		{"id list of nulls", `{"id":[null]}`, CodeInvalidFieldType, "/record/id"},
		{"id list of one", `{"id":["x"]}`, CodeInvalidFieldType, "/record/id/0"},
		{"id list", `{"id":["x","y"]}`, CodeInvalidFieldType, "/record/id/0"},
		{"id empty", `{"id":""}`, CodeInvalidRequest, "/record/id"},
		{"id dot", `{"id":"."}`, CodeInvalidRequest, "/record/id"},
		{"id dots", `{"id":".."}`, CodeInvalidRequest, "/record/id"},
		{"id control", `{"id":"a\u0000"}`, CodeInvalidRequest, "/record/id"},
		{"id delete", `{"id":"a\u007f"}`, CodeInvalidRequest, "/record/id"},
		{"id C1", `{"id":"a\u0085"}`, CodeInvalidRequest, "/record/id"},
		{"id long", `{"id":"` + strings.Repeat("x", 513) + `"}`, CodeInvalidRequest, "/record/id"},

		{"depth met", `{"id":"1","json":` + deep(3) + `}`, "", ""},
		{"size met", `{"id":"1","json":"` + strings.Repeat("x", 4000-20) + `"}`, "", ""},
		{"long id", `{"id":"` + strings.Repeat("x", 512) + `"}`, "", ""},
		{"unusual id", `{"id":"a/b?c=%20 ü 日本 \"…"}`, "", ""},
		{"spaces", " \n{ \"id\" : \"1\" }\t ", "", ""},
		{"nulls", `{"id":"1","int":null,"text":[null,null],"a":null}`, "", ""},
		{"unknown field", `{"id":"1","extra":{"x":[1,"y",{"z":true}]}}`, "", ""},
		{"NUL in a value", `{"id":"1","text":"a\u0000b","key":"\u0000"}`, "", ""},
		{"surrogate pair", `{"id":"1","text":"\ud83d\ude00"}`, "", ""},
		{"json of anything", `{"id":"1","json":[1,"x",{"y":null}]}`, "", ""},
		{"lists of lists", `{"id":"1","int":[[1],[2,[3]]]}`, "", ""},
		{"empty names", `{"id":"1","":{"":1,"id":"x"}}`, "", ""},
		{"minus zero", `{"id":"1","int":-0,"float":-0.0}`, "", ""},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			before := e.Version()
			_, err := e.Apply(ctx, puts("i", c.record))
			if c.code == "" {
				if err != nil {
					t.Errorf("%s: %v", c.record, err)
				}
				return
			}
			inv := wantProblem(t, err, c.code, c.pointer)
			if e.Version() != before {
				t.Error("the version has changed")
			}
			if inv != nil && (inv.Problems[0].Position != 0 || strings.Contains(err.Error(), "xxxx") || strings.Contains(err.Error(), "soon")) {
				t.Errorf("problem %+v", inv.Problems[0])
			}
		})
	}
}

// TestAllProblemsAtOnce: a batch reports the problems of all its operations,
// the first hundred of them.
func TestAllProblemsAtOnce(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "i", inputSchema())
	var b Batch
	for range 60 {
		b.Put("i", []byte(`{"id":"1","int":"x","bool":3,"float":true}`))
		b.Put("i", []byte(`{"id":"ok"}`))
	}
	_, err := e.Apply(context.Background(), &b)
	inv := wantProblem(t, err, CodeInvalidFieldType, "/record/int")
	if inv == nil {
		return
	}
	if len(inv.Problems) != 100 || inv.Total != 180 {
		t.Errorf("%d problems of %d, want 100 of 180", len(inv.Problems), inv.Total)
	}
	if p := inv.Problems[4]; p.Position != 2 || p.Pointer != "/record/bool" {
		t.Errorf("fifth problem: %+v", p)
	}
	if !strings.Contains(err.Error(), "179 more") {
		t.Errorf("text of the error: %v", err)
	}
}

// TestRecordsAreKeptAsWritten: bytes in, bytes out, whatever the numbers and
// spaces.
func TestRecordsAreKeptAsWritten(t *testing.T) {
	ctx := context.Background()
	d := newDisk(t, Options{})
	records := map[string]string{
		"1":                   ` { "id" : "1" , "n":1.50e+3, "big":123456789012345678901234567890, "s":"\u00e9\/" } `,
		"-7":                  `{"x":[1, 2,3],"id":-7}`,
		"9223372036854775807": `{"id":9223372036854775807}`,
		"esc\"aped":           `{"id":"esc\u0022aped","a":""}`,
		"ü":                   `{"\u0069d":"\u00fc"}`,
		"0":                   `{"id":-0}`,
	}
	var b Batch
	for _, r := range records {
		b.Put("i", []byte(r))
	}
	apply(t, d.e, &b)
	d.states("i", func(t *testing.T, e *Engine) {
		for id, want := range records {
			rec, err := e.Record(ctx, "i", id)
			if err != nil || string(rec.JSON) != want || rec.ID != id || rec.Index != "i" || rec.Version != 1 {
				t.Errorf("record %q: %q (%v), want %q", id, rec.JSON, err, want)
			}
		}
	})
}

func TestIDsOfTheEngine(t *testing.T) {
	ctx := context.Background()
	e := newEngine(t, nil)
	res := apply(t, e, puts("i", `{}`, `{"a":1}`, `{"id":null,"a":2}`, ` { "a" : 3 }`, `{"a":{"id":"inner"}}`))
	want := []string{`{"id":"%s"}`, `{"id":"%s","a":1}`, `{"id":"%s","a":2}`, `{"id":"%s", "a" : 3 }`, `{"id":"%s","a":{"id":"inner"}}`}
	for i, id := range res.IDs {
		if len(id) != 26 || i > 0 && id <= res.IDs[i-1] {
			t.Errorf("ids %q do not ascend", res.IDs)
		}
		rec, err := e.Record(ctx, "i", id)
		if expect := fmt.Sprintf(want[i], id); err != nil || string(rec.JSON) != expect {
			t.Errorf("record %s, %v, want %s", rec.JSON, err, expect)
		}
	}
	// Two records without an id are two records; a key of another name works
	// the same way, also when its name has dots.
	for i, key := range []string{"sku", "a.b", "ключ"} {
		name := fmt.Sprintf("k%d", i)
		create(t, e, name, Schema{PrimaryKey: key, Dynamic: true})
		res := apply(t, e, puts(name, `{"id":"x"}`, `{"id":"x"}`, fmt.Sprintf(`{%q:"mine","id":"x"}`, key), fmt.Sprintf(`{%q:null,"id":"x"}`, key)))
		if info, _ := e.Index(name); info.Records != 4 || res.IDs[2] != "mine" {
			t.Errorf("key %s: %d records, ids %q", key, info.Records, res.IDs)
		}
		if got := filtered(t, e, name, `id = "x"`); got != sortWords(strings.Join(res.IDs, " ")) {
			t.Errorf("key %s: id is no field of its own: %q", key, got)
		}
	}
}

func TestIDsOfOperations(t *testing.T) {
	ctx := context.Background()
	e := newEngine(t, nil)
	op := func(kind OpKind, id, record string) *Batch {
		return &Batch{Ops: []Op{{Kind: kind, Index: "i", ID: id, Record: []byte(record)}}}
	}
	for _, c := range []struct{ id, record, want string }{
		{"a", `{}`, `{"id":"a"}`},
		{"a", `{"id":"a","n":1}`, `{"id":"a","n":1}`},
		{"7", `{"id":7}`, `{"id":7}`},
		{"a", `{"id":null,"n":1}`, `{"id":"a","n":1}`},
		{`"`, `{"n":1}`, `{"id":"\"","n":1}`},
	} {
		res, err := e.Apply(ctx, op(OpPut, c.id, c.record))
		if err != nil || res.IDs[0] != c.id {
			t.Errorf("put %s as %q: %v", c.record, c.id, err)
			continue
		}
		if rec, err := e.Record(ctx, "i", c.id); err != nil || string(rec.JSON) != c.want {
			t.Errorf("put %s as %q: stored %s, want %s (%v)", c.record, c.id, rec.JSON, c.want, err)
		}
	}
	for _, c := range []struct {
		b             *Batch
		code, pointer string
	}{
		{op(OpPut, "a", `{"id":"b"}`), CodeInvalidRequest, "/record/id"},
		{op(OpPut, "a", `{"id":7}`), CodeInvalidRequest, "/record/id"},
		{op(OpPut, "..", `{}`), CodeInvalidRequest, "/id"},
		{op(OpPut, "a\xff", `{}`), CodeInvalidRequest, "/id"},
		{op(OpPatch, "a", `{"id":"b"}`), CodeInvalidRequest, "/record/id"},
		{op(OpPatch, "a", `{"id":["a"]}`), CodeInvalidFieldType, "/record/id/0"},
		{op(OpPatch, "a", `[]`), CodeInvalidRequest, "/record"},
		{op(OpPatch, "a", `{"x":1,"x":2}`), CodeMalformedJSON, "/record"},
		{op(OpPatch, "a", ``), CodeMalformedJSON, "/record"},
		{op(OpPatch, "nobody", `{}`), CodeRecordNotFound, "/id"},
		{op(OpPatch, "", `{}`), CodeInvalidRequest, "/id"},
		{op(OpDelete, "", ``), CodeInvalidRequest, "/id"},
		{op(OpDelete, strings.Repeat("x", 513), ``), CodeInvalidRequest, "/id"},
		{op(OpKind(99), "a", `{}`), CodeInvalidRequest, "/op"},
	} {
		_, err := e.Apply(ctx, c.b)
		wantProblem(t, err, c.code, c.pointer)
	}
	if res := apply(t, e, op(OpDelete, "nobody", "")); res.Deleted != 0 || res.IDs[0] != "nobody" {
		t.Errorf("delete of a missing record: %+v", res)
	}
	if _, err := e.Apply(ctx, op(OpPatch, "nobody", `{}`)); !errors.Is(err, ErrNotFound) {
		t.Errorf("patch of a missing record: %v is not ErrNotFound", err)
	}
}

func TestPatch(t *testing.T) {
	ctx := context.Background()
	d := newDisk(t, Options{})
	apply(t, d.e, puts("i", `{"id":"1","a":1,"b":{"c":1,"d":2},"t":"one word"}`))
	steps := []struct{ patch, want string }{
		{`{}`, `{"id":"1","a":1,"b":{"c":1,"d":2},"t":"one word"}`},
		{`{"a":2,"new":[1]}`, `{"id":"1","a":2,"b":{"c":1,"d":2},"t":"one word","new":[1]}`},
		{`{"b":{"c":5}}`, `{"id":"1","a":2,"b":{"c":5},"t":"one word","new":[1]}`},
		{`{"a":null,"missing":null}`, `{"id":"1","b":{"c":5},"t":"one word","new":[1]}`},
		{`{"a":7.25,"id":"1"}`, `{"id":"1","b":{"c":5},"t":"one word","new":[1],"a":7.25}`},
		{`{"id":null,"t":"other"}`, `{"id":"1","b":{"c":5},"t":"other","new":[1],"a":7.25}`},
	}
	for i, s := range steps {
		var b Batch
		b.Patch("i", "1", []byte(s.patch))
		if res := apply(t, d.e, &b); res.Patched != 1 || res.Put != 0 || res.IDs[0] != "1" {
			t.Errorf("patch %s: %+v", s.patch, res)
		}
		if rec, err := d.e.Record(ctx, "i", "1"); err != nil || string(rec.JSON) != s.want || rec.Version != uint64(i+2) {
			t.Errorf("after %s: %s version %d, want %s (%v)", s.patch, rec.JSON, rec.Version, s.want, err)
		}
	}
	// Within a batch, later operations see what earlier ones did.
	var b Batch
	b.Put("i", []byte(`{"id":"2","x":1}`))
	b.Patch("i", "2", []byte(`{"y":2}`))
	b.Patch("i", "2", []byte(`{"z":3}`))
	b.Delete("i", "1")
	b.Put("i", []byte(`{"id":"1","again":true}`))
	b.Patch("i", "1", []byte(`{"more":1}`))
	if res := apply(t, d.e, &b); res.Put != 2 || res.Patched != 3 || res.Deleted != 1 {
		t.Errorf("counts: %+v", res)
	}
	d.states("i", func(t *testing.T, e *Engine) {
		for id, want := range map[string]string{"1": `{"id":"1","again":true,"more":1}`, "2": `{"id":"2","x":1,"y":2,"z":3}`} {
			if rec, err := e.Record(ctx, "i", id); err != nil || string(rec.JSON) != want {
				t.Errorf("record %s: %s, want %s (%v)", id, rec.JSON, want, err)
			}
		}
		if got := filtered(t, e, "i", "z = 3 OR more = 1"); got != "1 2" {
			t.Errorf("filter: %q", got)
		}
	})
}

func TestPutNewAndIfVersion(t *testing.T) {
	ctx := context.Background()
	e := newEngine(t, nil)
	version := func(v uint64) *uint64 { return &v }
	var b Batch
	b.PutNew("i", []byte(`{"id":"1","n":1}`))
	apply(t, e, &b)
	_, err := e.Apply(ctx, &b)
	if wantProblem(t, err, CodeRecordExists, ""); !errors.Is(err, ErrRecordExists) {
		t.Errorf("%v is not ErrRecordExists", err)
	}
	b = Batch{}
	b.PutNew("i", []byte(`{"id":"2"}`))
	b.PutNew("i", []byte(`{"id":"2"}`))
	_, err = e.Apply(ctx, &b)
	if inv := wantProblem(t, err, CodeRecordExists, ""); inv != nil && inv.Problems[0].Position != 1 {
		t.Errorf("problem %+v", inv.Problems)
	}
	for _, c := range []struct {
		op Op
		ok bool
	}{
		{Op{Kind: OpPut, ID: "1", Record: []byte(`{}`), IfVersion: version(2)}, false},
		{Op{Kind: OpPut, ID: "1", Record: []byte(`{}`), IfVersion: version(0)}, false},
		{Op{Kind: OpPut, ID: "1", Record: []byte(`{}`), IfVersion: version(1)}, true},
		{Op{Kind: OpPatch, ID: "1", Record: []byte(`{"n":2}`), IfVersion: version(1)}, false},
		{Op{Kind: OpPatch, ID: "1", Record: []byte(`{"n":2}`), IfVersion: version(2)}, true},
		{Op{Kind: OpDelete, ID: "1", IfVersion: version(9)}, false},
		{Op{Kind: OpDelete, ID: "1", IfVersion: version(3)}, true},
		{Op{Kind: OpDelete, ID: "1", IfVersion: version(3)}, false},
		{Op{Kind: OpDelete, ID: "1", IfVersion: version(0)}, true},
		{Op{Kind: OpPut, ID: "new", Record: []byte(`{}`), IfVersion: version(1)}, false},
		{Op{Kind: OpPut, ID: "new", Record: []byte(`{}`), IfVersion: version(0)}, true},
	} {
		if c.op.Index == "" {
			c.op.Index = "i"
		}
		_, err := e.Apply(ctx, &Batch{Ops: []Op{c.op}})
		if c.ok && err != nil {
			t.Errorf("%+v: %v", c.op, err)
		}
		if !c.ok {
			if wantProblem(t, err, CodeVersionMismatch, "/if_version"); !errors.Is(err, ErrVersion) {
				t.Errorf("%v is not ErrVersion", err)
			}
		}
	}
}

func TestPartialBatches(t *testing.T) {
	ctx := context.Background()
	d := newDisk(t, Options{})
	version := uint64(77)
	apply(t, d.e, puts("i", `{"id":"old","n":1}`))
	_, err := d.e.Apply(ctx, &Batch{Ops: []Op{{Kind: OpDeleteWhere, Index: "i", Filter: "n = 1", IfVersion: &version}}})
	wantProblem(t, err, CodeInvalidRequest, "/if_version")
	b := &Batch{Partial: true}
	b.Put("i", []byte(`{"id":"a","n":1}`))
	b.Put("i", []byte(`{"id":"b","n":"x"}`))
	b.PutNew("i", []byte(`{"id":"old","n":2}`))
	b.Patch("i", "nobody", []byte(`{}`))
	b.Ops = append(b.Ops, Op{Kind: OpPut, Index: "i", ID: "c", Record: []byte(`{"n":3}`), IfVersion: &version})
	b.Ops = append(b.Ops, Op{Kind: OpDeleteWhere, Index: "i", Filter: "unknown = 1"})
	b.Put("Bad Name", []byte(`{}`))
	b.Delete("i", "nobody")
	b.Put("i", []byte(`{"id":"a","n":4}`))
	b.Put("i", []byte(`not JSON`))
	b.PutNew("new", []byte(`{"id":"x"}`))
	b.PutNew("new", []byte(`{"id":"x"}`))
	res := apply(t, d.e, b)
	var failed []string
	for _, p := range res.Errors {
		failed = append(failed, fmt.Sprintf("%d %s", p.Position, p.Code))
	}
	want := "1 invalid_field_type, 2 record_exists, 3 record_not_found, 4 version_mismatch, 5 unknown_field, 6 invalid_request, 9 malformed_json, 11 record_exists"
	if got := strings.Join(sortByPosition(failed), ", "); got != want {
		t.Errorf("failed:\n got %s\nwant %s", got, want)
	}
	if res.Failed != 8 || res.Put != 3 || res.Patched != 0 || res.Deleted != 0 || res.Version != 2 || fmt.Sprint(res.IndexesCreated) != "[new]" {
		t.Errorf("result %+v", res)
	}
	if got := fmt.Sprintf("%q", res.IDs); got != `["a" "" "" "" "" "" "" "nobody" "a" "" "x" ""]` {
		t.Errorf("ids %s", got)
	}
	d.states("i", func(t *testing.T, e *Engine) {
		compareRecords(t, e, "i", map[string]int{"old": 1, "a": 4})
	})
	// Nothing but failures: nothing changes, and no index is made.
	res, err = d.e.Apply(ctx, &Batch{Partial: true, Ops: []Op{
		{Kind: OpPut, Index: "other", Record: []byte(`{"id":1.5}`)},
		{Kind: OpPut, Index: "other", ID: "x", Record: []byte(`{}`), IfVersion: &version},
	}})
	if err != nil || res.Failed != 2 || len(res.IndexesCreated) != 0 {
		t.Errorf("only failures: %+v, %v", res, err)
	}
	if _, err := d.e.Index("other"); !errors.Is(err, ErrNotFound) {
		t.Errorf("an index was made of failures: %v", err)
	}
}

func sortByPosition(s []string) []string {
	var at [100]string
	for _, v := range s {
		var n int
		fmt.Sscan(v, &n)
		at[n] = v
	}
	var out []string
	for _, v := range at {
		if v != "" {
			out = append(out, v)
		}
	}
	return out
}

func TestBatchLimits(t *testing.T) {
	ctx := context.Background()
	e := newEngine(t, &Options{NoAutoCreate: true, Limits: Limits{BatchOps: 3, BatchBytes: 100, IndexFields: 2}})
	create(t, e, "i", Schema{Dynamic: true})
	_, err := e.Apply(ctx, puts("i", `{}`, `{}`, `{}`, `{}`))
	wantProblem(t, err, CodeLimitExceeded, "")
	_, err = e.Apply(ctx, puts("i", `{"id":"`+strings.Repeat("x", 60)+`"}`, `{"id":"`+strings.Repeat("y", 60)+`"}`))
	if inv := wantProblem(t, err, CodeLimitExceeded, ""); inv != nil && inv.Problems[0].Position != -1 {
		t.Errorf("position %d", inv.Problems[0].Position)
	}
	_, err = e.Apply(ctx, puts("i", `{"a":1,"b":2,"c":3}`))
	if wantProblem(t, err, CodeLimitExceeded, "/record/c"); !errors.Is(err, ErrTooLarge) {
		t.Errorf("%v is not ErrTooLarge", err)
	}
	if info, _ := e.Index("i"); len(info.Schema.Fields) != 0 {
		t.Errorf("a batch that failed left fields: %+v", info.Schema.Fields)
	}
	for _, b := range []*Batch{
		puts("none", `{}`),
		{Ops: []Op{{Kind: OpPatch, Index: "none", ID: "1", Record: []byte(`{}`)}}},
		{Ops: []Op{{Kind: OpDelete, Index: "none", ID: "1"}}},
		{Ops: []Op{{Kind: OpDeleteWhere, Index: "none", Filter: "a = 1"}}},
	} {
		if _, err := e.Apply(ctx, b); !errors.Is(err, ErrNotFound) {
			t.Errorf("%v is not ErrNotFound", err)
		}
		_, err := e.Apply(ctx, b)
		wantProblem(t, err, CodeIndexNotFound, "/index")
	}
	before := e.Version()
	if res := apply(t, e, &Batch{}); res.Version != before+1 || e.Version() != before+1 {
		t.Errorf("an empty batch: %+v", res)
	}
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := e.Apply(canceled, puts("i", `{}`)); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

func TestAutoCreate(t *testing.T) {
	ctx := context.Background()
	e := newEngine(t, nil)
	// A delete does not make an index, and is a mistake unless the batch makes it.
	_, err := e.Apply(ctx, &Batch{Ops: []Op{{Kind: OpDelete, Index: "none", ID: "1"}}})
	wantProblem(t, err, CodeIndexNotFound, "/index")
	if res := apply(t, e, &Batch{Ops: []Op{
		{Kind: OpDelete, Index: "late", ID: "1"},
		{Kind: OpPut, Index: "late", Record: []byte(`{"id":"1"}`)},
		{Kind: OpDelete, Index: "late", ID: "1"},
		{Kind: OpDelete, Index: "late", ID: "2"},
	}}); fmt.Sprint(res.IndexesCreated, res.Deleted) != "[late] 1" {
		t.Errorf("%+v", res)
	}
	_, err = e.Apply(ctx, &Batch{Ops: []Op{{Kind: OpDeleteWhere, Index: "none", Filter: "a = 1"}}})
	wantProblem(t, err, CodeIndexNotFound, "/index")
	res := apply(t, e, &Batch{Ops: []Op{
		{Kind: OpPut, Index: "b", Record: []byte(`{"id":"1","n":1}`)},
		{Kind: OpPut, Index: "a", Record: []byte(`{"id":"1","n":1}`)},
		{Kind: OpPatch, Index: "b", ID: "1", Record: []byte(`{"n":2}`)},
		{Kind: OpDeleteWhere, Index: "a", Filter: "n = 1"},
	}})
	if fmt.Sprint(res.IndexesCreated) != "[b a]" || res.Deleted != 1 {
		t.Errorf("%+v", res)
	}
	// One operation that fails undoes all.
	_, err = e.Apply(ctx, &Batch{Ops: []Op{
		{Kind: OpPut, Index: "c", Record: []byte(`{"id":"1"}`)}, {Kind: OpPatch, Index: "c", ID: "2", Record: []byte(`{}`)},
	}})
	wantProblem(t, err, CodeRecordNotFound, "/id")
	if _, err := e.Index("c"); !errors.Is(err, ErrNotFound) {
		t.Errorf("the index of a failed batch: %v", err)
	}
}

func TestDeleteWhere(t *testing.T) {
	ctx := context.Background()
	d := newDisk(t, Options{})
	var b Batch
	for i := range 30 {
		b.Put("i", fmt.Appendf(nil, `{"id":"r%02d","n":%d,"k":"k%d"}`, i, i, i%3))
	}
	apply(t, d.e, &b)
	where := func(filter string) Op { return Op{Kind: OpDeleteWhere, Index: "i", Filter: filter} }
	res := apply(t, d.e, &Batch{Ops: []Op{
		{Kind: OpPut, Index: "i", Record: []byte(`{"id":"r00","n":100}`)},          // leaves the filter
		{Kind: OpPut, Index: "i", Record: []byte(`{"id":"r99","n":1,"new":true}`)}, // comes into it
		where("n < 5"),
		{Kind: OpPut, Index: "i", Record: []byte(`{"id":"r03","n":3}`)}, // comes back
		where("new = true"),
		where("n = 9 AND k = \"k0\""),
		where("n = 9"),
	}})
	if res.Deleted != 6 {
		t.Errorf("deleted %d, want r01 to r04, r99 and r09", res.Deleted)
	}
	d.states("i", func(t *testing.T, e *Engine) {
		if got := filtered(t, e, "i", "n < 11"); got != "r03 r05 r06 r07 r08 r10" {
			t.Errorf("left: %q", got)
		}
	})
	for filter, code := range map[string]string{"": "", "n <": CodeInvalidFilter, "x = 1": CodeUnknownField, `n = "a"`: CodeInvalidFilter} {
		_, err := d.e.Apply(ctx, &Batch{Ops: []Op{where(filter)}})
		if filter == "" {
			if wantProblem(t, err, CodeInvalidFilter, "/filter"); err == nil {
				t.Error("a delete_where without a filter deleted everything")
			}
			continue
		}
		wantProblem(t, err, code, "/filter")
	}
}

// TestNewFieldInTheSameBatch: a filter may speak of a field that the batch
// itself has brought.
func TestNewFieldInTheSameBatch(t *testing.T) {
	d := newDisk(t, Options{})
	apply(t, d.e, puts("i", `{"id":"1","a":1}`, `{"id":"2","a":2}`))
	b := puts("i", `{"id":"3","fresh":"x"}`, `{"id":"4","fresh":"y"}`)
	b.Ops = append(b.Ops, Op{Kind: OpDeleteWhere, Index: "i", Filter: `fresh = "x" OR a = 1`})
	if res := apply(t, d.e, b); res.Deleted != 2 {
		t.Errorf("deleted %d, want 2", res.Deleted)
	}
	b = puts("i", `{"id":"5","late":1.5}`)
	b.Ops = append(b.Ops, Op{Kind: OpDeleteWhere, Index: "i", Filter: `NOT late > 1`})
	if res := apply(t, d.e, b); res.Deleted != 2 {
		t.Errorf("deleted %d, want 2 and 4", res.Deleted)
	}
	if got := filtered(t, d.e, "i", ""); got != "5" {
		t.Errorf("left: %q", got)
	}
}

// TestIntegersAreExactTo64Bits through put, filter, sort and facet.
func TestIntegersAreExactTo64Bits(t *testing.T) {
	values := []int64{math.MinInt64, math.MinInt64 + 1, -1 << 53, -1<<53 - 1, -1, 0, 1, 1 << 53, 1<<53 + 1, 1<<53 + 2, math.MaxInt64 - 1, math.MaxInt64}
	d := newDisk(t, Options{})
	create(t, d.e, "i", inputSchema())
	var b Batch
	for i, v := range values {
		b.Put("i", fmt.Appendf(nil, `{"id":"r%02d","int":%d}`, i, v))
	}
	apply(t, d.e, &b)
	asc := "r00 r01 r03 r02 r04 r05 r06 r07 r08 r09 r10 r11"
	d.states("i", func(t *testing.T, e *Engine) {
		for i, v := range values {
			id := fmt.Sprintf("r%02d", i)
			if got := filtered(t, e, "i", fmt.Sprintf("int = %d", v)); got != id {
				t.Errorf("int = %d: %q, want %s", v, got, id)
			}
			if got := filtered(t, e, "i", fmt.Sprintf("int %d..%d", v, v)); got != id {
				t.Errorf("int %d..%d: %q, want %s", v, v, got, id)
			}
			below, above := strings.Fields(filtered(t, e, "i", fmt.Sprintf("int < %d", v))), strings.Fields(filtered(t, e, "i", fmt.Sprintf("int > %d", v)))
			if len(below)+len(above) != len(values)-1 || len(below) != strings.Index(asc, id)/4 {
				t.Errorf("int %d: %d below and %d above", v, len(below), len(above))
			}
		}
		if got := filtered(t, e, "i", "int > 9007199254740992.5 AND int < 9007199254740994"); got != "r08" {
			t.Errorf("between floats: %q", got)
		}
		if got := filtered(t, e, "i", "int < 9.3e18 AND int > -9.3e18"); len(strings.Fields(got)) != len(values) {
			t.Errorf("between floats beyond 64 bits: %q", got)
		}
		_, err := e.Search(context.Background(), &Request{Filter: "int < 9223372036854775808"})
		wantProblem(t, err, CodeInvalidFilter, "/filter")
		if got := allPages(t, e, Request{Sort: []SortKey{{Field: "int"}}, Limit: 5}); got != asc {
			t.Errorf("ascending: %s", got)
		}
		f := find(t, e, &Request{Facets: []FacetRequest{{Field: "int", Limit: 100}}}).Facets["int"]
		got := map[any]int64{}
		for _, v := range f.Values {
			got[v.Value] = v.Count
		}
		for _, v := range values {
			if got[v] != 1 {
				t.Errorf("facet of %d: %d", v, got[v])
			}
		}
	})
}

func TestSearchProblems(t *testing.T) {
	ctx := context.Background()
	e := newEngine(t, &Options{Limits: Limits{Hits: 50, Window: 100, Facets: 2, FacetValues: 20, QueryBytes: 60, QueryTerms: 5, FilterOps: 3, FilterDepth: 3, PrefixTerms: 3}})
	create(t, e, "i", Schema{Fields: []Field{
		{Name: "t", Type: Text, Search: true}, {Name: "raw", Type: Keyword}, {Name: "k", Type: Keyword, Filter: true},
		{Name: "f", Type: Keyword, Facet: true}, {Name: "n", Type: Int, Filter: true, Sort: true}, {Name: "d", Type: Date, Filter: true},
		{Name: "b", Type: Bool, Filter: true},
	}})
	apply(t, e, puts("i", `{"id":"1","t":"aa ab ac ad ae"}`))
	one := []SortValue{{Int: 1}}
	tests := []struct {
		name          string
		r             Request
		code, pointer string
	}{
		{"limit", Request{Limit: 51}, CodeLimitExceeded, "/limit"},
		{"offset", Request{Offset: -1}, CodeInvalidRequest, "/offset"},
		{"window", Request{Limit: 50, Offset: 51}, CodeLimitExceeded, "/offset"},
		{"default limit in the window", Request{Offset: 81}, CodeLimitExceeded, "/offset"},
		{"huge offset", Request{Offset: math.MaxInt}, CodeLimitExceeded, "/offset"},
		{"query bytes", Request{Query: strings.Repeat("a", 61)}, CodeLimitExceeded, "/q"},
		{"query terms", Request{Query: "a b c d e f"}, CodeLimitExceeded, "/q"},
		{"prefix terms", Request{Query: "a*"}, CodeLimitExceeded, "/q"},
		{"query syntax", Request{Query: "(a", Syntax: SyntaxQuery}, CodeInvalidQuery, "/q"},
		{"query field", Request{Query: "x:a", Syntax: SyntaxQuery}, CodeUnknownField, "/q"},
		{"query field not filterable", Request{Query: "raw:a", Syntax: SyntaxQuery}, CodeNotFilterable, "/q"},
		{"facets", Request{Facets: make([]FacetRequest, 3)}, CodeLimitExceeded, "/facets"},
		{"facet values", Request{Facets: []FacetRequest{{Field: "f", Limit: 21}}}, CodeLimitExceeded, "/facets/0/limit"},
		{"negative facet values", Request{Facets: []FacetRequest{{Field: "f", Limit: -1}}}, CodeInvalidRequest, "/facets/0/limit"},
		{"unknown facet", Request{Facets: []FacetRequest{{Field: "f"}, {Field: "x"}}}, CodeUnknownField, "/facets/1"},
		{"no facet", Request{Facets: []FacetRequest{{Field: "k"}}}, CodeNotFilterable, "/facets/0"},
		{"ranges of words", Request{Facets: []FacetRequest{{Field: "f", Ranges: make([]FacetRange, 1)}}}, CodeInvalidRequest, "/facets/0/ranges"},
		{"facet twice", Request{Facets: []FacetRequest{{Field: "f"}, {Field: "f", Limit: 3}}}, CodeInvalidRequest, "/facets/1"},
		{"unknown sort", Request{Sort: []SortKey{{Field: "n"}, {Field: "x"}}}, CodeInvalidSort, "/sort/1"},
		{"not sortable", Request{Sort: []SortKey{{Field: "k"}}}, CodeNotSortable, "/sort/0"},
		{"unknown field", Request{Query: "a", Fields: []FieldWeight{{Field: "t"}, {Field: "x"}}}, CodeUnknownField, "/fields/1"},
		{"not searched", Request{Query: "a", Fields: []FieldWeight{{Field: "k"}}}, CodeInvalidRequest, "/fields/0"},
		{"weight", Request{Query: "a", Fields: []FieldWeight{{Field: "t", Weight: -1}}}, CodeInvalidRequest, "/fields/0"},
		{"weight NaN", Request{Query: "a", Fields: []FieldWeight{{Field: "t", Weight: math.NaN()}}}, CodeInvalidRequest, "/fields/0"},
		{"filter syntax", Request{Filter: "n = "}, CodeInvalidFilter, "/filter"},
		{"unknown filter", Request{Filter: "x = 1"}, CodeUnknownField, "/filter"},
		{"not filterable", Request{Filter: `raw = "1"`}, CodeNotFilterable, "/filter"},
		{"filter type", Request{Filter: `n = "one"`}, CodeInvalidFilter, "/filter"},
		{"filter type bool", Request{Filter: `b = 1`}, CodeInvalidFilter, "/filter"},
		{"filter type date", Request{Filter: `d > "soon"`}, CodeInvalidFilter, "/filter"},
		{"starts with", Request{Filter: `n STARTS WITH "1"`}, CodeInvalidFilter, "/filter"},
		{"long starts with", Request{Filter: `k STARTS WITH "` + strings.Repeat("a", orderedValue+1) + `"`}, CodeLimitExceeded, "/filter"},
		{"long order", Request{Filter: `k > "` + strings.Repeat("a", orderedValue+1) + `"`}, CodeLimitExceeded, "/filter"},
		{"long range", Request{Filter: `k "a".."` + strings.Repeat("a", orderedValue+1) + `"`}, CodeLimitExceeded, "/filter"},
		{"geo", Request{Filter: `geo(n, 1, 2, 3km)`}, CodeInvalidFilter, "/filter"},
		{"filter operators", Request{Filter: "n=1 OR n=2 OR n=3 OR n=4"}, CodeLimitExceeded, "/filter"},
		{"filter depth", Request{Filter: "((((n=1))))"}, CodeLimitExceeded, "/filter"},
		{"cursor and offset", Request{After: &Position{Sort: one}, Offset: 1}, CodeInvalidRequest, "/offset"},
		{"cursor without sort values", Request{After: &Position{ID: "1"}}, CodeInvalidCursor, "/cursor"},
		{"cursor of another sort", Request{Sort: []SortKey{{Field: "n"}}, After: &Position{ID: "1"}}, CodeInvalidCursor, "/cursor"},
		{"cursor of more keys", Request{Sort: []SortKey{{Field: "n"}}, After: &Position{Sort: make([]SortValue, 2)}}, CodeInvalidCursor, "/cursor"},
		{"cursor of a sort for scores", Request{Query: "aa", After: &Position{Sort: one, ID: "1"}}, CodeInvalidCursor, "/cursor"},
		{"unknown syntax", Request{Query: "aa", Syntax: 9}, CodeInvalidRequest, "/syntax"},
		{"unknown ranking", Request{Query: "aa", Ranking: 9}, CodeInvalidRequest, "/ranking"},
		{"unknown prefix", Request{Query: "aa", Prefix: 9}, CodeInvalidRequest, "/prefix"},
		{"unknown match", Request{Query: "aa", Match: 9}, CodeInvalidRequest, "/match"},
		{"highlight of an unknown field", Request{Query: "aa", Highlight: &HighlightRequest{Fields: []string{"t", "x"}}}, CodeUnknownField, "/highlight/fields/1"},
		{"highlight of a field twice", Request{Query: "aa", Highlight: &HighlightRequest{Fields: []string{"t", "t"}}}, CodeInvalidRequest, "/highlight/fields/1"},
		{"highlight of no text", Request{Query: "aa", Highlight: &HighlightRequest{Fields: []string{"n"}}}, CodeInvalidRequest, "/highlight/fields/0"},
		{"negative highlight", Request{Query: "aa", Highlight: &HighlightRequest{Words: -1}}, CodeInvalidRequest, "/highlight/words"},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			_, err := e.Search(ctx, &c.r)
			wantProblem(t, err, c.code, c.pointer)
		})
	}
	_, err := e.Search(ctx, &Request{Limit: 51, Query: strings.Repeat("a", 61), Facets: []FacetRequest{{Field: "a"}, {Field: "b"}, {Field: "c"}}})
	if inv := wantProblem(t, err, CodeLimitExceeded, "/limit"); inv != nil && inv.Total != 3 {
		t.Errorf("not all problems at once: %v", inv.Problems)
	}
	_, err = e.Search(ctx, &Request{Query: "x:a y:b n:c x:a", Syntax: SyntaxQuery})
	if inv := wantProblem(t, err, CodeUnknownField, "/q"); inv != nil && inv.Total != 3 {
		t.Errorf("not all problems of the query: %v", inv.Problems)
	}
	_, err = e.Search(ctx, &Request{Query: "aa", Fields: []FieldWeight{{Field: "x"}}, Filter: "x = 1 OR y = 2"})
	if inv := wantProblem(t, err, CodeUnknownField, "/fields/0"); inv != nil && inv.Total != 3 {
		t.Errorf("not all problems of the filter: %v", inv.Problems)
	}
	_, err = e.Search(ctx, &Request{Filter: "k = "})
	if inv := wantProblem(t, err, CodeInvalidFilter, "/filter"); inv != nil && inv.Problems[0].Column == 0 {
		t.Errorf("no column: %+v", inv.Problems[0])
	}
	// A restriction of the caller never shows in errors.
	_, err = e.Search(ctx, &Request{Restrict: []string{`secret = "abc"`}})
	if err == nil || strings.Contains(err.Error(), "abc") || strings.Contains(err.Error(), "secret") {
		t.Errorf("error about a restriction: %v", err)
	}
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := e.Search(canceled, &Request{Query: "aa"}); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
	if _, err := e.Search(canceled, &Request{MinVersion: 99}); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled while waiting for a version: %v", err)
	}
}

// TestExtremeRecords: whatever passes the limits can be stored, searched,
// flushed, merged and recovered.
func TestExtremeRecords(t *testing.T) {
	if testing.Short() {
		t.Skip("records of a megabyte take a while")
	}
	repeat := func(s string, bytes int) string { return strings.Repeat(s, bytes/len(s)) }
	const most, limit = 1 << 17, 1<<20 - 200
	records := map[string]string{
		"one-word":     `{"id":"one-word","text":"` + repeat("a ", limit) + `needle"}`,
		"long-token":   `{"id":"long-token","text":"` + repeat("a", limit) + ` needle"}`,
		"many-words":   `{"id":"many-words","text":"needle ` + manyWords(most) + `"}`,
		"many-texts":   `{"id":"many-texts","text":["needle"` + repeat(`,"a"`, most) + `]}`,
		"many-keys":    `{"id":"many-keys","text":"needle","key":["x"` + repeat(`,"a","b"`, most) + `]}`,
		"many-ints":    `{"id":"many-ints","text":"needle","int":[1` + repeat(`,7`, limit) + `]}`,
		"many-floats":  `{"id":"many-floats","text":"needle","float":[1e308` + repeat(`,-1e308,2.5`, most) + `]}`,
		"cjk":          `{"id":"cjk","text":"needle ` + repeat("東京", most) + `"}`,
		"marks":        `{"id":"marks","text":"needle e` + repeat("\u0301", most) + `"}`,
		"emoji":        `{"id":"emoji","text":"needle ` + repeat("👩‍", most) + `"}`,
		"json":         `{"id":"json","text":"needle","json":[0` + repeat(`,{"a":[null]}`, most) + `]}`,
		"long-keyword": `{"id":"long-keyword","text":"needle","key":"` + strings.Repeat("k", 32_766) + `"}`,
		"spaces":       `{"id":"spaces","text":"needle"` + repeat(" ", most) + `}`,
		"empty":        `{"id":"empty","text":"","key":"","json":{},"x":[[[]]]}`,
		"zeros":        `{"id":"zeros","text":"needle \u0000\u0000","key":"\u0000\u0000","int":0,"float":0,"date":0}`,
	}
	d := newDisk(t, Options{})
	create(t, d.e, "i", inputSchema())
	for id, r := range records {
		if _, err := d.e.Apply(context.Background(), puts("i", r)); err != nil {
			t.Fatalf("%s: %v", id, err)
		}
	}
	d.states("i", func(t *testing.T, e *Engine) {
		if res := find(t, e, &Request{Query: "needle", Highlight: &HighlightRequest{Words: 5}, Explain: true}); res.Total != int64(len(records)-1) {
			t.Errorf("%d of %d records found: %s", res.Total, len(records)-1, idsOf(res))
		}
		for filter, want := range map[string]string{
			`int = 7`: "many-ints", `key = "b"`: "many-keys", `key = ""`: "empty", "key = \"\x00\x00\"": "zeros", `float = 1e308`: "many-floats",
			`key = "` + strings.Repeat("k", 32_766) + `"`: "long-keyword", `key = "` + strings.Repeat("k", 32_765) + `"`: "", `date = "1970-01-01"`: "zeros",
		} {
			if got := filtered(t, e, "i", filter); got != want {
				t.Errorf("%.60s: %q, want %q", filter, got, want)
			}
		}
		for id, r := range records {
			if rec, err := e.Record(context.Background(), "i", id); err != nil || string(rec.JSON) != r {
				t.Errorf("%s is not what was written (%d of %d bytes, %v)", id, len(rec.JSON), len(r), err)
			}
		}
		f := find(t, e, &Request{Facets: []FacetRequest{{Field: "float"}, {Field: "int"}, {Field: "key"}}}).Facets
		if f["float"].Stats == nil || f["int"].Stats == nil || len(f["key"].Values) == 0 {
			t.Errorf("facets %+v", f)
		}
	})
}

func manyWords(size int) string {
	var b strings.Builder
	for i := 0; b.Len() < size-10; i++ {
		fmt.Fprintf(&b, "w%d ", i)
	}
	return b.String()
}

// TestManyFields: an index has as many fields as its limit allows.
func TestManyFields(t *testing.T) {
	d := newDisk(t, Options{})
	var texts, numbers strings.Builder
	for i := range 600 {
		fmt.Fprintf(&texts, `,"t%d":"word%d and a longer text that is not to be filtered by its value, so it is only searched"`, i, i)
	}
	for i := range 400 {
		fmt.Fprintf(&numbers, `,"n%d":%d`, i, i)
	}
	apply(t, d.e, puts("i", `{"id":"1"`+texts.String()+`}`, `{"id":"2"`+numbers.String()+`}`))
	_, err := d.e.Apply(context.Background(), puts("i", `{"id":"3","one_more":1}`))
	wantProblem(t, err, CodeLimitExceeded, "/record/one_more")
	d.states("i", func(t *testing.T, e *Engine) {
		if got := idsOf(find(t, e, &Request{Query: "word599"})); got != "1" {
			t.Errorf("word599: %q", got)
		}
		if got := idsOf(find(t, e, &Request{Query: "t7:word7", Syntax: SyntaxQuery, Explain: true})); got != "1" {
			t.Errorf("t7:word7: %q", got)
		}
		if got := filtered(t, e, "i", "n399 = 399"); got != "2" {
			t.Errorf("n399: %q", got)
		}
	})
}

// TestBatchOverPages: document numbers of a batch reach over the end of a page
// of 65,536, and over that of a stored block.
func TestBatchOverPages(t *testing.T) {
	const n = 70_000
	d := newDisk(t, Options{})
	create(t, d.e, "i", Schema{Fields: []Field{{Name: "n", Type: Int, Filter: true, Sort: true, Facet: true}, {Name: "t", Type: Text, Search: true}}})
	var b Batch
	for i := range n {
		b.Put("i", fmt.Appendf(nil, `{"id":"%d","n":%d,"t":"w%d all"}`, i, i, i%1000))
	}
	apply(t, d.e, &b)
	b = Batch{}
	for i := 65_500; i < 65_600; i++ {
		b.Delete("i", fmt.Sprint(i))
	}
	apply(t, d.e, &b)
	d.states("i", func(t *testing.T, e *Engine) {
		if got := filtered(t, e, "i", "n >= 65497 AND n < 65603"); got != "65497 65498 65499 65600 65601 65602" {
			t.Errorf("around the end of a page: %s", got)
		}
		if res := find(t, e, &Request{Query: "all", Limit: 1}); res.Total != n-100 {
			t.Errorf("total %d", res.Total)
		}
		if res := find(t, e, &Request{Query: "w535", Limit: 100}); res.Total != 69 {
			t.Errorf("w535: total %d, want 70 less 65535", res.Total)
		}
		if got := idsOf(find(t, e, &Request{Sort: []SortKey{{Field: "n", Desc: true}}, Limit: 2, Offset: 4399})); got != "65600 65499" {
			t.Errorf("sorted: %s", got)
		}
	})
}

// Seconds with a fraction are the microsecond next to them, as in a date that
// is written out.
func TestFractionsOfSeconds(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "i", Schema{Fields: []Field{{Name: "d", Type: Date, Filter: true}}})
	for i, seconds := range []string{"2.01", "1.1", "-2.01", "0.000001", "1700000000.123457"} {
		at := [...]string{"1970-01-01T00:00:02.01Z", "1970-01-01T00:00:01.1Z", "1969-12-31T23:59:57.99Z", "1970-01-01T00:00:00.000001Z", "2023-11-14T22:13:20.123457Z"}[i]
		apply(t, e, puts("i", `{"id":"1","d":`+seconds+`}`))
		if got := filtered(t, e, "i", `d = "`+at+`"`); got != "1" {
			t.Errorf("%s is not %s", seconds, at)
		}
	}
}

// A request is told of all that is wrong with it at once.
func TestAllMistakesOfARequest(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "i", Schema{Fields: []Field{{Name: "t", Type: Text, Search: true}, {Name: "n", Type: Int, Filter: true}}})
	_, err := e.Search(context.Background(), &Request{
		Query: "x:1 nothing:2", Syntax: SyntaxQuery, Filter: "m = 1 AND t = 2", Sort: []SortKey{{Field: "n"}, {Field: "o"}},
		Fields: []FieldWeight{{Field: "p"}}, Facets: []FacetRequest{{Field: "n"}, {Field: "q"}}, Distinct: "r",
		Highlight: &HighlightRequest{Fields: []string{"t", "u"}}, Limit: 5,
	})
	var inv *InvalidError
	if !errors.As(err, &inv) {
		t.Fatal(err)
	}
	var got []string
	for _, p := range inv.Problems {
		got = append(got, p.Pointer+" "+p.Code+" "+p.Detail)
	}
	slices.Sort(got)
	for i, p := range got {
		if i > 0 && p == got[i-1] {
			t.Errorf("told twice of %s", p)
		}
	}
	for _, want := range []string{"/q", "/filter", "/sort/0", "/sort/1", "/fields/0", "/facets/0", "/facets/1", "/distinct", "/highlight/fields/1"} {
		if !slices.ContainsFunc(got, func(p string) bool { return strings.HasPrefix(p, want+" ") }) {
			t.Errorf("nothing about %s among %v", want, got)
		}
	}
	if inv.Total != len(inv.Problems) {
		t.Errorf("%d problems, %d listed", inv.Total, len(inv.Problems))
	}
}

// TestLongValues: of a long value its beginning and a hash are kept, which is
// enough for equality, and for order as far as a filter may ask for it.
func TestLongValues(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "i", Schema{Fields: []Field{{Name: "k", Type: Keyword, Filter: true}, {Name: "t", Type: Text, Filter: true}}})
	begin := strings.Repeat("x", orderedValue)
	for id, v := range map[string]string{"short": begin, "a": begin + strings.Repeat("a", longValue), "z": begin + strings.Repeat("z", longValue), "less": "w" + begin + begin} {
		apply(t, e, puts("i", fmt.Sprintf(`{"id":%q,"k":%q,"t":%q}`, id, v, v)))
	}
	for filter, want := range map[string]int64{
		`%s STARTS WITH "` + begin + `"`:                           3,
		`%s > "` + begin + `"`:                                     2,
		`%s >= "` + begin + `"`:                                    3,
		`%s < "` + begin + `"`:                                     1,
		`%s "w".."` + begin + `"`:                                  2,
		`%s = "` + begin + strings.Repeat("a", longValue) + `"`:    1,
		`%s = "` + begin + strings.Repeat("a", longValue-1) + `"`:  0,
		`%s IN ["` + begin + strings.Repeat("z", longValue) + `"]`: 1,
		`%s != "` + begin + strings.Repeat("z", longValue) + `"`:   3,
	} {
		for _, field := range []string{"k", "t"} {
			res, err := e.Search(t.Context(), &Request{Filter: fmt.Sprintf(filter, field)})
			if err != nil || res.Total != want {
				t.Errorf("%s, %d bytes: %+v, %v, want %d", filter[:8], len(filter), res, err, want)
			}
		}
	}
}

// TestLimitsBelowTheDefaultPage: a request that names no limit has as many hits
// as the limits allow.
func TestLimitsBelowTheDefaultPage(t *testing.T) {
	for _, l := range []Limits{{Hits: 5}, {Window: 5}} {
		e := newEngine(t, &Options{Limits: l})
		b := &Batch{}
		for i := range 8 {
			b.Put("i", fmt.Appendf(nil, `{"id":"%d","title":"red shoes"}`, i))
		}
		apply(t, e, b)
		for _, r := range []*Request{nil, {Query: "red"}} {
			if res, err := e.Search(t.Context(), r); err != nil || len(res.Hits) != 5 {
				t.Errorf("limits %+v, request %+v: %+v, %v", l, r, res, err)
			}
		}
		n := 0
		for _, err := range e.Hits(t.Context(), nil) {
			if n++; err != nil {
				t.Fatal(err)
			}
		}
		if n != 8 {
			t.Errorf("limits %+v: %d hits one after the other, want 8", l, n)
		}
		if res, err := e.Suggest(t.Context(), &SuggestRequest{Query: "re"}); err != nil || len(res.Suggestions) == 0 {
			t.Errorf("limits %+v: suggestions %v, %v", l, res, err)
		}
		_, err := e.Search(t.Context(), &Request{Filter: "("})
		if inv := wantProblem(t, err, CodeInvalidFilter, "/filter"); inv != nil && inv.Total != 1 {
			t.Errorf("limits %+v: problems that nobody has made: %v", l, inv.Problems)
		}
	}
}

// TestFailedOperationsAddNoFields: an operation of a partial batch that fails for a
// condition leaves nothing of its record in the schema, also for the operations of
// the same batch.
func TestFailedOperationsAddNoFields(t *testing.T) {
	version := func(n uint64) *uint64 { return &n }
	for name, c := range map[string]struct {
		ops    []Op
		failed int
		fields string
	}{
		"put_new": {[]Op{
			{Kind: OpPutNew, Record: []byte(`{"id":"2","y":7}`)},
			{Kind: OpPut, Record: []byte(`{"id":"3","y":"some text"}`)},
		}, 1, "x:text n:int y:text"},
		"if_version": {[]Op{
			{Kind: OpPut, IfVersion: version(99), Record: []byte(`{"id":"9","z":true}`)},
			{Kind: OpPut, IfVersion: version(0), Record: []byte(`{"id":"9","z":"some text"}`)},
			{Kind: OpPutNew, Record: []byte(`{"more":1}`)},
			{Kind: OpPutNew, ID: "10", Record: []byte(`{"more":2}`)},
		}, 1, "x:text n:int z:text more:int"},
		"widened": {[]Op{
			{Kind: OpPutNew, Record: []byte(`{"id":"1","n":1.5}`)},
		}, 1, "x:text n:int"},
		"patch_where": {[]Op{
			{Kind: OpPut, Record: []byte(`{"id":"4","n":5,"o":"text"}`)},
			{Kind: OpPut, Record: []byte(`{"id":"3","n":5}`)},
			{Kind: OpPatchWhere, Filter: "n = 5", Record: []byte(`{"w":"` + strings.Repeat("x", 300) + `"}`)},
			{Kind: OpPatch, ID: "1", Record: []byte(`{"w":true}`)},
		}, 1, "x:text n:int o:text w:bool"},
		"all succeed": {[]Op{
			{Kind: OpPutNew, Record: []byte(`{"id":"7","y":7}`)},
			{Kind: OpPut, IfVersion: version(0), Record: []byte(`{"id":"8","y":8}`)},
		}, 0, "x:text n:int y:int"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDisk(t, Options{Limits: Limits{BatchBytes: 500}})
			apply(t, d.e, puts("i", `{"id":"1","x":"text here","n":1}`, `{"id":"2","x":"text here","n":2}`))
			b := &Batch{Partial: true, Ops: c.ops}
			for i := range b.Ops {
				b.Ops[i].Index = "i"
			}
			res := apply(t, d.e, b)
			if res.Failed != c.failed || len(res.Errors) != c.failed || res.Put+res.Patched != len(c.ops)-c.failed {
				t.Errorf("%d failed, %d put, %d patched: %v", res.Failed, res.Put, res.Patched, res.Errors)
			}
			for i, op := range c.ops {
				if id := res.IDs[i]; id != "" && op.Kind != OpPatchWhere {
					if _, err := d.e.Record(t.Context(), "i", id); err != nil {
						t.Errorf("record %q: %v", id, err)
					}
				}
			}
			for _, state := range []string{"written", "reopened"} {
				info, err := d.e.Index("i")
				if err != nil {
					t.Fatal(err)
				}
				var fields []string
				for _, f := range info.Schema.Fields {
					fields = append(fields, f.Name+":"+f.Type.String())
				}
				if got := strings.Join(fields, " "); got != c.fields {
					t.Errorf("%s: fields %s, want %s", state, got, c.fields)
				}
				if err := d.e.Check(t.Context()); err != nil {
					t.Errorf("%s: %v", state, err)
				}
				d.reopen()
			}
		})
	}
}
