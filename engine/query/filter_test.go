package query

import (
	"errors"
	"math"
	"testing"
)

func TestParseFilter(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", "all"},
		{" \n", "all"},
		{"*", "all"},
		{"NOT *", "none"},
		// Comparisons and values.
		{`brand = "Nike"`, `(= brand "Nike")`},
		{`brand="Nike"`, `(= brand "Nike")`},
		{`brand = 'Ni"ke'`, `(= brand "Ni\"ke")`},
		{`brand = "a\"b\\c\d"`, `(= brand "a\"b\\cd")`},
		{`brand = ""`, `(= brand "")`},
		{`brand = "\u00dcn\u00EF \ud83d\ude00"`, `(= brand "Ünï 😀")`},
		{`brand = '\n\t\/\'\u0041'`, `(= brand "\n\t/'A")`},
		{"`\u0061` = 1", "(= a int:1)"},
		{"a != 1", "(!= a int:1)"},
		{"a < 1", "(< a int:1)"},
		{"a <= 1", "(<= a int:1)"},
		{"a > 1", "(> a int:1)"},
		{"a>=-1", "(>= a int:-1)"},
		{"a = +1", "(= a int:1)"},
		{"a = 9223372036854775807", "(= a int:9223372036854775807)"},
		{"a = -9223372036854775808", "(= a int:-9223372036854775808)"},
		{"a = 1.0", "(= a float:1)"},
		{"a = .5", "(= a float:0.5)"},
		{"a = -1.5e-3", "(= a float:-0.0015)"},
		{"a = 9e18", "(= a float:9e+18)"},
		{"a = true", "(= a bool:true)"},
		{"a != FALSE", "(!= a bool:false)"},
		{"a = null", "(empty a)"},
		{"a != Null", "(exists a)"},
		{"d > 2024-01-31", "(> d date:2024-01-31)"},
		{"d > 2024-02-29T23:59:59Z", "(> d date:2024-02-29T23:59:59Z)"},
		{"d = 2024-01-31T10:00:00.25-07:00", "(= d date:2024-01-31T10:00:00.25-07:00)"},
		{`d = "2024-01-31"`, `(= d "2024-01-31")`},
		// Fields.
		{"a.b.c = 1", "(= a.b.c int:1)"},
		{"größe-1_@$#/ = 1", "(= größe-1_@$#/ int:1)"},
		{"`in` = 1", "(= in int:1)"},
		{"`a b\\`c..` = 1", "(= a b`c.. int:1)"},
		{`a\ b = 1`, "(= a b int:1)"},
		{`\not = 1`, "(= not int:1)"},
		{"geo = 1", "(= geo int:1)"},
		{"null = null", "(empty null)"},
		{"starts = 1 AND with = 2", "(and (= starts int:1) (= with int:2))"},
		{"not.a = 1 AND exists_b = 2", "(and (= not.a int:1) (= exists_b int:2))"},
		// Lists.
		{`a IN [1, "x", 2.5, true, 2024-01-31]`, `(in a int:1 "x" float:2.5 bool:true date:2024-01-31)`},
		{"a in[1]", "(in a int:1)"},
		{"a IN []", "(in a)"},
		{"a IN [ ]", "(in a)"},
		{"a IN [1, null]", "(or (in a int:1) (empty a))"},
		{"a IN [null]", "(empty a)"},
		{"a NOT IN [1]", "(not (in a int:1))"},
		// Ranges.
		{"price 10..20", "(range price =int:10 =int:20)"},
		{"price 10 .. 20", "(range price =int:10 =int:20)"},
		{"price 10..", "(range price =int:10 open)"},
		{"price ..20", "(range price open =int:20)"},
		{"price..20", "(range price open =int:20)"},
		{"price 1.5..2.5", "(range price =float:1.5 =float:2.5)"},
		{"price -5..-.5", "(range price =int:-5 =float:-0.5)"},
		{"price 1...5", "(range price =int:1 =float:0.5)"},
		{`name "a".."b"`, `(range name ="a" ="b")`},
		{"d 2024-01-01..2024-12-31", "(range d =date:2024-01-01 =date:2024-12-31)"},
		{"price 10.. AND a = 1", "(and (range price =int:10 open) (= a int:1))"},
		{"(price 10..)", "(range price =int:10 open)"},
		{"price:[10 TO 20}", "(range price =int:10 int:20)"},
		{"price:{* to 20]", "(range price open =int:20)"},
		{`n:['a' TO "b"]`, `(range n ="a" ="b")`},
		// The other conditions.
		{"EXISTS a.b", "(exists a.b)"},
		{"empty `a b`", "(empty a b)"},
		{`sku STARTS WITH "AB"`, `(starts sku "AB")`},
		{`sku starts  with 'AB'`, `(starts sku "AB")`},
		{"geo(loc, 52.5, 13.4, 500)", "(geo loc 52.5 13.4 500)"},
		{"geo(loc,52.5,-13.4,5km)", "(geo loc 52.5 -13.4 5000)"},
		{"GEO ( `my loc` , 0 , 180 , 2 mi )", "(geo my loc 0 180 3218.688)"},
		{"geo(loc, -90, 0, 1.5M)", "(geo loc -90 0 1.5)"},
		// Precedence.
		{"a=1 AND b=2", "(and (= a int:1) (= b int:2))"},
		{"a=1 or b=2 and c=3", "(or (= a int:1) (and (= b int:2) (= c int:3)))"},
		{"(a=1 OR b=2) AND c=3", "(and (or (= a int:1) (= b int:2)) (= c int:3))"},
		{"a=1 AND b=2 AND c=3", "(and (= a int:1) (= b int:2) (= c int:3))"},
		{"a=1 AND (b=2 AND c=3)", "(and (= a int:1) (and (= b int:2) (= c int:3)))"},
		{"NOT a=1 AND b=2", "(and (not (= a int:1)) (= b int:2))"},
		{"NOT (a=1 AND b=2)", "(not (and (= a int:1) (= b int:2)))"},
		{"NOT NOT a=1", "(not (not (= a int:1)))"},
		{"((a=1))", "(= a int:1)"},
		{`in_stock = true AND (brand IN ["Nike","Asics"] OR rating >= 4.5)`,
			`(and (= in_stock bool:true) (or (in brand "Nike" "Asics") (>= rating float:4.5)))`},
	} {
		n, err := ParseFilter(c.in, Limits{})
		if err != nil {
			t.Errorf("ParseFilter(%q): %v", c.in, err)
			continue
		}
		if got := dump(n); got != c.want {
			t.Errorf("ParseFilter(%q) = %s, want %s", c.in, got, c.want)
		}
	}
}

