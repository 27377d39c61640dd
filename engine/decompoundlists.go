package engine

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/search"
	"github.com/quarry-search/quarry/engine/internal/segment"
)

// maxSplitLetters is the letters of the longest word that is split: the ways to do so grow
// with their square.
const maxSplitLetters = 40

// endings returns the words of the index that end with a word and may be compounds, a line
// each and sorted, and how many of them have what is before their head by themselves. It is
// found out once in a view: that takes a search among the words of each length in the lexicon
// of each segment, which is read first if it is not in memory.
func (d *decompounder) endings(e *ending) (words string, heads int64) {
	facts := d.run.e.facts
	key := facts.key(d.run.iv, factEndings, d.g.analyzer.Stems()+e.key())
	if f := facts.find(&key); f != nil {
		return f.text, f.n
	}
	var found []string
	for _, s := range d.run.iv.segs {
		l, err := d.run.e.lexicon(d.run.ctx, s)
		if err != nil {
			d.fail(err)
			return "", 0
		}
		l.Ending([]byte(e.end), func(word []byte, info uint32) {
			if (e.typed || info&1 == 0) && utf8.RuneCount(word)-utf8.RuneCountInString(e.end) >= minBeside {
				found = append(found, string(word))
			}
		})
	}
	slices.Sort(found)
	found = slices.DeleteFunc(slices.Compact(found), func(word string) bool {
		rest := d.g.analyzer.AnalyzeQuery(strings.TrimSuffix(word, e.end))
		return len(rest) != 1 || rest[0].Stop // "Unternehmen" has no head
	})
	words = strings.Join(found, "\n")
	eachEnding(words, e, "", func(string) { heads++ })
	facts.add(&wordFact{key: key, text: words, n: heads})
	return words, heads
}

// eachEnding calls yield with the words that are compounds of which a word is the head, and
// that begin in a way; "": in any, but with no less than what is a word by itself.
func eachEnding(words string, e *ending, begin string, yield func(word string)) {
	if words == "" {
		return
	}
	for word := range strings.SplitSeq(words, "\n") {
		rest := word[:len(word)-len(e.end)]
		if begin == "" && utf8.RuneCountInString(rest) >= minRest || begin != "" && strings.HasPrefix(rest, begin) {
			yield(word)
		}
	}
}

// listsEnding returns the lists of a segment, number seg, of the words of eachEnding.
func (d *decompounder) listsEnding(s *segmentRef, seg int, words string, e *ending, begin string) (lists []*posting.List, err error) {
	eachEnding(words, e, begin, func(word string) {
		for _, space := range [...]uint16{segment.SpaceText, segment.SpaceWord} {
			if err != nil || space == segment.SpaceWord && !e.typed {
				continue
			}
			var list *posting.List
			if list, err = d.listOf(s, seg, space, word); list != nil {
				lists = append(lists, list)
			}
		}
	})
	return lists, err
}

// listOf returns the list of a word of a segment in the fields of the group, nil if there is
// none. It is not kept: what is made of it is.
func (d *decompounder) listOf(s *segmentRef, seg int, space uint16, word string) (*posting.List, error) {
	list, err := s.reader.List(segment.Key(nil, space, []byte(word)), segment.ListOptions{})
	if err == nil && list != nil && d.g.fields != nil {
		list, err = search.Restrict(&d.run.segs[seg], list, d.g.fields)
	}
	return list, err
}

// listEnding makes the list of the documents of a segment that hold some of the words of
// eachEnding.
func (d *decompounder) listEnding(s *segmentRef, seg int, words string, e *ending, begin string) (*posting.List, error) {
	lists, err := d.listsEnding(s, seg, words, e, begin)
	if err != nil || len(lists) == 0 {
		return nil, err
	}
	im, err := d.run.impactsOf(s)
	if err != nil {
		return nil, err
	}
	return search.Union(lists, im)
}

// listAll makes the list of the documents of a segment that hold all of some terms, the last
// of which may be the head of a compound.
func (d *decompounder) listAll(s *segmentRef, seg int, terms []string, words string, head *ending) (*posting.List, error) {
	im, err := d.run.impactsOf(s)
	if err != nil {
		return nil, err
	}
	lists := make([]*posting.List, len(terms))
	for i, term := range terms {
		if lists[i], err = d.listOf(s, seg, segment.SpaceText, term); err != nil {
			return nil, err
		}
	}
	last := len(lists) - 1
	more, err := d.listsEnding(s, seg, words, head, "")
	if err == nil && len(more) > 0 {
		lists[last], err = search.Union(append(more, lists[last]), im)
	}
	if err != nil {
		return nil, err
	}
	return search.Common(lists, im)
}
