package intent

import "slices"

// Nouns say what records are, "jobs over 50k", where the records, being nothing else, never do. Which
// they are is seen by their fields: what has a salary is a job.

// Things returns the nouns, without endings, that say of records with fields of some names no more than that
// they are records. It may be changed.
func (c *Cues) Things(fields []string) map[string]bool {
	has := map[string]bool{}
	for _, f := range fields {
		for _, w := range nameWords(f) {
			has[w] = true
			has[c.Base(w)] = true
		}
	}
	nouns := map[string]bool{}
	for noun, lines := range c.things {
		nouns[noun] = slices.ContainsFunc(lines, func(words []string) bool {
			return len(words) == 0 || slices.ContainsFunc(words, func(w string) bool { return has[w] || has[c.Base(w)] })
		})
	}
	return nouns
}

// IsOfName tells whether a word is one of the name of a field.
func (c *Cues) IsOfName(field, word string) bool {
	return slices.ContainsFunc(nameWords(field), func(w string) bool {
		return w == word || len(w) >= leastName && c.Base(w) == c.Base(word)
	})
}
