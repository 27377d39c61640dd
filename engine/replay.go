package engine

import (
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/storage"
)

// replayDocs is the number of documents that are made into one segment when
// the log is replayed. Several segments are made at a time.
const replayDocs = 20_000

// replay applies the batches in the log that are not flushed.
func (e *Engine) replay(iv *indexView) error {
	ix := iv.ix
	lo, hi := storage.BatchLogRange(ix.number, ix.disk.Flushed+1, ^uint64(0))
	it, err := e.store.Iter(lo, hi)
	if err != nil {
		return err
	}
	defer it.Close()
	var killed []posting.DocID
	var parts []*replayPart
	for ok := it.First(); ok; ok = it.Next() {
		_, version, err := storage.ParseBatchLogKey(it.Key())
		if err != nil {
			return err
		}
		value, err := unseal("batch log", it.Value())
		if err != nil {
			return err
		}
		entry, err := decodeLogEntry(value)
		if err != nil {
			return err
		}
		if entry.Base != iv.nextDoc {
			return corruptf("batch %d begins at document %d, the one before ended at %d", version, entry.Base, iv.nextDoc)
		}
		if uint64(entry.Base)+uint64(entry.Docs) > 1<<32-1 {
			return corruptf("batch %d has %d documents from %d on", version, entry.Docs, entry.Base)
		}
		iv.nextDoc += entry.Docs
		iv.version, iv.updated = version, entry.Time
		killed = append(killed, entry.Killed...)
		if entry.Docs == 0 {
			continue
		}
		if n := len(parts); n == 0 || parts[n-1].to-parts[n-1].from >= replayDocs {
			parts = append(parts, &replayPart{from: entry.Base})
		}
		last := parts[len(parts)-1]
		last.to = iv.nextDoc
		last.batches = append(last.batches, replayed{entry, version, iv.nextDoc})
	}
	if err := it.Err(); err != nil {
		return err
	}
	if err := e.buildParts(iv, parts); err != nil {
		return err
	}
	for _, p := range parts {
		iv.segs = append(iv.segs, p.seg)
		iv.chunks = append(iv.chunks, p.chunks...)
		if err := iv.count(p.chunks, nil); err != nil {
			return err
		}
	}
	return iv.count(nil, killed)
}

// replayPart is batches of the log that become one segment.
type replayPart struct {
	from, to posting.DocID // documents [from, to)
	batches  []replayed

	seg    *segmentRef
	chunks []*chunkRef
}

// replayed is a batch of the log, with the number behind its last document.
type replayed struct {
	logEntry
	version uint64
	end     posting.DocID
}

// versionOf is the version of a document of the batch.
func (r *replayed) versionOf(doc posting.DocID) uint64 {
	if r.Versions != nil {
		return r.Versions[doc-r.Base]
	}
	return r.version
}

// buildParts makes the segments of all parts, as many at a time as there are
// processors, and returns the first error.
func (e *Engine) buildParts(iv *indexView, parts []*replayPart) error {
	var work sync.WaitGroup
	var next atomic.Int64
	errs := make([]error, len(parts))
	for range min(runtime.GOMAXPROCS(0), len(parts)) {
		work.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(parts) {
					return
				}
				if errs[i] = e.buildPart(iv, parts[i]); errs[i] != nil {
					next.Store(int64(len(parts)))
				}
			}
		})
	}
	work.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// buildPart inverts the stored records of a part again.
func (e *Engine) buildPart(iv *indexView, p *replayPart) error {
	a := e.newAnalysis(iv.schema, e.opts.Limits.forStored())
	a.fixed = true
	defer a.rest()
	lo, hi := storage.BlockRange(iv.ix.number, p.from, p.to)
	it, err := e.store.Iter(lo, hi)
	if err != nil {
		return err
	}
	defer it.Close()
	var docs []*document // not made at once: the numbers may be damaged
	batches := p.batches
	for ok := it.First(); ok; ok = it.Next() {
		_, first, err := storage.ParseBlockKey(it.Key())
		if err != nil {
			return err
		}
		if int(first-p.from) != len(docs) {
			return corruptf("stored block %d: expected document %d", first, int(p.from)+len(docs))
		}
		b, err := e.blocks.Decode(it.Value())
		if err != nil {
			return err
		}
		for i := range b.Len() {
			doc := first + uint32(i)
			for len(batches) > 1 && doc >= batches[0].end {
				batches = batches[1:]
			}
			a.known = int(batches[0].Fields)
			var problems problems
			d, ok := a.add(b.Record(i), string(b.ID(i)), &problems)
			if !ok {
				return corruptf("document %d: %w", doc, problems.orNil())
			}
			d.json, d.version = nil, batches[0].versionOf(doc)
			docs = append(docs, d)
		}
	}
	if err := it.Err(); err != nil {
		return err
	}
	if p.from+uint32(len(docs)) != p.to {
		return corruptf("the log ends at document %d, the stored records at %d", p.to, int(p.from)+len(docs))
	}
	p.seg, p.chunks, err = e.buildSegment(a.schema, p.from, docs, a.writer)
	return err
}

// forStored are limits that every stored record passes, whatever limits it
// was written under.
func (l Limits) forStored() Limits {
	l.RecordBytes, l.RecordDepth, l.IndexFields, l.KeywordBytes = 1<<30, 1<<16, 1<<16-1, 1<<30
	return l
}
