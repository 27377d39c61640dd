package segment

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/score"
)

// occurrence is one call to a Writer.
type occurrence struct {
	space Space
	term  string
	field int
	pos   uint32
}

// document is what a test gives a Writer for one document.
type document struct {
	id     posting.DocID
	fields int // text fields that existed when it was written
	terms  []occurrence
}

// entry is a posting as the naive index has it.
type entry struct {
	doc       posting.DocID
	vector    score.Vector
	positions []uint32
}

// naive is the oracle: postings by key.
func naive(docs []document) map[string][]entry {
	index := map[string][]entry{}
	for _, d := range docs {
		type place struct {
			field int
			pos   uint32
		}
		terms := map[string][]place{}
		for _, o := range d.terms {
			key := string(Key(nil, o.space, []byte(o.term)))
			terms[key] = append(terms[key], place{o.field, o.pos})
		}
		for key, places := range terms {
			slices.SortStableFunc(places, func(x, y place) int { return x.field - y.field })
			e := entry{doc: d.id}
			kind := kindOf([]byte(key))
			for _, p := range places {
				if kind == posting.KindDocs {
					break
				}
				if n := len(e.vector); n > 0 && int(e.vector[n-1].Field) == p.field {
					e.vector[n-1].TF++
				} else {
					e.vector = append(e.vector, score.Freq{Field: uint16(p.field), TF: 1})
				}
				if kind == posting.KindPositions {
					e.positions = append(e.positions, p.pos)
				}
			}
			index[key] = append(index[key], e)
		}
	}
	return index
}

// impactsOf keeps what impacts has made; tests of this package run one by one.
var impactsOf = map[int]*Impacts{}

// impacts returns impacts with norms that depend on the document alone, in
// runs of 1,000 documents.
func impacts(fields int) *Impacts {
	if im := impactsOf[fields]; im != nil {
		return im
	}
	p := score.Params{K1: score.DefaultK1}
	for f := range fields {
		p.Fields = append(p.Fields, score.Field{Weight: float64(1 + f%3), B: score.DefaultB, AvgLen: float64(5 + 10*f)})
	}
	const length = 1000
	runs := map[posting.DocID]posting.NormRun{}
	im := &Impacts{Params: p, Table: score.NewTable(score.NewCodebook(fields), p)}
	im.Norms = func(doc posting.DocID) (posting.NormRun, error) {
		first := doc - doc%length
		if run, ok := runs[first]; ok {
			return run, nil
		}
		run := posting.NormRun{First: first, Last: max(first, first+(length-1))}
		for f := range fields {
			norms := make([]byte, length)
			for i := range norms {
				norms[i] = byte((first+posting.DocID(i))*2654435761>>24) % 60
			}
			if f%4 == 3 {
				norms = nil
			}
			run.Norms = append(run.Norms, norms)
		}
		runs[first] = run
		return run, nil
	}
	impactsOf[fields] = im
	return im
}

// shape says what random documents look like.
type shape struct {
	terms, fields, values int
	length                int // words of a document, at most
	words                 bool
}

// randomDocs makes documents with the given numbers. Terms are drawn so that
// some are in nearly all documents and most in few.
func randomDocs(r *rand.Rand, ids []posting.DocID, s shape) []document {
	docs := make([]document, len(ids))
	for i, id := range ids {
		d := document{id: id, fields: s.fields}
		for f := range s.fields {
			pos := uint32(0)
			for range r.IntN(s.length + 1) {
				rank := int(float64(s.terms) * r.Float64() * r.Float64() * r.Float64())
				term := fmt.Sprintf("t%d", rank)
				d.terms = append(d.terms, occurrence{SpaceText, term, f, pos})
				if s.words {
					d.terms = append(d.terms, occurrence{SpaceWord, term + "s", f, 0})
				}
				switch r.IntN(40) {
				case 0:
					pos += uint32(r.IntN(300))
				case 1:
					pos += uint32(r.IntN(100_000))
				case 2: // the same place again, as synonyms have it
				default:
					pos++
				}
			}
		}
		if s.fields > 0 && r.IntN(200) == 0 { // more than any code stands for
			for p := range 260 + r.IntN(100) {
				d.terms = append(d.terms, occurrence{SpaceText, "often", 0, uint32(p)})
			}
		}
		for range r.IntN(s.values + 1) {
			v := r.IntN(s.values)
			d.terms = append(d.terms, occurrence{SpaceValues + Space(v%3), fmt.Sprint(v), 0, 0})
		}
		docs[i] = d
	}
	return docs
}

