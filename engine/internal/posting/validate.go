package posting

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"

	"github.com/quarry-search/quarry/engine/internal/score"
)

// Validate reads the whole list and verifies what Parse and ParseSmall take on
// trust: documents ascend, containers hold as many as they say, ranks count
// right, champions are in the list, every code and vector is one of the
// coding, positions ascend in each field and fill their blocks. With im, which
// must be the impacts the list was built with, it also verifies that no
// posting is stronger than its bound. The error is marked ErrCorrupt and names
// the place, unless im fails.
func (l *List) Validate(im *Impacts) error {
	rank := 0
	for i := range l.Containers {
		c := &l.Containers[i]
		if c.First != rank {
			return fmt.Errorf("%w: page %d begins at rank %d, want %d", ErrCorrupt, c.Page, c.First, rank)
		}
		if err := c.validate(); err != nil {
			return err
		}
		rank += c.Card
	}
	if rank != l.DF {
		return fmt.Errorf("%w: %d documents, want %d", ErrCorrupt, rank, l.DF)
	}
	if err := l.validateChampions(); err != nil {
		return err
	}
	if !l.HasFreqs {
		return nil
	}
	return l.validatePostings(im)
}

// validateChampions verifies that the champions are different documents of the
// list, in order where they go by document: who takes one for two takes the score
// that so many documents reach for too high.
func (l *List) validateChampions() error {
	all := l.AppendChampions(nil, l.champions.n)
	if len(all) < l.champions.n {
		return fmt.Errorf("%w: a champion is not in the list", ErrCorrupt)
	}
	seen := map[DocID]bool{}
	for i, c := range all {
		if seen[c.Doc] || !l.champions.ranked && i > 0 && i != someChampions && all[i-1].Doc >= c.Doc {
			return fmt.Errorf("%w: champion %d is there twice or not in order", ErrCorrupt, c.Doc)
		}
		seen[c.Doc] = true
	}
	return nil
}

// validate verifies the documents and bounds of a container.
func (c *Container) validate() error {
	last, n := -1, 0
	for a := c.Array; len(a) >= 2; a = a[2:] {
		place := int(binary.LittleEndian.Uint16(a))
		if place <= last {
			return fmt.Errorf("%w: page %d: place %d after %d", ErrCorrupt, c.Page, place, last)
		}
		last = place
		n++
	}
	if c.Words != nil {
		for i, x := range c.Words {
			if int(c.Ranks[i]) != n {
				return fmt.Errorf("%w: page %d: rank %d before place %d, want %d", ErrCorrupt, c.Page, c.Ranks[i], i<<6, n)
			}
			n += bits.OnesCount64(x)
		}
	}
	if c.Max != slices.Max(c.Bounds) {
		return fmt.Errorf("%w: page %d: %d is not the largest bound", ErrCorrupt, c.Page, c.Max)
	}
	for i, top := range c.Coarse {
		per := len(c.Bounds) / coarseBounds
		if top != slices.Max(c.Bounds[i*per:(i+1)*per]) {
			return fmt.Errorf("%w: page %d: %d is not the largest of the bounds %d to %d", ErrCorrupt, c.Page, top, i*per, (i+1)*per-1)
		}
	}
	if n != c.Card {
		return fmt.Errorf("%w: page %d: %d documents, want %d", ErrCorrupt, c.Page, n, c.Card)
	}
	return nil
}

// validatePostings verifies codes, vectors, positions and bounds.
func (l *List) validatePostings(im *Impacts) error {
	book := l.codes.coding.book
	var (
		run       NormRun
		inRun     bool
		escapes   int
		positions []uint32
		err       error
	)
	c := 0
	strong := l.newContest(im)
	for rank, doc := range l.All {
		v := l.Vector(rank, book)
		if v == nil {
			return fmt.Errorf("%w: code %d of document %d stands for no vector", ErrCorrupt, l.Code(rank), doc)
		}
		if l.Code(rank) == score.Escape {
			escapes++
		}
		if l.HasPos {
			positions = l.Positions(rank, v, positions[:0])
			if err := ascending(v, positions); err != nil {
				return fmt.Errorf("document %d: %w", doc, err)
			}
		}
		if im == nil {
			continue
		}
		if !inRun || doc < run.First || doc > run.Last {
			if run, err = im.normsOf(doc); err != nil {
				return err
			}
			inRun = true
		}
		for l.Containers[c].Page != uint16(doc>>16) {
			c++
		}
		impact := im.Table.ImpactOf(v, run.Norms, int(doc-run.First))
		strong.see(champion{impact, doc, rank})
		if con := &l.Containers[c]; con.Bounds[uint16(doc)>>con.Shift] < uint8(impact>>8) {
			return fmt.Errorf("%w: document %d: impact %d above its bound", ErrCorrupt, doc, impact)
		}
	}
	if escapes != len(l.codes.escRanks)/4 {
		return fmt.Errorf("%w: %d vectors written out, want %d", ErrCorrupt, len(l.codes.escRanks)/4, escapes)
	}
	return strong.end()
}

// ascending verifies the positions of a posting.
func ascending(v score.Vector, positions []uint32) error {
	if len(positions) != int(v.Total()) {
		return fmt.Errorf("%w: %d positions for %d occurrences", ErrCorrupt, len(positions), v.Total())
	}
	for _, f := range v {
		for i := 1; i < int(f.TF); i++ {
			if positions[i] < positions[i-1] {
				return fmt.Errorf("%w: position %d after %d in field %d", ErrCorrupt, positions[i], positions[i-1], f.Field)
			}
		}
		positions = positions[f.TF:]
	}
	return nil
}
