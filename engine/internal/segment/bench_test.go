package segment

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/score"
)

// benchTokens is a corpus of documents of ten words of a long-tailed
// vocabulary, as record names have it.
func benchTokens(docs int) [][][]byte {
	r := rand.New(rand.NewPCG(8, 8))
	zipf := rand.NewZipf(r, 1.1, 4, 300_000)
	words := make([][]byte, 300_001)
	for i := range words {
		words[i] = fmt.Appendf(nil, "w%x", uint32(i)*2654435761>>8)
	}
	out := make([][][]byte, docs)
	for d := range out {
		for range 10 {
			out[d] = append(out[d], words[zipf.Uint64()])
		}
	}
	return out
}

// fill gives a writer documents, with two fields taking turns.
func fill(w *Writer, docs [][][]byte) {
	for d, words := range docs {
		for i, word := range words {
			w.Text(uint32(d), word, i/5, uint32(i%5))
		}
	}
}

func BenchmarkWriter(b *testing.B) {
	for _, n := range []int{2, 1000, 100_000} {
		docs := benchTokens(n)
		im := impacts(2)
		if _, err := im.Norms(0); err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("add/docs=%d", n), func(b *testing.B) {
			w := NewWriter(2)
			b.ReportAllocs()
			for b.Loop() {
				w.Reset(2)
				fill(w, docs)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(10*n), "ns/token")
		})
		b.Run(fmt.Sprintf("build/docs=%d", n), func(b *testing.B) {
			w := NewWriter(2)
			var size int
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				w.Reset(2)
				fill(w, docs)
				b.StartTimer()
				parts, err := w.Build(0, im)
				if err != nil {
					b.Fatal(err)
				}
				size = parts.Size()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(10*n), "ns/token")
			b.ReportMetric(float64(size)/float64(n), "bytes/doc")
		})
	}
}

// BenchmarkOneRecord is all that a batch of one record costs here.
func BenchmarkOneRecord(b *testing.B) {
	docs := benchTokens(2)
	im := impacts(2)
	book := im.Table.Book()
	w := NewWriter(2)
	b.ReportAllocs()
	for b.Loop() {
		w.Reset(2)
		fill(w, docs[:2])
		parts, err := w.Build(1000, im)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := Open(parts, func(int) *score.Codebook { return book }); err != nil {
			b.Fatal(err)
		}
	}
}

// benchSegments cuts n documents into k segments.
func benchSegments(b *testing.B, n, k int) []*Reader {
	docs := benchTokens(n)
	im := impacts(2)
	w := NewWriter(2)
	var readers []*Reader
	for i := range k {
		w.Reset(2)
		fill(w, docs[i*n/k:(i+1)*n/k])
		parts, err := w.Build(posting.DocID(i*n/k), im)
		if err != nil {
			b.Fatal(err)
		}
		readers = append(readers, open(b, parts))
	}
	return readers
}

func BenchmarkMerge(b *testing.B) {
	for _, k := range []int{4, 8} {
		readers := benchSegments(b, 200_000, k)
		bytes := int64(0)
		for _, r := range readers {
			for _, n := range r.Meta().Bytes {
				bytes += n
			}
		}
		b.Run(fmt.Sprintf("segments=%d", k), func(b *testing.B) {
			b.SetBytes(bytes)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Merge(context.Background(), readers, nil, impacts(2), &Parts{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(200_000/(b.Elapsed().Seconds()/float64(b.N))/1000, "kdocs/s")
		})
	}
}

func BenchmarkOpen(b *testing.B) {
	r := benchSegments(b, 100_000, 1)[0]
	for b.Loop() {
		if _, err := Open(r.src, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkList(b *testing.B) {
	r := benchSegments(b, 100_000, 1)[0]
	var small, long [][]byte
	it := r.Terms(nil, nil)
	for it.Next() {
		key := append([]byte(nil), it.Key()...)
		if it.DF() > posting.SmallMax {
			long = append(long, key)
		} else {
			small = append(small, key)
		}
	}
	r.codes()
	for name, keys := range map[string][][]byte{"small": small, "long": long} {
		for _, positions := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s/positions=%v", name, positions), func(b *testing.B) {
				b.ReportAllocs()
				n := 0
				for b.Loop() {
					if _, err := r.List(keys[n%len(keys)], ListOptions{Positions: positions}); err != nil {
						b.Fatal(err)
					}
					n += 7919
				}
			})
		}
	}
	b.Run("scan", func(b *testing.B) {
		for b.Loop() {
			it := r.Terms(nil, nil)
			for it.Next() {
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(r.Meta().Terms), "ns/term")
	})
}
