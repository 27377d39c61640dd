package storage

import (
	"bytes"
	"encoding/hex"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestKeysAreAsDocumented(t *testing.T) {
	for _, c := range []struct {
		name string
		key  []byte
		want string
	}{
		{"meta", MetaKey(), "0066"},
		{"catalogue", CatalogKey("ab"), "016162"},
		{"row", RowKey([]byte{0xff, 0}), "02ff00"},
		{"index", IndexPrefix(7), "1000000007"},
		{"manifest", ManifestKey(7), "100000000701"},
		{"schema", SchemaKey(7), "100000000702"},
		{"batch log", BatchLogKey(7, 0x0102030405060708), "1000000007030102030405060708"},
		{"id", IDKey(7, "ab"), "1000000007046162"},
		{"block", BlockKey(7, 65536), "10000000070500010000"},
		{"tombstones", TombstoneKey(7, 0x0102), "1000000007070102"},
		{"segment", SegmentKey(7, 0x01020304, 5, 0x06070809), "100000000708010203040506070809"},
		{"id filter", IDFilterKey(7, 0x0102), "1000000007090102"},
		{"vectors", VectorKey(7, 0x01020304, 5, 0x06070809), "10000000070a010203040506070809"},
		{"field vectors", FieldRunKey(7, 0x0102, 0x06070809), "10000000070b010206070809"},
	} {
		if got := hex.EncodeToString(c.key); got != c.want {
			t.Errorf("%s key = %s, want %s", c.name, got, c.want)
		}
	}
}

// edge returns a number that is often near the ends of its range, where byte
// order and number order would part if they could.
func edge(r *rand.Rand, max uint64) uint64 {
	switch r.IntN(4) {
	case 0:
		return min(r.Uint64N(4), max)
	case 1:
		return max - min(r.Uint64N(4), max)
	default:
		return r.Uint64() & max
	}
}

func randomName(r *rand.Rand) string {
	b := make([]byte, r.IntN(4))
	for i := range b {
		b[i] = []byte{0, 1, 'a', 0xfe, 0xff}[r.IntN(5)]
	}
	return string(b)
}

// A parts is a decoded key: what kind it is, then its parts from left to right.
type parts struct {
	numbers [5]uint64
	name    string
}

func (p parts) compare(q parts) int {
	if c := slices.Compare(p.numbers[:], q.numbers[:]); c != 0 {
		return c
	}
	return strings.Compare(p.name, q.name)
}

func randomKey(r *rand.Rand) (parts, []byte) {
	ix := uint32(edge(r, 3))
	u8, u16, u32 := uint8(edge(r, math.MaxUint8)), uint16(edge(r, math.MaxUint16)), uint32(edge(r, math.MaxUint32))
	v32, u64 := uint32(edge(r, math.MaxUint32)), edge(r, math.MaxUint64)
	name := randomName(r)
	in := func(kind uint64, more ...uint64) parts {
		p := parts{numbers: [5]uint64{spaceIndex, uint64(ix), kind}}
		copy(p.numbers[3:], more)
		return p
	}
	switch r.IntN(13) {
	case 0:
		return parts{numbers: [5]uint64{spaceMeta}}, MetaKey()
	case 1:
		return parts{numbers: [5]uint64{spaceCatalog}, name: name}, CatalogKey(name)
	case 2:
		return parts{numbers: [5]uint64{spaceRow}, name: name}, RowKey([]byte(name))
	case 3:
		return in(kindManifest), ManifestKey(ix)
	case 4:
		return in(kindSchema), SchemaKey(ix)
	case 5:
		return in(kindBatchLog, u64), BatchLogKey(ix, u64)
	case 6:
		p := in(kindID)
		p.name = name
		return p, IDKey(ix, name)
	case 7:
		return in(kindBlock, uint64(u32)), BlockKey(ix, u32)
	case 8:
		return in(kindTombstones, uint64(u16)), TombstoneKey(ix, u16)
	case 9:
		return in(kindSegment, uint64(u32), uint64(u8)<<32|uint64(v32)), SegmentKey(ix, u32, u8, v32)
	case 10:
		return in(kindVectors, uint64(u32), uint64(u8)<<32|uint64(v32)), VectorKey(ix, u32, u8, v32)
	case 11:
		return in(kindFieldRun, uint64(u16), uint64(u32)), FieldRunKey(ix, u16, u32)
	default:
		return in(kindIDFilter, uint64(u16)), IDFilterKey(ix, u16)
	}
}

func TestOrderOfKeysIsOrderOfParts(t *testing.T) {
	const seed = 1
	r := rand.New(rand.NewPCG(seed, 0))
	for i := range 100_000 {
		p, a := randomKey(r)
		q, b := randomKey(r)
		if got, want := bytes.Compare(a, b), p.compare(q); got != want {
			t.Fatalf("seed %d, pair %d: Compare(%x, %x) = %d, parts %v and %v want %d", seed, i, a, b, got, p, q, want)
		}
	}
}

func TestParsersReturnThePartsAndRefuseOtherKinds(t *testing.T) {
	const seed = 2
	r := rand.New(rand.NewPCG(seed, 0))
	for range 30_000 {
		_, key := randomKey(r)
		accepted := 0
		again := func(k []byte, err error) {
			switch {
			case err == nil && bytes.Equal(k, key):
				accepted++
			case err == nil:
				t.Fatalf("seed %d: %x parsed as the parts of %x", seed, key, k)
			case !errors.Is(err, ErrCorrupt):
				t.Fatalf("seed %d: parsing %x: %v is not ErrCorrupt", seed, key, err)
			}
		}
		forEachParse(key, again)
		want := 1
		switch {
		case bytes.Equal(key, MetaKey()), len(key) == kindLen && (key[kindLen-1] == kindManifest || key[kindLen-1] == kindSchema):
			want = 0 // never scanned
		}
		if accepted != want {
			t.Fatalf("seed %d: %x was accepted by %d parsers, want %d", seed, key, accepted, want)
		}
	}
}

// forEachParse calls f with what each parser makes of key, encoded again.
func forEachParse(key []byte, f func([]byte, error)) {
	name, err := ParseCatalogKey(key)
	f(CatalogKey(name), err)
	row, err := ParseRowKey(key)
	f(RowKey(row), err)
	ix, seq, err := ParseBatchLogKey(key)
	f(BatchLogKey(ix, seq), err)
	ix, id, err := ParseIDKey(key)
	f(IDKey(ix, id), err)
	ix, doc, err := ParseBlockKey(key)
	f(BlockKey(ix, doc), err)
	ix, page, err := ParseTombstoneKey(key)
	f(TombstoneKey(ix, page), err)
	ix, segment, part, ordinal, err := ParseSegmentKey(key)
	f(SegmentKey(ix, segment, part, ordinal), err)
	ix, filterPart, err := ParseIDFilterKey(key)
	f(IDFilterKey(ix, filterPart), err)
	ix, model, part, ordinal, err := ParseVectorKey(key)
	f(VectorKey(ix, model, part, ordinal), err)
	ix, field, doc, err := ParseFieldRunKey(key)
	f(FieldRunKey(ix, field, doc), err)
}

func FuzzParseKeys(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{spaceIndex})
	f.Add(MetaKey())
	f.Add(CatalogKey("name"))
	f.Add(BatchLogKey(1, 2))
	f.Add(IDKey(1, ""))
	f.Add(SegmentKey(math.MaxUint32, math.MaxUint32, math.MaxUint8, math.MaxUint32))
	f.Fuzz(func(t *testing.T, key []byte) {
		forEachParse(key, func(again []byte, err error) {
			if err != nil && !errors.Is(err, ErrCorrupt) {
				t.Errorf("parse %x: %v is not ErrCorrupt", key, err)
			}
			if err == nil && !bytes.Equal(again, key) {
				t.Errorf("%x parsed and encoded again is %x", key, again)
			}
		})
		if ix, err := ParseIndex(key); err == nil && !bytes.HasPrefix(key, IndexPrefix(ix)) {
			t.Errorf("ParseIndex(%x) = %d", key, ix)
		}
	})
}

