package page

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"

	"github.com/quarry-search/quarry/engine/internal/geo"

	"github.com/quarry-search/quarry/engine/internal/score"
)

// recorder is a Source made of what Encode puts.
type recorder map[Part][]byte

func (r recorder) put(p Part, data []byte) error {
	r[p] = bytes.Clone(data)
	return nil
}

func (r recorder) Part(p Part) ([]byte, error) { return r[p], nil }

func encodeChunk(t testing.TB, c *Chunk) recorder {
	t.Helper()
	r := make(recorder)
	if err := c.Encode(r.put); err != nil {
		t.Fatal(err)
	}
	return r
}

func buildChunk(t testing.TB, base uint32, textFields int, docs []Doc) *Chunk {
	t.Helper()
	b := NewBuilder(base, textFields)
	for i := range docs {
		b.Add(&docs[i])
	}
	chunks, err := b.Chunks()
	if err != nil {
		t.Fatal(err)
	}
	if len(chunks) != 1 {
		t.Fatalf("%d documents from %d: %d chunks, want 1", len(docs), base, len(chunks))
	}
	return chunks[0]
}

func decoder(t testing.TB) *BlockDecoder {
	t.Helper()
	d, err := NewBlockDecoder()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func reopen(t testing.TB, c *Chunk) *Chunk {
	t.Helper()
	c, err := Open(c.Base(), encodeChunk(t, c), decoder(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func column(t testing.TB, c *Chunk, field uint16) *Column {
	t.Helper()
	col, err := c.Column(field)
	if err != nil {
		t.Fatal(err)
	}
	return col
}

// The fields of randomDocs.
const (
	fieldInt = iota
	fieldFloat
	fieldPrice // floats of two decimals
	fieldBool
	fieldDate // whole days
	fieldKeyword
	fieldEnds   // ints at the ends of int64
	fieldFull   // one small int in each document
	fieldRare   // a keyword in few documents
	fieldGeo    // places
	fieldNobody // no values
	numFields
)

var kinds = [numFields]Kind{KindInt, KindFloat, KindFloat, KindBool, KindDate, KindKeyword, KindInt, KindInt, KindKeyword, KindGeo, KindInt}

func randomValue(rng *rand.Rand, field uint16) Value {
	switch field {
	case fieldFloat:
		return FloatValue(math.Float64frombits(rng.Uint64()&^(1<<62)) * 1e3)
	case fieldPrice:
		return FloatValue(float64(rng.IntN(20000)-500) / 100)
	case fieldBool:
		return BoolValue(rng.IntN(2) == 0)
	case fieldDate:
		return DateValue(86_400_000_000 * int64(rng.IntN(20000)-3000))
	case fieldKeyword:
		return KeywordValue(fmt.Appendf(nil, "value-%d", int(rng.ExpFloat64()*20)))
	case fieldEnds:
		ends := [...]int64{math.MinInt64, math.MinInt64 + 1, -1 << 53, -1, 0, 1, 1 << 53, 1<<53 + 1, math.MaxInt64 - 1, math.MaxInt64}
		return IntValue(ends[rng.IntN(len(ends))])
	case fieldFull:
		return IntValue(int64(rng.IntN(100)))
	case fieldGeo:
		return GeoValue(geo.Encode(geo.Point{Lat: float64(rng.IntN(1801)-900) / 10, Lon: float64(rng.IntN(3601)-1800) / 10}))
	case fieldRare:
		return KeywordValue([]byte{byte('a' + rng.IntN(26))})
	}
	return IntValue(int64(rng.IntN(1<<20)) - 1<<19)
}

// randomDocs makes documents with three text fields and the fields above. many
// is how likely a further value is.
func randomDocs(rng *rand.Rand, n int, many float64) []Doc {
	docs := make([]Doc, n)
	for i := range docs {
		d := &docs[i]
		if rng.IntN(20) == 0 {
			d.Absent = true
			continue
		}
		d.ID = fmt.Appendf(nil, "record-%d", rng.IntN(1<<rng.IntN(30)))
		d.Lengths = make([]uint32, rng.IntN(4))
		for f := range d.Lengths {
			d.Lengths[f] = uint32(rng.IntN(3) * rng.IntN(1<<rng.IntN(12)))
		}
		for f := range uint16(fieldNobody) {
			if f != fieldFull && rng.IntN(3) == 0 || f == fieldRare && rng.IntN(100) > 0 {
				continue
			}
			v := ColumnValues{Field: f, Kind: kinds[f], Values: []Value{randomValue(rng, f)}}
			for rng.Float64() < many && f != fieldFull {
				v.Values = append(v.Values, randomValue(rng, f))
			}
			d.Columns = append(d.Columns, v)
		}
		rng.Shuffle(len(d.Columns), func(i, j int) { d.Columns[i], d.Columns[j] = d.Columns[j], d.Columns[i] })
	}
	return docs
}

// valuesOf returns what a column must hold for d: keywords without repeats.
func valuesOf(d *Doc, field uint16) []Value {
	if d.Absent {
		return nil
	}
	for _, c := range d.Columns {
		if c.Field != field {
			continue
		}
		var out []Value
		for _, v := range c.Values {
			repeated := v.Kind == KindKeyword && slices.ContainsFunc(out, func(o Value) bool { return equal(o, v) })
			if !repeated {
				out = append(out, v)
			}
		}
		return out
	}
	return nil
}

func equal(a, b Value) bool {
	return a.Kind == b.Kind && a.Int == b.Int && a.Float == b.Float && bytes.Equal(a.Str, b.Str)
}

func compare(a, b Value) int {
	return cmp.Or(cmp.Compare(a.Int, b.Int), cmp.Compare(a.Float, b.Float), bytes.Compare(a.Str, b.Str))
}

// rounds calls f with generators of different seeds.
func rounds(t *testing.T, n int, f func(t *testing.T, rng *rand.Rand)) {
	for seed := range uint64(n) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) { f(t, rand.New(rand.NewPCG(seed, 1))) })
	}
}

func checkChunk(t *testing.T, c *Chunk, docs []Doc) {
	t.Helper()
	if c.Len() != len(docs) {
		t.Fatalf("Len = %d, want %d", c.Len(), len(docs))
	}
	for i := range docs {
		id, err := c.ID(i)
		if err != nil {
			t.Fatal(err)
		}
		if want := docs[i].ID; !bytes.Equal(id, want) {
			t.Fatalf("ID(%d) = %q, want %q", i, id, want)
		}
	}
	for field := AllFields; field < 4; field++ {
		checkNorms(t, c, field, docs)
	}
	for field := range uint16(numFields) {
		checkColumn(t, c, field, docs)
	}
}

func checkNorms(t *testing.T, c *Chunk, field int, docs []Doc) {
	t.Helper()
	want, some := make([]byte, len(docs)), false
	for i, d := range docs {
		words := 0
		for f, n := range d.Lengths {
			if f == field || field == AllFields {
				words += int(n)
			}
		}
		want[i] = score.EncodeNorm(words)
		some = some || words > 0
	}
	if !some {
		want = nil
	}
	got, err := c.Norms(field)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) || (got == nil) != (want == nil) {
		t.Fatalf("Norms(%d) = %v, want %v", field, got, want)
	}
}

