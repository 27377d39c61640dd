package posting

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/quarry-search/quarry/engine/internal/score"
)

// posted is a posting as tests make them.
type posted struct {
	doc       DocID
	vector    score.Vector
	positions []uint32
}

// testImpacts returns impacts whose norms depend on the document alone, in
// runs of 1,000 documents.
func testImpacts(fields int) *Impacts {
	p := score.Params{K1: score.DefaultK1}
	for f := range fields {
		p.Fields = append(p.Fields, score.Field{Weight: float64(1 + f), B: score.DefaultB, AvgLen: 20})
	}
	norms := make([]byte, 1000)
	for i := range norms {
		norms[i] = byte(i * 7 % 50)
	}
	return &Impacts{
		Table: score.NewTable(score.NewCodebook(fields), p),
		Norms: func(doc DocID) (NormRun, error) {
			run := NormRun{First: doc - doc%1000, Last: max(doc, doc-doc%1000+999)}
			for range fields {
				run.Norms = append(run.Norms, norms)
			}
			return run, nil
		},
	}
}

// randomDocs returns n documents from about first on, dense or sparse by the
// gap between them.
func randomDocs(r *rand.Rand, first DocID, n, gap int) []DocID {
	docs := make([]DocID, n)
	for i := range docs {
		first += DocID(r.IntN(gap))
		docs[i] = first
		first++
	}
	return docs
}

// randomPostings gives documents vectors and positions: small frequencies, and
// now and then one without a code.
func randomPostings(r *rand.Rand, docs []DocID, kind Kind, fields int) []posted {
	list := make([]posted, len(docs))
	most := 1 + r.IntN([]int{4, 15}[r.IntN(2)])
	wide := []int{100, 1 << 9, 1 << 17}[r.IntN(3)]
	for i, doc := range docs {
		p := posted{doc: doc}
		for f := range fields {
			if kind == KindDocs || r.IntN(3) > 0 && (f < fields-1 || p.vector != nil) {
				continue
			}
			tf := uint32(1 + r.IntN(most))
			if r.IntN(300) == 0 {
				tf = uint32(200 + r.IntN(200))
			}
			p.vector = append(p.vector, score.Freq{Field: uint16(f), TF: tf})
			at := len(p.positions)
			for range tf {
				p.positions = append(p.positions, uint32(r.IntN(wide)))
			}
			slices.Sort(p.positions[at:])
		}
		if kind != KindPositions {
			p.positions = nil
		}
		list[i] = p
	}
	return list
}

// add adds postings that must be good.
func add(t testing.TB, b *Builder, list []posted) {
	t.Helper()
	for _, p := range list {
		if err := b.Add(p.doc, p.vector, p.positions); err != nil {
			t.Fatalf("Add(%d, %v): %v", p.doc, p.vector, err)
		}
	}
}

