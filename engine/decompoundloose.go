package engine

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/search"
	"github.com/quarry-search/quarry/engine/internal/segment"
	"github.com/quarry-search/quarry/tokenize"
)

// A compound that no record holds may be called otherwise there: "Wischroboter" is a
// "Saugroboter mit Wischfunktion", "waterfles" a "drinkfles". It is then looked for by its
// head, which says what it is, and by what stands before the head, which says of which kind:
// records that have both come first, then those that have the head. Both may be words, or be
// seen in compounds only, as heads and as beginnings.

const (
	// aloneHead and aloneFront are the letters of a head, and of what stands before one, that
	// say enough if nothing is known of the rest of the word.
	aloneHead  = 5
	aloneFront = 5
	// frontShare is what stands before the head worth, beside it.
	frontShare = 0.5
	// commonShare is one of how many records have what is only seen in compounds, at most: what
	// more have, "heit" and "lich", is no word. It may always be fewSeen.
	commonShare = 8
	fewSeen     = 8
)

// loose is a way to take a word apart of which some part is known.
type loose struct {
	front, head string // as they were typed, "" if they are not known
	frontBegins bool   // it is looked for as the beginning of words
	worth       int
}

// sureWorth is what a way to take a word apart is worth at least that is meant so: both parts
// are known, and one as a word.
const sureWorth = 24

// loosen adds what a word is made of that no record holds.
func (d *decompounder) loosen(e *ending) {
	p := &d.pieces[e.piece]
	if letters := utf8.RuneCount(p.Word); letters < 2*minPart || letters > maxSplitLetters {
		return
	}
	cut := d.looseOf(e.text, p.Token)
	if cut.worth == 0 {
		return
	}
	if cut.head != "" && utf8.RuneCountInString(e.shown) >= frontLetters && d.seenFew(func(o *decompounder) compoundLeaf { return o.leafOfFronted(e.term, e.shown) }) {
		return // compounds begin with all of it: no "agen" is in "Dienstwagen" if there is a "Dienstwagenrichtlinie"
	}
	span := d.pieces[e.piece : e.piece+1]
	meant := len(d.meant)
	if cut.head != "" {
		c, told := d.leafOfHead(cut.head, p.Token)
		d.found(string(p.Word), told, span, c)
	}
	if cut.front != "" {
		c, told := d.leafOfFront(cut.front, cut.frontBegins)
		first := len(d.leaves)
		d.found(string(p.Word), told, span, c)
		for i := first; i < len(d.leaves); i++ {
			d.leaves[i].factor *= frontShare
		}
	}
	if cut.worth < sureWorth {
		d.meant = d.meant[:meant] // it may be misspelt
	}
}

// looseOf returns the best way to take a word apart. It is remembered by view.
func (d *decompounder) looseOf(text string, of *tokenize.Token) (best loose) {
	facts := d.run.e.facts
	plain := d.plain() && len(d.req.Restrict) == 0
	key := facts.key(d.run.iv, factParts, "~"+d.g.analyzer.Stems()+":"+text)
	if plain {
		if f := facts.find(&key); f != nil {
			best.front, best.head, _ = strings.Cut(f.text, "\t")
			best.worth, best.frontBegins = int(f.n>>1), f.n&1 != 0
			return best
		}
	}
	letters, n := utf8.RuneCountInString(text), 0
	for at := range text {
		if n++; n <= minPart || letters-n+1 < minPart {
			continue
		}
		if l := d.looseAt(text, at, of); l.worth > best.worth {
			best = l
		}
	}
	if plain && d.err == nil {
		n := int64(best.worth) << 1
		if best.frontBegins {
			n |= 1
		}
		facts.add(&wordFact{key: key, text: best.front + "\t" + best.head, n: n})
	}
	return best
}

