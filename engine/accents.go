package engine

import (
	"bytes"
	"math/bits"
	"slices"
	"strings"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/search"
	"github.com/quarry-search/quarry/engine/internal/segment"
	"github.com/quarry-search/quarry/tokenize"
)

// A word that is typed without its accents has another stem than with them, in most languages
// that are stemmed: Spanish sarten is taken for a verb, and renovacion for no noun. What it
// means is told by the records: the very forms of their words are indexed without accents, so
// those that have the form, but not the stem that it has without accents, write it with some,
// and the stem that the word has with these is what they have in its place.
//
// Where no record has the stem of the word as it was typed, the word is read as the other
// one. Where some have it, as where people write both, it stands for both.

// accentReading is what else a word of a query is read as.
type accentReading struct {
	instead bool     // of the first of the terms: no record has the word's own
	terms   []string // nil: nothing else
}

// minAccented is the letters of a word from which on it may lack accents, and minToned of one of
// a language whose accents tell words apart.
const (
	minAccented = 3
	minToned    = 2
)

// otherTerm is another term of a word, which stands beside its own.
type otherTerm struct {
	analyzer   *tokenize.Analyzer
	word, term string
	others     []string
}

// accentReader reads words of one search as those with accents that they are typed for.
type accentReader struct {
	s      *searcher
	sights []*sight // by run, where the request is restricted: what may be seen
	key    []byte
}

// read changes tokens of a text to what they are typed for, and returns what some of them
// also stand for.
func (r *accentReader) read(a *tokenize.Analyzer, text string, tokens []tokenize.Token, beside []otherTerm) []otherTerm {
	least := minAccented
	if a.AccentsTell() {
		least = minToned
	}
	for i := range tokens {
		t := &tokens[i]
		if t.Kind != tokenize.KindWord || t.Stop || t.Part || len(t.Word) < least || !spelt(t.Word) {
			continue
		}
		found := r.reading(a, text[t.Start:t.End], t)
		if len(found.terms) == 0 {
			continue
		}
		own := string(t.Term)
		if found.instead {
			own, t.Term = found.terms[0], []byte(found.terms[0])
			found.terms = found.terms[1:]
		}
		if len(found.terms) > 0 {
			beside = append(beside, otherTerm{a, string(t.Word), own, found.terms})
		}
	}
	return beside
}

// reading returns what a word is read as. Where one index is searched, and all of it may be
// seen, it is remembered.
func (r *accentReader) reading(a *tokenize.Analyzer, typed string, t *tokenize.Token) accentReading {
	s := r.s
	if len(s.runs) > 1 || len(s.req.Restrict) > 0 {
		return r.find(a, typed, t)
	}
	iv, facts := s.runs[0].iv, s.e.facts
	r.key = append(append(append(append(append(r.key[:0], a.Stems()...), ':'), t.Word...), ':'), t.Term...)
	if isASCII(typed) {
		r.key = append(r.key, ':') // who writes some accents means them, and Word has none
	}
	f := facts.look(iv, factAccents, r.key)
	if f == nil {
		found := r.find(a, typed, t)
		f = &wordFact{key: facts.key(iv, factAccents, string(r.key)), text: strings.Join(found.terms, " ")}
		if found.instead {
			f.n = 1
		}
		if s.runs[0].res.err == nil {
			facts.add(f)
		}
	}
	if f.text == "" {
		return accentReading{}
	}
	return accentReading{f.n > 0, strings.Fields(f.text)}
}

// find finds out what a word is read as.
func (r *accentReader) find(a *tokenize.Analyzer, typed string, t *tokenize.Token) (out accentReading) {
	views, err := r.views(a)
	if err == nil && len(views) > 0 {
		f := readingFinder{views: views, analyzer: a, word: string(t.Word), term: string(t.Term), plain: isASCII(typed)}
		out, err = f.find()
	}
	if err != nil {
		r.s.runs[0].res.fail(err)
		return accentReading{}
	}
	return out
}

// views returns what may be seen of the fields that an analyzer reads, or another one of its
// language.
func (r *accentReader) views(a *tokenize.Analyzer) (out []*sight, err error) {
	for i, run := range r.s.runs {
		if len(r.sights) == i {
			v := &sight{run: run}
			if v.sets, err = r.s.imposedOn(run); err != nil {
				return nil, err
			}
			r.sights = append(r.sights, v)
		}
		for _, g := range run.iv.schema.groups {
			if g.analyzer == a || g.analyzer.Stems() == a.Stems() && g.analyzer.Accented() {
				v := *r.sights[i]
				v.fields = g.fields
				out = append(out, &v)
			}
		}
	}
	return out, nil
}

