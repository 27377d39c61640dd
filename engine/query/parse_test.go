package query

import "testing"

func TestParseQuery(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", "all"},
		{"  ", "all"},
		{"*", "all"},
		{"red", "red"},
		{" red  shoes ", "(bool red shoes)"},
		// Operators.
		{"+red -blue NOT green x", "(bool +red x -blue -green)"},
		{"a AND b", "(bool +a +b)"},
		{"a AND b AND c", "(bool +a +b +c)"},
		{"a AND NOT b", "(bool +a -b)"},
		{"a AND -b AND +c", "(bool +a +c -b)"},
		{"NOT a AND NOT b", "(bool -a -b)"},
		{"a OR b", "(bool1 a b)"},
		{"a OR b OR c", "(bool1 a b c)"},
		{"a OR b AND c", "(bool1 a (bool +b +c))"},
		{"a AND b OR c AND d", "(bool1 (bool +a +b) (bool +c +d))"},
		{"a OR NOT b", "(bool1 a (bool -b))"},
		{"-a OR b", "(bool1 (bool -a) b)"},
		{"a b OR c d", "(bool a (bool1 b c) d)"},
		{"a AND b c", "(bool (bool +a +b) c)"},
		{"NOT a", "(bool -a)"},
		{"+a", "(bool +a)"},
		{"NOT *", "none"},
		{"-*", "none"},
		{"a OR -*", "(bool1 a none)"},
		{"a and b or not c", "(bool a and b or not c)"},
		{`\AND OR \OR`, "(bool1 AND OR)"},
		{`"AND"`, "<AND>"},
		{"ANDY ORB NOTE", "(bool ANDY ORB NOTE)"},
		{"NOT(a)OR(b)", "(bool1 (bool -a) b)"},
		{`a AND"b c"`, "(bool +a +<b c>)"},
		// Groups.
		{"(a)", "a"},
		{"(a b) c", "(bool (bool a b) c)"},
		{"+(a b) -(c d)", "(bool +(bool a b) -(bool c d))"},
		{"((a OR b) AND c)", "(bool +(bool1 a b) +c)"},
		{"(a)(b)c(d)", "(bool a b c d)"},
		{"(a b c)~2", "(bool2 a b c)"},
		{"(a +b c)~1 d", "(bool (bool1 +b a c) d)"},
		{"( a )", "a"},
		// Phrases, prefixes, escapes.
		{`"red shoes"`, "<red shoes>"},
		{`"red shoes"~2`, "<red shoes>~2"},
		{`"red shoes"~0`, "<red shoes>"},
		{`"a \"b\" \\"`, `<a "b" \>`},
		{"sho* +a*", "(bool +a… sho…)"},
		{`sho\*`, "sho*"},
		{`a\ b \+c \(\) \:`, "(bool a b +c () :)"},
		{"a-b c+d e/f o'neil", "(bool a-b c+d e/f o'neil)"},
		{"größe 日本", "(bool größe 日本)"},
		// Fields.
		{"title:red", "title:red"},
		{"title:red shoes", "(bool title:red shoes)"},
		{`title:"red shoes"~1`, "<title:red shoes>~1"},
		{"title:sho*", "title:sho…"},
		{"title:(a b OR body:c)", "(bool title:a (bool1 title:b body:c))"},
		{"+title:a -body:b", "(bool +title:a -body:b)"},
		{"a.b:x", "a.b:x"},
		{`a\:b:c`, "a:b:c"},
		{"temp:-5", "temp:-5"},
		{"a:AND", "a:AND"},
		// Ranges.
		{"p:[10 TO 20]", "(range p =int:10 =int:20)"},
		{"p:{10 TO 20}", "(range p int:10 int:20)"},
		{"p:{1.5 TO *]", "(range p float:1.5 open)"},
		{"p:[* TO -3}", "(range p open int:-3)"},
		{"p:[* TO *]", "(range p open open)"},
		{"p:*", "(range p open open)"},
		{"p:(* a)", "(bool (range p open open) p:a)"},
		{"d:[2024-01-31 TO 2024-01-31T10:00:00.5+02:00]", "(range d =date:2024-01-31 =date:2024-01-31T10:00:00.5+02:00)"},
		{`d:["2024-01-31" TO "a b"]`, `(range d ="2024-01-31" ="a b")`},
		{`n:[alpha TO 7up]`, `(range n ="alpha" ="7up")`},
		{`n:[\10 TO \*]`, `(range n ="10" ="*")`},
		{"p:>=10", "(range p =int:10 open)"},
		{"p:>10", "(range p int:10 open)"},
		{"p:<=1e3", "(range p open =float:1000)"},
		{"p:<b", `(range p open "b")`},
		{"p:>2^3", "(boost 3 (range p int:2 open))"},
		{"(p:>2)", "(range p int:2 open)"},
		{`\-p:[1 TO 2]`, "(range -p =int:1 =int:2)"},
		// Boosts.
		{"a^2", "(boost 2 a)"},
		{"+a^2.5 b", "(bool +(boost 2.5 a) b)"},
		{`"a b"~2^.5`, "(boost 0.5 <a b>~2)"},
		{"(a b)^1e2", "(boost 100 (bool a b))"},
		{"(a b)~2^3", "(boost 3 (bool2 a b))"},
		{"sho*^0", "(boost 0 sho…)"},
		{"(a^2)^3", "(boost 3 (boost 2 a))"},
		{"*^2", "(boost 2 all)"},
		{"p:[1 TO 2]^3", "(boost 3 (range p =int:1 =int:2))"},
		{"a:b^2 AND c", "(bool +(boost 2 a:b) +c)"},
	} {
		n, err := ParseQuery(c.in, Limits{})
		if err != nil {
			t.Errorf("ParseQuery(%q): %v", c.in, err)
			continue
		}
		if got := dump(n); got != c.want {
			t.Errorf("ParseQuery(%q) = %s, want %s", c.in, got, c.want)
		}
	}
}
