package segment

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/score"
)

// metaVersion is the version of the whole format; see the package comment.
const metaVersion = 1

// MaxTextFields is the largest number of text fields of a segment.
const MaxTextFields = 1 << 12

// Meta describes a segment. Only documents that hold a term count as its
// documents.
type Meta struct {
	MinDoc, MaxDoc posting.DocID    // first and last document; 0 and 0 if Docs is 0
	Docs           int              // documents, deleted ones included
	TextFields     int              // number of text fields, which codes depend on
	Terms          int              // terms of all spaces
	LongTerms      int              // terms with a PartList
	Postings       int64            // sum of the document frequencies of all terms
	Bytes          [partKinds]int64 // bytes of the parts by PartKind
	Params         score.Params     // under which the bounds were made
	Pages          []uint16         // pages with documents, ascending; not to be changed
}

// head is the fixed part of the meta part's contents, after which come the
// documents and the index of the dictionary.
type head struct {
	fields   int
	postings int64
	bytes    [partKinds]int64
	params   score.Params
}

// append writes the head and the documents.
func (h *head) append(dst []byte, docs *roaring.Bitmap) ([]byte, error) {
	dst = append(dst, metaVersion, 0)
	dst = binary.LittleEndian.AppendUint16(dst, uint16(h.fields))
	dst = binary.LittleEndian.AppendUint64(dst, uint64(h.postings))
	for _, n := range h.bytes[PartBlock:] {
		dst = binary.LittleEndian.AppendUint64(dst, uint64(n))
	}
	dst = appendFloat(dst, h.params.K1)
	dst = binary.LittleEndian.AppendUint16(dst, uint16(len(h.params.Fields)))
	for _, f := range h.params.Fields {
		dst = appendFloat(dst, f.Weight)
		dst = appendFloat(dst, f.B)
		dst = appendFloat(dst, f.AvgLen)
	}
	docs.RunOptimize() // also makes the bytes a function of the documents alone
	list, err := docs.ToBytes()
	if err != nil {
		return dst, fmt.Errorf("segment: documents: %w", err)
	}
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(list)))
	return append(dst, list...), nil
}

// parseHead reads what append wrote and returns the rest.
func parseHead(data []byte) (*head, *roaring.Bitmap, []byte, error) {
	const fixed = 4 + 8*partKinds + 8 + 2
	if len(data) < fixed || data[0] != metaVersion {
		return nil, nil, nil, fmt.Errorf("%w: head of %d bytes", ErrCorrupt, len(data))
	}
	h := &head{
		fields:   int(binary.LittleEndian.Uint16(data[2:])),
		postings: int64(binary.LittleEndian.Uint64(data[4:])),
	}
	for i := range h.bytes[PartBlock:] {
		h.bytes[1+i] = int64(binary.LittleEndian.Uint64(data[12+8*i:]))
	}
	h.params.K1 = readFloat(data[36:])
	fields := int(binary.LittleEndian.Uint16(data[44:]))
	data = data[fixed:]
	if h.fields > MaxTextFields || len(data) < 24*fields+4 {
		return nil, nil, nil, fmt.Errorf("%w: head with %d and %d fields", ErrCorrupt, h.fields, fields)
	}
	h.params.Fields = make([]score.Field, fields)
	for f := range h.params.Fields {
		h.params.Fields[f] = score.Field{Weight: readFloat(data), B: readFloat(data[8:]), AvgLen: readFloat(data[16:])}
		data = data[24:]
	}
	if err := checkParams(h.params); err != nil {
		return nil, nil, nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	size := uint64(binary.LittleEndian.Uint32(data))
	data = data[4:]
	if size > uint64(len(data)) {
		return nil, nil, nil, fmt.Errorf("%w: documents are cut off", ErrCorrupt)
	}
	docs := roaring.New()
	n, err := docs.ReadFrom(bytes.NewReader(data[:size]))
	if err == nil && uint64(n) != size {
		err = fmt.Errorf("%d bytes of %d", n, size)
	}
	if err == nil && !docs.IsEmpty() {
		err = docs.Validate()
	}
	if err != nil {
		return nil, nil, nil, fmt.Errorf("%w: documents: %w", ErrCorrupt, err)
	}
	return h, docs, data[size:], nil
}

// checkParams refuses numbers that score cannot compute with.
func checkParams(p score.Params) error {
	if !(p.K1 >= 0 && p.K1 < math.MaxFloat32) {
		return fmt.Errorf("k1 is %g", p.K1)
	}
	for i, f := range p.Fields {
		if !(f.Weight >= 0 && f.Weight < math.MaxFloat32 && f.B >= 0 && f.B <= 1 && f.AvgLen >= 0 && f.AvgLen < math.MaxFloat32) {
			return fmt.Errorf("field %d has the parameters %+v", i, f)
		}
	}
	return nil
}

// meta makes the public form.
func (h *head) meta(docs *roaring.Bitmap) Meta {
	m := Meta{
		Docs:       int(docs.GetCardinality()),
		TextFields: h.fields,
		Postings:   h.postings,
		Bytes:      h.bytes,
		Params:     h.params,
	}
	if m.Docs == 0 {
		return m
	}
	m.MinDoc, m.MaxDoc = docs.Minimum(), docs.Maximum()
	for it := docs.Iterator(); it.HasNext(); {
		page := it.Next() >> 16
		m.Pages = append(m.Pages, uint16(page))
		if page == posting.PageSize-1 {
			break
		}
		it.AdvanceIfNeeded((page + 1) << 16)
	}
	return m
}

func appendFloat(dst []byte, x float64) []byte {
	return binary.LittleEndian.AppendUint64(dst, math.Float64bits(x))
}

func readFloat(data []byte) float64 {
	return math.Float64frombits(binary.LittleEndian.Uint64(data))
}
