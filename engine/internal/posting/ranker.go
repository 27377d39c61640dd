package posting

import (
	"encoding/binary"
	"slices"
)

const (
	// scanShare is how many places of a container are read in the time that it takes
	// to look for one.
	scanShare = 32
	// maxMarked is how many documents can be told apart by a mark.
	maxMarked = 255
)

// Ranker is List.Find for many documents. The zero value is ready; one must not be used
// at the same time by several goroutines.
type Ranker struct {
	// By place, from that of the first document on: 1 and which of docs it is, 0 for
	// none. Most calls are for the documents of the one before.
	marks []uint8
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
	first, last := uint16(docs[0]), uint16(docs[len(docs)-1])
	marks := r.marks[:int(last-first)+1]
	at := c.search(first)
	for a := c.Array[2*at:]; len(a) >= 2; a = a[2:] {
		place := int(binary.LittleEndian.Uint16(a)) - int(first)
		if uint(place) >= uint(len(marks)) {
			break
		}
		if m := marks[place]; m != 0 {
			ranks[m-1] = c.First + at
		}
		at++
	}
}

// mark marks documents of one page, and no others.
func (r *Ranker) mark(docs []DocID) {
	for _, doc := range r.docs {
		r.marks[uint16(doc)-uint16(r.docs[0])] = 0
	}
	r.docs = append(r.docs[:0], docs...)
	if n := int(uint16(docs[len(docs)-1])-uint16(docs[0])) + 1; n > len(r.marks) {
		r.marks = make([]uint8, n)
	}
	for i, doc := range docs {
		r.marks[uint16(doc)-uint16(docs[0])] = uint8(i + 1)
	}
}
