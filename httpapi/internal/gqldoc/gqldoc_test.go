package gqldoc

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	graphql "github.com/graph-gophers/graphql-go"
)

var wide = Limits{Bytes: 1 << 20, Tokens: 10_000, Depth: 12, Aliases: 20, RootFields: 10, Selections: 2000, Cost: 1000, MetaDepth: 20}

func parse(t *testing.T, src string) *Document {
	t.Helper()
	d, err := Parse(src, wide)
	if err != nil {
		t.Fatalf("%s: %v", src, err)
	}
	return d
}

// cost of a field "list" is its argument first, 5 without one.
func listCost(field string, arg func(string) (int64, bool)) int {
	if field != "list" {
		return 0
	}
	if n, ok := arg("first"); ok {
		return int(n)
	}
	return 5
}

func TestText(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"{ a(b: \"x\") # no\n c }", "{ a(b: \"x\") \n c }"},
		{"\ufeff{a,b}", " {a b}"},
		{`{a(s:"\/ é \u00e9 \u{1F600} \ud83D\uDe00 \" \\")}`, `{a(s:"/ \u00e9 \u00e9 \ud83d\ude00 \ud83d\ude00 \" \\")}`},
		{"{a(s:\"\"\"\n   x\n     y\\\"\"\"\n\n\"\"\" t:1)}", "{a(s:\"x\\n  y\\\"\\\"\\\"\"\n\n\n\n t:1)}"},
		{"query q($a:[Int!]!=[1 -2,3.5e-1]@d(x:1)){a(o:{k:E,l:[true,null]})...f...on T{b}...@x{c}}fragment f on T{d}",
			"query q($a:[Int!]!=[1 -2 3.5e-1]@d(x:1)){a(o:{k:E l:[true null]})...f...on T{b}...@x{c}}fragment f on T{d}"},
	} {
		d := parse(t, c.src)
		if got := d.Text(d.Operations[0]); got != c.want {
			t.Errorf("%q\ngot  %q\nwant %q", c.src, got, c.want)
		}
	}
}

func TestTextWithOtherFields(t *testing.T) {
	d := parse(t, "query q { a b:a # no\n ... on T { a @skip(if: true) } c(s: \"é a\") { a { a } ...f } }\nquery r { a }\nfragment f on F { a(x: 1) { d } }")
	var seen []string
	got := d.TextWith(d.Operations[0], func(f Field) (alias, name string) {
		seen = append(seen, strings.Join([]string{f.Parent, f.Name, f.Key}, " "))
		if f.Name != "a" || f.Parent == "a" {
			return "", ""
		}
		return "x_" + f.Key, "z"
	})
	if want := "query q { x_a:z x_b:z \n ... on T { x_a:z @skip(if: true) } c(s: \"\\u00e9 a\") { x_a:z { a } ...f } }\n             \nfragment f on F { x_a:z(x: 1) { d } }"; got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	slices.Sort(seen)
	if want := []string{" a a", " a a", " a b", " c c", "F a a", "a a a", "a d d", "c a a"}; !slices.Equal(seen, want) {
		t.Errorf("%q, want %q", seen, want)
	}
}

func TestTextOfOneOperation(t *testing.T) {
	d := parse(t, "query a { x ...f }\nfragment f on T { y ...g } fragment g on T { z }\nmutation b { m ...h } fragment h on M { n }")
	if _, err := Parse("{x} fragment f on T{...f}", wide); err == nil {
		t.Error("a fragment that is not used is taken")
	}
	a, err := d.Operation("a")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Fields(d.Text(a)), strings.Fields("query a { x ...f } fragment f on T { y ...g } fragment g on T { z }"); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	b, _ := d.Operation("b")
	if got := strings.Fields(d.Text(b)); !slices.Equal(got, strings.Fields("mutation b { m ...h } fragment h on M { n }")) {
		t.Errorf("%q", got)
	}
	for _, name := range []string{"", "c"} {
		if _, err := d.Operation(name); err == nil {
			t.Errorf("there is an operation %q", name)
		}
	}
}

