package intent

import (
	"testing"
	"unicode"

	"github.com/quarry-search/quarry/tokenize"
)

// TestSteady: letters that are taken for their own folded form are, and belong to scripts
// whose words need no spaces.
func TestSteady(t *testing.T) {
	for r := rune(0x2E80); r < 0x20000; r++ {
		if !steady(r) {
			continue
		}
		if got := string(tokenize.Fold(nil, []byte(string(r)))); got != string(r) {
			t.Errorf("%q folds to %q", r, got)
		}
		if r != 'ー' && unicode.In(r, unicode.L) && !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) {
			t.Errorf("%q is of another script", r)
		}
	}
}
