package tokenize

import (
	"slices"
	"strings"
)

// No Snowball algorithm is published for Czech. The light stemmer of L. Dolamic and J. Savoy,
// Indexing and stemming approaches for the Czech language, 2009, is what this one starts from:
// the endings of cases are taken off, then the consonant before them is spelt in one way. It
// differs in three points:
//
//   - It sees words without accents. Terms have none in any case, so that accents could only help to
//     tell endings apart, and words that people type without them would have other stems.
//   - Every c is a k, and every z an h, by the published rules (ulice, růže), which takes ulic and
//     ulice apart. Here the vowel before the ending, and lists, tell which ones are.
//   - Possessives keep their -ov, or ostrov would be ostrý, and vowels that come and go before the
//     last consonant are left out in all forms: domek, domku.
//
// Verbs of the large classes get a vowel as their end, so that they share no stem with nouns.

// czechStem returns the stem of a folded word.
func czechStem(word string) string {
	if len(word) < 3 || !lowerLetters(word) {
		return word
	}
	if stem, ok := czechForm(word); ok {
		return czechSpelt(stem)
	}
	for _, v := range czechVerbs {
		if rest, ok := strings.CutSuffix(word, v.from); ok && len(rest) >= v.min && !slices.Contains(czechNoVerbs, rest) {
			return rest + v.to
		}
	}
	return czechSpelt(withoutCzechComparison(czechNoun(word)))
}

// czechVerbs are ends of verbs that nouns seldom have, and what stands for them. The past is an end
// of nouns, too: see czechSpelt.
var czechVerbs = [...]ending{
	{"ujeme", "ova", 2}, {"ujete", "ova", 2}, {"ujes", "ova", 2}, {"uje", "ova", 2}, {"uji", "ova", 2}, {"ovat", "ova", 2}, {"ovala", "ova", 2}, {"ovali", "ova", 2},
	{"ovalo", "ova", 2}, {"ovaly", "ova", 2}, {"oval", "ova", 2}, {"aji", "a", 3}, {"ajici", "a", 3},
}

// czechCases are the endings of nouns and adjectives, longer ones first, and how many letters stand
// before them.
var czechCases = [...]ending{
	{"iich", "", 3}, {"iemi", "", 3},
	{"eho", "", 2}, {"iho", "", 2}, {"emu", "", 2}, {"imu", "", 2}, {"ymi", "", 2}, {"imi", "", 2}, {"ami", "", 2}, {"emi", "", 2}, {"ama", "", 3}, {"ovi", "", 2},
	{"iim", "", 3}, {"ich", "", 2}, {"ych", "", 2}, {"ech", "", 2}, {"ach", "", 2},
	{"em", "", 2}, {"um", "", 2}, {"am", "", 2}, {"im", "", 2}, {"ym", "", 2}, {"ou", "", 2}, {"mi", "", 3}, {"ii", "", 3}, {"ie", "", 3},
	{"a", "", 2}, {"e", "", 2}, {"i", "", 2}, {"o", "", 2}, {"u", "", 2}, {"y", "", 2},
}

// czechNoun takes the ending of a case off.
func czechNoun(word string) string {
	for _, young := range [...]string{"atech", "atum", "ata", "aty", "etem", "ete", "eti", "at", "e"} {
		if rest, ok := strings.CutSuffix(word, young); ok && slices.Contains(czechYoung, rest) {
			return rest + "et" // kuře, kuřete, kuřata
		}
	}
	for _, e := range czechCases {
		rest, ok := strings.CutSuffix(word, e.from)
		switch {
		case !ok || len(rest) < e.min || cutsInto(czechWhole, word, rest):
			continue
		case e.from == "mi" && !endsInAny(rest, "d", "t", "n", "l"): // dětmi
			continue
		case e.from == "um" && isVowel(rest[len(rest)-1]): // studium
			return rest
		}
		if strings.HasPrefix(e.from, "e") || strings.HasPrefix(e.from, "i") {
			rest = czechHard(rest, e.from)
		}
		return rest
	}
	return word
}

// czechHard spells the consonant before an ending in e or i as it is before other ones, where that is
// known: ruce, knize.
func czechHard(rest, end string) string {
	short := rest[:len(rest)-1]
	switch rest[len(rest)-1] {
	case 'c':
		switch {
		case slices.Contains(czechSoft, rest) || end != "e" && end != "ich" && end != "i" && end != "ech":
			return rest
		case endsInAny(rest, czechC[:]...) && (end == "e" || endsInAny(rest, "oc", "uc")):
			return short + "k"
		case slices.Contains(czechK, rest):
			return short + "k"
		}
	case 'z':
		if slices.Contains(czechH, rest) && (end == "e" || endsInAny(rest, "druz", "vraz", "struz")) { // uloží is of no úloha
			return short + "h"
		}
	case 's':
		if slices.Contains(czechCh, rest) {
			return short + "ch"
		}
	case 't':
		if stem, ok := strings.CutSuffix(rest, "nst"); ok && end == "i" && len(stem) > 3 {
			return stem + "nsk" // slovenští
		}
	}
	return rest
}

// withoutCzechComparison makes a comparative of an adjective, and a superlative, the adjective:
// novější, nejnovější.
func withoutCzechComparison(stem string) string {
	if adjective, ok := czechComparatives[strings.TrimPrefix(stem, "nej")]; ok {
		return adjective
	}
	if rest, ok := strings.CutSuffix(stem, "ejs"); ok && len(rest) >= 3 {
		if short := strings.TrimPrefix(rest, "nej"); len(short) >= 3 {
			return short
		}
		return rest
	}
	return stem
}

// czechSpelt spells a stem in one way: possessives as their feminine, no vowel that comes and goes
// before the last consonant, and behind three letters the ends of verbs without their consonant.
func czechSpelt(stem string) string {
	if rest, ok := strings.CutSuffix(stem, "uv"); ok && len(rest) >= 3 {
		stem = rest + "ov" // Karlův, Karlova
	}
	if n := len(stem); n >= 4 && stem[n-2] == 'e' && strings.IndexByte("bkcnlrv", stem[n-1]) >= 0 && endsInConsonant(stem[:n-2]) && !slices.Contains(czechSteady, stem) {
		stem = stem[:n-2] + stem[n-1:]
	}
	for _, v := range [...]ending{{"at", "a", 3}, {"al", "a", 3}, {"it", "i", 3}, {"il", "i", 3}} {
		if rest, ok := strings.CutSuffix(stem, v.from); ok && len(rest) >= v.min && endsInConsonant(rest) {
			return rest + v.to
		}
	}
	return stem
}