// compareRanks verifies Ranker for the documents of the list and their neighbours,
// for every third of them, and for few that lie far apart.
func compareRanks(t *testing.T, name string, l *List, docs []DocID) {
	t.Helper()
	all := []DocID{0, 1<<32 - 1}
	for _, doc := range docs {
		all = append(all, doc-1, doc, doc+1)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	var ranker Ranker
	for _, step := range []int{1, 3, 1 + len(all)/7, 1 + len(all)/100} {
		var some []DocID
		for i := 0; i < len(all); i += step {
			some = append(some, all[i])
		}
		got := make([]int, len(some))
		for range 2 { // the documents are marked already the second time
			ranker.Ranks(l, some, got)
		}
		for i, doc := range some {
			want, ok := slices.BinarySearch(docs, doc)
			if !ok {
				want = -1
			}
			if got[i] != want {
				t.Fatalf("%s: Ranks of every %d: document %d has rank %d, want %d", name, step, doc, got[i], want)
			}
		}
	}
	marked := 0
	if ranker.marks != nil {
		for _, m := range ranker.marks {
			marked += int(min(m, 1))
		}
	}
	if marked != len(ranker.docs) {
		t.Fatalf("%s: the ranker leaves %d marks for %d documents", name, marked, len(ranker.docs))
	}
}

// compare verifies every accessor of l against the postings.
func compare(t *testing.T, name string, l *List, coding *Coding, kind Kind, want []posted, im *Impacts) {
	t.Helper()
	if l.DF != len(want) || l.HasFreqs != (kind != KindDocs) || l.HasPos != (kind == KindPositions) {
		t.Fatalf("%s: DF %d, HasFreqs %v, HasPos %v for %d postings of kind %d", name, l.DF, l.HasFreqs, l.HasPos, len(want), kind)
	}
	bits := roaring.New()
	n := 0
	var docs []DocID
	for rank, doc := range l.All {
		if rank != n || doc != want[n].doc {
			t.Fatalf("%s: All gives rank %d, document %d, want %d, %d", name, rank, doc, n, want[n].doc)
		}
		n++
		docs = append(docs, doc)
		bits.Add(doc)
	}
	if n != len(want) {
		t.Fatalf("%s: All gives %d documents, want %d", name, n, len(want))
	}
	if got := l.Bitmap(); !got.Equals(bits) || got.Validate() != nil {
		t.Fatalf("%s: Bitmap has %d documents: %v", name, got.GetCardinality(), got.Validate())
	}
	compareRanks(t, name, l, docs)
	for rank, p := range want {
		got, ok := l.Find(p.doc)
		if !ok || got != rank {
			t.Fatalf("%s: Find(%d) = %d, %v, want rank %d", name, p.doc, got, ok, rank)
		}
		for _, doc := range []DocID{p.doc - 1, p.doc + 1} {
			_, want := slices.BinarySearch(docs, doc)
			if _, ok := l.Find(doc); ok != want {
				t.Fatalf("%s: Find(%d) = %v, want %v", name, doc, ok, want)
			}
		}
		if kind == KindDocs {
			continue
		}
		v := l.Vector(rank, coding.Book())
		if !slices.Equal(v, p.vector) || l.Code(rank) != coding.Book().Code(p.vector) {
			t.Fatalf("%s: rank %d: vector %v, code %d, want %v", name, rank, v, l.Code(rank), p.vector)
		}
		if positions := l.Positions(rank, v, nil); !slices.Equal(positions, p.positions) {
			t.Fatalf("%s: rank %d: positions %v, want %v", name, rank, positions, p.positions)
		}
	}
	if kind != KindDocs {
		checkCodes(t, name, l, coding.Book(), want)
	}
	if kind == KindPositions && l.HasPos {
		checkReader(t, name, l, want)
	}
	if err := l.Validate(im); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// checkCodes reads codes and escapes by ascending rank, with gaps, and in any order.
func checkCodes(t *testing.T, name string, l *List, book *score.Codebook, want []posted) {
	t.Helper()
	r := rand.New(rand.NewPCG(uint64(len(want)), 29))
	reader := l.Codes()
	var buf [codeBlock]uint8
	var own score.Vector
	for i, step := range []int{1, 2, 3, 17, 200, 0} {
		for rank := i; rank < len(want); rank += step {
			if step == 0 {
				if rank = r.IntN(len(want) + 10); rank >= len(want) {
					break
				}
			}
			code := l.Code(rank)
			if got := reader.At(rank); got != code {
				t.Fatalf("%s: rank %d: the reader gives code %d, want %d", name, rank, got, code)
			}
			if code == score.Escape {
				if got := reader.Escaped(&own, rank, book); !slices.Equal(got, want[rank].vector) {
					t.Fatalf("%s: rank %d: the reader gives %v, want %v", name, rank, got, want[rank].vector)
				}
			} else if got := reader.Escaped(&own, rank, book); got != nil {
				t.Fatalf("%s: rank %d: the reader gives %v, want none", name, rank, got)
			}
			if got := reader.Vector(&own, rank, book); !slices.Equal(got, want[rank].vector) {
				t.Fatalf("%s: rank %d: the reader gives vector %v, want %v", name, rank, got, want[rank].vector)
			}
			codes := reader.Block(rank, &buf)
			if n := min(codeBlock-rank%codeBlock, len(want)-rank); len(codes) < n {
				t.Fatalf("%s: rank %d: %d codes of the block, want %d", name, rank, len(codes), n)
			} else if at := r.IntN(n); codes[at] != l.Code(rank+at) {
				t.Fatalf("%s: rank %d: code %d of the block is %d, want %d", name, rank, at, codes[at], l.Code(rank+at))
			}
		}
	}
}

// checkReader reads positions by ascending rank, with gaps, and in any order.
func checkReader(t *testing.T, name string, l *List, want []posted) {
	t.Helper()
	var reader PositionReader
	reader.Reset(l)
	check := func(rank int) {
		t.Helper()
		if got := reader.Read(rank, want[rank].vector.Total()); !slices.Equal(got, want[rank].positions) {
			t.Fatalf("%s: reader: rank %d: positions %v, want %v", name, rank, got, want[rank].positions)
		}
		if rank%3 == 0 { // so that Read and Locate take turns
			return
		}
		ranks := []int32{int32(rank)}
		for next := rank + 1 + rank%5; len(ranks) < 1+rank%4 && next < len(want); next += rank % 7 {
			ranks = append(ranks, int32(next))
		}
		spans := make([]Span, 2*len(ranks))
		if !reader.Locate(ranks, spans, 2) {
			if l.positions.start == nil {
				t.Fatalf("%s: reader: nothing found at ranks %d", name, ranks)
			}
			return
		}
		for i, rank := range ranks {
			if name := fmt.Sprintf("%s: rank %d", name, rank); spans[2*i].Code != l.Code(int(rank)) {
				t.Fatalf("%s: code %d, want %d", name, spans[2*i].Code, l.Code(int(rank)))
			} else {
				checkSpan(t, name, &reader, &spans[2*i], want[rank])
			}
		}
	}
	for _, step := range []int{1, 2, 5, 40, 100} {
		for rank := 0; rank < len(want); rank += step {
			check(rank)
		}
	}
	for i := range min(len(want), 200) {
		check(i * 7919 % len(want))
	}
}

// checkSpan compares a span with the posting that it is of.
func checkSpan(t *testing.T, name string, reader *PositionReader, span *Span, want posted) {
	t.Helper()
	for rest, left := *span, want.positions; ; {
		checkPart(t, fmt.Sprintf("%s: from %d", name, len(want.positions)-len(left)), reader, &rest, left)
		if len(left) < 3 {
			return
		}
		rest, left = rest.After(uint32(len(left)/3)), left[len(left)/3:]
	}
}

// checkPart compares the rest of a span with the positions that are left.
func checkPart(t *testing.T, name string, reader *PositionReader, span *Span, want []uint32) {
	t.Helper()
	n := uint32(len(want))
	if got := reader.ReadSpan(span, n); !slices.Equal(got, want) {
		t.Fatalf("%s: positions %v, want %v", name, got, want)
	}
	for n := n; n > 0 && span.Whole(n); n = min(n-1, n/2) {
		for i, at := range want[:n] {
			if span.At(uint32(i)) != at {
				t.Fatalf("%s: position %d is %d, want %d", name, i, span.At(uint32(i)), at)
			}
			for _, at := range []uint64{uint64(at), uint64(at) + 1, uint64(at) - 1, uint64(at) + 256, uint64(at) << 20, ^uint64(0)} {
				if has := at < 1<<32 && slices.Contains(want[:n], uint32(at)); span.Has(n, at) != has {
					t.Fatalf("%s: %d among %v: %t", name, at, want[:n], !has)
				}
			}
		}
	}
	var got, set Marks
	for _, at := range want {
		if at < maxMark {
			set[at>>6] |= 1 << (at & 63)
		}
	}
	ok := reader.Mark(span, n, &got)
	if fit := slices.Max(want) < maxMark; ok != fit || fit && got != set {
		t.Fatalf("%s: marks %x, %t of positions %v", name, got, ok, want)
	}
	shift := int(n*11%140) - 70
	left := Marks{^uint64(0), 0x5555555555555555, ^uint64(0), 0x0f0f0f0f0f0f0f0f}
	struck, hits := left, uint32(0)
	for _, position := range want {
		if at := int(position) - shift; at >= 0 && at < maxMark && struck[at>>6]>>(at&63)&1 != 0 {
			struck[at>>6] &^= 1 << (at & 63)
			hits++
		}
	}
	if n := reader.Strike(span, n, &left, uint64(shift)); n != hits || left != struck {
		t.Fatalf("%s: struck %d, %x left of positions %v moved by %d, want %d, %x", name, n, left, want, shift, hits, struck)
	}
}

func TestListsHoldWhatTheyWereGiven(t *testing.T) {
	var reader SmallReader
	for seed := range uint64(120) {
		r := rand.New(rand.NewPCG(seed, 1))
		kind, fields := Kind(seed%3), 1+r.IntN(4)
		n := []int{1, 2, 1 + r.IntN(128), 128, 129, 1 + r.IntN(6000)}[r.IntN(6)]
		gap := []int{1, 2, 10, 30_000 / (1 + n/1000)}[r.IntN(4)]
		first := DocID([]int{0, 65535, 65536, 1 << 20}[r.IntN(4)])
		name := fmt.Sprintf("seed %d: %d postings of kind %d from %d, gap %d, %d fields", seed, n, kind, first, gap, fields)
		coding := NewCoding(score.NewCodebook(fields))
		want := randomPostings(r, randomDocs(r, first, n, gap), kind, fields)
		im := testImpacts(fields)
		b := NewBuilder(coding, kind)
		add(t, b, want)
		long, err := b.List(im)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		compare(t, name, long, coding, kind, want, im)
		compareBounds(t, name, long, coding, want, im)
		packed, err := b.AppendLong(nil, im)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		read, err := Parse(packed, coding)
		if err != nil {
			t.Fatalf("%s: packed: %v", name, err)
		}
		compareBounds(t, name+" (packed)", read, coding, want, im)
		if n > SmallMax {
			continue
		}
		data, err := b.AppendSmall(nil, first, im)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		small, err := ParseSmall(data, n, first, kind, coding, true)
		if err != nil {
			t.Fatalf("%s: small: %v", name, err)
		}
		compare(t, name+" (small)", small, coding, kind, want, im)
		if small, err = reader.Parse(data, n, first, kind, coding, true); err != nil {
			t.Fatalf("%s: small again: %v", name, err)
		}
		compare(t, name+" (small, in old memory)", small, coding, kind, want, im)
		without, err := ParseSmall(data, n, first, kind, coding, false)
		if err != nil || without.HasPos {
			t.Fatalf("%s: small without positions: %v, HasPos %v", name, err, without.HasPos)
		}
	}
}

// compareBounds verifies that bounds are exact and champions the strongest.
func compareBounds(t *testing.T, name string, l *List, coding *Coding, want []posted, im *Impacts) {
	t.Helper()
	if !l.HasFreqs {
		if l.Champions() > 0 || slices.ContainsFunc(l.Containers, func(c Container) bool { return c.Max != 255 }) {
			t.Fatalf("%s: champions or bounds without frequencies", name)
		}
		return
	}
	all := make([]champion, len(want))
	type place struct{ page, block uint16 }
	bounds := map[place]uint8{}
	for i, p := range want {
		run, _ := im.Norms(p.doc)
		all[i] = champion{im.Table.ImpactOf(p.vector, run.Norms, int(p.doc-run.First)), p.doc, i}
		block := place{uint16(p.doc >> 16), uint16(p.doc) >> l.Container(uint16(p.doc>>16)).Shift}
		bounds[block] = max(bounds[block], uint8(all[i].impact>>8))
	}
	for _, c := range l.Containers {
		per := float64(c.Card) * float64(int(1)<<c.Shift) / PageSize
		if c.Shift > 6 && per/2 >= 8 || c.Shift < 16 && per < 8 {
			t.Fatalf("%s: page %d: shift %d for %d documents", name, c.Page, c.Shift, c.Card)
		}
		for i, b := range c.Bounds {
			if w := bounds[place{c.Page, uint16(i)}]; b != w {
				t.Fatalf("%s: page %d: bound %d is %d, want %d", name, c.Page, i, b, w)
			}
		}
		if c.Max != slices.Max(c.Bounds) {
			t.Fatalf("%s: page %d: Max %d", name, c.Page, c.Max)
		}
		var windows []byte
		for window := range slices.Chunk(c.Bounds, max(1, len(c.Bounds)/16)) {
			windows = append(windows, slices.Max(window))
		}
		if c.Shift >= 10 {
			windows = nil
		}
		if !slices.Equal(c.Coarse, windows) {
			t.Fatalf("%s: page %d: Coarse %d, want %d", name, c.Page, c.Coarse, windows)
		}
	}
	slices.SortFunc(all, func(x, y champion) int {
		if x.impact != y.impact || im.Before == nil {
			return cmp.Or(cmp.Compare(y.impact, x.impact), cmp.Compare(x.doc, y.doc))
		}
		if before, _ := im.Before(x.doc, y.doc); before {
			return -1
		}
		return 1
	})
	each := 8
	ranked, ordered, least := l.Ranking()
	if !ranked {
		each = 128
	} else if ordered != (im.Before != nil) {
		t.Fatalf("%s: ordered is %t", name, ordered)
	}
	got := l.AppendChampions(nil, 1000)
	var docs []DocID
	for i, c := range all[:min(len(all), max(32, min(len(all)/each, 128)))] {
		docs = append(docs, c.doc)
		if ranked && got[i] != (Champion{c.doc, c.rank}) {
			t.Fatalf("%s: champion %d is %v, want %v", name, i, got[i], c)
		}
	}
	if n := len(docs); l.Champions() != n || len(got) != n || ranked && least != all[n-1].impact {
		t.Fatalf("%s: %d champions, the least impact %d, want %d and %d", name, len(got), least, n, all[n-1].impact)
	}
	if !ranked {
		first := min(32, len(docs))
		slices.Sort(docs[:first])
		slices.Sort(docs[first:])
		for i, doc := range docs {
			if got[i].Doc != doc {
				t.Fatalf("%s: champions %v, want %v", name, got, docs)
			}
		}
	}
}

// TestVersionsOfLongLists reads the long form in all versions that Parse knows,
// whole and damaged.
func TestVersionsOfLongLists(t *testing.T) {
	for seed := range uint64(24) {
		r := rand.New(rand.NewPCG(seed, 2))
		kind, fields := Kind(seed%3), 1+r.IntN(3)
		n := []int{1, 129, 1 + r.IntN(6000), 20_000}[r.IntN(4)]
		coding := NewCoding(score.NewCodebook(fields))
		want := randomPostings(r, randomDocs(r, 65_000, n, []int{1, 3, 40}[r.IntN(3)]), kind, fields)
		im := testImpacts(fields)
		if seed%2 == 0 {
			im.Before = func(a, b DocID) (bool, error) { return a*2654435761 < b*2654435761, nil }
		}
		b := NewBuilder(coding, kind)
		add(t, b, want)
		for _, version := range []byte{longVersion, packedVersion, fineVersion, rankedVersion, memoryVersion} {
			if version == rankedVersion-2 && im.Before != nil {
				continue // which had none
			}
			name := fmt.Sprintf("seed %d: version %d, %d postings of kind %d, %d fields", seed, version, n, kind, fields)
			data, err := b.appendLong(nil, im, version)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			read := Parse
			switch {
			case version > longVersion && version < memoryVersion && seed%5 > 1:
				read = func(data []byte, coding *Coding) (*List, error) {
					lost := slices.Clone(data)
					l, err := Unpack(lost, coding, seed%2 == 0)
					clear(lost)
					return l, err
				}
			case version == memoryVersion:
				read = func(data []byte, coding *Coding) (*List, error) { return parse(data, coding, b.docs, unpacking{}) }
			}
			l, err := read(data, coding)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if version >= fineVersion {
				compareBounds(t, name, l, coding, want, im)
			} else if l.Champions() > someChampions {
				t.Fatalf("%s: %d champions", name, l.Champions())
			}
			if kind == KindPositions {
				positions, err := b.AppendPositions(nil)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if l, err = l.WithPositions(positions); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
			}
			compare(t, name, l, coding, kind, want, im)
			for range 10 {
				damaged := slices.Clone(data)
				switch r.IntN(3) {
				case 0:
					damaged[r.IntN(min(40, len(data)))] ^= 1 << r.IntN(8)
				case 1:
					damaged[r.IntN(len(data))] = byte(r.Uint32())
				case 2:
					damaged = damaged[:r.IntN(len(data))]
				}
				if l, err := read(damaged, coding); err == nil {
					use(t, l, coding)
				} else if !errors.Is(err, ErrCorrupt) {
					t.Fatalf("%s: damaged: %v is not marked", name, err)
				}
			}
		}
	}
}

// TestChampionsAreValidated gives a list champions that Builder does not.
func TestChampionsAreValidated(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	coding := NewCoding(score.NewCodebook(1))
	b := NewBuilder(coding, KindFreqs)
	add(t, b, randomPostings(r, randomDocs(r, 0, 40*perChampion3, 3), KindFreqs, 1))
	im := testImpacts(1)
	data, err := b.appendLong(nil, im, fineVersion)
	if err != nil {
		t.Fatal(err)
	}
	champion := func(data []byte, i int) []byte { return data[longHeader+4*i:][:4] }
	for name, damage := range map[string]func(data []byte){
		"one of the first twice":         func(d []byte) { copy(champion(d, 1), champion(d, 0)) },
		"one of the others twice":        func(d []byte) { copy(champion(d, someChampions+1), champion(d, someChampions)) },
		"one both of them and of others": func(d []byte) { copy(champion(d, someChampions), champion(d, 0)) },
		"not in the list":                func(d []byte) { champion(d, someChampions-1)[3]++ },
	} {
		damaged := slices.Clone(data)
		damage(damaged)
		l, err := Parse(damaged, coding)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := l.Validate(im); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: error %v, want ErrCorrupt", name, err)
		}
	}
	if data, err = b.AppendLong(nil, im); err != nil {
		t.Fatal(err)
	}
	at := longHeader + 2
	for name, damage := range map[string]func(data []byte){
		"the least impact":              func(d []byte) { d[longHeader]++ },
		"one twice":                     func(d []byte) { copy(d[at:at+13], d[at+13:at+26]) }, // 13 bits each
		"another one":                   func(d []byte) { d[at] ^= 1 },
		"a rank that no document has":   func(d []byte) { d[at], d[at+1] = 0xff, 0xff },
		"another one instead of a last": func(d []byte) { d[at+128*13/8-1] ^= 0x80 },
	} {
		damaged := slices.Clone(data)
		damage(damaged)
		l, err := Parse(damaged, coding)
		if err == nil {
			err = l.Validate(im)
		}
		if !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: error %v, want ErrCorrupt", name, err)
		}
	}
	for version, most := range map[byte]byte{packedVersion: someChampions, fineVersion: 40} {
		if data, err = b.appendLong(nil, im, version); err != nil {
			t.Fatal(err)
		}
		if data[2] != most {
			t.Fatalf("version %d: %d champions, want %d", version, data[2], most)
		}
		data[2]++
		more := slices.Insert(data, longHeader+4*int(most), 0, 0, 0, 0)
		if _, err := Parse(more, coding); !errors.Is(err, ErrCorrupt) {
			t.Errorf("version %d: %d champions: error %v, want ErrCorrupt", version, most+1, err)
		}
	}
}

