package posting

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/quarry-search/quarry/engine/internal/score"
)

// use calls every accessor of a list that was read from any bytes.
func use(t *testing.T, l *List, coding *Coding) {
	t.Helper()
	if err := l.Validate(nil); err != nil && !errors.Is(err, ErrCorrupt) {
		t.Fatalf("Validate: %v is not marked", err)
	}
	l.Bitmap().GetCardinality()
	var positions []uint32
	var reader PositionReader
	reader.Reset(l)
	codes := l.Codes()
	var buf [codeBlock]uint8
	var own score.Vector
	for _, rank := range []int{-1, 0, 1, 63, 64, 127, 128, l.DF - 1, l.DF, 1<<31 - 1} {
		l.Code(rank)
		codes.Block(rank, &buf)
		codes.Escaped(&own, rank, coding.Book())
		positions = l.Positions(rank, l.Vector(rank, coding.Book()), positions[:0])
		positions = l.Positions(rank, score.Vector{{Field: 0, TF: 1<<32 - 1}}, positions[:0])
		reader.Read(rank, 1)
		reader.Read(rank, 1<<32-1)
		var spans [3]Span
		if reader.Locate([]int32{int32(rank), int32(rank), int32(rank) + 1}, spans[:], 1) {
			for i := range spans {
				tryOutSpan(&reader, &spans[i])
				after := spans[i].After(3)
				tryOutSpan(&reader, &after)
				after = spans[i].After(1<<32 - 1)
				tryOutSpan(&reader, &after)
			}
		}
	}
	for i := range l.Containers {
		c := &l.Containers[i]
		for _, place := range []uint16{0, 1, 511, 512, 65535} {
			if c.Contains(place) {
				l.Code(c.Rank(place))
			}
		}
	}
	l.AppendChampions(nil, l.Champions())
	wider := NewCoding(score.NewCodebook(coding.Book().Fields() + 1))
	for kind := KindDocs; kind <= KindPositions; kind++ {
		if kind > KindDocs && !l.HasFreqs {
			break
		}
		for _, to := range []*Coding{coding, wider} {
			b := NewBuilder(to, kind)
			if err := b.Append(l, coding, nil); err != nil && !errors.Is(err, ErrCorrupt) {
				t.Fatalf("Append: %v is not marked", err)
			}
		}
	}
}

// FuzzParse reads long lists and their positions from any bytes.
func FuzzParse(f *testing.F) {
	coding := NewCoding(score.NewCodebook(2))
	for _, n := range []int{1, 129, 5000} {
		for kind := KindDocs; kind <= KindPositions; kind++ {
			r := rand.New(rand.NewPCG(uint64(n), 1))
			b := NewBuilder(coding, kind)
			add(f, b, randomPostings(r, randomDocs(r, 65000, n, 2), kind, 2))
			var positions []byte
			if kind == KindPositions {
				var err error
				if positions, err = b.AppendPositions(nil); err != nil {
					f.Fatal(err)
				}
			}
			for version := byte(longVersion); version <= memoryVersion; version++ {
				list, err := b.appendLong(nil, testImpacts(2), version)
				if err != nil {
					f.Fatal(err)
				}
				f.Add(list, positions)
			}
		}
	}
	f.Fuzz(func(t *testing.T, list, positions []byte) {
		l, err := Parse(list, coding)
		if err != nil {
			if !errors.Is(err, ErrCorrupt) {
				t.Fatalf("Parse: %v is not marked", err)
			}
			return
		}
		use(t, l, coding)
		if l, err = l.WithPositions(positions); err != nil {
			if !errors.Is(err, ErrCorrupt) {
				t.Fatalf("WithPositions: %v is not marked", err)
			}
			return
		}
		use(t, l, coding)
	})
}

// FuzzParseSmall reads small lists from any bytes.
func FuzzParseSmall(f *testing.F) {
	coding := NewCoding(score.NewCodebook(2))
	for _, n := range []int{1, 2, 60, 128} {
		for kind := KindDocs; kind <= KindPositions; kind++ {
			r := rand.New(rand.NewPCG(uint64(n), 2))
			b := NewBuilder(coding, kind)
			add(f, b, randomPostings(r, randomDocs(r, 65000, n, 2000), kind, 2))
			list, err := b.AppendSmall(nil, 65000, testImpacts(2))
			if err != nil {
				f.Fatal(err)
			}
			f.Add(list, uint8(n), uint32(65000), uint8(kind))
		}
	}
	var reader SmallReader
	f.Fuzz(func(t *testing.T, data []byte, df uint8, base uint32, kind uint8) {
		for _, positions := range []bool{false, true} {
			l, err := ParseSmall(data, int(df), base, Kind(kind), coding, positions)
			if err != nil {
				if !errors.Is(err, ErrCorrupt) {
					t.Fatalf("ParseSmall: %v is not marked", err)
				}
				continue
			}
			use(t, l, coding)
			again, err := reader.Parse(data, int(df), base, Kind(kind), coding, positions)
			if err != nil {
				t.Fatalf("a reader used before: %v", err)
			}
			use(t, again, coding)
			if positions != l.HasPos && Kind(kind) == KindPositions {
				t.Fatalf("HasPos is %v", l.HasPos)
			}
			if err := l.Validate(nil); err != nil {
				t.Fatalf("ParseSmall took what Validate does not: %v", err)
			}
		}
	})
}

// Offsets of codes that are wrong lead nowhere, wherever an int has 32 bits.
func TestBlockOfWrongOffsets(t *testing.T) {
	for _, high := range []byte{0x00, 0x07, 0x0f, 0xff} {
		c := &codes{super: []byte{255, 255, 255, high}, dir: make([]byte, 2*(superBlock+1)), data: make([]byte, 300)}
		c.dir[2*superBlock], c.dir[2*superBlock+1] = 0xff, 0xff
		r := CodeReader{codes: c, block: ^uint(0)}
		var buf [codeBlock]uint8
		if got := r.Block(superBlock*codeBlock+5, &buf); len(got) > codeBlock-5 {
			t.Errorf("%#x: %d codes", high, len(got))
		}
	}
}

// tryOutSpan asks all that can be asked of a span, which must not panic.
func tryOutSpan(reader *PositionReader, s *Span) {
	for _, n := range []uint32{1, 2, 7, 1<<32 - 1} {
		var marks Marks
		reader.Mark(s, n, &marks)
		reader.Strike(s, n, &marks, 1)
		reader.ReadSpan(s, n)
		if s.Whole(n) {
			s.At(n - 1)
			s.Has(n, 5)
		}
	}
}
