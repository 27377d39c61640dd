package termdict

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// term is an entry as tests make them.
type term struct {
	key    string
	df     int
	inline []byte // nil: a long term
}

// built is a dictionary in memory.
type built struct {
	blocks [][]byte
	index  []byte
}

// block is the function that Open asks for.
func (b *built) block(ordinal uint32) ([]byte, error) {
	if int(ordinal) >= len(b.blocks) {
		return nil, fmt.Errorf("no block %d: %w", ordinal, ErrCorrupt)
	}
	return b.blocks[ordinal], nil
}

// build writes a dictionary that must be good.
func build(t testing.TB, terms []term) *built {
	t.Helper()
	out := &built{}
	b := NewBuilder(func(ordinal uint32, block []byte) error {
		if int(ordinal) != len(out.blocks) {
			return fmt.Errorf("block %d comes after %d", ordinal, len(out.blocks))
		}
		out.blocks = append(out.blocks, bytes.Clone(block))
		return nil
	})
	longs := 0
	for _, x := range terms {
		var err error
		if x.inline != nil {
			err = b.Add([]byte(x.key), x.df, x.inline)
		} else {
			var ordinal int
			if ordinal, err = b.AddLong([]byte(x.key), x.df); ordinal != longs {
				t.Fatalf("long term %q is number %d, want %d", x.key, ordinal, longs)
			}
			longs++
		}
		if err != nil {
			t.Fatalf("add %q: %v", x.key, err)
		}
	}
	var err error
	if out.index, err = b.Finish(nil); err != nil {
		t.Fatal(err)
	}
	if b.Terms() != len(terms) || b.LongTerms() != longs {
		t.Fatalf("builder counts %d terms, %d long, want %d, %d", b.Terms(), b.LongTerms(), len(terms), longs)
	}
	return out
}

// randomTerms returns n distinct terms in order.
func randomTerms(r *rand.Rand, n int) []term {
	keys := map[string]bool{}
	for len(keys) < n {
		key := make([]byte, 1+r.IntN(8))
		for i := range key {
			key[i] = "aab\x00\xff"[r.IntN(5)]
		}
		switch r.IntN(100) {
		case 0:
			key = append(key, bytes.Repeat([]byte("x"), r.IntN(3000))...)
		case 1:
			key = append(bytes.Repeat([]byte("y"), maxKey-8), key...)[:maxKey]
		}
		keys[string(key)] = true
	}
	terms := make([]term, 0, n)
	for key := range keys {
		x := term{key: key, df: 1 + r.IntN(128)}
		if r.IntN(20) > 0 {
			x.inline = make([]byte, r.IntN(20))
			if r.IntN(100) == 0 {
				x.inline = make([]byte, maxInline)
			}
			for i := range x.inline {
				x.inline[i] = byte(r.IntN(256))
			}
		} else {
			x.df = 1 + r.IntN(1<<20)
		}
		terms = append(terms, x)
	}
	slices.SortFunc(terms, func(x, y term) int { return strings.Compare(x.key, y.key) })
	return terms
}

// find returns the place of the first term not below key.
func find(terms []term, key string) int {
	i, _ := slices.BinarySearchFunc(terms, key, func(x term, key string) int { return strings.Compare(x.key, key) })
	return i
}

func TestDictionaryHoldsWhatItWasGiven(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 1))
		terms := randomTerms(r, []int{0, 1, 15, 16, 17, 33, 3000}[seed%7])
		data := build(t, terms)
		d, err := Open(data.index, data.block)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		longs, i := 0, 0
		it := d.Iter(nil, nil)
		for ; it.Next(); i++ {
			x := terms[i]
			want := Info{DF: x.df, Long: -1, Inline: x.inline}
			if x.inline == nil {
				want.Long = longs
				longs++
			}
			got, ok, err := d.Lookup([]byte(x.key))
			if err != nil || !ok || !sameInfo(got, want) {
				t.Fatalf("seed %d: Lookup(%.20q) = %v, %v, %v, want %v", seed, x.key, got, ok, err, want)
			}
			if string(it.Key()) != x.key || !sameInfo(it.Info(), want) {
				t.Fatalf("seed %d: term %d is %.20q, %v, want %.20q, %v", seed, i, it.Key(), it.Info(), x.key, want)
			}
		}
		if it.Err() != nil || i != len(terms) || d.Terms() != i || d.LongTerms() != longs || it.Next() {
			t.Fatalf("seed %d: %d terms, %d long (%v), want %d", seed, i, longs, it.Err(), len(terms))
		}
		if err := d.Check(func([]byte, Info) error { return nil }); err != nil {
			t.Fatalf("seed %d: check: %v", seed, err)
		}
		for range 300 {
			testRange(t, r, d, terms, fmt.Sprintf("seed %d", seed))
		}
	}
}

func sameInfo(x, y Info) bool {
	return x.DF == y.DF && x.Long == y.Long && bytes.Equal(x.Inline, y.Inline)
}

// randomKey returns a key that may or may not be in the dictionary.
func randomKey(r *rand.Rand, terms []term) string {
	if len(terms) == 0 || r.IntN(4) == 0 {
		return fmt.Sprintf("%c%c", 'a'+rune(r.IntN(3)), 'a'+rune(r.IntN(3)))
	}
	key := terms[r.IntN(len(terms))].key
	switch r.IntN(3) {
	case 0:
		return key[:r.IntN(len(key))]
	case 1:
		return key + "\x00"
	}
	return key
}

