package page

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
)

func marshal(t testing.TB, f *IDFilter) [][]byte {
	t.Helper()
	var parts [][]byte
	err := f.MarshalParts(func(i int, data []byte) error {
		if i != len(parts) {
			t.Fatalf("part %d after %d parts", i, len(parts))
		}
		parts = append(parts, data)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return parts
}

func TestIDFilterNeverForgets(t *testing.T) {
	for _, n := range []int{0, 1, 682, 683, 684, 50_000, 300_000} {
		f := NewIDFilter()
		for i := range n {
			f.Add(fmt.Appendf(nil, "record-%d", i))
		}
		size := f.Bytes()
		for i := range n {
			f.Add(fmt.Appendf(nil, "record-%d", i)) // repeated ids take no space
		}
		if f.Bytes() != size {
			t.Errorf("%d ids: %d bytes became %d by adding them again", n, size, f.Bytes())
		}
		parts := marshal(t, f)
		for i, p := range parts {
			if len(p) > filterPart+64 {
				t.Errorf("%d ids: part %d has %d bytes", n, i, len(p))
			}
		}
		again, err := UnmarshalParts(parts)
		if err != nil {
			t.Fatal(err)
		}
		if again.Len() != f.Len() || again.Bytes() != f.Bytes() {
			t.Fatalf("%d ids: %d in %d bytes were read, want %d in %d", n, again.Len(), again.Bytes(), f.Len(), f.Bytes())
		}
		for _, filter := range []*IDFilter{f, again} {
			for i := range n {
				if id := fmt.Appendf(nil, "record-%d", i); !filter.MayContain(id) {
					t.Fatalf("%d ids: %q is said not to be there", n, id)
				}
			}
			wrong, tries := 0, 20_000
			for i := range tries {
				if filter.MayContain(fmt.Appendf(nil, "other-%d", i)) {
					wrong++
				}
			}
			if rate := float64(wrong) / float64(tries); rate > 0.03 {
				t.Errorf("%d ids: %.2f %% of others are said to be there", n, 100*rate)
			}
		}
	}
}

func TestIDFilterTellsDamage(t *testing.T) {
	f := NewIDFilter()
	for i := range 60_000 {
		f.Add(fmt.Appendf(nil, "%d", i))
	}
	parts := marshal(t, f)
	rng := rand.New(rand.NewPCG(1, 1))
	flip := bytes.Clone(parts[2])
	flip[rng.IntN(len(flip))] ^= 4
	for name, bad := range map[string][][]byte{
		"first missing": parts[1:],
		"last missing":  parts[:len(parts)-1],
		"repeated":      append(parts[:2:2], parts[1:]...),
		"too many":      append(parts[:len(parts):len(parts)], parts[0]),
		"flipped bit":   {parts[0], parts[1], flip},
		"no bytes":      {nil},
	} {
		if _, err := UnmarshalParts(bad); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: %v; want an error marked ErrCorrupt", name, err)
		}
	}
	stop := errors.New("stop")
	if err := f.MarshalParts(func(int, []byte) error { return stop }); err != stop {
		t.Errorf("MarshalParts = %v, want the error of put", err)
	}
}

func FuzzUnmarshalParts(f *testing.F) {
	filter := NewIDFilter()
	for i := range 700 {
		filter.Add(fmt.Appendf(nil, "%d", i))
	}
	parts := marshal(f, filter)
	f.Add(payload(parts[0]), payload(parts[1]))
	f.Add(payload(parts[0]), []byte{})
	f.Fuzz(func(t *testing.T, first, second []byte) {
		in := [][]byte{reframe(Part{Kind: partFilter}, first), reframe(Part{Kind: partFilter}, second)}
		got, err := UnmarshalParts(in)
		if err != nil {
			if !errors.Is(err, ErrCorrupt) {
				t.Fatalf("error is not marked: %v", err)
			}
			return
		}
		got.Add([]byte("x"))
		if !got.MayContain([]byte("x")) {
			t.Fatal("an id that was added is not there")
		}
	})
}

func BenchmarkIDFilter(b *testing.B) {
	f := NewIDFilter()
	for i := range 1_000_000 {
		f.Add(fmt.Appendf(nil, "record-%d", i))
	}
	id := []byte("debian/another-00000000")
	b.Run("Absent", func(b *testing.B) {
		wrong, i := 0, 0
		for b.Loop() {
			for k, v := len(id)-1, i; v > 0; k, v = k-1, v/10 {
				id[k] = '0' + byte(v%10)
			}
			if i++; f.MayContain(id) {
				wrong++
			}
		}
		b.ReportMetric(100*float64(wrong)/float64(i), "%wrong")
		b.ReportMetric(float64(f.Bytes())*8/1e6, "bits/id")
	})
}
