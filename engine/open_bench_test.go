package engine

import (
	"context"
	"testing"
)

// BenchmarkOpen opens a directory with 300,000 records of speed-packages after
// a clean Close, and closes it again.
func BenchmarkOpen(b *testing.B) {
	lines := collectionLines(b, "speed-packages", 300_000)
	dir := b.TempDir()
	ctx := context.Background()
	e, err := Open(dir, nil)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := e.CreateIndex(ctx, "p", Schema{PrimaryKey: "_id", Dynamic: true}); err != nil {
		b.Fatal(err)
	}
	for i := 0; i < len(lines); i += 10_000 {
		var batch Batch
		for _, l := range lines[i:min(i+10_000, len(lines))] {
			batch.Put("p", l)
		}
		if _, err := e.Apply(ctx, &batch); err != nil {
			b.Fatal(err)
		}
	}
	if err := e.Close(); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		e, err := Open(dir, nil)
		if err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		if err := e.Close(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}
