package engine

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/quarry-search/quarry/engine/internal/page"
	"github.com/quarry-search/quarry/engine/internal/score"
	"github.com/quarry-search/quarry/engine/internal/search"
)

// maxScorings is how many scorings a view keeps.
const maxScorings = 16

// scored returns the segments with what scores documents by p, with the lengths that
// plain BM25 goes by if plain. key names all that among what is asked for in this view.
// They are not to be changed.
func (v *indexView) scored(key string, p score.Params, plain bool, books *bookshelf) ([]search.Segment, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if out, ok := v.scorings[key]; ok {
		return out, nil
	}
	ready, err := v.segments()
	if err != nil {
		return nil, err
	}
	out := slices.Clone(ready)
	if plain {
		if err := v.join(out); err != nil {
			return nil, err
		}
	}
	most, err := longest(v.chunks)
	if err != nil {
		most = 255 // who reads the norms will be told of the damage
	}
	byFields := map[int]*score.Table{}
	scoring := books.scorings.Add(1)
	for i, s := range v.segs {
		n := s.meta.TextFields
		if byFields[n] == nil {
			byFields[n] = score.NewTableUpTo(books.book(n), p, most)
		}
		q := p
		q.Fields = p.Fields[:min(n, len(p.Fields))]
		bounds := score.Bounds(s.meta.Params, q)
		out[i].Table, out[i].Bounds, out[i].Scoring = byFields[n], &bounds, scoring
		// They are what they were when the lists were built. With several fields, BM25
		// goes by the length of the whole record.
		same := s.meta.Params.K1 == q.K1 && slices.Equal(s.meta.Params.Fields, q.Fields)
		out[i].Exact = same && (!plain || len(p.Fields) == 1)
	}
	if v.scorings == nil {
		v.scorings = map[string][]search.Segment{}
	}
	if len(v.scorings) >= maxScorings {
		clear(v.scorings)
	}
	v.scorings[key] = out
	return out, nil
}

// join gives the slots of the segments, for every text field, the length of all text
// fields together, for BM25 over one field. Bounds stay valid: a longer field scores
// less.
func (v *indexView) join(segs []search.Segment) error {
	for i := range segs {
		segs[i].Slots = slices.Clone(segs[i].Slots)
		for j := range segs[i].Slots {
			slot := &segs[i].Slots[j]
			all, err := v.chunkOf(uint32(slot.Page)<<16 | uint32(slot.First)).chunk.Norms(page.AllFields)
			if err != nil {
				return err
			}
			n := make(score.Norms, len(slot.Norms))
			for f := range n {
				n[f] = all
			}
			slot.Norms = n
		}
	}
	return nil
}

// bookshelf keeps the codebooks by number of fields, and numbers scorings.
type bookshelf struct {
	scorings atomic.Uint64

	mu    sync.Mutex
	books map[int]*score.Codebook
}

func (b *bookshelf) book(fields int) *score.Codebook {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.books == nil {
		b.books = map[int]*score.Codebook{}
	}
	if b.books[fields] == nil {
		b.books[fields] = score.NewCodebook(fields)
	}
	return b.books[fields]
}
