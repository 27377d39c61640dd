package engine

import (
	"math"
	"unicode"
	"unicode/utf8"

	"github.com/quarry-search/quarry/engine/internal/intent"
	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/search"
	"github.com/quarry-search/quarry/engine/internal/segment"
)

// spelt tells whether a word is spelt out in letters. Numbers, Roman ones, too, article numbers
// and other codes are never repaired nor taken for repairs: the nearest of
// them is another thing.
func spelt(word []byte) bool {
	for i := 0; i < len(word); {
		if c := word[i]; c < utf8.RuneSelf {
			if c < 'A' || c > 'z' || c > 'Z' && c < 'a' {
				return false
			}
			i++
			continue
		}
		r, n := utf8.DecodeRune(word[i:])
		if !unicode.IsLetter(r) && !unicode.IsMark(r) {
			return false
		}
		i += n
	}
	return len(word) > 0 && (len(word) < leastRoman || intent.Roman(string(word)) == 0)
}

// leastRoman is the letters of a Roman number from which on there is hardly a word that is spelt so.
const leastRoman = 3

// speltInfo is the number that a lexicon keeps with a word: the documents of
// its list, deleted ones included, and whether the list is in SpaceWord.
func speltInfo(df int, written bool) uint32 {
	n := uint32(min(df, math.MaxInt32)) << 1
	if written {
		n |= 1
	}
	return n
}

// sight counts documents as far as a request may see them: those that are
// alive, satisfy what is imposed on the request, and hold a term in some of
// the text fields. What it counts is the same whatever the segments are, and
// betrays nothing of records beyond the caller's reach.
type sight struct {
	run    *searchRun
	sets   []*filterSet // what is imposed
	fields []bool       // by text ordinal; nil: all
	own    *search.Page // memory for page
}

// sight is that of the request, which the index has been resolved for.
func (s *searcher) sight(run *searchRun) *sight {
	return &sight{run: run, sets: run.imposed}
}

// df counts the documents of a term.
func (v *sight) df(space uint16, term []byte) (int64, error) {
	lists := v.run.term(space, term, false)
	if v.fields == nil && len(v.sets) == 0 {
		return lists.df()
	}
	n := int64(0)
	for i, s := range v.run.iv.segs {
		list, err := lists.list(s)
		if err != nil {
			return 0, err
		}
		if list != nil && v.fields != nil {
			if list, err = search.Restrict(&v.run.segs[i], list, v.fields); err != nil {
				return 0, err
			}
		}
		more, err := v.count(i, list)
		if err != nil {
			return 0, err
		}
		n += int64(more)
	}
	return n, nil
}

// count counts the documents of a list of segment seg, which may be nil.
func (v *sight) count(seg int, list *posting.List) (int, error) {
	if list == nil {
		return 0, nil
	}
	if len(v.sets) == 0 {
		return v.run.live(list), nil
	}
	n := 0
	for slot := range v.run.segs[seg].Slots {
		c := list.Container(v.run.segs[seg].Slots[slot].Page)
		if c == nil {
			continue
		}
		words, err := v.page(seg, slot)
		if err != nil {
			return 0, err
		}
		n += c.AndCount((*[posting.PageSize / 64]uint64)(words))
	}
	return n, nil
}

// page returns the documents of a slot that may be seen. They must not be changed, and are good until
// the next call.
func (v *sight) page(seg, slot int) (*search.Page, error) {
	dead := v.run.segs[seg].Slots[slot].Dead
	if len(v.sets) == 1 && dead == nil {
		words := v.sets[0].words(seg, slot)
		return words, v.sets[0].err
	}
	if v.own == nil {
		v.own = new(search.Page)
	}
	out := v.own
	setBits(out, 0, len(out)*64)
	for _, set := range v.sets {
		words := set.words(seg, slot)
		if set.err != nil {
			return nil, set.err
		}
		for i := range out {
			out[i] &= words[i]
		}
	}
	if dead != nil {
		for i := range out {
			out[i] &^= dead[i]
		}
	}
	return out, nil
}

// begins tells whether some term or word begins with a word.
func (v *sight) begins(word []byte) (bool, error) {
	for i, s := range v.run.iv.segs {
		for _, space := range [...]uint16{segment.SpaceText, segment.SpaceWord} {
			lo := segment.Key(nil, space, word)
			it := s.reader.Terms(lo, prefixEnd(lo))
			for it.Next() {
				list, err := it.List(false)
				if err != nil {
					return false, err
				}
				if n, err := v.count(i, list); err != nil || n > 0 {
					return n > 0, err
				}
			}
			if err := it.Err(); err != nil {
				return false, err
			}
		}
	}
	return false, nil
}

// written tells whether a term is also a word that somebody wrote, and not
// only the stem of such words, as happi is of happy and happily. It is if more
// documents hold the term than hold the words that it is the stem of. Such
// words share all letters of the stem but the last.
func (v *sight) written(term string) (bool, error) {
	runes := []rune(term)
	begin := string(runes[:max(2, len(runes)-1)])
	var forms int64
	seen := map[string]bool{term: true}
	var union [][]*posting.List // by segment
	for i, s := range v.run.iv.segs {
		union = append(union, nil)
		lo := segment.Key(nil, segment.SpaceWord, []byte(begin))
		it := s.reader.Terms(lo, prefixEnd(lo))
		for it.Next() {
			word := string(it.Key()[2:])
			stem, known := seen[word]
			if !known {
				stem = v.run.iv.schema.stemsTo(word, term)
				seen[word] = stem
			}
			if !stem || word == term {
				continue
			}
			list, err := it.List(false)
			if err != nil {
				return false, err
			}
			n, err := v.count(i, list)
			if err != nil {
				return false, err
			}
			forms += int64(n)
			union[i] = append(union[i], list)
		}
		if err := it.Err(); err != nil {
			return false, err
		}
	}
	all, err := v.df(segment.SpaceText, []byte(term))
	if err != nil || forms == 0 || forms < all {
		return all > 0, err
	}
	var either int64
	for i, lists := range union {
		n, err := v.count(i, search.Expand(lists))
		if err != nil {
			return false, err
		}
		either += int64(n)
	}
	return either < all, nil
}

// stemsTo tells whether a word has a stem under some analyzer of the schema.
func (c *compiled) stemsTo(word, stem string) bool {
	for _, a := range c.analyzers() {
		if t := a.AnalyzeQuery(word); len(t) > 0 && string(t[0].Term) == stem {
			return true
		}
	}
	return false
}
