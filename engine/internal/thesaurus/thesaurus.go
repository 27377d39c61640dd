package thesaurus

import (
	_ "embed"
	"strings"
)

// Relation is how near a phrase comes to the one that it stands for.
type Relation uint8

// Relations, the nearest first.
const (
	Form     Relation = iota // the same word, written or inflected otherwise
	Same                     // another word for the same thing
	Narrower                 // a kind of it
	Kin                      // what belongs together with it
)

func (r Relation) String() string {
	return [...]string{"form", "same", "narrower", "kin"}[r]
}

// signs are what stands before a phrase in a table, by relation.
const signs = "=+>~"

// Other is a phrase that stands for another.
type Other struct {
	Terms    string // with a space between them
	Relation Relation
}

// Thesaurus is what is known of the words of a language. The zero value knows
// nothing. It never changes.
type Thesaurus struct {
	table string // see the package comment
	index string
}

//go:embed data/en.tab
var english string

//go:embed data/en.idx
var englishIndex string

// Of returns what is known of a language, by its code.
func Of(language string) Thesaurus {
	switch language {
	case "en":
		return Thesaurus{english, englishIndex}
	}
	return Thesaurus{}
}

// Known tells whether anything is known.
func (t Thesaurus) Known() bool { return t.table != "" }

// Find returns what the longest phrase that some terms begin with stands for, and of
// how many of the terms it is; 0 if none of them begins with one.
func (t Thesaurus) Find(terms []string) (n int, others []Other) {
	if len(terms) == 0 || terms[0] == "" {
		return 0, nil
	}
	row := ""
	for rest := t.from(terms[0]); ; {
		line, after, _ := strings.Cut(rest, "\n")
		if !startsWith(line, terms[0]) {
			break
		}
		key, of, _ := strings.Cut(line, "\t")
		if k := begins(terms, key); k > n {
			n, row = k, of
		}
		rest = after
	}
	if n == 0 {
		return 0, nil
	}
	others = make([]Other, 0, strings.Count(row, "|")+1)
	for row != "" {
		var o string
		o, row, _ = strings.Cut(row, "|")
		others = append(others, Other{Terms: o[1:], Relation: Relation(strings.IndexByte(signs, o[0]))})
	}
	return n, others
}

// from returns the table from the first phrase on that begins with a term; "" if there is
// none.
func (t Thesaurus) from(term string) string {
	slots := uint32(len(t.index) / slotSize)
	if slots == 0 {
		return ""
	}
	for slot := hash(term); ; slot++ {
		at := slot & (slots - 1) * slotSize
		// The place of a line, counted from 1; 0 for none.
		line := uint32(t.index[at]) | uint32(t.index[at+1])<<8 | uint32(t.index[at+2])<<16
		if line == 0 {
			return ""
		}
		if rest := t.table[line-1:]; startsWith(rest, term) {
			return rest
		}
	}
}

// slotSize is how many bytes a slot of the index has.
const slotSize = 3

// hash is FNV-1a, its halves folded so that the lower bits depend on all of the term.
func hash(term string) uint32 {
	h := uint32(2166136261)
	for i := range len(term) {
		h = (h ^ uint32(term[i])) * 16777619
	}
	return h ^ h>>16
}

// startsWith tells whether a line is of a phrase whose first term is given.
func startsWith(line, term string) bool {
	return len(line) > len(term) && (line[len(term)] == '\t' || line[len(term)] == ' ') && line[:len(term)] == term
}

// begins returns of how many terms a phrase is that they begin with, 0 if they do not.
func begins(terms []string, phrase string) (n int) {
	for phrase != "" {
		word, rest, _ := strings.Cut(phrase, " ")
		if n == len(terms) || terms[n] != word {
			return 0
		}
		n, phrase = n+1, rest
	}
	return n
}
