package engine

import (
	"context"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/quarry-search/quarry/engine/internal/fuzzy"
	"github.com/quarry-search/quarry/engine/internal/segment"
)

// lexicon returns the words of a segment that a misspelt one may have been.
// They are kept as long as memory allows, since reading them takes a walk over
// the whole dictionary.
func (e *Engine) lexicon(ctx context.Context, s *segmentRef) (*fuzzy.Lexicon, error) {
	return e.words.load(s.uid, func() (*fuzzy.Lexicon, int, error) {
		var b fuzzy.Builder
		it := s.reader.Terms(segment.Key(nil, segment.SpaceText, nil), segment.Key(nil, segment.SpaceValues, nil))
		for n := 0; it.Next(); n++ {
			if n%4096 == 0 {
				if err := ctx.Err(); err != nil {
					return nil, 0, fmt.Errorf("search: %w", err)
				}
			}
			if key := it.Key(); spelt(key[2:]) {
				written := binary.BigEndian.Uint16(key) == segment.SpaceWord
				b.Add(key[2:], speltInfo(it.DF(), written))
			}
		}
		if err := it.Err(); err != nil {
			return nil, 0, err
		}
		l := b.Build()
		return l, l.Size(), nil
	})
}

// wordsRound reads the words of the segments that have none in memory, and the
// values of their facets, so that the first misspelt query after a flush, a merge
// or a start does not have to wait for it (up to a tenth of a second for a million
// words), nor the first that names a value. It leaves the other half of the memory
// to indexes that are asked more than they are written.
func (e *Engine) wordsRound(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	case <-time.After(time.Until(e.opened.Add(wordsPause))):
	}
	v, err := e.acquire()
	if err != nil {
		return nil // closing
	}
	defer e.release(v)
	for _, iv := range v.indexes {
		t := iv.schema.intentTables(e)
		for _, s := range iv.segs {
			if s.meta.Docs < warmDocs {
				continue
			}
			if _, bytes := e.words.size(); bytes <= e.words.budget/2 {
				if _, err := e.lexicon(ctx, s); err != nil {
					return err
				}
			}
			if _, bytes := e.values.size(); bytes <= e.values.budget/2 && len(t.categories) > 0 {
				if _, err := e.valuesOf(ctx, s, t); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// forget gives up what is kept of the segments that were in a view which nobody
// holds any more, and are not in the newest one. A lexicon takes megabytes: those
// of segments that were merged would push out nothing before all memory for
// lexicons is full of them. Who makes a lexicon holds a view with its segment, so
// none outlives the last of these. Posting lists need no such care, as new ones push
// out old ones all the time.
func (e *Engine) forget(old *view) {
	newest := e.view.Load()
	if newest == nil {
		return // closed
	}
	gone := map[uint64]bool{}
	for name, iv := range old.indexes {
		if newest.indexes[name] != iv {
			for _, s := range iv.segs {
				gone[s.uid] = true
			}
		}
	}
	for name, iv := range newest.indexes {
		if old.indexes[name] != iv {
			for _, s := range iv.segs {
				delete(gone, s.uid)
			}
		}
	}
	if len(gone) > 0 {
		e.words.removeIf(func(uid uint64) bool { return gone[uid] })
		e.values.removeIf(func(k lexiconKey) bool { return gone[k.segment] })
	}
}

// wordsPause is how long after Open the words are read at the earliest: that
// takes a processor and fills the caches for a while, and the first searches are
// to have both.
const wordsPause = 250 * time.Millisecond

// warmDocs is the size of a segment, in documents, from which its words are
// read beforehand. Those of smaller ones are read within a millisecond.
const warmDocs = 2000
