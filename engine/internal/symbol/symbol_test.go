package symbol

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

// paths are n strings as ids of documents are: some with much in common, some random.
func paths(rng *rand.Rand, n int) [][]byte {
	folders := []string{"docs/reference/", "docs/how-to/", "src/", "", "ünïcode/", "a\x00b/"}
	words := []string{"install", "windows", "driver", "api", "x", "configure", "2024", "-", "."}
	out := make([][]byte, n)
	for i := range out {
		s := folders[rng.IntN(len(folders))]
		for range rng.IntN(5) {
			s += words[rng.IntN(len(words))]
		}
		switch rng.IntN(4) {
		case 0:
			s += fmt.Sprint(rng.IntN(1_000_000))
		case 1:
			random := make([]byte, rng.IntN(40))
			for k := range random {
				random[k] = byte(rng.Uint32())
			}
			s += string(random)
		}
		out[i] = []byte(s)
	}
	return out
}

func train(s [][]byte) *Table { return Train(len(s), func(i int) []byte { return s[i] }) }

func TestPackedStringsComeBack(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	for range 30 {
		all := paths(rng, 1+rng.IntN(600))
		table := train(all)
		again, err := Open(table.Append(nil))
		if err != nil {
			t.Fatal(err)
		}
		if *again != *table {
			t.Fatal("a table is not as it was written")
		}
		p := NewPacker(again)
		for _, s := range append(all, paths(rng, 20)...) { // the last are not of the sample
			codes := p.Append([]byte("before"), s)
			if !bytes.HasPrefix(codes, []byte("before")) {
				t.Fatalf("%q: what stood before is gone", s)
			}
			codes = codes[len("before"):]
			if !table.Valid(codes) {
				t.Fatalf("%q: codes %x are not valid", s, codes)
			}
			if got := table.AppendString([]byte("x"), codes); string(got) != "x"+string(s) {
				t.Fatalf("%q came back as %q", s, got)
			}
			if got := table.Size(codes); got != len(s) {
				t.Fatalf("%q has %d bytes, not %d", s, len(s), got)
			}
			var head [HeadLen + maxLen]byte
			cut := rng.IntN(len(s) + 1)
			end := table.Head(&head, table.Head(&head, 0, p.Append(nil, s[:cut])), p.Append(nil, s[cut:]))
			if n := min(end, HeadLen); string(head[:n]) != string(s[:min(len(s), HeadLen)]) {
				t.Fatalf("the head of %q is %q", s, head[:n])
			}
		}
	}
}

func TestTableDependsOnStringsOnly(t *testing.T) {
	all := paths(rand.New(rand.NewPCG(1, 1)), 4000)
	want := train(all)
	for range 5 {
		if got := train(all); *got != *want {
			t.Fatal("two tables of the same strings differ")
		}
	}
}

// What the strings have in common is packed well, and a table is not larger than what it
// spares.
func TestPacksWhatStringsHaveInCommon(t *testing.T) {
	for n, most := range map[int]float64{20: .75, 100: .55, 10_000: .25} {
		var all [][]byte
		before := 0
		for i := range n {
			all = append(all, fmt.Appendf(nil, "windows-driver-docs/install/devpkey-%d.md", i*7919%n))
			before += len(all[i])
		}
		table := train(all)
		p := NewPacker(table)
		after := len(table.Append(nil))
		for _, s := range all {
			after += len(p.Append(nil, s))
		}
		if got := float64(after) / float64(before); got > most {
			t.Errorf("%d strings of %d bytes take %d with their table, %.2f of it, want %.2f at most", n, before, after, got, most)
		}
	}
	if got := train([][]byte{[]byte("once")}); *got != (Table{}) {
		t.Errorf("one string makes the table %x, want none", got.Append(nil))
	}
}

