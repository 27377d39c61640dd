package page

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/quarry-search/quarry/engine/internal/geo"
)

// counting is a Source that counts reads and fails when told to.
type counting struct {
	recorder
	reads map[Part]*atomic.Int32
	fail  atomic.Bool
}

var errRead = errors.New("the disk is on fire")

func newCounting(r recorder) *counting {
	c := &counting{recorder: r, reads: make(map[Part]*atomic.Int32)}
	for p := range r {
		c.reads[p] = new(atomic.Int32)
	}
	return c
}

func (c *counting) Part(p Part) ([]byte, error) {
	if c.fail.Load() {
		return nil, errRead
	}
	if n := c.reads[p]; n != nil {
		n.Add(1)
	}
	return c.recorder.Part(p)
}

// touch reads everything of a chunk.
func touch(c *Chunk) error {
	for i := range c.Len() {
		if _, err := c.ID(i); err != nil {
			return err
		}
	}
	for f := AllFields; f < c.TextFields(); f++ {
		if _, err := c.Norms(f); err != nil {
			return err
		}
	}
	for _, info := range c.Columns() {
		if _, err := c.Column(info.Field); err != nil {
			return err
		}
	}
	return nil
}

func TestPartsAreReadOnceAndOnDemand(t *testing.T) {
	docs := randomDocs(rand.New(rand.NewPCG(1, 2)), 500, 0.3)
	src := newCounting(encodeChunk(t, buildChunk(t, 0, 3, docs)))
	c, err := Open(0, src, decoder(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	for p, n := range src.reads {
		if want := p.Kind == PartSummary; (n.Load() == 1) != want {
			t.Errorf("after Open: part %v was read %d times", p, n.Load())
		}
	}
	if c.Bytes() != 0 {
		t.Errorf("after Open: Bytes = %d, want 0", c.Bytes())
	}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if err := touch(c); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	total := 0
	for p, n := range src.reads {
		if n.Load() != 1 {
			t.Errorf("part %v was read %d times, want once", p, n.Load())
		}
		total += len(src.recorder[p])
	}
	if held := c.Bytes(); held < int64(total)*9/10 || held > int64(total)*2+10_000 {
		t.Errorf("Bytes = %d, parts are %d", held, total)
	}
	c.Drop()
	if c.Bytes() != 0 {
		t.Errorf("after Drop: Bytes = %d, want 0", c.Bytes())
	}
	checkChunk(t, c, docs)
}

func TestDropWhileReading(t *testing.T) {
	docs := randomDocs(rand.New(rand.NewPCG(3, 4)), 200, 0.3)
	c := reopen(t, buildChunk(t, 0, 3, docs))
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 50 {
				if err := touch(c); err != nil {
					t.Error(err)
				}
				if id, _ := c.ID(199); !bytes.Equal(id, docs[199].ID) {
					t.Errorf("ID(199) = %q, want %q", id, docs[199].ID)
				}
			}
		})
		group.Go(func() {
			for range 50 {
				c.Drop()
			}
		})
	}
	group.Wait()
	c.Drop()
	if c.Bytes() != 0 {
		t.Errorf("Bytes = %d, want 0", c.Bytes())
	}
}

