package page

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestDeadHoldsPlaces(t *testing.T) {
	rounds(t, 20, func(t *testing.T, rng *rand.Rand) {
		d, want := new(Dead), map[uint16]bool{}
		for range rng.IntN(5) {
			places := make([]uint16, rng.IntN(1<<rng.IntN(17)))
			run := rng.IntN(2) == 0
			for i := range places {
				if places[i] = uint16(rng.Uint32()); run {
					places[i] = uint16(1000 + i)
				}
			}
			before := *d
			next := d.With(places)
			if *d != before {
				t.Fatal("With changed its receiver")
			}
			d = next
			for _, p := range places {
				want[p] = true
			}
		}
		data, err := d.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if len(data) > 8300 {
			t.Errorf("%d places take %d bytes", d.Count(), len(data))
		}
		got, err := DecodeDead(data)
		if err != nil {
			t.Fatal(err)
		}
		if *got != *d || got.Count() != len(want) {
			t.Fatalf("decoded %d places, encoded %d, want %d", got.Count(), d.Count(), len(want))
		}
		for p := range Size {
			if got.Contains(uint16(p)) != want[uint16(p)] || isSet(got.Words(), p) != want[uint16(p)] {
				t.Fatalf("place %d: %v, want %v", p, got.Contains(uint16(p)), want[uint16(p)])
			}
		}
	})
}

func FuzzDecodeDead(f *testing.F) {
	for _, n := range []int{0, 1, 10, 4096, 4097, Size} {
		places := make([]uint16, n)
		for i := range places {
			places[i] = uint16(i * 7919)
		}
		data, err := new(Dead).With(places).Encode()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(payload(data))
	}
	f.Add(payload(mustEncode(f, slices.Repeat([]uint16{3, 4, 5, 6, 7, 8, 9, 10}, 2))))
	f.Fuzz(func(t *testing.T, body []byte) {
		d, err := DecodeDead(reframe(Part{Kind: partDead}, body))
		if err != nil {
			if !errors.Is(err, ErrCorrupt) {
				t.Fatalf("error is not marked: %v", err)
			}
			return
		}
		data, err := d.Encode()
		if err != nil {
			t.Fatal(err)
		}
		again, err := DecodeDead(data)
		if err != nil || *again != *d {
			t.Fatalf("encoded and decoded again: %d places, %v; want %d", again.Count(), err, d.Count())
		}
	})
}

func mustEncode(f *testing.F, places []uint16) []byte {
	data, err := new(Dead).With(places).Encode()
	if err != nil {
		f.Fatal(err)
	}
	return data
}
