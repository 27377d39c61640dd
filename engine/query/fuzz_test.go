package query

import (
	"errors"
	"testing"
	"unicode/utf8"
)

// checkParse checks what holds for every text and parser: there is a tree or an
// error, the column of the error lies in the text or right behind it, the depth
// of the tree is bounded, and its text parses to an equal tree.
func checkParse(t *testing.T, text string, n Node, err error, again func(string, Limits) (Node, error)) {
	if err != nil {
		var e *Error
		if !errors.As(err, &e) {
			t.Fatalf("%q: error %v is of type %T", text, err, err)
		}
		if n != nil || e.Detail == "" || e.Column < 1 || e.Column > utf8.RuneCountInString(text)+1 {
			t.Fatalf("%q: tree %v, error %+v", text, n, e)
		}
		return
	}
	// A level of nesting has a group, a boost, and lists for AND and OR; a sign
	// beside OR and a null in a list add one at the end.
	if d, most := depth(n), 4*(defaultMaxDepth+1)+2; d > most {
		t.Fatalf("%q: depth %d, more than %d", text, d, most)
	}
	canonical := String(n)
	parsed, err := again(canonical, large)
	if err != nil {
		t.Fatalf("%q: the text %q of the tree %s: %v", text, canonical, dump(n), err)
	}
	if !Equal(parsed, n) {
		t.Fatalf("%q: the text %q of the tree %s parses to %s", text, canonical, dump(n), dump(parsed))
	}
	if simple := Simplify(n); size(simple) > size(n) {
		t.Fatalf("%q: the tree %s is simplified to %s", text, dump(n), dump(simple))
	}
}

func depth(n Node) int {
	deepest := 0
	below := func(n Node) { deepest = max(deepest, depth(n)) }
	first := true
	Walk(n, func(n Node) bool {
		if first {
			first = false
			return true
		}
		below(n)
		return false
	})
	return deepest + 1
}

func FuzzParseSimple(f *testing.F) {
	for _, text := range []string{"", "red shoes", `+"a b" -c OR d* "`, `“x” „y`, "a OR b OR -c", "*", "+ - +-x", "\xff\" OR \xe2"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, err := ParseSimple(text, Limits{})
		if err != nil && !errors.Is(err, ErrLimitExceeded) {
			t.Fatalf("%q: %v", text, err)
		}
		checkParse(t, text, n, err, ParseQuery)
		if err == nil {
			checkOffsets(t, text, n)
		}
	})
}

func FuzzParseQuery(f *testing.F) {
	for _, text := range []string{"", "*", "a AND b OR NOT c", `+title:(x "y z"~2)^2.5 -sho*`, "p:[10 TO 20} q:{* TO 2024-01-31]",
		"(a b c)~2", "p:>=1e3^2", `\AND a\:b`, "NOT *", "((((a))))", "t:*", "a^", "\xff:\xff"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, err := ParseQuery(text, Limits{})
		checkParse(t, text, n, err, ParseQuery)
	})
}

func FuzzParseFilter(f *testing.F) {
	for _, text := range []string{"", "*", `a = 1 AND (b IN ["x", 'y', null] OR NOT c >= 4.5)`, "price 10..20 OR p ..-5 AND q 1..",
		"geo(loc, 52.5, 13.4, 5km)", "EXISTS `a b` OR EMPTY c.d", `s STARTS WITH "x\"y"`, "d:{2024-01-31 TO *]", "NOT NOT *",
		"a = 9223372036854775808", `\in = 2024-01-31T10:00:00Z`, "a NOT IN []", "a = 'é\xff"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, err := ParseFilter(text, Limits{})
		checkParse(t, text, n, err, ParseFilter)
	})
}
