package tokenize

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// No Snowball algorithm is published for Ukrainian, and that for Russian knows neither its
// letters nor its endings. Ukrainian has a light stemmer of our own, in the manner of L. Dolamic
// and J. Savoy, Indexing and stemming approaches for the Czech language, 2009: the endings of
// cases are taken off, and what alternates before them is spelt in one way. What it knows of
// inflection is in any grammar. It sees folded words, which have no apostrophes, and these steps:
//
//   - forms that alternate in a way of their own are looked up (ukrainianforms.go),
//   - verbs of the large classes get a vowel as their end, so that they share no stem with
//     nouns: варити is вари, варений варен,
//   - the ending of a case is taken off (ukrainianNoun),
//   - what is left is spelt in one way: vowels that come and go, the soft sign, the two н of
//     знання (ukrainianSpelt).
//
// Where an ending may as well be the end of a word, the word stays as it is.

const (
	// leastVerb is how many letters stand before the end of a verb.
	leastVerb = 3
	// leastCase is how many letters stand before an ending of several letters.
	leastCase = 2
)

// ukrainianStem returns the stem of a folded word.
func ukrainianStem(word string) string {
	word = strings.ReplaceAll(word, "ґ", "г")
	if cyrillicLetters(word) < 3 {
		return word
	}
	if stem, ok := ukrainianForm(word); ok {
		return ukrainianSpelt(stem)
	}
	if stem, ok := ukrainianVerb(word); ok {
		return stem
	}
	stem := ukrainianSpelt(ukrainianNoun(withoutComparison(word)))
	if adjective, ok := ukrainianComparatives[strings.TrimPrefix(stem, "най")]; ok {
		return adjective
	}
	if cyrillicLetters(stem) >= leastCase {
		return stem
	}
	return word
}

// cyrillicLetters returns how many letters a word has, all of them being Cyrillic ones of two bytes;
// 0 where there are others.
func cyrillicLetters(word string) int {
	for _, r := range word {
		if r < 'а' || r > 'ґ' {
			return 0
		}
	}
	return len(word) / len("а")
}

// cutCyrillic takes an ending off that leaves at least some letters.
func cutCyrillic(word, end string, least int) (string, bool) {
	rest, ok := strings.CutSuffix(word, end)
	return rest, ok && len(rest) >= least*len("а")
}

// withoutLast returns a word without its last letter.
func withoutLast(word string) string {
	_, n := utf8.DecodeLastRuneInString(word)
	return word[:len(word)-n]
}

const (
	ukrainianVowels     = "аеиіоуюяєї"
	ukrainianConsonants = "бвгджзйклмнпрстфхцчшщь"
	ukrainianLabials    = "бпвмф"
)

// ukrainianVerbs are ends of verbs that nouns and adjectives seldom have, and what stands for
// them. The masculine past, the infinitive and some others are ends of nouns, too: see
// ukrainianSpelt.
var ukrainianVerbs = [...]ending{
	{"ується", "ува", 0}, {"юється", "юва", 0}, {"уються", "ува", 0}, {"юються", "юва", 0},
	{"уючи", "ува", 0}, {"юючи", "юва", 0}, {"уємо", "ува", 0}, {"юємо", "юва", 0}, {"уєте", "ува", 0}, {"уєш", "ува", 0}, {"юєш", "юва", 0},
	{"ують", "ува", 0}, {"юють", "юва", 0}, {"ує", "ува", 0}, {"ює", "юва", 0},
	{"увати", "ува", 0}, {"ювати", "юва", 0}, {"увала", "ува", 0}, {"ювала", "юва", 0}, {"ували", "ува", 0}, {"ювали", "юва", 0},
	{"увало", "ува", 0}, {"ювало", "юва", 0}, {"ував", "ува", 0}, {"ював", "юва", 0},
	{"аючи", "а", 0}, {"яючи", "я", 0}, {"аємо", "а", 0}, {"яємо", "я", 0}, {"аєте", "а", 0}, {"яєте", "я", 0}, {"аєш", "а", 0}, {"яєш", "я", 0},
	{"ають", "а", 0}, {"яють", "я", 0}, {"ає", "а", 0}, {"яє", "я", 0},
	{"яти", "я", 0}, {"яла", "я", 0}, {"яли", "я", 0}, {"яло", "я", 0},
	{"яв", "я", 0}, {"ить", "и", 0}, {"ять", "и", 0},
}

