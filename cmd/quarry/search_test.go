package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// shop imports a small shop into a directory.
func shop(t *testing.T) *cli {
	t.Helper()
	c := directory(t)
	c.must("import", c.write("shop.ndjson", `{"id":"a","title":"Red running shoes","brand":"Norvane","price":50}
{"id":"b","title":"Blue running shoes","brand":"Velkor","price":40}
{"id":"c","title":"Red hat","brand":"Norvane","price":9.5}
`))
	return c
}

// TestSearchListsWithCommas: several names may stand in one flag, and a name
// that has a comma in quotes.
func TestSearchListsWithCommas(t *testing.T) {
	c := shop(t)
	c.must("import", c.write("odd.ndjson", `{"id":"o","title":"odd","width, inch":3}`))
	for _, tc := range []struct {
		args []string
		want string
	}{
		{[]string{"hat", "--return", "title,price"}, `"record":{"title":"Red hat","price":9.5}`},
		{[]string{"hat", "--return", "title, price"}, `"record":{"title":"Red hat","price":9.5}`},
		{[]string{"hat", "--return", "title", "--return", "price"}, `"record":{"title":"Red hat","price":9.5}`},
		{[]string{"odd", "--return", `"width, inch",title`}, `"record":{"title":"odd","width, inch":3}`},
		{[]string{"hat", "--index", "shop,odd"}, `"total":1,`},
		{[]string{"norvane", "--field", "title,brand^2"}, `"total":2,`},
		{[]string{"hat", "--facet", "brand,price", "--index", "shop"}, `"facets":{"brand":{`},
	} {
		if out := c.must(append([]string{"search"}, tc.args...)...); !strings.Contains(out, tc.want) {
			t.Errorf("search %q: %s, want %s", tc.args, out, tc.want)
		}
	}
}

// TestWrongFlagValues: what the server does not take is told by the name of the
// flag, as wrong usage.
func TestWrongFlagValues(t *testing.T) {
	c := shop(t)
	for _, tc := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"search", "--match", "foo"}, exitUsage, "--match: must be one of \"auto\", \"all\", \"any\""},
		{[]string{"search", "--limit", "-5"}, exitUsage, "--limit: must be at least 0"},
		{[]string{"search", "--limit", "-5", "--ranking", "best"}, exitUsage, "--limit: must be at least 0; --ranking: must be one of \"default\", \"bm25\""},
		{[]string{"search", "--limit", "5000"}, exitUsage, "--limit: must be at most 1000"},
		{[]string{"search", "--filter", "price <"}, exitUsage, "--filter: expected a value after \"<\" (column 8)"},
		{[]string{"search", "--sort", "price", "--sort", "prise"}, exitUsage, "--sort: there is no field \"prise\""},
		{[]string{"search", "--filter", "prize < 3"}, exitUsage, "--filter: there is no field \"prize\"; did you mean \"price\"?"},
		{[]string{"search", "--sort", "title:up"}, exitUsage, "--sort title:up: a sort key is a field"},
		{[]string{"search", "--field", "nope"}, exitUsage, "--field: there is no field \"nope\""},
		{[]string{"search", "--return", "id", "--return", "titel"}, exitUsage, "--return: there is no field \"titel\"; did you mean \"title\"?"},
		{[]string{"search", "red (", "--syntax", "query"}, exitUsage, "QUERY: expected a word, a phrase or a group (column 6)"},
		{[]string{"search", "--index", "shop", "--index", "nope"}, exitFailed, "--index nope: there is no index with this name"},
		{[]string{"batch", "list", "--limit", "0"}, exitUsage, "--limit: must be a whole number above 0"},
		{[]string{"keys", "create", "k", "--scope", "search", "--scope", "fly"}, exitUsage, "--scope"},
		{[]string{"keys", "create", "k", "--scope", "search", "--quota", "-1"}, exitUsage, "--quota: "},
		{[]string{"keys", "create", "k", "--scope", "search", "--burst", "-1"}, exitUsage, "--burst: "},
	} {
		code, out, stderr := c.run(tc.args...)
		if code != tc.code || out != "" || !strings.HasPrefix(stderr, "quarry: "+tc.says) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("quarry %q: exit code %d, %q, %q; want %d, %q", tc.args, code, out, stderr, tc.code, tc.says)
		}
	}
}

