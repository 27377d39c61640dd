package tokenize

import (
	"math"
	"math/bits"
	"slices"
	"sync"
	"unicode"
	"unicode/utf8"
)

// What a guess needs. Languages that are close to each other share half of their filler
// words, so those that few languages have count for more; and a word that comes a thousand
// times may be a name ("Air" is a filler word of Irish), so that different words count.
// Running texts of the languages consist of filler words by a quarter to a half, those of
// other languages by up to a sixth by chance.
const (
	guessWords   = 5   // different filler words of the language
	guessHits    = 20  // filler words of it
	guessShare   = .15 // of all words, which are filler words of it
	guessAhead   = 1.5 // times what counts for any other language
	guessForeign = .04 // of all words, which have letters that the language does not write, at most
)

// maxGuessWords and maxGuessBytes bound what is looked at: more tells nothing new.
// maxGuessWord is how long a word is, in bytes, that may be a filler word.
const (
	maxGuessWords = 100_000
	maxGuessBytes = 4 << 20
	maxGuessWord  = 64
)

// guessLetters are the letters beyond a to z that languages write, lower case. They tell
// apart what filler words do not: languages of which none are known.
var guessLetters = map[string]string{
	"ca": "àçèéíïòóúü",
	"da": "æøåéäöü",
	"de": "äöüßéèà",
	"es": "áéíóúüñçª°º",
	"fi": "äöåšž",
	"fr": "àâäæçèéêëîïôöœùûüÿñ",
	"ga": "áéíóú",
	"hu": "áéíóöőúüűë",
	"it": "àèéìíîòóùúç",
	"nl": "áàäéèêëíïóöúüç",
	"no": "æøåéèêóòôäöü",
	"pt": "áàâãéêíóôõúüç",
	"ro": "ăâîșțşţáé",
	"sv": "åäöéüæø",
	"tr": "çğıöşüâîû",
}

// guessScripts are the letters of languages of other scripts: first and last.
var guessScripts = map[string][2]rune{"ar": {'ء', 'ي'}, "ru": {'а', 'ё'}, "ta": {'ஂ', '௺'}}

// guessMarks are letters that a language uses all the time, and that languages do not which its
// filler words also are words of: one word in guessMarked has one of them.
var guessMarks = map[string]string{
	"da": "æøå", "fi": "äö", "ga": "áéíóú", "hu": "áéíóöőúüű", "no": "æøå", "ru": "ыэ", "sv": "åäö", "tr": "çğıöşü",
}

const guessMarked = 40

// guessProofs are letters that a language uses all the time, and no other that has not letters
// of its own besides. Where filler words tell nothing, as in short records, one word in
// guessProved will do, of which there have to be guessProof. For Tamil, which joins to words
// what others write as filler words, it is those of its script.
var guessProofs = map[string]string{"ar": "ة", "hu": "őű", "ru": "ыэ", "ta": "அஆஇஈஉஊஎஏஐஒஓகஙசஞடணதநனபமயரறலளழவஜஷஸஹ", "tr": "ğı"}

const (
	guessProof  = 3
	guessProved = 20
)

// guessTables are what a Guesser knows. They do not change.
type guessTables struct {
	codes   []string
	fillers map[string][]int // languages by folded word, as indexes of codes
	letters map[rune]uint64  // the languages that write them, as bits
	marks   map[rune]uint64  // the same of guessMarks
	proofs  map[rune]uint64  // the same of guessProofs
}

var guessing = sync.OnceValue(func() *guessTables {
	g := &guessTables{codes: append(Languages(), "ca"), fillers: map[string][]int{}, letters: map[rune]uint64{}, marks: map[rune]uint64{}, proofs: map[rune]uint64{}}
	for i, code := range g.codes {
		for word := range stopSet(code) {
			if utf8.RuneCountInString(word) > 1 {
				g.fillers[word] = append(g.fillers[word], i)
			}
		}
		for _, r := range guessLetters[code] {
			g.letters[r] |= 1 << i
		}
		if s := guessScripts[code]; s[0] != 0 {
			for r := s[0]; r <= s[1]; r++ {
				g.letters[r] |= 1 << i
			}
		}
		for _, r := range guessMarks[code] {
			g.marks[r] |= 1 << i
		}
		for _, r := range guessProofs[code] {
			g.proofs[r] |= 1 << i
		}
	}
	return g
})

