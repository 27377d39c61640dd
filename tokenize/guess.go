package tokenize

import (
	"math"
	"slices"
	"unicode"
	"unicode/utf8"
)

// What a guess needs. Evidence is how much likelier words are in a language than in English, in
// natural logarithms: about 2 a word in texts of the language, up to 1 in names of places there.
// Names are like words of a language, but are not words of it, so that some have to be known,
// and the more of them the less their letters tell. All was measured on shops, texts and names
// of some dozen languages.
const (
	guessWords     = 6   // different words
	guessEvidence  = 15  // of all words
	guessMean      = .85 // of a word
	guessListings  = 2   // different words that lists of the language hold, and English ones do not
	guessPlain     = 40  // of all words where lists hold fewer, and are short: names are not told so
	guessPlainMean = 2   // of a word there
	guessKnown     = .2  // of a word, times the part of the words that are such ones
	guessRunning   = .1  // of all words as often as they come, as filler words do in texts
	guessFillers   = 8   // different ones among them
	guessLetters   = 33  // of so many letters one may be foreign: that of a name
	guessAhead     = 8   // of a language that is not known, beyond that for the best of those that are
)

const (
	// guessCap is how much one word may tell: names and words of other languages are nowhere likely.
	guessCap = 4
	// guessListed is how much likelier a word is where a list holds it, beyond its letters.
	guessListed = 2
)

// What is looked at is bounded: more tells nothing new. maxGuessWord is how long a word is, in
// bytes, that may be one of a language.
const (
	maxGuessWords = 100_000
	maxGuessTypes = 4_000 // different ones
	maxGuessBytes = 4 << 20
	maxGuessWord  = 64
)

// guessIdeograph is how many letters an ideograph stands for, and guessOthers how many letters of
// scripts that none of Languages has tell that texts are in none of these, if most are.
const (
	guessIdeograph = 3
	guessOthers    = 12
)

// guessAlphabets are the scripts of the languages that are told apart by words. Arabic, Cyrillic,
// Devanagari, Greek and Tamil are not those of English, whatever the words are.
var guessAlphabets = []*unicode.RangeTable{unicode.Arabic, unicode.Cyrillic, unicode.Devanagari, unicode.Greek, unicode.Tamil}

// Guesser guesses the language of texts by their words, and by the letters of these. It is made
// by NewGuesser, and not safe for concurrent use.
type Guesser struct {
	*wordModel
	seen  map[string]int // words, lower case
	words int
	bytes int // looked at
	// letters, of the scripts of languages that are told apart by words, and of others
	latin, alphabets, others int
	kana, hangul, han        int // of others, ideographs as one letter each
	unrussian, hard, russian int // of alphabets: і and the like, ъ, ы and э

	folder         folder
	lower          []byte
	likely, scaled []float64
}

// NewGuesser returns a Guesser that has seen no text.
func NewGuesser() *Guesser {
	return &Guesser{wordModel: guessing(), seen: map[string]int{}}
}

// Add looks at a text: at the words in it of two letters and more that no digit touches.
// "10 L", "S/M/L" and "3x" are English as well as Italian. It tells whether more texts could
// change anything.
func (g *Guesser) Add(text []byte) (more bool) {
	text = text[:min(len(text), maxGuessBytes-g.bytes)]
	g.bytes += len(text)
	before := ' '
	for len(text) > 0 && g.words < maxGuessWords {
		n, letters := 0, 0
		var next rune
		for n < len(text) {
			r, size := utf8.DecodeRune(text[n:])
			if unicode.IsLetter(r) {
				letters++
				g.letter(r)
			} else if !unicode.IsMark(r) {
				next = r
				break
			}
			n += size
		}
		if letters > 1 && !unicode.IsNumber(before) && !unicode.IsNumber(next) {
			g.add(text[:n])
		}
		before = next
		_, size := utf8.DecodeRune(text[n:])
		text = text[n+size:]
	}
	return g.words < maxGuessWords && g.bytes < maxGuessBytes
}

