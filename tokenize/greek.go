package tokenize

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// Greek has a light stemmer of its own. The algorithm of Snowball (G. Ntais, Development of a
// Stemmer for the Greek Language, 2006) takes off what words are derived by, too, so that it
// brings words of different meaning together; this one knows little but inflection, which is in any
// grammar, as in D. Holton and others, Greek: A Comprehensive Grammar of the Modern Language, 1997.
//
// It sees folded words: without accents, and with σ at the end. One ending is taken off, the
// longest that leaves enough, but:
//
//   - neuters in -μα keep their α, which tells γράμμα from γραμμή,
//   - words in -ον and -οντας lose what is behind -ον,
//   - the present and the passive past are spelt as the active past and the noun of the verb are: ιδρύθηκε,
//     ίδρυσε, ίδρυση; σχεδιάζει, σχεδίασε.
//
// An ι before the ending stays, as it does at the end of παιδί, παιδιού, so that χωριό is not χώρος; an υ
// becomes one: βαθύς, βαθιά.

const (
	leastGreek     = 2 // letters that are left of nouns and adjectives: ώρα
	leastGreekVerb = 3 // and of verbs
	leastGreekNoun = 4 // and before the -ησ- of nouns: ποίηση is not ποιος
)

// greekRows are words that look like forms of others, or have two stems. The first of a row
// is the stem of all.
const greekRows = `
	χωρα χωρασ χωρεσ, πολη πολησ πολεισ πολεων πολεωσ, νικη νικησ νικεσ, μερα μερασ μερεσ,
	τομη τομησ τομεσ, κοπη κοπησ, νομη νομησ νομεσ, φωσ φωτοσ φωτα φωτων, κρεασ κρεατοσ κρεατα κρεατων,
	τερασ τερατοσ τερατα τερατων, περασ περατοσ περατα, γαλα γαλακτοσ γαλατα γαλατοσ γαλατων, καθεστωσ καθεστωτοσ καθεστωτα καθεστωτων,
	γεγονοσ γεγονοτοσ γεγονοτα γεγονοτων, ερωτηση ερωτησησ ερωτησεισ ερωτησεων,
	ατομο ατομου ατομα ατομων, ελλαδα ελλαδασ ελλαδοσ, βασιλιασ βασιλια βασιλιαδεσ βασιλιαδων,
	μπαμπασ μπαμπα μπαμπαδεσ, πολυσ πολυ πολλοι πολλη πολλεσ πολλα πολλων πολλουσ,
	ζωο ζωου ζωα ζωων, ζωη ζωησ ζωεσ, θεα θεασ θεεσ, ναοσ ναου ναοι ναων ναουσ, γιοσ γιου γιοι γιουσ γιων, ποτο ποτου ποτα ποτων,
	παρεα παρεασ παρεεσ, ρολοι ρολογια ρολογιου ρολογιων, φυλακη φυλακησ, σταθμη σταθμησ, οροφη οροφησ οροφεσ, μεση μεσησ,
	ευρω, μενου, αποψε, δωρεα δωρεασ δωρεεσ δωρεων, φορα φορεσ, φορεασ φορεα φορεισ φορεων, αυγη αυγησ αυγεσ, βια βιασ,
	κρατοσ κρατουσ κρατη κρατων`

// greekVerbRows are verbs by the stems of their present and their past, which no rule makes of one another.
const greekVerbRows = "γραφ γραψ, παιζ παιξ, ανοιγ ανοιξ, κλειν κλεισ"

var greekForms = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for row := range strings.SplitSeq(greekRows, ",") {
		words := strings.Fields(row)
		for _, w := range words {
			m[w] = words[0]
		}
	}
	for row := range strings.SplitSeq(greekVerbRows, ", ") {
		present, past, _ := strings.Cut(row, " ")
		for _, end := range [...]string{"ω", "εισ", "ει", "ουμε", "ετε", "ουν", "ουνε", "ε", "αμε", "ατε"} {
			m[past+end] = present
		}
		if !strings.HasPrefix(past, "α") {
			past = "ε" + past
		}
		for _, end := range [...]string{"α", "εσ", "ε", "αν"} {
			m[past+end] = present
		}
	}
	return m
})

// greekEnding is an ending and how many letters it leaves at least.
type greekEnding struct {
	end   string
	least int
}

// greekPlurals are of the nouns that have a syllable more in the plural: παππούδες, καφέδες.
var greekPlurals = [...]greekEnding{{"ουδεσ", 3}, {"ουδων", 3}, {"εδεσ", 3}, {"τζηδεσ", 2}, {"τζησ", 2}}

// greekVerbs are endings that hardly any noun has, longer ones first; -αν counts behind the σ of pasts alone.
var greekVerbs = [...]string{
	"ουμαστε", "ομαστε", "ουνται", "ουνταν", "ησουμε", "ησαμε", "ησατε", "ησετε", "ησουν", "ησαν", "ησει", "ησα", "ησε", "ησω",
	"ονται", "ονταν", "ιεται", "ειται", "ουσαν", "ουμαι", "ουμε", "ουνε", "ομαι", "εσαι", "εται", "οταν", "αται", "ουσε", "ειτε",
	"ετε", "ατε", "αμε", "ανε", "αει", "ουν", "αω", "αν", "ει", "ω",
}

// greekNouns are the endings of nouns and adjectives, longer ones first, some of verbs among them.
var greekNouns = [...]greekEnding{
	{"εουσ", 3}, {"εων", 3}, {"εασ", 3}, {"εεσ", 3}, {"εωσ", 2}, {"εισ", 2}, {"ουσ", 2}, {"εα", 3}, {"ου", 2}, {"οσ", 2},
	{"οι", 2}, {"ων", 2}, {"ωσ", 3}, {"ησ", 2}, {"εσ", 2}, {"ασ", 2}, {"α", 2}, {"η", 2}, {"ο", 2}, {"ε", 3},
}

