package query

import (
	"errors"
	"strings"
	"testing"
)

func TestParseSimple(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		// Words.
		{"", "all"},
		{" \t\n", "all"},
		{"*", "all"},
		{" * ", "all"},
		{"red", "red"},
		{"red shoes", "(bool red shoes)"},
		{"red\u3000shoes", "(bool red shoes)"},
		{"don't C++ a.b x,y", "(bool don't C++ a.b x,y)"},
		{"title:red", "title:red"}, // the text, not a field
		{"(red AND blue)", "(bool (red AND blue))"},
		{`a\b`, `a\b`},
		// Signs.
		{"+red -blue green", "(bool +red green -blue)"},
		{"-red", "(bool -red)"},
		{"+red", "(bool +red)"},
		{`-"red shoes" +"a b"`, "(bool +<a b> -<red shoes>)"},
		{"+ - red", "(bool + - red)"},
		{"--verbose +-x ++y", "(bool --verbose +-x ++y)"},
		{"e-mail 5-", "(bool e-mail 5-)"},
		{"red -", "(bool red -)"},
		// A minus that is no sign: options, numbers, hanging hyphens. What is
		// excluded is dumped last.
		{"grep -v x", "(bool grep -v x)"},
		{"tar -x, -J x", "(bool tar -x, -J x)"},
		{"at -5 or -1/2 degrees", "(bool at -5 or -1/2 degrees)"},
		{"code -C++ -c# -é x", "(bool code x -C++ -c# -é)"},
		{"xbox -360 -pc x", "(bool xbox x -360 -pc)"},
		{"rsync -avz --delete x", "(bool rsync -avz --delete x)"},
		{`find . -type f -name "*.log" -mtime +7 -delete`, "(bool +7 find . -type f -name <*.log> -mtime -delete)"},
		{"ls -la /tmp", "(bool ls -la /tmp)"},
		{"shoes -- -red", "(bool shoes -- -red)"},
		{"Privatpersonen und -organisationen x", "(bool Privatpersonen und -organisationen x)"},
		{"Und  -lehrer x", "(bool Und -lehrer x)"},
		{"Hintergrund     -organisationen x", "(bool Hintergrund x -organisationen)"},
		{"cats and -dogs x", "(bool cats and x -dogs)"},
		{"und+oder -x2 y", "(bool und+oder y -x2)"},
		{`x und -"a b"`, "(bool x und -<a b>)"},
		{"x -l'oreal -d’or", "(bool x -l'oreal -d’or)"},
		{`die „Model C“-Schulen x`, "(bool die <Model C> -Schulen x)"},
		{`-"a b"-cd x`, "(bool x -<a b> -cd)"},
		{`""-cd x`, "(bool x -cd)"},
		{`"a b"-"c d" "e f" -x`, "(bool <a b> <e f> -x -<c d>)"},
		{"'tar -x' y", "(bool 'tar -x' y)"},
		// Phrases.
		{`"red shoes"`, "<red shoes>"},
		{`"red"`, "<red>"},
		{`"red shoes"blue`, "(bool <red shoes> blue)"},
		{`"a""b"`, "(bool <a> <b>)"},
		{`“red shoes” „a b“`, "(bool <red shoes> <a b>)"},
		{`"" x "  "`, "x"},
		{`""`, "all"},
		{`-"" x`, "x"},
		{`"red shoes`, "(bool red shoes)"},
		{`red "blue -green`, "(bool red blue -green)"},
		{`"`, `"`},
		{`a " b`, `(bool a " b)`},
		{`12" pipe`, `(bool 12" pipe)`},
		{`red" shoes"`, `(bool red" shoes")`},
		{`"red \" x"`, `(bool <red \> x")`},
		{`"a"*`, "(bool <a> *)"},
		// OR.
		{"red OR blue", "(bool1 red blue)"},
		{"a OR b OR c d", "(bool (bool1 a b c) d)"},
		{"a b OR c d", "(bool a (bool1 b c) d)"},
		{`"a b" OR c*`, "(bool1 <a b> c…)"},
		{"+a OR b c", "(bool +(bool1 a b) c)"},
		{"a or b", "(bool a or b)"},
		{"OR", "OR"},
		{"OR a", "(bool OR a)"},
		{"a OR", "(bool a OR)"},
		{"a OR OR b", "(bool a OR OR b)"},
		{"a OR -bc", "(bool a OR -bc)"},
		{"-ab OR b", "(bool OR b -ab)"},
		{`a "OR" b`, "(bool a <OR> b)"},
		{"a OR b OR", "(bool (bool1 a b) OR)"},
		// Prefixes.
		{"sho*", "sho…"},
		{"+red* sho**", "(bool +red… sho…)"},
		{"a*b *c", "(bool a*b *c)"},
		{"a *", "(bool a *)"},
		{"-*", "(bool -*)"},
	} {
		n, err := ParseSimple(c.in, Limits{})
		if err != nil {
			t.Errorf("ParseSimple(%q): %v", c.in, err)
			continue
		}
		if got := dump(n); got != c.want {
			t.Errorf("ParseSimple(%q) = %s, want %s", c.in, got, c.want)
		}
	}
}

// Where a Text was read from is exact, so that a correction can be put in its
// place.
func TestTextOffsets(t *testing.T) {
	for _, in := range []string{
		"red", ` "äöü x"  +sho* -"a b" c OR d`, `„größe 5“ "lone`, "日本 語*", `+"a"b`,
	} {
		n, err := ParseSimple(in, Limits{})
		if err != nil {
			t.Fatalf("ParseSimple(%q): %v", in, err)
		}
		checkOffsets(t, in, n)
	}
	for _, in := range []string{
		`title:red AND "a b"~2^3`, `x:(é sho* OR -y)`, "NOT a", `-x:"b c"`,
	} {
		n, err := ParseQuery(in, Limits{})
		if err != nil {
			t.Fatalf("ParseQuery(%q): %v", in, err)
		}
		checkOffsets(t, in, n)
	}
}

