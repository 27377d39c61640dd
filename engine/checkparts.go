package engine

import (
	"github.com/quarry-search/quarry/engine/internal/page"
	"github.com/quarry-search/quarry/storage"
)

// checkLedger verifies the ledger against the entries that it counts.
func (e *Engine) checkLedger(v *view) error {
	var m meta
	b, err := v.kv.Get(storage.MetaKey())
	if translate(err) == ErrNotFound {
		return nil // nothing was written yet
	}
	if err == nil {
		err = decodeSealed("the row of the engine", b, &m)
	}
	if err != nil || m.Ledger == nil { // of format 1
		return err
	}
	now, err := ledgerOf(v.kv)
	if err == nil && now != *m.Ledger {
		err = corruptf("the ledger is %+v, the entries give %+v", *m.Ledger, now)
	}
	return err
}

// version verifies the version of a document in the id map against its page's.
func (c *checker) version(ref *chunkRef, doc uint32, want uint64) error {
	col, err := ref.chunk.Column(versionField)
	if err != nil {
		return err
	}
	got, ok := int64(0), false
	if col != nil {
		got, ok = col.FirstInt(int(doc - ref.base()))
	}
	if !ok || got != int64(want) {
		return corruptf("document %d has another version in its page than the %d of the id map", doc, want)
	}
	return nil
}

// tombstones verifies that only documents that there were are deleted.
func (c *checker) tombstones() error {
	for p, dead := range c.iv.dead {
		places := 0
		for _, ref := range c.iv.chunks {
			if uint16(ref.base()>>16) == p {
				places += ref.chunk.Len()
			}
		}
		if dead.Count() > places {
			return corruptf("page %d has %d documents, and %d deleted ones", p, places, dead.Count())
		}
	}
	return nil
}

// log verifies that the batch log holds just the batches after the last flush.
// The entry of the flushed version itself stayed there in format 1.
func (c *checker) log() error {
	c.iv.ix.diskMu.Lock()
	flushed := c.iv.ix.disk.Flushed
	c.iv.ix.diskMu.Unlock()
	lo, hi := storage.BatchLogRange(c.iv.ix.number, 0, ^uint64(0))
	it, err := c.v.kv.Iter(lo, hi)
	if err != nil {
		return err
	}
	defer it.Close()
	for ok := it.First(); ok; ok = it.Next() {
		_, version, err := storage.ParseBatchLogKey(it.Key())
		if err != nil {
			return err
		}
		if c.e.opts.ReadOnly && version < flushed || version > c.iv.version {
			return corruptf("the batch log holds batch %d; it was flushed up to %d, and the newest is %d", version, flushed, c.iv.version)
		}
	}
	return it.Err()
}

// parts verifies that segments and chunks have no parts in the store but those
// that they know of.
func (c *checker) parts() error {
	for _, s := range c.iv.segs {
		if s.id == 0 {
			continue
		}
		var bytes [4]int64
		if err := c.eachPart(s.id, s.parts, func(part uint8, _ uint32, value []byte) error {
			if int(part) >= len(bytes) {
				return corruptf("segment %d has a part of the unknown kind %d", s.id, part)
			}
			bytes[part] += int64(len(value))
			return nil
		}); err != nil {
			return err
		}
		if bytes != [4]int64(s.meta.Bytes) {
			return corruptf("the parts of segment %d have %d bytes by kind, it says %d", s.id, bytes, s.meta.Bytes)
		}
	}
	for _, ref := range c.iv.chunks {
		if ref.id == 0 {
			continue
		}
		known := map[page.Part]bool{}
		for _, p := range ref.chunk.Parts() {
			known[p] = p.Kind != page.PartSummary // which is in the manifest
		}
		if err := c.eachPart(ref.id, ref.parts, func(part uint8, ordinal uint32, _ []byte) error {
			p := page.Part{Kind: page.PartKind(part - chunkPart), Field: uint16(ordinal)}
			if part < chunkPart || ordinal > 1<<16-1 || !known[p] {
				return corruptf("chunk %d has a part of kind %d and field %d that is not its own", ref.id, part, ordinal)
			}
			return nil
		}); err != nil {
			return err
		}
	}
	return nil
}

// eachPart calls f with the parts of a segment or chunk in the store, and compares
// them with their tally, if there is one.
func (c *checker) eachPart(id uint32, want tally, f func(part uint8, ordinal uint32, value []byte) error) error {
	lo, hi := storage.SegmentRange(c.iv.ix.number, id)
	it, err := c.e.store.Iter(lo, hi)
	if err != nil {
		return err
	}
	defer it.Close()
	var got tally
	for ok := it.First(); ok; ok = it.Next() {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		got.add(it.Key(), it.Value())
		_, _, part, ordinal, err := storage.ParseSegmentKey(it.Key())
		if err != nil {
			return err
		}
		if err := f(part, ordinal, it.Value()); err != nil {
			return err
		}
	}
	if err := it.Err(); err != nil {
		return err
	}
	if want != (tally{}) && got != want {
		return corruptf("segment or chunk %d has %d parts, and not the %d that it was written with, or others", id, got.Count, want.Count)
	}
	return nil
}

// idFilter verifies that the saved id filter, if it is of the newest version,
// knows every id. One that is of an older version is never read.
func (c *checker) idFilter() error {
	ix := c.iv.ix
	ix.diskMu.Lock()
	saved, parts, flushed := ix.disk.Filter, ix.disk.FilterParts, ix.disk.Flushed
	ix.diskMu.Unlock()
	if saved == 0 {
		return nil
	}
	lo, hi := storage.IDFilterRange(ix.number)
	it, err := c.v.kv.Iter(lo, hi)
	if err != nil {
		return err
	}
	defer it.Close()
	var list [][]byte
	for ok := it.First(); ok; ok = it.Next() {
		list = append(list, append([]byte(nil), it.Value()...))
	}
	if err := it.Err(); err != nil {
		return err
	}
	if len(list) != parts {
		return corruptf("the id filter has %d parts, the manifest says %d", len(list), parts)
	}
	f, err := page.UnmarshalParts(list)
	if err != nil || saved != flushed || c.iv.version != flushed {
		return err
	}
	lo, hi = storage.IDRange(ix.number)
	ids, err := c.v.kv.Iter(lo, hi)
	if err != nil {
		return err
	}
	defer ids.Close()
	for ok := ids.First(); ok; ok = ids.Next() {
		_, id, err := storage.ParseIDKey(ids.Key())
		if err != nil {
			return err
		}
		if !f.MayContain([]byte(id)) {
			return corruptf("the id filter does not know a record")
		}
	}
	return ids.Err()
}
