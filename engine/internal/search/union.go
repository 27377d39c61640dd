package search

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/score"
)

// Union returns the documents that are in any of lists, which are of one segment and may be
// nil, with the frequencies of all of them added up: as if what they are of were one term.
// Its bounds are by im; it has no positions, and is nil if there are no documents. It takes
// the time and the memory of sorting all postings.
func Union(lists []*posting.List, im *posting.Impacts) (*posting.List, error) {
	type place struct {
		doc  posting.DocID
		list int
		rank int
	}
	var all []place
	for i, l := range lists {
		if l == nil {
			continue
		}
		for rank, doc := range l.All {
			all = append(all, place{doc, i, rank})
		}
	}
	slices.SortFunc(all, func(a, b place) int { return cmp.Or(cmp.Compare(a.doc, b.doc), cmp.Compare(a.list, b.list)) })
	b := newMade(im)
	for len(all) > 0 {
		doc := all[0].doc
		var sum score.Vector
		for len(all) > 0 && all[0].doc == doc {
			sum = addVectors(sum, lists[all[0].list].Vector(all[0].rank, im.Table.Book()))
			all = all[1:]
		}
		if err := b.Add(doc, sum, nil); err != nil {
			return nil, fmt.Errorf("search: union: %w", err)
		}
	}
	return listOf(b, im)
}

// Common returns the documents that are in all of lists, which are of one segment, with the
// frequencies that the last one has of them. The rest is as of Union.
func Common(lists []*posting.List, im *posting.Impacts) (*posting.List, error) {
	if slices.Contains(lists, nil) || len(lists) == 0 {
		return nil, nil
	}
	rarest := slices.MinFunc(lists, func(a, b *posting.List) int { return cmp.Compare(a.DF, b.DF) })
	last, b := lists[len(lists)-1], newMade(im)
	for _, doc := range rarest.All {
		rank, in := 0, true
		for i := 0; i < len(lists) && in; i++ {
			rank, in = lists[i].Find(doc)
		}
		if !in {
			continue
		}
		if err := b.Add(doc, last.Vector(rank, im.Table.Book()), nil); err != nil {
			return nil, fmt.Errorf("search: common documents: %w", err)
		}
	}
	return listOf(b, im)
}

func newMade(im *posting.Impacts) *posting.Builder {
	return posting.NewBuilder(posting.NewCoding(im.Table.Book()), posting.KindFreqs)
}

func listOf(b *posting.Builder, im *posting.Impacts) (*posting.List, error) {
	if b.Len() == 0 {
		return nil, nil
	}
	return b.List(im)
}

// addVectors adds up the frequencies of two vectors, field by field.
func addVectors(a, b score.Vector) score.Vector {
	if len(a) == 0 {
		return slices.Clone(b)
	}
	out := make(score.Vector, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].Field < b[0].Field:
			out, a = append(out, a[0]), a[1:]
		case a[0].Field > b[0].Field:
			out, b = append(out, b[0]), b[1:]
		default:
			out = append(out, score.Freq{Field: a[0].Field, TF: a[0].TF + b[0].TF})
			a, b = a[1:], b[1:]
		}
	}
	return append(append(out, a...), b...)
}