// sequence returns n numbers from first on.
func sequence(first posting.DocID, n int) []posting.DocID {
	ids := make([]posting.DocID, n)
	for i := range ids {
		ids[i] = first + posting.DocID(i)
	}
	return ids
}

// build inverts documents.
func build(t testing.TB, w *Writer, docs []document, fields int) *Parts {
	t.Helper()
	w.Reset(fields)
	base := posting.DocID(0)
	if len(docs) > 0 {
		base = docs[0].id
	}
	for _, d := range docs {
		for _, o := range d.terms {
			switch o.space {
			case SpaceText:
				w.Text(uint32(d.id-base), []byte(o.term), o.field, o.pos)
			case SpaceWord:
				w.Word(uint32(d.id-base), []byte(o.term), o.field)
			default:
				w.Value(uint32(d.id-base), int(o.space-SpaceValues), []byte(o.term))
			}
		}
	}
	p, err := w.Build(base, impacts(fields))
	if err != nil {
		t.Fatalf("build of %d documents: %v", len(docs), err)
	}
	return p
}

// open opens parts that must be good.
func open(t testing.TB, src Source) *Reader {
	t.Helper()
	r, err := Open(src, nil)
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	return r
}

// entries reads a list back into the naive form.
func entries(l *posting.List, book *score.Codebook) []entry {
	var out []entry
	for rank, doc := range l.All {
		e := entry{doc: doc, vector: l.Vector(rank, book)}
		e.positions = l.Positions(rank, e.vector, nil)
		out = append(out, e)
	}
	return out
}

func same(x, y entry) bool {
	return x.doc == y.doc && slices.Equal(x.vector, y.vector) && slices.Equal(x.positions, y.positions)
}

// compare verifies that a segment holds exactly what the oracle does.
func compare(t *testing.T, name string, r *Reader, fields int, want map[string][]entry) {
	t.Helper()
	book := score.NewCodebook(fields)
	keys := slices.Sorted(maps.Keys(want))
	it := r.Terms(nil, nil)
	postings := int64(0)
	for _, key := range keys {
		if !it.Next() || string(it.Key()) != key {
			t.Fatalf("%s: term %q, want %q (%v)", name, it.Key(), key, it.Err())
		}
		list := want[key]
		postings += int64(len(list))
		if df, err := r.DF([]byte(key)); err != nil || df != len(list) || it.DF() != df {
			t.Fatalf("%s: DF(%q) = %d, %v and %d in order, want %d", name, key, df, err, it.DF(), len(list))
		}
		got, err := r.List([]byte(key), ListOptions{Positions: true, Compact: len(key)%2 == 0})
		if err != nil || got == nil {
			t.Fatalf("%s: List(%q) = %v, %v", name, key, got, err)
		}
		if !slices.EqualFunc(entries(got, book), list, same) {
			t.Fatalf("%s: list of %q differs from the oracle's %d postings", name, key, len(list))
		}
		if got.HasPos != (kindOf([]byte(key)) == posting.KindPositions) {
			t.Fatalf("%s: list of %q: HasPos %v", name, key, got.HasPos)
		}
	}
	if it.Next() || it.Err() != nil {
		t.Fatalf("%s: term %q (%v) after the last", name, it.Key(), it.Err())
	}
	if m := r.Meta(); m.Terms != len(want) || m.Postings != postings {
		t.Fatalf("%s: %d terms, %d postings, want %d, %d", name, m.Terms, m.Postings, len(want), postings)
	}
	if err := r.Check(context.Background(), impacts(fields)); err != nil {
		t.Fatalf("%s: check: %v", name, err)
	}
}

func TestWriterHoldsWhatItWasGiven(t *testing.T) {
	w := NewWriter(0)
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 1))
		s := shape{terms: 1 + r.IntN(3000), fields: r.IntN(4), values: 1 + r.IntN(400), length: r.IntN(30), words: seed%2 == 0}
		docs := randomDocs(r, sequence(posting.DocID(65000+r.IntN(1000)), r.IntN(800)), s)
		compare(t, fmt.Sprintf("seed %d, %+v", seed, s), open(t, build(t, w, docs, s.fields)), s.fields, naive(docs))
	}
}

