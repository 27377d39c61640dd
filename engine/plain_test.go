package engine

import (
	"fmt"
	"strings"
	"testing"
)

// TestSameInOtherLetters: what a query finds, and with which scores, does not depend on letters that
// look the same, on what shows nothing, on capitals, or on which spaces and signs are around its words.
func TestSameInOtherLetters(t *testing.T) {
	en := newEngine(t, nil)
	create(t, en, "i", Schema{Language: "en", Fields: []Field{
		{Name: "title", Type: Text, Search: true, Weight: 5}, {Name: "text", Type: Text, Search: true},
	}})
	apply(t, en, puts("i",
		`{"id":"pension","title":"Pension","text":"What you get when you are old."}`,
		`{"id":"desk","title":"Information desk","text":"Looking for help? I am here."}`,
		`{"id":"milk","title":"Bovine milk","text":"A drink for children."}`,
		`{"id":"oat","title":"Drinks of oat","text":"They taste like milk, and cannot be told from it."}`,
		`{"id":"nondairy","title":"Deterministic machines","text":"Non is a small word."}`,
	))
	fr := titled(t, "fr", "Travailler à l'étranger", "Taller", "Lampe")
	sv := titled(t, "sv", "Kompost i trädgården", "Ring av guld", "Trädgårdsmöbler")
	for _, c := range []struct {
		e         *Engine
		query     string
		otherwise []string
	}{
		{en, "I am looking for information about pension ", []string{
			"I\u00a0am\u00a0looking\u00a0for\u00a0information\u00a0about\u00a0pension ", "Ｉ ａｍ ｌｏｏｋｉｎｇ ｆｏｒ ｉｎｆｏｒｍａｔｉｏｎ ａｂｏｕｔ ｐｅｎｓｉｏｎ ",
			"I am loo\u00adking for infor\u00admation about pension ", "I am look\u2060ing for in\u200cformation about pension ",
		}},
		{en, "cow's milk ", []string{"COW'S MILK ", "cow´s milk ", "cowʼs milk ", "co\u00adw’s milk ", "cow`s milk ", "cow‛s milk "}},
		{en, "nondeterministic machines ", []string{
			"(nondeterministic machines) ", "¿nondeterministic machines? ", "nondeterministic, machines ", "\ufeffnondeterministic machines\u200f ", "ｎｏｎｄｅｔｅｒｍｉｎｉｓｔｉｃ machines ",
		}},
		{en, "drink for chil ", []string{"drink for chil.", "drink for chil?", "drink for chil…"}},
		{fr, "étranger ", []string{"lʼétranger ", "l´étranger ", "l´e\u0301tranger "}},
		{sv, "kompostering ", []string{"KOMPOSTERING ", "Kom\u00adpostering "}},
	} {
		told := func(query string) string {
			var b strings.Builder
			for _, h := range find(t, c.e, &Request{Query: query}).Hits {
				fmt.Fprintf(&b, "%s %.6g; ", h.ID, h.Score)
			}
			return b.String()
		}
		want := told(c.query)
		if want == "" {
			t.Errorf("%q finds nothing", c.query)
		}
		for _, query := range c.otherwise {
			if got := told(query); got != want {
				t.Errorf("%q finds %s, want %s", query, got, want)
			}
		}
	}
}

// TestRecordsInOtherApostrophes: records are found whatever they, or the query, have for an apostrophe
// between letters, and backticks around words are none.
func TestRecordsInOtherApostrophes(t *testing.T) {
	titles := []string{"l'étranger", "l’étranger", "l´étranger", "l`étranger", "l‛étranger", "lʼétranger"}
	e := titled(t, "fr", append(titles, "`lampe` rouge")...)
	for _, query := range titles {
		for _, query := range []string{query, query[len("l"):], "«" + strings.ToUpper(query) + "»"} {
			res := find(t, e, &Request{Query: query})
			if got := idsOf(res); got != "1 2 3 4 5 6" || res.Hits[0].Score != res.Hits[5].Score {
				t.Errorf("%q finds %s", query, got)
			}
		}
	}
	if got := idsOf(find(t, e, &Request{Query: "lampe"})); got != "7" {
		t.Errorf("between backticks: %s", got)
	}
	for word := range stopTable([]string{"c'est", "c’est", " c´est", "c`est", "c‛est"}) {
		if word != "cest" {
			t.Errorf("a stop word: %q", word)
		}
	}
}

// TestSuggestedInOtherLetters: nor does what is suggested.
func TestSuggestedInOtherLetters(t *testing.T) {
	e := titled(t, "sv", "Kompost i trädgården", "Ring av guld")
	told := func(query string) string {
		res, err := e.Suggest(t.Context(), &SuggestRequest{Query: query})
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(res.Suggestions)
	}
	for query, same := range map[string]string{"kom\u00adpo": "kompo", "kompost i tra\u0308d": "kompost i träd", "ｒｉｎ": "rin"} {
		if got, want := told(query), told(same); got != want || want == "[]" {
			t.Errorf("%+q: %s, want %s", query, got, want)
		}
	}
}