// Guesser guesses the language of texts by their filler words, and by their letters. It is made
// by NewGuesser, and not safe for concurrent use.
type Guesser struct {
	*guessTables
	seen    map[string]int // filler words, folded
	words   int
	bytes   int   // looked at
	foreign []int // by language: words with letters that it does not write
	marked  []int // by language: words with letters of guessMarks
	proved  []int // by language: words with letters of guessProofs
	folded  []byte
}

// NewGuesser returns a Guesser that has seen no text.
func NewGuesser() *Guesser {
	t := guessing()
	n := len(t.codes)
	return &Guesser{guessTables: t, seen: map[string]int{}, foreign: make([]int, n), marked: make([]int, n), proved: make([]int, n)}
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

// add looks at a word.
func (g *Guesser) add(word []byte) {
	g.words++
	all := uint64(1)<<len(g.codes) - 1
	foreign, marked, proved := uint64(0), uint64(0), uint64(0)
	for i := 0; i < len(word); {
		r, size := utf8.DecodeRune(word[i:])
		if i += size; r >= utf8.RuneSelf && unicode.IsLetter(r) {
			r = unicode.ToLower(r)
			foreign |= all &^ g.letters[r]
			marked |= g.marks[r]
			proved |= g.proofs[r]
		}
	}
	count(g.foreign, foreign)
	count(g.marked, marked)
	count(g.proved, proved)
	if len(word) > maxGuessWord {
		return
	}
	g.folded = Fold(g.folded[:0], word)
	if _, ok := g.fillers[string(g.folded)]; ok {
		g.seen[string(g.folded)]++
	}
}

// count adds one to the counts of bits.
func count(counts []int, of uint64) {
	for ; of != 0; of &= of - 1 {
		counts[bits.TrailingZeros64(of)]++
	}
}

// Language returns the code of the language that the texts are in, one of Languages, or "" if
// they do not tell: too few words, names and numbers, several languages, or one that is not
// known. Of languages that are not known, a few that are close to one that is, and have the same
// letters, are taken for it, as Galician is for Portuguese and Afrikaans for Dutch.
func (g *Guesser) Language() string {
	all := g.fillerWords()
	best := 0
	for i := range all {
		if all[i].weight > all[best].weight {
			best = i
		}
	}
	b := &all[best]
	if b.weight == 0 || b.hits < guessHits || float64(b.hits) < guessShare*float64(g.words) {
		return g.proof(all)
	}
	code := g.codes[best]
	if !g.writes(best) || guessMarks[code] != "" && g.marked[best]*guessMarked < g.words || !slices.Contains(Languages(), code) {
		return ""
	}
	for i := range all {
		if i != best && float64(b.weight) < guessAhead*float64(all[i].weight) {
			return ""
		}
	}
	return code
}

// evidence is what filler words tell of a language.
type evidence struct {
	weight      int64 // in millionths: a sum that has no order
	words, hits int
}

// fillerWords returns what filler words tell of the languages.
func (g *Guesser) fillerWords() []evidence {
	all := make([]evidence, len(g.codes))
	for word, seen := range g.seen {
		of := g.fillers[word]
		for _, i := range of {
			all[i].words++
			all[i].hits += seen
			all[i].weight += int64(1e6 * math.Log1p(float64(seen)) / float64(len(of)*len(of)))
		}
	}
	for i := range all {
		if all[i].words < guessWords {
			all[i].weight = 0
		}
	}
	return all
}

// writes tells whether words have no letters but those of a language, names aside.
func (g *Guesser) writes(language int) bool {
	return float64(g.foreign[language]) <= guessForeign*float64(g.words)
}

// proof returns the language that letters tell, where filler words do not, "" if there is none.
func (g *Guesser) proof(all []evidence) string {
	for i, code := range g.codes {
		if n := g.proved[i]; n < guessProof || n*guessProved < g.words || !g.writes(i) {
			continue
		}
		for j := range all {
			if j != i && all[j].weight > 0 && float64(all[j].hits) > guessShare/2*float64(g.words) {
				return ""
			}
		}
		return code
	}
	return ""
}
