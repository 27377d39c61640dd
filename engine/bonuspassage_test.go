package engine

import (
	"strings"
	"testing"
)

func TestPassageBonus(t *testing.T) {
	far := strings.Repeat(" word", passageLength)
	e := titled(t, "en",
		"text: A bridge of steel over a river",
		"text: A river, and with some words between a bridge, which is of steel",
		"text: A bridge of steel"+far+" over a river",
		"text: A bridge"+far+" of steel"+far+" over a river",
	)
	alone := Tuning{Title: -1, Proximity: -1, Compound: -1}
	got := map[string]float64{}
	for _, h := range find(t, e, &Request{Query: "steel bridges river ", Match: MatchAny, Explain: true, Tuning: alone}).Hits {
		got[h.ID] = stages(h)[StagePassage]
		for _, p := range h.Explain.Parts {
			if p.Stage == StagePassage && p.Field != "text" {
				t.Errorf("record %s: a passage of the field %q", h.ID, p.Field)
			}
		}
	}
	if !(got["1"] > 0 && got["1"] == got["2"] && got["2"] > got["3"] && got["3"] > 0 && got["4"] == 0) {
		t.Errorf("bonuses of three words side by side, in one passage, of two in one, of one, which is too little: %v", got)
	}
	for _, c := range []struct {
		query  string
		tuning Tuning
	}{
		{"steel bridges river ", Tuning{Passage: -1}}, {"steel river ", alone}, {"the river of steel ", alone},
	} {
		for _, h := range find(t, e, &Request{Query: c.query, Match: MatchAny, Explain: true, Tuning: c.tuning}).Hits {
			if s := stages(h)[StagePassage]; s > 0 {
				t.Errorf("%q: record %s: a bonus of %v", c.query, h.ID, s)
			}
		}
	}
}

// TestPassagesStayInAField: words of two fields are in no passage.
func TestPassagesStayInAField(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "i", Schema{Language: "en", Fields: []Field{{Name: "a", Type: Text, Search: true}, {Name: "b", Type: Text, Search: true}}})
	apply(t, e, puts("i", `{"id":"1","a":"steel bridge","b":"river"}`, `{"id":"2","a":"steel bridge river"}`))
	got := map[string]float64{}
	for _, h := range find(t, e, &Request{Query: "steel bridge river ", Explain: true}).Hits {
		got[h.ID] = stages(h)[StagePassage]
	}
	if !(got["2"] > got["1"] && got["1"] > 0) {
		t.Errorf("bonuses of two fields and of one: %v", got)
	}
	for _, h := range find(t, e, &Request{Query: "steel bridge river ", Match: MatchAny, Explain: true, Fields: []FieldWeight{{Field: "b"}}}).Hits {
		if s := stages(h)[StagePassage]; h.ID != "1" || s != 0 {
			t.Errorf("record %s: a bonus of %v in the field b, which has one word of three", h.ID, s)
		}
	}
}

// TestPassagesOfPairs: text without spaces gets more, for its pairs get nothing
// for standing together.
func TestPassagesOfPairs(t *testing.T) {
	e := titled(t, "none", "text: 東京都の人口", "text: 東京都の"+strings.Repeat("。あ", passageCharacters)+"人口")
	got := map[string]float64{}
	for _, h := range find(t, e, &Request{Query: "東京都の人口", Match: MatchAny, Explain: true}).Hits {
		got[h.ID] = stages(h)[StagePassage]
	}
	if !(got["1"] > got["2"] && got["2"] > 0) {
		t.Errorf("bonuses of one passage and of two: %v", got)
	}
}
