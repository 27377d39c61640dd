package page

import (
	"bytes"
	"math"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"testing"
)

// number returns the exact value of a number of any kind.
func number(v Value) *big.Float {
	if v.Kind == KindFloat {
		return big.NewFloat(v.Float)
	}
	return new(big.Float).SetInt64(v.Int)
}

// inside is the meaning of a range, by arithmetic without rounding.
func inside(v Value, lo, hi Bound) bool {
	side := func(b Bound, sign int) bool {
		if b.none() {
			return true
		}
		if (b.Value.Kind == KindKeyword) != (v.Kind == KindKeyword) || math.IsNaN(b.Value.Float) {
			return false
		}
		c := bytes.Compare(v.Str, b.Value.Str)
		if v.Kind != KindKeyword {
			c = number(v).Cmp(number(b.Value))
		}
		return c*sign > 0 || c == 0 && !b.Exclusive
	}
	return side(lo, 1) && side(hi, -1)
}

func randomBound(rng *rand.Rand, field uint16) Bound {
	v := randomValue(rng, field)
	switch rng.IntN(8) {
	case 0:
		return Bound{}
	case 1: // a value of another column
		v = randomValue(rng, uint16(rng.IntN(fieldNobody)))
	case 2: // between integers
		v = FloatValue(float64(v.Int) + v.Float + 0.5)
	case 3: // numbers as the other kind of number
		if v.Kind == KindFloat && math.Abs(v.Float) < 1<<62 {
			v = IntValue(int64(v.Float))
		} else if v.Kind.integral() {
			v = FloatValue(float64(v.Int))
		}
	case 4:
		odd := [...]float64{math.Inf(1), math.Inf(-1), math.NaN(), math.Copysign(0, -1), 1 << 63, -1 << 63, math.MaxFloat64, math.SmallestNonzeroFloat64}
		v = FloatValue(odd[rng.IntN(len(odd))])
	}
	return Bound{Value: v, Exclusive: rng.IntN(2) == 0}
}

func randomWords(rng *rand.Rand) *[Size / 64]uint64 {
	words := new([Size / 64]uint64)
	density := rng.IntN(4)
	for i := range words {
		words[i] = rng.Uint64()
		for range density {
			words[i] &= rng.Uint64()
		}
	}
	return words
}

func isSet(words *[Size / 64]uint64, i int) bool { return words[i>>6]>>(i&63)&1 != 0 }

// scanCase is a random chunk and, where its first document lies in the page.
func scanCase(t *testing.T, rng *rand.Rand) (docs []Doc, c *Chunk, base int) {
	docs = randomDocs(rng, 1+rng.IntN(1<<(3+rng.IntN(10))), float64(rng.IntN(2))*0.4)
	base = rng.IntN(3) * rng.IntN(Size-len(docs)+1) / 2
	if rng.IntN(4) == 0 {
		base = Size - len(docs)
	}
	c = buildChunk(t, uint32(3*Size+base), 3, docs)
	return docs, c, base
}

func TestRangeIsExact(t *testing.T) {
	rounds(t, 25, func(t *testing.T, rng *rand.Rand) {
		docs, c, base := scanCase(t, rng)
		for field := range uint16(fieldNobody) {
			col := column(t, c, field)
			if col == nil {
				continue
			}
			for range 12 {
				lo, hi := randomBound(rng, field), randomBound(rng, field)
				words := new([Size / 64]uint64)
				if rng.IntN(4) == 0 {
					words = randomWords(rng) // set bits stay
				}
				before := *words
				col.Range(lo, hi, words, base)
				any := false
				for i := range docs {
					want := false
					for _, v := range valuesOf(&docs[i], field) {
						want = want || inside(v, lo, hi)
					}
					any = any || want
					if got := isSet(words, base+i); got != (want || isSet(&before, base+i)) {
						t.Fatalf("field %d, range %+v to %+v: document %d with %v: %v, want %v",
							field, lo, hi, i, valuesOf(&docs[i], field), got, want)
					}
				}
				checkOutside(t, &before, words, base, len(docs))
				if info, _ := c.ColumnInfo(field); any && !info.MayMatch(lo, hi) {
					t.Fatalf("field %d, range %+v to %+v: MayMatch is false, but there are matches", field, lo, hi)
				}
			}
		}
	})
}

// checkOutside checks that no bit outside of [base, base+n) was changed.
func checkOutside(t *testing.T, before, after *[Size / 64]uint64, base, n int) {
	t.Helper()
	for i := range Size {
		if (i < base || i >= base+n) && isSet(before, i) != isSet(after, i) {
			t.Fatalf("place %d, outside of [%d, %d), was changed", i, base, base+n)
		}
	}
}

