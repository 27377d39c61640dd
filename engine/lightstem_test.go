package engine

import (
	"strings"
	"testing"
)

// TestGreekAndHindiForms: words are found, and marked, in other forms and spellings; words that only begin
// alike are not.
func TestGreekAndHindiForms(t *testing.T) {
	for language, c := range map[string]struct {
		titles  []string
		queries map[string]string
	}{
		"el": {
			[]string{"Ελιές Καλαμών", "Τροφή για γάτες", "Τα προβλήματα της χώρας", "Ιδρύθηκε το 1837", "Χώροι στάθμευσης", "Τράπεζες"},
			map[string]string{
				"ελιά": "1 <mark>Ελιές</mark> Καλαμών", "τροφές γατών": "2 <mark>Τροφή</mark> για <mark>γάτες</mark>", "ΠΡΟΒΛΗΜΑ": "3 Τα <mark>προβλήματα</mark> της χώρας",
				"ίδρυση": "4 <mark>Ιδρύθηκε</mark> το 1837", "χωρος": "5 <mark>Χώροι</mark> στάθμευσης", "τραπέζι": "",
			},
		},
		"hi": {
			[]string{"मच्छरों से बचाव", "जंगल के हाथियों का झुंड", "प्राचीन मन्दिर", "सफेद फ़ोन", "हाथ धोना", "लड़कियों के जूते"},
			map[string]string{
				"मच्छर": "1 <mark>मच्छरों</mark> से बचाव", "हाथी": "2 जंगल के <mark>हाथियों</mark> का झुंड", "मंदिरों": "3 प्राचीन <mark>मन्दिर</mark>",
				"फोन": "4 सफेद <mark>फ़ोन</mark>", "हाथों": "5 <mark>हाथ</mark> धोना", "लड़का": "",
			},
		},
	} {
		e := titled(t, language, c.titles...)
		for query, want := range c.queries {
			res := find(t, e, &Request{Query: query, Prefix: PrefixOff, Typo: Typo{Off: true}, Highlight: &HighlightRequest{}})
			var got []string
			for _, h := range res.Hits {
				got = append(got, h.ID+" "+h.Highlight[0].Text)
			}
			if strings.Join(got, ", ") != want {
				t.Errorf("%s: %q found %q, want %q", language, query, got, want)
			}
		}
	}
}
