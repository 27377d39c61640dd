package tokenize

import "strings"

// dutchBase spells plurals that change a vowel or more as the singular.
func dutchBase(word string) string {
	switch word {
	case "kinderen":
		return "kind"
	case "eieren":
		return "ei"
	case "steden":
		return "stad"
	case "schepen":
		return "schip"
	case "leden":
		return "lid"
	case "ogen":
		return "oog"
	case "oren":
		return "oor"
	case "koeien":
		return "koe"
	}
	return word
}

// dutchStem spells stems of plurals as those of the singular: laarzen, laars; brieven,
// brief; mannen, man. A vowel and -s in a word of several syllables is an ending like -s
// behind consonants: foto's, horloges. Words that end so by themselves lose it in all
// of their forms: atlas, atlassen.
func dutchStem(stem string) string {
	n := len(stem)
	if n < 3 {
		return stem
	}
	last, prev := stem[n-1], stem[n-2]
	switch {
	case last == 'z':
		stem = stem[:n-1] + "s"
	case last == 'v':
		stem = stem[:n-1] + "f"
	case last == prev && endsInConsonant(stem):
		stem = stem[:n-1]
	case strings.HasSuffix(stem, "res"), strings.HasSuffix(stem, "ses"): // zangeres, prinses
	case last == 's' && strings.IndexByte("aeiouy", prev) >= 0 && syllables(stem) > 1:
		stem = stem[:n-1]
	}
	return stem
}

// germanSingular takes the -s of plurals from behind a, o and y (Sofas, Autos, Handys),
// but not from adjectives in -los, and spells -eln and -innen without the ending of the
// plural.
func germanSingular(word string) string {
	if strings.HasSuffix(word, "los") || word == "etwas" {
		return word
	}
	if rest, ok := strings.CutSuffix(word, "s"); ok && len(rest) > 2 && strings.IndexByte("aoy", rest[len(rest)-1]) >= 0 && syllables(rest) > 1 {
		return rest
	}
	return replaceEnding(word, []ending{{"innen", "in", 4}, {"eln", "el", 3}})
}

// germanStem spells stems of adjectives that change before an ending as those of the base
// form: flexible, dunkle, hohe, teure.
func germanStem(stem string) string {
	switch stem {
	case "hoh", "höh":
		return "hoch"
	case "teur":
		return "teu"
	}
	return replaceEnding(stem, []ending{{"ibl", "ibel", 1}, {"abl", "abel", 1}, {"dunkl", "dunkel", 0}})
}

// swedishBase takes endings that the algorithm does not know: the article of neuters
// (bordet), of words in -a (klockan) and in -el (cykeln), and spells some everyday words
// as their base form.
func swedishBase(word string) string {
	switch word {
	case "skor", "skon", "skorna":
		return "sko"
	case "böcker", "böckerna":
		return "bok"
	case "nytt", "nya":
		return "ny"
	case "vitt":
		return "vit"
	case "rött":
		return "röd"
	case "grönt":
		return "grön"
	case "blått", "blåa":
		return "blå"
	}
	if rest, ok := strings.CutSuffix(word, "et"); ok && swedishArticle(rest) {
		if strings.HasSuffix(rest, "mm") { // rummet
			rest = rest[:len(rest)-1]
		}
		return rest
	}
	if rest, ok := strings.CutSuffix(word, "an"); ok && len(rest) > 3 && endsInConsonant(rest) && (!strings.HasSuffix(rest, "m") || strings.HasSuffix(rest, "mm")) {
		return rest + "a" // but talman
	}
	return replaceEnding(word, []ending{{"eln", "el", 2}, {"orn", "or", 2}})
}

// swedishArticle reports whether -et behind rest is an article. It is not in words like
// universitet, alfabet, paket and komet; the endings are those of the present Snowball
// algorithm, which this rule is of.
func swedishArticle(rest string) bool {
	if !endsInConsonant(rest) || syllables(rest) == 0 || syllables(rest) > 1 && strings.HasSuffix(rest, "and") { // avdelandet
		return false
	}
	for _, end := range [...]string{
		"h", "fab", "cit", "dit", "alit", "ilit", "mit", "nit", "pit", "rit", "sit", "tit", "uit", "ivit", "kvit", "xit",
		"kom", "rak", "pak", "stak",
	} {
		if strings.HasSuffix(rest, end) {
			return false
		}
	}
	return true
}

// nordicStem spells stems of Swedish, Danish and Norwegian in which a vowel comes and goes
// before l and r without it: cykel, cyklar; nyckel, nycklar; vinter, vintrar; fönster,
// fönstret. Of -er the algorithms leave nothing.
func nordicStem(stem string) string {
	if rest, ok := strings.CutSuffix(stem, "el"); ok && endsInConsonant(rest) && syllables(rest) > 0 {
		if n := len(rest); n > 1 && rest[n-1] == rest[n-2] { // Norwegian nøkkel, nøkler
			rest = rest[:n-1]
		}
		return rest + "l"
	}
	return replaceEnding(stem, []ending{{"str", "st", 2}, {"ntr", "nt", 2}, {"fingr", "fing", 0}})
}