func TestListsAtTheLimitsOfContainers(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	coding := NewCoding(score.NewCodebook(1))
	for _, n := range []int{4095, 4096, 4097, 32769, 65536, 65537} {
		for _, first := range []DocID{0, 65535, 1<<32 - 65537} {
			want := randomPostings(r, randomDocs(r, first, n, 1), KindPositions, 1)
			b := NewBuilder(coding, KindPositions)
			add(t, b, want)
			im := testImpacts(1)
			l, err := b.List(im)
			if err != nil {
				t.Fatalf("%d from %d: %v", n, first, err)
			}
			compare(t, fmt.Sprintf("%d from %d", n, first), l, coding, KindPositions, want, im)
		}
	}
}

func TestBuilderRefusesWhatBreaksTheFormat(t *testing.T) {
	coding := NewCoding(score.NewCodebook(2))
	one := score.Vector{{Field: 0, TF: 1}}
	cases := []struct {
		name string
		add  func(b *Builder) error
	}{
		{"same document", func(b *Builder) error { return b.Add(7, one, []uint32{1}) }},
		{"document before", func(b *Builder) error { return b.Add(6, one, []uint32{1}) }},
		{"no vector", func(b *Builder) error { return b.Add(8, nil, nil) }},
		{"zero frequency", func(b *Builder) error { return b.Add(8, score.Vector{{Field: 0, TF: 0}}, nil) }},
		{"field out of range", func(b *Builder) error { return b.Add(8, score.Vector{{Field: 2, TF: 1}}, []uint32{1}) }},
		{"fields descend", func(b *Builder) error {
			return b.Add(8, score.Vector{{Field: 1, TF: 1}, {Field: 0, TF: 1}}, []uint32{1, 1})
		}},
		{"too many occurrences", func(b *Builder) error {
			return b.Add(8, score.Vector{{Field: 0, TF: 1 << 31}, {Field: 1, TF: 1 << 31}}, nil)
		}},
		{"position missing", func(b *Builder) error { return b.Add(8, score.Vector{{Field: 0, TF: 2}}, []uint32{1}) }},
		{"positions descend", func(b *Builder) error { return b.Add(8, score.Vector{{Field: 0, TF: 2}}, []uint32{2, 1}) }},
	}
	for _, c := range cases {
		b := NewBuilder(coding, KindPositions)
		add(t, b, []posted{{7, one, []uint32{3}}})
		if err := c.add(b); !errors.Is(err, ErrOrder) {
			t.Errorf("%s: %v, want ErrOrder", c.name, err)
		}
		if b.Len() != 1 {
			t.Errorf("%s: the builder holds %d postings after the error, want 1", c.name, b.Len())
		}
	}
}

