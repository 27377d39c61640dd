package posting

import "encoding/binary"

// Span is where the positions of a posting lie, which Locate finds. It stays true as
// long as the list.
type Span struct {
	bit   uint64 // of positions.data
	head  uint64 // what stands there
	have  uint8  // bits of head
	width uint8  // of a position, in bits
	Code  uint8  // of the posting
}

// After returns what is left of a span behind n positions, such as those of other fields.
func (s *Span) After(n uint32) Span {
	out := *s
	bits := uint64(n) * uint64(s.width)
	out.bit += bits
	if bits > uint64(s.have) {
		bits = uint64(s.have)
	}
	out.head, out.have = s.head>>bits, s.have-uint8(bits)
	return out
}

// Locate finds where the positions of postings lie, whose ranks should ascend: of the
// first in spans[0], then in every step-th of spans. It is quicker than to read one posting
// after the other, since the memory in which positions lie is waited for together. It
// returns false if the list is small, so that its positions lie elsewhere, and for
// corrupt ones.
func (r *PositionReader) Locate(ranks []int32, spans []Span, step int) bool {
	if r.list.positions.start != nil {
		return false
	}
	c, data := &r.list.codes, r.list.positions.data
	for i, rank := range ranks {
		rank := int(rank)
		if rank/positionBlock != r.block || rank < r.next {
			if !r.seek(rank) {
				return false
			}
		} else if rank > r.next {
			r.from += c.totalsOf(r.kind, r.start, r.next, rank) * uint64(r.width)
			r.next = rank
		}
		s := &spans[i*step]
		s.bit, s.width, s.Code = r.from, uint8(r.width), c.unpack(r.kind, r.start, rank)
		s.head, s.have = 0, 0
		if at := r.from >> 3; at+8 <= uint64(len(data)) {
			s.head, s.have = binary.LittleEndian.Uint64(data[at:])>>(r.from&7), uint8(64-r.from&7)
		}
	}
	return true
}

// ReadSpan returns the first n positions of a span, as Read does.
func (r *PositionReader) ReadSpan(s *Span, n uint32) []uint32 {
	r.buf = r.list.positions.append(r.buf[:0], s.bit, uint(s.width), uint64(n))
	if len(r.buf) != int(n) {
		return nil
	}
	return r.buf
}

// Whole tells whether Has and At know the first n positions of a span.
func (s *Span) Whole(n uint32) bool { return uint64(n)*uint64(s.width) <= uint64(s.have) }

// At returns position i of a span, of which it knows more than that.
func (s *Span) At(i uint32) uint32 {
	return uint32(s.head >> (i * uint32(s.width)) & (1<<s.width - 1))
}

// Has tells whether at is one of the first n positions of a span, which it knows. It
// compares all of them at once (Mycroft's test for a zero in a word, see Warren, "Hacker's
// Delight", 6-1).
func (s *Span) Has(n uint32, at uint64) bool {
	if at>>s.width != 0 {
		return false
	}
	all := uint64(1)<<(n*uint32(s.width)) - 1
	ones := eachOf[s.width] & all
	x := s.head&all ^ at*ones
	return (x-ones)&^x&(ones<<(s.width-1)) != 0
}

// eachOf has the lowest bit of as many values as a word holds, by their width.
var eachOf = func() (each [maxPositionWidth + 1]uint64) {
	for width := 1; width < len(each); width++ {
		for at := 0; at+width <= 64; at += width {
			each[width] |= 1 << at
		}
	}
	return each
}()

// Marks is a set of positions below maxMark: bit i&63 of word i>>6 stands for i.
type Marks [maxMark / 64]uint64

const maxMark = 256

// Mark adds the first n positions of a span to a set. It tells whether all of them
// have a place there; if not, the set may have some of them.
func (r *PositionReader) Mark(s *Span, n uint32, set *Marks) bool {
	p := &r.list.positions
	last, mask := s.bit+uint64(n)*uint64(s.width), uint64(1)<<s.width-1
	if last>>3+8 > uint64(len(p.data)) {
		return mark(r.ReadSpan(s, n), n, set)
	}
	for bit := s.bit; bit < last; bit += uint64(s.width) {
		at := binary.LittleEndian.Uint64(p.data[bit>>3:]) >> (bit & 7) & mask
		if at >= maxMark {
			return false
		}
		set[at>>6&(maxMark/64-1)] |= 1 << (at & 63)
	}
	return true
}

// Strike takes out of a set the first n positions of a span, each moved down by shift,
// and returns how many of them were there.
func (r *PositionReader) Strike(s *Span, n uint32, set *Marks, shift uint64) (struck uint32) {
	p := &r.list.positions
	last, mask := s.bit+uint64(n)*uint64(s.width), uint64(1)<<s.width-1
	if last>>3+8 > uint64(len(p.data)) {
		return strike(r.ReadSpan(s, n), set, shift)
	}
	for bit := s.bit; bit < last; bit += uint64(s.width) {
		at := binary.LittleEndian.Uint64(p.data[bit>>3:])>>(bit&7)&mask - shift
		if at < maxMark {
			was := set[at>>6&(maxMark/64-1)] >> (at & 63) & 1
			struck += uint32(was)
			set[at>>6&(maxMark/64-1)] &^= was << (at & 63)
		}
	}
	return struck
}

// mark adds n positions to a set, false if there are not as many or one has no place there.
func mark(positions []uint32, n uint32, set *Marks) bool {
	for _, at := range positions {
		if at >= maxMark {
			return false
		}
		set[at>>6] |= 1 << (at & 63)
	}
	return len(positions) == int(n)
}

// strike takes positions out of a set, each moved down by shift, and returns how many
// of them were there.
func strike(positions []uint32, set *Marks, shift uint64) (struck uint32) {
	for _, position := range positions {
		if at := uint64(position) - shift; at < maxMark {
			was := set[at>>6] >> (at & 63) & 1
			struck += uint32(was)
			set[at>>6] &^= was << (at & 63)
		}
	}
	return struck
}
