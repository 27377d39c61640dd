package vector

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// ErrCorrupt marks errors about bytes that are not an encoded Model.
var ErrCorrupt = errors.New("corrupt")

// modelFormat is the version of the bytes of a Model. 1: the first.
//
//	uvarint format
//	uvarint documents, dimensions of the first part, of the second, terms
//	for each term, ascending:
//	  uvarint bytes shared with the term before, uvarint further bytes, these
//	for each term, all little endian:
//	  float32 idf, float32 step of the first part, float32 of the second,
//	  the dimensions in steps, a signed byte each
//
// With 64 and 64 dimensions a term takes about 146 bytes.
const modelFormat = 1

// maxDims bounds the dimensions of a part, as far as they are believed.
const maxDims = 4096

// Encode returns the model as bytes that Decode reads.
func (m *Model) Encode() []byte {
	b := make([]byte, 0, m.Bytes())
	for _, n := range [...]int{modelFormat, m.documents, m.dims[0], m.dims[1], len(m.terms)} {
		b = binary.AppendUvarint(b, uint64(n))
	}
	before := ""
	for _, t := range m.terms {
		shared := 0
		for shared < min(len(before), len(t)) && before[shared] == t[shared] {
			shared++
		}
		b = binary.AppendUvarint(b, uint64(shared))
		b = binary.AppendUvarint(b, uint64(len(t)-shared))
		b = append(b, t[shared:]...)
		before = t
	}
	for i := range m.terms {
		b = appendFloat(b, m.idf[i])
		b = appendFloat(b, m.scales[2*i])
		b = appendFloat(b, m.scales[2*i+1])
		b = append(b, m.steps[i*m.Dims():(i+1)*m.Dims()]...)
	}
	return b
}

func appendFloat(b []byte, f float32) []byte {
	return binary.LittleEndian.AppendUint32(b, math.Float32bits(f))
}

// Decode reads a model. It keeps nothing of b. Errors are marked ErrCorrupt.
func Decode(b []byte) (*Model, error) {
	d := decoder{rest: b}
	if f := d.number(); d.err == nil && f != modelFormat {
		return nil, fmt.Errorf("%w: a model of format %d, this release knows %d", ErrCorrupt, f, modelFormat)
	}
	m := &Model{documents: d.number(), dims: [2]int{d.number(), d.number()}}
	n := d.number()
	if m.dims[0] > maxDims || m.dims[1] > maxDims || n > len(d.rest) {
		d.fail("%d and %d dimensions, %d terms", m.dims[0], m.dims[1], n)
	}
	if d.err != nil {
		return nil, d.err
	}
	m.terms = make([]string, 0, n)
	before := ""
	for range n {
		shared := d.number()
		more := d.bytes(d.number())
		if shared > len(before) {
			d.fail("a term shares %d bytes with one of %d", shared, len(before))
		}
		if d.err != nil {
			return nil, d.err
		}
		t := before[:shared] + string(more)
		if len(m.terms) > 0 && t <= before {
			return nil, fmt.Errorf("%w: terms out of order", ErrCorrupt)
		}
		m.terms, before = append(m.terms, t), t
	}
	if want := n * (12 + m.Dims()); len(d.rest) != want {
		return nil, fmt.Errorf("%w: %d bytes of vectors instead of %d", ErrCorrupt, len(d.rest), want)
	}
	m.idf, m.scales, m.steps = make([]float32, n), make([]float32, 2*n), make([]byte, 0, n*m.Dims())
	for i := range n {
		m.idf[i], m.scales[2*i], m.scales[2*i+1] = d.float(), d.float(), d.float()
		m.steps = append(m.steps, d.bytes(m.Dims())...)
	}
	if d.err != nil {
		return nil, d.err
	}
	m.index()
	return m, nil
}

// decoder takes bytes apart until the first error.
type decoder struct {
	rest []byte
	err  error
}

func (d *decoder) fail(format string, args ...any) {
	if d.err == nil {
		d.err = fmt.Errorf("%w: model: %s", ErrCorrupt, fmt.Sprintf(format, args...))
	}
}

func (d *decoder) number() int {
	v, n := binary.Uvarint(d.rest)
	if n <= 0 || v > math.MaxInt32 {
		d.fail("a number is cut off or too large")
		return 0
	}
	d.rest = d.rest[n:]
	return int(v)
}

func (d *decoder) bytes(n int) []byte {
	if n > len(d.rest) {
		d.fail("%d bytes of %d", n, len(d.rest))
		return nil
	}
	b := d.rest[:n]
	d.rest = d.rest[n:]
	return b
}

// maxWeight bounds what is read as a weight or a step, so that sums stay
// finite.
const maxWeight = 1e9

// float takes a number between 0 and maxWeight.
func (d *decoder) float() float32 {
	b := d.bytes(4)
	if d.err != nil {
		return 0
	}
	f := math.Float32frombits(binary.LittleEndian.Uint32(b))
	if !(f >= 0 && f <= maxWeight) {
		d.fail("%v is no weight", f)
	}
	return f
}