func TestParseFilterList(t *testing.T) {
	for _, c := range []struct {
		in   []string
		want string
	}{
		{nil, "all"},
		{[]string{"", " "}, "all"},
		{[]string{"a=1"}, "(= a int:1)"},
		{[]string{"a=1", "", "b=2 OR c=3"}, "(and (= a int:1) (or (= b int:2) (= c int:3)))"},
	} {
		n, err := ParseFilterList(c.in, Limits{})
		if err != nil {
			t.Errorf("ParseFilterList(%q): %v", c.in, err)
			continue
		}
		if got := dump(n); got != c.want {
			t.Errorf("ParseFilterList(%q) = %s, want %s", c.in, got, c.want)
		}
	}
}

func TestParseFilterListNamesTheText(t *testing.T) {
	_, err := ParseFilterList([]string{"a=1", "b="}, Limits{})
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want an *Error", err)
	}
	want := Error{Code: CodeInvalidFilter, Item: 1, Column: 3, Detail: `expected a value after "="`}
	if *e != want {
		t.Errorf("got %+v, want %+v", *e, want)
	}
	if errors.Is(err, ErrLimitExceeded) {
		t.Errorf("%v counts as a limit", err)
	}
}

// A filter can name every 64-bit integer, and larger ones as floats that tell
// what was written.
func TestIntegersAreExact(t *testing.T) {
	for _, i := range []int64{0, 1, -1, 1<<53 + 1, math.MaxInt64, math.MinInt64} {
		n := Compare{"a", OpEqual, Value{Kind: KindInt, Int: i}}
		if got, err := ParseFilter(String(n), Limits{}); err != nil || got != Node(n) {
			t.Errorf("%s: got %v, error %v", String(n), got, err)
		}
	}
	for _, in := range []string{"a = 9223372036854775808", "a = -9223372036854775809"} {
		n, err := ParseFilter(in, Limits{})
		if c, ok := n.(Compare); err != nil || !ok || c.Value.Kind != KindFloat || !c.Value.BeyondInt() || String(n) != in {
			t.Errorf("ParseFilter(%q) = %s, error %v", in, dump(n), err)
		}
	}
}