func TestBuilderReportsBadNorms(t *testing.T) {
	gone := errors.New("gone")
	im := testImpacts(1)
	for name, norms := range map[string]func(DocID) (NormRun, error){
		"error":       func(DocID) (NormRun, error) { return NormRun{}, gone },
		"other run":   func(doc DocID) (NormRun, error) { return NormRun{First: doc + 1, Last: doc + 2}, nil },
		"short norms": func(doc DocID) (NormRun, error) { return NormRun{doc, doc + 1, score.Norms{{1}}}, nil },
	} {
		b := NewBuilder(NewCoding(im.Table.Book()), KindFreqs)
		add(t, b, []posted{{doc: 7, vector: score.Vector{{Field: 0, TF: 1}}}})
		_, err := b.List(&Impacts{Table: im.Table, Norms: norms})
		if err == nil || name == "error" && !errors.Is(err, gone) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAppendDropsTheDeadAndRecodes(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 4))
		kind, from := Kind(seed%3), 1+r.IntN(3)
		to := from + r.IntN(3)
		n := 1 + r.IntN([]int{100, 9000}[r.IntN(2)])
		docs := randomDocs(r, 60_000, n, 1+r.IntN(5))
		list := randomPostings(r, docs, kind, from)
		dead := map[uint16]*[1024]uint64{}
		var want []posted
		for _, p := range list {
			if page := uint16(p.doc >> 16); r.IntN(3) == 0 {
				if dead[page] == nil {
					dead[page] = new([1024]uint64)
				}
				dead[page][p.doc&0xffff>>6] |= 1 << (p.doc & 63)
			} else {
				want = append(want, p)
			}
		}
		old, now := NewCoding(score.NewCodebook(from)), NewCoding(score.NewCodebook(to))
		b := NewBuilder(old, kind)
		add(t, b, list)
		sources := map[string]*List{}
		var err error
		if sources["long"], err = b.List(nil); err != nil {
			t.Fatal(err)
		}
		if n <= SmallMax {
			data, err := b.AppendSmall(nil, 0, testImpacts(from))
			if err != nil {
				t.Fatal(err)
			}
			if sources["small"], err = ParseSmall(data, n, 0, kind, old, true); err != nil {
				t.Fatal(err)
			}
		}
		for form, l := range sources {
			name := fmt.Sprintf("seed %d: %d of %d %s postings of kind %d, %d to %d fields", seed, len(want), n, form, kind, from, to)
			b := NewBuilder(now, kind)
			if err := b.Append(l, old, func(page uint16) *[1024]uint64 { return dead[page] }); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if len(want) == 0 {
				continue
			}
			got, err := b.List(nil)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			compare(t, name, got, now, kind, want, nil)
			again := NewBuilder(now, kind)
			add(t, again, want)
			x, _ := b.AppendLong(nil, nil)
			if y, _ := again.AppendLong(nil, nil); !slices.Equal(x, y) {
				t.Fatalf("%s: Append and Add make different bytes", name)
			}
		}
	}
}

