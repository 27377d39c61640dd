package search

import (
	"context"
	"fmt"
	"slices"

	"github.com/quarry-search/quarry/engine/internal/collect"
	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/score"
)

// Phrase returns the documents of seg in which words stand together in one
// text field, as a list whose frequencies are those of the phrase: the leaf of
// a phrase. words has the list of each word of the phrase, with positions; a
// word that occurs twice has the same list twice. Documents that are dead are
// left out. The result is nil if it would be empty.
//
// A way to place the phrase gives each word i a position p[i] of the field at
// which its list has it; words with the same list stand in the order of their
// offsets. The words are out of place by max(p[i]-offset[i]) minus
// min(p[i]-offset[i]): 0 if they stand as in the phrase, 1 if there is a gap
// of one, 2 if neighbours are swapped, as in Lucene. The frequency of the
// phrase is the number of values that the minimum takes over all ways whose
// words are out of place by at most Slop; without slop, the number of places
// where the phrase stands.
func Phrase(ctx context.Context, seg *Segment, words []*posting.List, o PhraseOptions) (*posting.List, error) {
	p, err := newPhrase(words, o)
	if err != nil || p == nil {
		return nil, err
	}
	q := &Query{
		Leaves:   make([]Leaf, len(p.words)),
		Match:    &Expr{Op: OpAnd},
		Segments: []Segment{{Slots: seg.Slots, Table: seg.Table, Bounds: seg.Bounds}},
	}
	for i := range p.words {
		q.Segments[0].Lists = append(q.Segments[0].Lists, p.words[i].list)
		q.Match.Kids = append(q.Match.Kids, &Expr{Op: OpLeaf, Leaf: i})
	}
	r := q.Pool.take()
	if err := r.begin(q); err != nil {
		return nil, err
	}
	book := seg.Table.Book()
	out := posting.NewBuilder(posting.NewCoding(book), posting.KindFreqs)
	err = r.matches(ctx, func(_, _ int, words *Page) error {
		for i := range r.leaves {
			r.leaves[i].pos = 0
		}
		page := posting.DocID(r.slot.Page) << 16
		for place := range collect.Places(words) {
			for i := range p.words {
				p.words[i].rank, _ = r.leaves[i].find(place)
			}
			v := p.vector(book)
			if len(v) == 0 {
				continue
			}
			if err := out.Add(page|posting.DocID(place), v, nil); err != nil {
				return fmt.Errorf("search: phrase: %w", err)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return seg.made(out)
}

// phrase is a phrase and its state in one document.
type phrase struct {
	words []phraseWord // by ascending offset
	field int
	slop  int
	freqs score.Vector // reused
}

// phraseWord is one word of a phrase.
type phraseWord struct {
	list   *posting.List
	offset int
	twin   int // the word before it that has the same list, or -1

	rank      int
	vector    score.Vector
	positions []uint32 // in all fields
	read      bool     // positions is up to date
	left      []uint32 // positions in one field that are still ahead
	at        int      // where twins are told apart: the position taken
}

// newPhrase returns nil if no document can hold the phrase.
func newPhrase(words []*posting.List, o PhraseOptions) (*phrase, error) {
	if o.Offsets != nil && len(o.Offsets) != len(words) {
		return nil, fmt.Errorf("%w: phrase of %d words with %d offsets", ErrMalformed, len(words), len(o.Offsets))
	}
	p := &phrase{field: o.Field, slop: max(o.Slop, 0)}
	for i, list := range words {
		if list == nil {
			return nil, nil
		}
		if !list.HasPos {
			return nil, fmt.Errorf("%w: phrase of lists without positions", ErrMalformed)
		}
		w := phraseWord{list: list, offset: i, twin: -1}
		if o.Offsets != nil {
			w.offset = o.Offsets[i]
		}
		// A word that is named twice for one place is one word.
		if !slices.ContainsFunc(p.words, func(v phraseWord) bool { return v.list == list && v.offset == w.offset }) {
			p.words = append(p.words, w)
		}
	}
	slices.SortStableFunc(p.words, func(a, b phraseWord) int { return a.offset - b.offset })
	for i := range p.words {
		for j := range i {
			if p.words[j].list == p.words[i].list {
				p.words[i].twin = j
			}
		}
	}
	if len(p.words) == 0 {
		return nil, nil
	}
	return p, nil
}

// vector returns the frequencies of the phrase in the document that the words'
// ranks stand for. It is valid until the next call.
func (p *phrase) vector(book *score.Codebook) score.Vector {
	for i := range p.words {
		w := &p.words[i]
		w.vector, w.read = w.list.Vector(w.rank, book), false
	}
	p.freqs = p.freqs[:0]
	for _, f := range p.words[0].vector {
		if p.field >= 0 && int(f.Field) != p.field || !p.enter(f.Field) {
			continue
		}
		if n := p.count(); n > 0 {
			p.freqs = append(p.freqs, score.Freq{Field: f.Field, TF: n})
		}
	}
	return p.freqs
}

// enter sets left of all words to their positions in a field. It returns
// false if one has none there.
func (p *phrase) enter(field uint16) bool {
	for i := range p.words {
		if !slices.ContainsFunc(p.words[i].vector, func(f score.Freq) bool { return f.Field == field }) {
			return false
		}
	}
	for i := range p.words {
		w := &p.words[i]
		if !w.read {
			w.positions, w.read = w.list.Positions(w.rank, w.vector, w.positions[:0]), true
		}
		from := 0
		for _, f := range w.vector {
			to := from + int(f.TF)
			if to > len(w.positions) {
				return false // only in a corrupt list
			}
			if f.Field == field {
				w.left = w.positions[from:to]
				break
			}
			from = to
		}
	}
	return true
}

// count returns the frequency of the phrase in the field entered. It moves
// all words ahead together, as one merges sorted lists.
func (p *phrase) count() (n uint32) {
	for {
		// The earliest way that is left.
		lo, hi := 0, 0
		for i := range p.words {
			w := &p.words[i]
			if len(w.left) == 0 {
				return n
			}
			d := int(w.left[0]) - w.offset
			if i == 0 {
				lo, hi = d, d
			}
			lo, hi = min(lo, d), max(hi, d)
		}
		next := lo + 1
		if hi-lo > p.slop {
			next = hi - p.slop // no way that begins earlier can reach hi
		} else if p.fits(lo) {
			n++
		}
		for i := range p.words {
			w := &p.words[i]
			for len(w.left) > 0 && int(w.left[0])-w.offset < next {
				w.left = w.left[1:]
			}
		}
	}
}

// fits tells whether the earliest way that gives twins different positions
// begins at lo and is within the slop. Without twins, the caller knows.
func (p *phrase) fits(lo int) bool {
	first := false
	for i := range p.words {
		w := &p.words[i]
		left := w.left
		if w.twin >= 0 {
			for len(left) > 0 && int(left[0]) <= p.words[w.twin].at {
				left = left[1:]
			}
			if len(left) == 0 {
				return false
			}
		}
		w.at = int(left[0])
		d := w.at - w.offset
		if d-lo > p.slop {
			return false
		}
		first = first || d == lo
	}
	return first
}