func TestBoundsAreExact(t *testing.T) {
	max := int64(math.MaxInt64)
	for _, test := range []struct {
		name   string
		value  Value
		lo, hi Bound
		want   bool
	}{
		{"int below its nearest float", IntValue(max), At(FloatValue(1 << 63)), Bound{}, false},
		{"int under its nearest float", IntValue(max), Bound{}, Beyond(FloatValue(1 << 63)), true},
		{"int that no float is", IntValue(1<<53 + 1), Beyond(FloatValue(1 << 53)), Bound{}, true},
		{"least int", IntValue(-max - 1), At(FloatValue(-1 << 63)), At(FloatValue(-1 << 63)), true},
		{"beyond the greatest int", IntValue(max), Beyond(IntValue(max)), Bound{}, false},
		{"before the least int", IntValue(-max - 1), Bound{}, Beyond(IntValue(-max - 1)), false},
		{"float against an int that rounds up", FloatValue(1 << 53), Bound{}, Beyond(IntValue(1<<53 + 1)), true},
		{"float against an int that rounds down", FloatValue(1 << 53), At(IntValue(1<<53 + 1)), Bound{}, false},
		{"float against the greatest int", FloatValue(1 << 63), Beyond(IntValue(max)), Bound{}, true},
		{"minus zero is zero", FloatValue(math.Copysign(0, -1)), At(FloatValue(0)), At(FloatValue(math.Copysign(0, -1))), true},
		{"below zero", FloatValue(0), Bound{}, Beyond(FloatValue(math.Copysign(0, -1))), false},
		{"a tenth", FloatValue(0.1), At(FloatValue(0.1)), At(FloatValue(0.1)), true},
		{"just above a tenth", FloatValue(0.1), At(FloatValue(math.Nextafter(0.1, 1))), Bound{}, false},
		{"just below a tenth", FloatValue(0.1), Bound{}, At(FloatValue(math.Nextafter(0.1, 0))), false},
		{"infinite bounds", FloatValue(5), Beyond(FloatValue(math.Inf(-1))), Beyond(FloatValue(math.Inf(1))), true},
		{"beyond infinity", FloatValue(5), Beyond(FloatValue(math.Inf(1))), Bound{}, false},
		{"not a number", FloatValue(5), At(FloatValue(math.NaN())), Bound{}, false},
		{"upside down", IntValue(5), At(IntValue(6)), At(IntValue(4)), false},
		{"bool as number", BoolValue(true), At(IntValue(1)), Bound{}, true},
		{"keyword bound on numbers", IntValue(5), At(KeywordValue([]byte("5"))), Bound{}, false},
		{"number bound on keywords", KeywordValue([]byte("5")), At(IntValue(5)), Bound{}, false},
		{"keyword itself", KeywordValue([]byte("b")), At(KeywordValue([]byte("b"))), At(KeywordValue([]byte("b"))), true},
		{"beyond a keyword", KeywordValue([]byte("b")), Beyond(KeywordValue([]byte("b"))), Bound{}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			doc := Doc{Columns: []ColumnValues{{Field: 7, Kind: test.value.Kind, Values: []Value{test.value}}}}
			c := buildChunk(t, 5, 0, []Doc{doc})
			var words [Size / 64]uint64
			column(t, c, 7).Range(test.lo, test.hi, &words, 5)
			if got := isSet(&words, 5); got != test.want {
				t.Errorf("%v in %+v to %+v: %v, want %v", test.value, test.lo, test.hi, got, test.want)
			}
		})
	}
}

