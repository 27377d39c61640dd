package tokenize

// This file is Porter2, the English stemmer of
// https://snowballstem.org/algorithms/english/stemmer.html, on bytes.
//
// Indexes hold stems that the package english of github.com/kljensen/snowball has
// made, so stems must stay as that package makes them. It has the algorithm of 2006,
// without the words, beginnings and rules that were added later ("evening",
// "university", the double letter of "adding"), and departs from it where the
// comments below say "unlike the algorithm".

// porter2MaxBytes is the longest word that porter2 takes. It bounds the copy of the
// word, which should stay on the stack.
const porter2MaxBytes = 64

// porter2 returns the stem of a word of the letters a to z and apostrophes, and false
// for any other word and one of more than porter2MaxBytes. A stem that the word
// begins with is a part of it, so that only the others take memory.
func porter2(word string) (stem string, ok bool) {
	if len(word) > porter2MaxBytes {
		return "", false
	}
	for i := range len(word) {
		if c := word[i]; (c < 'a' || c > 'z') && c != '\'' {
			return "", false
		}
	}
	if len(word) <= 2 {
		return word, true
	}
	// The steps would find the same; this takes a fifth off the time of a vocabulary.
	if word[0] != '\'' && endsAsStem(word) {
		return word, true
	}
	if stem := irregularStem(word); stem != "" {
		return stem, true
	}
	// Unlike the algorithm, which removes one apostrophe: all in front are removed,
	// though the last letter stays if it is one. What is left is stemmed even if it
	// has only one letter or two.
	for len(word) > 1 && word[0] == '\'' {
		word = word[1:]
	}

	var memory [porter2MaxBytes]byte
	w := porter2Word(memory[:copy(memory[:], word)])
	marked := w.markConsonants()
	// The regions are kept as they are in the whole word. What a step removes may end
	// before them: they are empty then, and no suffix lies in them.
	r1, r2 := w.regions()
	w = w.step0()
	if len(w) == 0 { // there were only apostrophes
		return "", true
	}
	w = w.step1a().step1b(r1).step1c()
	w = w.step2(r1).step3(r1, r2).step4(r2).step5(r1, r2)
	if marked {
		for i, c := range w {
			if c == 'Y' {
				w[i] = 'y'
			}
		}
	}
	if string(w) == word[:len(w)] { // no step makes a word longer than it was
		return word[:len(w)], true
	}
	return string(w), true
}

// endsAsStem tells of a word of two letters or more, or letters and apostrophes,
// whether no suffix that a step removes or replaces ends as it does, nor a word that
// irregularStem changes. Steps only ever look at the end of what is left, so a word that
// none of them begins with is left alone by all. Two of five words of a vocabulary are.
func endsAsStem(word string) bool {
	switch before := word[len(word)-2]; word[len(word)-1] {
	case 'e', 'i', 's', 'y', '\'':
		return false
	case 'c': // ic
		return before != 'i'
	case 'd': // ed, eed, ied
		return before != 'e'
	case 'g': // ing
		return before != 'n'
	case 'l': // al, ful, a double l
		return before != 'a' && before != 'u' && before != 'l'
	case 'm': // ism
		return before != 's'
	case 'n': // ion
		return before != 'o'
	case 'r': // er, ator
		return before != 'e' && before != 'o'
	case 't': // ant, ent
		return before != 'n'
	}
	return true
}

// irregularStem returns the stem of a word that the steps would take for another, or
// "" if they may have it. Unlike in the algorithm, the nouns in -ing and the verbs in
// -ceed are looked up before the first step and not after the removal of the plural,
// hence the plurals here, and hence the steps do take "inning's" apart.
func irregularStem(word string) string {
	switch word {
	case "skis":
		return "ski"
	case "skies", "sky":
		return "sky"
	case "dying":
		return "die"
	case "lying":
		return "lie"
	case "tying":
		return "tie"
	case "idly":
		return "idl"
	case "gently":
		return "gentl"
	case "ugly":
		return "ugli"
	case "early":
		return "earli"
	case "only":
		return "onli"
	case "singly":
		return "singl"
	case "news", "howe", "atlas", "cosmos", "bias", "andes", "inning", "outing", "canning", "herring", "earring",
		"proceed", "exceed", "succeed":
		return word
	case "innings", "outings", "cannings", "herrings", "earrings", "proceeds", "exceeds", "succeeds":
		return word[:len(word)-1]
	}
	return ""
}

// porter2Word is what is left of a word, in memory that steps may write to.
type porter2Word []byte

// porter2Vowel tells of a letter whether it is a vowel. A Y is a consonant and so,
// as in the algorithm, is an apostrophe.
var porter2Vowel = [256]bool{'a': true, 'e': true, 'i': true, 'o': true, 'u': true, 'y': true}

