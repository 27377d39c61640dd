package thesaurus

import "strings"

// Relation is how near a phrase comes to the one that it stands for.
type Relation uint8

// Relations, the nearest first.
const (
	Spelling Relation = iota // the same word, spelt otherwise
	Form                     // the same word, written or inflected otherwise
	Same                     // another word for the same thing
	Narrower                 // a kind of it
	Kin                      // what belongs together with it
)

func (r Relation) String() string {
	return [...]string{"spelling", "form", "same", "narrower", "kin"}[r]
}

// signs are what stands before a phrase in a table, by relation.
const signs = ":=+>~"

// like is what stands before a word in a table that the one of the line is a form of.
const like = '@'

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

// Of returns what is known of a language, by its code.
func Of(language string) Thesaurus {
	switch language {
	case "ar":
		return Thesaurus{arabic, arabicIndex}
	case "ca":
		return Thesaurus{catalan, catalanIndex}
	case "cs":
		return Thesaurus{czech, czechIndex}
	case "da":
		return Thesaurus{danish, danishIndex}
	case "de":
		return Thesaurus{german, germanIndex}
	case "el":
		return Thesaurus{greek, greekIndex}
	case "en":
		return Thesaurus{english, englishIndex}
	case "es":
		return Thesaurus{spanish, spanishIndex}
	case "fi":
		return Thesaurus{finnish, finnishIndex}
	case "fr":
		return Thesaurus{french, frenchIndex}
	case "hi":
		return Thesaurus{hindi, hindiIndex}
	case "hu":
		return Thesaurus{hungarian, hungarianIndex}
	case "it":
		return Thesaurus{italian, italianIndex}
	case "ja":
		return Thesaurus{japanese, japaneseIndex}
	case "ko":
		return Thesaurus{korean, koreanIndex}
	case "nl":
		return Thesaurus{dutch, dutchIndex}
	case "no":
		return Thesaurus{norwegian, norwegianIndex}
	case "pl":
		return Thesaurus{polish, polishIndex}
	case "pt":
		return Thesaurus{portuguese, portugueseIndex}
	case "ro":
		return Thesaurus{romanian, romanianIndex}
	case "ru":
		return Thesaurus{russian, russianIndex}
	case "sv":
		return Thesaurus{swedish, swedishIndex}
	case "tr":
		return Thesaurus{turkish, turkishIndex}
	case "uk":
		return Thesaurus{ukrainian, ukrainianIndex}
	case "vi":
		return Thesaurus{vietnamese, vietnameseIndex}
	case "zh":
		return Thesaurus{chinese, chineseIndex}
	}
	return Thesaurus{}
}

// Known tells whether anything is known.
func (t Thesaurus) Known() bool { return t.table != "" }

// Find returns what stands for the longest phrase that some terms begin with, and of
// how many of the terms it is; 0 if none of them begins with one.
func (t Thesaurus) Find(terms []string) (n int, row Row) {
	if t.index == "" || len(terms) == 0 || terms[0] == "" {
		return 0, ""
	}
	hash := hashOf(firstHash, terms[0])
	row, words := t.find(hash, terms[:1])
	if row != "" {
		n = 1
	}
	for k := 1; k < min(words, len(terms)); k++ {
		hash = hashOf(hashOf(hash, " "), terms[k])
		if longer, _ := t.find(hash, terms[:k+1]); longer != "" {
			n, row = k+1, longer
		}
	}
	return n, row
}

// Alone returns what stands for a term by itself, and whether there are phrases that begin
// with it: where there are none, Find returns the same whatever follows.
func (t Thesaurus) Alone(term string) (row Row, begins bool) {
	if t.index == "" || term == "" {
		return "", false
	}
	row, words := t.find(hashOf(firstHash, term), []string{term})
	return row, words > 1
}

// Row is what stands for a phrase, as a table has it; "" is nothing.
type Row string

// Others returns the phrases, the nearest first, but for one that asks, as terms with a space
// between them: the forms of a word share a row.
func (r Row) Others(of string) []Other {
	if r == "" {
		return nil
	}
	others := make([]Other, 0, strings.Count(string(r), "|")+1)
	for o := range strings.SplitSeq(string(r), "|") {
		terms, text, written := strings.Cut(o[1:], ";")
		if terms == of {
			continue
		}
		if !written {
			text = terms
		}
		others = append(others, Other{terms, text, Relation(strings.IndexByte(signs, o[0]))})
	}
	return others
}

// find returns what a phrase stands for, "" if nothing, and for one term how many terms
// the longest phrase has that begins with it. hash is that of the phrase.
func (t Thesaurus) find(hash uint32, terms []string) (row Row, words int) {
	slots := uint32(len(t.index) / slotSize)
	for at := hash ^ hash>>16; ; at++ {
		b := t.index[at&(slots-1)*slotSize:][:slotSize]
		s := slot(b[0]) | slot(b[1])<<8 | slot(b[2])<<16 | slot(b[3])<<24
		if s == 0 {
			return "", 0
		}
		if s.tag() == tagOf(hash) {
			if of, ok := rowOf(t.table[s.line()-1:], terms); ok {
				if of != "" && of[0] == like {
					of, _ = t.find(hashOf(firstHash, string(of[1:])), []string{string(of[1:])})
				}
				return of, s.words()
			}
		}
	}
}

// slot is a place of the index: from its lowest bit on, where the line of a phrase is, counted
// from 1, how many terms the longest phrase has that begins with it, less 1, and
// the tag of its hash, so that lines of other phrases, which lie far away, are seldom looked
// at; 0 if it is free.
type slot uint32

const (
	slotSize = 4 // bytes
	lineBits = 22
	wordBits = 4
)

func (s slot) line() int     { return int(s & (1<<lineBits - 1)) }
func (s slot) words() int    { return 1 + int(s>>lineBits&(1<<wordBits-1)) }
func (s slot) tag() slot     { return s >> (lineBits + wordBits) }
func tagOf(hash uint32) slot { return slot(hash >> (lineBits + wordBits)) }

// firstHash is the hash of nothing, and hashOf goes on with a text: FNV-1a.
const firstHash = uint32(2166136261)

func hashOf(h uint32, text string) uint32 {
	for i := range len(text) {
		h = (h ^ uint32(text[i])) * 16777619
	}
	return h
}

// rowOf returns what a line of the table says that is of a phrase.
func rowOf(line string, terms []string) (row Row, ok bool) {
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
	of, _, _ := strings.Cut(line[1:], "\n")
	return Row(of), true
}