// testRange walks over a random range, seeking at random.
func testRange(t *testing.T, r *rand.Rand, d *Dict, terms []term, name string) {
	t.Helper()
	key := randomKey(r, terms)
	i := find(terms, key)
	_, ok, err := d.Lookup([]byte(key))
	if want := i < len(terms) && terms[i].key == key; ok != want || err != nil {
		t.Fatalf("%s: Lookup(%.20q) = %v, %v, want %v", name, key, ok, err, want)
	}
	lo, hi := randomKey(r, terms), randomKey(r, terms)
	from, to := find(terms, lo), find(terms, hi)
	bound := []byte(hi)
	if r.IntN(5) == 0 {
		bound, to = nil, len(terms)
	}
	it := d.Iter([]byte(lo), bound)
	at := from - 1
	for range 10 {
		var ok bool
		if r.IntN(3) == 0 {
			key := randomKey(r, terms)
			ok = it.Seek([]byte(key))
			at = max(find(terms, key), from)
		} else {
			ok = it.Next()
			at++
		}
		if ok != (at < to) || it.Err() != nil {
			t.Fatalf("%s: [%.20q, %.20q): at term %d of %d to %d: %v, %v", name, lo, bound, at, from, to, ok, it.Err())
		}
		if !ok {
			if it.Next() {
				t.Fatalf("%s: Next after the end", name)
			}
			return
		}
		if string(it.Key()) != terms[at].key || it.Info().DF != terms[at].df {
			t.Fatalf("%s: at %.20q, want %.20q", name, it.Key(), terms[at].key)
		}
	}
}

func TestBuilderRefuses(t *testing.T) {
	full := errors.New("full")
	b := NewBuilder(func(uint32, []byte) error { return full })
	if err := b.Add([]byte("b"), 1, nil); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"same key":     b.Add([]byte("b"), 1, nil),
		"lower key":    b.Add([]byte("a"), 1, nil),
		"empty key":    b.Add(nil, 1, nil),
		"long key":     b.Add(bytes.Repeat([]byte("c"), maxKey+1), 1, nil),
		"no documents": b.Add([]byte("c"), 0, nil),
		"large inline": b.Add([]byte("c"), 1, make([]byte, maxInline+1)),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := b.Finish(nil); !errors.Is(err, full) {
		t.Errorf("Finish with a failing put: %v", err)
	}
}

func TestErrorsOfBlocksReachTheCaller(t *testing.T) {
	data := build(t, randomTerms(rand.New(rand.NewPCG(1, 1)), 100))
	broken := errors.New("broken")
	d, err := Open(data.index, func(uint32) ([]byte, error) { return nil, broken })
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := d.Lookup([]byte("aab")); !errors.Is(err, broken) {
		t.Errorf("Lookup: %v", err)
	}
	it := d.Iter(nil, nil)
	if it.Next() || !errors.Is(it.Err(), broken) || it.Seek([]byte("b")) {
		t.Errorf("Next: %v", it.Err())
	}
}

// TestLongTermsNeedNoBlock wants long terms to be found in the directory.
func TestLongTermsNeedNoBlock(t *testing.T) {
	data := build(t, []term{{"a", 3, []byte{1}}, {"b", 500, nil}, {"c", 2, []byte{2}}})
	d, err := Open(data.index, func(uint32) ([]byte, error) { return nil, errors.New("no blocks here") })
	if err != nil {
		t.Fatal(err)
	}
	if info, ok, err := d.Lookup([]byte("b")); !ok || err != nil || info.DF != 500 || info.Long != 0 {
		t.Errorf("Lookup of a long term: %v, %v, %v", info, ok, err)
	}
}

// read uses a dictionary made of any bytes.
func read(t *testing.T, index []byte, blocks *built) {
	t.Helper()
	d, err := Open(index, blocks.block)
	if err != nil {
		if !errors.Is(err, ErrCorrupt) {
			t.Fatalf("Open: %v is not marked", err)
		}
		return
	}
	if err := d.Check(func([]byte, Info) error { return nil }); err != nil && !errors.Is(err, ErrCorrupt) {
		t.Fatalf("Check: %v is not marked", err)
	}
	it := d.Iter(nil, nil)
	for n := 0; n < 100_000 && it.Next(); n++ {
		if _, _, err := d.Lookup(it.Key()); err != nil && !errors.Is(err, ErrCorrupt) {
			t.Fatalf("Lookup: %v is not marked", err)
		}
	}
	if err := it.Err(); err != nil && !errors.Is(err, ErrCorrupt) {
		t.Fatalf("Iter: %v is not marked", err)
	}
	for _, key := range []string{"", "a", "b", "\xff\xff"} {
		it := d.Iter([]byte("a"), nil)
		it.Seek([]byte(key))
		it.Next()
	}
}

// fuzzTerms is a small dictionary with every form of entry.
func fuzzTerms() []term {
	terms := []term{{"aa", 3, []byte{1, 2, 3}}, {"ab", 700, nil}, {"abc", 1, []byte{}}}
	for i := range 40 {
		terms = append(terms, term{fmt.Sprintf("b%02d", i), 1 + i, bytes.Repeat([]byte{9}, i)})
	}
	return terms
}

func FuzzBlock(f *testing.F) {
	data := build(f, fuzzTerms())
	f.Add(data.blocks[0])
	f.Add(build(f, fuzzTerms()[:1]).blocks[0])
	f.Fuzz(func(t *testing.T, block []byte) { read(t, data.index, &built{blocks: [][]byte{block}}) })
}

func FuzzIndex(f *testing.F) {
	data := build(f, fuzzTerms())
	f.Add(data.index)
	f.Add(build(f, nil).index)
	f.Fuzz(func(t *testing.T, index []byte) { read(t, index, data) })
}