func checkOffsets(t *testing.T, in string, n Node) {
	t.Helper()
	Walk(n, func(n Node) bool {
		if text, ok := n.(Text); ok && in[text.Start:text.End] != text.Text {
			t.Errorf("%q: text %q has offsets %d:%d, which hold %q",
				in, text.Text, text.Start, text.End, in[text.Start:text.End])
		}
		return true
	})
}

func TestTextOffsetsIncludeEscapes(t *testing.T) {
	n, err := ParseQuery(`a:x\:y*`, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if want := (Text{Text: "x:y", Field: "a", Prefix: true, Start: 2, End: 6}); n != want {
		t.Errorf("got %+v, want %+v", n, want)
	}
}

func TestLimits(t *testing.T) {
	simple := func(s string, lim Limits) (Node, error) { return ParseSimple(s, lim) }
	list := func(s string, lim Limits) (Node, error) { return ParseFilterList(strings.Split(s, ";"), lim) }
	repeat := strings.Repeat
	for _, c := range []struct {
		name   string
		parse  func(string, Limits) (Node, error)
		lim    Limits
		fits   string
		exceed string
		column int
		detail string
	}{
		{"simple bytes", simple, Limits{}, repeat("x", 4096), repeat("x", 4097), 4097, "the text is longer than 4096 bytes"},
		{"simple characters", simple, Limits{MaxBytes: 5}, "ééx", "ééé", 3, "the text is longer than 5 bytes"},
		{"simple words", simple, Limits{}, repeat("x ", 64), repeat("x ", 65), 129, "more than 64 words"},
		{"simple words and OR", simple, Limits{MaxTerms: 2}, "a OR b", "a OR b c", 8, "more than 2 words"},
		{"simple phrase", simple, Limits{MaxTerms: 3}, `a "b c"`, `a "b c d"`, 4, "more than 3 words"},
		{"query bytes", ParseQuery, Limits{}, repeat("x", 4096), repeat("x", 4097), 4097, "the text is longer than 4096 bytes"},
		{"query words", ParseQuery, Limits{}, repeat("x ", 64), repeat("x ", 65), 129, "more than 64 words"},
		{"query phrase", ParseQuery, Limits{MaxTerms: 3}, `a "b c"`, `a "b c d"`, 3, "more than 3 words"},
		{"query operators", ParseQuery, Limits{MaxOperators: 3}, "+a b AND c^2", "+a b AND c^2 -d", 14, "more than 3 operators"},
		{"query ranges", ParseQuery, Limits{MaxOperators: 2}, "a:[1 TO 2] b:>1", "a:[1 TO 2] b:>1 c:<1", 19, "more than 2 operators"},
		{"query depth", ParseQuery, Limits{}, repeat("(", 64) + "x" + repeat(")", 64), repeat("(", 65) + "x", 65, "nested deeper than 64 levels"},
		{"query depth at most", ParseQuery, Limits{MaxDepth: 1 << 30, MaxBytes: 1 << 20}, "x", repeat("(", 1<<19), 1001, "nested deeper than 1000 levels"},
		{"filter bytes", ParseFilter, Limits{}, "a=1" + repeat(" ", 1<<20-3), "a=1" + repeat(" ", 1<<20-2), 1<<20 + 1, "the text is longer than 1048576 bytes"},
		{"filter operators", ParseFilter, Limits{}, "NOT a=1" + repeat(" OR a=1", 499), "NOT a=1" + repeat(" OR a=1", 500), 3502, "more than 1000 operators"},
		{"filter depth", ParseFilter, Limits{}, repeat("(", 64) + "a=1" + repeat(")", 64), repeat("(", 65) + "a=1", 65, "nested deeper than 64 levels"},
		{"filter NOT depth", ParseFilter, Limits{MaxDepth: 2}, "NOT NOT a=1", "NOT NOT (a=1)", 9, "nested deeper than 2 levels"},
		{"filter depth at most", ParseFilter, Limits{MaxDepth: 1 << 30, MaxOperators: 1 << 30}, "*", repeat("NOT ", 1<<18), 4001, "nested deeper than 1000 levels"},
		{"filter values", ParseFilter, Limits{}, "a IN [1" + repeat(",1", 9999) + "]", "a IN [1" + repeat(",1", 10000) + "]", 20007, "more than 10000 values after IN"},
		{"list bytes", list, Limits{MaxBytes: 6}, "a=1;b=1", "a=1;b=12", 4, "the text is longer than 6 bytes"},
		{"list operators", list, Limits{MaxOperators: 2}, "a=1;b=1", "a=1;b=1;c=1", 2, "more than 2 operators"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := c.parse(c.fits, c.lim); err != nil {
				t.Errorf("what fits: %v", err)
			}
			_, err := c.parse(c.exceed, c.lim)
			var e *Error
			if !errors.As(err, &e) || !errors.Is(err, ErrLimitExceeded) {
				t.Fatalf("what does not fit: got %v, want a limit", err)
			}
			if e.Code != CodeLimitExceeded || e.Column != c.column || e.Detail != c.detail {
				t.Errorf("got %q at %d, want %q at %d", e.Detail, e.Column, c.detail, c.column)
			}
		})
	}
}
