package engine

import "github.com/quarry-search/quarry/storage"

// PartStats is the size of one part of an index on disk.
type PartStats struct {
	// Name is "records", "record ids" (id to document), "pages" (ids by
	// document, norms, columns), "tombstones", "id filter", "segments" (the
	// inverted index; SegmentStats has its parts), "vectors"
	// (learnt ones, and those of fields) or "batch log".
	Name  string
	Bytes int64 // compressed, estimated from the blocks that hold it; of a block of several parts, a share
}

// parts measures what an index takes on disk.
func (e *Engine) parts(iv *indexView) []PartStats {
	n := iv.ix.number
	size := func(lo, hi []byte) int64 {
		bytes, _ := e.store.DiskBytes(lo, hi) // an estimate anyhow
		return int64(bytes)
	}
	// Chunks of pages and segments lie side by side, by numbers of one sequence.
	var pages, segments int64
	for _, c := range iv.chunks {
		if c.id > 0 {
			pages += size(storage.SegmentRange(n, c.id))
		}
	}
	for _, g := range iv.segs {
		if g.id > 0 {
			segments += size(storage.SegmentRange(n, g.id))
		}
	}
	parts := []PartStats{
		{"records", size(storage.BlockRange(n, 0, ^uint32(0)))},
		{"record ids", size(storage.IDRange(n))},
		{"pages", pages},
		{"tombstones", size(storage.TombstoneRange(n))},
		{"id filter", size(storage.IDFilterRange(n))},
		{"segments", segments},
		{"vectors", size(storage.VectorsRange(n)) + size(storage.FieldRunsRange(n))},
		{"batch log", size(storage.BatchLogRange(n, 0, ^uint64(0)))},
	}
	fit(parts, size(storage.IndexRange(n)))
	return parts
}

// fit makes parts together no larger than the whole that they are of: a block of
// a table that holds the ends of several was counted for each of them.
func fit(parts []PartStats, whole int64) {
	var sum int64
	for _, p := range parts {
		sum += p.Bytes
	}
	if sum <= whole {
		return
	}
	for i := range parts {
		parts[i].Bytes = int64(float64(parts[i].Bytes) * float64(whole) / float64(sum))
	}
}