// imposedOn returns the sets of the records that the caller may see, nil for all.
func (s *searcher) imposedOn(run *searchRun) (sets []*filterSet, err error) {
	if len(s.req.Restrict) == 0 {
		return nil, nil
	}
	filters, err := s.filters()
	if err != nil {
		return nil, err
	}
	for _, f := range filters {
		if f.at != "" {
			continue
		}
		cond, err := bindFilter(run.iv.schema, f.node, s.filterable)
		if err != nil {
			return nil, errImposed()
		}
		sets = append(sets, &filterSet{run: run, cond: cond})
	}
	return sets, nil
}

// readingFinder finds out what one word is read as.
type readingFinder struct {
	views      []*sight
	analyzer   *tokenize.Analyzer
	word, term string
	plain      bool // it was typed without accents

	pages []unlike // the records that have the form of the word, and not its term
	count int      // of them
}

// unlike is records of a page.
type unlike struct {
	view, seg, slot int
	words           [posting.PageSize / 64]uint64
}

func (f *readingFinder) find() (out accentReading, err error) {
	known, err := f.df(segment.SpaceText, f.term)
	if err != nil {
		return out, err
	}
	if err := f.writtenUnlike(f.word); err != nil {
		return out, err
	}
	if known > 0 && !f.plain {
		return out, nil // who writes accents means them
	}
	whole, err := f.stemmedWhole()
	if err != nil || known > 0 && f.count == 0 && whole == 0 {
		return out, err // as of nearly all words
	}
	if known > 0 {
		// Where most write it without accents, it is a word of its own: cambio beside cambió.
		if with, err := f.df(segment.SpaceWord, f.word); err != nil || with > 2*max(int64(f.count), whole) {
			return out, err
		}
	}
	terms := f.spellings()
	for _, term := range terms {
		if term == f.word {
			if whole > 0 {
				out.terms = append(out.terms, term)
			}
			continue
		}
		n, err := f.unlikeWith(term)
		if err != nil {
			return out, err
		}
		if n > 0 && (2*n >= f.count || f.analyzer.AccentsTell()) {
			out.terms = append(out.terms, term)
		}
	}
	out.instead = known == 0
	if len(out.terms) > 0 || known > 0 {
		return out, nil
	}
	if verb := f.analyzer.WithoutPronoun(f.word); verb != "" {
		for _, t := range f.analyzer.AnalyzeQuery(verb) {
			if n, err := f.df(segment.SpaceText, string(t.Term)); n > 0 || err != nil {
				return accentReading{true, []string{string(t.Term)}}, err
			}
		}
	}
	if len(terms) == 0 {
		return out, nil
	}
	if term := f.inflected(terms); term != "" {
		out.terms = []string{term}
		return out, nil
	}
	for _, word := range f.views[0].run.e.listed(f.analyzer.Stems()).accented(f.word) {
		for _, t := range f.analyzer.AnalyzeQuery(word) {
			if string(t.Term) != f.term {
				out.terms = []string{string(t.Term)}
				return out, nil
			}
		}
	}
	return out, nil
}

// stemmedWhole counts the records with a word of which the form, as it was typed, is the stem,
// if some of them have it as a word, and not only as the stem of others.
func (f *readingFinder) stemmedWhole() (int64, error) {
	if f.word == f.term {
		return 0, nil
	}
	n, err := f.df(segment.SpaceText, f.word)
	if err != nil || n == 0 {
		return 0, err
	}
	for _, v := range f.views {
		if written, err := v.written(f.word); written || err != nil {
			return n, err
		}
	}
	return 0, nil
}

// spellings returns the other terms that the word may have: those with accents if it was typed
// without, else the one without.
func (f *readingFinder) spellings() (terms []string) {
	if f.plain {
		f.analyzer.Spellings(f.word, func(term string) { terms = append(terms, term) })
		return terms
	}
	for _, t := range f.analyzer.AnalyzeQuery(f.word) {
		if string(t.Term) != f.term {
			terms = append(terms, string(t.Term))
		}
	}
	return terms
}

func (f *readingFinder) df(space uint16, term string) (n int64, err error) {
	for _, v := range f.views {
		more, err := v.df(space, []byte(term))
		if err != nil {
			return 0, err
		}
		n += more
	}
	return n, nil
}