func TestOrdsInPresentAndCounts(t *testing.T) {
	rounds(t, 25, func(t *testing.T, rng *rand.Rand) {
		docs, c, base := scanCase(t, rng)
		for _, field := range []uint16{fieldKeyword, fieldRare} {
			col := column(t, c, field)
			if col == nil {
				continue
			}
			set := NewOrdSet(col.Dict().Len())
			if rng.IntN(2) == 0 {
				set.AddRange(col.Dict().Prefix([]byte("value-1")))
			}
			for range rng.IntN(4) {
				set.Add(rng.IntN(col.Dict().Len()))
			}
			in, present, matched := new([Size / 64]uint64), new([Size / 64]uint64), randomWords(rng)
			col.OrdsIn(set, in, base)
			col.Present(present, base)
			got, want := make([]int, col.Dict().Len()), make([]int, col.Dict().Len())
			var counter Counter
			col.CountOrds(matched, base, &counter, func(ord, n int) { got[ord] += n })
			for i := range docs {
				values, wantIn := valuesOf(&docs[i], field), false
				for _, v := range values {
					ord, ok := col.Dict().Find(v.Str)
					if !ok {
						t.Fatalf("field %d: %q is not in the dictionary", field, v.Str)
					}
					wantIn = wantIn || set.Contains(ord)
					if isSet(matched, base+i) {
						want[ord]++
					}
				}
				if isSet(in, base+i) != wantIn || isSet(present, base+i) != (len(values) > 0) {
					t.Fatalf("field %d, document %d with %v: OrdsIn %v, Present %v", field, i, values, isSet(in, base+i), isSet(present, base+i))
				}
			}
			for ord := range want {
				if got[ord] != want[ord] {
					t.Fatalf("field %d: %q counted %d times, want %d", field, col.Dict().At(ord), got[ord], want[ord])
				}
			}
			checkOutside(t, new([Size / 64]uint64), in, base, len(docs))
			checkOutside(t, new([Size / 64]uint64), present, base, len(docs))
		}
	})
}

func TestDict(t *testing.T) {
	var docs []Doc
	for _, v := range []string{"b", "ab", "", "abc", "b\x00", "a", "ac", "\xff\xff"} {
		docs = append(docs, Doc{Columns: []ColumnValues{{Kind: KindKeyword, Values: []Value{KeywordValue([]byte(v))}}}})
	}
	d := column(t, buildChunk(t, 0, 0, docs), 0).Dict()
	want := []string{"", "a", "ab", "abc", "ac", "b", "b\x00", "\xff\xff"}
	if d.Len() != len(want) {
		t.Fatalf("Len = %d, want %d", d.Len(), len(want))
	}
	for ord, v := range want {
		if got, ok := d.Find([]byte(v)); string(d.At(ord)) != v || got != ord || !ok {
			t.Errorf("At(%d) = %q, Find(%q) = %d, %v", ord, d.At(ord), v, got, ok)
		}
	}
	for _, v := range []string{"aa", "abcd", "c", "\xff\xff\xff"} {
		if ord, ok := d.Find([]byte(v)); ok {
			t.Errorf("Find(%q) = %d, want nothing", v, ord)
		}
	}
	for _, test := range []struct {
		prefix string
		lo, hi int
	}{{"", 0, 8}, {"a", 1, 5}, {"ab", 2, 4}, {"abc", 3, 4}, {"abd", 4, 4}, {"b", 5, 7}, {"\xff", 7, 8}, {"z", 7, 7}} {
		if lo, hi := d.Prefix([]byte(test.prefix)); lo != test.lo || hi != test.hi {
			t.Errorf("Prefix(%q) = %d, %d; want %d, %d", test.prefix, lo, hi, test.lo, test.hi)
		}
	}
}

func TestStatsAreExactHoweverSplit(t *testing.T) {
	rounds(t, 25, func(t *testing.T, rng *rand.Rand) {
		docs, c, base := scanCase(t, rng)
		words := randomWords(rng)
		cut := rng.IntN(len(docs))
		for field := range uint16(fieldNobody) {
			if kinds[field] == KindKeyword || kinds[field] == KindGeo || column(t, c, field) == nil {
				continue
			}
			got := column(t, c, field).Stats(words, base)
			want, count := new(big.Float).SetPrec(3000), 0
			var least, greatest Value
			for i := range docs {
				if !isSet(words, base+i) {
					continue
				}
				for _, v := range valuesOf(&docs[i], field) {
					want.Add(want, number(v))
					if count++; count == 1 {
						least, greatest = v, v
					}
					if compare(v, least) < 0 {
						least = v
					}
					if compare(v, greatest) > 0 {
						greatest = v
					}
				}
			}
			sum, _ := want.Float64()
			if got.Count != count || got.Sum() != sum || count > 0 && !(equal(got.Min, least) && equal(got.Max, greatest)) {
				t.Fatalf("field %d: %d values from %v to %v, sum %v; want %d from %v to %v, sum %v",
					field, got.Count, got.Min, got.Max, got.Sum(), count, least, greatest, sum)
			}
			exact, accuracy := want.Int64()
			if n, ok := got.SumInt(); kinds[field].integral() && (ok != (accuracy == big.Exact) || ok && n != exact) {
				t.Fatalf("field %d: SumInt = %d, %v; want %d, %v", field, n, ok, exact, accuracy)
			}
			if cut == 0 {
				continue
			}
			var split Stats
			for _, part := range []*Chunk{buildChunk(t, c.Base(), 3, docs[:cut]), buildChunk(t, c.Base()+uint32(cut), 3, docs[cut:])} {
				if col := column(t, part, field); col != nil {
					s := col.Stats(words, int(part.Base()%Size))
					split.Merge(&s)
				}
			}
			if split.Count != got.Count || split.Sum() != got.Sum() || !equal(split.Min, got.Min) || !equal(split.Max, got.Max) {
				t.Fatalf("field %d, cut at %d: %+v, want %+v", field, cut, split, got)
			}
		}
	})
}

