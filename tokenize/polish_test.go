package tokenize

import "testing"

// TestPolishStemsAgain: the stem of a stem is that stem for most words; those that end as if they had
// another ending lose it.
func TestPolishStemsAgain(t *testing.T) {
	same, all := 0, 0
	for _, row := range formsIn(t, "pl") {
		stem := polishStem(row[0])
		if all++; polishStem(stem) == stem {
			same++
		}
	}
	if t.Logf("%d of %d", same, all); same*10 < all*8 {
		t.Error("too few")
	}
}

func BenchmarkPolishStem(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		for _, w := range [...]string{"książkami", "telefon", "mieście", "pokazywał", "rower", "elektrycznych"} {
			polishStem(w)
		}
	}
}
