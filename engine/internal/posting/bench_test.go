package posting

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quarry-search/quarry/engine/internal/score"
)

// benchList is a list of n documents with random gaps, over two text fields.
func benchList(b *testing.B, n, gap int) (*Builder, *List, *Coding) {
	b.Helper()
	r := rand.New(rand.NewPCG(1, 1))
	coding := NewCoding(score.NewCodebook(2))
	builder := NewBuilder(coding, KindPositions)
	add(b, builder, randomPostings(r, randomDocs(r, 0, n, gap), KindPositions, 2))
	l, err := builder.List(nil)
	if err != nil {
		b.Fatal(err)
	}
	return builder, l, coding
}

func BenchmarkEncode(b *testing.B) {
	builder, l, _ := benchList(b, 200_000, 9)
	im := testImpacts(2)
	var run NormRun
	norms := im.Norms
	im.Norms = func(doc DocID) (NormRun, error) { // without the allocations of the test's norms
		if run.Norms == nil {
			run, _ = norms(0)
			run.Norms = score.Norms{make([]byte, 1<<21), make([]byte, 1<<21)}
			run.Last = 1<<21 - 1
		}
		return run, nil
	}
	var dst []byte
	for b.Loop() {
		var err error
		if dst, err = builder.AppendLong(dst[:0], im); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(l.DF), "ns/posting")
	b.ReportMetric(8*float64(len(dst))/float64(l.DF), "bits/posting")
}

func BenchmarkParse(b *testing.B) {
	for _, n := range []int{200, 20_000, 500_000} {
		builder, _, coding := benchList(b, n, 1+2_000_000/n)
		data, err := builder.AppendLong(nil, nil)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Parse(data, coding); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkUnpackDocs makes an array, or words, of the packed documents of a page.
func BenchmarkUnpackDocs(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, card := range []int{100, 1000, 6000, 12_000} {
		var docs []DocID
		for _, place := range rng.Perm(PageSize)[:card] {
			docs = append(docs, DocID(place))
		}
		slices.Sort(docs)
		data := appendPackedDocs(nil, docs)
		b.Run(fmt.Sprint(card), func(b *testing.B) {
			var array []byte
			words := new(Words)
			if card <= unpackedMax {
				array, words = make([]byte, 2*card), nil
			}
			for b.Loop() {
				if words != nil {
					clear(words[:])
				}
				if err := unpackDocs(data, card, array, words); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(card), "ns/document")
		})
	}
}

func BenchmarkAccess(b *testing.B) {
	_, l, coding := benchList(b, 200_000, 9)
	ranks := make([]int, 4096)
	docs := make([]DocID, 4096)
	all := make([]DocID, 0, l.DF)
	for _, doc := range l.All {
		all = append(all, doc)
	}
	r := rand.New(rand.NewPCG(2, 2))
	for i := range ranks {
		ranks[i] = r.IntN(l.DF)
		docs[i] = all[ranks[i]]
	}
	b.Run("Code", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			l.Code(ranks[i%4096])
		}
	})
	b.Run("Find", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			l.Find(docs[i%4096])
		}
	})
	b.Run("Positions", func(b *testing.B) {
		var dst []uint32
		for i := 0; b.Loop(); i++ {
			rank := ranks[i%4096]
			dst = l.Positions(rank, l.Vector(rank, coding.Book()), dst[:0])
		}
	})
}