func TestListsInMemory(t *testing.T) {
	want := []DocID{2<<16 | 5, 2<<16 | 63, 2<<16 | 65535, 65535<<16 | 5, 65535<<16 | 63, 1<<32 - 1}
	got := FromDocs(want)
	var docs []DocID
	for _, doc := range got.All {
		docs = append(docs, doc)
	}
	if !slices.Equal(docs, want) || got.DF != len(want) || len(got.Containers) != 2 || got.HasFreqs {
		t.Errorf("FromDocs: %v (%d documents, %d containers), want %v", docs, got.DF, len(got.Containers), want)
	}
	if l := FromDocs(nil); l.DF != 0 || len(l.Containers) != 0 {
		t.Errorf("FromDocs(nil): %+v", l)
	}
	if l, err := NewBuilder(nil, KindDocs).List(nil); err != nil || l.DF != 0 {
		t.Errorf("list of an empty builder: %+v, %v", l, err)
	}
}

func TestContainerWords(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for _, n := range []int{1, 100, 4096, 4097, 60_000} {
		docs := randomDocs(r, 0, n, 1+30_000/n)
		l := FromDocs(docs)
		var other, both, got [PageSize / 64]uint64
		count := 0
		for i := range other {
			other[i] = r.Uint64()
			both[i] = other[i]
		}
		for _, doc := range docs {
			if doc < PageSize {
				count += int(other[doc>>6] >> (doc & 63) & 1)
				both[doc>>6] |= 1 << (doc & 63)
			}
		}
		c := l.Container(0)
		if c == nil {
			t.Fatalf("%d documents: none in page 0", n)
		}
		if got := c.AndCount(&other); got != count {
			t.Errorf("%d documents: AndCount = %d, want %d", n, got, count)
		}
		got = other
		if c.OrInto(&got); got != both {
			t.Errorf("%d documents: OrInto differs", n)
		}
		if l.Container(60_000) != nil {
			t.Errorf("%d documents: a container in page 60,000", n)
		}
	}
}

