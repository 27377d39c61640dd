package storage_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quarry-search/quarry/storage"
)

// TestOptionsInForce reads what the underlying store has written down of its
// options. Each is a decision of options.go, and none of them is its default
// but those that are marked.
func TestOptionsInForce(t *testing.T) {
	dir := t.TempDir()
	open(t, dir, nil)
	files, err := filepath.Glob(filepath.Join(dir, "store", "OPTIONS-*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("files of options: %v, %v", files, err)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	section, got := "", map[string]string{}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "[") {
			section = line
		} else if name, value, ok := strings.Cut(line, "="); ok {
			got[section+" "+name] = value
		}
	}
	want := map[string]string{
		"[Options] format_major_version":            "24",
		"[Options] strict_wal_tail":                 "true",   // the default
		"[Options] disable_wal":                     "false",  // the default
		"[Options] wal_bytes_per_sync":              "0",      // the default
		"[Options] bytes_per_sync":                  "524288", // the default
		"[Options] cache_size":                      "67108864",
		"[Options] mem_table_size":                  "16777216",
		"[Options] mem_table_stop_writes_threshold": "4",
		"[Options] l0_compaction_threshold":         "4",  // the default
		"[Options] l0_stop_writes_threshold":        "12", // the default
		"[Options] concurrent_compactions":          "1",  // the default
		"[Options] max_concurrent_compactions":      "2",
		"[Options] max_open_files":                  "1000", // the default
	}
	for level := range 7 {
		section := fmt.Sprintf("[Level %q] ", fmt.Sprint(level))
		want[section+"block_size"] = "16384"
		want[section+"filter_policy"] = "rocksdb.BuiltinBloomFilter"
		if level == 6 {
			want[section+"filter_policy"] = "none" // see bloomBitsPerKey
		}
		want[section+"filter_type"] = "table"
		want[section+"compression"] = [...]string{5: "Balanced", 6: "Good"}[max(level, 5)]
		if level < 5 {
			want[section+"compression"] = "Fastest"
		}
	}
	for name, value := range want {
		if got[name] != value {
			t.Errorf("%s is %q, want %q", name, got[name], value)
		}
	}
}

// TestBlocksAndCache counts blocks: tables that were flushed and tables that were
// ingested have large ones, all of them stay in a cache that has room for them,
// and no more than what it has room for.
func TestBlocksAndCache(t *testing.T) {
	const entries, size, blocks = 6000, 2000, 6000 * 2000 / (16 << 10)
	dir := t.TempDir()
	s := open(t, dir, nil)
	fill(t, s, entries/2, size)
	if err := s.Flush(); err != nil {
		t.Fatal(err)
	}
	w, err := s.NewTable(true)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(2, 0))
	for i := range uint32(entries / 2) {
		if err := w.Set(storage.BlockKey(2, i), noise(r, size)); err != nil {
			t.Fatal(err)
		}
	}
	table, err := w.Finish()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Ingest(t.Context(), table); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name         string
		bytes, most  int64
		again, least int64 // blocks read by the second pass
	}{
		{"default", 0, 64 << 20, blocks / 10, 0},
		{"small", 2 << 20, 3 << 20, blocks * 2, blocks / 2},
	} {
		s := open(t, dir, &storage.Options{CacheBytes: c.bytes})
		before := s.Metrics().CacheMisses
		contents(t, s)
		first := s.Metrics().CacheMisses
		contents(t, s)
		m := s.Metrics()
		if n := first - before; n < blocks*3/4 || n > blocks*3/2 {
			t.Errorf("%s: reading everything reads %d blocks, want about %d", c.name, n, blocks)
		}
		if n := m.CacheMisses - first; n < c.least || n > c.again {
			t.Errorf("%s: reading everything again reads %d blocks, want %d to %d", c.name, n, c.least, c.again)
		}
		if m.CacheBytes > c.most {
			t.Errorf("%s: the cache holds %d bytes", c.name, m.CacheBytes)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestBloomFilters: looking for keys that are not there reads few blocks.
func TestBloomFilters(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, nil)
	r, b := rand.New(rand.NewPCG(1, 0)), s.NewBatch()
	var key [8]byte
	const entries, looks = 6000, 1000
	for i := range uint64(entries) {
		b.Set(binary.BigEndian.AppendUint64(key[:0], i*2), noise(r, 2000))
	}
	if err := s.Commit(b); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, dir, nil)
	before := s.Metrics()
	for i := range uint64(looks) {
		if _, err := s.Get(binary.BigEndian.AppendUint64(key[:0], i*(entries/looks)*2+1)); err == nil {
			t.Fatal("a key was found that is not there")
		}
	}
	after := s.Metrics()
	t.Logf("%d blocks read, %d found in the cache", after.CacheMisses-before.CacheMisses, after.CacheHits-before.CacheHits)
	if n := after.CacheMisses - before.CacheMisses; n > 60 {
		t.Errorf("%d blocks were read for %d keys that are not there", n, looks)
	}
}

// TestDamagedOptionsAreNamed: the reason says in which file the damage is, which
// Pebble's does not.
func TestDamagedOptionsAreNamed(t *testing.T) {
	dir := t.TempDir()
	s, err := storage.Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "store", "OPTIONS-*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("files of options: %v, %v", files, err)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"leveldb.BytewiseComparator", "pebble.concatenate"} {
		damaged := strings.Replace(string(text), bad, "n"+bad[1:], 1)
		if damaged == string(text) {
			t.Fatalf("%s is not among the options:\n%s", bad, text)
		}
		if err := os.WriteFile(files[0], []byte(damaged), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := storage.Open(dir, nil)
		if !errors.Is(err, storage.ErrCorrupt) || !strings.Contains(err.Error(), filepath.Base(files[0])) {
			t.Errorf("%s changed: Open returns %v", bad, err)
		}
	}
}
