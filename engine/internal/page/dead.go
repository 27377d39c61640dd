package page

import (
	"math/bits"

	"github.com/RoaringBitmap/roaring/v2"
)

// Dead is the set of the places of a page whose documents were deleted: their
// tombstones. It never changes and may be used by many goroutines; the zero
// Dead is the empty set.
type Dead struct {
	words [Size / 64]uint64
	count int
}

// With returns the set with more places. d stays as it is.
func (d *Dead) With(places []uint16) *Dead {
	next := &Dead{words: d.words, count: d.count}
	for _, p := range places {
		w, bit := &next.words[p>>6], uint64(1)<<(p&63)
		if *w&bit == 0 {
			*w |= bit
			next.count++
		}
	}
	return next
}

// Contains reports whether the document at a place is deleted.
func (d *Dead) Contains(place uint16) bool { return d.words[place>>6]>>(place&63)&1 != 0 }

// Count returns the number of places in the set.
func (d *Dead) Count() int { return d.count }

// Words returns the set as bits: bit p%64 of word p/64 for place p. They must
// not be changed.
func (d *Dead) Words() *[Size / 64]uint64 { return &d.words }

// maxDeadBytes is above the size of every bitmap of one container: at most
// 8 KiB of bits or 128 KiB of runs, and the header.
const maxDeadBytes = 1<<17 + 64

// Encode returns the set in Roaring's portable format, framed and with a
// checksum: at most 8.2 KB, and 2 bytes a place when there are few.
func (d *Dead) Encode() ([]byte, error) {
	bitmap := roaring.FromDense(d.words[:], true)
	bitmap.RunOptimize()
	body, err := bitmap.ToBytes()
	if err != nil {
		return nil, err
	}
	return endFrame(append(beginFrame(nil, Part{Kind: partDead}), body...), 0), nil
}

// DecodeDead is the inverse of Encode. It keeps nothing of data.
func DecodeDead(data []byte) (*Dead, error) {
	r, err := openFrame(Part{Kind: partDead}, data)
	if err != nil {
		return nil, err
	}
	if len(r.b) > maxDeadBytes {
		return nil, r.corrupt("%d bytes for one container", len(r.b))
	}
	bitmap := roaring.New()
	n, err := bitmap.FromBuffer(r.b)
	if err != nil {
		return nil, r.corrupt("%v", err)
	}
	r.take(int(n))
	if err := r.end(); err != nil {
		return nil, err
	}
	if err := bitmap.Validate(); err != nil && !bitmap.IsEmpty() {
		return nil, r.corrupt("%v", err)
	}
	d := new(Dead)
	if bitmap.IsEmpty() {
		return d, nil
	}
	if last := bitmap.Maximum(); last >= Size {
		return nil, r.corrupt("place %d is not in a page", last)
	}
	bitmap.WriteDenseTo(d.words[:])
	for _, w := range d.words {
		d.count += bits.OnesCount64(w)
	}
	return d, nil
}