func (w porter2Word) hasVowel() bool {
	for _, c := range w {
		if porter2Vowel[c] {
			return true
		}
	}
	return false
}

// markConsonants makes a capital of each y that is a consonant: one that begins the
// word or follows a vowel. It tells whether there are any.
func (w porter2Word) markConsonants() (any bool) {
	for i, c := range w {
		if c == 'y' && (i == 0 || porter2Vowel[w[i-1]]) {
			w[i] = 'Y'
			any = true
		}
	}
	return any
}

// regions returns the starts of R1, which follows the first consonant after a
// vowel, and of R2, which does so within R1. The algorithm has three beginnings
// after which R1 starts all the same, so that "generate" and "general" stay apart.
func (w porter2Word) regions() (r1, r2 int) {
	switch {
	case w.beginsWith("gener"), w.beginsWith("arsen"):
		r1 = 5
	case w.beginsWith("commun"):
		r1 = 6
	default:
		r1 = w.afterVowelAndConsonant(0)
	}
	return r1, w.afterVowelAndConsonant(r1)
}

func (w porter2Word) afterVowelAndConsonant(from int) int {
	for i := from + 1; i < len(w); i++ {
		if !porter2Vowel[w[i]] && porter2Vowel[w[i-1]] {
			return i + 1
		}
	}
	return len(w)
}

// endsInShortSyllable tells whether w ends in a vowel between two consonants, of which
// the second is not w, x or Y, or is a vowel and a consonant. An e that such a syllable
// stands before is of the stem: "hope", where "hop" is another word.
func (w porter2Word) endsInShortSyllable() bool {
	n := len(w)
	if n < 2 || !porter2Vowel[w[n-2]] || porter2Vowel[w[n-1]] {
		return false
	}
	if n == 2 {
		return true
	}
	return w[n-1] != 'w' && w[n-1] != 'x' && w[n-1] != 'Y' && !porter2Vowel[w[n-3]]
}

func (w porter2Word) beginsWith(prefix string) bool {
	return len(w) >= len(prefix) && string(w[:len(prefix)]) == prefix
}

func (w porter2Word) endsIn(suffix string) bool {
	return len(w) >= len(suffix) && string(w[len(w)-len(suffix):]) == suffix
}

// step0 removes the apostrophe, or apostrophe and s, of a genitive.
func (w porter2Word) step0() porter2Word {
	switch {
	case w.endsIn("'s'"):
		return w[:len(w)-3]
	case w.endsIn("'s"):
		return w[:len(w)-2]
	case w.endsIn("'"):
		return w[:len(w)-1]
	}
	return w
}

// step1a removes the s of a plural, and the ending of cried and cries but for its i.
func (w porter2Word) step1a() porter2Word {
	n := len(w)
	switch {
	case w.endsIn("ied"), w.endsIn("ies"):
		if n > 4 {
			return w[:n-2] // cries: cri
		}
		return w[:n-1] // ties: tie
	case w[n-1] != 's', w.endsIn("us"), w.endsIn("ss"):
		return w
	case w.endsIn("sses"):
		return w[:n-2]
	case n > 2 && w[:n-2].hasVowel(): // not that of "gas"
		return w[:n-1]
	}
	return w
}

// step1b removes -ed and -ing, and -edly and -ingly, behind a vowel, and gives back what
// a verb loses before them: hoping is of hope, hopping of hop.
func (w porter2Word) step1b(r1 int) porter2Word {
	verb := w
	if w.endsIn("edly") || w.endsIn("ingly") {
		verb = w[:len(w)-2]
	}
	switch n := len(verb); {
	case verb.endsIn("eed"):
		if n-3 >= r1 {
			return verb[:n-1]
		}
		return w
	case verb.endsIn("ed"):
		verb = verb[:n-2]
	case verb.endsIn("ing"):
		verb = verb[:n-3]
	default:
		return w
	}
	if !verb.hasVowel() { // sing, bled
		return w
	}
	n := len(verb)
	switch {
	case verb.endsIn("at"), verb.endsIn("bl"), verb.endsIn("iz"), r1 >= n && verb.endsInShortSyllable():
		return append(verb, 'e') // conflated, hoping
	case n >= 2 && verb[n-1] == verb[n-2]:
		switch verb[n-1] {
		case 'b', 'd', 'f', 'g', 'm', 'n', 'p', 'r', 't':
			return verb[:n-1] // hopping
		}
	}
	return verb
}

// step1c makes an i of a final y after a consonant, except in "by". It is never a Y,
// which begins the word or has a vowel before it.
func (w porter2Word) step1c() porter2Word {
	if n := len(w); n > 2 && w[n-1] == 'y' && !porter2Vowel[w[n-2]] {
		w[n-1] = 'i'
	}
	return w
}

