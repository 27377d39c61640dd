package engine

import (
	"slices"
	"unicode/utf8"

	"github.com/quarry-search/quarry/engine/internal/posting"
)

// pairs adds the compounds of two words of the query, in either order: the one is their head,
// and the other stands in what is before it. They stand for that: the head is found by itself.
func (d *decompounder) pairs(content []ending) {
	for i := range content {
		head := &content[i]
		words, _ := d.endings(head)
		if len(words) == 0 {
			continue
		}
		for j := range content {
			other := d.besideOf(&content[j])
			if i == j || content[i].term == content[j].term || utf8.RuneCountInString(other.begin) < minBeside {
				continue
			}
			any := false
			eachEnding(words, &other, endedBeside, func(*ended) { any = true })
			if !any {
				continue
			}
			a, b := d.pieces[content[j].piece].Word, d.pieces[head.piece].Word
			typed := string(a) + " " + string(b)
			if j > i {
				typed = string(b) + " " + string(a)
			}
			d.found(typed, other.begin+"*"+string(b), d.pieces[content[j].piece:content[j].piece+1], d.leafOfPair(head, &other))
		}
	}
}

// paired tells whether some record within the caller's reach is found by a compound of a word and
// another of the query.
func (d *decompounder) paired(e *ending, content []ending) bool {
	other := d.besideOf(e)
	return utf8.RuneCountInString(other.begin) >= minBeside && slices.ContainsFunc(content, func(head ending) bool {
		return head.term != e.term && d.seen(func(o *decompounder) compoundLeaf { return o.leafOfPair(&head, &other) }) > 0
	})
}

// besideOf is a word as what may stand before the head of a compound.
func (d *decompounder) besideOf(e *ending) beside {
	other := beside{e.term, e.shown, d.links}
	if utf8.RuneCountInString(e.term) < minHead {
		other.begin = e.shown
	}
	return other
}

// leafOfPair is what the compounds are found by of a head and another word.
func (d *decompounder) leafOfPair(head *ending, other *beside) compoundLeaf {
	e, o := *head, *other
	return compoundLeaf{
		key: o.begin + "\x00" + o.word + "\x00" + e.key(),
		make: func(s *segmentRef, seg int) (*posting.List, error) {
			words, _ := d.endings(&e)
			return d.listEnding(s, seg, words, &o, endedBeside)
		},
		marks: func(yield func(string)) {
			words, _ := d.endings(&e)
			eachEnding(words, &o, endedBeside, func(w *ended) { yield(w.word()) })
		},
	}
}
