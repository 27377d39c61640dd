package engine

import (
	"hash/maphash"
	"sync/atomic"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/thesaurus"
)

// wordFacts remembers what was found out about words of queries, by the view of an
// index, which does not change: what depends on nothing else. Each fact has two places,
// given by a hash of its key, and takes the one of the two that is free, or that of
// another fact: so facts of views that are gone give way, and those of a long row of
// queries do not push out each other, as they would if the oldest went first. It is safe
// for concurrent use, without a lock.
type wordFacts struct {
	views  atomic.Uint64 // that have a number
	seed   maphash.Seed
	budget int64
	bytes  atomic.Int64
	hand   atomic.Uint64 // turns over the places, for what has to go
	memory *cacheShare
	places []atomic.Pointer[wordFact] // a power of two
}

// factKind is what is known of a word.
type factKind uint8

const (
	factParts    factKind = iota // text: the two words that it is made of, "" if it is one
	factCode                     // text: the ways to cut a code; see resolver.cutCode
	factSeparate                 // that no document has the words of a text side by side
	factHolding                  // n: documents that hold it; see resolver.frequency
	factName                     // n: whether what a query says is the name of a record; see searcher.isName
	factAgrees                   // n: whether a value is what words of a query mean; see searcher.agrees
	factWritten                  // n: documents that somebody wrote it in; see speller.documents
	factRelated                  // others: what stands for a phrase and the index holds; see resolver.others
	factOccurs                   // n: more than 0 if a record holds a phrase; see resolver.occurs
	factTogether                 // n: documents that hold a phrase; see searchRun.togetherKey
	factHeld                     // n: documents that hold a term in some fields; see resolver.heldIn
	factCounted                  // n: documents that hold a word; see Engine.holders
	factNamed                    // docs: that have a name; see searchRun.named
	factID                       // docs: that have an id; see searchRun.withID
	factBegun                    // begun: that have a name which begins so; n: 1 if a title holds all words
	factEndings                  // ended: the words that end with another, n: how many of them are compounds; see decompounder.endings
	factTail                     // text: what words end with that another is a misspelt form of; n: documents; see speller.tail
	factCompound                 // n: what compounds add nothing to a word; see quiet
	factSpan                     // span: the least and greatest of the values of a chunk that are not deleted; n: how many there are
	factSeen                     // n: records with texts that a caller may see; see resolver.seenDocs
	factAccents                  // text: other terms of a word, n: 1 if they stand in place of its own; see accentReader.reading
	factNear                     // near; a kind for each search and each number of edits, see wordSearch.fact
)

type factKey struct {
	view uint64 // indexView.uid
	kind factKind
	word string
}

// wordFact does not change.
type wordFact struct {
	key    factKey
	text   string
	n      int64
	near   []candidate
	others []thesaurus.Other
	docs   []posting.DocID
	begun  []begunDoc
	ended  []ended
	span   [2]float64
}

const (
	// factSize is about what a fact takes in memory beside near.
	factSize = 192
	// otherSize is what something takes that stands for a word: its texts are no memory.
	otherSize = 40
	// maxNearWords is how many words near another are remembered. Of more than that it
	// is a word of two or three letters.
	maxNearWords = 128
)

func newWordFacts(budget int64) *wordFacts {
	n := int64(2)
	for n*(factSize+8) <= budget { // one to two places for each fact that there is room for
		n *= 2
	}
	return &wordFacts{seed: maphash.MakeSeed(), budget: budget, places: make([]atomic.Pointer[wordFact], n)}
}

// join makes the facts one of the caches that share m, sure of so many bytes.
func (p *wordFacts) join(m *cacheMemory, sure int64) {
	p.memory = m.join(sure, p.shrink)
	p.count(int64(8 * len(p.places)))
}

func (p *wordFacts) count(bytes int64) {
	p.bytes.Add(bytes)
	p.memory.count(bytes)
}

// key is that of a word in a view.
func (p *wordFacts) key(iv *indexView, kind factKind, word string) factKey {
	return factKey{p.view(iv), kind, word}
}

// view is the number of a view.
func (p *wordFacts) view(iv *indexView) uint64 {
	uid, _ := iv.uid.get(func() (uint64, error) { return p.views.Add(1), nil })
	return uid
}

// place is the first of the two places of a fact about a word with a hash.
func (p *wordFacts) place(view uint64, kind factKind, hash uint64) int {
	h := hash ^ (view<<8|uint64(kind))*0x9e3779b97f4a7c15
	return int(h>>20) & (len(p.places) - 1)
}

// find returns what is known, nil if nothing is.
func (p *wordFacts) find(k *factKey) *wordFact {
	at := p.place(k.view, k.kind, maphash.String(p.seed, k.word))
	for i := range 2 {
		if f := p.places[at^i].Load(); f != nil && f.key == *k {
			return f
		}
	}
	return nil
}

// look is find for a word that is no string yet, and need not become one.
func (p *wordFacts) look(iv *indexView, kind factKind, word []byte) *wordFact {
	view := p.view(iv)
	at := p.place(view, kind, maphash.Bytes(p.seed, word))
	for i := range 2 {
		if f := p.places[at^i].Load(); f != nil && f.key.view == view && f.key.kind == kind && f.key.word == string(word) {
			return f
		}
	}
	return nil
}

// add remembers a fact.
func (p *wordFacts) add(f *wordFact) {
	if f.size() > p.budget/16 {
		return // it would push too much out
	}
	at := p.place(f.key.view, f.key.kind, maphash.String(p.seed, f.key.word))
	if p.places[at].Load() != nil && (p.places[at^1].Load() == nil || p.hand.Add(1)&1 != 0) {
		at ^= 1
	}
	p.count(f.size() - p.places[at].Swap(f).size())
	if over := p.bytes.Load() - p.budget; over > 0 {
		p.shrink(over)
	}
	p.memory.settle()
}

// shrink forgets facts of so many bytes.
func (p *wordFacts) shrink(bytes int64) {
	for range p.places {
		if bytes <= 0 {
			return
		}
		at := p.hand.Add(1) & uint64(len(p.places)-1)
		size := p.places[at].Swap(nil).size()
		p.count(-size)
		bytes -= size
	}
}

// size is what a fact takes in memory, 0 for nil.
func (f *wordFact) size() int64 {
	if f == nil {
		return 0
	}
	size := factSize + len(f.key.word) + len(f.text)
	for i := range f.near {
		size += len(f.near[i].word) + candidateSize
	}
	for i := range f.ended {
		size += len(f.ended[i].rest) + endedSize // they share their end
	}
	return int64(size + otherSize*len(f.others) + 4*len(f.docs) + 8*len(f.begun))
}
