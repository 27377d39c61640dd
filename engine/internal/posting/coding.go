package posting

import (
	"errors"

	"github.com/quarry-search/quarry/engine/internal/score"
)

// ErrCorrupt marks errors about bytes that no Builder can have written. Test
// for it with errors.Is.
var ErrCorrupt = errors.New("corrupt posting list")

// Kind says what a list holds beside its documents. It is part of the format.
type Kind uint8

const (
	KindDocs      Kind = 0 // documents only: the values of keyword fields
	KindFreqs     Kind = 1 // and a frequency vector for each posting
	KindPositions Kind = 2 // and the positions of each occurrence
)

// Coding is what all lists over the same number of text fields share: the
// codebook, and the number of occurrences behind each code. It is immutable
// and safe for concurrent use.
type Coding struct {
	book   *score.Codebook
	totals [256]uint32 // by code; 0 for Escape and codes not in use
	pairs  [256]uint32 // by byte: the totals of its two codes of four bits
	// counted tells that totals grow by one from code to code, up to 15, as they do
	// where there is one field.
	counted bool
}

// NewCoding returns the coding of lists whose codes come from book.
func NewCoding(book *score.Codebook) *Coding {
	c := &Coding{book: book}
	for code := range book.Len() {
		c.totals[code] = book.Vector(uint8(code)).Total()
	}
	t := &c.totals
	for b := range 256 {
		c.pairs[b] = t[b&15] + t[b>>4]
	}
	c.counted = true
	for code := range uint32(16) {
		c.counted = c.counted && t[code] == t[0]+code
	}
	return c
}

// Book returns the codebook.
func (c *Coding) Book() *score.Codebook { return c.book }

// Impacts tells a Builder how strong postings are, for bounds and champions.
type Impacts struct {
	Table *score.Table
	// Norms returns the norms of a run of documents that holds doc. Builders
	// ask again only when they leave the run.
	Norms func(doc DocID) (NormRun, error)
	// Before tells which of two documents of equal impact is the stronger one:
	// whether a stands before b in the order of hits. nil: the lower number.
	Before func(a, b DocID) (bool, error)
}

// NormRun is the norms of the documents First to Last, both included:
// Norms[f][doc-First] is that of text field f.
type NormRun struct {
	First, Last DocID
	Norms       score.Norms
}
