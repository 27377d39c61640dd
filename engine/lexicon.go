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
		it := s.reader.Scan(segment.Key(nil, segment.SpaceText, nil), segment.Key(nil, segment.SpaceValues, nil))
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
// words), nor the first that names a value. While there are writes it does so for
// indexes that are asked, too: those of one that is being filled are merged into
// others before anybody has a use for them, and took a sixteenth of the time. It takes
// an eighth of the memory or little more, and leaves the rest to indexes that are asked
// more than they are written. Segments that are about to be merged are not worth it, either.
func (e *Engine) wordsRound(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	case <-time.After(time.Until(e.opened.Add(wordsPause))):
	}
	if err := e.readWords(ctx, func(iv *indexView) bool { return iv.ix.asked.Swap(false) }, func(s *segmentRef) bool { return s.id != 0 }); err != nil {
		return err
	}
	before := e.Version()
	select {
	case <-ctx.Done():
		return nil
	case <-time.After(wordsQuiet):
	}
	if e.Version() != before {
		return nil // whoever wrote has asked for another round
	}
	e.await()
	return e.readWords(ctx, func(iv *indexView) bool { return !e.mergeDue(iv) }, func(*segmentRef) bool { return true })
}

// await has all indexes merged as if somebody searched them: nobody writes, so there is time
// for it before somebody does.
func (e *Engine) await() {
	changed := false
	e.indexesWhere(func(iv *indexView) bool {
		changed = !iv.ix.awaited.Swap(true) || changed
		return false
	})
	if changed {
		e.kick()
	}
}

// readWords is wordsRound for the indexes and segments that are worth it.
func (e *Engine) readWords(ctx context.Context, of func(iv *indexView) bool, worth func(s *segmentRef) bool) error {
	v, err := e.acquire()
	if err != nil {
		return nil // closing
	}
	defer e.release(v)
	for name, iv := range v.indexes {
		if !of(iv) {
			continue
		}
		t := iv.schema.intentTables(e)
		for _, s := range iv.segs {
			if s.meta.Docs < warmDocs || !worth(s) {
				continue
			}
			if _, bytes := e.words.size(); bytes <= e.opts.Memory/8 {
				if err := e.readWordsOf(ctx, name, s); err != nil {
					return err
				}
			}
			if _, bytes := e.values.size(); bytes <= e.opts.Memory/32 && len(t.categories) > 0 {
				if _, err := e.valuesOf(ctx, s, t); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// readWordsOf reads the words of a segment of an index, unless they are in memory.
func (e *Engine) readWordsOf(ctx context.Context, index string, s *segmentRef) error {
	if _, ok := e.words.find(s.uid); ok {
		return nil
	}
	start := time.Now()
	l, err := e.lexicon(ctx, s)
	if err != nil {
		return err
	}
	if f := e.opts.Events.Words; f != nil {
		f(index, l.Len(), time.Since(start))
	}
	return nil
}

// wordsPause is how long after Open the words are read at the earliest: that
// takes a processor and fills the caches for a while, and the first searches are
// to have both.
const wordsPause = 250 * time.Millisecond

// wordsQuiet is how long nothing is written before the words of segments in memory are
// read: while writes follow each other, these are soon merged into others, and reading
// their words took a twelfth of the processor's time of inserts.
const wordsQuiet = 100 * time.Millisecond

// warmDocs is the size of a segment, in documents, from which its words are
// read beforehand. Those of smaller ones are read within a millisecond.
const warmDocs = 2000