// letter counts a letter by its script.
func (g *Guesser) letter(r rune) {
	switch {
	case r < utf8.RuneSelf || unicode.Is(unicode.Latin, r):
		g.latin++
	case unicode.In(r, guessAlphabets...):
		g.alphabets++
		switch unicode.ToLower(r) {
		case 'і', 'ї', 'є', 'ґ', 'ў', 'ј', 'љ', 'њ', 'ћ', 'ђ', 'џ', 'ќ', 'ѓ', 'ѕ':
			g.unrussian++
		case 'ъ':
			g.hard++
		case 'ы', 'э':
			g.russian++
		}
	case unicode.Is(unicode.Han, r):
		g.others += guessIdeograph
		g.han++
	default:
		g.others++
		switch {
		case unicode.In(r, unicode.Hiragana, unicode.Katakana):
			g.kana++
		case unicode.Is(unicode.Hangul, r):
			g.hangul++
		}
	}
}

// add looks at a word.
func (g *Guesser) add(word []byte) {
	g.words++
	if len(word) > maxGuessWord {
		return
	}
	g.lower = g.folder.lower(g.lower[:0], word, false)
	if _, ok := g.seen[string(g.lower)]; ok || len(g.seen) < maxGuessTypes {
		g.seen[string(g.lower)]++
	}
}

// script returns the language of texts in a script that none of Languages has. Japanese has kana
// between its ideographs, and Chinese none.
func (g *Guesser) script() string {
	switch all := g.kana + g.hangul + g.han; {
	case g.hangul > all/2:
		return "ko"
	case g.kana > all/10:
		return "ja"
	case g.han > all/2 && g.han*guessIdeograph > g.others/2:
		return "zh"
	}
	return unknownScript
}

// Language returns the code of the language that the texts are in, one of KnownLanguages, or "" if
// they do not tell: too few words, names and numbers, several languages, or one that is not
// known.
func (g *Guesser) Language() string {
	if l := g.language(); slices.Contains(KnownLanguages(), l) {
		return l
	}
	return ""
}

// Foreign tells whether the texts are in a language that is not among KnownLanguages, and so not
// in English, by their script, words or letters.
func (g *Guesser) Foreign() bool {
	l := g.language()
	return l != "" && !slices.Contains(KnownLanguages(), l)
}

// unknownScript stands for the languages whose script none of Languages has.
const unknownScript = "script"

// language returns the code of one of guessCodes, unknownScript, or "" where texts do not tell.
func (g *Guesser) language() string {
	if g.others > g.latin+g.alphabets && g.others >= guessOthers {
		return g.script()
	}
	if len(g.seen) < guessWords {
		return ""
	}
	all, weight := g.evidence()
	best := g.best(all, func(int) bool { return true })
	if known := g.best(all, g.stems); !g.stems(best) && all[best].lost > all[known].lost-evidenceOf(guessAhead) {
		best = known // those close to it, such as Galician to Spanish, have most words in common
	}
	other := g.english
	if best == g.english {
		other = g.best(all, func(l int) bool { return l != best })
	}
	told := float64(all[other].lost-all[best].lost) / evidenceUnit
	switch mean := told * evidenceUnit / float64(weight); {
	case told < guessEvidence || mean < guessMean:
		return ""
	case best == g.english, g.alphabets > g.latin:
		return g.codes[best]
	case all[best].listed < guessListings && (told < guessPlain || mean < guessPlainMean || mean*float64(all[best].known) < guessKnown*float64(weight)):
		return ""
	case g.running(best):
		return g.codes[best]
	case mean*float64(all[best].known) < guessKnown*float64(weight) && mean*float64(g.knownStems(best)) < guessKnown*float64(weight):
		return ""
	}
	return g.codes[best]
}

