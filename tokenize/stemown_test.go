package tokenize

import (
	"strings"
	"testing"
)

// TestGreekStems: words that look like forms of others are not, and verbs share the stem of the
// noun that is made of them.
func TestGreekStems(t *testing.T) {
	for pair := range strings.SplitSeq("γραμμα γραμμη, χωρα χωρος, χωριο χωρος, πολη πολος, νικη νικος, τραπεζι τραπεζα, εβδομαδα εβδομος, ζωο ζωη, "+
		"ναος να, θεα θεος, παιδι παιδες, ποτο ποτε, ερωτηση ερωτας, ποιηση ποιος, αυτοματα αυτοματο, φυλακη φυλακας, αιωνας αιωνιος", ", ") {
		x, y, _ := strings.Cut(strings.ReplaceAll(pair, "ς", "σ"), " ")
		if same := greekStem(x) == greekStem(y); same != (x == "αυτοματα") {
			t.Errorf("%s and %s are %s and %s", x, y, greekStem(x), greekStem(y))
		}
	}
	a := mustNew(t, Options{Language: "el"})
	for family := range strings.SplitSeq("γέννηση γεννήθηκε γεννήθηκαν γεννηθεί, ίδρυση ίδρυσε ιδρύθηκε, ανακάλυψη ανακάλυψε ανακαλύφθηκε ανακαλυφθεί, "+
		"ανάπτυξη ανέπτυξε αναπτύχθηκε, σχεδιάζει σχεδίασε σχεδιάστηκε, ανακοίνωση ανακοινώνει ανακοινώθηκε, μεγάλος μεγαλύτερος μεγαλύτερη, χρήσιμος χρήσιμα", ", ") {
		words := strings.Fields(family)
		for _, w := range words[1:] {
			got, want := terms(a.Analyze(w)), terms(a.Analyze(words[0]))
			if (got == want) == (w == "ανέπτυξε") { // the augment is left
				t.Errorf("%s is %s, and %s %s", w, got, words[0], want)
			}
		}
	}
}

// TestHindiStems: words that look like forms of others are not; what is spelt in several ways is one.
func TestHindiStems(t *testing.T) {
	a := mustNew(t, Options{Language: "hi"})
	for pair := range strings.SplitSeq("हाथी हाथ, कमरा कमर, काला काल, पानी पान, चाँदी चाँद, माला माल, वर्षा वर्ष, व्यक्ति व्यक्त, चीनी चीन, "+
		"लड़की लड़का, बेटी बेटा, भेड़िया भेड़, पति पता, गलती गला, महीना मही, दादी दादा, जन्म जंम, संयोग सन्योग, "+
		"रेड रेडियो, किलो किला, चर्च चर्चा, पक्ष पक्षी, जल जला, पाप पापा, क्षमता क्षमा, चार चारा, पान पाना, जीन जीना, घाट घाटी, घाट घाटा, घाटी घाटा, सूचना सूची, वक्त वक्ता, सबक सबका, मना मनाना, खाना खाता", ", ") {
		if got := a.Analyze(pair); len(got) != 2 || string(got[0].Term) == string(got[1].Term) {
			t.Errorf("%s are %s", pair, terms(got))
		}
	}
	for pair := range strings.SplitSeq("मन्दिर मंदिर, हिन्दी हिंदी, सम्पर्क संपर्क, पञ्जाब पंजाब, गङ्गा गंगा, ठण्डा ठंडा, चाँद चांद, फ़ोन फोन, रुपए रुपये, वस्तुएँ वस्तुएं", ", ") {
		if got := a.Analyze(pair); len(got) != 2 || string(got[0].Term) != string(got[1].Term) {
			t.Errorf("%s are %s", pair, terms(got))
		}
	}
}
