package engine

import (
	"strings"
	"testing"
)

// TestFinnishGradation: words are found, and marked, in the other grade, at the end of compounds
// too, and typed without their accents; words of other length are not.
func TestFinnishGradation(t *testing.T) {
	e := titled(t, "fi", "Helsingin historia", "Talvisodan syttyminen", "Lakkojen poiminta", "Suden ravinto", "Kengät lapsille", "Mato ja matto")
	for query, want := range map[string]string{
		"Helsinki": "1 <mark>Helsingin</mark> historia", "talvisota": "2 <mark>Talvisodan</mark> syttyminen", "lakka": "3 <mark>Lakkojen</mark> poiminta",
		"sudet": "4 <mark>Suden</mark> ravinto", "kenkä": "5 <mark>Kengät</mark> lapsille", "kenka": "5 <mark>Kengät</mark> lapsille",
		"maton": "6 Mato ja <mark>matto</mark>", "madot": "6 <mark>Mato</mark> ja matto",
	} {
		res := find(t, e, &Request{Query: query, Prefix: PrefixOff, Typo: Typo{Off: true}, Highlight: &HighlightRequest{}})
		var got []string
		for _, h := range res.Hits {
			got = append(got, h.ID+" "+h.Highlight[0].Text)
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%q found %q, want %q", query, got, want)
		}
	}
}
