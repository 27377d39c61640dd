package posting

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// unpackedMax is the number of documents of a page up to which they are an array in
// memory. More are a bitmap, which takes up to ten times the room: whether a
// document is there is a bit to look at, its rank is a count of bits in one word,
// and a window of them is there without being copied.
//
// Unions on speed-packages take 173 us with Roaring's 4,096, 164 with 1,024, 155
// with 512 and 151 with 256, phrases 208, 187, 177 and 171.
const unpackedMax = 512

// compactMax is the same where room is short: what does not fit the memory has to be
// read and unpacked again. With a fifth of the memory that the lists of a run take, two
// words counted take 97 us with Roaring's 4,096, 108 with 2,048 and 190 with 512.
const compactMax = 2048

// bitmap is memory for a container of many documents.
type bitmap struct {
	words Words
	ranks Ranks
}

// unpacking says how a list is unpacked.
type unpacking struct {
	max   int  // unpackedMax or compactMax
	apart bool // nothing of the list lies in the bytes that it was read from
}

// room is memory for the documents of the containers of a list, which is asked for
// once for all of them: a list may have a thousand.
type room struct {
	bitmaps []bitmap
	arrays  []byte
}

// newRoom returns room for so many bitmaps, and for as many documents in arrays.
func newRoom(bitmaps, documents int) room {
	return room{make([]bitmap, bitmaps), make([]byte, 2*documents)}
}

// words gives c a bitmap that is empty.
func (r *room) words(c *Container) *Words {
	b := &r.bitmaps[0]
	r.bitmaps = r.bitmaps[1:]
	c.Words, c.Ranks = &b.words, &b.ranks
	return c.Words
}

// array gives c an array.
func (r *room) array(c *Container) []byte {
	n := 2 * c.Card
	c.Array, r.arrays = r.arrays[:n:n], r.arrays[n:]
	return c.Array
}

// rankWords computes Ranks.
func (c *Container) rankWords() {
	n := 0
	for i, x := range c.Words {
		c.Ranks[i] = uint16(n)
		n += bits.OnesCount64(x)
	}
}

// readWords fills words from wordsSize bytes.
func readWords(words *Words, data []byte) {
	for i := range words {
		words[i] = binary.LittleEndian.Uint64(data[8*i:])
	}
}

// fromDocs fills Containers from documents, which ascend, all but bounds. It
// does not keep docs. It fails if their pages do not ascend.
func (l *List) fromDocs(docs []DocID, containers int) error {
	l.Containers = make([]Container, 0, containers)
	bitmaps, few := 0, 0
	for from := 0; from < len(docs); {
		to := pageEnd(docs, from)
		if from > 0 && docs[from]>>16 < docs[from-1]>>16 {
			return fmt.Errorf("%w: document %d after %d", ErrCorrupt, docs[from], docs[from-1])
		}
		l.Containers = append(l.Containers, Container{Page: uint16(docs[from] >> 16), Card: to - from, First: from})
		if to-from > unpackedMax {
			bitmaps++
		} else {
			few += to - from
		}
		from = to
	}
	room := newRoom(bitmaps, few)
	for i := range l.Containers {
		c := &l.Containers[i]
		part := docs[c.First : c.First+c.Card]
		if c.Card <= unpackedMax {
			array := room.array(c)
			for j, doc := range part {
				binary.LittleEndian.PutUint16(array[2*j:], uint16(doc))
			}
			continue
		}
		words := room.words(c)
		for _, doc := range part {
			words[doc&(PageSize-1)>>6] |= 1 << (doc & 63)
		}
		c.rankWords()
	}
	return nil
}

// parsePages fills Containers from what appendPages wrote, all but bounds. They point
// into data only if they are not to be apart from it.
func (l *List) parsePages(data []byte, pages int, o unpacking) error {
	if len(data) < 4*pages {
		return fmt.Errorf("%w: pages of the documents are cut off", ErrCorrupt)
	}
	head, rest := data[:4*pages], data[4*pages:]
	l.Containers = make([]Container, pages)
	rank, need, bitmaps, few := 0, 0, 0, 0
	for i := range l.Containers {
		c := &l.Containers[i]
		c.Page = binary.LittleEndian.Uint16(head[4*i:])
		c.Card = int(binary.LittleEndian.Uint16(head[4*i+2:])) + 1
		c.First = rank
		rank += c.Card
		if i > 0 && l.Containers[i-1].Page >= c.Page {
			return fmt.Errorf("%w: page %d after %d", ErrCorrupt, c.Page, l.Containers[i-1].Page)
		}
		form, size := formOf(c.Card)
		need += size
		switch {
		case c.Card > o.max || form == formWords:
			bitmaps++
		case form == formPacked || o.apart:
			few += c.Card
		}
	}
	if need != len(rest) || rank != l.DF {
		return fmt.Errorf("%w: %d documents in %d bytes, want %d in %d", ErrCorrupt, rank, len(rest), l.DF, need)
	}
	room := newRoom(bitmaps, few)
	for i := range l.Containers {
		c := &l.Containers[i]
		form, size := formOf(c.Card)
		body := rest[:size:size]
		rest = rest[size:]
		var err error
		switch {
		case form == formWords:
			readWords(room.words(c), body)
		case c.Card > o.max: // and packed: arrays are smaller for some dozens at most
			err = unpackDocs(body, c.Card, nil, room.words(c))
		case form == formPacked:
			err = unpackDocs(body, c.Card, room.array(c), nil)
		case o.apart:
			copy(room.array(c), body)
		default:
			c.Array = body
		}
		if err != nil {
			return fmt.Errorf("page %d: %w", c.Page, err)
		}
		if c.Words != nil {
			c.rankWords()
		}
	}
	return nil
}
