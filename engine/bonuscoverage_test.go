package engine

import "testing"

func TestCoverageBonus(t *testing.T) {
	e := titled(t, "en",
		"text: wool coat", "text: wool wool wool wool", "text: coat coat coat", "text: a coat, and much more than wool", "text: overcoats of wool",
	)
	alone := Tuning{Title: -1, Proximity: -1, Compound: -1}
	got := map[string]float64{}
	for _, h := range find(t, e, &Request{Query: "wool coats ", Match: MatchAny, Explain: true, Tuning: alone}).Hits {
		got[h.ID] = stages(h)[StageCoverage]
	}
	if !(got["1"] > got["3"] && got["1"] > got["2"] && got["1"] == got["4"] && got["2"] > 0 && got["3"] > got["2"] && got["5"] == got["2"]) {
		t.Errorf("bonuses of both words, near and apart, and of one: %v", got)
	}
	for _, c := range []struct {
		query  string
		tuning Tuning
	}{
		{"wool coats ", Tuning{Coverage: -1}}, {"wool coats overcoat ", alone}, {"coats ", alone}, {"coats coat ", alone}, {"the coats ", alone},
	} {
		for _, h := range find(t, e, &Request{Query: c.query, Match: MatchAny, Explain: true, Tuning: c.tuning}).Hits {
			if s := stages(h)[StageCoverage]; s > 0 {
				t.Errorf("%q: record %s: a bonus of %v", c.query, h.ID, s)
			}
		}
	}
}

// TestCoverageOfWhatStandsForWords: "headset" is both words of "head set", and a
// synonym is the word that it stands for.
func TestCoverageOfWhatStandsForWords(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "i", Schema{Language: "en", Fields: []Field{{Name: "text", Type: Text, Search: true}}, Synonyms: []Synonym{{Words: []string{"sofa", "couch"}}}})
	apply(t, e, puts("i", `{"id":"1","text":"headset"}`, `{"id":"2","text":"head set"}`, `{"id":"3","text":"head"}`,
		`{"id":"4","text":"red sofa"}`, `{"id":"5","text":"red couch"}`, `{"id":"6","text":"red"}`))
	for _, c := range []struct{ query, same, less string }{{"head set ", "12", "3"}, {"red couch ", "45", "6"}} {
		got := map[string]float64{}
		for _, h := range find(t, e, &Request{Query: c.query, Match: MatchAny, Explain: true}).Hits {
			got[h.ID] = stages(h)[StageCoverage]
		}
		if a, b := got[c.same[:1]], got[c.same[1:]]; a != b || a <= got[c.less] || got[c.less] == 0 {
			t.Errorf("%q: bonuses of both words, of what stands for them, and of one: %v", c.query, got)
		}
	}
}
