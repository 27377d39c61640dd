package storage_test

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/quarry-search/quarry/storage"
)

// fill writes n entries with values of size bytes that do not compress.
func fill(tb testing.TB, s *storage.Store, n, size int) {
	r := rand.New(rand.NewPCG(1, 0))
	b := s.NewBatch()
	for i := range uint32(n) {
		b.Set(storage.BlockKey(1, i), noise(r, size))
		if b.Size() > 1<<20 {
			if err := s.Commit(b); err != nil {
				tb.Fatal(err)
			}
			b = s.NewBatch()
		}
	}
	if err := s.Commit(b); err != nil {
		tb.Fatal(err)
	}
}

// BenchmarkOpen opens and closes a store of 100 MB that was closed.
func BenchmarkOpen(b *testing.B) {
	dir := b.TempDir()
	s := open(b, dir, nil)
	fill(b, s, 25_000, 4000)
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		s, err := storage.Open(dir, nil)
		if err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}

// BenchmarkCommit commits one entry of 200 bytes durably.
func BenchmarkCommit(b *testing.B) {
	s := open(b, b.TempDir(), nil)
	value := noise(rand.New(rand.NewPCG(1, 0)), 200)
	var key [8]byte
	for i := uint64(0); b.Loop(); i++ {
		batch := s.NewBatch()
		batch.Set(binary.BigEndian.AppendUint64(key[:0], i), value)
		if err := s.Commit(batch); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCommitParallel does so from 16 goroutines, which share syncs.
func BenchmarkCommitParallel(b *testing.B) {
	s := open(b, b.TempDir(), nil)
	value := noise(rand.New(rand.NewPCG(1, 0)), 200)
	b.SetParallelism(16)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			batch := s.NewBatch()
			batch.Set(value[:16], value)
			if err := s.Commit(batch); err != nil {
				b.Error(err)
				return
			}
		}
	})
}

// BenchmarkRead reads values of 4,000 bytes that are in the cache.
func BenchmarkRead(b *testing.B) {
	const n = 2000
	s := open(b, b.TempDir(), nil)
	fill(b, s, n, 4000)
	if err := s.Flush(); err != nil {
		b.Fatal(err)
	}
	sn := s.NewSnapshot()
	defer sn.Close()
	for name, r := range map[string]storage.Reader{"store": s, "snapshot": sn} {
		b.Run("Get/"+name, func(b *testing.B) {
			b.ReportAllocs()
			for i := uint32(0); b.Loop(); i++ {
				if _, err := r.Get(storage.BlockKey(1, i*7919%n)); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("View/"+name, func(b *testing.B) {
			b.ReportAllocs()
			for i := uint32(0); b.Loop(); i++ {
				if err := r.View(storage.BlockKey(1, i*7919%n), func([]byte) error { return nil }); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("SeekGE", func(b *testing.B) {
		b.ReportAllocs()
		it := must(sn.Iter(nil, nil))
		defer it.Close()
		for i := uint32(0); b.Loop(); i++ {
			if !it.SeekGE(storage.BlockKey(1, i*7919%n)) {
				b.Fatal(it.Err())
			}
		}
	})
	b.Run("NewSnapshot", func(b *testing.B) {
		for b.Loop() {
			if err := s.NewSnapshot().Close(); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkTable writes and ingests a table of 10,000 entries of 60 bytes.
func BenchmarkTable(b *testing.B) {
	s := open(b, b.TempDir(), nil)
	value := noise(rand.New(rand.NewPCG(1, 0)), 60)
	for n := uint32(0); b.Loop(); n++ {
		w := must(s.NewTable(true))
		for i := range uint32(10_000) {
			if err := w.Set(storage.SegmentKey(1, n, 0, i), value); err != nil {
				b.Fatal(err)
			}
		}
		table, err := w.Finish()
		if err != nil {
			b.Fatal(err)
		}
		if err := s.Ingest(b.Context(), table); err != nil {
			b.Fatal(err)
		}
	}
}
