package query

import "testing"

// Whatever a text holds, quoting makes one string of it.
func FuzzQuote(f *testing.F) {
	for _, s := range []string{"", "Nike", `a" OR b = "c`, `\`, "`", "'", "\n", "\\u00fc", "東京", "\xff", "\u2028"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		lim := Limits{MaxBytes: 1 << 20}
		n, err := ParseFilter("brand = "+Quote(text)+" AND price < 5", lim)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		and, ok := n.(And)
		if !ok || len(and.Nodes) != 2 || and.Nodes[0] != Node(Compare{Field: "brand", Value: Value{Kind: KindString, Str: text}}) {
			t.Fatalf("%q: %+v", text, n)
		}
	})
}