// list returns what a segment has of a term, in the fields that are looked at.
func (f *readingFinder) list(v *sight, seg int, space uint16, term string) (*posting.List, error) {
	lists := v.run.term(space, []byte(term), false)
	list, err := lists.list(v.run.iv.segs[seg])
	if err == nil && list != nil && v.fields != nil {
		list, err = search.Restrict(&v.run.segs[seg], list, v.fields)
	}
	return list, err
}

// writtenUnlike notes the records that have a form, but not the word's term.
func (f *readingFinder) writtenUnlike(form string) error {
	f.pages, f.count = f.pages[:0], 0
	for i, v := range f.views {
		for seg := range v.run.iv.segs {
			forms, err := f.list(v, seg, segment.SpaceWord, form)
			if err != nil {
				return err
			}
			if forms == nil {
				continue
			}
			own, err := f.list(v, seg, segment.SpaceText, f.term)
			if err != nil {
				return err
			}
			for slot := range v.run.segs[seg].Slots {
				number := v.run.segs[seg].Slots[slot].Page
				c := forms.Container(number)
				if c == nil {
					continue
				}
				p := unlike{view: i, seg: seg, slot: slot}
				c.OrInto(&p.words)
				if own != nil {
					if c := own.Container(number); c != nil {
						var words [posting.PageSize / 64]uint64
						c.OrInto(&words)
						for i := range words {
							p.words[i] &^= words[i]
						}
					}
				}
				visible, err := v.page(seg, slot)
				if err != nil {
					return err
				}
				n := 0
				for i := range p.words {
					p.words[i] &= visible[i]
					n += bits.OnesCount64(p.words[i])
				}
				if f.count += n; n > 0 {
					f.pages = append(f.pages, p)
				}
			}
		}
	}
	return nil
}

// unlikeWith counts those of the records that have a term.
func (f *readingFinder) unlikeWith(term string) (n int, err error) {
	for i := range f.pages {
		p := &f.pages[i]
		v := f.views[p.view]
		list, err := f.list(v, p.seg, segment.SpaceText, term)
		if err != nil {
			return 0, err
		}
		if list != nil {
			if c := list.Container(v.run.segs[p.seg].Slots[p.slot].Page); c != nil {
				n += c.AndCount(&p.words)
			}
		}
	}
	return n, nil
}

// maxInflected bounds the forms that are looked at for one of the word that records have, and
// otherEnd is the letters of the word that may end otherwise there.
const (
	maxInflected = 64
	otherEnd     = 3
)

// inflected returns the one of some terms that records have of a word with accents of which the
// word is an inflection that none has: "cafetieres" where they say cafetière.
func (f *readingFinder) inflected(terms []string) string {
	if f.analyzer.AccentsTell() {
		return "" // words have no endings there
	}
	var forms []string
	begin := f.word[:max(minAccented, len(f.word)-otherEnd)]
	for _, v := range f.views {
		for _, s := range v.run.iv.segs {
			lo := segment.Key(nil, segment.SpaceWord, []byte(begin))
			it := s.reader.Terms(lo, prefixEnd(lo))
			for n := 0; n < maxInflected && it.Next(); n++ {
				if form := string(bytes.Clone(it.Key()[segment.SpaceBytes:])); form != f.word && !slices.Contains(forms, form) {
					forms = append(forms, form)
				}
			}
		}
	}
	slices.Sort(forms)
	for _, form := range forms {
		tokens := f.analyzer.AnalyzeQuery(form)
		if len(tokens) != 1 {
			continue
		}
		stem := string(tokens[0].Term)
		if stem != f.term && !slices.Contains(terms, stem) {
			continue
		}
		if f.writtenUnlike(form) != nil {
			return ""
		}
		for _, term := range terms {
			if n, err := f.unlikeWith(term); err == nil && n > 0 && 2*n >= f.count && (stem == f.term || stem == term) {
				return term
			}
		}
	}
	return ""
}

// besides returns what a word was resolved to, or what else it stands for. start is where its
// text begins.
func (r *resolver) besides(start int, t *tokenize.Token, w word, g analyzerGroup, boost float64) *search.Expr {
	others := r.texts.others(g.analyzer, t)
	if len(others) == 0 {
		return w.expr
	}
	kids := []*search.Expr{w.expr}
	for _, term := range others {
		other := *t
		other.Term = []byte(term)
		r.mark(&other, g, false)
		at, e := r.term(segment.SpaceText, other.Term, string(t.Word), g, boost)
		if w.stop {
			r.stops = append(r.stops, at)
		}
		r.ask(start+t.Start, start+t.End, at, w.stop, false, g.analyzer.Families())
		kids = append(kids, e)
	}
	return orOf(kids)
}
