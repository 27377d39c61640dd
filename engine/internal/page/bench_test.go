package page

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// The fields of fullPage.
const (
	benchPrice   = iota // two decimals, each document
	benchStock          // int below 100, two of three documents
	benchBrand          // 300 keywords, each document
	benchTags           // 1 to 4 of 50 keywords
	benchUpdated        // microseconds, each document
	benchRandom         // floats without order
)

// fullPage is a page of products.
func fullPage(tb testing.TB) *Chunk {
	rng := rand.New(rand.NewPCG(1, 1))
	b := NewBuilder(0, 2)
	for i := range Size {
		tags := make([]Value, 1+rng.IntN(4))
		for k := range tags {
			tags[k] = KeywordValue(fmt.Appendf(nil, "tag-%02d", rng.IntN(50)))
		}
		d := Doc{ID: fmt.Appendf(nil, "product-%d", i), Lengths: []uint32{uint32(rng.IntN(12)), uint32(rng.IntN(200))}, Columns: []ColumnValues{
			{Field: benchPrice, Kind: KindFloat, Values: []Value{FloatValue(float64(rng.IntN(100_000)) / 100)}},
			{Field: benchBrand, Kind: KindKeyword, Values: []Value{KeywordValue(fmt.Appendf(nil, "brand-%03d", int(rng.ExpFloat64()*40)%300))}},
			{Field: benchTags, Kind: KindKeyword, Values: tags},
			{Field: benchUpdated, Kind: KindDate, Values: []Value{DateValue(1.7e15 + rng.Int64N(1e14))}},
			{Field: benchRandom, Kind: KindFloat, Values: []Value{FloatValue(rng.NormFloat64())}},
		}}
		if rng.IntN(3) > 0 {
			d.Columns = append(d.Columns, ColumnValues{Field: benchStock, Kind: KindInt, Values: []Value{IntValue(int64(rng.IntN(100)))}})
		}
		b.Add(&d)
	}
	chunks, err := b.Chunks()
	if err != nil {
		tb.Fatal(err)
	}
	return chunks[0]
}

// BenchmarkRange sets the bits of a whole page for a range that holds half of
// the values.
func BenchmarkRange(b *testing.B) {
	c := fullPage(b)
	for _, test := range []struct {
		name  string
		field uint16
		hi    Value
	}{
		{"Price", benchPrice, FloatValue(500)},
		{"SparseStock", benchStock, IntValue(50)},
		{"Brand", benchBrand, KeywordValue([]byte("brand-030"))},
		{"Tags", benchTags, KeywordValue([]byte("tag-10"))},
		{"Updated", benchUpdated, DateValue(1.75e15)},
		{"RandomFloats", benchRandom, FloatValue(0)},
	} {
		col, err := c.Column(test.field)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(test.name, func(b *testing.B) {
			var words [Size / 64]uint64
			for b.Loop() {
				col.Range(Bound{}, At(test.hi), &words, 0)
			}
			b.ReportMetric(float64(len(encodeChunk(b, c)[Part{PartColumn, test.field}]))*8/Size, "bits/doc")
		})
	}
}

// BenchmarkScan counts and sums up half of a page at random.
func BenchmarkScan(b *testing.B) {
	c := fullPage(b)
	var words [Size / 64]uint64
	rng := rand.New(rand.NewPCG(2, 2))
	for i := range words {
		words[i] = rng.Uint64()
	}
	for _, test := range []struct {
		name  string
		field uint16
	}{{"CountBrand", benchBrand}, {"CountTags", benchTags}} {
		col := column(b, c, test.field)
		counts := make([]int, col.Dict().Len())
		var counter Counter
		b.Run(test.name, func(b *testing.B) {
			for b.Loop() {
				col.CountOrds(&words, 0, &counter, func(ord, n int) { counts[ord] += n })
			}
		})
	}
	for _, test := range []struct {
		name  string
		field uint16
	}{{"StatsPrice", benchPrice}, {"StatsStock", benchStock}} {
		col := column(b, c, test.field)
		b.Run(test.name, func(b *testing.B) {
			for b.Loop() {
				col.Stats(&words, 0)
			}
		})
	}
	b.Run("OrdsInTags", func(b *testing.B) {
		col := column(b, c, benchTags)
		set := NewOrdSet(col.Dict().Len())
		set.Add(3)
		set.Add(30)
		var out [Size / 64]uint64
		for b.Loop() {
			col.OrdsIn(set, &out, 0)
		}
	})
}

func BenchmarkPoint(b *testing.B) {
	c := fullPage(b)
	col := column(b, c, benchPrice)
	b.Run("ID", func(b *testing.B) {
		for i := 0; b.Loop(); i += 7919 {
			if _, err := c.ID(i % Size); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("FirstFloat", func(b *testing.B) {
		for i := 0; b.Loop(); i += 7919 {
			col.FirstFloat(i % Size)
		}
	})
}

// BenchmarkPage builds, opens and merges pages of 65,536 products.
func BenchmarkPage(b *testing.B) {
	c := fullPage(b)
	parts := encodeChunk(b, c)
	b.Run("Load", func(b *testing.B) {
		for b.Loop() {
			c, err := Open(0, parts, decoder(b), nil)
			if err != nil {
				b.Fatal(err)
			}
			if err := touch(c); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("Merge", func(b *testing.B) {
		for b.Loop() {
			if _, err := Merge([]*Chunk{c}); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/Size, "ns/doc")
	})
	b.Run("BuildOne", func(b *testing.B) {
		d := Doc{ID: []byte("product-1"), Lengths: []uint32{5, 100}, Columns: []ColumnValues{
			{Field: 0, Kind: KindFloat, Values: []Value{FloatValue(9.95)}},
			{Field: 2, Kind: KindKeyword, Values: []Value{KeywordValue([]byte("brand"))}},
			{Field: 3, Kind: KindKeyword, Values: []Value{KeywordValue([]byte("a")), KeywordValue([]byte("b"))}},
		}}
		b.ReportAllocs()
		for b.Loop() {
			builder := NewBuilder(0, 2)
			builder.Add(&d)
			if _, err := builder.Chunks(); err != nil {
				b.Fatal(err)
			}
		}
	})
}
