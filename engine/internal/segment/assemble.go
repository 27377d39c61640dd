package segment

import (
	"fmt"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/score"
	"github.com/quarry-search/quarry/engine/internal/termdict"
)

// Impacts is what Build and Merge need to know of the ranking: the bounds in a
// segment say how strong postings are under these parameters.
type Impacts struct {
	Params score.Params
	Table  *score.Table // made from Params
	// Norms returns the norms of a run of documents that holds doc. It is
	// asked for documents in ascending order term by term, so it is asked
	// often, unless runs are long.
	Norms func(doc posting.DocID) (posting.NormRun, error)
	// Before is posting.Impacts.Before.
	Before func(a, b posting.DocID) (bool, error)
}

// assembler turns lists, by ascending key, into the parts of a segment.
type assembler struct {
	sink   Sink
	dict   *termdict.Builder
	coding *posting.Coding
	im     *posting.Impacts
	base   posting.DocID // the first document of the segment
	head   head
	buf    []byte // a part being made, checksum first
	inline []byte
}

// newAssembler prepares a segment over the documents from base on.
func newAssembler(sink Sink, im *Impacts, base posting.DocID) (*assembler, error) {
	if err := checkParams(im.Params); err != nil {
		return nil, fmt.Errorf("segment: %w", err)
	}
	fields := im.Table.Book().Fields()
	if fields > MaxTextFields {
		return nil, fmt.Errorf("segment: %d text fields are more than %d", fields, MaxTextFields)
	}
	a := &assembler{
		sink:   sink,
		coding: posting.NewCoding(im.Table.Book()),
		im:     &posting.Impacts{Table: im.Table, Norms: im.Norms, Before: im.Before},
		base:   base,
		head:   head{fields: fields, params: im.Params},
	}
	a.dict = termdict.NewBuilder(func(ordinal uint32, block []byte) error {
		a.buf = append(a.begin(), block...)
		return a.put(PartBlock, ordinal)
	})
	return a, nil
}

// begin returns a.buf empty but for the room of a checksum.
func (a *assembler) begin() []byte { return append(a.buf[:0], make([]byte, sumSize)...) }

// put hands out a.buf as a part.
func (a *assembler) put(kind PartKind, ordinal uint32) error {
	seal(a.buf)
	a.head.bytes[kind] += int64(len(a.buf))
	if err := a.sink.Put(kind, ordinal, a.buf); err != nil {
		return fmt.Errorf("segment: %v %d: %w", kind, ordinal, err)
	}
	return nil
}

// add writes the list of a term, which must not be empty.
func (a *assembler) add(key []byte, b *posting.Builder) (err error) {
	a.head.postings += int64(b.Len())
	if b.Len() <= posting.SmallMax {
		if a.inline, err = b.AppendSmall(a.inline[:0], a.base, a.im); err != nil {
			return err
		}
		if termdict.Fits(len(a.inline)) {
			return a.dict.Add(key, b.Len(), a.inline)
		}
	}
	ordinal, err := a.dict.AddLong(key, b.Len())
	if err != nil {
		return err
	}
	if a.buf, err = b.AppendLong(a.begin(), a.im); err != nil {
		return err
	}
	if err := a.put(PartList, uint32(ordinal)); err != nil || kindOf(key) != posting.KindPositions {
		return err
	}
	if a.buf, err = b.AppendPositions(a.begin()); err != nil {
		return err
	}
	return a.put(PartPositions, uint32(ordinal))
}

// finish writes the last block and the meta part.
func (a *assembler) finish(docs *roaring.Bitmap) (Meta, error) {
	// The index goes behind the head, which counts the blocks.
	index, err := a.dict.Finish(nil)
	if err != nil {
		return Meta{}, err
	}
	if a.buf, err = a.head.append(a.begin(), docs); err != nil {
		return Meta{}, err
	}
	a.buf = append(a.buf, index...)
	if err := a.put(PartMeta, 0); err != nil {
		return Meta{}, err
	}
	m := a.head.meta(docs)
	m.Terms, m.LongTerms = a.dict.Terms(), a.dict.LongTerms()
	return m, nil
}