// looseAt looks at a word at a place, where its head may begin. Of two ways that are worth the
// same the one with the longer head is taken, which comes first.
func (d *decompounder) looseAt(text string, at int, of *tokenize.Token) (l loose) {
	head := text[at:]
	t, ok := d.partToken(head, false)
	if !ok {
		return l
	}
	worth, wordlike := 0, hasOnset(t.Word)
	if e := endOf(0, t); !wordlike || d.g.analyzer.InSuffix(text, at) {
	} else if d.seenTerm(e.term) {
		worth = 4
	} else if e.heads() && d.maybeWord(t) && d.isHead(&e, of) && d.seenFew(func(o *decompounder) compoundLeaf { c, _ := o.leafOfHead(head, of); return c }) {
		worth = 2
	}
	front := 0
	for _, link := range d.links {
		first, ok := strings.CutSuffix(text[:at], link)
		if letters := utf8.RuneCountInString(first); !ok || letters < minPart || letters < minRest && worth == 0 {
			continue
		}
		t, ok := d.partToken(first, true)
		if !ok {
			continue
		}
		is := 0
		begins := d.seenFew(func(o *decompounder) compoundLeaf { c, _ := o.leafOfFront(first, true); return c })
		switch {
		case d.seenTerm(string(t.Term)) && string(t.Word) == string(t.Term):
			is = 4
		case d.seenTerm(string(t.Term)):
			is = 3
		case begins && wordlike && (utf8.RuneCountInString(first) >= aloneFront || d.maybeWord(t)):
			is = 1
		}
		if is > front {
			l.front, l.frontBegins, front = first, begins, is
		}
	}
	if worth > 0 {
		l.head = head
	}
	switch letters := utf8.RuneCountInString(l.front); {
	case worth > 0 && front > 0:
		l.worth = 20 + worth + front
	case worth > 0 && utf8.RuneCountInString(head) >= aloneHead:
		l.worth = 10 + worth
	case front > 0 && letters >= aloneFront:
		l.worth = min(letters, 9)
	}
	return l
}

// maybeWord tells whether a part that is no word of any record may be one. In a language that writes few
// compounds as one word it has to be known: "police" is no "ice", and "clearance" neither "clea" nor "rance".
func (d *decompounder) maybeWord(t *tokenize.Token) bool {
	return d.g.analyzer.Links() != nil || tokenize.Written(d.g.analyzer.Stems(), t.Word)
}

// onsets are the pairs of consonants that words of languages with compounds begin with.
const onsets = " bl br ch cl cr cs dj dr dz fj fl fr gj gl gn gr gy hj hv kj kl kn kr kv kw lj ly mj nj ny pf ph pj pl pn pr ps rh sc sh sj sk sl sm sn sp st sv sw sz th tj tr ts tv tw ty vl vr wr zs zw "

// hasOnset tells whether a word may begin as some letters do: as "trommel" does, not as
// "mtrommel" does.
func hasOnset(letters []byte) bool {
	const vowels = "aeiouyäöüåæø"
	first, n := utf8.DecodeRune(letters)
	second, _ := utf8.DecodeRune(letters[n:])
	return strings.ContainsRune(vowels, first) || strings.ContainsRune(vowels, second) || strings.Contains(onsets, " "+string(first)+string(second)+" ")
}

// leafOfHead is what the head of a word is found by, and what is told of it: it as a word, and
// other compounds of which it is the head.
func (d *decompounder) leafOfHead(head string, of *tokenize.Token) (c compoundLeaf, told string) {
	t := &d.g.analyzer.AnalyzeQuery(head)[0] // as it is: parts of words are not read as what they were typed for
	e := endOf(0, t)
	words := func() []ended {
		if !e.heads() {
			return nil
		}
		words, _ := d.endings(&e)
		return others(words, of)
	}
	return compoundLeaf{
		key: e.term + "\x00|" + e.key() + "\x00" + string(of.Word),
		make: func(s *segmentRef, seg int) (*posting.List, error) {
			lists, err := d.listsEnding(s, seg, words(), nil, endedHead)
			if err != nil {
				return nil, err
			}
			list, err := d.listOf(s, seg, segment.SpaceText, e.term)
			if err != nil {
				return nil, err
			}
			return d.union(s, append(lists, list))
		},
		marks: func(yield func(string)) {
			yield(e.term)
			eachEnding(words(), nil, endedHead, func(w *ended) { yield(w.word()) })
		},
	}, "*" + string(t.Word)
}

