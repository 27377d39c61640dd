package score

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestNormGrowsAndIsExactForShortFields(t *testing.T) {
	last := -1
	for length := range 100_000 {
		b := EncodeNorm(length)
		if int(b) < last {
			t.Fatalf("EncodeNorm(%d) = %d, below the norm %d of a shorter field", length, b, last)
		}
		last = int(b)
		got := DecodeNorm(b)
		if length <= 40 && got != length {
			t.Fatalf("DecodeNorm(EncodeNorm(%d)) = %d", length, got)
		}
		if got > length || float64(got) < float64(length)*0.87 {
			t.Fatalf("DecodeNorm(EncodeNorm(%d)) = %d, not within an eighth below", length, got)
		}
	}
	for b := range 256 {
		if length := DecodeNorm(byte(b)); length < 1<<31-1 && EncodeNorm(length) != byte(b) {
			t.Fatalf("EncodeNorm(DecodeNorm(%d)) = %d", b, EncodeNorm(length))
		}
	}
}

func TestCodebookIsABijection(t *testing.T) {
	for _, fields := range []int{1, 2, 3, 5, 8, 20, 254, 255, 300} {
		book := NewCodebook(fields)
		if book.Len() != Escape {
			t.Errorf("%d fields: %d codes, want %d", fields, book.Len(), Escape)
		}
		for c := range book.Len() {
			if got := book.Code(book.Vector(uint8(c))); int(got) != c {
				t.Fatalf("%d fields: code of vector %v is %d, want %d", fields, book.Vector(uint8(c)), got, c)
			}
		}
	}
	one := NewCodebook(1)
	for tf := uint32(1); tf < 1000; tf++ {
		if got, want := one.Code(Vector{{0, tf}}), uint8(min(tf-1, Escape)); got != want {
			t.Fatalf("one field, frequency %d: code %d, want %d", tf, got, want)
		}
	}
	if got := NewCodebook(2).Code(Vector{{0, 1}, {1, 70000}}); got != Escape {
		t.Errorf("a vector outside the codebook has code %d, want Escape", got)
	}
}

// TestImpactIsBM25F compares the integer impacts with the formula in floats.
func TestImpactIsBM25F(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		fields := 1 + r.IntN(4)
		p := Params{K1: 0.5 + 2*r.Float64()}
		norms := make(Norms, fields)
		for f := range fields {
			p.Fields = append(p.Fields, Field{Weight: 0.1 + 5*r.Float64(), B: r.Float64(), AvgLen: 1 + 200*r.Float64()})
			norms[f] = []byte{byte(r.IntN(120))}
		}
		table := NewTable(NewCodebook(fields), p)
		var v Vector
		x := 0.0
		for f := range fields {
			if r.IntN(2) == 0 && !(f == fields-1 && v == nil) {
				continue
			}
			tf := 1 + r.IntN(30)
			v = append(v, Freq{uint16(f), uint32(tf)})
			pf := p.Fields[f]
			x += pf.Weight * float64(tf) / (1 - pf.B + pf.B*float64(DecodeNorm(norms[f][0]))/pf.AvgLen)
		}
		want := x / (p.K1 + x) * MaxImpact
		got := table.ImpactOf(v, norms, 0)
		if math.Abs(float64(got)-want) > 3 {
			t.Fatalf("impact of %v under %+v: %d, want about %.1f", v, p, got, want)
		}
		if code := table.Book().Code(v); code != Escape && table.Impact(code, norms, 0) != got {
			t.Fatalf("impact by code %d is %d, by vector %d", code, table.Impact(code, norms, 0), got)
		}
	}
}

func TestBoundsStayAboveImpacts(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		fields := 1 + r.IntN(3)
		random := func() Params {
			p := Params{K1: DefaultK1}
			for range fields {
				p.Fields = append(p.Fields, Field{Weight: 0.2 + 4*r.Float64(), B: r.Float64(), AvgLen: 1 + 50*r.Float64()})
			}
			return p
		}
		built, now := random(), random()
		if r.IntN(4) == 0 {
			now = built
		}
		book := NewCodebook(fields)
		tb, tn := NewTable(book, built), NewTable(book, now)
		bounds := Bounds(built, now)
		norms := make(Norms, fields)
		for range 200 {
			for f := range norms {
				norms[f] = []byte{byte(r.IntN(256))}
			}
			code := uint8(r.IntN(book.Len()))
			b := tb.Impact(code, norms, 0) >> 8
			if got := tn.Impact(code, norms, 0); got > bounds[b] {
				t.Fatalf("impact %d above its bound %d: built %+v now %+v code %d norms %v", got, bounds[b], built, now, code, norms)
			}
		}
	}
}

func TestIDFIsPositive(t *testing.T) {
	for _, c := range [][2]uint64{{0, 0}, {1, 1}, {10, 10}, {10, 20}, {1 << 40, 1}} {
		if v := IDF(c[0], c[1]); !(v > 0) {
			t.Errorf("IDF(%d, %d) = %g, want a positive number", c[0], c[1], v)
		}
	}
}

// TestTableUpTo holds a table of some norms to the one of all.
func TestTableUpTo(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 50 {
		fields := 1 + r.IntN(3)
		p := Params{K1: DefaultK1}
		for range fields {
			p.Fields = append(p.Fields, Field{Weight: 4 * r.Float64(), B: r.Float64(), AvgLen: 1 + 50*r.Float64()})
		}
		book, longest := NewCodebook(fields), byte(r.IntN(256))
		all, some := NewTable(book, p), NewTableUpTo(book, p, longest)
		norms := make(Norms, fields)
		for code := range book.Len() {
			for f := range norms {
				norms[f] = []byte{byte(r.IntN(int(longest) + 1))}
			}
			if got, want := some.Impact(uint8(code), norms, 0), all.Impact(uint8(code), norms, 0); got != want {
				t.Fatalf("impact of code %d with norms %v up to %d: %d, want %d", code, norms, longest, got, want)
			}
		}
	}
}

// TestSharesGrowMostAtAnEnd holds what Bounds takes for the most that shares grow
// by to all norms.
func TestSharesGrowMostAtAnEnd(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 1000 {
		random := func() Field {
			f := Field{Weight: 0.1 + 4*r.Float64(), B: r.Float64(), AvgLen: 1 + 500*r.Float64()}
			if r.IntN(8) == 0 {
				f.AvgLen = 0
			}
			return f
		}
		built, now := random(), random()
		ends, all := 0.0, 0.0
		for n := range 256 {
			ratio := lengthShare(now, byte(n)) / lengthShare(built, byte(n))
			all = math.Max(all, ratio)
			if n == 0 || n == 255 {
				ends = math.Max(ends, ratio)
			}
		}
		if ends < all*(1-1e-12) {
			t.Fatalf("from %+v to %+v: %g at the ends, %g at most", built, now, ends, all)
		}
	}
}
