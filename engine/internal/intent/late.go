package intent

import (
	"slices"
	"strings"
)

// Some lines of the data matter to few indexes, or few queries. They are read when one first needs them, since all
// cues of a language have to be read before an index can be asked anything.

// isLate tells whether lines with a key are read late.
func isLate(key string) bool { return key == "code" || key == "member" || key == "thing" }

// lateLines calls f for each line with a key: with the other words of the key, and the phrases.
func (c *Cues) lateLines(key string, f func(words, phrases []string)) {
	for _, line := range c.late[key] {
		head, rest, _ := strings.Cut(line, ":")
		f(strings.Fields(head)[1:], phrasesOf(rest))
	}
}

// readCodes reads what values that are codes, or names, of languages and countries are called besides.
func (c *Cues) readCodes() map[codeOf][]string {
	codes := map[codeOf][]string{}
	c.lateLines("code", func(words, phrases []string) {
		if len(words) != 2 {
			return
		}
		said := slices.DeleteFunc(slices.Clone(phrases), func(p string) bool { return p == strings.ToUpper(p) })
		for _, p := range append(phrases, words[1]) {
			at := codeOf{kindOfUnit(words[0]), string(c.fullKey(p))}
			codes[at] = append(codes[at], said...)
		}
	})
	return codes
}

// readMembers reads what belongs to classes of things.
func (c *Cues) readMembers() map[string][]string {
	members := map[string][]string{}
	base := func(phrase string) string {
		key, _ := c.Key(nil, phrase)
		return string(key)
	}
	c.lateLines("member", func(words, phrases []string) {
		class := base(strings.Join(words, " "))
		for _, p := range phrases {
			members[class] = append(members[class], base(p))
		}
	})
	return members
}

// Members returns what belongs to a class of things, which words without endings name: walnuts are nuts. They are
// phrases without endings.
func (c *Cues) Members(bases []string) []string { return c.members()[strings.Join(bases, " ")] }

// Nouns say what records are, "jobs over 50k", where the records, being nothing else, never do. Which
// they are is seen by their fields: what has a salary is a job.

// Things returns the nouns, without endings, that say of records with fields of some names no more than that
// they are records.
func (c *Cues) Things(fields []string) map[string]bool {
	has := map[string]bool{}
	for _, f := range fields {
		for _, w := range nameWords(f) {
			has[w] = true
			has[c.Base(w)] = true
		}
	}
	nouns := map[string]bool{}
	c.lateLines("thing", func(words, phrases []string) {
		if len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { w = foldWord(w); return has[w] || has[c.Base(w)] }) {
			return
		}
		for _, p := range phrases {
			nouns[c.Base(foldWord(p))] = true
		}
	})
	return nouns
}

// IsOfName tells whether a word is one of the name of a field.
func (c *Cues) IsOfName(field, word string) bool {
	return slices.ContainsFunc(nameWords(field), func(w string) bool {
		return w == word || len(w) >= leastName && c.Base(w) == c.Base(word)
	})
}
