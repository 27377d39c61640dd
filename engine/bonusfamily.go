package engine

import (
	"bytes"
	"math/bits"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/quarry-search/quarry/engine/internal/score"
)

const (
	// familyShare is what a word of the family of one of the query adds where a
	// record does not hold that itself, as a share of its weight.
	familyShare = 0.2
	// familyLetters is how many letters words of a family have in common. That pieces
	// of words find more than stems where words have many forms, and hardly more
	// where they have few, is from McNamee, Nicholas and Mayfield, Addressing
	// Morphological Variation in Alphabetic Languages, SIGIR 2009.
	familyLetters = 5
	// strangerPart divides that for words that no record holds. They are the rarest of
	// all, but one that a whole collection lacks is less often a form of what the query
	// is about than a word around it: "can anyone tell me a nice story about". Without
	// this, questions wrapped in such sentences lose more in Turkish than others gain.
	strangerPart = 4
	// maxFamilies is how many words of a query families are looked for of.
	maxFamilies = 16
)

// askedFamily is how the words of the family of a word of the query begin, or a part
// of theirs: Krieg is in Kriegsende and in Weltkrieg. Stemmers take inflections away,
// not what makes one word of another, and in languages that write compounds as one
// word most nouns of a text are in some. Terms of the index that begin alike are too
// many to be looked up for each word, and those that a compound ends in cannot be; but
// the few records that are read for this tell at once.
type askedFamily struct {
	first  rune   // of the letters, lower case
	rest   string // the others
	rare   int    // the byte of rest that texts have least of, once texts are read
	word   int    // of bonuses.words
	weight uint64
}

// families finds the families that are looked for.
func (b *bonuses) families() {
	b.kin, b.reach = b.kin[:0], 0
	if shareOf(b.tuning.Family) == 0 {
		return
	}
	for i := range b.words {
		w := &b.words[i]
		if !w.family || w.filler || w.weight == 0 || len(b.kin) == maxFamilies {
			continue
		}
		typed := b.run.res.req.Query
		if w.end > len(typed) || w.at >= w.end {
			continue
		}
		if first, rest, ok := familyOf(typed[w.at:w.end]); ok {
			weight := w.weight
			if b.isStranger(w) {
				weight /= strangerPart
			}
			b.reach += weight * shareOf(b.tuning.Family) / shareUnit * score.MaxImpact
			b.kin = append(b.kin, askedFamily{first: first, rest: rest, word: i, weight: weight})
		}
	}
}

// isStranger tells whether no record of the search holds a word.
func (b *bonuses) isStranger(w *bonusWord) bool {
	for i := w.from; i < w.to; i++ {
		if b.run.res.leaves[b.leaves[i].leaf].documents(b.run.df) > 0 {
			return false
		}
	}
	return true
}

// contend tells which of the best records are read for families: those that may come
// first by half of what these can add, since a record that is among the best has half
// of the query or more. Mostly one is so far ahead that there are no others, and none is
// read; reading all takes five times as long and gains a tenth more.
func contend(best []found) {
	near := 0
	for i := range best {
		f := &best[i]
		if f.near = best[0].hit.Score-f.hit.Score <= f.run.bonus.reach/2; f.near {
			near++
		}
	}
	if near == 1 {
		best[0].near = false
	}
}

// familyOf returns the letters that words of the family of a word have in common; false:
// it is too short, or not of letters.
func familyOf(word string) (first rune, rest string, ok bool) {
	n, from, to := 0, 0, 0
	for i, c := range word {
		if !unicode.IsLetter(c) {
			return 0, "", false
		}
		switch n++; n {
		case 1:
			first = unicode.ToLower(c)
			from = i + utf8.RuneLen(c)
		case familyLetters:
			to = i + utf8.RuneLen(c)
		}
	}
	if to == 0 {
		return 0, "", false
	}
	return first, strings.ToLower(word[from:to]), true
}

// in tells whether a text has a word of the family. What follows the first letter is
// taken as it was typed, in lower case, as it is but in words all in capitals.
func (f *askedFamily) in(text []byte) bool {
	for at := f.rare; at < len(text); at++ {
		n := bytes.IndexByte(text[at:], f.rest[f.rare])
		if n < 0 {
			break
		}
		at += n
		if from := at - f.rare; len(text)-from >= len(f.rest) && string(text[from:from+len(f.rest)]) == f.rest {
			if c, _ := utf8.DecodeLastRune(text[:from]); unicode.ToLower(c) == f.first {
				return true
			}
		}
	}
	return false
}

// byRarity has letters of Latin and Cyrillic script, the rarest of texts first. In which
// order they are is a matter of speed alone.
const (
	byRarity         = "qxjzywvpfkbghcumdolsrtnaie"
	byRarityCyrillic = "фщцэшжюхйчбгзыяьпумдклвртнсиаео"
)

// rarity has the places of letters in these, by rune; 0 for letters of neither, such as ä,
// which are rare.
var rarity = sync.OnceValue(func() *[0x500]uint8 {
	places := new([0x500]uint8)
	for _, letters := range [...]string{byRarity, byRarityCyrillic} {
		n := uint8(0)
		for _, c := range letters {
			places[c] = n
			n++
		}
	}
	return places
})

// rarest returns the place of a byte of a word that texts have few of: the last one of
// a letter, since the others are the same in all letters of a script.
func rarest(word string) (at int) {
	places, least := rarity(), 256
	for i, c := range word {
		n := 0
		if c < rune(len(places)) {
			n = int(places[c])
		}
		if n < least {
			at, least = i+utf8.RuneLen(c)-1, n
		}
	}
	return at
}

// lacking returns the families of the words that record i does not hold, as bits.
func (b *bonuses) lacking(i int) (lacks uint64) {
	if !b.hits[i].near {
		return 0
	}
	for k := range b.kin {
		w := &b.words[b.kin[k].word]
		holds := false
		for l := w.from; l < w.to && !holds; l++ {
			holds = b.holdsLeaf(i, &b.leaves[l])
		}
		if !holds {
			lacks |= 1 << k
		}
	}
	return lacks
}

// family adds the bonuses of a record for the families that were seen in it.
func (b *bonuses) family(seen uint64) {
	for ; seen != 0; seen &= seen - 1 {
		f := &b.kin[bits.TrailingZeros64(seen)]
		p := bonusPart{stage: StageFamily, field: -1, score: f.weight * shareOf(b.tuning.Family) / shareUnit * score.MaxImpact}
		if b.tell {
			p.term = string(f.first) + f.rest
		}
		b.add(p)
	}
}
