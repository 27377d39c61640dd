package segment

import (
	"fmt"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/score"
	"github.com/quarry-search/quarry/engine/internal/termdict"
)

// Reader reads a segment. It holds the meta part in memory and fetches all
// others when they are needed; it caches nothing. It is immutable and safe for
// concurrent use.
type Reader struct {
	src  Source
	meta Meta
	docs *roaring.Bitmap
	dict *termdict.Dict

	book   func(fields int) *score.Codebook
	once   sync.Once
	coding *posting.Coding // see codes
}

// Open reads the meta part of a segment. book returns the codebook of a number
// of text fields, so that segments can share one; with nil the reader makes
// its own when it first needs it. Errors are those of src or marked ErrCorrupt.
func Open(src Source, book func(fields int) *score.Codebook) (*Reader, error) {
	if book == nil {
		book = score.NewCodebook
	}
	r := &Reader{src: src, book: book}
	part, err := src.Part(PartMeta, 0)
	if err != nil {
		return nil, fmt.Errorf("meta: %w", err)
	}
	data, err := body(part, true)
	if err != nil {
		return nil, fmt.Errorf("meta: %w", err)
	}
	h, docs, index, err := parseHead(data)
	if err != nil {
		return nil, fmt.Errorf("meta: %w", err)
	}
	if r.dict, err = termdict.Open(index, r.block); err != nil {
		return nil, fmt.Errorf("meta: %w", mark(err))
	}
	h.bytes[PartMeta] = int64(len(part))
	r.docs = docs
	r.meta = h.meta(docs)
	r.meta.Terms, r.meta.LongTerms = r.dict.Terms(), r.dict.LongTerms()
	return r, nil
}

// Meta returns the description of the segment.
func (r *Reader) Meta() Meta { return r.meta }

// Docs returns the documents of the segment, those that hold a term. It must
// not be changed.
func (r *Reader) Docs() *roaring.Bitmap { return r.docs }

// block fetches a block of the dictionary.
func (r *Reader) block(ordinal uint32) ([]byte, error) { return r.part(PartBlock, ordinal, true) }

// passBlock is block for a walk over all of them.
func (r *Reader) passBlock(ordinal uint32) ([]byte, error) {
	if p, ok := r.src.(Passer); ok {
		return fetch(p.Pass, PartBlock, ordinal, true)
	}
	return r.block(ordinal)
}

// part fetches the contents of a part.
func (r *Reader) part(kind PartKind, ordinal uint32, verify bool) ([]byte, error) {
	return fetch(r.src.Part, kind, ordinal, verify)
}

func fetch(from func(PartKind, uint32) ([]byte, error), kind PartKind, ordinal uint32, verify bool) ([]byte, error) {
	part, err := from(kind, ordinal)
	if err != nil {
		return nil, fmt.Errorf("%v %d: %w", kind, ordinal, err)
	}
	data, err := body(part, verify)
	if err != nil {
		return nil, fmt.Errorf("%v %d: %w", kind, ordinal, err)
	}
	return data, nil
}

// codes returns the coding of the segment's lists.
func (r *Reader) codes() *posting.Coding {
	r.once.Do(func() { r.coding = posting.NewCoding(r.book(r.meta.TextFields)) })
	return r.coding
}

// DF returns the number of documents in the list of a key, deleted ones
// included; 0 if there is none. It fetches one block at most.
func (r *Reader) DF(key []byte) (int, error) {
	info, _, err := r.dict.Lookup(key)
	return info.DF, mark(err)
}

// ListOptions says how a list is read.
type ListOptions struct {
	Positions bool // of a list in SpaceText
	Compact   bool // room is short: see posting.Unpack
}