func TestSyntaxErrors(t *testing.T) {
	for src, at := range map[string]string{
		"":                      "1:1",
		"{":                     "1:2",
		"{}":                    "1:2",
		"{a(}":                  "1:4",
		"{a()}":                 "1:4",
		"{a(b)}":                "1:5",
		"{a(b:)}":               "1:6",
		"{a:}":                  "1:4",
		"{a b:1}":               "1:6",
		"{\n  a @}":             "2:6",
		"{a}}":                  "1:4",
		"{a} x":                 "1:5",
		"query q":               "1:8",
		"query q(){a}":          "1:9",
		"query q($a){a}":        "1:11",
		"query q($a:[A){a}":     "1:14",
		"query q($a:A=$b){a}":   "1:14",
		"{a} {b}":               "1:1",
		"query q{a} query q{a}": "1:12",
		"query q{a} {a}":        "1:12",
		"fragment on on T{a}":   "1:10",
		"fragment f T{a}":       "1:12",
		"fragment f on T{a}":    "1:19",
		"{a}fragment f on T{a}fragment f on T{a}": "1:22",
		"{a ..f}":                    "1:4",
		"{a(b:01)}":                  "1:6",
		"{a(b:0x1)}":                 "1:6",
		"{a(b:1_0)}":                 "1:6",
		"{a(b:1.)}":                  "1:8",
		"{a(b:1.e1)}":                "1:8",
		"{a(b:-)}":                   "1:7",
		"{a(b:1e)}":                  "1:8",
		"{a(b:1.2.3)}":               "1:6",
		"{a(b:1e999)}":               "1:6",
		"{a(b:9223372036854775808)}": "1:6",
		"{a(b:\"x)}":                 "1:6",
		"{a(b:\"\"\"x)}":             "1:6",
		"{a(b:\"x\ny\")}":            "1:8",
		`{a(b:"\x")}`:                "1:7",
		`{a(b:"\u12")}`:              "1:7",
		`{a(b:"\u{110000}")}`:        "1:7",
		`{a(b:"\u{}")}`:              "1:7",
		`{a(b:"\ud800")}`:            "1:13",
		"{a(b:'x')}":                 "1:6",
		"{a\x00}":                    "1:3",
		"{é}":                        "1:2",
		"{a @skip(if:[true])}":       "1:9",
		"type T {a:B}":               "1:1",
	} {
		_, err := Parse(src, wide)
		var e *Error
		if !errors.As(err, &e) || e.Limit {
			t.Errorf("%q: %v", src, err)
		} else if got := fmt.Sprintf("%d:%d", e.Line, e.Column); got != at {
			t.Errorf("%q: at %s, want %s: %v", src, got, at, err)
		}
	}
	if _, err := Parse("{a\xff}", wide); err == nil {
		t.Error("bad UTF-8 is taken")
	}
}

func TestLimits(t *testing.T) {
	small := Limits{Bytes: 200, Tokens: 40, Depth: 3, Aliases: 2, RootFields: 3, Selections: 8, Cost: 10, MetaDepth: 5}
	for _, c := range []struct {
		src  string
		vars map[string]int64
		ok   bool
	}{
		{src: "{a{b{c}}}", ok: true},
		{src: "{a{b{c{d}}}}"},
		{src: "{...f}fragment f on T{a{...g}}fragment g on T{b{c}}", ok: true},
		{src: "{...f}fragment f on T{a{...g}}fragment g on T{b{c{d}}}"},
		{src: "{...{a{...{b{...{c}}}}}}", ok: true},
		{src: "{x:a y:b}", ok: true},
		{src: "{x:a y:b z:c}"},
		{src: "{a{...f}b{...f}}fragment f on T{x:c}", ok: true},
		{src: "{a{...f}b{...f}c{...f}}fragment f on T{x:c}"},
		{src: "{a b c}", ok: true},
		{src: "{a b c d}"},
		{src: "{a ...f}fragment f on T{b c}", ok: true},
		{src: "{a ...f ...f}fragment f on T{b}", ok: true},
		{src: "{a ...f ...f}fragment f on T{b c}"},
		{src: "{a{b c d e f g h}}", ok: true},
		{src: "{a{b c d e f g h i}}"},
		{src: "{list x:list}", ok: true},
		{src: "{list x:list y:list}"},
		{src: "{list(first:10)}", ok: true},
		{src: "{list(first:11)}"},
		{src: "{a{list(first:1000)}}", ok: true},
		{src: "query($n:Int){list(first:$n)}", ok: true},
		{src: "query($n:Int){list(first:$n)}", vars: map[string]int64{"n": 10}, ok: true},
		{src: "query($n:Int){list(first:$n)}", vars: map[string]int64{"n": 11}},
		{src: "query($n:Int=11){list(first:$n)}"},
		{src: "query($n:Int=11){list(first:$n)}", vars: map[string]int64{"n": 1}, ok: true},
		{src: "{list(first:-1000) x:list(first:11)}"},
		{src: "{__schema{a{b{c{d}}}}}", ok: true},
		{src: "{__schema{a{b{c{d{e}}}}}}"},
		{src: "{__type{fields{a}inputFields{b}}}", ok: true},
		{src: "{__type{fields{a{possibleTypes{b}}}}}"},
		{src: "{index{fields{fields}}}", ok: true},
		{src: "{" + strings.Repeat("a ", 38) + "}"}, // 40 tokens
		{src: "{a#" + strings.Repeat("x", 195) + "\n}", ok: true},
		{src: "{a#" + strings.Repeat("x", 196) + "\n}"},
		{src: "{" + strings.Repeat("a,", 39) + "}"},
	} {
		d, err := Parse(c.src, small)
		if err == nil {
			err = d.Check(d.Operations[0], small, listCost, c.vars)
		}
		var e *Error
		if (err == nil) != c.ok || err != nil && (!errors.As(err, &e) || !e.Limit) {
			t.Errorf("%s with %v: %v, want ok=%v", c.src, c.vars, err, c.ok)
		}
	}
	for _, src := range []string{"{...f}fragment f on T{...g}fragment g on T{a{...f}}", "{...f}"} {
		d := parse(t, src)
		var e *Error
		if err := d.Check(d.Operations[0], wide, nil, nil); !errors.As(err, &e) || e.Limit {
			t.Errorf("%s: %v", src, err)
		}
	}
	if _, err := Parse(strings.Repeat("{a", maxNesting+1), wide); err == nil || !err.(*Error).Limit {
		t.Errorf("%v", err)
	}
}

