package tokenize

import (
	"strings"
)

// There is no Snowball algorithm for Polish that the others come with. What is here is a light
// stemmer, made of what any grammar says of inflection, as in A. Nagórko, Zarys gramatyki
// polskiej, 2007. It has four steps:
//
//   - words whose stem changes as those of no class do are looked up (polishtypes.go),
//   - the ending of the case, the person or the tense is taken off (polishends.go),
//   - the consonant before it gets the form that it has before other endings: mieście is of
//     miasto, książce of książka (polishsoft.go),
//   - an e that is there only where no ending is, is dropped from all forms: książek, palec.
//
// It sees diacritics, since they tell endings apart that change what is before them: ulicę is of
// ulica, and książce of książka; płacić is a verb, and pałac none. But it does not depend on them
// where it need not; terms are without them. A form that is
// left apart is missed in some searches only, two words that are taken for one disturb each
// search for either; so what may be the end of a word itself is left.
//
// Measured on words that the rules were not made by (testdata/forms/pl-more.txt): of 410 forms 95 of 100
// had the stem of their base form, before the rules learned of the rest. Of 1,824 everyday words and base forms some ninety have the stem of another,
// most of which are made of each other, as śpiew and śpiewać. What stays apart: verbs in the first person whose
// consonant changes (płacę, proszę), those whose stem does (kazać, każe), -ch before an e (musze), participles in
// -ący, comparatives that are not in a table (polishtypes.go).

// polishStem returns the stem of a word in lower case. Words with letters that no Polish word has
// are their own.
func polishStem(word string) string {
	if !polishLetters(word) {
		return word
	}
	if stem, ok := polishForms()[word]; ok {
		return stem
	}
	stem, end := cutPolish(word)
	switch end {
	case softening:
		stem = hardPolish(stem)
	case personal:
		stem = personalPolish(stem)
	case tense:
		stem = imperfective(stem)
	}
	stem = participle(stem)
	stem = withoutPolishE(withoutSoftness(stem), end == none)
	if adjective, ok := polishComparatives[strings.TrimPrefix(stem, "naj")]; ok {
		return adjective
	}
	return stem
}

// polishLetters tells whether a word is of three Polish letters or more, and of q, v and x, which
// words have that Polish has borrowed.
func polishLetters(word string) bool {
	n := 0
	for _, r := range word {
		if n++; (r < 'a' || r > 'z') && !strings.ContainsRune("ąćęłńóśźż", r) {
			return false
		}
	}
	return n > 2
}

const polishVowelLetters = "aeiouyóąę"

// hasPolishVowel tells whether there is a vowel in a word.
func hasPolishVowel(word string) bool { return strings.ContainsAny(word, polishVowelLetters) }

// withoutSoftness drops the i that only tells that the consonant before it is soft: koni(a). It
// is kept behind d, t and r, where it is of borrowed words, as radi(o), and behind c, since ci and c
// are of different words: płaci(ć), plac. An ć is ci, too: kość, kości. Behind a vowel i is j: poko(i).
func withoutSoftness(stem string) string {
	if rest, ok := strings.CutSuffix(stem, "ć"); ok {
		return rest + "ci"
	}
	rest, ok := strings.CutSuffix(stem, "i")
	if !ok || len(rest) < 2 {
		return stem
	}
	switch rest[len(rest)-1] {
	case 'd', 't', 'r', 'c':
		return stem
	case 'i':
		return withoutSoftness(rest)
	}
	if endsInLetter(rest, polishVowelLetters) {
		return rest + "j"
	}
	return rest
}

// withoutPolishE drops the last e of a stem before the consonants before which it comes and
// goes, and the i that goes with it. It does so in all forms, those of words that keep it, too: apteka is aptk, since
// aptek tells no more than książek whether there is one in książka. Before n it is dropped where there
// was no ending (bare), since it is in many verbal nouns and names of substances.
func withoutPolishE(stem string, bare bool) string {
	for _, end := range [...]string{"k", "c", "ł"} {
		rest, ok := strings.CutSuffix(stem, "e"+end)
		if !ok || endsInLetter(strings.TrimSuffix(rest, "i"), polishVowelLetters) {
			continue
		}
		rest = strings.TrimSuffix(rest, "i")
		if !hasPolishVowel(rest) {
			return stem
		}
		if end == "c" && strings.HasSuffix(rest, "rz") {
			rest = rest[:len(rest)-1] // dworzec, dworca
		}
		return rest + end
	}
	if !bare {
		return stem
	}
	for _, end := range [...]string{"kien", "gien", "mien", "jen"} {
		if rest, ok := strings.CutSuffix(stem, end); ok && hasPolishVowel(rest) {
			return rest + end[:1] + "n" // okien, bagien, trumien, wojen
		}
	}
	return stem
}
