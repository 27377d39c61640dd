package engine

import (
	"slices"
	"strings"

	"github.com/quarry-search/quarry/engine/internal/fuzzy"
)

// sameLetters tells whether two words have the same letters, in whatever order.
func sameLetters(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	x, y := []rune(a), []rune(b)
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}

// soundAlike are letters that stand for the same sound. Who writes one for the
// other makes one mistake, though it takes two edits.
var soundAlike = [...][2]string{{"f", "ph"}, {"ph", "f"}}

// respelt adds to the words that were found those that sound as a word does.
func (sp *speller) respelt(found map[string]*candidate, word string) error {
	for _, s := range soundAlike {
		if !strings.Contains(word, s[0]) {
			continue
		}
		p, ok := fuzzy.NewPattern(strings.Replace(word, s[0], s[1], 1))
		if !ok {
			continue
		}
		near := map[string]*candidate{}
		if err := sp.find(near, nearWords, p, 0, word); err != nil {
			return err
		}
		for w, c := range near {
			c.edits, c.alike = 1, true
			found[w] = c
		}
	}
	return nil
}