// Fragments that spread the next one twice come to 2^40 fields, which are
// counted without being visited.
func TestMeasuringIsLinear(t *testing.T) {
	var b strings.Builder
	b.WriteString("{...f0}")
	for i := range 40 {
		fmt.Fprintf(&b, "fragment f%d on T{...f%d a{...f%d}}", i, i+1, i+1)
	}
	b.WriteString("fragment f40 on T{a}")
	d := parse(t, b.String())
	if err := d.Check(d.Operations[0], Limits{Depth: 100, Aliases: 1, RootFields: 1 << 30, Selections: 1000}, nil, nil); err == nil {
		t.Error("2^40 fields are fewer than 1000")
	}
}

const someSchema = `
	scalar JSON
	type Query { a: Query b: Int list(first: Int = 3, s: String, o: In, l: [Int!], j: JSON): [Query!] }
	type Mutation { a: Int }
	input In { s: String f: Float in: In e: E }
	enum E { X Y }`

// FuzzParse holds the parser to the executor's. What is taken here has a text
// that the executor reads without a syntax error, and reading that text again
// changes nothing. What the executor finds valid is taken here, too, but for
// what is refused on purpose.
func FuzzParse(f *testing.F) {
	schema := graphql.MustParseSchema(someSchema, nil, graphql.UseStringDescriptions(), graphql.OverlapValidationLimit(1000))
	for _, src := range []string{
		"{a{b}}", "query q($n:Int=5 $s:String!){list(first:$n s:$s){b}}", "{...f x:b @skip(if:true)}fragment f on Query{b}",
		`{list(s:"\u00e9\n\u{1F600}" o:{s:"""` + "\n  x\n" + `""" e:X f:-1.5e3} l:[1,2] j:{a:[null,{b:"c"}]}){...on Query{b}}}`,
		"mutation m{a} query n{b}", "subscription{a}", "\ufeff#c\r\n{b}", "{a{...f}}fragment f on Query{a{...f}}", "{list(first:9223372036854775807){b}}",
		"{__schema{types{name}}}", `{__type(name:"Query"){fields{name}}}`, "\"d\" query q{b}",
	} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		d, err := Parse(src, wide)
		if err != nil {
			if !errors.As(err, new(*Error)) {
				t.Fatalf("%q: an error of type %T", src, err)
			}
			return
		}
		for _, op := range d.Operations {
			text := d.Text(op)
			for _, c := range []byte(text) {
				if c >= 0x7f || c < ' ' && c != '\n' {
					t.Fatalf("%q: the text %q is not plain", src, text)
				}
			}
			again, err := Parse(text, Limits{Bytes: 10 * len(text), Tokens: wide.Tokens})
			if err != nil || len(again.Operations) != 1 || again.Text(again.Operations[0]) != text {
				t.Fatalf("%q: the text %q read again: %v", src, text, err)
			}
			checked := d.Check(op, wide, listCost, nil)
			if again.Check(again.Operations[0], wide, listCost, nil) == nil != (checked == nil) {
				t.Fatalf("%q and %q differ in size", src, text)
			}
			if checked != nil {
				continue
			}
			begin := time.Now()
			found := schema.Validate(text)
			if took := time.Since(begin); took > 5*time.Second {
				t.Fatalf("%q: the executor takes %v to validate %q", src, took, text)
			}
			for _, e := range found {
				if strings.HasPrefix(e.Message, "syntax error") {
					t.Fatalf("%q: the executor says of %q: %v", src, text, e)
				}
			}
		}
	})
}
