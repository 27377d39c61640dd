package engine

import (
	"strings"
	"testing"
)

// TestWordsOfOneCharacter: a word of one character is found behind which a particle stands, where no
// record has both side by side.
func TestWordsOfOneCharacter(t *testing.T) {
	for _, c := range []struct{ language, records, query, want string }{
		{"ja", "琵琶湖が日本で一番大きい/猫を飼う/富士山", "湖はどこ", "1"},
		{"ja", "琵琶湖が日本で一番大きい/猫を飼う/富士山", "猫は", "2"},
		{"ja", "琵琶湖が日本で一番大きい/猫を飼う/富士山", "一番大きい湖の名前", "1"},
		{"ko", "된장은 콩과 소금/강가의 마을", "콩으로 만든 음식", "1"},
		{"ko", "된장은 콩과 소금/강가의 마을", "강에서", "2"},
		{"ko", "산업 단지/사과", "사이트", ""},
	} {
		e := titled(t, c.language, strings.Split(c.records, "/")...)
		if got := idsOf(find(t, e, &Request{Query: c.query})); got != c.want {
			t.Errorf("%s: %q finds %q, want %q", c.language, c.query, got, c.want)
		}
	}
}

// TestRomanNumbersAreNoSlips: one century is not another.
func TestRomanNumbersAreNoSlips(t *testing.T) {
	e := titled(t, "pl", "Król Jan III", "Wiek XIII", "Wiek XIV")
	for _, q := range []string{"xviii", "XVIII", "xii", "jan viii"} {
		if r := find(t, e, &Request{Query: q}); len(r.Query.Corrections) > 0 || r.Query.DidYouMean != "" {
			t.Errorf("%q is taken for %v, %q", q, r.Query.Corrections, r.Query.DidYouMean)
		}
	}
	for word, want := range map[string]bool{"xviii": false, "iii": false, "xxx": false, "xx": true, "xxxx": true, "mix": true, "iiii": true, "vex": true, "xixi": true} {
		if got := spelt([]byte(word)); got != want {
			t.Errorf("%s is spelt out: %v", word, got)
		}
	}
}
