package engine

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// furniture is records of which few say what they are in one of two ways.
func furniture(more int) (records []string) {
	for _, title := range []string{
		"red couch for two", "blue sofa for three", "a sofa cover", "heart attack in women", "myocardial infarction of athletes",
		"an attack of the heart", "colour of autumn leaves", "colors of spring", "leather shoes", "footwear of the romans", "red table", "a notebook", "a laptop",
	} {
		records = append(records, fmt.Sprintf(`{"id":"%d","title":%q}`, len(records)+1, title))
	}
	for i := range more {
		records = append(records, fmt.Sprintf(`{"id":"n%03d","title":"lamp number %d of the red kind"}`, i, i))
	}
	return records
}

// TestThesaurus: where few records hold a word, those are found that have something that
// stands for it, behind those that hold the word itself; and nothing where somebody says
// that a word is meant as it is.
func TestThesaurus(t *testing.T) {
	d := newDisk(t, Options{})
	create(t, d.e, "i", Schema{Fields: []Field{
		{Name: "title", Type: Text, Search: true}, {Name: "code", Type: Text, Search: true, Analyzer: "whitespace"},
	}})
	apply(t, d.e, puts("i", furniture(0)...))
	off := Schema{NoThesaurus: true, Fields: []Field{{Name: "title", Type: Text, Search: true}}}
	create(t, d.e, "off", off)
	apply(t, d.e, puts("off", furniture(0)...))
	d.states("i", func(t *testing.T, e *Engine) {
		for _, c := range []struct {
			req  Request
			want string // the ids in their order, those that score alike by id
		}{
			{Request{Query: "couch "}, "1 3 2"},
			{Request{Query: "sofas "}, "3 2 1"},
			{Request{Query: "settee "}, "1 3 2"}, // which no record holds
			{Request{Query: "red couch ", Match: MatchAll}, "1"},
			{Request{Query: "blue couch ", Match: MatchAll}, "2"},
			{Request{Query: "cardiac infarction "}, "5 4"},
			{Request{Query: "heart attacks "}, "4 6 5"},
			{Request{Query: "color "}, "8 7"},
			{Request{Query: "footwear "}, "10 9"},
			{Request{Query: "laptop "}, "13 12"},
			{Request{Query: "notebook "}, "12"}, // kinds stand for what they are a kind of, and not the other way round
			{Request{Query: "+couch "}, "1"},
			{Request{Query: `"couch" `}, "1"},
			{Request{Query: "table -couch "}, "11"},
			{Request{Query: "title:couch", Syntax: SyntaxQuery}, "1"},
			{Request{Query: "couch ", Fields: []FieldWeight{{Field: "code"}}}, ""},
			{Request{Query: "couch ", NoSynonyms: true}, "1"},
			{Request{Query: "couch ", Tuning: Tuning{Thesaurus: -1}}, "1"},
			{Request{Query: "couch ", Ranking: RankingBM25}, "1"},
			{Request{Query: "couch ", Indexes: []string{"off"}}, "1"},
		} {
			if c.req.Indexes == nil {
				c.req.Indexes = []string{"i"}
			}
			if got := idsOf(find(t, e, &c.req)); got != c.want {
				t.Errorf("%q, %+v: %q, want %q", c.req.Query, c.req, got, c.want)
			}
		}
		res := find(t, e, &Request{Indexes: []string{"i"}, Query: "couch ", Explain: true, Highlight: &HighlightRequest{}})
		h := res.Hits[1]
		if p := h.Explain.Parts; len(p) != 1 || p[0].Term != "sofa" || p[0].From != "couch" || p[0].Penalty != 0.5 || p[0].Score != h.Score {
			t.Errorf("explained by %+v", p)
		}
		if len(h.Highlight) != 1 || h.Highlight[0].Text != "a <mark>sofa</mark> cover" {
			t.Errorf("highlight %+v", h.Highlight)
		}
		q := find(t, e, &Request{Indexes: []string{"i"}, Query: "settee "}).Query
		if len(q.Corrections) > 0 || !slices.Contains(q.Thesaurus, Correction{"settee", "sofa"}) || !slices.Contains(q.Thesaurus, Correction{"settee", "couch"}) {
			t.Errorf("a word that others stand for is read as %v, and as %v", q.Corrections, q.Thesaurus)
		}
	})
}

// TestThesaurusOfParts: where nothing stands for words together, what each of them is called
// is looked for.
func TestThesaurusOfParts(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "i", Schema{Fields: []Field{{Name: "title", Type: Text, Search: true}}})
	apply(t, e, puts("i", `{"id":"1","title":"airline damaged my suitcase"}`, `{"id":"2","title":"lost keys"}`))
	for _, q := range []string{"baggage ", "lost baggage ", "lost luggage ", "the lost luggage "} {
		res := find(t, e, &Request{Query: q})
		if !slices.ContainsFunc(res.Hits, func(h Hit) bool { return h.ID == "1" }) {
			t.Errorf("%q finds %q, as %v", q, idsOf(res), res.Query.Thesaurus)
		}
	}
	apply(t, e, puts("i", `{"id":"3","title":"missing luggage"}`))
	if got := idsOf(find(t, e, &Request{Query: "lost luggage "})); !strings.HasPrefix(got, "3") {
		t.Errorf("what is called so as a whole is not first: %q", got)
	}
}

