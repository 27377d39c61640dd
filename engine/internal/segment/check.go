package segment

import (
	"context"
	"fmt"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/termdict"
)

// Check reads the whole segment and verifies every checksum, the order of
// keys, documents and positions, that every list agrees with the dictionary,
// and that the counts of Meta are right. With im, which must be the impacts the
// segment was built with, it also verifies that no posting is stronger than its
// bound, and that champions are the strongest. It returns the first problem with its place, marked ErrCorrupt, or an
// error of ctx, the source or im.
func (r *Reader) Check(ctx context.Context, im *Impacts) error {
	var impacts *posting.Impacts
	if im != nil {
		impacts = &posting.Impacts{Table: im.Table, Norms: im.Norms, Before: im.Before}
	}
	seen := roaring.New()
	var small posting.SmallReader
	var postings int64
	var sizes [partKinds]int64
	err := r.dict.Check(func(key []byte, info termdict.Info) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		l, err := r.list(key, info, true, true, small.Parse, posting.Parse)
		if err != nil {
			return err
		}
		if err := l.Validate(impacts); err != nil {
			return err
		}
		postings += int64(l.DF)
		seen.Or(l.Bitmap())
		if info.Long < 0 {
			return nil
		}
		if sizes[PartList], err = r.addSize(sizes[PartList], PartList, info.Long); err == nil && l.HasPos {
			sizes[PartPositions], err = r.addSize(sizes[PartPositions], PartPositions, info.Long)
		}
		return err
	})
	if err != nil {
		return mark(err)
	}
	for i := range r.dict.Blocks() {
		if sizes[PartBlock], err = r.addSize(sizes[PartBlock], PartBlock, i); err != nil {
			return err
		}
	}
	if !seen.Equals(r.docs) {
		return fmt.Errorf("%w: %d documents, but the lists hold %d", ErrCorrupt, r.meta.Docs, seen.GetCardinality())
	}
	if postings != r.meta.Postings {
		return fmt.Errorf("%w: %d postings, want %d", ErrCorrupt, postings, r.meta.Postings)
	}
	for kind := PartBlock; kind < partKinds; kind++ {
		if sizes[kind] != r.meta.Bytes[kind] {
			return fmt.Errorf("%w: %d bytes of kind %v, want %d", ErrCorrupt, sizes[kind], kind, r.meta.Bytes[kind])
		}
	}
	return nil
}

// addSize adds the bytes of a part to sum.
func (r *Reader) addSize(sum int64, kind PartKind, ordinal int) (int64, error) {
	part, err := r.src.Part(kind, uint32(ordinal))
	if err != nil {
		return sum, fmt.Errorf("%v %d: %w", kind, ordinal, err)
	}
	return sum + int64(len(part)), nil
}
