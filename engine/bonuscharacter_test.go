package engine

import (
	"fmt"
	"strings"
	"testing"
)

func TestCharacterBonus(t *testing.T) {
	e := titled(t, "none", "text: 首都は東京", "text: 東京は都市", "text: 東京は町", "text: 首都")
	got := map[string]float64{}
	for _, h := range find(t, e, &Request{Query: "東京の首都", Match: MatchAny, Explain: true}).Hits {
		got[h.ID] = stages(h)[StageCharacter]
	}
	if !(got["1"] > got["2"] && got["2"] > got["3"] && got["3"] > 0 && got["4"] > 0) {
		t.Errorf("bonuses of all characters, of all but one, and of those of one word: %v", got)
	}
	for _, r := range []Request{
		{Query: "東京の首都", Tuning: Tuning{Character: -1}},
		{Query: `"東京の首都"`}, {Query: "何が"}, {Query: "東"}, {Query: "東京の首都", Ranking: RankingBM25},
	} {
		r.Match, r.Explain = MatchAny, true
		for _, h := range find(t, e, &r).Hits {
			if s := stages(h); s[StageCharacter] > 0 {
				t.Errorf("%q: record %s: a bonus of %v", r.Query, h.ID, s[StageCharacter])
			}
		}
	}
}

// TestCharactersNearBy: characters of a query count together where a text has them near
// by. What a short text says, a title, holds for all of the record.
func TestCharactersNearBy(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "i", Schema{Language: "none", Fields: []Field{{Name: "title", Type: Text, Search: true}, {Name: "text", Type: Text, Search: true}}})
	far := strings.Repeat("です。", 2*characterBlock)
	apply(t, e, puts("i",
		`{"id":"1","text":"東京は首都で、`+far+`大川、カナダ"}`,
		`{"id":"2","text":"東京は首、`+far+`都、大川、カナダ"}`,
		`{"id":"3","title":"都","text":"東京は首、`+far+`大川、カナダ"}`,
	))
	got := map[string]float64{}
	for _, h := range find(t, e, &Request{Query: "東京の首都", Match: MatchAny, Explain: true}).Hits {
		got[h.ID] = stages(h)[StageCharacter]
	}
	if !(got["2"] > 0 && got["1"] > got["2"] && got["1"] == got["3"]) {
		t.Errorf("bonuses of all characters near by, of one far off, of one in the title: %v", got)
	}
	// What one search kept of long texts is not there for the next, which looks for no
	// characters but reads records, too.
	for _, h := range find(t, e, &Request{Query: "カナダはいつ", Match: MatchAny, Explain: true}).Hits {
		if s := stages(h); s[StageCharacter] > 0 {
			t.Errorf("record %s: %v", h.ID, s)
		}
	}
}

// TestCharactersOfManyTexts: they are looked for in all text fields that the
// request looks into, in arrays and in records that are only in parts of the
// index, and for as many characters of the query as are looked for.
func TestCharactersOfManyTexts(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "i", Schema{Language: "none", Fields: []Field{
		{Name: "title", Type: Text, Search: true}, {Name: "notes", Type: Text, Search: true}, {Name: "kind", Type: Keyword, Filter: true},
	}})
	apply(t, e, puts("i", `{"id":"1","title":"東京","notes":["犬","都市"],"kind":"首"}`, `{"id":"2","title":"東京","kind":"首都"}`))
	apply(t, e, puts("i", `{"id":"3","title":"東京","notes":["首"]}`))
	of := func(fields ...FieldWeight) map[string]float64 {
		got := map[string]float64{}
		for _, h := range find(t, e, &Request{Query: "東京首都", Match: MatchAny, Explain: true, Fields: fields}).Hits {
			got[h.ID] = stages(h)[StageCharacter]
		}
		return got
	}
	if got := of(); !(got["1"] > got["2"] && got["3"] > got["2"] && got["2"] > 0) {
		t.Errorf("bonuses of three characters, of two, of three in an array: %v", got)
	}
	if got := of(FieldWeight{Field: "title"}); !(got["1"] == got["2"] && got["2"] == got["3"] && got["3"] > 0) {
		t.Errorf("bonuses of the same two characters in the field: %v", got)
	}
	var long strings.Builder
	for i := range 200 {
		long.WriteRune(rune(0x4E00 + 7*i))
	}
	apply(t, e, puts("i", fmt.Sprintf(`{"id":"4","title":%q}`, long.String())))
	if h := find(t, e, &Request{Query: long.String(), Explain: true}).Hits; len(h) == 0 || stages(h[0])[StageCharacter] == 0 {
		t.Errorf("a long query: no bonus in %v", h)
	}
}

// TestMixedPairs: the pair of a word's end and the particle behind it counts
// less than the word.
func TestMixedPairs(t *testing.T) {
	e := titled(t, "none", "text: 首都は", "text: ほかの都は")
	weight := map[string]float64{}
	for _, h := range find(t, e, &Request{Query: "首都は", Match: MatchAny, Explain: true}).Hits {
		for _, p := range h.Explain.Parts {
			if p.Stage == "" {
				weight[p.Term] = p.Penalty
			}
		}
	}
	if weight["首都"] != 1 || weight["都は"] != mixedPairWeight {
		t.Errorf("factors of pairs: %v", weight)
	}
}