func TestSearchJSON(t *testing.T) {
	c := shop(t)
	ids := func(args ...string) string {
		t.Helper()
		var answer searchAnswer
		if err := json.Unmarshal([]byte(c.must(append([]string{"search"}, args...)...)), &answer); err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, h := range answer.Hits {
			ids = append(ids, h.ID)
		}
		return strings.Join(ids, " ")
	}
	for _, tc := range []struct {
		args []string
		want string
	}{
		{[]string{"red", "shoes", "--limit", "1"}, "a"},
		{[]string{"red", "shoes", "--match", "all"}, "a"},
		{[]string{"--sort", "price"}, "c b a"},
		{[]string{"--sort", "price:desc", "--limit", "2"}, "a b"},
		{[]string{"--sort", "price", "--offset", "1"}, "b a"},
		{[]string{"red", "--filter", "price < 10"}, "c"},
		{[]string{"norvane", "--sort", "price"}, "c a"},
		{[]string{"norvane", "--field", "title"}, ""},
		{[]string{"red OR blue", "--sort", "price"}, "c b a"},
		{[]string{"title:hat", "--syntax", "query"}, "c"},
		{[]string{"red shoes", "--match", "any", "--sort", "price"}, "c b a"},
		{[]string{"sho", "--prefix", "off"}, ""},
		{[]string{"shoes", "--ranking", "bm25", "--index", "sh*", "--sort", "price"}, "b a"},
	} {
		if got := ids(tc.args...); got != tc.want {
			t.Errorf("search %q finds %q, want %q", tc.args, got, tc.want)
		}
	}
	out := c.must("search", "hat", "--facet", "brand", "--return", "price", "--explain")
	for _, part := range []string{`"record":{"price":9.5}`, `"value":"Norvane"`, `"explain":{"score":`} {
		if !strings.Contains(out, part) {
			t.Errorf("no %s in %s", part, out)
		}
	}
}

func TestSearchList(t *testing.T) {
	path := testdata(t, "search.txt")
	var answer searchAnswer
	err := json.Unmarshal([]byte(`{"hits":[
		{"id":"a","index":"shop","score":7.31,"record":{"id":"a","title":"Red running shoes","text":"Shoes for runners who like long and muddy ways, in all weathers.","price":39.9,"tags":["sport","vegan","long shoe"],"size":{"eu":42}},
		 "highlight":{"title":{"text":"\u001b[1mRed\u001b[0m running \u001b[1mshoes\u001b[0m"},"text":{"text":"\u001b[1mShoes\u001b[0m for runners who like long"},
		  "tags":{"text":"\u001b[1mlong\u001b[0m \u001b[1mshoe\u001b[0m","item":2,"more":[{"text":"\u001b[1msport\u001b[0m","item":0}]}},
		 "explain":{"score":7.31,"formula":"sum","parts":[{"field":"title","term":"shoe","from":"shoes","tf":1,"df":120,"idf":1.9,"norm":0.83,"weight":3,"penalty":0.8,"score":4.37}]}},
		{"id":"b\u001b[2J","index":"shop","score":1,"record":{"text":null,"note":"a \u0007bell","\u001b]0;name\u0007":"x"}}],
		"total":1234,"total_exact":false,"timed_out":true,"offset":10,
		"facets":{"brand":{"values":[{"value":"Norvane","count":9},{"value":5,"count":1200}],"other":3,"missing":0}},"took_ms":0.4123}`), &answer)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := answer.write(&b); err != nil {
		t.Fatal(err)
	}
	golden(t, path, strings.ReplaceAll(b.String(), "\x1b", "^["))

	var plain strings.Builder
	if err := answer.write(unmarked{&plain}); err != nil || strings.Contains(plain.String(), "\x1b") || !strings.Contains(plain.String(), " 11. Red running shoes  shop/a  7.31\n") {
		t.Errorf("without marks: %q, %v", &plain, err)
	}
}

func TestDumbTerminal(t *testing.T) {
	c := newCLI(t)
	for term, want := range map[string]bool{"": false, "xterm-256color": false, "dumb": true} {
		c.env["TERM"] = term
		if got := c.program(nil, nil).dumb(); got != want {
			t.Errorf("TERM=%s: %v", term, got)
		}
	}
}

func TestFlatten(t *testing.T) {
	got := flatten([]byte(`{"a":1,"b":{"c":"x","d":[1,2,[3]],"e":{}},"f":null,"g":[{"h":1},{"h":2}],"i":true}`))
	want := []field{{"a", "1"}, {"b.c", "x"}, {"b.d", "1, 2, 3"}, {"g.h", "1"}, {"g.h", "2"}, {"i", "true"}}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(field{})); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	for _, broken := range []string{"", "{", `{"a"`, `{"a":[1,`, "[", `{"a":}`} {
		flatten([]byte(broken)) // must end
	}
}
