package storage_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/quarry-search/quarry/storage"
	"github.com/quarry-search/quarry/storage/storagetest"
)

// TestPaddedBlockIsNoDamage: a commit ends 10 bytes before the end of a block, and is synced with the padding.
// The next write is torn: its first block is lost, its second is there.
func TestPaddedBlockIsNoDamage(t *testing.T) {
	disk := storagetest.NewCrashFS()
	armed := false
	var left []*storagetest.CrashFS
	s := open(t, crashDir, &storage.Options{CacheBytes: 1 << 20, FS: storagetest.NewFaultFS(disk, func(op storagetest.Op, path string) error {
		if armed && op == storagetest.Sync && strings.HasSuffix(path, ".log") {
			armed = false
			for seed := range uint64(20) {
				left = append(left, disk.Clone(50, seed))
			}
		}
		return nil
	})})
	r := rand.New(rand.NewPCG(1, 0))
	put := func(key string, n int) int64 {
		b := s.NewBatch()
		b.Set([]byte(key), noise(r, n))
		if err := s.Commit(b); err != nil {
			t.Fatal(err)
		}
		return fileSize(t, disk, newestOf(t, disk, ".log"))
	}
	a := put("a", 10000)
	b := put("b", 10000)
	over := b - a - 10000
	c := put("c", int(32768-10-b-over))
	t.Log(a, b, c)
	armed = true
	put("d", 150_000)
	bad := 0
	for i, l := range left {
		s, err := storage.Open(crashDir, &storage.Options{FS: l, CacheBytes: 1 << 20})
		if err != nil {
			if bad++; bad < 3 {
				t.Errorf("%d after a loss of power: %v", i, err)
			}
			continue
		}
		s.Close()
	}
	t.Logf("%d of %d refused", bad, len(left))
}