// running tells whether texts are in a language by how often words come that its lists hold. The
// more texts there are, the less of their different words are in a list, while filler
// words are as many as before: without this, many records of a language with a short list
// would not tell what a few do. Words of English must be fewer.
func (g *Guesser) running(language int) bool {
	own, fillers, english := 0, 0, 0
	stops := StopWords(g.codes[language]) // and no names, of which lists of the others have few
	for word, n := range g.seen {
		switch of := g.listed[word]; {
		case of&(1<<language) != 0 && of&(1<<g.english) == 0:
			own += n
			if _, stop := slices.BinarySearch(stops, word); stop || stops == nil {
				fillers++
			}
		case of&(1<<g.english) != 0 && of&(1<<language) == 0:
			english += n
		}
	}
	return fillers >= guessFillers && own > english && float64(own) >= guessRunning*float64(g.words)
}

// knownStems is evidence.known of a language by stems: lists hold few of the many forms that a word
// has in Finnish or Hungarian. It is 0 where words have no stems.
func (g *Guesser) knownStems(language int) (known int64) {
	l, ok := languageOf(g.codes[language])
	if !ok || l.stem == nil {
		return 0
	}
	stem := l.stem
	if l.foldFirst {
		stem = func(word string) string { return l.stem(string(Fold(nil, []byte(word)))) }
	}
	stems := map[string]bool{}
	for word, of := range g.listed {
		if of&(1<<language) != 0 && of&(1<<g.english) == 0 {
			stems[stem(word)] = true
		}
	}
	for word, n := range g.seen {
		if g.listed[word]&(1<<g.english) == 0 && stems[stem(word)] {
			known += evidenceOf(1 + math.Log(float64(n)))
		}
	}
	return known
}

// evidenceUnit is what evidence is counted in, as whole numbers: a sum of these has no order.
const evidenceUnit = 1e6

func evidenceOf(v float64) int64 { return int64(v * evidenceUnit) }

// evidence is what words tell about a language.
type evidence struct {
	lost   int64 // how much likelier they are in those in which each is likeliest
	listed int   // different ones that its lists hold, and those of English do not
	known  int64 // how many these count as
}

// evidence returns what words tell about each of the languages, and how many they count as. A
// word that lists hold counts for more if it comes more often, as filler words do. One that they
// do not hold may be a name.
func (g *Guesser) evidence() (all []evidence, weight int64) {
	all = make([]evidence, len(g.codes))
	for word, n := range g.seen {
		g.likelihoods(word)
		listed, times := g.listed[word], 1.0
		if listed != 0 {
			times += math.Log(float64(n))
		}
		weight += evidenceOf(times)
		for l := range all {
			if listed&(1<<l) != 0 {
				g.likely[l] += guessListed
				if listed&(1<<g.english) == 0 {
					all[l].listed++
					all[l].known += evidenceOf(times)
				}
			}
		}
		most := slices.Max(g.likely)
		for l := range all {
			all[l].lost += evidenceOf(min(most-g.likely[l], guessCap) * times)
		}
	}
	return all, weight
}

// written tells whether texts are written with the letters of a language, but for what a name or two bring: Russian
// has no і, and not the many ъ of Bulgarian without any ы; Ukrainian has no ъ, ы or э.
func (g *Guesser) written(code string) bool {
	few := func(n int) bool { return n == 0 || n*guessLetters < g.alphabets }
	switch code {
	case "ru":
		return few(g.unrussian) && (g.hard < 2 || few(g.hard) || g.russian > 0)
	case "uk":
		return few(g.hard + g.russian)
	}
	return true
}

// best returns the language among some that words tell against least.
func (g *Guesser) best(all []evidence, among func(language int) bool) int {
	best := -1
	for l := range all {
		if among(l) && (best < 0 || all[l].lost < all[best].lost) && g.written(g.codes[l]) {
			best = l
		}
	}
	return best
}
