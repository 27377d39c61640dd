package posting

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/quarry-search/quarry/engine/internal/score"
)

// Code returns the code of the posting with the given rank, 0 <= rank < DF.
// In a corrupt list the code may be wrong; it never panics.
func (l *List) Code(rank int) uint8 { return l.codes.at(rank) }

// Vector returns the frequency vector of the posting with the given rank,
// which must not be changed. book is the codebook of the list's segment. The
// vector is nil if the list has no frequencies or is corrupt.
func (l *List) Vector(rank int, book *score.Codebook) score.Vector {
	return l.VectorIn(nil, rank, book)
}

// VectorIn is Vector with memory for vectors that no code stands for: what buf
// points to, nil for none, which keeps it for the next call. Such a vector is valid
// until then.
func (l *List) VectorIn(buf *score.Vector, rank int, book *score.Codebook) score.Vector {
	if !l.HasFreqs {
		return nil
	}
	code := l.codes.at(rank)
	if code == score.Escape {
		if buf == nil {
			buf = new(score.Vector)
		}
		return escaped(buf, l.codes.escapeAt(rank), book)
	}
	if int(code) >= book.Len() {
		return nil
	}
	return book.Vector(code)
}

// escaped reads a vector that is written out into what buf points to.
func escaped(buf *score.Vector, data []byte, book *score.Codebook) score.Vector {
	v, n := readVector((*buf)[:0], data, book.Fields())
	if n == 0 {
		return nil
	}
	*buf = v
	return v
}

// Container returns the container of a page, or nil if the list has no
// document there.
func (l *List) Container(page uint16) *Container {
	i, ok := slices.BinarySearchFunc(l.Containers, page, func(c Container, page uint16) int {
		return int(c.Page) - int(page)
	})
	if !ok {
		return nil
	}
	return &l.Containers[i]
}

// Find returns the rank of a document and whether the list holds it.
func (l *List) Find(doc DocID) (rank int, ok bool) {
	c, place := l.Container(uint16(doc>>16)), uint16(doc)
	switch {
	case c == nil:
		return 0, false
	case c.Words == nil:
		i := c.search(place)
		return c.First + i, i < c.Card && binary.LittleEndian.Uint16(c.Array[2*i:]) == place
	case !c.Contains(place):
		return 0, false
	}
	return c.Rank(place), true
}

// All calls yield with the rank and number of each document in ascending
// order until yield returns false; it fits a range statement.
func (l *List) All(yield func(rank int, doc DocID) bool) {
	for i := range l.Containers {
		c := &l.Containers[i]
		page, rank := DocID(c.Page)<<16, c.First
		for a := c.Array; len(a) >= 2; a = a[2:] {
			if !yield(rank, page|DocID(binary.LittleEndian.Uint16(a))) {
				return
			}
			rank++
		}
		if c.Words == nil {
			continue
		}
		for w, x := range c.Words {
			for ; x != 0; x &= x - 1 {
				if !yield(rank, page|DocID(w<<6|bits.TrailingZeros64(x))) {
					return
				}
				rank++
			}
		}
	}
}

// Bitmap returns the documents as a Roaring bitmap. It may share the bytes of
// the list: change a copy.
func (l *List) Bitmap() *roaring.Bitmap {
	b := roaring.New()
	if l.roaring != nil {
		if _, err := b.FromBuffer(l.roaring); err == nil {
			return b
		}
		b = roaring.New()
	}
	docs := make([]DocID, 0, l.DF)
	for _, doc := range l.All {
		docs = append(docs, doc)
	}
	b.AddMany(docs)
	return b
}

// Contains tells whether the document at a place of the page is in the list.
func (c *Container) Contains(place uint16) bool {
	if c.Words != nil {
		return c.Words[place>>6]>>(place&63)&1 != 0
	}
	i := c.search(place)
	return i < c.Card && binary.LittleEndian.Uint16(c.Array[2*i:]) == place
}

// Rank returns the rank in the list of the document at place, which must be
// in the container.
func (c *Container) Rank(place uint16) int {
	if c.Words == nil {
		return c.First + c.search(place)
	}
	word := int(place) >> 6
	x := c.Words[word] & (1<<(place&63) - 1)
	return c.First + int(c.Ranks[word]) + bits.OnesCount64(x)
}

// search returns the index of the first element of Array not below place.
func (c *Container) search(place uint16) int { return c.searchFrom(0, place) }

// searchFrom is search for a place that the elements before from are below. The
// loop has no branch to be guessed wrong: each step moves the first element that
// is in question, or does not.
func (c *Container) searchFrom(from int, place uint16) int {
	n := c.Card - from
	if n <= 0 {
		return from
	}
	for n > 1 {
		half := n / 2
		next := from + half
		if binary.LittleEndian.Uint16(c.Array[2*next-2:]) < place {
			from = next
		}
		n -= half
	}
	if binary.LittleEndian.Uint16(c.Array[2*from:]) < place {
		from++
	}
	return from
}