// ukrainianReflexive are what stands before -ся and -сь, which make any of them the end of a verb.
var ukrainianReflexive = [...]string{"ти", "ть", "в", "ла", "ло", "ли", "шся", "мо", "те", "чи"}

// ukrainianVerb returns the stem of a word that has the end of a verb.
func ukrainianVerb(word string) (string, bool) {
	if slices.Contains(ukrainianNoVerbs, word) {
		return "", false
	}
	reflexive := false
	for _, end := range [...]string{"ся", "сь"} {
		rest, ok := cutCyrillic(word, end, leastVerb+1)
		if ok && endsInAny(rest, ukrainianReflexive[:]...) {
			word, reflexive = rest, true
			if short, ok := strings.CutSuffix(word, "єть"); ok {
				word = short + "є" // навчається
			}
			break
		}
	}
	for _, v := range ukrainianVerbs {
		least := leastVerb
		if len(v.to) > len("а") {
			least = leastCase // малює: that is long enough
		}
		rest, ok := cutCyrillic(word, v.from, least)
		if !ok || v.to == "я" && endsInLetter(rest, ukrainianVowels) && v.from == "яти" {
			continue
		}
		if v.from == "ять" && endsInAny(rest, "бл", "пл", "вл", "мл", "фл") {
			rest = withoutLast(rest) // люблять, любить
		}
		return rest + v.to, true
	}
	if stem := ukrainianSpelt(ukrainianNoun(word)); reflexive && stem != "" {
		return stem, true
	}
	return "", false
}

// withoutComparison makes a comparative of an adjective, and a superlative, the adjective: новіший,
// найновіша.
func withoutComparison(word string) string {
	for _, end := range ukrainianHard {
		rest, ok := cutCyrillic(word, "іш"+end, leastVerb)
		if ok {
			if short, ok := cutCyrillic(rest, "", leastVerb); ok {
				short = strings.TrimPrefix(short, "най")
				if cyrillicLetters(short) >= leastCase {
					return short + "ий"
				}
			}
		}
	}
	return word
}

// ukrainianHard are the endings of an adjective.
var ukrainianHard = [...]string{"ий", "ого", "ому", "им", "их", "ими", "ій", "ої", "ою", "а", "е", "у", "і"}

// ukrainianCases are the endings of nouns and adjectives, longer ones first.
var ukrainianCases = [...]string{
	"ього", "ьому", "ьої", "ьою",
	"ями", "ами", "ими", "іми", "ьми", "ого", "ому", "еві", "ові",
	"ам", "ям", "ах", "ях", "ом", "ем", "єм", "ім", "им", "ою", "ею", "єю", "ів", "їв", "ей", "ий", "ій", "их", "іх", "ої",
	"а", "я", "о", "е", "є", "и", "і", "ї", "у", "ю", "й", "ь",
}

// ukrainianNoun takes the ending of a case off.
func ukrainianNoun(word string) string {
	for _, end := range ukrainianCases {
		rest, ok := cutCyrillic(word, end, leastCase)
		if !ok || cutsInto(ukrainianWhole, word, rest) || !ukrainianCase(rest, end) {
			continue
		}
		if rest == "син" && slices.Contains(ukrainianBlue[:], end) {
			return "сині"
		}
		if iotated(rest, end) {
			return rest + "й"
		}
		if strings.HasPrefix(end, "і") && len(end) == len("і") {
			return beforeI(rest)
		}
		if end == "ь" || end == "ю" {
			if short, ok := cutCyrillic(rest, "іст", leastCase); ok && !slices.Contains(ukrainianIst, rest) {
				return short + "ост" // радість, радості
			}
		}
		if short, ok := strings.CutSuffix(rest, "ятт"); ok && end == "ю" {
			return short + "ят" // пам'яттю
		}
		return rest
	}
	return word
}

// cutsInto tells whether what is left of a word is less than one of some words of which it is a form.
func cutsInto(words []string, word, rest string) bool {
	const longest = 6 // bytes of an ending
	for _, w := range words {
		if len(rest) < len(w) && len(word) <= len(w)+longest && strings.HasPrefix(word, w) {
			return true
		}
	}
	return false
}

