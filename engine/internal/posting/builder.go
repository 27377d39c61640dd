package posting

import (
	"errors"
	"fmt"

	"github.com/quarry-search/quarry/engine/internal/score"
)

// Builder collects the postings of one term and encodes them. Add the
// postings in ascending order, then encode with AppendSmall or AppendLong (and
// AppendPositions), or take a List. Reset makes it ready for the next term and
// keeps its memory. It is not safe for concurrent use.
type Builder struct {
	coding    *Coding
	kind      Kind
	docs      []DocID
	codes     []uint8
	escapes   []escape
	vectors   []byte // of the escapes, encoded
	positions []uint32
	memo      [64]memo // codes of vectors over two fields

	bounds []uint8
	strong []champion
	before func(a, b DocID) (bool, error) // of the impacts at hand; nil: by number
	err    error                          // that before returned
	run    NormRun                        // the last that runOf gave
	runOf  *Impacts                       // nil if none has
}

// escape is a posting whose vector has no code.
type escape struct {
	rank  int
	end   int // of its vector in Builder.vectors
	total int
}

// memo remembers the code of a vector; Codebook.Code would allocate.
type memo struct {
	key  uint64
	code uint8
}

// ErrOrder is returned by Builder.Add for postings that break the rules of
// the format: documents or positions out of order, a vector that does not fit
// the coding, positions that do not fit the vector.
var ErrOrder = errors.New("posting: not in order")

// NewBuilder returns a builder of lists of one kind. coding may be nil for
// KindDocs.
func NewBuilder(coding *Coding, kind Kind) *Builder {
	b := &Builder{}
	b.Reset(coding, kind)
	return b
}

// Reset empties the builder and sets what it builds next.
func (b *Builder) Reset(coding *Coding, kind Kind) {
	if coding != b.coding {
		b.memo = [64]memo{}
	}
	b.coding, b.kind = coding, kind
	b.docs = b.docs[:0]
	b.codes = b.codes[:0]
	b.escapes = b.escapes[:0]
	b.vectors = b.vectors[:0]
	b.positions = b.positions[:0]
}

// Len returns the number of postings added since Reset.
func (b *Builder) Len() int { return len(b.docs) }

// Add adds a posting. Documents ascend. v is nil for KindDocs; positions, only
// for KindPositions, are those that List.Positions returns: v[0].TF ascending
// ones of field v[0].Field, then the next field's. It keeps neither v nor
// positions.
func (b *Builder) Add(doc DocID, v score.Vector, positions []uint32) error {
	if n := len(b.docs); n > 0 && b.docs[n-1] >= doc {
		return fmt.Errorf("%w: document %d after %d", ErrOrder, doc, b.docs[n-1])
	}
	if b.kind != KindDocs {
		if err := b.check(doc, v, positions); err != nil {
			return err
		}
		code := b.code(v)
		if code == score.Escape {
			b.vectors = appendVector(b.vectors, v)
			b.escapes = append(b.escapes, escape{rank: len(b.docs), end: len(b.vectors), total: int(v.Total())})
		}
		b.codes = append(b.codes, code)
		if b.kind == KindPositions {
			b.positions = append(b.positions, positions...)
		}
	}
	b.docs = append(b.docs, doc)
	return nil
}

// check validates a posting with frequencies.
func (b *Builder) check(doc DocID, v score.Vector, positions []uint32) error {
	if len(v) == 0 {
		return fmt.Errorf("%w: document %d has no frequencies", ErrOrder, doc)
	}
	var total uint64
	for i, f := range v {
		if f.TF == 0 || int(f.Field) >= b.coding.book.Fields() || i > 0 && f.Field <= v[i-1].Field {
			return fmt.Errorf("%w: document %d has the vector %v", ErrOrder, doc, v)
		}
		total += uint64(f.TF)
	}
	if total > maxTotal {
		return fmt.Errorf("%w: document %d has %d occurrences", ErrOrder, doc, total)
	}
	if b.kind != KindPositions {
		return nil
	}
	if uint64(len(positions)) != total {
		return fmt.Errorf("%w: document %d has %d positions for %d occurrences", ErrOrder, doc, len(positions), total)
	}
	for _, f := range v {
		for i := 1; i < int(f.TF); i++ {
			if positions[i] < positions[i-1] {
				return fmt.Errorf("%w: document %d has position %d after %d", ErrOrder, doc, positions[i], positions[i-1])
			}
		}
		positions = positions[f.TF:]
	}
	return nil
}

