package engine

import (
	"cmp"
	"slices"
	"strings"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/segment"
	"github.com/quarry-search/quarry/engine/query"
	"github.com/quarry-search/quarry/tokenize"
)

// Who types a name into a search box wants the thing before the name is whole: "harry pott"
// is the beginning of Harry Potter, though a record has a word of its own for "pott", and "get
// him to the g" that of one film. So if no title has the words of a query as they stand, the
// records come first that have them in a title one after the other, the last one as the
// beginning of a word: those whose title begins so before others, and the nearer it is to be
// whole the earlier.

const (
	// begunFirst is what a record gets whose title begins as the query does, as nameShare is,
	// and begunWithin one in whose title that comes later. Each gets up to one more by how
	// much of the title is typed.
	begunFirst  = 2
	begunWithin = 1
	// maxBegunWords is the words of a query from which on it is no name that is being typed.
	maxBegunWords = 10
	// worthUnit is the unit of found.worth.
	worthUnit = 1 << 10
)

// begunDoc is a document whose title is being typed.
type begunDoc struct {
	doc   posting.DocID
	worth uint16 // see found.worth
}

// begins tells whether the last word of the query may be the beginning of one.
func (r *resolver) begins() bool {
	if len(r.name) == 0 || len(r.name) > maxBegunWords || len(r.run.iv.schema.titles) == 0 {
		return false
	}
	t, ok := r.name[len(r.name)-1].(query.Text)
	return ok && !t.Quoted && r.open(t, true)
}

// begun returns the documents of the index whose titles are being typed, and whether some title
// holds all words as they stand: then none is. Nor is one where the query is a word by itself.
func (run *searchRun) begun() (docs []begunDoc, whole bool, err error) {
	docs, whole, err = run.titlesBegun()
	if err == nil && len(docs) > 0 {
		var is bool
		if is, err = run.isWholeWord(len(docs)); is {
			docs = nil
		}
	}
	return docs, whole, err
}

// isWholeWord tells whether the query is one word that something was found to stand for, or that more records hold
// than titles have it as a beginning: who asks for "pay" wants what speaks of pay before the payments.
func (run *searchRun) isWholeWord(begun int) (bool, error) {
	r := run.res
	if len(r.name) != 1 {
		return false, nil
	}
	if slices.ContainsFunc(r.related, func(of related) bool { return of.sought }) {
		return true, nil
	}
	tokens := r.texts.tokens(run.iv.schema.text[run.iv.schema.titles[0]].analyzer, r.name[0].(query.Text).Text)
	if len(tokens) != 1 || tokens[0].Stop {
		return false, nil
	}
	if string(tokens[0].Word) != string(tokens[0].Term) {
		return r.inAllSight(segment.SpaceWord, tokens[0].Word) > int64(begun), nil
	}
	if r.inAllSight(segment.SpaceText, tokens[0].Word) <= int64(begun) {
		return false, nil
	}
	seen, err := r.sight()
	if err != nil {
		return false, err
	}
	return seen.written(string(tokens[0].Word)) // and it is not only the stem of others
}

// titlesBegun is begun whatever the query is by itself. What is found is remembered as names are.
func (run *searchRun) titlesBegun() (docs []begunDoc, whole bool, err error) {
	if !run.res.begins() {
		return nil, false, nil
	}
	var room [128]byte
	key := run.nameKey(room[:0])
	for i := range run.res.leaves { // whether the last word stands for others is up to the request, too
		if l := &run.res.leaves[i]; l.flat && strings.HasSuffix(l.term, "*") {
			key = append(key, '*')
		}
	}
	facts := run.e.facts
	if f := facts.look(run.iv, factBegun, key); f != nil && len(run.imposed) == 0 {
		return f.begun, f.n > 0, nil
	}
	if f := run.seenBegun; f != nil && f.key.word == string(key) {
		return f.begun, f.n > 0, nil
	}
	err = run.eachBegun(false, func(b *begunSearch) error {
		of, complete, err := b.find()
		docs, whole = append(docs, of...), whole || complete
		return err
	})
	if err != nil {
		return nil, false, err
	}
	if whole {
		docs = nil
	}
	docs = bestBegun(docs)
	f := &wordFact{key: facts.key(run.iv, factBegun, string(key)), begun: docs}
	if whole {
		f.n = 1
	}
	if len(run.imposed) == 0 {
		facts.add(f)
	} else {
		run.seenBegun = f
	}
	return docs, whole, nil
}

