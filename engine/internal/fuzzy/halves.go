package fuzzy

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"
	"sort"
	"unicode/utf8"
)

// A word that is one edit away from another has one of its halves in common
// with it, or has the two letters in its middle swapped. So the words of a
// length stand in the order of their beginnings, and back has them in the
// order of their ends.

// inOrder returns the words of each length by their beginnings.
func (b *Builder) inOrder(starts *[MaxLetters + 2]int) []uint32 {
	order := make([]uint32, len(b.words))
	next := *starts
	for i, w := range b.words {
		order[next[w.letters]] = uint32(i)
		next[w.letters]++
	}
	for n := range MaxLetters + 1 {
		sortBy(order[starts[n]:starts[n+1]], func(i uint32) uint64 { return head(b.word(i)) },
			func(x, y uint32) int { return bytes.Compare(b.word(x), b.word(y)) })
	}
	return order
}

// turn fills in back.
func (l *Lexicon) turn() {
	l.back = make([]uint32, l.Len())
	for i := range l.back {
		l.back[i] = uint32(i)
	}
	for n := range MaxLetters + 1 {
		sortBy(l.back[l.starts[n]:l.starts[n+1]], func(i uint32) uint64 { return tail(l.word(int(i))) },
			func(x, y uint32) int { return compareEnds(l.word(int(x)), l.word(int(y))) })
	}
}

// sortBy sorts numbers of words by a key that agrees with compare as far as it
// goes.
func sortBy(list []uint32, key func(uint32) uint64, compare func(x, y uint32) int) {
	type item struct {
		key uint64
		i   uint32
	}
	items := make([]item, len(list))
	for k, i := range list {
		items[k] = item{key(i), i}
	}
	slices.SortFunc(items, func(x, y item) int {
		if x.key != y.key {
			return cmp.Compare(x.key, y.key)
		}
		return cmp.Or(compare(x.i, y.i), cmp.Compare(x.i, y.i))
	})
	for k := range items {
		list[k] = items[k].i
	}
}

// head returns the first eight bytes of a word as a number that orders words.
func head(word []byte) uint64 {
	var b [8]byte
	copy(b[:], word)
	return binary.BigEndian.Uint64(b[:])
}

// tail is head from the last byte backwards.
func tail(word []byte) uint64 {
	var b [8]byte
	if len(word) > 8 {
		word = word[len(word)-8:]
	}
	copy(b[8-len(word):], word)
	return binary.LittleEndian.Uint64(b[:])
}

// compareEnds compares words from their last bytes backwards.
func compareEnds(x, y []byte) int {
	for i, j := len(x)-1, len(y)-1; i >= 0 && j >= 0; i, j = i-1, j-1 {
		if x[i] != y[j] {
			return cmp.Compare(x[i], y[j])
		}
	}
	return cmp.Compare(len(x), len(y))
}

// Ending calls f with the words that are longer than end and end with it, in no promised
// order. It takes a search among the words of each length, and no walk over them. The word is
// the lexicon's and must not be changed.
func (l *Lexicon) Ending(end []byte, f func(word []byte, df uint32)) {
	for n := utf8.RuneCount(end) + 1; n <= MaxLetters; n++ {
		back := l.back[l.starts[n]:l.starts[n+1]]
		at := sort.Search(len(back), func(i int) bool { return compareEnds(l.word(int(back[i])), end) >= 0 })
		for _, i := range back[at:] {
			word := l.word(int(i))
			if !bytes.HasSuffix(word, end) {
				break
			}
			f(word, l.dfs[i])
		}
	}
}

// EndingNear calls f with the words that are longer than p and end with one that is at most limit
// edits away from it, and with how many letters that has; of several, the one of the fewest edits,
// and the longest of those. It takes a look at the letters of each longer word.
func (l *Lexicon) EndingNear(p *Pattern, limit int, f func(word []byte, df uint32, letters, edits int)) {
	from := l.starts[min(p.letters+1, MaxLetters)]
	for i, sig := range l.sigs[from:] {
		if bits.OnesCount64(p.sig&^sig) > limit {
			continue
		}
		word := l.word(from + i)
		best, letters := limit+1, 0
		at := len(word)
		for n := 1; n <= p.letters+limit && at > 0; n++ {
			_, size := utf8.DecodeLastRune(word[:at])
			if at -= size; at > 0 && n >= p.letters-limit {
				if edits := p.Distance(word[at:]); edits <= best && edits <= limit {
					best, letters = edits, n
				}
			}
		}
		if best <= limit {
			f(word, l.dfs[from+i], letters, best)
		}
	}
}

// oneEdit calls f with the words that are at most one edit away from p.
func (l *Lexicon) oneEdit(p *Pattern, f func(word []byte, df uint32, edits int)) {
	middle := 0
	for range p.letters / 2 {
		_, n := utf8.DecodeRune(p.word[middle:])
		middle += n
	}
	first, second := p.word[:middle], p.word[middle:]
	try := func(i int) {
		if sig := l.sigs[i]; bits.OnesCount64(sig&^p.sig) > 1 || bits.OnesCount64(p.sig&^sig) > 1 {
			return
		}
		word := l.word(i)
		if edits := p.Distance(word); edits <= 1 {
			f(word, l.dfs[i], edits)
		}
	}
	for n := max(p.letters-1, 0); n <= min(p.letters+1, MaxLetters); n++ {
		from, to := l.starts[n], l.starts[n+1]
		for i := from + sort.Search(to-from, func(i int) bool { return bytes.Compare(l.word(from+i), first) >= 0 }); i < to && bytes.HasPrefix(l.word(i), first); i++ {
			try(i)
		}
		back := l.back[from:to]
		at := sort.Search(len(back), func(i int) bool { return compareEnds(l.word(int(back[i])), second) >= 0 })
		for _, i := range back[at:] {
			word := l.word(int(i))
			if !bytes.HasSuffix(word, second) {
				break
			}
			if !bytes.HasPrefix(word, first) {
				try(int(i))
			}
		}
	}
	x, nx := utf8.DecodeLastRune(first)
	y, ny := utf8.DecodeRune(second)
	if len(first) == 0 || len(second) == 0 || x == y {
		return
	}
	swapped := slices.Concat(first[:middle-nx], second[:ny], first[middle-nx:], second[ny:])
	from, to := l.starts[p.letters], l.starts[p.letters+1]
	for i := from + sort.Search(to-from, func(i int) bool { return bytes.Compare(l.word(from+i), swapped) >= 0 }); i < to && bytes.Equal(l.word(i), swapped); i++ {
		try(i)
	}
}