// leafOfFront is what the part before the head of a word is found by, and what is told of it:
// it as a word, and with begins words that begin so.
func (d *decompounder) leafOfFront(front string, begins bool) (c compoundLeaf, told string) {
	t := &d.g.analyzer.AnalyzeQuery(front)[0]
	term, word := string(t.Term), string(t.Word)
	c = d.leafOfTerm(term)
	if !begins {
		return c, word
	}
	c.key += word + "*"
	c.make = func(s *segmentRef, seg int) (*posting.List, error) {
		lists, err := d.listsBeginning(s, seg, []byte(word))
		if err == nil && !strings.HasPrefix(term, word) {
			var list *posting.List
			list, err = d.listOf(s, seg, segment.SpaceText, term)
			lists = append(lists, list)
		}
		if err != nil {
			return nil, err
		}
		return d.union(s, lists)
	}
	return c, word + "*"
}

// leafOfTerm is what a part of a word is found by if it is a word.
func (d *decompounder) leafOfTerm(term string) compoundLeaf {
	return compoundLeaf{
		key: term + "\x00|",
		make: func(s *segmentRef, seg int) (*posting.List, error) {
			return d.listOf(s, seg, segment.SpaceText, term)
		},
		marks: func(yield func(string)) { yield(term) },
	}
}

// listsBeginning returns the lists of a segment, number seg, of the terms that begin with a word.
func (d *decompounder) listsBeginning(s *segmentRef, seg int, word []byte) (lists []*posting.List, err error) {
	lo := segment.Key(nil, segment.SpaceText, word)
	it := s.reader.Terms(lo, prefixEnd(lo))
	for it.Next() {
		list, err := d.listOf(s, seg, segment.SpaceText, string(it.Key()[segment.SpaceBytes:]))
		if err != nil {
			return nil, err
		}
		lists = append(lists, list)
	}
	return lists, it.Err()
}

// union joins the lists of a segment; some may be nil.
func (d *decompounder) union(s *segmentRef, lists []*posting.List) (*posting.List, error) {
	lists = slices.DeleteFunc(lists, func(l *posting.List) bool { return l == nil })
	if len(lists) == 0 {
		return nil, nil
	}
	im, err := d.run.impactsOf(s)
	if err != nil {
		return nil, err
	}
	return search.Union(lists, im)
}

// seenTerm tells whether some record within the caller's reach holds a term.
func (d *decompounder) seenTerm(term string) bool {
	if len(d.req.Restrict) == 0 {
		return d.holders(term) > 0
	}
	for _, o := range d.everywhere() {
		row := d.rowOf(o.run, term)
		if row == nil {
			continue
		}
		sight, err := o.sight()
		if err == nil {
			var seen bool
			if seen, err = sight.any(row.lists); seen {
				return true
			}
		}
		if err != nil {
			d.fail(err)
		}
	}
	return false
}

// seenFew tells whether some records within the caller's reach are found by a leaf, but not so
// many that it says nothing.
func (d *decompounder) seenFew(leaf func(o *decompounder) compoundLeaf) bool {
	n := d.seen(leaf)
	return n > 0 && (n <= fewSeen || n <= int64(d.seenDocs(uint64(n)*commonShare)/commonShare))
}

// seen counts the records of all indexes of the search within the caller's reach that are
// found by a leaf, which is made for each of them.
func (d *decompounder) seen(leaf func(o *decompounder) compoundLeaf) (n int64) {
	for _, o := range d.everywhere() {
		sight, err := o.sight()
		if err != nil {
			d.fail(err)
			return 0
		}
		entries, err := o.entries(leaf(o))
		if err != nil {
			d.fail(err)
			return 0
		}
		for i, en := range entries {
			if len(sight.sets) == 0 {
				n += int64(en.liveDF(o.run.iv))
				continue
			}
			more, err := sight.count(i, en.list)
			if err != nil {
				d.fail(err)
				return 0
			}
			n += int64(more)
		}
	}
	return n
}
