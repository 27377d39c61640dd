package engine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
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

// BenchmarkOpenAfterKill opens what the kill of a process leaves that was
// writing 300,000 records of speed-packages.
func BenchmarkOpenAfterKill(b *testing.B) {
	lines := collectionLines(b, "speed-packages", 300_000)
	dir, ctx := b.TempDir(), context.Background()
	e, err := Open(dir, nil)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := e.CreateIndex(ctx, "p", Schema{PrimaryKey: "_id", Dynamic: true}); err != nil {
		b.Fatal(err)
	}
	for i := 0; i < len(lines); i += 1000 {
		var batch Batch
		for _, l := range lines[i:min(i+1000, len(lines))] {
			batch.Put("p", l)
		}
		if _, err := e.Apply(ctx, &batch); err != nil {
			b.Fatal(err)
		}
	}
	killed := b.TempDir()
	if err := os.CopyFS(filepath.Join(killed, "data"), os.DirFS(dir)); err != nil {
		b.Fatal(err)
	}
	memory := e.Stats().Indexes[0]
	if err := e.Close(); err != nil {
		b.Fatal(err)
	}
	docs := 0
	for _, s := range memory.Segments {
		if s.ID == 0 {
			docs += s.Docs
		}
	}
	n := 0
	for b.Loop() {
		b.StopTimer()
		n++
		again := filepath.Join(killed, fmt.Sprint(n))
		if err := os.CopyFS(again, os.DirFS(filepath.Join(killed, "data"))); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		e, err := Open(again, nil)
		if err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		if err := e.Close(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
	b.ReportMetric(float64(docs), "unflushed")
}