// TestListsAtTheBorders builds lists with as many documents as containers,
// blocks and the small form change at.
func TestListsAtTheBorders(t *testing.T) {
	w := NewWriter(1)
	for _, df := range []int{1, 2, 127, 128, 129, 255, 256, 4095, 4096, 4097, 32769, 65536, 65537} {
		for _, first := range []posting.DocID{0, 65535, 65537} {
			docs := make([]document, df)
			for i := range docs {
				docs[i] = document{id: first + posting.DocID(i), fields: 1, terms: []occurrence{{SpaceText, "a", 0, uint32(i % 300)}}}
				if i%1000 == 7 {
					docs[i].terms = append(docs[i].terms, occurrence{SpaceText, "a", 0, 400})
				}
			}
			compare(t, fmt.Sprintf("%d documents from %d", df, first), open(t, build(t, w, docs, 1)), 1, naive(docs))
		}
	}
}

// TestMergeIsTheSameAsBuildingAtOnce splits documents into segments with
// growing numbers of fields, merges them without the dead, and wants the bytes
// of a segment built from the live documents alone.
func TestMergeIsTheSameAsBuildingAtOnce(t *testing.T) {
	w := NewWriter(0)
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 2))
		var docs []document
		var readers []*Reader
		next := posting.DocID(65536 - 600 + r.IntN(800))
		fields := r.IntN(3)
		terms := 1 + r.IntN(2000)
		for range 1 + r.IntN(5) {
			fields = min(fields+r.IntN(2), 5)
			s := shape{terms: terms, fields: fields, values: 1 + r.IntN(50), length: 1 + r.IntN(20), words: true}
			part := randomDocs(r, sequence(next, r.IntN(500)), s)
			readers = append(readers, open(t, build(t, w, part, fields)))
			docs = append(docs, part...)
			next += posting.DocID(len(part) + r.IntN(3)*r.IntN(40_000))
		}
		dead := map[uint16]*[1024]uint64{}
		var live []document
		deaths := []int{0, 10, 50, 100}[r.IntN(4)]
		for _, d := range docs {
			if r.IntN(100) >= deaths {
				live = append(live, d)
				continue
			}
			page := uint16(d.id >> 16)
			if dead[page] == nil {
				dead[page] = new([1024]uint64)
			}
			dead[page][d.id&0xffff>>6] |= 1 << (d.id & 63)
		}
		name := fmt.Sprintf("seed %d: %d documents, %d live, %d segments, %d fields", seed, len(docs), len(live), len(readers), fields)
		var merged Parts
		meta, err := Merge(context.Background(), readers, func(page uint16) *[1024]uint64 { return dead[page] }, impacts(fields), &merged)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		samePartsOrFatal(t, name, &merged, build(t, w, live, fields))
		reader := open(t, &merged)
		compare(t, name, reader, fields, naive(live))
		if got := reader.Meta(); fmt.Sprint(got) != fmt.Sprint(withMetaBytes(meta, got)) {
			t.Fatalf("%s: Merge returns %+v, Open %+v", name, meta, got)
		}
	}
}

// withMetaBytes completes what only the length of the meta part tells.
func withMetaBytes(m, opened Meta) Meta {
	m.Bytes[PartMeta] = opened.Bytes[PartMeta]
	return m
}

func samePartsOrFatal(t *testing.T, name string, got, want *Parts) {
	t.Helper()
	for kind := range PartKind(partKinds) {
		if len(got.parts[kind]) != len(want.parts[kind]) {
			t.Fatalf("%s: %d parts of kind %v, want %d", name, len(got.parts[kind]), kind, len(want.parts[kind]))
		}
		for i := range got.parts[kind] {
			if !bytes.Equal(got.parts[kind][i], want.parts[kind][i]) {
				t.Fatalf("%s: %v %d differs", name, kind, i)
			}
		}
	}
}

