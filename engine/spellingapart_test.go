package engine

import "testing"

// TestWordsAreTakenApart: where nothing is like a word, it is two of the language that records hold,
// even apart, or that the thesaurus knows together.
func TestWordsAreTakenApart(t *testing.T) {
	e := titled(t, "en", "Barista oat drink", "Semi-skimmed milk", "Fire station with fire engine", "Fireman's helmet", "Hat", "Helmet of a pilot")
	for _, c := range []struct{ query, ids, text string }{
		{"oatmilk", "1 2", "oat milk"},
		{"firetruck", "3", "fire truck"},
		{"fire fighter helmet", "4", "fire fighter helmet"},
		{"firefighter helmet", "4", "firefighter helmet"},
		{"+oatmilk", "", "+oatmilk"},
		{"petanque", "", "petanque"},
		{"xqzoatw", "", "xqzoatw"},
		{"thehat", "", "thehat"},
	} {
		res := find(t, e, &Request{Query: c.query, Prefix: PrefixOff})
		got := idsOf(res)
		if len(got) > len(c.ids) {
			got = got[:len(c.ids)]
		}
		if got != c.ids || res.Query.Text != c.text {
			t.Errorf("%q: %q as %q by %v and %v, want %q", c.query, idsOf(res), res.Query.Text, res.Query.Corrections, res.Query.Thesaurus, c.ids)
		}
	}
}