// List returns the posting list of a key, or nil if there is none. It fetches one part, or two
// for the positions of a long list. Dictionary blocks are verified by their
// checksum; lists only by their structure, because their readers are safe on
// wrong bytes and a checksum would have to read all of a list of which a query
// reads little. Check verifies both.
func (r *Reader) List(key []byte, o ListOptions) (*posting.List, error) {
	if len(key) < 2 {
		return nil, nil
	}
	info, ok, err := r.dict.Lookup(key)
	if err != nil || !ok {
		return nil, mark(err)
	}
	return r.list(key, info, o.Positions, false, posting.ParseSmall, func(data []byte, coding *posting.Coding) (*posting.List, error) {
		return posting.Unpack(data, coding, o.Compact)
	})
}

// parseLong is posting.Parse, or posting.Unpack in one of its ways.
type parseLong func(data []byte, coding *posting.Coding) (*posting.List, error)

// parseSmall is posting.ParseSmall or the method of a posting.SmallReader.
type parseSmall func(data []byte, df int, base posting.DocID, kind posting.Kind, coding *posting.Coding, withPositions bool) (*posting.List, error)

// list reads the list of a dictionary entry.
func (r *Reader) list(key []byte, info termdict.Info, positions, verify bool, small parseSmall, long parseLong) (*posting.List, error) {
	if len(key) < 2 {
		return nil, fmt.Errorf("%w: %s", ErrCorrupt, place(key))
	}
	kind := kindOf(key)
	positions = positions && kind == posting.KindPositions
	var coding *posting.Coding
	if kind != posting.KindDocs {
		coding = r.codes()
	}
	if info.Long < 0 {
		l, err := small(info.Inline, info.DF, r.meta.MinDoc, kind, coding, positions)
		if err != nil {
			return nil, fmt.Errorf("list of %s: %w", place(key), mark(err))
		}
		return l, nil
	}
	data, err := r.part(PartList, uint32(info.Long), verify)
	if err != nil {
		return nil, err
	}
	l, err := long(data, coding)
	if err == nil && (l.DF != info.DF || l.HasFreqs != (kind != posting.KindDocs)) {
		err = fmt.Errorf("%w: the dictionary counts %d documents, the list %d", ErrCorrupt, info.DF, l.DF)
	}
	if err == nil && positions {
		if data, err = r.part(PartPositions, uint32(info.Long), verify); err == nil {
			l, err = l.WithPositions(data)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("list %d: %w", info.Long, mark(err))
	}
	return l, nil
}

// Terms returns an iterator over the terms with keys from lo on and below hi;
// a nil hi means to the end. It keeps both.
func (r *Reader) Terms(lo, hi []byte) *TermIter {
	return &TermIter{r: r, it: r.dict.Iter(lo, hi)}
}

// Scan is Terms for a walk over much of the dictionary; see Passer.
func (r *Reader) Scan(lo, hi []byte) *TermIter {
	return &TermIter{r: r, it: r.dict.IterBy(lo, hi, r.passBlock)}
}

// TermIter walks over terms by ascending key. It stands before the first until
// Next or Seek returns true. It is not safe for concurrent use.
type TermIter struct {
	r  *Reader
	it *termdict.Iter
}

// Next moves to the next term, and returns false after the last or on an
// error.
func (t *TermIter) Next() bool { return t.it.Next() }

// Seek moves to the first term of the range whose key is not below key, in
// either direction, and returns whether there is one.
func (t *TermIter) Seek(key []byte) bool { return t.it.Seek(key) }

// Key returns the key of the current term, valid until the next move.
func (t *TermIter) Key() []byte { return t.it.Key() }

// DF returns the number of documents of the current term, deleted ones
// included.
func (t *TermIter) DF() int { return t.it.Info().DF }

// List returns the list of the current term, for a pass over all of them: unlike that
// of Reader.List, it may point into the part that it was read from.
func (t *TermIter) List(positions bool) (*posting.List, error) {
	return t.r.list(t.it.Key(), t.it.Info(), positions, false, posting.ParseSmall, posting.Parse)
}

// Err returns the error that ended the iteration, if any.
func (t *TermIter) Err() error { return mark(t.it.Err()) }