func TestExactSum(t *testing.T) {
	tiny, huge := math.SmallestNonzeroFloat64, math.MaxFloat64
	for _, test := range []struct {
		values []float64
		want   float64
	}{
		{nil, 0},
		{[]float64{1, 1e100, 1, -1e100}, 2},
		{[]float64{0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1}, 1},
		{[]float64{tiny, -huge, huge}, tiny},
		{[]float64{huge, huge}, math.Inf(1)},
		{[]float64{-huge, -huge}, math.Inf(-1)},
		{[]float64{huge, huge, -huge}, huge},
		{[]float64{1 << 53, 1}, 1 << 53},              // a tie to even
		{[]float64{1 << 53, 1, tiny}, 1<<53 + 2},      // and just above it
		{[]float64{1 << 53, 1, -tiny}, 1 << 53},       // and just below
		{[]float64{-1, tiny}, -1 /* nearest */},       //
		{[]float64{-3 * tiny, tiny, tiny, tiny}, 0},   //
		{[]float64{1.5, -2.25, 1e-300, 0.75}, 1e-300}, //
	} {
		var s exactSum
		for _, v := range test.values {
			s.add(v)
		}
		if got := s.float(); got != test.want {
			t.Errorf("sum of %v = %v, want %v", test.values, got, test.want)
		}
	}
}

func TestExactSumCarries(t *testing.T) {
	var s exactSum
	s.add(math.MaxFloat64)
	s.adds = carryAfter - 1
	s.add(1)
	if s.adds != 0 {
		t.Fatal("no carry was made when one was due")
	}
	s.add(-math.MaxFloat64)
	if got := s.float(); got != 1 {
		t.Errorf("sum = %v, want 1", got)
	}
}

func TestDepositPlacesBitsInOrder(t *testing.T) {
	rounds(t, 5, func(t *testing.T, rng *rand.Rand) {
		for range 1000 {
			mask := rng.Uint64() | rng.Uint64()<<rng.IntN(64)
			v := rng.Uint64() & lowBits(bits.OnesCount64(mask))
			var want uint64
			for i, k := 0, 0; i < 64; i++ {
				if mask>>i&1 != 0 {
					want |= v >> k & 1 << i
					k++
				}
			}
			if got := deposit(v, mask); got != want {
				t.Fatalf("deposit(%#x, %#x) = %#x, want %#x", v, mask, got, want)
			}
		}
	})
}

// A page with all its documents, where ranks and places reach 65,535.
func TestFullPage(t *testing.T) {
	for _, n := range []int{Size - 1, Size} {
		docs := make([]Doc, n)
		for i := range docs {
			if i%3 != 0 || i == n-1 {
				docs[i].Columns = []ColumnValues{
					{Field: fieldInt, Kind: KindInt, Values: []Value{IntValue(int64(i))}},
					{Field: fieldKeyword, Kind: KindKeyword, Values: []Value{KeywordValue([]byte{byte(i)}), KeywordValue([]byte{byte(i >> 8)})}},
				}
			}
			docs[i].Columns = append(docs[i].Columns, ColumnValues{Field: fieldFull, Kind: KindInt, Values: []Value{IntValue(int64(i))}})
		}
		c := reopen(t, buildChunk(t, Size, 0, docs))
		checkChunk(t, c, docs)
		for _, field := range []uint16{fieldInt, fieldFull, fieldKeyword} {
			lo, hi := Beyond(IntValue(1000)), Bound{}
			if field == fieldKeyword {
				lo, hi = At(KeywordValue([]byte{0xff})), At(KeywordValue([]byte{0xff}))
			}
			var words [Size / 64]uint64
			column(t, c, field).Range(lo, hi, &words, 0)
			for i := range docs {
				values := valuesOf(&docs[i], field)
				want := len(values) > 0 && inside(values[0], lo, hi) || len(values) > 1 && inside(values[1], lo, hi)
				if isSet(&words, i) != want {
					t.Fatalf("%d documents, field %d, document %d: %v, want %v", n, field, i, isSet(&words, i), want)
				}
			}
		}
	}
}
