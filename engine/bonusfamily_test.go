package engine

import (
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
	records := []string{"text: Burg im Krieg", "text: Burg im Weltkrieg", "text: Burg am Fluss"}
	of := func(language string, r Request) map[string]float64 {
		got := map[string]float64{}
		r.Match, r.Explain = MatchAny, true
		for _, h := range find(t, titled(t, language, records...), &r).Hits {
			got[h.ID] = stages(h)[StageFamily]
		}
		return got
	}
	if got := of("de", Request{Query: "Kriege Burg "}); !(got["2"] > 0 && got["1"] == 0 && got["3"] == 0) {
		t.Errorf("bonuses of a word, of one of its family, of none: %v", got)
	}
	hits := find(t, titled(t, "de", records...), &Request{Query: "Kriege Burg ", Match: MatchAny}).Hits
	if len(hits) != 3 || hits[0].ID != "1" || hits[1].ID != "2" {
		t.Errorf("hits: %v", hits)
	}
	for _, r := range []Request{
		{Query: "Kriege Burg ", Tuning: Tuning{Family: -1}}, {Query: "Kriege Burg ", Ranking: RankingBM25}, {Query: `"Kriege" Burg `},
		{Query: "Kriege Burg ", Fields: []FieldWeight{{Field: "title"}}},
	} {
		if got := of("de", r); got["2"] != 0 {
			t.Errorf("%+v: %v", r, got)
		}
	}
	for _, language := range []string{"en", "none"} {
		if got := of(language, Request{Query: "Krieg Burg "}); got["2"] != 0 {
			t.Errorf("%s: %v", language, got)
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
