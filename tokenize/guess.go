package tokenize

import (
	"math"
	"slices"
	"unicode"
	"unicode/utf8"
)

// What a guess needs. Languages that are close to each other share half of their filler
// words, so those that few languages have count for more; and a word that comes a thousand
// times may be a name ("Air" is a filler word of Irish), so that different words count.
const (
	guessWords = 5   // different filler words of the language
	guessHits  = 20  // filler words of it
	guessShare = .08 // of all words, which are filler words of it
	guessAhead = 1.5 // times what counts for any other language
)

// maxGuessWords bounds how many words are looked at: more tell nothing new.
const maxGuessWords = 100_000

// Guesser guesses the language of texts by their filler words. It is made by NewGuesser, and not
// safe for concurrent use.
type Guesser struct {
	codes  []string
	filler map[string]*fillerWord // by folded word
	words  int
	folded []byte
}

// fillerWord is a filler word of some languages.
type fillerWord struct {
	of   []int // Guesser.codes
	seen int
}

// NewGuesser returns a Guesser that has seen no text.
func NewGuesser() *Guesser {
	g := &Guesser{codes: append(Languages(), "ca"), filler: map[string]*fillerWord{}}
	for i, code := range g.codes {
		for word := range stopSet(code) {
			if g.filler[word] == nil {
				g.filler[word] = &fillerWord{}
			}
			g.filler[word].of = append(g.filler[word].of, i)
		}
	}
	return g
}

// Add looks at a text.
func (g *Guesser) Add(text []byte) {
	g.folded = Fold(g.folded[:0], text)
	for rest := g.folded; len(rest) > 0 && g.words < maxGuessWords; {
		n := 0
		for n < len(rest) {
			r, size := utf8.DecodeRune(rest[n:])
			if !unicode.IsLetter(r) && !unicode.IsMark(r) {
				break
			}
			n += size
		}
		if n == 0 {
			_, n = utf8.DecodeRune(rest)
		} else {
			g.add(rest[:n])
		}
		rest = rest[n:]
	}
}

func (g *Guesser) add(word []byte) {
	g.words++
	if f := g.filler[string(word)]; f != nil {
		f.seen++
	}
}

// Language returns the code of the language that the texts are in, one of Languages, or "" if
// they do not tell: too few words, names and numbers, several languages, or one that is not
// known.
func (g *Guesser) Language() string {
	type evidence struct {
		weight      int64 // in millionths: a sum that has no order
		words, hits int
	}
	all := make([]evidence, len(g.codes))
	best := 0
	for _, f := range g.filler {
		for _, i := range f.of {
			if f.seen > 0 {
				all[i].words++
				all[i].hits += f.seen
				all[i].weight += int64(1e6 * math.Log1p(float64(f.seen)) / float64(len(f.of)*len(f.of)))
			}
		}
	}
	for i := range all {
		if all[i].words < guessWords {
			all[i].weight = 0
		}
		if all[i].weight > all[best].weight {
			best = i
		}
	}
	if b := all[best]; b.weight == 0 || b.hits < guessHits || float64(b.hits) < guessShare*float64(g.words) {
		return ""
	}
	for i := range all {
		if i != best && float64(all[best].weight) < guessAhead*float64(all[i].weight) {
			return ""
		}
	}
	if code := g.codes[best]; slices.Contains(Languages(), code) {
		return code
	}
	return ""
}
