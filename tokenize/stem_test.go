package tokenize

import (
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
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

// TestStemEnglish: the stems of indexes that are kept are the library's, and porter2
// makes the same.
func TestStemEnglish(t *testing.T) {
	t.Run("special", func(t *testing.T) {
		for _, special := range []string{
			"skis", "skies", "dying", "lying", "tying", "idly", "gently", "ugly", "early", "only", "singly", "sky", "news", "howe", "atlas", "cosmos", "bias", "andes",
			"inning", "outing", "canning", "herring", "earring", "proceed", "exceed", "succeed",
			"", "'", "''", "'''", "''''", "'s", "''s", "'s'", "'a", "'ab", "''ab", "'ed", "'ied", "'y", "'by", "'sky",
			"Atlas", "é", "caf\xff", "K", "n\u2019s", " flies ", "mp3s", "ſkis",
		} {
			sameStem(t, special)
			for _, end := range []string{"s", "ed", "ing", "'s", "s'", "ly", "'s'"} {
				sameStem(t, special+end)
			}
		}
		for n := range 10 { // around the longest word that porter2 takes
			for _, end := range []string{"ed", "ies", "ization", "iveness", "ly"} {
				sameStem(t, strings.Repeat("hat", 19)+strings.Repeat("t", n)+end)
			}
		}
	})
	t.Run("vocabulary", func(t *testing.T) {
		t.Parallel()
		words := vocabulary(t)
		kept := 0
		for _, word := range words {
			if stem := sameStem(t, word); stem == word {
				kept++
			}
			sameStem(t, "'"+word+"'s")
			sameStem(t, word+"ly")
		}
		t.Logf("%d of %d are their own stems", kept, len(words))
	})
	// All ends of three letters, behind beginnings with the regions of the algorithm
	// in other places.
	t.Run("ends", func(t *testing.T) {
		t.Parallel()
		for _, begin := range []string{"", "b", "a", "y", "st", "obl", "natur", "conval", "gener", "relatyv"} {
			for n := range 26 * 26 * 26 {
				sameStem(t, begin+string([]byte{'a' + byte(n/26/26), 'a' + byte(n/26%26), 'a' + byte(n%26)}))
			}
		}
	})
	t.Run("chains", func(t *testing.T) {
		t.Parallel()
		checked := 0
		for _, begin := range []string{"", "b", "y", "st", "ab", "eye", "'", "gener", "commun", "arsen", "conv", "natur", "relat"} {
			for _, middle := range strings.Fields("- a e y ay at bl iz ow ox og ol ell tt cc s ss os est ce") {
				stem := begin + strings.TrimPrefix(middle, "-")
				sameStem(t, stem)
				for _, first := range porter2Suffixes {
					sameStem(t, stem+first)
					for _, second := range porter2Suffixes {
						sameStem(t, stem+first+second)
						checked++
					}
				}
			}
		}
		t.Logf("%d chains", checked)
	})
	t.Run("random", func(t *testing.T) {
		t.Parallel()
		seed := uint64(time.Now().UnixNano())
		t.Logf("seed %d", seed)
		r := rand.New(rand.NewPCG(seed, 0))
		var word []byte
		for range 2_000_000 {
			word = randomEnglish(r, word[:0])
			sameStem(t, string(word))
		}
	})
}

// sameStem compares the stem of a word with the library's, and returns it.
func sameStem(t *testing.T, word string) string {
	got, want := stemEnglish(word), english.Stem(word, true)
	if got != want {
		t.Errorf("%q: %q, not %q", word, got, want)
	}
	return got
}

// porter2Suffixes are the suffixes of the steps, as they are there and as they are
// written, and what steps make of them.
var porter2Suffixes = strings.Fields(`s es sses ies ied us ss ' 's 's' ed edly eed eedly ing ingly y ly li
	ational ation ator tional fulness iveness ization izer ousness biliti bility bli bly lessli lessly alism aliti ality
	entli ently fulli fully iviti ivity ousli ously anci ancy abli ably alli ally enci ency ogi ogy
	alize icate ative iciti icity ical ful ness
	ement ance ence able ible ment ent ant ism ate iti ous ive ize ion al er ic e l`)

// randomEnglish appends a word of letters that suffixes have, every second with a
// suffix at its end.
func randomEnglish(r *rand.Rand, word []byte) []byte {
	const letters = "aeiouystnlgdmfzcbrvxw"
	for range r.IntN(12) {
		if n := r.IntN(64 * len(letters)); n == 0 {
			word = append(word, '\'')
		} else {
			word = append(word, letters[n%len(letters)])
		}
	}
	if n := r.IntN(2 * len(porter2Suffixes)); n < len(porter2Suffixes) {
		word = append(word, porter2Suffixes[n]...)
	}
	return word
}

// vocabulary returns the words of the letters a to z and apostrophes in the lists,
// texts and documents of the repository, in many languages.
func vocabulary(t *testing.T) []string {
	t.Helper()
	seen := map[string]bool{}
	for _, pattern := range []string{"data/*.txt", "testdata/*.txt", "testdata/forms/*", "../engine/internal/thesaurus/words/*.txt", "../engine/internal/thesaurus/data/*.tab", "../docs/*.md", "../*.md"} {
		files, err := filepath.Glob(pattern)
		if err != nil || files == nil {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, file := range files {
			addWords(t, seen, file)
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// addWords adds the words of the letters a to z and apostrophes of a file.
func addWords(t testing.TB, words map[string]bool, file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for word := range strings.FieldsFuncSeq(strings.ToLower(string(text)), func(r rune) bool { return (r < 'a' || r > 'z') && r != '\'' }) {
		words[word] = true
	}
}

// FuzzStemEnglish: the stem of any word is that of the library.
func FuzzStemEnglish(f *testing.F) {
	for _, word := range []string{"generalizations", "'tis", "dogs'", "saying", "hopping", "hoping", "proceedings", "eyed", "conditionally", "Käse", "", "'''", strings.Repeat("y", 70)} {
		f.Add(word)
	}
	f.Fuzz(func(t *testing.T, word string) {
		sameStem(t, word[:min(len(word), defaultMaxTokenBytes)])
	})
}

// TestStemEnglishMemory: only a stem that its word does not begin with takes memory.
func TestStemEnglishMemory(t *testing.T) {
	for word, want := range map[string]float64{"house": 0, "running": 0, "saying": 0, "nationalizations": 0, "cries": 0, "happy": 1, "simply": 1} {
		if got := testing.AllocsPerRun(100, func() { stemEnglish(word) }); got != want {
			t.Errorf("%s: %v allocations, not %v", word, got, want)
		}
	}
}

// BenchmarkStemEnglish is the time of a word of the English thesaurus, as the library
// stems it and as it is stemmed here.
func BenchmarkStemEnglish(b *testing.B) {
	seen := map[string]bool{}
	addWords(b, seen, "../engine/internal/thesaurus/data/en.tab")
	words := slices.Sorted(maps.Keys(seen))
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
	measure := func(name string, stem func(string) string) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				stem(words[i%len(words)])
			}
		})
	}
	measure("library", func(word string) string { return english.Stem(word, true) })
	measure("here", stemEnglish)
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