// TestUnpackTakesRoomForSpeed: documents of a page that are neither few nor many are a
// bitmap, or an array where room is short.
func TestUnpackTakesRoomForSpeed(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 11))
	coding := NewCoding(score.NewCodebook(1))
	for card, want := range map[int][2]bool{unpackedMax: {false, false}, unpackedMax + 1: {true, false}, compactMax: {true, false}, compactMax + 1: {true, true}} {
		b := NewBuilder(coding, KindFreqs)
		add(t, b, randomPostings(r, randomDocs(r, 0, card, 9), KindFreqs, 1))
		data, err := b.AppendLong(nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, compact := range []bool{false, true} {
			l, err := Unpack(data, coding, compact)
			if err != nil {
				t.Fatal(err)
			}
			if got := l.Containers[0].Words != nil; got != want[i] {
				t.Errorf("%d documents, compact %t: bitmap %t, want %t", card, compact, got, want[i])
			}
		}
	}
}

func TestBytesCoversWhatTheListPointsInto(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 10))
	b := NewBuilder(NewCoding(score.NewCodebook(1)), KindPositions)
	add(t, b, randomPostings(r, randomDocs(r, 0, 9000, 3), KindPositions, 1))
	l, err := b.List(nil)
	if err != nil {
		t.Fatal(err)
	}
	list, _ := b.AppendLong(nil, nil)
	positions, _ := b.AppendPositions(nil)
	if got, want := l.Bytes(), len(list)+len(positions); got < want*9/10 || got > want+10_000 {
		t.Errorf("Bytes() = %d for %d bytes", got, want)
	}
}
