package tokenize

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
)

// FuzzStem: a stemmer takes any word that New lets through, in any script and
// with bytes that are no UTF-8, and gives the same stem each time, soon.
func FuzzStem(f *testing.F) {
	var stemming []language
	for _, l := range languages() {
		if l.stem != nil {
			stemming = append(stemming, l)
		}
	}
	for i := range stemming {
		for _, word := range []string{"running", "maisonnettes", "kırmızıları", "Häuser", "سيارات", "மரங்களின்", "προβλημάτων", "ανακαλυφθηκε", "मन्दिरों", "कहानियाँ", "ज़््", "ţările", "a\xffb\xc3", "", "y", "'s", strings.Repeat("ийски", 25), "i\u0307\u0307"} {
			f.Add(word, uint8(i))
		}
	}
	f.Fuzz(func(t *testing.T, word string, which uint8) {
		l := stemming[int(which)%len(stemming)]
		word = word[:min(len(word), defaultMaxTokenBytes)]
		begin := time.Now()
		stem := l.stem(word)
		if took := time.Since(begin); took > 5*time.Second {
			t.Errorf("%s, %q: %v", l.code, word, took)
		}
		if again := l.stem(word); again != stem {
			t.Errorf("%s, %q: %q and then %q", l.code, word, stem, again)
		}
		if utf8.ValidString(word) && !utf8.ValidString(stem) {
			t.Errorf("%s, %q: the stem %q is no UTF-8", l.code, word, stem)
		}
	})
}

// TestStemEnglish: words that are taken for their own stems are so by the algorithm.
func TestStemEnglish(t *testing.T) {
	skipped, all := 0, 0
	check := func(word string) {
		all++
		if got, want := stemEnglish(word), english.Stem(word, true); got != want {
			t.Errorf("%q: %q, not %q", word, got, want)
		}
		if endsAsStem(word) {
			skipped++
		}
	}
	// All ends of three letters, behind beginnings with the regions of the algorithm
	// in other places; the letters of its suffixes behind each other.
	for _, begin := range []string{"", "b", "a", "y", "st", "obl", "natur", "conval", "gener", "relatyv"} {
		for n := range 26 * 26 * 26 {
			check(begin + string([]byte{'a' + byte(n/26/26), 'a' + byte(n/26%26), 'a' + byte(n%26)}))
		}
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for range 200_000 {
		word := make([]byte, r.IntN(14))
		for i := range word {
			word[i] = "abcdefgilmnorstuvyz'"[r.IntN(20)]
		}
		check(string(word))
	}
	for _, special := range []string{"skis", "skies", "dying", "lying", "tying", "idly", "gently", "ugly", "early", "only", "singly", "sky", "news", "howe", "atlas", "cosmos", "bias", "andes", "inning", "outing", "canning", "herring", "earring", "proceed", "exceed", "succeed", "Atlas", "é", "caf\xff", "K"} {
		check(special)
	}
	t.Logf("%d of %d are their own stems by their ends", skipped, all)
}

// TestContractions: a verb that is written with a pronoun makes it no other word.
func TestContractions(t *testing.T) {
	a := mustNew(t, Options{Language: "en"})
	for text, want := range map[string]string{
		"I'll we’ll she'll he'll":  "i we she he",
		"i'd we'd SHE'D we're":     "i we she we",
		"you're they've who're":    "your theyv who",
		"John'll the ship'd can't": "johnll the shipd cant",
		"ill well shell id wed":    "ill well shell id wed",
	} {
		if got := terms(a.AnalyzeQuery(text)); strings.NewReplacer("[", "", "]", "").Replace(got) != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