// suffixRule says what a step makes of a suffix.
type suffixRule struct{ suffix, by string }

// suffixRules are those of a step, by five bits of the letter before the last, which
// tells suffixes apart best. Of one that ends in another, the longer is the first.
type suffixRules [32][]suffixRule

// find returns the rule of the longest suffix that w ends in, or nil.
func (rules *suffixRules) find(w porter2Word) *suffixRule {
	if len(w) < 2 {
		return nil
	}
	of := rules[w[len(w)-2]&31]
	for i := range of {
		if w.endsIn(of[i].suffix) {
			return &of[i]
		}
	}
	return nil
}

// replace returns w with a suffix replaced that it ends in.
func (rule *suffixRule) replace(w porter2Word) porter2Word {
	return append(w[:len(w)-len(rule.suffix)], rule.by...)
}

var step2Rules = suffixRules{
	'a' & 31: {{"ational", "ate"}, {"tional", "tion"}},
	'c' & 31: {{"anci", "ance"}, {"enci", "ence"}},
	'e' & 31: {{"izer", "ize"}},
	'g' & 31: {{"ogi", "og"}},
	'l' & 31: {
		{"lessli", "less"}, {"entli", "ent"}, {"fulli", "ful"}, {"ousli", "ous"},
		{"abli", "able"}, {"alli", "al"}, {"bli", "ble"}, {"li", ""},
	},
	'o' & 31: {{"ization", "ize"}, {"ation", "ate"}, {"ator", "ate"}},
	's' & 31: {{"fulness", "ful"}, {"iveness", "ive"}, {"ousness", "ous"}, {"alism", "al"}},
	't' & 31: {{"biliti", "ble"}, {"aliti", "al"}, {"iviti", "ive"}},
}

// step2 makes the first of two suffixes in R1, or its beginning: -ization is -ize.
func (w porter2Word) step2(r1 int) porter2Word {
	rule := step2Rules.find(w)
	if rule == nil {
		return w
	}
	at := len(w) - len(rule.suffix)
	if at < r1 {
		return w
	}
	switch rule.suffix {
	case "ogi":
		if w[at-1] != 'l' {
			return w
		}
	case "li":
		switch w[at-1] {
		case 'c', 'd', 'e', 'g', 'h', 'k', 'm', 'n', 'r', 't':
		default:
			return w
		}
	}
	return rule.replace(w)
}

var step3Rules = suffixRules{
	'a' & 31: {{"ational", "ate"}, {"tional", "tion"}, {"ical", "ic"}},
	's' & 31: {{"ness", ""}},
	't' & 31: {{"icate", "ic"}, {"iciti", "ic"}},
	'u' & 31: {{"ful", ""}},
	'v' & 31: {{"ative", ""}},
	'z' & 31: {{"alize", "al"}},
}

// step3 does the same for suffixes that step 2 may have left, and removes -ful, -ness
// and, in R2, -ative.
func (w porter2Word) step3(r1, r2 int) porter2Word {
	rule := step3Rules.find(w)
	if rule == nil {
		return w
	}
	if rule.suffix == "ative" {
		r1 = r2
	}
	if len(w)-len(rule.suffix) < r1 {
		return w
	}
	return rule.replace(w)
}

var step4Rules = suffixRules{
	'a' & 31: {{"al", ""}},
	'c' & 31: {{"ance", ""}, {"ence", ""}},
	'e' & 31: {{"er", ""}},
	'i' & 31: {{"ic", ""}},
	'l' & 31: {{"able", ""}, {"ible", ""}},
	'n' & 31: {{"ement", ""}, {"ment", ""}, {"ent", ""}, {"ant", ""}},
	'o' & 31: {{"ion", ""}},
	's' & 31: {{"ism", ""}},
	't' & 31: {{"ate", ""}, {"iti", ""}},
	'u' & 31: {{"ous", ""}},
	'v' & 31: {{"ive", ""}},
	'z' & 31: {{"ize", ""}},
}

// step4 removes a suffix in R2.
func (w porter2Word) step4(r2 int) porter2Word {
	rule := step4Rules.find(w)
	if rule == nil {
		return w
	}
	at := len(w) - len(rule.suffix)
	if at < r2 || rule.suffix == "ion" && w[at-1] != 's' && w[at-1] != 't' {
		return w
	}
	return w[:at]
}

// step5 removes a final e, unless it makes another word, and one of two l.
func (w porter2Word) step5(r1, r2 int) porter2Word {
	last := len(w) - 1
	switch w[last] {
	case 'e':
		if last >= r2 || last >= r1 && !w[:last].endsInShortSyllable() {
			return w[:last]
		}
	case 'l':
		if last >= r2 && w[last-1] == 'l' {
			return w[:last]
		}
	}
	return w
}