func TestMergeRefusesOverlapsAndLostFields(t *testing.T) {
	w := NewWriter(1)
	one := func(id posting.DocID, fields int) *Reader {
		return open(t, build(t, w, []document{{id: id, fields: fields, terms: []occurrence{{SpaceText, "a", 0, 0}}}}, fields))
	}
	ctx := context.Background()
	if _, err := Merge(ctx, []*Reader{one(5, 1), one(5, 1)}, nil, impacts(1), &Parts{}); err == nil {
		t.Error("merge of two segments with the same document: no error")
	}
	if _, err := Merge(ctx, []*Reader{one(5, 2)}, nil, impacts(1), &Parts{}); err == nil {
		t.Error("merge of two fields into one: no error")
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Merge(ended, []*Reader{one(5, 1)}, nil, impacts(1), &Parts{}); !errors.Is(err, context.Canceled) {
		t.Errorf("merge with an ended context: %v", err)
	}
	full := errors.New("full")
	if _, err := Merge(ctx, []*Reader{one(5, 1)}, nil, impacts(1), failingSink{full}); !errors.Is(err, full) {
		t.Errorf("merge into a failing sink: %v", err)
	}
}

// TestErrorsSayNoWords: errors end up in logs, and words are of records.
func TestErrorsSayNoWords(t *testing.T) {
	var docs []document
	for id := range 5000 {
		docs = append(docs, document{id: posting.DocID(id), fields: 1, terms: []occurrence{{SpaceText, "winter", 0, 0}}})
	}
	r := open(t, build(t, NewWriter(1), docs, 1))
	_, err := Merge(t.Context(), []*Reader{r}, nil, impacts(1), failingSink{errors.New("full")})
	if err == nil || strings.Contains(err.Error(), "winter") || !strings.Contains(err.Error(), "a term of space 0") {
		t.Errorf("merge into a failing sink: %v", err)
	}
}

type failingSink struct{ err error }

func (s failingSink) Put(PartKind, uint32, []byte) error { return s.err }

func TestWriterReportsMistakes(t *testing.T) {
	cases := map[string]func(w *Writer){
		"field":    func(w *Writer) { w.Text(0, []byte("a"), 1, 0) },
		"document": func(w *Writer) { w.Text(1, []byte("a"), 0, 0); w.Text(0, []byte("a"), 0, 0) },
		"position": func(w *Writer) { w.Text(0, []byte("a"), 0, 1); w.Text(0, []byte("a"), 0, 0) },
		"long":     func(w *Writer) { w.Word(0, make([]byte, MaxTerm+1), 0) },
		"value":    func(w *Writer) { w.Value(0, -1, nil) },
	}
	for name, f := range cases {
		w := NewWriter(1)
		f(w)
		if _, err := w.Build(0, impacts(1)); err == nil {
			t.Errorf("%s: no error", name)
		}
		w.Reset(1)
		w.Text(0, []byte("a"), 0, 0)
		if _, err := w.Build(0, impacts(1)); err != nil {
			t.Errorf("%s: after Reset: %v", name, err)
		}
	}
	w := NewWriter(1)
	w.Text(1, []byte("a"), 0, 0)
	if _, err := w.Build(1<<32-1, impacts(1)); err == nil {
		t.Error("a document number above 1<<32-1: no error")
	}
}

func TestWriterTakesFieldsThatAreAddedLater(t *testing.T) {
	w := NewWriter(1)
	w.Text(0, []byte("a"), 0, 0)
	w.Grow(2)
	w.Grow(1)
	w.Text(1, []byte("a"), 1, 0)
	parts, err := w.Build(0, impacts(2))
	if err != nil {
		t.Fatal(err)
	}
	docs := []document{{id: 0, terms: []occurrence{{SpaceText, "a", 0, 0}}}, {id: 1, terms: []occurrence{{SpaceText, "a", 1, 0}}}}
	compare(t, "grown", open(t, parts), 2, naive(docs))
}

func TestLongTermsAndOddKeys(t *testing.T) {
	long := string(bytes.Repeat([]byte("x"), MaxTerm))
	docs := []document{{id: 9, fields: 1, terms: []occurrence{
		{SpaceText, "", 0, 0}, {SpaceText, long, 0, 1}, {SpaceText, long[1:] + "y", 0, 2},
		{SpaceWord, long, 0, 0}, {SpaceValues, long, 0, 0}, {1<<16 - 1, "\x00\xff", 0, 0},
	}}}
	r := open(t, build(t, NewWriter(1), docs, 1))
	compare(t, "long terms", r, 1, naive(docs))
	for _, key := range [][]byte{nil, {}, {0}, {0, 0, 'a'}, []byte("\xff\xff\xff")} {
		if l, err := r.List(key, ListOptions{Positions: true}); l != nil || err != nil {
			t.Errorf("List(%q) = %v, %v, want nil, nil", key, l, err)
		}
	}
}

func TestTermsInARange(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	docs := randomDocs(r, sequence(0, 3000), shape{terms: 30_000, fields: 1, values: 10, length: 20})
	want := slices.Sorted(maps.Keys(naive(docs)))
	reader := open(t, build(t, NewWriter(1), docs, 1))
	if reader.Meta().Bytes[PartBlock] < 5*8192 {
		t.Fatalf("only %d bytes of blocks, the test needs several", reader.Meta().Bytes[PartBlock])
	}
	for range 500 {
		lo, hi := want[r.IntN(len(want))], want[r.IntN(len(want))]
		switch r.IntN(4) {
		case 0:
			lo = lo[:1+r.IntN(len(lo)-1)]
		case 1:
			hi += "0"
		}
		var got []string
		it := reader.Terms([]byte(lo), []byte(hi))
		for it.Next() {
			got = append(got, string(it.Key()))
		}
		i, _ := slices.BinarySearch(want, lo)
		j, _ := slices.BinarySearch(want, hi)
		if !slices.Equal(got, want[i:max(i, j)]) || it.Err() != nil {
			t.Fatalf("Terms(%q, %q): %d terms (%v), want %d", lo, hi, len(got), it.Err(), max(j-i, 0))
		}
		seek := want[r.IntN(len(want))]
		k, _ := slices.BinarySearch(want, max(seek, lo))
		it = reader.Terms([]byte(lo), []byte(hi))
		if ok := it.Seek([]byte(seek)); ok != (k < j) || ok && string(it.Key()) != want[k] {
			t.Fatalf("Seek(%q) in [%q, %q): %v at %q", seek, lo, hi, ok, it.Key())
		} else if ok && it.Next() != (k+1 < j) {
			t.Fatalf("Next after Seek(%q) in [%q, %q): at %q", seek, lo, hi, it.Key())
		}
	}
}

// TestCheckFindsEveryChangedByte flips a bit in each part in turn.
func TestCheckFindsEveryChangedByte(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	docs := randomDocs(r, sequence(65000, 1000), shape{terms: 300, fields: 2, values: 5, length: 10})
	parts := build(t, NewWriter(2), docs, 2)
	err := parts.Each(func(kind PartKind, ordinal uint32, data []byte) error {
		for range 20 {
			i, bit := r.IntN(len(data)), byte(1)<<r.IntN(8)
			data[i] ^= bit
			reader, err := Open(parts, nil)
			if err == nil {
				err = reader.Check(context.Background(), impacts(2))
			}
			if !errors.Is(err, ErrCorrupt) {
				return fmt.Errorf("%v %d: byte %d changed by %#x: %v", kind, ordinal, i, bit, err)
			}
			data[i] ^= bit
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// FuzzOpen reads a segment in which one part was replaced, under a right
// checksum, so that only the structure protects the reader.
func FuzzOpen(f *testing.F) {
	r := rand.New(rand.NewPCG(7, 7))
	docs := randomDocs(r, sequence(65000, 1000), shape{terms: 200, fields: 2, values: 5, length: 10})
	parts := build(f, NewWriter(2), docs, 2)
	_ = parts.Each(func(kind PartKind, _ uint32, data []byte) error {
		f.Add(uint8(kind), data[sumSize:])
		return nil
	})
	small := build(f, NewWriter(2), docs[:2], 2)
	f.Add(uint8(PartMeta), small.parts[PartMeta][0][sumSize:])
	f.Add(uint8(PartBlock), small.parts[PartBlock][0][sumSize:])
	im := impacts(3)
	f.Fuzz(func(t *testing.T, kind uint8, data []byte) {
		changed := *parts
		kind %= partKinds
		part := make([]byte, sumSize+len(data))
		copy(part[sumSize:], data)
		seal(part)
		changed.parts[kind] = slices.Clone(changed.parts[kind])
		changed.parts[kind][0] = part
		reader, err := Open(&changed, nil)
		if err != nil {
			if !errors.Is(err, ErrCorrupt) {
				t.Fatalf("open: %v is not marked", err)
			}
			return
		}
		if err := reader.Check(context.Background(), nil); err != nil && !errors.Is(err, ErrCorrupt) {
			t.Fatalf("check: %v is not marked", err)
		}
		it := reader.Terms(nil, nil)
		for n := 0; n < 2000 && it.Next(); n++ {
			_, _ = it.List(true)
			_, _ = reader.List(it.Key(), ListOptions{Positions: true})
		}
		_, _ = Merge(context.Background(), []*Reader{reader}, nil, im, &Parts{})
	})
}

func TestSpacesStandTogether(t *testing.T) {
	key := Key(nil, SpaceValues+300, []byte("a"))
	if got := binary.BigEndian.Uint16(key); got != 302 || string(key[2:]) != "a" {
		t.Errorf("Key = %x", key)
	}
}
