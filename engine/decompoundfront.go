package engine

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/segment"
)

// A word that hardly any record holds may stand at the beginning of compounds: "wespen" in
// "Wespennest", "Flug" in "Fluggastrechte". These are about it, if not of its kind, so they count
// for less than compounds of which it is the head.

// frontLetters is the letters of the shortest word that is looked for at the beginning of compounds.
const frontLetters = 4

// fronted adds the compounds that begin with a word, if it is rare.
func (d *decompounder) fronted(e ending) {
	if !d.isFront(&e) {
		return
	}
	p := d.pieces[e.piece : e.piece+1]
	first := len(d.leaves)
	meant := len(d.meant)
	d.found(string(p[0].Word), e.shown+"*", p, d.leafOfFronted(e.term, e.shown))
	d.meant = d.meant[:meant] // it may be misspelt all the same
	for i := first; i < len(d.leaves); i++ {
		d.leaves[i].factor *= frontShare
	}
}

// isFront tells whether some records within the caller's reach, but not too many, are found by the
// compounds that begin with a word, which is rare.
func (d *decompounder) isFront(e *ending) bool {
	if utf8.RuneCountInString(e.shown) < frontLetters || d.intent.orderPart() >= 0 {
		return false // the cheapest coffee is no machine for it
	}
	return d.holders(e.term) <= d.rareAtMost() && d.seenFew(func(o *decompounder) compoundLeaf { return o.leafOfFronted(e.term, e.shown) })
}

// leafOfFronted is what the compounds are found by that begin with a word.
func (d *decompounder) leafOfFronted(term, word string) compoundLeaf {
	return compoundLeaf{
		key: term + "\x00" + word + "\x00*",
		make: func(s *segmentRef, seg int) (*posting.List, error) {
			var lists []*posting.List
			err := d.eachFronted(s, term, word, func(space uint16, compound string) error {
				list, err := d.listOf(s, seg, space, compound)
				lists = append(lists, list)
				return err
			})
			if err != nil {
				return nil, err
			}
			return d.union(s, lists)
		},
		marks: func(yield func(string)) {
			for _, s := range d.run.iv.segs {
				if err := d.eachFronted(s, term, word, func(_ uint16, compound string) error { yield(compound); return nil }); err != nil {
					d.fail(err)
				}
			}
		},
	}
}

// frontsPerLook is how many words are read between two looks at the clock.
const frontsPerLook = 1024

// eachFronted calls f with the terms of a segment, and the words as they are written, that are compounds
// which begin with a word: with it as it was typed or with its term, and with what joins the parts of
// compounds. Stems may leave too little of what follows: "Wespennest" is wespenn.
func (d *decompounder) eachFronted(s *segmentRef, term, word string, f func(space uint16, compound string) error) error {
	begin := term
	if utf8.RuneCountInString(term) < frontLetters || strings.HasPrefix(term, word) {
		begin = word
	}
	for _, space := range [...]uint16{segment.SpaceText, segment.SpaceWord} {
		lo := segment.Key(nil, space, []byte(begin))
		it := s.reader.Terms(lo, prefixEnd(lo))
		for n := 0; it.Next(); n++ {
			if n%frontsPerLook == 0 && d.run.ctx.Err() != nil {
				return d.run.ctx.Err()
			}
			compound := string(it.Key()[segment.SpaceBytes:])
			if !d.beginsCompound(compound, begin, word) {
				continue
			}
			if err := f(space, compound); err != nil {
				return err
			}
		}
		if err := it.Err(); err != nil {
			return err
		}
	}
	return nil
}

// beginsCompound tells whether a word that begins so is a compound of another and what follows that.
func (d *decompounder) beginsCompound(compound, begin, word string) bool {
	if strings.HasPrefix(compound, word) {
		begin = word
	}
	rest := compound[len(begin):]
	return slices.ContainsFunc(d.links, func(link string) bool {
		head, ok := strings.CutPrefix(rest, link)
		return ok && utf8.RuneCountInString(head) >= minRest && hasOnset([]byte(head)) && !d.g.analyzer.Suffix(head)
	})
}