// Strings of two kinds in turns are both packed well, however many of them there are.
func TestPacksStringsInTurns(t *testing.T) {
	for _, n := range []int{1600, 4000, 7001, 60_000} {
		for _, period := range []int{2, 3, 8, 64} {
			at := func(i int) []byte {
				if i%period == 0 {
					return fmt.Appendf(nil, "VARIANT_OF/%06X", i*7919)
				}
				return fmt.Appendf(nil, "windows-driver-%d.md", i)
			}
			p := NewPacker(Train(n, at))
			var before, after [2]int
			for i := range n {
				kind := min(i%period, 1)
				before[kind] += len(at(i))
				after[kind] += len(p.Append(nil, at(i)))
			}
			for kind := range before {
				if got := float64(after[kind]) / float64(before[kind]); got > .6 {
					t.Errorf("of %d strings, each %dth of another kind, those of kind %d take %.2f of themselves", n, period, kind, got)
				}
			}
		}
	}
}

func TestEmptyTable(t *testing.T) {
	for _, table := range []*Table{new(Table), train(nil)} {
		if got := table.Append(nil); !bytes.Equal(got, []byte{0}) {
			t.Errorf("the empty table is written as %x", got)
		}
		codes := NewPacker(table).Append(nil, []byte("ab"))
		if got := table.AppendString(nil, codes); len(codes) != 4 || string(got) != "ab" {
			t.Errorf("ab is packed as %x, and comes back as %q", codes, got)
		}
	}
}

func TestExample(t *testing.T) {
	table, err := Open([]byte("\x02\x04\x01doc-1"))
	if err != nil {
		t.Fatal(err)
	}
	if got := NewPacker(table).Append(nil, []byte("doc-21")); !bytes.Equal(got, []byte{0, 0xff, '2', 1}) {
		t.Errorf("doc-21 is packed as % x", got)
	}
}

func FuzzOpen(f *testing.F) {
	f.Add(train(paths(rand.New(rand.NewPCG(2, 2)), 50)).Append(nil), []byte("\x00\x01\xff\x02"))
	f.Add([]byte("\x02\x04\x01doc-1"), []byte{0, 255})
	f.Add([]byte{1, 9, 1}, []byte{})
	f.Fuzz(func(t *testing.T, data, codes []byte) {
		table, err := Open(data)
		if err != nil {
			if !errors.Is(err, ErrCorrupt) {
				t.Fatalf("error is not marked: %v", err)
			}
			return
		}
		if again := table.Append(nil); !bytes.Equal(again, data) {
			t.Fatalf("table %x was read, but is %x", data, again)
		}
		s := table.AppendString(nil, codes)
		var head [HeadLen + maxLen]byte
		n := min(table.Head(&head, 0, codes), HeadLen)
		if table.Valid(codes) && table.Size(codes) != len(s) {
			t.Fatalf("%q has %d bytes, not %d", s, len(s), table.Size(codes))
		}
		if table.Valid(codes) && (!bytes.HasPrefix(s, head[:n]) || n < min(len(s), HeadLen)) {
			t.Fatalf("%q has the head %q", s, head[:n])
		}
		if got := table.AppendString(nil, NewPacker(table).Append(nil, s)); !bytes.Equal(got, s) {
			t.Fatalf("%q came back as %q", s, got)
		}
	})
}

func BenchmarkSymbol(b *testing.B) {
	all := paths(rand.New(rand.NewPCG(1, 1)), 65536)
	bytes := 0
	for _, s := range all {
		bytes += len(s)
	}
	table := train(all)
	p := NewPacker(table)
	packed := make([][]byte, len(all))
	for i, s := range all {
		packed[i] = p.Append(nil, s)
	}
	b.Run("Train", func(b *testing.B) {
		for b.Loop() {
			train(all)
		}
	})
	b.Run("Pack", func(b *testing.B) {
		b.SetBytes(int64(bytes))
		var dst []byte
		for b.Loop() {
			for _, s := range all {
				dst = p.Append(dst[:0], s)
			}
		}
	})
	b.Run("Unpack", func(b *testing.B) {
		b.SetBytes(int64(bytes))
		var dst []byte
		for b.Loop() {
			for _, codes := range packed {
				dst = table.AppendString(dst[:0], codes)
			}
		}
	})
}
