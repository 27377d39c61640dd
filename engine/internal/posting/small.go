package posting

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/quarry-search/quarry/engine/internal/score"
)

// SmallMax is the largest number of postings that a list in the small form
// may have. Part of the format.
const SmallMax = 128

// AppendSmall appends the list in the small form, positions included. base is
// a document number not above the first of the list; ParseSmall needs the same
// one. The list must not have more than SmallMax postings. It fails if im does.
func (b *Builder) AppendSmall(dst []byte, base DocID, im *Impacts) ([]byte, error) {
	if n := len(b.docs); n == 0 || n > SmallMax || b.docs[0] < base {
		return dst, fmt.Errorf("%w: %d postings from base %d are no small list", ErrOrder, n, base)
	}
	next := base
	for _, doc := range b.docs {
		dst = binary.AppendUvarint(dst, uint64(doc-next))
		next = doc + 1
	}
	if b.kind == KindDocs {
		return dst, nil
	}
	if err := b.weigh(im, oneBound, 0); err != nil {
		return dst, err
	}
	dst = append(dst, b.bounds...)
	if len(b.codes) == 1 {
		dst = append(dst, b.codes[0])
	} else {
		kind := kindOf(b.codes)
		dst = append(dst, byte(kind))
		dst = appendPacked(dst, b.codes, kind)
	}
	dst = append(dst, b.vectors...)
	if b.kind != KindPositions {
		return dst, nil
	}
	positions := b.positions
	for rank := range b.docs {
		for _, f := range b.vector(rank) {
			last := uint32(0)
			for _, p := range positions[:f.TF] {
				if p < last {
					return dst, fmt.Errorf("%w: document %d has position %d after %d", ErrOrder, b.docs[rank], p, last)
				}
				dst = binary.AppendUvarint(dst, uint64(p-last))
				last = p
			}
			positions = positions[f.TF:]
		}
	}
	return dst, nil
}

// smallList is a List with the memory that most small lists need.
type smallList struct {
	list      List
	container [1]Container
	array     [8]byte
	dir       [2]byte
}

// onlyBound is what lists of documents only have for bounds.
const onlyBound = "\xff"

// ParseSmall reads a list of df postings in the small form. The list may point
// into data, which must not change. Positions are decoded only if asked for.
// It checks everything in O(len(data)); the error is marked ErrCorrupt.
func ParseSmall(data []byte, df int, base DocID, kind Kind, coding *Coding, withPositions bool) (*List, error) {
	return (&smallList{}).parse(&SmallReader{}, data, df, base, kind, coding, withPositions)
}

// SmallReader is ParseSmall for many lists one after another: each takes the
// place of the one before. The zero value is ready. It is not safe for
// concurrent use.
type SmallReader struct {
	last       smallList
	containers []Container
	array      []byte
	memory     []uint32
}

// Parse is ParseSmall. The list is only valid until the next call.
func (r *SmallReader) Parse(data []byte, df int, base DocID, kind Kind, coding *Coding, withPositions bool) (*List, error) {
	r.last.list = List{}
	return r.last.parse(r, data, df, base, kind, coding, withPositions)
}