// eachBegun calls f with what looks in each title field for those that the query begins; also where
// it ends in a number or within a text without spaces, and where others have all of it as it stands.
func (run *searchRun) eachBegun(also bool, f func(b *begunSearch) error) error {
	for _, title := range run.iv.schema.titles {
		words := run.nameOf(title)
		if len(words) == 0 {
			continue
		}
		last := words[len(words)-1].Kind
		if last != tokenize.KindWord && !also || last < tokenize.KindBigram && len(words) > maxBegunWords {
			continue
		}
		if err := f(&begunSearch{run: run, title: title, words: words, also: also}); err != nil {
			return err
		}
	}
	return nil
}

// bestBegun keeps the best of what is begun, each document once, best first: no more than
// maxNamed, and of those that are alike all or none.
func bestBegun(docs []begunDoc) []begunDoc {
	slices.SortFunc(docs, func(a, b begunDoc) int { return cmp.Or(cmp.Compare(b.worth, a.worth), cmp.Compare(a.doc, b.doc)) })
	n := 0
	for i, d := range docs {
		if !slices.ContainsFunc(docs[:n], func(o begunDoc) bool { return o.doc == d.doc }) {
			docs[n] = docs[i]
			n++
		}
	}
	if docs = docs[:n]; n <= maxNamed {
		return slices.Clip(docs)
	}
	for n = maxNamed; n > 0 && docs[n-1].worth == docs[n].worth; {
		n--
	}
	return slices.Clip(docs[:n])
}

// addBegun makes matches of the records whose titles are being typed, where the last word of the
// query is a filler word, or too short, to stand for those that begin with it.
func (s *searcher) addBegun() error {
	for _, run := range s.runs {
		run.begunSet = nil
	}
	if !slices.ContainsFunc(s.runs, (*searchRun).beginsAlone) {
		return nil // as most often
	}
	for _, run := range s.runs {
		if _, whole, err := run.begun(); err != nil || whole {
			return err
		}
	}
	for _, run := range s.runs {
		if !run.beginsAlone() {
			continue
		}
		begun, _, err := run.begun()
		if err != nil {
			return err
		}
		if len(begun) == 0 {
			continue
		}
		docs := make([]posting.DocID, len(begun))
		for i := range begun {
			docs[i] = begun[i].doc
		}
		run.begunSet = run.withSet(docs)
	}
	return nil
}

// beginsAlone tells whether the last word may be the beginning of one in a title, and stands for
// no others by itself.
func (run *searchRun) beginsAlone() bool {
	r := run.res
	if !r.begins() {
		return false
	}
	tokens := r.texts.tokens(run.iv.schema.text[run.iv.schema.titles[0]].analyzer, r.name[len(r.name)-1].(query.Text).Text)
	return len(tokens) > 0 && r.begunLeaf(&tokens[len(tokens)-1]) == nil
}

// findBegun finds the matches whose titles the query begins, if none holds all of it.
func (s *searcher) findBegun() ([]found, error) {
	type begunIn struct {
		begunDoc
		run int
	}
	var all []begunIn
	for i, run := range s.runs {
		of, whole, err := run.begun()
		if err != nil || whole {
			return nil, err
		}
		for _, d := range of {
			all = append(all, begunIn{d, i})
		}
	}
	if len(all) == 0 {
		return nil, nil
	}
	slices.SortStableFunc(all, func(a, b begunIn) int { return cmp.Compare(b.worth, a.worth) })
	if n := maxNamed; len(all) > n { // of several indexes
		for n > 0 && all[n-1].worth == all[n].worth {
			n--
		}
		all = all[:n]
	}
	docs := make([][]posting.DocID, len(s.runs))
	for _, d := range all {
		docs[d.run] = append(docs[d.run], d.doc)
	}
	for _, of := range docs {
		slices.Sort(of)
	}
	hits, err := s.scoredOf(docs, len(all))
	for i := range hits {
		f := &hits[i]
		at := slices.IndexFunc(all, func(d begunIn) bool { return s.runs[d.run] == f.run && d.doc == f.hit.Doc })
		f.worth = all[at].worth
	}
	return hits, err
}