// greekStem returns the stem of a folded word.
func greekStem(word string) string {
	if stem, ok := greekForms()[word]; ok {
		return stem
	}
	for _, find := range [...]func(string) (string, bool){greekNeuter, greekPast} {
		if stem, ok := find(word); ok {
			return greekLast(stem)
		}
	}
	for _, e := range greekPlurals {
		if rest, ok := cutGreek(word, e.end, e.least); ok {
			return rest
		}
	}
	for _, end := range greekVerbs {
		if rest, ok := cutGreek(word, end, leastGreekVerb); ok && (end != "αν" || endsInAny(rest, "σ", "ξ", "ψ")) {
			return greekLast(greekPresent(rest, true))
		}
	}
	for _, e := range greekNouns {
		if rest, ok := cutGreek(word, e.end, e.least); ok {
			return greekLast(greekPresent(withoutGreekDegree(rest), false))
		}
	}
	if rest, ok := strings.CutSuffix(word, "σ"); ok && strings.HasSuffix(rest, "υ") {
		word = rest // βαθύς
	}
	return greekLast(word)
}

// cutGreek takes an ending off that leaves at least some letters, a vowel among them.
func cutGreek(word, end string, least int) (rest string, ok bool) {
	rest, ok = strings.CutSuffix(word, end)
	return rest, ok && utf8.RuneCountInString(rest) >= least && strings.ContainsAny(rest, "αεηιουω")
}

// greekNeuter returns the stem of neuters in -μα and -ον, and of masculines in -οντας. In -μα are many
// adjectives, too, above all those in -ιμος.
func greekNeuter(word string) (stem string, ok bool) {
	for _, end := range [...]string{"τα", "τοσ", "των", "τασ", "τεσ"} {
		rest, ok := strings.CutSuffix(word, end)
		if !ok {
			continue
		}
		if _, ok := cutGreek(rest, "ον", 3); ok {
			return rest, true
		}
		if _, ok := cutGreek(rest, "μα", 1); ok && end != "τασ" && end != "τεσ" && !strings.HasSuffix(rest, "αυτομα") {
			return rest, true
		}
	}
	if !strings.HasSuffix(word, "μα") {
		return "", false
	}
	if _, adjective := cutGreek(word, "ιμα", 3); adjective {
		return "", false
	}
	for _, end := range [...]string{"ωνυμα", "νομα", "σημα", "θυμα", "δυμα", "δυναμα", "ερημα"} { // αυτόνομα, but όνομα
		if rest, ok := strings.CutSuffix(word, end); ok && utf8.RuneCountInString(rest) > 1 {
			return "", false
		}
	}
	return word, true
}

// greekPast spells passive pasts, and what follows "will" and "to", as the noun of the verb is: ανακαλύφθηκε and
// ανακαλυφθεί as ανακάλυψη, κατασκευάστηκε as κατασκεύασε.
func greekPast(word string) (stem string, ok bool) {
	for _, end := range [...]string{"ηκαμε", "ηκατε", "ηκαν", "ηκα", "ηκε", "ουν", "ει"} {
		rest, found := strings.CutSuffix(word, end)
		if !found {
			continue
		}
		past := end[:len("η")] == "η"
		base, theta := strings.CutSuffix(rest, "θ")
		if !theta {
			if base, found = strings.CutSuffix(rest, "τ"); !found || !endsInAny(base, "ασ", "ισ", "χ", "φ") {
				continue
			}
		}
		if utf8.RuneCountInString(base) < leastGreekVerb {
			continue
		}
		switch {
		case strings.HasSuffix(base, "χ"):
			return strings.TrimSuffix(base, "χ") + "ξ", true
		case strings.HasSuffix(base, "φ"):
			return strings.TrimSuffix(base, "φ") + "ψ", true
		case strings.HasSuffix(base, "σ"):
		case past, endsInAny(base, "η", "ω", "υ") && !endsInAny(base, "ου", "βοη", "προω"): // βοηθεί and ακολουθεί are of the present
			base += "σ"
		default:
			continue
		}
		return withoutGreekDegree(base), true
	}
	return "", false
}

// greekPresent spells the end of the present of verbs as it is in the past and in the noun: κατασκευάζει,
// κατασκεύασε; ανακοινώνει, ανακοίνωση; εκπαιδεύει, εκπαίδευση.
func greekPresent(stem string, verb bool) string {
	for _, c := range [...]struct {
		present, past string
		verb          bool // behind endings of verbs alone: αιώνας
	}{{"αζ", "ασ", false}, {"ιζ", "ισ", false}, {"ων", "ωσ", true}, {"ευ", "ευσ", true}} {
		if rest, ok := cutGreek(stem, c.present, leastGreekVerb); ok && (verb || !c.verb) {
			return rest + c.past
		}
	}
	return stem
}

// withoutGreekDegree takes the ends of comparatives off a stem, and the -ησ- of nouns that are made of
// verbs.
func withoutGreekDegree(stem string) string {
	for _, end := range [...]string{"οτερ", "υτερ", "οτατ"} {
		if rest, ok := cutGreek(stem, end, leastGreekVerb); ok {
			return rest
		}
	}
	if rest, ok := cutGreek(stem, "ησ", leastGreekNoun); ok {
		return rest
	}
	return stem
}

// greekLast makes an ι of an υ at the end: βαθύς, βαθιά, and βράδυ, βράδια.
func greekLast(stem string) string {
	if rest, ok := cutGreek(stem, "υ", 2); ok && !endsInAny(rest, "ο", "α", "ε") {
		return rest + "ι"
	}
	return stem
}
