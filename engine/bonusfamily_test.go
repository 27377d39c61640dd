package engine

import (
	"maps"
	"strings"
	"testing"

	"github.com/quarry-search/quarry/tokenize"
)

func TestFamilyOf(t *testing.T) {
	for _, c := range []struct {
		word, text string
		want       bool
	}{
		{"Krieg", "Kriegsende", true}, {"krieg", "im Weltkrieg", true}, {"Kriege", "am Ende", false}, {"Krieg", "der Sieg", false},
		{"über", "übermorgen", false}, // of four letters
		{"Überfall", "ein überfallener", true}, {"überfall", "Überfälle", true}, {"überfall", "ueberfall", false},
		{"москвичи", "Москвитяне", true}, {"москвы", "Москва", true}, {"москвы", "мост", false}, {"evlerinde", "evlerinden", true},
		{"krieg2", "krieg2", false}, {"", "", false}, {"Krieg", "", false}, {"Krieg", "rieg", false}, {"Krieg", "Krie", false}, {"Krieg", "krie krieg", true},
	} {
		first, rest, ok := familyOf(c.word)
		f := askedFamily{first: first, rest: rest}
		if ok {
			f.rare = rarest(rest)
		}
		if got := ok && f.in([]byte(c.text)); got != c.want {
			t.Errorf("%q in %q: %v", c.word, c.text, got)
		}
	}
}

// TestFamilyBonus: a record that lacks a word gets something for another of its family,
// in languages that make many words of one, and less than for the word itself.
func TestFamilyBonus(t *testing.T) {
	records := []string{"text: Burg am Fluss", "text: Burg im Weltkrieg"}
	of := func(language string, r Request) (ids string, got map[string]float64) {
		r.Match, r.Explain, got = MatchAny, true, map[string]float64{}
		r.Tuning.Compound = -1 // "Weltkrieg" is found by that, and nothing else contends
		for _, h := range find(t, titled(t, language, records...), &r).Hits {
			ids += h.ID
			got[h.ID] = stages(h)[StageFamily]
		}
		return ids, got
	}
	ids, got := of("de", Request{Query: "Kriege Burg "})
	if !(got["2"] > 0 && got["1"] == 0) || strings.Index(ids, "2") > strings.Index(ids, "1") {
		t.Errorf("records %s, bonuses of none of the family, and of one: %v", ids, got)
	}
	records = append(records, "text: Burg im Krieg")
	if ids, _ := of("de", Request{Query: "Kriege Burg "}); !strings.HasPrefix(ids, "3") {
		t.Errorf("records %s: the one with both words is not first", ids)
	}
	records = append(records[:2], "text: Krieg am Fluss", "text: Krieg im Land")
	if _, held := of("de", Request{Query: "Kriege Burg "}); held["2"] <= got["2"] {
		t.Errorf("a word that no record holds gives %v, and one that a record holds %v", got["2"], held["2"])
	}
	records = records[:2]
	for _, r := range []Request{
		{Query: "Kriege Burg ", Tuning: Tuning{Family: -1}}, {Query: "Kriege Burg ", Ranking: RankingBM25}, {Query: `"Kriege" Burg `},
		{Query: "Kriege Burg ", Fields: []FieldWeight{{Field: "title"}}}, {Query: "title:Kriege Burg", Syntax: SyntaxQuery},
	} {
		if _, got := of("de", r); got["2"] != 0 {
			t.Errorf("%+v: %v", r, got)
		}
	}
	for _, language := range []string{"en", "none"} {
		if _, got := of(language, Request{Query: "Krieg Burg "}); got["2"] != 0 {
			t.Errorf("%s: %v", language, got)
		}
	}
}

// TestFamiliesOfSeveralIndexes: records have the same scores in one index and in
// several, though one of these does not hold a word that another holds.
func TestFamiliesOfSeveralIndexes(t *testing.T) {
	e := newEngine(t, nil)
	for _, index := range []string{"all", "a", "b"} {
		create(t, e, index, Schema{Language: "de", Fields: []Field{{Name: "text", Type: Text, Search: true}}})
	}
	in := func(index, id, text string) {
		record := `{"id":"` + id + `","text":"` + text + `"}`
		apply(t, e, puts("all", record))
		apply(t, e, puts(index, record))
	}
	in("a", "1", "Burg im Weltkrieg")
	in("a", "2", "Burg am Fluss")
	in("b", "3", "Krieg am Fluss")
	in("b", "4", "Krieg im Land")
	of := func(indexes ...string) map[string]float64 {
		scores := map[string]float64{}
		for _, h := range find(t, e, &Request{Indexes: indexes, Query: "Kriege Burg ", Match: MatchAny, Semantic: SemanticRequest{Off: true}}).Hits {
			scores[h.ID] = h.Score
		}
		return scores
	}
	if one, several := of("all"), of("a", "b"); !maps.Equal(one, several) {
		t.Errorf("scores in one index: %v, in several: %v", one, several)
	}
}

// TestFamiliesOfSomeFields: in which order fields of several languages stand says nothing,
// and texts of a language without families are not looked through for them.
func TestFamiliesOfSomeFields(t *testing.T) {
	for _, languages := range [][2]string{{"de", "en"}, {"en", "de"}} {
		e := newEngine(t, nil)
		var fields []Field
		for _, language := range languages {
			fields = append(fields, Field{Name: language, Type: Text, Search: true, Language: language})
		}
		create(t, e, "i", Schema{Fields: fields})
		apply(t, e, puts("i", `{"id":"1","de":"Burg im Weltkrieg"}`, `{"id":"2","en":"Burg im Weltkrieg"}`, `{"id":"3","en":"Burg \u006dit \"Kriegen\""}`, `{"id":"4","de":"Krieg"}`))
		for _, h := range find(t, e, &Request{Query: "Krieg Burg ", Match: MatchAny, Explain: true, Tuning: Tuning{Compound: -1}}).Hits {
			if got := stages(h)[StageFamily] > 0; got != (h.ID == "1") {
				t.Errorf("languages %v: record %s: %v", languages, h.ID, got)
			}
		}
	}
}

// TestContend: families are looked for in records that may come first by them, and in
// none if there is only one.
func TestContend(t *testing.T) {
	run := &searchRun{bonus: &bonuses{reach: 20}}
	for _, c := range []struct {
		scores []uint64
		near   int
	}{
		{nil, 0}, {[]uint64{50}, 0}, {[]uint64{50, 39}, 0}, {[]uint64{50, 40}, 2}, {[]uint64{50, 50, 45, 39, 1}, 3},
	} {
		var best []found
		for _, s := range c.scores {
			f := found{run: run}
			f.hit.Score = s
			best = append(best, f)
		}
		contend(best)
		for i := range best {
			if best[i].near != (i < c.near) {
				t.Errorf("scores %v: record %d: %v", c.scores, i, best[i].near)
			}
		}
	}
}

// TestFamiliesOfLanguages: they are looked for in languages, not in texts without stems.
func TestFamiliesOfLanguages(t *testing.T) {
	for language, want := range map[string]bool{"de": true, "ru": true, "tr": true, "en": false, "es": false, "ja": false, "": false} {
		for _, noStem := range []bool{false, true} {
			a, err := tokenize.New(tokenize.Options{Language: language, NoStem: noStem})
			if err != nil {
				t.Fatal(err)
			}
			if a.Families() != (want && !noStem) {
				t.Errorf("%q, without stems %v: %v", language, noStem, a.Families())
			}
		}
	}
}