// code is Codebook.Code without its allocation for vectors over two fields.
func (b *Builder) code(v score.Vector) uint8 {
	if len(v) != 2 || (v[0].TF|v[1].TF) > 0xff || (v[0].Field|v[1].Field) > 0xff {
		return b.coding.book.Code(v)
	}
	key := uint64(v[0].Field)<<24 | uint64(v[1].Field)<<16 | uint64(v[0].TF)<<8 | uint64(v[1].TF)
	m := &b.memo[key*0x9e3779b97f4a7c15>>58]
	if m.key != key {
		*m = memo{key, b.coding.book.Code(v)}
	}
	return m.code
}

// total returns the number of occurrences of a posting.
func (b *Builder) total(rank int) int {
	if code := b.codes[rank]; code != score.Escape {
		return int(b.coding.totals[code])
	}
	return b.escapes[b.escape(rank)].total
}

// escape returns the index in escapes of a rank that has the code Escape.
func (b *Builder) escape(rank int) int {
	lo, hi := 0, len(b.escapes)
	for lo < hi {
		if h := (lo + hi) / 2; b.escapes[h].rank < rank {
			lo = h + 1
		} else {
			hi = h
		}
	}
	return lo
}

// vector returns the vector of a posting.
func (b *Builder) vector(rank int) score.Vector {
	if code := b.codes[rank]; code != score.Escape {
		return b.coding.book.Vector(code)
	}
	v, _ := readVector(nil, b.escapeBytes(b.escape(rank)), b.coding.book.Fields())
	return v
}

// escapeBytes returns the encoded vector of an escape.
func (b *Builder) escapeBytes(i int) []byte {
	from := 0
	if i > 0 {
		from = b.escapes[i-1].end
	}
	return b.vectors[from:b.escapes[i].end]
}

// champion is a candidate for List.Champions.
type champion struct {
	impact uint16
	doc    DocID
	rank   int
}

// weaker orders champions: by impact, and of equal ones that is the weaker which
// stands behind the other.
func (b *Builder) weaker(c, d champion) bool {
	switch {
	case c.impact != d.impact:
		return c.impact < d.impact
	case b.before == nil:
		return c.doc > d.doc
	}
	before, err := b.before(d.doc, c.doc)
	if err != nil && b.err == nil {
		b.err = fmt.Errorf("order of documents %d and %d: %w", d.doc, c.doc, err)
	}
	return before
}

// weigh computes bounds, one byte for each block of places that sizes gives
// (log2 of the places of a block in a container of a cardinality), and keeps
// the strongest postings in b.strong, a heap with the weakest in front.
func (b *Builder) weigh(im *Impacts, shift func(card int) uint, champions int) error {
	b.bounds, b.strong = b.bounds[:0], b.strong[:0]
	b.before, b.err = nil, nil
	if b.kind == KindDocs || im == nil {
		for from := 0; from < len(b.docs); {
			to := pageEnd(b.docs, from)
			for range PageSize >> shift(to-from) {
				b.bounds = append(b.bounds, 255)
			}
			from = to
		}
		return nil
	}
	run := b.run
	inRun := b.runOf == im
	b.runOf, b.before = nil, im.Before
	for from := 0; from < len(b.docs); {
		to := pageEnd(b.docs, from)
		s := shift(to - from)
		base := len(b.bounds)
		for range PageSize >> s {
			b.bounds = append(b.bounds, 0)
		}
		bounds := b.bounds[base:]
		for rank := from; rank < to; rank++ {
			doc := b.docs[rank]
			if !inRun || doc < run.First || doc > run.Last {
				var err error
				if run, err = im.normsOf(doc); err != nil {
					return err
				}
				inRun = true
			}
			var impact uint16
			if code := b.codes[rank]; code != score.Escape {
				impact = im.Table.Impact(code, run.Norms, int(doc-run.First))
			} else {
				impact = im.Table.ImpactOf(b.vector(rank), run.Norms, int(doc-run.First))
			}
			block := doc & (PageSize - 1) >> s
			bounds[block] = max(bounds[block], uint8(impact>>8))
			if champions > 0 {
				b.rank(champion{impact, doc, rank}, champions)
			}
		}
		from = to
	}
	b.run, b.runOf = run, im
	return b.err
}

