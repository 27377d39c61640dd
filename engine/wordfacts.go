package engine

import "sync/atomic"

// wordFacts remembers what was found out about words of queries, by the view of an
// index, which does not change: what depends on nothing else. Facts of views that are
// gone are not asked for any more, and so the first to be forgotten.
type wordFacts struct {
	views atomic.Uint64 // that have a number
	known *lru[factKey, wordFact]
}

// factKind is what is known of a word.
type factKind uint8

const (
	factParts   factKind = iota // text: the two words that it is made of, "" if it is one
	factHolding                 // n: documents that hold it; see resolver.frequency
	factWritten                 // n: documents that somebody wrote it in; see speller.documents
	factNear                    // near; a kind for each search and each number of edits, see factOf
)

type factKey struct {
	view uint64 // indexView.uid
	kind factKind
	word string
}

type wordFact struct {
	text string
	n    int64
	near []candidate // which must not be changed
}

// maxNearWords is how many words near another are remembered. Of more than that it is a
// word of two or three letters.
const maxNearWords = 128

func newWordFacts(budget int64) *wordFacts {
	return &wordFacts{known: newLRU[factKey, wordFact](budget)}
}

// key is that of a word in a view.
func (p *wordFacts) key(iv *indexView, kind factKind, word string) factKey {
	uid, _ := iv.uid.get(func() (uint64, error) { return p.views.Add(1), nil })
	return factKey{uid, kind, word}
}

// find returns what is known, and whether anything is.
func (p *wordFacts) find(k factKey) (wordFact, bool) { return p.known.find(k) }

// add remembers a fact.
func (p *wordFacts) add(k factKey, f wordFact) {
	size := len(k.word) + len(f.text)
	for i := range f.near {
		size += len(f.near[i].word) + candidateSize
	}
	p.known.add(k, f, size)
}