// TestThesaurusOfMissing: what stands for a word that no record holds is worth nearly as much
// as the word would be.
func TestThesaurusOfMissing(t *testing.T) {
	for _, c := range []struct {
		records []string
		query   string
		want    float64
	}{
		{nil, "settee ", 0.9},
		{[]string{`{"id":"s","title":"settee"}`}, "settee ", 0.5},
		{nil, "colors ", 0.9},
		{nil, "footwear ", 0.6},
	} {
		e := newEngine(t, nil)
		create(t, e, "i", Schema{Fields: []Field{{Name: "title", Type: Text, Search: true}}})
		apply(t, e, puts("i", append(c.records, `{"id":"1","title":"sofa"}`, `{"id":"2","title":"colour"}`, `{"id":"3","title":"shoe"}`)...))
		n := 0
		for _, h := range find(t, e, &Request{Query: c.query, Explain: true}).Hits {
			for _, p := range h.Explain.Parts {
				if p.Stage == "" && p.Term != strings.TrimSpace(c.query) && p.DF > 0 && h.ID != "s" {
					if n++; p.Penalty != c.want {
						t.Errorf("%q: %s counts %v, want %v", c.query, p.Term, p.Penalty, c.want)
					}
				}
			}
		}
		if n == 0 {
			t.Errorf("%q finds nothing that stands for it", c.query)
		}
	}
}

