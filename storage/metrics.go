package storage

// Metrics tells how a store is doing. Counts are since Open.
type Metrics struct {
	CacheBytes    int64 // blocks in the cache
	CacheHits     int64 // blocks that were found there
	CacheMisses   int64 // blocks that were read from disk
	MemTableBytes int64 // allocated for what is not flushed yet
	LogBytes      int64 // of the log that a crash would leave to be replayed
	DiskBytes     int64 // all files, with those that are about to be deleted
	Compactions   int64 // finished
	Compacting    int64 // running
	Flushes       int64 // finished
	L0Files       int64 // tables that wait to be compacted downwards
	Snapshots     int64 // open
	Iterators     int64 // open
}

// Metrics returns the state of the store, or zeros after Close.
func (s *Store) Metrics() Metrics {
	if err := s.acquire(); err != nil {
		return Metrics{}
	}
	defer s.release()
	m := s.db.Metrics()
	return Metrics{
		CacheBytes:    m.BlockCache.Size,
		CacheHits:     m.BlockCache.Hits,
		CacheMisses:   m.BlockCache.Misses,
		MemTableBytes: int64(m.MemTable.Size),
		LogBytes:      int64(m.WAL.Size),
		DiskBytes:     int64(m.DiskSpaceUsage()),
		Compactions:   m.Compact.Count,
		Compacting:    m.Compact.NumInProgress,
		Flushes:       m.Flush.Count,
		L0Files:       m.Levels[0].TablesCount,
		Snapshots:     s.snapshots.Load(),
		Iterators:     s.iterators.Load(),
	}
}
