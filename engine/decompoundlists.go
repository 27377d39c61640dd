package engine

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/search"
	"github.com/quarry-search/quarry/engine/internal/segment"
	"github.com/quarry-search/quarry/tokenize"
)

// maxSplitLetters is the letters of the longest word that is split: the ways to do so grow
// with their square.
const maxSplitLetters = 40

// endings returns the words of the index that end with a word and may be compounds, in order, and
// how many of them are of endedHead. It is found out once in a view: that takes two searches among the words of each length in the
// lexicon of each segment, which is read first if it is not in memory.
//
// Terms end with the term of the word, and words as they are written with the word as it was
// typed: many stemmers cut more off a compound than off its head ("mobilladdare" is mobill,
// "laddare" ladd).
func (d *decompounder) endings(e *ending) (words []ended, heads int64) {
	facts := d.run.e.facts
	key := facts.key(d.run.iv, factEndings, d.g.analyzer.Stems()+e.key())
	if f := facts.find(&key); f != nil {
		return f.ended, f.n
	}
	for _, s := range d.run.iv.segs {
		l, err := d.run.e.lexicon(d.run.ctx, s)
		if err != nil {
			d.fail(err)
			return nil, 0
		}
		ending := func(end string, typed bool) {
			l.Ending([]byte(end), func(word []byte, info uint32) {
				if typed || info&1 == 0 {
					words = append(words, ended{written: info&1 != 0, rest: string(word[:len(word)-len(end)]), end: end})
				}
			})
		}
		if e.end != "" && e.end != e.word {
			ending(e.end, false)
		}
		if e.word != "" {
			ending(e.word, true)
		}
	}
	slices.SortFunc(words, compareEnded)
	words = slices.CompactFunc(words, func(a, b ended) bool { return compareEnded(a, b) == 0 })
	kept := words[:0]
	for _, w := range words {
		if w.kind = d.kindOfEnded(&w, e); w.kind != endedNot {
			kept = append(kept, w)
			if w.kind == endedHead {
				heads++
			}
		}
	}
	words = slices.Clip(kept)
	facts.add(&wordFact{key: key, ended: words, n: heads})
	return words, heads
}

// endedKind is what a word of the index is that ends with another.
type endedKind byte

const (
	endedNot    endedKind = iota // another word
	endedBeside                  // a compound, if another word of the query says what is before the head
	endedShort                   // one that may be a compound: it is looked for if there is no other
	endedHead                    // a compound
)

// kindOfEnded tells what a word is. Whether it is a compound shows in the letters before what
// may be the head: there are more of them than any prefix has, or fewer, but many in the head
// ("Mähroboter"), and they are no prefix.
func (d *decompounder) kindOfEnded(w *ended, e *ending) endedKind {
	before, letters := utf8.RuneCountInString(w.rest), max(utf8.RuneCountInString(e.end), utf8.RuneCountInString(e.word))
	if before < minShort {
		return endedNot
	}
	if rest := d.g.analyzer.AnalyzeQuery(w.rest); len(rest) != 1 || rest[0].Stop {
		return endedNot // "Unternehmen" has no head
	}
	if w.written && e.end != "" {
		if whole := d.g.analyzer.AnalyzeQuery(w.word()); len(whole) == 1 && strings.HasSuffix(string(whole[0].Term), e.end) {
			return endedNot // its term is found
		}
	}
	prefix := d.g.analyzer.Prefix(w.rest)
	if prefix && d.g.analyzer.SomeLinks() != nil {
		return endedNot // "transport" is no port
	}
	switch {
	case before >= minRest && letters >= minHead || !prefix && (before >= minBeside && letters >= longHead || letters >= longestHead):
		return endedHead
	case !prefix && (before >= minBeside || letters >= minHead):
		return endedShort
	case before >= minBeside:
		return endedBeside
	}
	return endedNot
}

// ended is a word of the index that ends with another.
type ended struct {
	kind      endedKind
	written   bool // it is no term, but a word as it is written
	rest, end string
}

func (w *ended) word() string { return w.rest + w.end }

// endedSize is what an ended word takes in memory beside its letters.
const endedSize = 40

// compareEnded is the order of the words that end with another.
func compareEnded(a, b ended) int {
	written := func(w *ended) int {
		if w.written {
			return 1
		}
		return 0
	}
	return cmp.Or(strings.Compare(a.rest, b.rest), strings.Compare(a.end, b.end), written(&a)-written(&b))
}

// beside is a word of the query that may stand before the head of a compound.
type beside struct {
	begin string // how it begins there
	word  string
	links []string
}

// in tells whether it stands in what is before the head: at the beginning ("Reisewasserkocher" for
// "Reise Kocher"), or right before the head ("Wasser Kocher").
func (b *beside) in(rest string) bool {
	if utf8.RuneCountInString(rest) < minBeside {
		return false
	}
	if strings.HasPrefix(rest, b.begin) {
		return true
	}
	at := strings.LastIndex(rest, b.begin)
	return at >= minBeside && (rest[at:] == b.word || slices.Contains(b.links, rest[at+len(b.begin):]))
}

// eachEnding calls yield with the words that are compounds of which a word is the head: those
// that another stands in, or if that is nil those of a kind, or of one that is more so.
func eachEnding(words []ended, other *beside, least endedKind, yield func(w *ended)) {
	for i := range words {
		if w := &words[i]; other == nil && w.kind >= least || other != nil && other.in(w.rest) {
			yield(w)
		}
	}
}

// others returns those of the words of endings that are compounds and do not end with a word
// of the query: what is cut from that is not known of it.
func others(words []ended, of *tokenize.Token) (out []ended) {
	eachEnding(words, nil, endedHead, func(w *ended) {
		if word := w.word(); !strings.HasSuffix(word, string(of.Word)) && !strings.HasSuffix(word, string(of.Term)) {
			out = append(out, *w)
		}
	})
	return out
}

// listsEnding returns the lists of a segment, number seg, of the words of eachEnding.
func (d *decompounder) listsEnding(s *segmentRef, seg int, words []ended, other *beside, least endedKind) (lists []*posting.List, err error) {
	eachEnding(words, other, least, func(w *ended) {
		space := uint16(segment.SpaceText)
		if w.written {
			space = segment.SpaceWord
		}
		if err == nil {
			var list *posting.List
			if list, err = d.listOf(s, seg, space, w.word()); list != nil {
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
func (d *decompounder) listEnding(s *segmentRef, seg int, words []ended, other *beside, least endedKind) (*posting.List, error) {
	lists, err := d.listsEnding(s, seg, words, other, least)
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
func (d *decompounder) listAll(s *segmentRef, seg int, terms []string, words []ended) (*posting.List, error) {
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
	more, err := d.listsEnding(s, seg, words, nil, endedHead)
	if err == nil && len(more) > 0 {
		lists[last], err = search.Union(append(more, lists[last]), im)
	}
	if err != nil {
		return nil, err
	}
	return search.Common(lists, im)
}
