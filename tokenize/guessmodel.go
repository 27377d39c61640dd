package tokenize

import (
	"embed"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// typicalFiles holds a list per language: words of shops, of help and of texts of any kind, those
// about the same things on a line. Of languages without stop words, filler words come first.
//
//go:embed data/typical-*.txt
var typicalFiles embed.FS

// guessCodes returns the languages that are told apart: those that are known first, then those
// that have to be, so that they are not taken for one of these.
func guessCodes() []string {
	return append(Languages(),
		"af", "be", "bg", "et", "eu", "fa", "gl", "hr", "id", "is", "lt",
		"lv", "mk", "mr", "ne", "sk", "sl", "sq", "sr", "sw", "tl", "ur")
}

// listedWords returns the words of the lists of a language, lower case.
func listedWords(code string) []string {
	b, err := typicalFiles.ReadFile("data/typical-" + code + ".txt")
	if err != nil {
		return nil
	}
	return slices.Concat(StopWords(code), CommonWords(code), strings.Fields(string(b)))
}

// How much what is known of fewer letters counts beside what is known of more: as that many words
// of the lists. rareLetter is how likely a letter is that no word has. None of it is critical.
const (
	pairWeight   = 5
	tripleWeight = 4
	rareLetter   = 1e-4
)

// wordModel tells how likely words are in languages: whether lists of a language hold them, and
// how often three letters of them follow each other in words of the lists. It does not change.
type wordModel struct {
	codes   []string
	stem    int // how many of codes, the first, are of Languages
	english int // the index of English
	listed  map[string]uint64
	letters map[rune]*follower
	pairs   map[[2]rune]*follower
	triples map[[3]rune][]uint8 // how many words have them, by language
	none    follower            // of a letter that no word has
}

// follower is what is known of letters, by language.
type follower struct {
	n []float32 // how many there are
	p []float32 // how likely the last of them is behind the others
}

// guessing reads the lists when they are needed.
var guessing = sync.OnceValue(func() *wordModel {
	m := &wordModel{
		codes: guessCodes(), stem: len(Languages()),
		listed: map[string]uint64{}, letters: map[rune]*follower{}, pairs: map[[2]rune]*follower{}, triples: map[[3]rune][]uint8{},
	}
	m.english = slices.Index(m.codes, "en")
	total := make([]float32, len(m.codes)) // of letters
	for l, code := range m.codes {
		for _, word := range listedWords(code) {
			total[l] += m.learn(l, word)
			total[l] += m.learn(l, string(Fold(nil, []byte(word)))) // as many people write it
		}
	}
	m.none = *m.newFollower()
	for l := range m.codes {
		m.none.p[l] = rareLetter
		for _, f := range m.letters {
			f.p[l] = max(f.n[l]/total[l], rareLetter)
		}
		for r, f := range m.pairs {
			f.p[l] = (f.n[l] + pairWeight*m.letters[r[1]].p[l]) / (m.letters[r[0]].n[l] + pairWeight)
		}
	}
	return m
})

// stems tells whether a language is one of Languages.
func (m *wordModel) stems(language int) bool { return language < m.stem }

// wordEdge stands before the first letter of a word and behind the last.
const wordEdge = ' '

// learn adds a word of a language, if it is new, and returns how many letters it has.
func (m *wordModel) learn(language int, word string) (letters float32) {
	if m.listed[word]&(1<<language) != 0 {
		return 0
	}
	m.listed[word] |= 1 << language
	var two rune
	one := rune(wordEdge)
	for _, r := range word + string(wordEdge) {
		m.letter(r).n[language]++ // the last one stands for both edges
		m.pair(one, r).n[language]++
		if two != 0 {
			key := [3]rune{two, one, r}
			if m.triples[key] == nil {
				m.triples[key] = make([]uint8, len(m.codes))
			}
			if n := &m.triples[key][language]; *n < math.MaxUint8 {
				*n++
			}
		}
		two, one = one, r
		letters++
	}
	return letters
}

func (m *wordModel) newFollower() *follower {
	return &follower{n: make([]float32, len(m.codes)), p: make([]float32, len(m.codes))}
}

// letter returns what is known of a letter, to be added to.
func (m *wordModel) letter(r rune) *follower {
	if m.letters[r] == nil {
		m.letters[r] = m.newFollower()
	}
	return m.letters[r]
}

// pair returns what is known of two letters, to be added to.
func (m *wordModel) pair(a, b rune) *follower {
	key := [2]rune{a, b}
	if m.pairs[key] == nil {
		m.pairs[key] = m.newFollower()
	}
	return m.pairs[key]
}

// likelihoods sets g.likely to how likely a word is by its letters, as a logarithm, by language.
func (g *Guesser) likelihoods(word string) {
	g.likely, g.scaled = g.likely[:0], g.scaled[:0]
	for range g.codes {
		g.likely, g.scaled = append(g.likely, 0), append(g.scaled, 1)
	}
	var two rune
	one := rune(wordEdge)
	for i, n := 0, 1; i <= len(word); n++ {
		r, size := rune(wordEdge), 1
		if i < len(word) {
			r, size = utf8.DecodeRuneInString(word[i:])
		}
		i += size
		g.follow(two, one, r)
		two, one = one, r
		if n%16 == 0 || i > len(word) { // a product of more could be too small
			for l := range g.scaled {
				g.likely[l] += math.Log(g.scaled[l])
				g.scaled[l] = 1
			}
		}
	}
}

// follow multiplies g.scaled by how likely a letter is behind two others, the first of which is 0
// at the beginning of a word.
func (g *Guesser) follow(two, one, r rune) {
	letter := func(r rune) *follower {
		if f := g.letters[r]; f != nil {
			return f
		}
		return &g.none
	}
	last, first := letter(r), letter(one)
	pair, before, triple := g.pairs[[2]rune{one, r}], g.pairs[[2]rune{two, one}], g.triples[[3]rune{two, one, r}]
	for l := range g.scaled {
		var p float32
		if pair != nil {
			p = pair.p[l]
		} else {
			p = pairWeight * last.p[l] / (first.n[l] + pairWeight)
		}
		if before != nil {
			p *= tripleWeight
			if triple != nil {
				p += float32(triple[l])
			}
			p /= before.n[l] + tripleWeight
		}
		g.scaled[l] *= float64(p)
	}
}