// iotated tells whether an ending has the sound й before it, behind a lip consonant: that is written
// with an apostrophe, which folded words lack. So сім'я is not сім.
func iotated(rest, end string) bool {
	if !endsInLetter(rest, ukrainianLabials) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(end)
	return r == 'я' || r == 'ю' || r == 'ї' || r == 'є' || end == "ей"
}

// ukrainianCase tells whether letters behind others are the ending of a case, and not the end of
// the word itself.
func ukrainianCase(rest, end string) bool {
	vowel := endsInLetter(rest, ukrainianVowels)
	switch end {
	case "ями", "ям", "ях":
		return true
	case "єм", "їв":
		return vowel
	case "єю", "є", "ї", "ю", "я", "й":
		return true
	}
	if vowel {
		return false // their endings begin with й: музею
	}
	switch end {
	case "еві":
		return endsInLetter(rest, "рлнц") && !endsInAny(rest, "місц", "кінц", "травн", "січн")
	case "ові":
		return endsInAny(rest, "ник", "тор", "батьк", "брат", "син", "кот", "чоловік", "дід")
	case "ей", "ею":
		return !slices.Contains(ukrainianEj, rest)
	case "ій":
		return endsInLetter(rest, "нвк") && !slices.Contains(ukrainianIj, rest) || strings.HasSuffix(rest, "г") && !strings.HasSuffix(rest, "ог")
	case "ьми":
		return endsInLetter(rest, "дтнлр")
	}
	return true
}

// beforeI spells the consonant before the ending -і as it is in other forms, where that is known:
// книзі, руці.
func beforeI(rest string) string {
	short := withoutLast(rest)
	switch {
	case strings.HasSuffix(rest, "з"):
		if slices.Contains(ukrainianZ[:], rest) {
			return short + "г"
		}
	case strings.HasSuffix(rest, "ц"):
		if endsInAny(rest, ukrainianTs[:]...) && !endsInAny(rest, ukrainianSoftTs[:]...) {
			return short + "к"
		}
	case strings.HasSuffix(rest, "с"):
		if slices.Contains(ukrainianS[:], rest) {
			return short + "х"
		}
	}
	return rest
}

// ukrainianSpelt spells a stem in one way: without the vowel that comes and goes before its last
// consonant, without soft signs there, and with one н for two. Behind three letters, ends that verbs
// have in common with nouns are spelt as those of verbs.
func ukrainianSpelt(stem string) string {
	stem = strings.TrimRight(stem, "ь")
	if cyrillicLetters(stem) >= 6 && strings.HasSuffix(stem, "і") {
		stem = withoutLast(stem) // станція: станц
	}
	for _, double := range [...]string{"нн", "лл", "чч", "жж"} {
		if rest, ok := cutCyrillic(stem, double, leastCase); ok {
			stem = rest + double[:len("н")]
		}
	}
	if cyrillicLetters(stem) >= 4 {
		last, n := utf8.DecodeLastRuneInString(stem)
		before := stem[:len(stem)-n]
		vowel, m := utf8.DecodeLastRuneInString(before)
		rest := before[:len(before)-m]
		if fleeting(vowel, last) && endsInLetter(rest, ukrainianConsonants) && !slices.Contains(ukrainianSteady, stem) {
			stem = strings.TrimRight(rest, "ь") + string(last)
		} else if vowel == 'ь' {
			stem = rest + string(last) // пальц-я, палець
		}
	}
	for _, v := range [...]ending{{"ат", "а", 3}, {"ал", "а", 3}, {"ав", "а", 3}, {"ит", "и", 3}, {"ил", "и", 3}, {"ив", "и", 3}} {
		if rest, ok := cutCyrillic(stem, v.from, v.min); ok && endsInLetter(rest, ukrainianConsonants) && !slices.Contains(ukrainianNouns, stem) {
			return rest + v.to
		}
	}
	return stem
}

// fleeting tells whether a vowel before a last consonant comes and goes, as in будинок, палець,
// день, вікон. Words in which it stays lose it in all forms.
func fleeting(vowel, last rune) bool {
	switch last {
	case 'к':
		return vowel == 'о'
	case 'ц', 'р':
		return vowel == 'е'
	case 'н', 'л':
		return vowel == 'о' || vowel == 'е'
	}
	return false
}
