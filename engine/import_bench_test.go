package engine

import (
	"bufio"
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// collectionLines reads the records of a collection, at most limit of them.
func collectionLines(tb testing.TB, name string, limit int) [][]byte {
	tb.Helper()
	dir := os.Getenv("QUARRY_COLLECTIONS")
	if dir == "" {
		tb.Skip("QUARRY_COLLECTIONS is not set")
	}
	f, err := os.Open(filepath.Join(dir, name, "corpus.jsonl.gz"))
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		tb.Fatal(err)
	}
	var out [][]byte
	r := bufio.NewReaderSize(z, 1<<20)
	for len(out) < limit {
		line, err := r.ReadBytes('\n')
		if len(line) > 1 {
			out = append(out, line)
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			tb.Fatal(err)
		}
	}
	return out
}

// BenchmarkImport writes the records of speed-packages in durable batches of
// 1,000 and of 10,000.
func BenchmarkImport(b *testing.B) {
	lines := collectionLines(b, "speed-packages", 1<<30)
	for _, size := range []int{1000, 10000} {
		b.Run(map[int]string{1000: "batch=1000", 10000: "batch=10000"}[size], func(b *testing.B) {
			for b.Loop() {
				e, err := Open(b.TempDir(), nil)
				if err != nil {
					b.Fatal(err)
				}
				ctx := context.Background()
				if _, err := e.CreateIndex(ctx, "p", Schema{PrimaryKey: "_id", Dynamic: true}); err != nil {
					b.Fatal(err)
				}
				start := time.Now()
				for i := 0; i < len(lines); i += size {
					var batch Batch
					for _, l := range lines[i:min(i+size, len(lines))] {
						batch.Put("p", l)
					}
					if _, err := e.Apply(ctx, &batch); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(len(lines))/time.Since(start).Seconds(), "records/s")
				start = time.Now()
				if err := e.Close(); err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(time.Since(start).Seconds()*1000, "close-ms")
				runtime.GC()
			}
		})
	}
}
