package tokenize

import (
	"slices"
	"strings"
	"testing"
)

// TestPolishStemsOfTheirOwn: few words have the stem of another, and most that do are made of it. Those of the lexicon
// and the everyday words of the language are a hundred of nearly two thousand.
func TestPolishStemsOfTheirOwn(t *testing.T) {
	b, err := everydayFiles.ReadFile("data/everyday-pl.txt")
	if err != nil {
		t.Fatal(err)
	}
	words := strings.Fields(string(b))
	for _, file := range []string{"pl", "pl-held"} {
		for _, row := range formsIn(t, file) {
			words = append(words, row[0])
		}
	}
	slices.Sort(words)
	words = slices.Compact(words)
	byStem := map[string][]string{}
	shared := 0
	for _, w := range words {
		stem := polishStem(w)
		if byStem[stem] = append(byStem[stem], w); len(byStem[stem]) > 1 {
			shared++
		}
	}
	for stem, words := range byStem {
		if len(words) > 1 {
			t.Logf("%s is the stem of %s", stem, words)
		}
	}
	if t.Logf("%d of %d words have the stem of another", shared, len(words)); shared > 105 {
		t.Error("too many")
	}
	for pair := range strings.SplitSeq("kot koc, kocie koce, list liść, plac płacić, pałac palić, kość kostka, ręka rak, ręce rak, mąż maż, kolej kolano, materac materiał, "+
		"granica gran, szkoła szkolenie, kamień kamera, poziom pozew, rozmowa rozum, Kraków krak, córka cora, zamek zamknąć, pies piasek, praca prać, "+
		"dom domek, droga droższy, sen syn, pieniądze pień, liceum lica, morze mór, owca owoc, piec pies, serce ser, końce konik, wieś wieża, "+
		"poznać późno, pozna późna, wieża więzienie, wieża więź, więzienie więzień, zadanie żądanie, mecz męczyć, koło kolego, wraz wrażenie, widz widzę, widza widzi, kawa kawał, "+
		"stal stały, stal stał, dane Dania, sąd sad, sądy sady, lek lęk, leki lęki", ", ") {
		if got := mustNew(t, Options{Language: "pl"}).Analyze(pair); len(got) != 2 || string(got[0].Term) == string(got[1].Term) {
			t.Errorf("%s are %q", pair, terms(got))
		}
	}
}

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
