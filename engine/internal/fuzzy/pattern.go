package fuzzy

import (
	"unicode/utf8"
)

// MaxLetters is the number of letters, in code points, of the longest word
// that is measured.
const MaxLetters = 64

// Pattern is a word prepared to be compared with others. It is immutable and
// safe for concurrent use.
type Pattern struct {
	word    []byte
	letters int
	last    uint64 // the bit of the last letter
	ascii   [utf8.RuneSelf]uint64
	other   []letterMask
	sig     uint64
}

// letterMask is where a letter stands in the pattern: bit i for place i.
type letterMask struct {
	r    rune
	mask uint64
}

// NewPattern prepares a word. ok is false for words that cannot be measured:
// the empty one and those of more than MaxLetters letters.
func NewPattern(word string) (p *Pattern, ok bool) {
	n := utf8.RuneCountInString(word)
	if n == 0 || n > MaxLetters {
		return nil, false
	}
	p = &Pattern{word: []byte(word), letters: n, last: 1 << (n - 1), sig: signature([]byte(word))}
	i := 0
	for _, r := range word {
		p.add(r, 1<<i)
		i++
	}
	return p, true
}

func (p *Pattern) add(r rune, bit uint64) {
	if r < utf8.RuneSelf {
		p.ascii[r] |= bit
		return
	}
	for i := range p.other {
		if p.other[i].r == r {
			p.other[i].mask |= bit
			return
		}
	}
	p.other = append(p.other, letterMask{r, bit})
}

// mask returns the places of a letter.
func (p *Pattern) mask(r rune) uint64 {
	if r < utf8.RuneSelf {
		return p.ascii[r]
	}
	for i := range p.other {
		if p.other[i].r == r {
			return p.other[i].mask
		}
	}
	return 0
}

// Letters returns the number of letters of the pattern.
func (p *Pattern) Letters() int { return p.letters }

// Distance returns the number of edits between the pattern and word, in
// O(letters of word).
func (p *Pattern) Distance(word []byte) int {
	whole, _ := p.measure(word)
	return whole
}

// BeginningDistance returns the number of edits between the pattern and that
// beginning of word which is nearest to it, the empty one and the whole word
// among them.
func (p *Pattern) BeginningDistance(word []byte) int {
	_, least := p.measure(word)
	return least
}

// measure returns the distance from word and the least of those from its
// beginnings. vp and vn hold the differences between neighbours in the column
// of the distance matrix at hand, d0 its diagonal zeros, before the places of
// the letter before.
func (p *Pattern) measure(word []byte) (whole, least int) {
	vp, vn, d0, before := ^uint64(0), uint64(0), uint64(0), uint64(0)
	whole, least = p.letters, p.letters
	for i := 0; i < len(word); {
		var pm uint64
		if c := word[i]; c < utf8.RuneSelf {
			pm = p.ascii[c]
			i++
		} else {
			r, n := utf8.DecodeRune(word[i:])
			pm = p.mask(r)
			i += n
		}
		swapped := ((^d0 & pm) << 1) & before
		d0 = (((pm & vp) + vp) ^ vp) | pm | vn | swapped
		hp, hn := vn|^(d0|vp), d0&vp
		if hp&p.last != 0 {
			whole++
		} else if hn&p.last != 0 {
			whole--
		}
		least = min(least, whole)
		hp, hn = hp<<1|1, hn<<1
		vp, vn, before = hn|^(d0|hp), hp&d0, pm
	}
	return whole, least
}

// signature has, for each of 32 classes of letters, a bit in the low half for
// having one and a bit in the high half for having more.
func signature(word []byte) uint64 {
	var s uint64
	for i := 0; i < len(word); {
		class := uint(word[i])
		if class < utf8.RuneSelf {
			i++
		} else {
			r, n := utf8.DecodeRune(word[i:])
			class = uint(r) ^ uint(r)>>5
			i += n
		}
		bit := uint64(1) << (class & 31)
		s |= bit | (s&bit)<<32
	}
	return s
}
