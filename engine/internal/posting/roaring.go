package posting

import (
	"encoding/binary"
	"fmt"
)

// appendRoaring appends documents as Roaring's portable serialization without
// run containers, and returns the number of containers. The library's own
// writer would first build a bitmap of many small objects.
func appendRoaring(dst []byte, docs []DocID) ([]byte, int) {
	start := len(dst)
	containers := 0
	for from := 0; from < len(docs); from = pageEnd(docs, from) {
		containers++
	}
	dst = binary.LittleEndian.AppendUint32(dst, roaringCookie)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(containers))
	offset := 8 + 8*containers
	keys := len(dst)
	dst = append(dst, make([]byte, 8*containers)...)
	offsets := keys + 4*containers
	for from := 0; from < len(docs); {
		to := pageEnd(docs, from)
		card := to - from
		binary.LittleEndian.PutUint16(dst[keys:], uint16(docs[from]>>16))
		binary.LittleEndian.PutUint16(dst[keys+2:], uint16(card-1))
		binary.LittleEndian.PutUint32(dst[offsets:], uint32(offset))
		keys, offsets = keys+4, offsets+4
		if card <= arrayMax {
			offset += 2 * card
		} else {
			offset += wordsSize
		}
		from = to
	}
	for from := 0; from < len(docs); {
		to := pageEnd(docs, from)
		if to-from <= arrayMax {
			dst = appendArray(dst, docs[from:to])
		} else {
			dst = appendWords(dst, docs[from:to])
		}
		from = to
	}
	if len(dst)-start != offset {
		panic("posting: wrong size of Roaring containers")
	}
	return dst, containers
}

// appendArray appends the places of documents of one page.
func appendArray(dst []byte, docs []DocID) []byte {
	for _, doc := range docs {
		dst = binary.LittleEndian.AppendUint16(dst, uint16(doc))
	}
	return dst
}

// appendWords appends the bitmap of documents of one page.
func appendWords(dst []byte, docs []DocID) []byte {
	at := len(dst)
	dst = append(dst, make([]byte, wordsSize)...)
	words := dst[at:]
	for _, doc := range docs {
		words[uint16(doc)>>3] |= 1 << (doc & 7)
	}
	return dst
}

// appendRanks appends the ranks of the containers that are bitmaps.
func appendRanks(dst []byte, docs []DocID) []byte {
	for from := 0; from < len(docs); {
		to := pageEnd(docs, from)
		if to-from > arrayMax {
			rank := from
			for block := range ranksSize / 2 {
				for rank < to && int(docs[rank]&(PageSize-1))>>9 < block {
					rank++
				}
				dst = binary.LittleEndian.AppendUint16(dst, uint16(rank-from))
			}
		}
		from = to
	}
	return dst
}

// parseRoaring fills Containers from the Roaring bytes, all but bounds, and returns how many containers are bitmaps.
func (l *List) parseRoaring(containers int) (bitmaps int, err error) {
	data := l.roaring
	if len(data) < 8+8*containers ||
		binary.LittleEndian.Uint32(data) != roaringCookie || binary.LittleEndian.Uint32(data[4:]) != uint32(containers) {
		return 0, fmt.Errorf("%w: header of the documents", ErrCorrupt)
	}
	keys, offsets := data[8:], data[8+4*containers:]
	offset, rank := 8+8*containers, 0
	l.Containers = make([]Container, containers)
	for i := range l.Containers {
		c := &l.Containers[i]
		c.Page = binary.LittleEndian.Uint16(keys[4*i:])
		c.Card = int(binary.LittleEndian.Uint16(keys[4*i+2:])) + 1
		c.First = rank
		rank += c.Card
		if i > 0 && l.Containers[i-1].Page >= c.Page || binary.LittleEndian.Uint32(offsets[4*i:]) != uint32(offset) {
			return 0, fmt.Errorf("%w: directory of the documents at page %d", ErrCorrupt, c.Page)
		}
		size := 2 * c.Card
		if c.Card > arrayMax {
			size = wordsSize
			bitmaps++
		}
		if size > len(data)-offset {
			return 0, fmt.Errorf("%w: documents of page %d are cut off", ErrCorrupt, c.Page)
		}
		if c.Card <= arrayMax {
			c.Array = data[offset : offset+size : offset+size]
		}
		offset += size
	}
	if offset != len(data) || rank != l.DF {
		return 0, fmt.Errorf("%w: %d documents in %d bytes, want %d in %d", ErrCorrupt, rank, offset, l.DF, len(data))
	}
	room := newRoom(bitmaps, 0)
	for i := range l.Containers {
		if c := &l.Containers[i]; c.Card > arrayMax {
			readWords(room.words(c), data[binary.LittleEndian.Uint32(offsets[4*i:]):])
			c.rankWords()
		}
	}
	return bitmaps, nil
}
