package engine

import (
	"fmt"

	"github.com/quarry-search/quarry/engine/internal/page"
	"github.com/quarry-search/quarry/engine/internal/segment"
	"github.com/quarry-search/quarry/storage"
)

// segmentSource reads the parts of a segment from the store. They are written
// once, and deleted only when no view holds the segment.
type segmentSource struct {
	store *storage.Store
	ix    uint32
	id    uint32
	dict  *lru[dictBlock, []byte]
}

// dictBlock names a block of the dictionary of a segment on disk. Numbers of
// indexes and segments are not given out twice.
type dictBlock struct{ index, segment, ordinal uint32 }

func (s segmentSource) Part(kind segment.PartKind, ordinal uint32) ([]byte, error) {
	if kind != segment.PartBlock || s.dict == nil {
		return s.Pass(kind, ordinal)
	}
	return s.dict.load(dictBlock{s.ix, s.id, ordinal}, func() ([]byte, int, error) {
		b, err := s.Pass(kind, ordinal)
		return b, len(b), err
	})
}

// Pass implements segment.Passer: it keeps nothing.
func (s segmentSource) Pass(kind segment.PartKind, ordinal uint32) ([]byte, error) {
	b, err := s.store.Get(storage.SegmentKey(s.ix, s.id, uint8(kind), ordinal))
	if translate(err) == ErrNotFound {
		err = corruptf("it is not there")
	}
	return b, err
}

func (e *Engine) openSegment(ix uint32, d segmentDesc) (*segmentRef, error) {
	r, err := segment.Open(segmentSource{e.store, ix, d.ID, e.dicts}, e.books.book)
	if err != nil {
		return nil, fmt.Errorf("segment %d: %w", d.ID, err)
	}
	return &segmentRef{id: d.ID, uid: e.uids.Add(1), reader: r, meta: r.Meta(), bytes: d.Bytes, parts: d.Parts}, nil
}

// chunkSource reads the parts of a chunk from the store, but for the summary.
type chunkSource struct {
	segmentSource
	summary []byte
}

func (s chunkSource) Part(p page.Part) ([]byte, error) {
	if p.Kind == page.PartSummary {
		return s.summary, nil
	}
	kind, field := partKind(p)
	b, err := s.store.Get(storage.SegmentKey(s.ix, s.id, kind, field))
	if translate(err) == ErrNotFound {
		return nil, nil
	}
	return b, err
}

func (e *Engine) openChunk(ix uint32, d chunkDesc) (*chunkRef, error) {
	c, err := page.Open(d.Base, chunkSource{segmentSource{store: e.store, ix: ix, id: d.ID}, d.Summary}, e.blocks, e.columns)
	if err != nil {
		return nil, fmt.Errorf("chunk %d: %w", d.ID, err)
	}
	if c.Len() != d.Len {
		return nil, corruptf("chunk %d has %d documents, the manifest says %d", d.ID, c.Len(), d.Len)
	}
	return &chunkRef{id: d.ID, chunk: c, summary: d.Summary, parts: d.Parts}, nil
}
