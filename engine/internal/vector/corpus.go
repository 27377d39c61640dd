package vector

import (
	"cmp"
	"math"
	"slices"
)

// Corpus is the texts that a Model is trained on: for each document, its terms
// in the order of the text. Documents may be added in any order, since each
// has a key by which they are put in order before training. A Corpus is used
// by one goroutine.
type Corpus struct {
	numbers map[string]uint32
	terms   []string
	docs    []corpusDoc
	tokens  []uint32 // of all documents, one behind the other
}

type corpusDoc struct {
	key        uint64
	start, end int // in tokens
}

// NewCorpus returns an empty Corpus.
func NewCorpus() *Corpus { return &Corpus{numbers: map[string]uint32{}} }

// Begin begins a document. The keys of documents should differ, as hashes of
// their ids do: among documents of one key the order of calls counts.
func (c *Corpus) Begin(key uint64) {
	c.docs = append(c.docs, corpusDoc{key, len(c.tokens), len(c.tokens)})
}

// Add adds a term to the document that was begun last. It keeps a copy.
func (c *Corpus) Add(term []byte) {
	n, ok := c.numbers[string(term)]
	if !ok {
		n = uint32(len(c.terms))
		c.terms = append(c.terms, string(term))
		c.numbers[c.terms[n]] = n
	}
	c.tokens = append(c.tokens, n)
	c.docs[len(c.docs)-1].end = len(c.tokens)
}

// Documents returns the number of documents, Tokens that of all their terms.
func (c *Corpus) Documents() int { return len(c.docs) }

// Tokens is the number of terms that were added.
func (c *Corpus) Tokens() int { return len(c.tokens) }

// none stands for a term that is not in a vocabulary.
const none = ^uint32(0)

// vocabulary is a corpus in which terms have the numbers of their order, and
// the documents the order of their keys: it does not show any more in which
// order documents were added.
type vocabulary struct {
	terms  []string // ascending
	df     []int    // documents of each term
	tokens []uint32 // none: too rare or too frequent for a vector
	start  []int    // of each document in tokens, and the end of the last
}

// minDocuments is in how many documents a term has to be: what is in one alone
// brings nothing together.
const minDocuments = 2

// vocabulary keeps the terms that are in at least minDocuments documents, of
// these the most frequent ones up to a number.
func (c *Corpus) vocabulary(most int) *vocabulary {
	docs := slices.Clone(c.docs)
	slices.SortStableFunc(docs, func(a, b corpusDoc) int { return cmp.Compare(a.key, b.key) })
	df, last := make([]int, len(c.terms)), make([]int, len(c.terms))
	for i, d := range docs {
		for _, t := range c.tokens[d.start:d.end] {
			if last[t] != i+1 {
				last[t] = i + 1
				df[t]++
			}
		}
	}
	var kept []uint32
	for t, n := range df {
		if n >= minDocuments {
			kept = append(kept, uint32(t))
		}
	}
	byTerm := func(a, b uint32) int { return cmp.Compare(c.terms[a], c.terms[b]) }
	if len(kept) > most {
		slices.SortFunc(kept, func(a, b uint32) int { return cmp.Or(cmp.Compare(df[b], df[a]), byTerm(a, b)) })
		kept = kept[:most]
	}
	slices.SortFunc(kept, byTerm)
	v := &vocabulary{terms: make([]string, len(kept)), df: make([]int, len(kept)), start: make([]int, 1, len(docs)+1)}
	number := slices.Repeat([]uint32{none}, len(c.terms))
	for i, t := range kept {
		v.terms[i], v.df[i], number[t] = c.terms[t], df[t], uint32(i)
	}
	v.tokens = make([]uint32, 0, len(c.tokens))
	for _, d := range docs {
		for _, t := range c.tokens[d.start:d.end] {
			v.tokens = append(v.tokens, number[t])
		}
		v.start = append(v.start, len(v.tokens))
	}
	return v
}

// documents is the number of documents.
func (v *vocabulary) documents() int { return len(v.start) - 1 }

// idf is the weight of each term: as that of BM25, which is positive.
func (v *vocabulary) idf() []float32 {
	out := make([]float32, len(v.df))
	n := float64(v.documents())
	for t, df := range v.df {
		out[t] = float32(math.Log(1 + (n-float64(df)+0.5)/(float64(df)+0.5)))
	}
	return out
}