// parse reads a list into s and the memory of r.
func (s *smallList) parse(r *SmallReader, data []byte, df int, base DocID, kind Kind, coding *Coding, withPositions bool) (*List, error) {
	if df < 1 || df > SmallMax || kind > KindPositions || kind != KindDocs && coding == nil {
		return nil, fmt.Errorf("%w: small list of %d postings", ErrCorrupt, df)
	}
	l := &s.list
	l.DF = df
	l.Containers = s.container[:0]
	if r.containers != nil {
		l.Containers = r.containers[:0]
	}
	array := s.array[:0]
	if 2*df > len(s.array) {
		r.array = slices.Grow(r.array[:0], 2*df)
		array = r.array
	}
	next := uint64(base)
	for rank := range df {
		gap, n := uvarint(data)
		doc := next + gap
		if n <= 0 || gap >= 1<<32 || doc >= 1<<32 {
			return nil, fmt.Errorf("%w: document %d of a small list", ErrCorrupt, rank)
		}
		data = data[n:]
		next = doc + 1
		last := len(l.Containers) - 1
		if last < 0 || l.Containers[last].Page != uint16(doc>>16) {
			l.Containers = append(l.Containers, Container{Page: uint16(doc >> 16), First: rank, Shift: 16})
			last++
		}
		c := &l.Containers[last]
		array = append(array, byte(doc), byte(doc>>8))
		c.Card++
	}
	if cap(l.Containers) > len(s.container) {
		r.containers = l.Containers
	}
	for i := range l.Containers {
		c := &l.Containers[i]
		c.Array = array[2*c.First : 2*(c.First+c.Card) : 2*(c.First+c.Card)]
	}
	if kind == KindDocs {
		if len(data) != 0 {
			return nil, fmt.Errorf("%w: bytes after a small list", ErrCorrupt)
		}
		bound := []byte(onlyBound)
		for i := range l.Containers {
			l.Containers[i].Bounds, l.Containers[i].Max = bound, 255
		}
		return l, nil
	}
	l.HasFreqs = true
	if len(data) < len(l.Containers)+1 {
		return nil, fmt.Errorf("%w: small list ends before its codes", ErrCorrupt)
	}
	for i := range l.Containers {
		l.Containers[i].Bounds, l.Containers[i].Max = data[i:i+1:i+1], data[i]
	}
	data = data[len(l.Containers):]
	l.codes = codes{coding: coding, dir: s.dir[:]}
	if df == 1 {
		s.dir[0] = packed8
		l.codes.data, data = data[:1:1], data[1:]
	} else {
		size := packedSize(df, uint(data[0]))
		if data[0] > packed8 || size > len(data)-1 {
			return nil, fmt.Errorf("%w: small list ends in its codes", ErrCorrupt)
		}
		s.dir[0] = data[0]
		l.codes.data, data = data[1:1+size:1+size], data[1+size:]
	}
	n, err := l.codes.parseSmall(data, df)
	if err != nil {
		return nil, err
	}
	data = data[n:]
	if kind == KindPositions && withPositions {
		if err := l.parsePositions(data, r); err != nil {
			return nil, err
		}
		return l, nil
	}
	if kind == KindFreqs && len(data) != 0 {
		return nil, fmt.Errorf("%w: bytes after a small list", ErrCorrupt)
	}
	return l, nil
}

// parseSmall reads the vectors of the escapes and returns their length.
func (p *codes) parseSmall(data []byte, df int) (int, error) {
	at := 0
	limit := p.coding.book.Len()
	for rank := range df {
		code := p.at(rank)
		if int(code) < limit {
			continue
		}
		_, n := readVector(nil, data[at:], p.coding.book.Fields())
		if code != score.Escape || n == 0 {
			return 0, fmt.Errorf("%w: code %d of posting %d of a small list", ErrCorrupt, code, rank)
		}
		at += n
		p.escRanks = binary.LittleEndian.AppendUint32(p.escRanks, uint32(rank))
		p.escEnds = binary.LittleEndian.AppendUint32(p.escEnds, uint32(at))
	}
	p.vectors = data[:at:at]
	return at, nil
}

// parsePositions decodes the positions, the rest of the small form.
func (l *List) parsePositions(data []byte, r *SmallReader) error {
	var total uint64
	for rank := range l.DF {
		total += l.codes.total(rank)
	}
	if total > uint64(len(data)) { // a position takes a byte at least
		return fmt.Errorf("%w: %d positions in %d bytes of a small list", ErrCorrupt, total, len(data))
	}
	r.memory = slices.Grow(r.memory[:0], l.DF+int(total))
	memory := r.memory[:l.DF+int(total)]
	p := positions{start: memory[:0:l.DF], flat: memory[l.DF:l.DF]}
	for rank := range l.DF {
		p.start = append(p.start, uint32(len(p.flat)))
		for _, f := range l.Vector(rank, l.codes.coding.book) {
			last := uint64(0)
			for range f.TF {
				gap, n := uvarint(data)
				last += gap
				if n <= 0 || gap >= 1<<32 || last >= 1<<32 {
					return fmt.Errorf("%w: positions of posting %d of a small list", ErrCorrupt, rank)
				}
				data = data[n:]
				p.flat = append(p.flat, uint32(last))
			}
		}
	}
	if len(data) != 0 {
		return fmt.Errorf("%w: bytes after the positions of a small list", ErrCorrupt)
	}
	l.positions, l.HasPos = p, true
	return nil
}

// uvarint is binary.Uvarint with a short way for one byte.
func uvarint(data []byte) (uint64, int) {
	if len(data) > 0 && data[0] < 0x80 {
		return uint64(data[0]), 1
	}
	return binary.Uvarint(data)
}
