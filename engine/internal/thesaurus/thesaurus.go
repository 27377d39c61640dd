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
	Text     string // as people write it
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
	if t.index == "" || len(terms) == 0 || terms[0] == "" {
		return 0, nil
	}
	hash := hashOf(firstHash, terms[0])
	row, words := t.find(hash, terms[:1])
	if words == 0 {
		return 0, nil
	}
	if row != "" {
		n = 1
	}
	for k := 1; k < min(words, len(terms)); k++ {
		hash = hashOf(hashOf(hash, " "), terms[k])
		if longer, _ := t.find(hash, terms[:k+1]); longer != "" {
			n, row = k+1, longer
		}
	}
	if n == 0 {
		return 0, nil
	}
	others = make([]Other, 0, strings.Count(row, "|")+1)
	for row != "" {
		var o string
		o, row, _ = strings.Cut(row, "|")
		terms, text, written := strings.Cut(o[1:], ";")
		if !written {
			text = terms
		}
		others = append(others, Other{terms, text, Relation(strings.IndexByte(signs, o[0]))})
	}
	return n, others
}

// find returns what a phrase stands for, "" if nothing, and for one term how many terms
// the longest phrase has that begins with it. hash is that of the phrase.
func (t Thesaurus) find(hash uint32, terms []string) (row string, words int) {
	slots := uint32(len(t.index) / slotSize)
	for slot := hash ^ hash>>16; ; slot++ {
		s := t.index[slot&(slots-1)*slotSize:][:slotSize]
		line := int(s[0]) | int(s[1])<<8 | int(s[2])<<16
		if line == 0 {
			return "", 0
		}
		if of, ok := rowOf(t.table[line-1:], terms); ok {
			return of, int(s[3])
		}
	}
}

// slotSize is how many bytes a slot of the index has.
const slotSize = 4

// firstHash is the hash of nothing, and hashOf goes on with a text: FNV-1a.
const firstHash = uint32(2166136261)

func hashOf(h uint32, text string) uint32 {
	for i := range len(text) {
		h = (h ^ uint32(text[i])) * 16777619
	}
	return h
}

// rowOf returns what a line of the table says that is of a phrase.
func rowOf(line string, terms []string) (row string, ok bool) {
	for i, term := range terms {
		if i > 0 {
			if line == "" || line[0] != ' ' {
				return "", false
			}
			line = line[1:]
		}
		if line, ok = strings.CutPrefix(line, term); !ok {
			return "", false
		}
	}
	if line == "" || line[0] != '\t' {
		return "", false
	}
	row, _, _ = strings.Cut(line[1:], "\n")
	return row, true
}
