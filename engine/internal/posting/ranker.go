package posting

import (
	"encoding/binary"
	"slices"
)

const (
	// scanShare is how many places of a container are read in the time that it takes
	// to look for one.
	scanShare = 32
	// scanFrom is how many places are read, rather than that the first one to read is
	// looked for.
	scanFrom = 128
	// maxMarked is how many documents can be told apart by a mark.
	maxMarked = 255
)

// Ranker is List.Find for many documents. The zero value is ready; one must not be used
// at the same time by several goroutines.
type Ranker struct {
	// By place in the page: 1 and which of docs it is, 0 for none. Most calls are for the
	// documents of the one before.
	marks *[1 << 16]uint8
	docs  []DocID // of one page
}

// Ranks sets ranks[i] to the rank of docs[i] in l, to -1 if it does not hold it. The
// documents ascend, no two are the same, and there are as many ranks.
func (r *Ranker) Ranks(l *List, docs []DocID, ranks []int) {
	for from, to := 0, 0; from < len(docs); from = to {
		page := docs[from] >> 16
		for to = from; to < len(docs) && docs[to]>>16 == page; to++ {
			ranks[to] = -1
		}
		if c := l.Container(uint16(page)); c != nil {
			r.ranksIn(c, docs[from:to], ranks[from:to])
		}
	}
}

// ranksIn is Ranks for documents of one page. Ranks are -1.
func (r *Ranker) ranksIn(c *Container, docs []DocID, ranks []int) {
	switch {
	case c.Words != nil:
		for i, doc := range docs {
			if place := uint16(doc); c.Words[place>>6]>>(place&63)&1 != 0 {
				ranks[i] = c.Rank(place)
			}
		}
	case c.Card <= scanShare*len(docs) && len(docs) <= maxMarked:
		r.scan(c, docs, ranks)
	default:
		at := 0
		for i, doc := range docs {
			place := uint16(doc)
			if at = c.searchFrom(at, place); at < c.Card && binary.LittleEndian.Uint16(c.Array[2*at:]) == place {
				ranks[i] = c.First + at
			}
		}
	}
}

// scan reads the places of c one after another and looks them up in marks. A search
// for each document takes several times as long: what stands where in the list is not
// foreseen, but that most of it is none of the documents is.
func (r *Ranker) scan(c *Container, docs []DocID, ranks []int) {
	if !slices.Equal(docs, r.docs) {
		r.mark(docs)
	}
	marks, last := r.marks, uint16(docs[len(docs)-1])
	at := 0
	if c.Card > scanFrom {
		at = c.search(uint16(docs[0]))
	}
	a := c.Array[2*at:]
	for ; len(a) >= 8; a, at = a[8:], at+4 {
		four := binary.LittleEndian.Uint64(a)
		if uint16(four) > last {
			return
		}
		if marks[uint16(four)]|marks[uint16(four>>16)]|marks[uint16(four>>32)]|marks[four>>48] == 0 {
			continue
		}
		for i := range 4 {
			if m := marks[uint16(four>>(16*i))]; m != 0 {
				ranks[m-1] = c.First + at + i
			}
		}
	}
	for ; len(a) >= 2; a, at = a[2:], at+1 {
		if m := marks[binary.LittleEndian.Uint16(a)]; m != 0 {
			ranks[m-1] = c.First + at
		}
	}
}

// mark marks documents of one page, and no others.
func (r *Ranker) mark(docs []DocID) {
	if r.marks == nil {
		r.marks = new([1 << 16]uint8)
	}
	for _, doc := range r.docs {
		r.marks[uint16(doc)] = 0
	}
	r.docs = append(r.docs[:0], docs...)
	for i, doc := range docs {
		r.marks[uint16(doc)] = uint8(i + 1)
	}
}