func checkColumn(t *testing.T, c *Chunk, field uint16, docs []Doc) {
	t.Helper()
	col := column(t, c, field)
	info, ok := c.ColumnInfo(field)
	if ok != (col != nil) {
		t.Fatalf("field %d: ColumnInfo says %v, Column is %v", field, ok, col)
	}
	var all []Value
	with := 0
	for i := range docs {
		want := valuesOf(&docs[i], field)
		all = append(all, want...)
		if col == nil {
			if len(want) > 0 {
				t.Fatalf("field %d: no column, but document %d has %v", field, i, want)
			}
			continue
		}
		got := col.Values(nil, i)
		if !slices.EqualFunc(got, want, equal) || col.Has(i) != (len(want) > 0) || col.Count(i) != len(want) {
			t.Fatalf("field %d, document %d: values %v, Has %v, Count %d; want %v", field, i, got, col.Has(i), col.Count(i), want)
		}
		checkTyped(t, col, i, want)
		if len(want) > 0 {
			with++
		}
	}
	if col == nil {
		return
	}
	least, greatest := slices.MinFunc(all, compare), slices.MaxFunc(all, compare)
	if col.Docs() != with || col.NumValues() != len(all) || col.Len() != len(docs) || col.Kind() != kinds[field] {
		t.Fatalf("field %d: %v, %d documents of %d, %d values; want %v, %d of %d, %d",
			field, col.Kind(), col.Docs(), col.Len(), col.NumValues(), kinds[field], with, len(docs), len(all))
	}
	if !equal(col.Min(), least) || !equal(col.Max(), greatest) {
		t.Fatalf("field %d: from %v to %v, want %v to %v", field, col.Min(), col.Max(), least, greatest)
	}
	if info.Kind != col.Kind() || info.Docs != with || info.Values != len(all) {
		t.Fatalf("field %d: info %+v, want %d documents, %d values", field, info, with, len(all))
	}
}

func checkTyped(t *testing.T, col *Column, i int, want []Value) {
	t.Helper()
	var got []Value
	for _, v := range col.Ints(nil, i) {
		got = append(got, Value{Kind: col.Kind(), Int: v})
	}
	for _, v := range col.Floats(nil, i) {
		got = append(got, FloatValue(v))
	}
	for _, ord := range col.Ords(nil, i) {
		got = append(got, KeywordValue(col.Dict().At(ord)))
	}
	if !slices.EqualFunc(got, want, equal) {
		t.Fatalf("document %d: typed values %v, want %v", i, got, want)
	}
	first, ok := col.First(i)
	if ok != (len(want) > 0) || ok && !equal(first, want[0]) {
		t.Fatalf("document %d: First = %v, %v; want %v", i, first, ok, want)
	}
	n, isInt := col.FirstInt(i)
	f, isFloat := col.FirstFloat(i)
	ord, isOrd := col.FirstOrd(i)
	switch {
	case isInt && n != first.Int, isFloat && f != first.Float, isOrd && !bytes.Equal(col.Dict().At(ord), first.Str):
		t.Fatalf("document %d: FirstInt %d, FirstFloat %v, FirstOrd %d; want %v", i, n, f, ord, first)
	case ok && !isInt && !isFloat && !isOrd, !ok && (isInt || isFloat || isOrd):
		t.Fatalf("document %d: typed First %v, %v, %v; First %v", i, isInt, isFloat, isOrd, ok)
	}
}

