package fuzzy

import (
	"math/bits"
	"unicode/utf8"
)

// minLetters is the number of letters of the shortest word that a lexicon
// takes: shorter ones are a few edits from everything.
const minLetters = 3

// Builder collects words for a Lexicon. The zero value is ready to use.
type Builder struct {
	words []entry
	bytes []byte
}

// entry is a word that was added.
type entry struct {
	end     uint32 // in Builder.bytes
	df      uint32
	letters uint8
}

// Add adds a word, which is valid UTF-8, with a number that Near and Beginning
// hand out with it. It does not keep word. It returns false for words that a
// lexicon does not take, those of fewer than three or more than MaxLetters
// letters. A word may be added twice and is then found twice.
func (b *Builder) Add(word []byte, df uint32) bool {
	n := utf8.RuneCount(word)
	if n < minLetters || n > MaxLetters {
		return false
	}
	b.bytes = append(b.bytes, word...)
	b.words = append(b.words, entry{uint32(len(b.bytes)), df, uint8(n)})
	return true
}

// Build returns the lexicon of the words added. The builder is empty
// afterwards.
func (b *Builder) Build() *Lexicon {
	l := &Lexicon{
		bytes: make([]byte, 0, len(b.bytes)),
		sigs:  make([]uint64, 0, len(b.words)),
		ends:  make([]uint32, 1, len(b.words)+1),
		dfs:   make([]uint32, 0, len(b.words)),
	}
	var sizes [MaxLetters + 1]int
	for _, w := range b.words {
		sizes[w.letters]++
	}
	at := 0
	for n, size := range sizes {
		l.starts[n] = at
		at += size
	}
	l.starts[MaxLetters+1] = at
	for _, i := range b.inOrder(&l.starts) {
		word := b.word(i)
		l.bytes = append(l.bytes, word...)
		l.sigs = append(l.sigs, signature(word))
		l.ends = append(l.ends, uint32(len(l.bytes)))
		l.dfs = append(l.dfs, b.words[i].df)
	}
	*b = Builder{}
	l.turn()
	return l
}

// word returns word i as it was added.
func (b *Builder) word(i uint32) []byte {
	from := uint32(0)
	if i > 0 {
		from = b.words[i-1].end
	}
	return b.bytes[from:b.words[i].end]
}

// Lexicon is a vocabulary in which words that are nearly right can be found.
// It is immutable and safe for concurrent use.
type Lexicon struct {
	starts [MaxLetters + 2]int // words of n letters are starts[n] to starts[n+1], ascending
	sigs   []uint64
	ends   []uint32 // word i is bytes[ends[i]:ends[i+1]]
	dfs    []uint32
	back   []uint32 // the words of n letters by their ends, in the same places
	bytes  []byte
}

// Len returns the number of words.
func (l *Lexicon) Len() int { return len(l.sigs) }

// Size returns how many bytes of memory the lexicon takes.
func (l *Lexicon) Size() int {
	return cap(l.bytes) + 8*cap(l.sigs) + 4*cap(l.ends) + 4*cap(l.dfs) + 4*cap(l.back) + 8*len(l.starts)
}

// Near calls f with the words that are at most limit edits away from p, in no
// promised order. The word is the lexicon's and must not be changed.
func (l *Lexicon) Near(p *Pattern, limit int, f func(word []byte, df uint32, edits int)) {
	if limit == 1 {
		l.oneEdit(p, f)
		return
	}
	from := l.starts[max(p.letters-limit, 0)]
	to := l.starts[min(p.letters+limit, MaxLetters)+1]
	for i, sig := range l.sigs[from:to] {
		// The first test settles nearly all of them.
		if bits.OnesCount64(sig^p.sig) > 2*limit || bits.OnesCount64(sig&^p.sig) > limit || bits.OnesCount64(p.sig&^sig) > limit {
			continue
		}
		word := l.word(from + i)
		if edits := p.Distance(word); edits <= limit {
			f(word, l.dfs[from+i], edits)
		}
	}
}

// Beginning calls f with the words that have a beginning at most limit edits
// away from p, in no promised order. The word is the lexicon's and must not be
// changed.
func (l *Lexicon) Beginning(p *Pattern, limit int, f func(word []byte, df uint32, edits int)) {
	from := l.starts[min(max(p.letters-limit, 0), MaxLetters)]
	for i, sig := range l.sigs[from:] {
		if bits.OnesCount64(p.sig&^sig) > limit {
			continue
		}
		word := l.word(from + i)
		if edits := p.BeginningDistance(word); edits <= limit {
			f(word, l.dfs[from+i], edits)
		}
	}
}

// word returns word i.
func (l *Lexicon) word(i int) []byte {
	return l.bytes[l.ends[i]:l.ends[i+1]:l.ends[i+1]]
}
