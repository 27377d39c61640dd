package page

import "math/bits"

// The scans below take the documents of a page as words: bit p of words[p/64]
// is place p. base is the place of the chunk's first document, Chunk.Base
// modulo Size, and base+Len must not be above Size.

// Range sets the bits of the documents that have a value from lo to hi. Bits
// that are set already stay set. It costs O(Len) at most; blocks of 1,024
// values that lie inside or outside as a whole cost O(1).
func (col *Column) Range(lo, hi Bound, words *[Size / 64]uint64, base int) {
	if first, last, ok := col.entries(lo, hi); ok {
		col.matchValues(first, last, words, base)
	}
}

// Present sets the bits of the documents that have a value.
func (col *Column) Present(words *[Size / 64]uint64, base int) {
	for w := range (col.n + 63) / 64 {
		orBits(words, base+w*64, col.presentWord(w))
	}
}

// presentWord returns the bits of documents 64w to 64w+63 that have a value.
func (col *Column) presentWord(w int) uint64 {
	if col.present != nil {
		return col.present.words[w]
	}
	return lowBits(min(64, col.n-w*64))
}

// OrdsIn sets the bits of the documents that have a value of the set. Nothing
// is set unless the column is of keywords.
func (col *Column) OrdsIn(set *OrdSet, words *[Size / 64]uint64, base int) {
	switch {
	case col.kind != KindKeyword || set.count == 0:
	case set.count == set.max-set.min+1: // consecutive ordinals, most often one
		col.matchValues(uint64(set.min), uint64(set.max), words, base)
	default:
		buf := make([]uint64, (col.vals.n+63)/64)
		if col.matchSet(set, buf) {
			col.spread(buf, words, base)
		}
	}
}

// matchSet sets the bits of the values that are in the set.
func (col *Column) matchSet(set *OrdSet, out []uint64) bool {
	var values [packBlock]uint64
	var any uint64
	for b := range col.vals.blocks {
		if info := &col.vals.blocks[b]; info.max < uint64(set.min) || info.min > uint64(set.max) {
			continue
		}
		n := col.vals.unpack(b, &values)
		for k, ord := range values[:n] {
			if w := ord >> 6; w < uint64(len(set.words)) {
				in := set.words[w] >> (ord & 63) & 1
				out[b*packWords+k>>6] |= in << (k & 63)
				any |= in
			}
		}
	}
	return any != 0
}

// matchValues sets the bits of the documents with an entry of vals in
// [first, last].
func (col *Column) matchValues(first, last uint64, words *[Size / 64]uint64, base int) {
	if docs := col.byValue(); docs != nil {
		col.matchSorted(docs, first, last, words, base)
		return
	}
	var page [Size / 64]uint64 // enough for all columns with one value a document
	buf := page[:]
	if n := (col.vals.n + 63) / 64; n > len(buf) {
		buf = make([]uint64, n)
	} else {
		buf = buf[:n]
	}
	if col.vals.match(first, last, buf) {
		col.spread(buf, words, base)
	}
}

// spread turns bits by value into bits by document.
func (col *Column) spread(values []uint64, words *[Size / 64]uint64, base int) {
	if col.ends != nil {
		col.spreadMany(values, words, base)
		return
	}
	for w := range (col.n + 63) / 64 {
		if col.present == nil {
			orBits(words, base+w*64, values[w])
			continue
		}
		mask := col.present.words[w]
		if v := bitsAt(values, int(col.present.ranks[w])) & lowBits(bits.OnesCount64(mask)); v != 0 {
			orBits(words, base+w*64, deposit(v, mask))
		}
	}
}

// spreadMany is spread for documents with several values. A document has a
// bit among its values if more bits lie before their end than before their
// start.
func (col *Column) spreadMany(values []uint64, words *[Size / 64]uint64, base int) {
	ends := cursor{p: col.ends, block: -1}
	rank := 0
	at, before := 0, 0 // a word of values, and the bits before it
	last := 0          // bits before the start of the document
	for w := range (col.n + 63) / 64 {
		var out uint64
		for m := col.presentWord(w); m != 0; m &= m - 1 {
			rank++
			end := ends.at(rank)
			for ; at < end>>6; at++ {
				before += bits.OnesCount64(values[at])
			}
			count := before
			if end&63 != 0 {
				count += bits.OnesCount64(values[at] & lowBits(end&63))
			}
			some := uint64(last-count) >> 63 // 1 if count is above; a branch would often be mispredicted
			out |= m & -m & -some
			last = count
		}
		orBits(words, base+w*64, out)
	}
}

// selectValues returns bits by value from bits by document, the inverse of
// spread, and whether there is one. They are in buf, which
// has to be zero, where it is large enough.
func (col *Column) selectValues(words *[Size / 64]uint64, base int, buf *[Size / 64]uint64) (selected []uint64, some bool) {
	if n := (col.vals.n + 63) / 64; n <= len(buf) {
		selected = buf[:n]
	} else {
		selected = make([]uint64, n)
	}
	ends := cursor{p: col.ends, block: -1}
	for w := range (col.n + 63) / 64 {
		present := col.presentWord(w)
		m := bitsAt(words[:], base+w*64) & present
		if m == 0 {
			continue
		}
		some = true
		if col.present == nil && col.ends == nil {
			selected[w] = m
			continue
		}
		if m == present && col.ends == nil {
			before := col.rankOfWord(w)
			setBits(selected, before, before+bits.OnesCount64(m))
			continue
		}
		for before := col.rankOfWord(w); m != 0; m &= m - 1 {
			rank := before + bits.OnesCount64(present&(m&-m-1))
			if col.ends == nil {
				selected[rank>>6] |= 1 << (rank & 63)
				continue
			}
			setBits(selected, ends.at(rank), ends.at(rank+1))
		}
	}
	return selected, some
}

// rankOfWord returns the number of documents before 64w that have a value.
func (col *Column) rankOfWord(w int) int {
	if col.present == nil {
		return w * 64
	}
	return int(col.present.ranks[w])
}

// setBits sets the bits of [from, to).
func setBits(words []uint64, from, to int) {
	for from < to {
		n := min(64-from&63, to-from)
		words[from>>6] |= lowBits(n) << (from & 63)
		from += n
	}
}