// TestThesaurusBonus: where many records hold a word, what stands for it raises the best of
// those that lack it, and finds no others.
func TestThesaurusBonus(t *testing.T) {
	records := furniture(150)
	for i := range 20 {
		records = append(records, fmt.Sprintf(`{"id":"c%02d","title":"couch %d"}`, i, i))
	}
	e := newEngine(t, nil)
	create(t, e, "i", Schema{Fields: []Field{{Name: "title", Type: Text, Search: true}}})
	apply(t, e, puts("i", records...))
	for _, r := range []Request{{Query: "blue couch ", Match: MatchAny, Explain: true, Limit: 200}, {Query: "couch blue three ", Match: MatchAny, Explain: true, Limit: 200}} {
		res := find(t, e, &r)
		n := 0
		for _, h := range res.Hits {
			got := stages(h)[StageThesaurus]
			if (got > 0) != (h.ID == "2") {
				t.Errorf("%q: record %s gets %v", r.Query, h.ID, got)
			}
			if got > 0 {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%q: %d of %d hits have something that stands for a word, want 1", r.Query, n, len(res.Hits))
		}
		r.Tuning.Thesaurus = -1
		for _, h := range find(t, e, &r).Hits {
			if stages(h)[StageThesaurus] > 0 {
				t.Errorf("%q: switched off, record %s gets something", r.Query, h.ID)
			}
		}
	}
	// Phrases count where they stand together.
	for i := range 12 {
		records = append(records, fmt.Sprintf(`{"id":"h%02d","title":"heart attack number %d"}`, i, i))
	}
	apply(t, e, puts("i", append(records, `{"id":"apart","title":"infarction, myocardial, athletes"}`)...))
	for _, h := range find(t, e, &Request{Query: "heart attack athletes ", Match: MatchAny, Explain: true, Limit: 200}).Hits {
		if got := stages(h)[StageThesaurus]; (got > 0) != (h.ID == "5") {
			t.Errorf("record %s gets %v for a phrase", h.ID, got)
		}
	}
}

// TestThesaurusOfLanguages: what stands for a word is found in each language of which
// something is known, and only in an index of that language.
func TestThesaurusOfLanguages(t *testing.T) {
	e := newEngine(t, nil)
	for language, c := range map[string]struct{ asked, held string }{
		"en": {"couch", "ein sofa, a sofa"},
		"da": {"sygehuset", "et nyt hospital"},
		"de": {"Handy", "Mobiltelefone für Kinder"},
		"es": {"ordenador", "una computadora portátil"},
		"fi": {"kännykät", "uusi matkapuhelin"},
		"fr": {"ordinateur", "un pc de bureau"},
		"it": {"automobili", "una macchina rossa"},
		"ja": {"壊れています", "故障について"},
		"ko": {"핸드폰", "새 스마트폰을"},
		"nl": {"auto", "een rode wagen"},
		"no": {"flyplassen", "en ny lufthavn"},
		"pl": {"komórkę", "nowe telefony"},
		"pt": {"autocarro", "o ônibus da cidade"},
		"ru": {"автомобиль", "красная машина"},
		"tr": {"bilgisayarlar", "yeni pc"},
		"zh": {"郵費", "关于运费的说明"},
	} {
		for _, of := range []string{language, "hu"} {
			name := language + of
			create(t, e, name, Schema{Language: of, Fields: []Field{{Name: "title", Type: Text, Search: true}}})
			apply(t, e, puts(name, fmt.Sprintf(`{"id":"1","title":%q}`, c.held), `{"id":"2","title":"zzz"}`))
			res := find(t, e, &Request{Indexes: []string{name}, Query: c.asked + " "})
			if got, want := len(res.Hits), map[bool]int{true: 1}[of == language]; got != want {
				t.Errorf("%s in an index of language %s: %d hits, want %d", c.asked, of, got, want)
			}
		}
	}
}

// TestThesaurusOverIndexes: records in several indexes are found and ranked as if they were
// in one.
func TestThesaurusOverIndexes(t *testing.T) {
	e := newEngine(t, nil)
	s := Schema{Fields: []Field{{Name: "title", Type: Text, Search: true}}}
	for _, name := range []string{"all", "a", "b"} {
		create(t, e, name, s)
	}
	for i, r := range furniture(100) {
		apply(t, e, puts("all", r))
		apply(t, e, puts([]string{"a", "b"}[i%2], r))
	}
	for _, q := range []string{"couch ", "settee red ", "heart attack ", "red couch number ", "color footwear ", "blue couch three "} {
		var got [2][]string
		for i, names := range [][]string{{"all"}, {"a", "b"}} {
			for _, h := range find(t, e, &Request{Indexes: names, Query: q, Limit: 200}).Hits {
				got[i] = append(got[i], fmt.Sprint(h.ID, " ", h.Score))
			}
			slices.Sort(got[i])
		}
		if strings.Join(got[0], ",") != strings.Join(got[1], ",") {
			t.Errorf("%q: one index %v\ntwo %v", q, got[0], got[1])
		}
	}
}

// TestThesaurusOutOfSight: to a caller who may not see them, records that hold a word are
// as if they were not: what stands for it is found as for a word that nothing holds.
func TestThesaurusOutOfSight(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "i", Schema{Fields: []Field{{Name: "title", Type: Text, Search: true}, {Name: "tenant", Type: Int, Filter: true}}})
	var records []string
	for i := range 200 {
		title, tenant := "blue lamp", 1
		switch {
		case i%5 == 0:
			title = "couch in red"
		case i%2 == 0:
			title, tenant = "sofa in blue", 2
		}
		records = append(records, fmt.Sprintf(`{"id":"%d","title":%q,"tenant":%d}`, i, title, tenant))
	}
	apply(t, e, puts("i", records...))
	ask := func(word string) string {
		res := find(t, e, &Request{Query: word + " blue ", Match: MatchAny, Restrict: []string{"tenant = 1"}, Explain: true, Limit: 60})
		res.Took = 0
		text, err := json.Marshal(res)
		if err != nil {
			t.Fatal(err)
		}
		return strings.ReplaceAll(string(text), word, "WORD")
	}
	if hidden, unknown := ask("sofa"), ask("settee"); hidden != strings.ReplaceAll(unknown, `"settee"`, `"WORD"`) {
		t.Errorf("of a word that others hold %s\nof one that nobody holds %s", hidden, unknown)
	}
	if !strings.Contains(ask("sofa"), `"couch"`) {
		t.Error("what stands for a word out of sight is not found")
	}
}

// TestThesaurusRemembersByLanguage: what a word stands for is remembered by language, whatever
// the fields that the request before looked into.
func TestThesaurusRemembersByLanguage(t *testing.T) {
	build := func() *Engine {
		e := newEngine(t, nil)
		create(t, e, "i", Schema{Fields: []Field{
			{Name: "en", Type: Text, Search: true, Language: "en"}, {Name: "de", Type: Text, Search: true, Language: "de"},
		}})
		apply(t, e, puts("i", `{"id":"1","en":"a nice present"}`, `{"id":"2","de":"eine Vergiftung"}`, `{"id":"3","de":"present"}`))
		return e
	}
	in := func(field string) *Request {
		return &Request{Query: "gift ", Fields: []FieldWeight{{Field: field}}}
	}
	want := idsOf(find(t, build(), in("de")))
	e := build()
	find(t, e, in("en"))
	if got := idsOf(find(t, e, in("de"))); got != want {
		t.Errorf("after the same word in English %q, before %q", got, want)
	}
}

// TestThesaurusOfDerivations: what somebody does and what it is called belong together where the stems are
// not the same.
func TestThesaurusOfDerivations(t *testing.T) {
	for _, c := range [][3]string{
		{"de", "beantragen", "Antrag auf Elternzeit"},
		{"de", "sperren", "Sperrung der Karte"},
		{"en", "angling", "Fishing licence"},
		{"en", "shielded", "Screened cable"},
	} {
		e := titled(t, c[0], c[2], "zzz")
		if got := idsOf(find(t, e, &Request{Query: c[1] + " "})); got != "1" {
			t.Errorf("%s: %s found %q, not %q", c[0], c[1], got, c[2])
		}
	}
}
