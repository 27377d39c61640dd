package thesaurus

import (
	"strings"
	"unicode/utf8"
)

// Vocabulary is the words that stand in a table, by themselves or in phrases.
type Vocabulary struct {
	terms    map[string]struct{}
	accented map[string][]string
}

// Vocabulary reads a table for its words. fold is what takes the accents from a word. That
// takes some milliseconds, so callers keep it.
func (t Thesaurus) Vocabulary(fold func(word string) string) *Vocabulary {
	v := &Vocabulary{map[string]struct{}{}, map[string][]string{}}
	seen := map[string]bool{}
	for line := range strings.Lines(t.table) {
		phrase, others, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		v.add(phrase)
		if others == "" {
			continue
		}
		for other := range strings.SplitSeq(others, "|") {
			terms, text, _ := strings.Cut(other[1:], ";")
			v.add(terms)
			for word := range strings.FieldsSeq(text) {
				if !isPlain(word) && !seen[word] {
					seen[word] = true
					folded := fold(word)
					v.accented[folded] = append(v.accented[folded], word)
				}
			}
		}
	}
	return v
}

func (v *Vocabulary) add(phrase string) {
	for term := range strings.SplitSeq(phrase, " ") {
		v.terms[term] = struct{}{}
	}
}

// Has tells whether a term is in the table.
func (v *Vocabulary) Has(term string) bool {
	_, ok := v.terms[term]
	return ok
}

// Accented returns the words that one is without its accents, as they are written.
func (v *Vocabulary) Accented(word string) []string { return v.accented[word] }

// isPlain tells whether a text is ASCII.
func isPlain(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}
