package search

import (
	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/score"
)

// Score returns the score of a document of a segment. It does not ask whether
// the document matches.
func Score(q *Query, seg int, doc posting.DocID) (total uint64) {
	for leaf := range q.Leaves {
		if p, ok := q.Part(leaf, seg, doc); ok {
			total += p.Score
		}
	}
	return total
}

// ScoreDoc returns the score of a document like Score, and what it is the sum
// of: a part for each leaf whose list holds the document, by ascending leaf.
func ScoreDoc(q *Query, seg int, doc posting.DocID) (total uint64, parts []Part) {
	for leaf := range q.Leaves {
		if p, ok := q.Part(leaf, seg, doc); ok {
			total += p.Score
			parts = append(parts, p)
		}
	}
	return total, parts
}

// Part returns what a leaf gives to a document of a segment, false if its list
// does not hold the document. It is written for plainness and shares nothing with the
// way Top computes scores.
func (q *Query) Part(leaf, seg int, doc posting.DocID) (Part, bool) {
	s := &q.Segments[seg]
	list := q.list(leaf, seg)
	if q.phrase(leaf, seg) != nil {
		return q.phrasePart(leaf, seg, doc)
	}
	if list == nil {
		return Part{}, false
	}
	rank, ok := list.Find(doc)
	if !ok {
		return Part{}, false
	}
	p := Part{Leaf: leaf, Impact: score.MaxImpact}
	if list.HasFreqs && !q.Leaves[leaf].Constant {
		p.Vector, p.Impact = list.Vector(rank, s.Table.Book()), 0
		if slot := s.slot(uint16(doc >> 16)); slot != nil {
			p.Impact = s.Table.ImpactOf(p.Vector, slot.Norms, int(uint16(doc)-slot.NormBase))
		}
	}
	p.Score = uint64(q.Leaves[leaf].Weight) * uint64(p.Impact)
	return p, true
}

// Vector returns the frequencies of a leaf in a document by field, as Part does;
// nil if the document does not hold it, or the leaf has none.
func (q *Query) Vector(leaf, seg int, doc posting.DocID) score.Vector {
	s := &q.Segments[seg]
	if p := q.phrase(leaf, seg); p != nil {
		if q.Leaves[leaf].Constant {
			return nil
		}
		return p.vector(doc, s.Table.Book())
	}
	list := q.list(leaf, seg)
	if list == nil || !list.HasFreqs || q.Leaves[leaf].Constant {
		return nil
	}
	rank, ok := list.Find(doc)
	if !ok {
		return nil
	}
	return list.Vector(rank, s.Table.Book())
}

// phrasePart is Part for a leaf that is a phrase.
func (q *Query) phrasePart(leaf, seg int, doc posting.DocID) (Part, bool) {
	s := &q.Segments[seg]
	slot := s.slot(uint16(doc >> 16))
	v := q.phrase(leaf, seg).vector(doc, s.Table.Book())
	if len(v) == 0 || slot == nil {
		return Part{}, false
	}
	p := Part{Leaf: leaf, Impact: score.MaxImpact}
	if !q.Leaves[leaf].Constant {
		p.Vector, p.Impact = v, s.Table.ImpactOf(v, slot.Norms, int(uint16(doc)-slot.NormBase))
	}
	p.Score = uint64(q.Leaves[leaf].Weight) * uint64(p.Impact)
	return p, true
}