func TestRangesHoldWhatTheyNameAndNothingElse(t *testing.T) {
	const seed = 3
	r := rand.New(rand.NewPCG(seed, 0))
	for range 30_000 {
		p, key := randomKey(r)
		ix := uint32(edge(r, 3))
		from, to := edge(r, 7), edge(r, 7)
		if r.IntN(4) == 0 {
			to = math.MaxUint64
		}
		page, segment, prefix := uint16(edge(r, math.MaxUint16)), uint32(edge(r, math.MaxUint32)), randomName(r)
		ours := p.numbers[0] == spaceIndex && p.numbers[1] == uint64(ix)
		of := func(kind uint64) bool { return ours && p.numbers[2] == kind }
		check := func(name string, lo, hi []byte, want bool) {
			t.Helper()
			if got := bytes.Compare(lo, key) <= 0 && bytes.Compare(key, hi) < 0; got != want {
				t.Fatalf("seed %d: %x in %s [%x, %x): %t, want %t", seed, key, name, lo, hi, got, want)
			}
		}
		within := func(n uint64) bool { return from <= n && (n < to || to == math.MaxUint64) }

		lo, hi := CatalogRange()
		check("catalogue", lo, hi, p.numbers[0] == spaceCatalog)
		lo, hi = RowRange([]byte(prefix))
		check("rows", lo, hi, p.numbers[0] == spaceRow && strings.HasPrefix(p.name, prefix))
		lo, hi = IndexRange(ix)
		check("index", lo, hi, ours)
		lo, hi = BatchLogRange(ix, from, to)
		check("batch log", lo, hi, of(kindBatchLog) && within(p.numbers[3]))
		lo, hi = IDRange(ix)
		check("ids", lo, hi, of(kindID))
		lo, hi = BlockRange(ix, uint32(from), uint32(min(to, math.MaxUint32)))
		check("blocks", lo, hi, of(kindBlock) && within(p.numbers[3]))
		lo, hi = TombstoneRange(ix)
		check("tombstones", lo, hi, of(kindTombstones))
		lo, hi = SegmentRange(ix, segment)
		check("segment", lo, hi, of(kindSegment) && p.numbers[3] == uint64(segment))
		lo, hi = SegmentsRange(ix)
		check("segments", lo, hi, of(kindSegment))
		lo, hi = IDFilterRange(ix)
		check("id filter", lo, hi, of(kindIDFilter))
		lo, hi = VectorRange(ix, segment)
		check("model", lo, hi, of(kindVectors) && p.numbers[3] == uint64(segment))
		lo, hi = VectorsRange(ix)
		check("vectors", lo, hi, of(kindVectors))
		lo, hi = FieldRunRange(ix, page, uint32(from), uint32(min(to, math.MaxUint32)))
		check("field vectors", lo, hi, of(kindFieldRun) && p.numbers[3] == uint64(page) && within(p.numbers[4]))
		lo, hi = FieldRunsRange(ix)
		check("vectors of all fields", lo, hi, of(kindFieldRun))
	}
}

func TestIndexRangeOfTheLastIndex(t *testing.T) {
	lo, hi := IndexRange(math.MaxUint32)
	if key := ManifestKey(math.MaxUint32); bytes.Compare(lo, key) > 0 || bytes.Compare(key, hi) >= 0 {
		t.Errorf("%x is not in [%x, %x)", key, lo, hi)
	}
}

func TestAppendIDKey(t *testing.T) {
	got := AppendIDKey([]byte("x"), 9, "id")
	if want := append([]byte("x"), IDKey(9, "id")...); !bytes.Equal(got, want) {
		t.Errorf("AppendIDKey = %x, want %x", got, want)
	}
}
