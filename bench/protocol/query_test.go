package protocol

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseQuery(t *testing.T) {
	for in, want := range map[string][]Clause{
		"":                   nil,
		"red":                {{Should, []string{"red"}}},
		" red  shoes ":       {{Should, []string{"red"}}, {Should, []string{"shoes"}}},
		"+red -shoes hat":    {{Must, []string{"red"}}, {MustNot, []string{"shoes"}}, {Should, []string{"hat"}}},
		`"red shoes"`:        {{Should, []string{"red", "shoes"}}},
		`+"red shoes" -"a"b`: {{Must, []string{"red", "shoes"}}, {MustNot, []string{"a"}}, {Should, []string{"b"}}},
		`"red shoes`:         {{Should, []string{"red", "shoes"}}},
		`"" + - "`:           nil,
		"+ red":              {{Should, []string{"red"}}},
		`re"d sh"oes`:        {{Should, []string{`re"d`}}, {Should, []string{`sh"oes`}}},
	} {
		if diff := cmp.Diff(want, ParseQuery(in)); diff != "" {
			t.Errorf("ParseQuery(%q): %s", in, diff)
		}
	}
}

func TestParseCommand(t *testing.T) {
	for in, want := range map[string]Command{
		"COUNT":         {Count: true},
		"TOP_10":        {K: 10},
		"TOP_100_COUNT": {K: 100, Count: true},
		"IDS_1":         {K: 1, IDs: true},
		"IDS_5_COUNT":   {K: 5, IDs: true, Count: true},
		"EXHAUSTIVE_10": {K: 10, IDs: true, All: true},
	} {
		if got, err := ParseCommand(in); err != nil || got != want {
			t.Errorf("ParseCommand(%q) = %+v, %v, want %+v", in, got, err, want)
		}
	}
	for in, unsupported := range map[string]bool{"": true, "SUM_3": true, "count": true, "TOP_": false, "TOP_0": false, "TOP_x_COUNT": false, "IDS_-1": false} {
		if _, err := ParseCommand(in); err == nil || errors.Is(err, ErrUnsupported) != unsupported {
			t.Errorf("ParseCommand(%q): %v, want ErrUnsupported to be %v", in, err, unsupported)
		}
	}
}

// format writes clauses in the syntax that ParseQuery reads.
func format(clauses []Clause) string {
	var b strings.Builder
	for _, c := range clauses {
		if c.Occur != Should {
			b.WriteByte(byte(c.Occur))
		}
		fmt.Fprintf(&b, "\"%s\" ", strings.Join(c.Terms, " "))
	}
	return b.String()
}

func FuzzParseQuery(f *testing.F) {
	for _, s := range []string{"red shoes", `+"red shoes" -hat`, `"`, "+-", `-"" a`, "\xff\t+a"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, q string) {
		clauses := ParseQuery(q)
		for _, c := range clauses {
			if len(c.Terms) == 0 {
				t.Fatalf("%q has an empty clause", q)
			}
			for _, term := range c.Terms {
				if term == "" {
					t.Fatalf("%q has an empty term", q)
				}
			}
		}
		if strings.Contains(format(clauses), `""`) || strings.Count(q, `"`)%2 == 1 || strings.Contains(fmt.Sprint(clauses), `"`) {
			return // a quote inside a word cannot be written within quotes
		}
		if diff := cmp.Diff(clauses, ParseQuery(format(clauses))); diff != "" {
			t.Errorf("%q: %s", q, diff)
		}
	})
}
