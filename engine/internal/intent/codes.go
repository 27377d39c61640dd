package intent

import "strings"

// Languages and countries are codes in many records, and called by adjectives in queries: "german podcasts" of
// the language de, "italian wine" of the country Italy.

// codeOf is a value of fields of a kind.
type codeOf struct {
	kind  kindOfUnit
	value string // without endings
}

// The kinds of names of fields whose values are so.
const (
	languages kindOfUnit = "language"
	countries kindOfUnit = "country"

	continents kindOfUnit = "continent"
)

// fullKey is the words of a value as they are compared.
func (c *Cues) fullKey(value string) []byte {
	key, _ := c.Words(nil, value)
	return key
}

// CalledAlso returns what a value of a field is called besides, as phrases: "german" of the value de of a field
// of languages.
func (c *Cues) CalledAlso(field, value string) []string {
	kind := c.names[strings.Join(nameWords(field), " ")]
	if kind != languages && kind != countries && kind != continents {
		return nil
	}
	if kind == languages {
		if at := strings.IndexAny(value, "-_"); at == 2 {
			value = value[:at] // de-AT
		}
	}
	return c.codes()[codeOf{kind, string(c.fullKey(value))}]
}