// rank puts c into the heap of the strongest.
func (b *Builder) rank(c champion, limit int) {
	h := b.strong
	if len(h) < limit {
		h = append(h, c)
		i := len(h) - 1
		for i > 0 && b.weaker(h[i], h[(i-1)/2]) {
			h[i], h[(i-1)/2] = h[(i-1)/2], h[i]
			i = (i - 1) / 2
		}
		b.strong = h
		return
	}
	if !b.weaker(h[0], c) {
		return
	}
	h[0] = c
	for i := 0; ; {
		kid := 2*i + 1
		if kid >= len(h) {
			return
		}
		if kid+1 < len(h) && b.weaker(h[kid+1], h[kid]) {
			kid++
		}
		if !b.weaker(h[kid], h[i]) {
			return
		}
		h[i], h[kid] = h[kid], h[i]
		i = kid
	}
}

// normsOf asks for the norms of doc and makes sure that they cover it.
func (im *Impacts) normsOf(doc DocID) (NormRun, error) {
	run, err := im.Norms(doc)
	if err != nil {
		return run, fmt.Errorf("norms of document %d: %w", doc, err)
	}
	if doc < run.First || doc > run.Last {
		return run, fmt.Errorf("posting: norms of document %d: the run is from %d to %d", doc, run.First, run.Last)
	}
	for f, norms := range run.Norms {
		if norms != nil && uint64(len(norms)) <= uint64(run.Last-run.First) {
			return run, fmt.Errorf("posting: norms of field %d end before document %d", f, run.Last)
		}
	}
	return run, nil
}

// pageEnd returns the index after the documents that share a page with
// docs[from].
func pageEnd(docs []DocID, from int) int {
	page := docs[from] >> 16
	if docs[len(docs)-1]>>16 == page {
		return len(docs)
	}
	lo, hi := from+1, len(docs)-1
	for lo < hi {
		if h := (lo + hi) / 2; docs[h]>>16 == page {
			lo = h + 1
		} else {
			hi = h
		}
	}
	return lo
}

// boundShift is log2 of the places that one bound of a long list covers, in a
// container of the given cardinality: the smallest with at least 8 postings a
// block on average, from 6, which is a word, to 16. Before fineVersion it was
// from 8, with at least 16. Part of the format.
//
// Measured on the queries of movies, postings scored by a query of one frequent
// word and by one of two words with OR:
//
//	from 8, 16 a block   1,712   1,045
//	from 6, 16 a block   1,520     865
//	from 6,  8 a block   1,088     762
//	from 6,  4 a block     811     706
func boundShift(card int, version byte) uint {
	s, least := uint(6), 8
	if version < fineVersion {
		s, least = 8, 16
	}
	for s < 16 && card<<s>>16 < least {
		s++
	}
	return s
}

// coarseBounds is the number of bounds of Container.Coarse.
const coarseBounds = 16

// coarse tells whether containers whose bounds cover 1<<shift places have
// coarser ones before them. Part of the format.
func coarse(shift uint, version byte) bool { return version >= fineVersion && shift < 10 }

// oneBound is boundShift for small lists: one bound a container.
func oneBound(int) uint { return 16 }
