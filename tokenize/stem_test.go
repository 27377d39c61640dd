package tokenize

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"
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
		for _, word := range []string{"running", "maisonnettes", "kırmızıları", "Häuser", "سيارات", "மரங்களின்", "ţările", "a\xffb\xc3", "", "y", "'s", strings.Repeat("ийски", 25), "i\u0307\u0307"} {
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
