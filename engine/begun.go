package engine

import (
	"bytes"
	"cmp"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/quarry-search/quarry/engine/internal/posting"
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
	// maxBegun is how many titles are read to see whether they are begun. Of more, these
	// are the shortest.
	maxBegun = 64
	// maxBegunWords is the words of a query from which on it is no name that is being typed.
	maxBegunWords = 10
	// maxBegunHolders is how many documents a word may have that those are looked for among.
	maxBegunHolders = 1 << 14
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
	if len(r.req.Restrict) > 0 {
		return false // bounds go by how many records hold words, whoever may see them
	}
	if len(r.name) == 0 || len(r.name) > maxBegunWords || len(r.run.iv.schema.titles) == 0 {
		return false
	}
	t, ok := r.name[len(r.name)-1].(query.Text)
	return ok && !t.Quoted && r.open(t, true)
}

// begun returns the documents of the index whose titles are being typed, and whether some title
// holds all words as they stand: then none is. What is found is remembered as names are.
func (run *searchRun) begun() (docs []begunDoc, whole bool, err error) {
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
	if f := facts.look(run.iv, factBegun, key); f != nil {
		return f.begun, f.n > 0, nil
	}
	for _, title := range run.iv.schema.titles {
		words := run.nameOf(title)
		if len(words) == 0 || len(words) > maxBegunWords || words[len(words)-1].Kind != tokenize.KindWord {
			continue
		}
		b := begunSearch{run: run, title: title, words: words}
		of, complete, err := b.find()
		if err != nil {
			return nil, false, err
		}
		docs, whole = append(docs, of...), whole || complete
	}
	if whole {
		docs = nil
	}
	docs = bestBegun(docs)
	f := &wordFact{key: facts.key(run.iv, factBegun, string(key)), begun: docs}
	if whole {
		f.n = 1
	}
	facts.add(f)
	return docs, whole, nil
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

// begunSearch looks for titles that begin with some words, the last one half typed.
type begunSearch struct {
	run   *searchRun
	title int
	words []*tokenize.Token
	rows  []*listRow // of the words but the last one: their stems, and their forms
	read  int        // bytes of records
}

// find returns the documents, and whether some title holds all words as they stand.
func (b *begunSearch) find() (docs []begunDoc, whole bool, err error) {
	run, last := b.run, b.words[len(b.words)-1]
	for _, w := range b.words[:len(b.words)-1] {
		rows, err := run.nameRows(w)
		if err != nil || rows == nil {
			return nil, false, err
		}
		b.rows = append(b.rows, rows...)
	}
	if whole, err = b.isWhole(last); err != nil || whole {
		return nil, whole, err
	}
	lists, err := b.among(last)
	if err != nil || lists == nil {
		return nil, false, err
	}
	var some []sizedDoc
	err = run.eachTitled(b.title, anyLength, lists, b.rows, func(doc posting.DocID, norm uint8) bool {
		some = append(some, sizedDoc{doc, norm})
		return len(some) <= maxBegunHolders
	})
	if err != nil || len(some) > maxBegunHolders {
		return nil, false, err
	}
	for _, d := range shortest(some) {
		worth, complete, err := b.worth(d.doc)
		if err != nil || complete {
			return nil, complete, err
		}
		if worth > 0 {
			docs = append(docs, begunDoc{d.doc, worth})
		}
	}
	return docs, false, nil
}

// isWhole tells whether some title holds all words as they stand. Where more titles than
// maxWhole have their stems, some is taken to.
func (b *begunSearch) isWhole(last *tokenize.Token) (whole bool, err error) {
	exact, err := b.run.nameRows(last)
	if err != nil || exact == nil {
		return false, err
	}
	all := append(slices.Clone(b.rows), exact...)
	rarest := slices.MinFunc(all, func(x, y *listRow) int { return cmp.Compare(x.df, y.df) })
	if rarest.df > maxBegunHolders {
		return true, nil
	}
	var docs []posting.DocID
	err = b.run.eachTitled(b.title, anyLength, rarest.lists, all, func(doc posting.DocID, _ uint8) bool {
		docs = append(docs, doc)
		return len(docs) <= maxWhole
	})
	if err != nil || len(docs) > maxWhole {
		return true, err
	}
	for _, doc := range docs {
		if _, whole, err := b.worth(doc); err != nil || whole {
			return whole, err
		}
	}
	return false, nil
}

// maxWhole is how many titles are read to see whether they hold words as they stand.
const maxWhole = 16

// sizedDoc is a document and how long its title is, as a norm.
type sizedDoc struct {
	doc  posting.DocID
	norm uint8
}

// shortest returns those of some documents with the shortest titles, in their order: no more
// than maxBegun, and of one length all or none.
func shortest(docs []sizedDoc) []sizedDoc {
	if len(docs) <= maxBegun {
		return docs
	}
	var count [256]int
	for _, d := range docs {
		count[d.norm]++
	}
	n, longest := 0, -1
	for norm, of := range count {
		if n+of > maxBegun {
			break
		}
		n, longest = n+of, norm
	}
	return slices.DeleteFunc(docs, func(d sizedDoc) bool { return int(d.norm) > longest })
}

// among returns the lists of segments among whose documents the titles are: of the rarest word,
// or of those with a word in the title that begins with the last one. Nil: of too many.
func (b *begunSearch) among(last *tokenize.Token) ([]*posting.List, error) {
	run := b.run
	if len(b.rows) > 0 {
		if rarest := slices.MinFunc(b.rows, func(x, y *listRow) int { return cmp.Compare(x.df, y.df) }); rarest.df <= maxBegunHolders {
			return rarest.lists, nil
		}
	}
	switch begun := run.res.begunLeaf(last); {
	case begun != nil && begun.df > maxBegunHolders/4:
		return nil, nil
	case begun == nil && (len(b.words) > 1 || utf8.RuneCount(last.Word) < minPrefix):
		return nil, nil
	}
	g := analyzerGroup{fields: make([]bool, len(run.iv.schema.text))}
	g.fields[b.title] = true
	entries := run.expansions(run.iv.schema.maskKey(g.fields) + ":" + string(last.Word))
	lists := make([]*posting.List, len(run.iv.segs))
	for i, s := range run.iv.segs {
		en, err := entries.expansion(s, func() (*posting.List, error) { return run.expand(i, s, last.Word, g) })
		if invalid := (*InvalidError)(nil); errors.As(err, &invalid) {
			return nil, nil // it stands for too many words
		}
		if err != nil {
			return nil, err
		}
		lists[i] = en.list
	}
	return lists, nil
}

// begunLeaf returns the leaf of the words that begin with a word; nil if that is a filler word, or
// too short.
func (r *resolver) begunLeaf(t *tokenize.Token) *leaf {
	typed := string(t.Word) + "*"
	if i := slices.IndexFunc(r.leaves, func(l leaf) bool { return l.flat && l.term == typed }); i >= 0 {
		return &r.leaves[i]
	}
	return nil
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

// worth reads the title of a document, and tells what the record gets, 0 for nothing, and
// whether it holds all words as they stand.
func (b *begunSearch) worth(doc posting.DocID) (worth uint16, whole bool, err error) {
	if b.read > maxCalledBytes {
		return 0, true, nil // too much to read: nothing is raised
	}
	texts, size, err := b.run.titleTokens(doc, b.title)
	if err != nil {
		return 0, false, err
	}
	b.read += size
	typed := 0
	for _, w := range b.words {
		typed += utf8.RuneCount(w.Word)
	}
	for _, tokens := range texts {
		letters, fillers := 0, 0
		for i := range tokens {
			letters += utf8.RuneCount(tokens[i].Word)
			if i == fillers && tokens[i].Stop {
				fillers++
			}
		}
		if b.holds(tokens) {
			return 0, true, nil
		}
		for at := range len(tokens) - len(b.words) + 1 {
			if !b.begins(tokens[at:]) {
				continue
			}
			of := begunWithin
			if at == 0 || at == fillers {
				of = begunFirst
			}
			worth = max(worth, uint16(of*worthUnit+typed*(worthUnit-1)/letters))
		}
	}
	return worth, false, nil
}

// holds tells whether tokens have all words as they stand, wherever.
func (b *begunSearch) holds(tokens []tokenize.Token) bool {
	return !slices.ContainsFunc(b.words, func(w *tokenize.Token) bool {
		return !slices.ContainsFunc(tokens, func(t tokenize.Token) bool { return bytes.Equal(t.Word, w.Word) })
	})
}

// begins tells whether tokens begin with the words, the last one as the beginning of one.
func (b *begunSearch) begins(tokens []tokenize.Token) bool {
	n := len(b.words) - 1
	for i, w := range b.words[:n] {
		if !bytes.Equal(tokens[i].Word, w.Word) {
			return false
		}
	}
	return bytes.HasPrefix(tokens[n].Word, b.words[n].Word)
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