func TestChunkHoldsTheDocuments(t *testing.T) {
	rounds(t, 12, func(t *testing.T, rng *rand.Rand) {
		docs := randomDocs(rng, 1+rng.IntN(1<<rng.IntN(13)), float64(rng.IntN(2))*0.4)
		c := buildChunk(t, uint32(rng.IntN(1000)*Size+rng.IntN(1000)), 3, docs)
		checkChunk(t, c, docs)
		checkChunk(t, reopen(t, c), docs)
	})
}

func TestBuilderSplitsAtPages(t *testing.T) {
	for _, n := range []int{1, Size - 1, Size, Size + 1} {
		for _, base := range []uint32{0, 1, Size - 1, 7*Size + 100} {
			b := NewBuilder(base, 1)
			var d Doc
			for i := range n {
				d.ID = fmt.Appendf(d.ID[:0], "%d", i)
				b.Add(&d)
			}
			chunks, err := b.Chunks()
			if err != nil {
				t.Fatal(err)
			}
			next := base
			for _, c := range chunks {
				if c.Base() != next || c.Base()/Size != (c.Base()+uint32(c.Len())-1)/Size || c.Len() == 0 {
					t.Fatalf("%d documents from %d: chunk of %d at %d, want it at %d", n, base, c.Len(), c.Base(), next)
				}
				next += uint32(c.Len())
			}
			if next != base+uint32(n) {
				t.Fatalf("%d documents from %d: chunks end at %d", n, base, next)
			}
			last := chunks[len(chunks)-1]
			if id, _ := last.ID(last.Len() - 1); string(id) != fmt.Sprint(n-1) {
				t.Errorf("%d documents from %d: last id %q", n, base, id)
			}
		}
	}
}

func TestMergeEqualsBuildingInOneGo(t *testing.T) {
	rounds(t, 12, func(t *testing.T, rng *rand.Rand) {
		docs := randomDocs(rng, 1+rng.IntN(3000), float64(rng.IntN(2))*0.4)
		base := uint32(rng.IntN(50)*Size + rng.IntN(1000))
		want := encodeChunk(t, buildChunk(t, base, 3, docs))

		cuts := []int{0, len(docs)}
		for range rng.IntN(6) {
			cuts = append(cuts, rng.IntN(len(docs)))
		}
		sort.Ints(cuts)
		cuts = slices.Compact(cuts)
		var chunks []*Chunk
		for i, from := range cuts[:len(cuts)-1] {
			c := buildChunk(t, base+uint32(from), 3, docs[from:cuts[i+1]])
			if rng.IntN(2) == 0 {
				c = reopen(t, c)
			}
			chunks = append(chunks, c)
		}
		for len(chunks) > 2 && rng.IntN(3) > 0 { // merges of merges
			i := rng.IntN(len(chunks) - 1)
			m, err := Merge(chunks[i : i+2])
			if err != nil {
				t.Fatal(err)
			}
			chunks = slices.Replace(chunks, i, i+2, m)
		}
		merged, err := Merge(chunks)
		if err != nil {
			t.Fatal(err)
		}
		got := encodeChunk(t, merged)
		if len(got) != len(want) {
			t.Fatalf("cuts %v: %d parts, want %d", cuts, len(got), len(want))
		}
		for p, data := range want {
			if !bytes.Equal(got[p], data) {
				t.Fatalf("cuts %v: part %v differs", cuts, p)
			}
		}
	})
}

func TestMergeFillsGapsAndGrowsFields(t *testing.T) {
	word := func(field uint16, v string) []ColumnValues {
		return []ColumnValues{{Field: field, Kind: KindKeyword, Values: []Value{KeywordValue([]byte(v))}}}
	}
	a := Doc{ID: []byte("a"), Lengths: []uint32{3}, Columns: word(1, "x")}
	b := Doc{ID: []byte("b"), Lengths: []uint32{0, 5}, Columns: word(2, "y")}
	merged, err := Merge([]*Chunk{buildChunk(t, 10, 1, []Doc{a}), buildChunk(t, 13, 2, []Doc{b})})
	if err != nil {
		t.Fatal(err)
	}
	hole := Doc{Absent: true}
	want := encodeChunk(t, buildChunk(t, 10, 2, []Doc{a, hole, hole, b}))
	for p, data := range encodeChunk(t, merged) {
		if !bytes.Equal(data, want[p]) {
			t.Errorf("part %v differs from that of one build", p)
		}
	}
	if merged.TextFields() != 2 {
		t.Errorf("TextFields = %d, want 2", merged.TextFields())
	}
}
