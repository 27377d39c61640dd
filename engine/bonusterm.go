package engine

import (
	"slices"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/score"
	"github.com/quarry-search/quarry/engine/internal/segment"
)

// placedTerm is a term with its lists by segment, positions included. Lists are
// read when they are asked for.
type placedTerm struct {
	text  string
	leaf  int             // the bonuses.leaves whose lists have the same records; -1: none
	lists []*posting.List // of the segments of the records at hand
	ranks []int           // of these records, -1 for none; nil: they have not been looked for

	// What the last record that was asked about has of it.
	hit    int // -1 for none
	vector score.Vector
	own    score.Vector       // memory for vector
	codes  posting.CodeReader // of its list in segment seg
	seg    int                // -1 for none
	read   bool               // places is of this record
	places []uint32
	reader posting.PositionReader // of its list in segment from
	from   int                    // -1 for none
}

// term returns the place in b.terms of a term whose lists are to be asked for. leaf is
// the one of b.leaves that it is of, -1 for none.
func (b *bonuses) term(text string, leaf int) int {
	for i := range b.terms {
		if b.terms[i].text == text {
			return i
		}
	}
	n := len(b.terms)
	if n == cap(b.terms) {
		b.terms = append(b.terms, placedTerm{})
	}
	b.terms = b.terms[:n+1]
	t := &b.terms[n]
	lists := slices.Grow(t.lists[:0], len(b.run.iv.segs))[:len(b.run.iv.segs)]
	clear(lists)
	*t = placedTerm{text: text, leaf: leaf, hit: -1, seg: -1, from: -1, lists: lists, own: t.own, reader: t.reader}
	return n
}

// list returns the list of a term in a segment, positions included.
func (b *bonuses) list(t *placedTerm, seg int) (_ *posting.List, err error) {
	switch {
	case t.lists[seg] != nil:
	case t.leaf >= 0:
		t.lists[seg], err = b.run.placed(b.run.iv.segs[seg], &b.run.res.leaves[b.leaves[t.leaf].leaf])
	default:
		t.lists[seg], err = b.run.list(b.run.iv.segs[seg], segment.SpaceText, []byte(t.text), true)
	}
	return t.lists[seg], err
}

// has tells whether record i has a term.
func (b *bonuses) has(i int, t *placedTerm) (_ bool, err error) {
	if t.ranks == nil {
		if t.leaf >= 0 {
			t.ranks = b.ranksOf(&b.leaves[t.leaf])
		} else {
			t.ranks = b.rank(func(seg int) (l *posting.List) {
				if err == nil {
					l, err = b.list(t, seg)
				}
				return l
			})
		}
	}
	return err == nil && t.ranks[i] >= 0, err
}

// look reads the vector of a term in record i, which has it. Pairs share their words, so
// it keeps what it read.
func (b *bonuses) look(i int, t *placedTerm) {
	if t.hit == i {
		return
	}
	t.hit, t.read = i, false
	if t.leaf >= 0 {
		t.vector = b.vectorsOf(&b.leaves[t.leaf])[i]
		return
	}
	seg := b.hits[i].hit.Segment
	list := t.lists[seg]
	if t.seg != seg {
		t.seg, t.codes = seg, list.Codes()
	}
	if t.vector = nil; list.HasFreqs {
		t.vector = t.codes.Vector(&t.own, t.ranks[i], b.book(i))
	}
}

// read returns where a term stands in record i, whose vector has been read.
func (b *bonuses) read(i int, t *placedTerm) ([]uint32, error) {
	if !t.read {
		if seg := b.hits[i].hit.Segment; t.from != seg {
			list, err := b.list(t, seg)
			if err != nil {
				return nil, err
			}
			t.reader.Reset(list)
			t.from = seg
		}
		t.places = t.reader.Read(t.ranks[i], t.vector.Total())
		t.read = true
	}
	return t.places, nil
}

// near tells how near two terms stand in a field of record i, and in which, in
// units of 1/score.MaxImpact. want is the distance that they have in the query, fields
// the text fields that count; nil: all.
func (b *bonuses) near(i, first, second int, want int, fields []bool) (best uint64, field int, err error) {
	x, y := &b.terms[first], &b.terms[second]
	for _, t := range [...]*placedTerm{x, y} {
		if ok, err := b.has(i, t); err != nil || !ok {
			return 0, -1, err
		}
	}
	b.look(i, x)
	b.look(i, y)
	field = -1
	fromX, fromY := 0, 0 // where the positions of the fields begin
	for j, k := 0, 0; j < len(x.vector) && k < len(y.vector) && best < score.MaxImpact; {
		fx, fy := x.vector[j], y.vector[k]
		nx, ny := int(fx.TF), int(fy.TF)
		if fx.Field == fy.Field && (fields == nil || fields[fx.Field]) && b.run.params.Fields[fx.Field].Weight > 0 {
			ofX, err := b.read(i, x)
			if err != nil {
				return 0, -1, err
			}
			ofY, err := b.read(i, y)
			if err != nil {
				return 0, -1, err
			}
			if got := closeness(part(ofX, fromX, nx), part(ofY, fromY, ny), want); got > best {
				best, field = got, int(fx.Field)
			}
		}
		if fx.Field <= fy.Field {
			j, fromX = j+1, fromX+nx
		}
		if fy.Field <= fx.Field {
			k, fromY = k+1, fromY+ny
		}
	}
	return best, field, nil
}

// part returns n elements of places from an index on, those that there are.
func part(places []uint32, from, n int) []uint32 {
	from = min(from, len(places))
	return places[from:min(from+n, len(places))]
}