func TestFailedReadsAreTriedAgain(t *testing.T) {
	docs := randomDocs(rand.New(rand.NewPCG(5, 6)), 50, 0)
	src := newCounting(encodeChunk(t, buildChunk(t, 0, 3, docs)))
	c, err := Open(0, src, decoder(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	src.fail.Store(true)
	if err := touch(c); !errors.Is(err, errRead) {
		t.Errorf("error of a failing source: %v", err)
	}
	if _, err := Merge([]*Chunk{c}); !errors.Is(err, errRead) {
		t.Errorf("Merge over a failing source: %v", err)
	}
	if err := c.Encode(func(Part, []byte) error { return nil }); !errors.Is(err, errRead) {
		t.Errorf("Encode over a failing source: %v", err)
	}
	src.fail.Store(false)
	checkChunk(t, c, docs)
}

func TestCompareIDKeepsToTheOrderOfIDs(t *testing.T) {
	const seed = 7
	r := rand.New(rand.NewPCG(seed, 1))
	for round := range 40 {
		prefix := []string{"", "record-", "a-prefix-of-more-than-eight-bytes:"}[round%3]
		docs := make([]Doc, 1+r.IntN(60))
		for i := range docs {
			id := prefix
			for n := r.IntN(12); n > 0; n-- {
				id += string(rune(r.IntN(3)))
			}
			docs[i] = Doc{ID: []byte(id)}
			if id == "" || r.IntN(8) == 0 {
				docs[i] = Doc{Absent: true}
			}
		}
		c := buildChunk(t, 0, 0, docs)
		if round%2 == 1 {
			c = reopen(t, c)
		}
		for range 2 * patience * len(docs) { // past the comparison at which ids are ranked
			i, j := r.IntN(len(docs)), r.IntN(len(docs))
			if got, err := c.CompareID(i, c, j); got != bytes.Compare(docs[i].ID, docs[j].ID) || err != nil {
				t.Fatalf("seed %d, round %d: CompareID of %q and %q = %d, %v", seed, round, docs[i].ID, docs[j].ID, got, err)
			}
		}
		if ascend, err := c.IDsAscend(); err != nil || !ascend && c.idRanks.value.Load() == nil {
			t.Fatalf("seed %d, round %d: ids are not ranked, %v", seed, round, err)
		}
		before := c.Bytes()
		c.Drop()
		if !(c.Bytes() <= before) || c.idRanks.value.Load() != nil {
			t.Fatalf("seed %d, round %d: ranks are there after Drop", seed, round)
		}
	}
}

func TestCompareID(t *testing.T) {
	c := buildChunk(t, 0, 0, []Doc{{ID: []byte("b")}, {ID: []byte("a")}, {ID: []byte("b\x00")}, {Absent: true}})
	for _, other := range []*Chunk{c, reopen(t, c)} {
		for _, test := range []struct{ i, j, want int }{{0, 1, 1}, {1, 0, -1}, {0, 0, 0}, {0, 2, -1}, {3, 1, -1}} {
			if got, err := c.CompareID(test.i, other, test.j); got != test.want || err != nil {
				t.Errorf("CompareID(%d, %d) = %d, %v; want %d", test.i, test.j, got, err, test.want)
			}
		}
	}
}

// Chunks of version 1 have all ids in one part, and norms of all fields even
// where there is one.
func TestVersion1(t *testing.T) {
	rounds(t, 4, func(t *testing.T, rng *rand.Rand) {
		docs := randomDocs(rng, 400, 0.2)
		fields := rng.IntN(4)
		for i := range docs {
			docs[i].Lengths = docs[i].Lengths[:min(fields, len(docs[i].Lengths))]
		}
		c := buildChunk(t, 0, 3, docs)
		parts := make(recorder)
		for p, data := range c.src.(memory) {
			parts[p] = data
		}
		all, err := c.Norms(AllFields)
		if err != nil {
			t.Fatal(err)
		}
		if all != nil {
			parts[Part{Kind: PartAllNorms}] = encodeNorms(Part{Kind: PartAllNorms}, all)
		}
		c.version = 1
		parts[Part{Kind: PartSummary}] = c.encodeSummary()
		old, err := Open(0, parts, decoder(t), nil)
		if err != nil {
			t.Fatal(err)
		}
		checkChunk(t, old, docs)
		if err := old.Encode(parts.put); err != nil {
			t.Fatal(err)
		}
		for _, p := range old.Parts() {
			if parts[p] == nil {
				t.Errorf("no part %v", p)
			}
		}
		merged, err := Merge([]*Chunk{old})
		if err != nil {
			t.Fatal(err)
		}
		checkChunk(t, reopen(t, merged), docs)
	})
}

// appendIDs3 appends n ids as blocks of chunks of versions 2 and 3 have them, before
// compression.
func appendIDs3(raw []byte, n int, at func(i int) []byte) []byte {
	raw = append(raw, idsEnded)
	for i := range n {
		if bytes.IndexByte(at(i), 0) >= 0 {
			raw[0] = idsSized
			break
		}
	}
	for i := range n {
		if raw[0] == idsSized {
			raw = append(binary.AppendUvarint(raw, uint64(len(at(i)))), at(i)...)
		} else {
			raw = append(append(raw, at(i)...), 0)
		}
	}
	return raw
}

// Chunks of version 2 have blocks of 256 ids packed by Zstandard, those of version 3 of 16.
func TestVersion2(t *testing.T) { testZstdIDs(t, 2, 256) }
func TestVersion3(t *testing.T) { testZstdIDs(t, 3, 16) }

func testZstdIDs(t *testing.T, version byte, size int) {
	rounds(t, 8, func(t *testing.T, rng *rand.Rand) {
		docs := randomDocs(rng, 1+rng.IntN(800), 0.2)
		c := buildChunk(t, 0, 3, docs)
		parts := encodeChunk(t, c)
		for p := range parts {
			if p.Kind == PartIDBlock || p.Kind == PartSymbols {
				delete(parts, p)
			}
		}
		w, err := NewBlockWriter()
		if err != nil {
			t.Fatal(err)
		}
		for from := 0; from < len(docs); from += size {
			p, n := Part{PartIDBlock, uint16(from / size)}, min(len(docs)-from, size)
			parts[p] = w.pack(nil, p, appendIDs3(nil, n, func(i int) []byte { return docs[from+i].ID }), n)
		}
		c.version = version
		parts[Part{Kind: PartSummary}] = c.encodeSummary()
		old, err := Open(0, parts, decoder(t), nil)
		if err != nil {
			t.Fatal(err)
		}
		checkChunk(t, old, docs)
		again := make(recorder)
		if err := old.Encode(again.put); err != nil {
			t.Fatal(err)
		}
		if len(again) != len(parts) {
			t.Errorf("encoded again as %d parts, want %d", len(again), len(parts))
		}
		for p, data := range again {
			if !bytes.Equal(data, parts[p]) {
				t.Errorf("%v: not as it was", p)
			}
		}
		merged, err := Merge([]*Chunk{old})
		if err != nil {
			t.Fatal(err)
		}
		checkChunk(t, reopen(t, merged), docs)
	})
}

func TestBuilderRefusesWhatItCannotStore(t *testing.T) {
	one := func(kind Kind, values ...Value) []ColumnValues {
		return []ColumnValues{{Field: 1, Kind: kind, Values: values}}
	}
	for name, d := range map[string]Doc{
		"NaN":                     {Columns: one(KindFloat, FloatValue(math.NaN()))},
		"infinity":                {Columns: one(KindFloat, FloatValue(math.Inf(-1)))},
		"kind of value":           {Columns: one(KindInt, FloatValue(1))},
		"kind of column":          {Columns: one(KindKeyword, KeywordValue([]byte("x")))},
		"no kind":                 {Columns: []ColumnValues{{Field: 2, Values: []Value{{}}}}},
		"bool above 1":            {Columns: []ColumnValues{{Field: 2, Kind: KindBool, Values: []Value{{Kind: KindBool, Int: 2}}}}},
		"field named twice":       {Columns: append(one(KindInt, IntValue(1)), one(KindInt, IntValue(2))...)},
		"more fields than stated": {Lengths: []uint32{1, 2}},
	} {
		t.Run(name, func(t *testing.T) {
			b := NewBuilder(0, 1)
			b.Add(&Doc{Columns: one(KindInt, IntValue(1))})
			if d.Columns != nil && d.Columns[0].Kind == KindFloat {
				b = NewBuilder(0, 1)
			}
			b.Add(&d)
			b.Add(&Doc{})
			if chunks, err := b.Chunks(); !errors.Is(err, ErrInvalid) || chunks != nil {
				t.Errorf("Chunks = %v, %v; want an error marked ErrInvalid", chunks, err)
			}
		})
	}
}

func TestMergeRefusesWhatIsNotAPage(t *testing.T) {
	at := func(base uint32, kind Kind) *Chunk {
		v := Value{Kind: kind}
		return buildChunk(t, base, 0, []Doc{{Columns: []ColumnValues{{Kind: kind, Values: []Value{v}}}}})
	}
	for name, chunks := range map[string][]*Chunk{
		"none":           {},
		"overlap":        {at(5, KindInt), at(5, KindInt)},
		"descending":     {at(5, KindInt), at(4, KindInt)},
		"two pages":      {at(Size-1, KindInt), at(Size, KindInt)},
		"kinds disagree": {at(5, KindInt), at(6, KindDate)},
	} {
		if c, err := Merge(chunks); !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: Merge = %v, %v; want an error marked ErrInvalid", name, c, err)
		}
	}
}

func TestDamagedPartsAreTold(t *testing.T) {
	docs := randomDocs(rand.New(rand.NewPCG(7, 8)), 300, 0.3)
	parts := encodeChunk(t, buildChunk(t, 70_000, 3, docs))
	rng := rand.New(rand.NewPCG(9, 10))
	for p, data := range parts {
		damaged := map[string][]byte{"missing": nil, "cut": data[:len(data)-1], "longer": append(bytes.Clone(data), 0)}
		flipped := bytes.Clone(data)
		flipped[rng.IntN(len(data))] ^= 1 << rng.IntN(8)
		damaged["flipped bit"] = flipped
		for other, bytes := range parts {
			if other != p {
				damaged["part "+other.String()] = bytes
			}
		}
		for name, bad := range damaged {
			src := make(recorder)
			for q, good := range parts {
				src[q] = good
			}
			src[p] = bad
			c, err := Open(70_000, src, decoder(t), nil)
			if err == nil {
				err = touch(c)
			}
			if !errors.Is(err, ErrCorrupt) {
				t.Errorf("part %v, %s: %v; want an error marked ErrCorrupt", p, name, err)
			}
		}
	}
	if _, err := Open(70_001, parts, decoder(t), nil); !errors.Is(err, ErrCorrupt) {
		t.Errorf("Open at another base: %v; want an error marked ErrCorrupt", err)
	}
}

// reframe puts a payload of fuzz input into a valid frame, so that the fuzzer
// gets past the checksum.
func reframe(p Part, payload []byte) []byte {
	return endFrame(append(beginFrame(nil, p), payload...), 0)
}

// payload is the inverse of reframe.
func payload(data []byte) []byte { return data[frameHead : len(data)-frameTail] }

func FuzzDecodeColumn(f *testing.F) {
	for seed := range uint64(4) {
		docs := randomDocs(rand.New(rand.NewPCG(seed, 1)), 40, float64(seed%2)/2)
		for p, data := range encodeChunk(f, buildChunk(f, 0, 3, docs)) {
			if p.Kind == PartColumn {
				f.Add(uint16(40), payload(data))
			}
		}
	}
	f.Fuzz(func(t *testing.T, n uint16, body []byte) {
		if n == 0 {
			return
		}
		col, err := decodeColumn(3, int(n), reframe(Part{PartColumn, 3}, body))
		if err != nil {
			if !errors.Is(err, ErrCorrupt) {
				t.Fatalf("error is not marked: %v", err)
			}
			return
		}
		useColumn(col)
	})
}

// useColumn calls all that can go wrong on a decoded column.
func useColumn(col *Column) {
	var words, all [Size / 64]uint64
	fillBits(all[:], Size)
	for _, b := range []Bound{{}, At(IntValue(5)), At(FloatValue(-0.5)), At(KeywordValue([]byte("value-2")))} {
		col.Range(b, Bound{}, &words, 0)
		col.Range(Bound{}, b, &words, 0)
		col.Range(b, b, &words, 0)
	}
	col.Min()
	col.Max()
	col.Present(&words, 0)
	s := col.Stats(&all, 0)
	s.Sum()
	for i := range col.Len() {
		col.Values(nil, i)
		col.Extreme(i, true)
		col.Nearest(geo.Point{}, i)
	}
	limits := Limits{Low: At(IntValue(5)), Untied: 3}
	var counter Counter
	col.Walk(&all, 0, true, &limits, func(int) bool { return true })
	col.CountNumbers(&all, 0, &counter, &s, func(Value, int) {})
	col.CountLeast(&all, 0, &counter, func(Value, int) {})
	col.LeastIn(func(Value) bool { return true }, &words, 0)
	kept := all
	col.Keep(At(IntValue(5)), Bound{}, &kept, 0)
	if col.ends == nil {
		col.sortDocs()
	}
	area := geo.Circle(geo.Point{}, 1e6)
	col.Within(&area, &words, 0)
	col.CountOrds(&all, 0, &counter, func(int, int) {})
	if d := col.Dict(); d != nil {
		set := NewOrdSet(d.Len())
		set.Add(0)
		set.Add(d.Len() - 1)
		col.OrdsIn(set, &words, 0)
	}
}

func FuzzOpen(f *testing.F) {
	dec := decoder(f)
	short := NewPool(1<<20, PoolOptions{Short: func() bool { return true }})
	var symbols []byte
	for seed := range uint64(3) {
		docs := randomDocs(rand.New(rand.NewPCG(seed, 1)), 30, 0.2)
		parts := encodeChunk(f, buildChunk(f, 0, 3, docs))
		f.Add(payload(parts[Part{Kind: PartSummary}]), payload(parts[Part{Kind: PartIDBlock}]))
		symbols = parts[Part{Kind: PartSymbols}]
	}
	f.Fuzz(func(t *testing.T, summary, ids []byte) {
		newest := (Part{Kind: PartSummary}).newest()
		for version := range newest + 1 { // of the newest also where memory is short
			framed, pool := reframe(Part{Kind: PartSummary}, summary), (*Pool)(nil)
			if framed[0] = version + 1; version == newest {
				framed[0], pool = newest, short
			}
			c, err := Open(0, recorder{
				{Kind: PartSummary}: endFrame(framed[:len(framed)-frameTail], 0),
				{Kind: PartIDs}:     reframe(Part{Kind: PartIDs}, ids),
				{Kind: PartIDBlock}: reframe(Part{Kind: PartIDBlock}, ids),
				{Kind: PartSymbols}: symbols,
			}, dec, pool)
			if err != nil {
				if !errors.Is(err, ErrCorrupt) {
					t.Fatalf("error is not marked: %v", err)
				}
				continue
			}
			if again := c.encodeSummary(); !bytes.Equal(payload(again), summary) {
				t.Fatalf("summary %x was read, but is %x", summary, payload(again))
			}
			for i := range c.Len() {
				if _, err := c.ID(i); err != nil && !errors.Is(err, ErrCorrupt) {
					t.Fatalf("error is not marked: %v", err)
				}
			}
			if _, err := c.CompareID(0, c, c.Len()-1); err != nil && !errors.Is(err, ErrCorrupt) {
				t.Fatalf("error is not marked: %v", err)
			}
			if _, _, err := c.IDsUpTo([]byte("m")); err != nil && !errors.Is(err, ErrCorrupt) {
				t.Fatalf("error is not marked: %v", err)
			}
		}
	})
}

// The example of the package comment.
func TestWorkedExample(t *testing.T) {
	var docs []Doc
	for _, price := range []float64{9.99, 12.5, 20} {
		docs = append(docs, Doc{Columns: []ColumnValues{{Field: 1, Kind: KindFloat, Values: []Value{FloatValue(price)}}}})
	}
	const want = "01050100" + "02000200" + "030000000300000003000000" +
		"e703000000000080" + "0100000000000000" + "0000000000000000e903000000000000" +
		"00ec933e" + "0000000000000000" + "846595c7"
	if got := fmt.Sprintf("%x", encodeChunk(t, buildChunk(t, 0, 0, docs))[Part{PartColumn, 1}]); got != want {
		t.Errorf("column is %s, want %s", got, want)
	}
}
