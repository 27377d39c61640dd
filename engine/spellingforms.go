package engine

import (
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/search"
	"github.com/quarry-search/quarry/engine/internal/segment"
	"github.com/quarry-search/quarry/tokenize"
)

// The words of an index have neither accents nor capitals, and so have repairs: "zurucksetzen". Who
// made the slip is told of the word as records write it, zurücksetzen, which only their texts
// say. What is searched for stays as it is.

const (
	// formRecords is how many records say how a word is written: a little more than one, since
	// words of one form, as schon and schön, and words that somebody wrote without accents are told
	// apart by what most have.
	formRecords = 5
	// formReads is how many are read for that, as those that have the word as a stem may
	// not have it as it is, and formBytes how much of them.
	formReads = 16
	formBytes = 1 << 16
)

// formReader looks for how records write a word, among those that the caller may see.
type formReader struct {
	sp    *speller
	word  string
	field string         // that it is looked for in, "" for all
	votes map[string]int // records by how they write it
	said  int            // the sum of these
	read  map[docKey]bool
	bytes int
}

// formOf returns a word as most of some records write it: of those that hold other words of the
// query, too, if there are any, and if not, of all that the caller may see. If none says, it is
// returned as it is. Damage to one of them is told of, but no reason to answer nothing.
func (sp *speller) formOf(word, field string) string {
	if sp.wordly {
		return word // words that are suggested have no accents
	}
	f := &formReader{sp: sp, word: word, field: field, votes: map[string]int{}, read: map[docKey]bool{}}
	around := sp.company()
	var err error
	if around.any {
		err = f.look(around)
	}
	if err == nil && len(f.votes) == 0 {
		err = f.look(nil)
	}
	if err != nil {
		_ = sp.e.told(err)
	}
	return f.best()
}

// best is the form that most have; of several, one with accents: these are left out by some, and
// added by none.
func (f *formReader) best() string {
	best, most := f.word, 0
	for form, n := range f.votes {
		if n > most || n == most && form != f.word && (best == f.word || form < best) {
			best, most = form, n
		}
	}
	return best
}

// look reads records that hold the word and other words of the query; nil: whatever else they hold. Those
// come first of which the word is no stem.
func (f *formReader) look(around *company) error {
	for _, space := range [...]uint16{segment.SpaceWord, segment.SpaceText} {
		for i, v := range f.sp.sights {
			lists := v.run.term(space, []byte(f.word), false)
			mask := v.run.repairable(f.field, f.sp.req.Typo.OffFields)
			for seg, s := range v.run.iv.segs {
				list, err := lists.list(s)
				if err == nil && list != nil && mask != nil {
					list, err = search.Restrict(&v.run.segs[seg], list, mask)
				}
				if err == nil && list != nil {
					err = f.lookInto(i, seg, list, around, mask)
				}
				if err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// lookInto reads records of a list of a segment.
func (f *formReader) lookInto(run, seg int, list *posting.List, around *company, mask []bool) error {
	v := f.sp.sights[run]
	for slot := range v.run.segs[seg].Slots {
		if f.enough() {
			return nil
		}
		number := v.run.segs[seg].Slots[slot].Page
		c := list.Container(number)
		if c == nil {
			continue
		}
		var beside *search.Page
		if around != nil {
			if beside = around.pages[run][[2]int{seg, slot}]; beside == nil {
				continue
			}
		}
		visible, err := v.page(seg, slot)
		if err != nil {
			return err
		}
		var words search.Page
		c.OrInto(&words)
		for i := range words {
			if words[i] &= visible[i]; beside != nil {
				words[i] &= beside[i]
			}
		}
		if err := f.lookAtAll(v.run, number, &words, mask); err != nil {
			return err
		}
	}
	return nil
}

// lookAtAll reads records of a page until they are enough.
func (f *formReader) lookAtAll(run *searchRun, page uint16, words *search.Page, mask []bool) error {
	r := f.sp.e.storedReader(run.kv, run.iv.ix.number)
	defer r.Close()
	for i, w := range words {
		for ; w != 0 && !f.enough(); w &= w - 1 {
			if err := f.lookAt(r, run, uint32(page)<<16|uint32(i<<6|bits.TrailingZeros64(w)), mask); err != nil {
				return err
			}
		}
	}
	return nil
}

func (f *formReader) enough() bool {
	return f.said >= formRecords || len(f.read) >= formReads || f.bytes >= formBytes
}

// lookAt reads a record, unless that has been done.
func (f *formReader) lookAt(r *storedReader, run *searchRun, doc posting.DocID, mask []bool) error {
	key := docKey{run, doc}
	if f.read[key] {
		return nil
	}
	f.read[key] = true
	block, at, err := r.find(doc)
	if err != nil {
		return err
	}
	record := block.Record(at)
	f.bytes += len(record)
	c := run.iv.schema
	texts := textsOf(record, c)
	for i, t := range c.text { // in this order, as the first form counts
		if mask != nil && !mask[i] {
			continue
		}
		for _, text := range texts[c.Fields[t.field].Name] {
			if form := formIn(text, f.word, t.analyzer); form != "" {
				f.votes[form]++
				f.said++
				return nil
			}
		}
	}
	return nil
}

// formIn returns the form in which a text has a word first, "" if it is not near its beginning. One in
// capitals alone does not count, unless it has accents, which many leave out there.
func formIn(text, word string, a *tokenize.Analyzer) string {
	s := a.TakeStream()
	defer s.GiveBack()
	s.Reset([]byte(text))
	for {
		t, ok := s.Next()
		if !ok || t.Start > formBytes {
			return ""
		}
		if string(t.Word) != word {
			continue
		}
		typed := text[t.Start:t.End]
		if at := strings.IndexAny(typed, "'’"); at > 0 {
			typed = typed[:at] // what stands behind is no part of the word
		}
		form := lowered(typed, a.Language())
		switch {
		case form == word && typed == strings.ToUpper(typed):
			continue
		case form == word || spelt([]byte(form)) && string(tokenize.Fold(nil, []byte(form))) == word:
			return form
		}
	}
}

// lowered is a word in the small letters of a language.
func lowered(word, language string) string {
	if language == "tr" {
		return strings.ToLowerSpecial(unicode.TurkishCase, word)
	}
	word = strings.ToLower(word)
	if rest, ok := strings.CutSuffix(word, "σ"); ok {
		return rest + "ς"
	}
	return word
}

// show puts the words that others were repaired to into the text of the query as records write
// them. That is done last, since what the text says about fields, and what it means, is read from the
// words as they are looked up.
func (s *searcher) show(info *QueryInfo) {
	at := 0
	for _, c := range s.shown {
		from := wordIn(info.Text, c.to, at)
		if from < 0 {
			continue // it has become a filter
		}
		info.Text = info.Text[:from] + c.shown + info.Text[from+len(c.to):]
		at = from + len(c.shown)
	}
}

// wordIn returns where in a text, from a place on, a word stands that is no part of another; -1 if it
// does not.
func wordIn(text, word string, at int) int {
	for at <= len(text) {
		i := strings.Index(text[at:], word)
		if i < 0 {
			return -1
		}
		at += i
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		behind, size := utf8.DecodeRuneInString(text[at+len(word):])
		if !unicode.IsLetter(before) && (size == 0 || !unicode.IsLetter(behind)) {
			return at
		}
		at += len(word)
	}
	return -1
}
