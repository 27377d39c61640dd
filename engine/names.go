package engine

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/score"
	"github.com/quarry-search/quarry/engine/internal/search"
	"github.com/quarry-search/quarry/engine/internal/segment"
	"github.com/quarry-search/quarry/engine/query"
	"github.com/quarry-search/quarry/tokenize"
)

// Who types the name of a thing wants that thing. A record has the name if one of its
// titles has the words of the query, in their order and their forms, and no others: "alien"
// is the name of Alien, not of Aliens, and "it" that of one film among those that say it most.
// So is its id (nameid.go): "vim" is a package, whatever its title says.
// So records of the name are looked for by their titles, whatever their scores by words
// are, and come first.

const (
	// nameShare is what a record of the name gets, as a multiple of the best score by words
	// and bonuses: more than meaning adds to that, unless the request gives it more weight
	// than that.
	nameShare = 4
	// maxNamed is how many records may have a name. Of one that more have, such as that
	// of a product of many sizes, the name says nothing about which of them is wanted.
	maxNamed = rerankDepth
	// maxNameWords is how many words a name has at most.
	maxNameWords = 32
	// maxCalled is how many records are read to see whether they have the name, and
	// maxCalledBytes how much of them. If there are more, none has it.
	maxCalled      = 128
	maxCalledBytes = 4 << 20
)

// said notes the clauses of a query that may be a name: all of it, plain words or a phrase.
func (r *resolver) said(b *query.Bool) {
	r.name = nil
	clauses := b.Should
	if r.intent != nil {
		clauses = r.intent.clauses // with those that have become filters
	}
	if r.literal || len(clauses) > 1 && len(r.run.iv.schema.titles) == 0 || r.req.Ranking != RankingDefault || r.tuning.Title == 0 || len(b.Must) > 0 || len(clauses) > maxNameWords {
		return
	}
	for _, c := range clauses {
		if t, ok := c.(query.Text); !ok || t.Prefix || t.Field != "" {
			return
		}
	}
	r.name = clauses
}

// eachNameWord calls f with the words of what was said, as an analyzer reads them and as they
// are repaired.
func (r *resolver) eachNameWord(a *tokenize.Analyzer, f func(t *tokenize.Token)) {
	for _, c := range r.name {
		tokens := r.texts.tokens(a, c.(query.Text).Text)
		for i := range tokens {
			t := &tokens[i]
			if fix, ok := r.repairs[string(t.Word)]; ok {
				if right := r.texts.tokens(a, fix.word); len(right) > 0 {
					t = &right[0]
				}
			}
			if !t.Part {
				f(t)
			}
		}
	}
}

// findNamed finds the matches that have the name that the query is, or those whose names it
// begins if there are none; and none if they are more than maxNamed.
func (s *searcher) findNamed() (named []found, err error) {
	var docs [][]posting.DocID // by run
	some := 0
	for i, run := range s.runs {
		of, err := run.named()
		if err != nil {
			return nil, err
		}
		if len(of) > 0 {
			if docs == nil {
				docs = make([][]posting.DocID, len(s.runs))
			}
			docs[i] = of
			some += len(of)
		}
	}
	if some > 0 {
		named, err = s.scoredOf(docs, some)
	}
	switch {
	case err != nil || len(named) > maxNamed:
		return nil, err
	case len(named) == 0: // or they are no matches
		return s.findBegun()
	}
	for i := range named {
		named[i].worth = nameShare * worthUnit
	}
	return named, nil
}

// scoredOf returns the matches among n documents, ascending by run, with their scores.
func (s *searcher) scoredOf(docs [][]posting.DocID, n int) ([]found, error) {
	defer s.restoreQueries(s.queries())
	for i, run := range s.runs {
		q := *run.q
		q.Sets = append(slices.Clone(q.Sets), search.Set{Words: run.documentSet(docs[i])})
		q.Match = &search.Expr{Op: search.OpAnd, Kids: []*search.Expr{q.Match, {Op: search.OpSet, Set: len(q.Sets) - 1}}}
		run.q = &q
	}
	hits, _, err := s.scored(stretch{k: n})
	return hits, err
}

// nameOf returns the words of the name as a title reads them; none if that is not searched, or
// there are too many.
func (run *searchRun) nameOf(title int) (words []*tokenize.Token) {
	if mask := run.res.mask; mask != nil && !mask[title] {
		return nil
	}
	run.res.eachNameWord(run.iv.schema.text[title].analyzer, func(t *tokenize.Token) { words = append(words, t) })
	if len(words) > maxNameWords {
		return nil
	}
	return words
}

// named returns the documents of the index that have the name, ascending. If the caller sees
// all of it, that is remembered; and if not, no others are looked at than those it sees.
func (run *searchRun) named() ([]posting.DocID, error) {
	if run.res.name == nil {
		return nil, nil
	}
	var room [128]byte
	key := run.nameKey(room[:0])
	facts, whole := run.e.facts, len(run.imposed) == 0
	if whole {
		if f := facts.look(run.iv, factNamed, key); f != nil {
			return f.docs, nil
		}
	}
	var all []posting.DocID
	for _, title := range run.iv.schema.titles {
		if run.res.unknown && len(run.iv.schema.groups) == 1 {
			break // no title has a word that no record has
		}
		words := run.nameOf(title)
		if len(words) == 0 {
			continue
		}
		docs, err := run.maybeNamed(title, words)
		if err == nil {
			docs, err = run.calledIn(title, words, docs)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, docs...)
	}
	if !run.res.isNumber() {
		docs, err := run.withID()
		if err != nil {
			return nil, err
		}
		all = append(all, docs...)
	}
	slices.Sort(all)
	all = slices.Clip(slices.Compact(all))
	if whole {
		facts.add(&wordFact{key: facts.key(run.iv, factNamed, string(key)), docs: all})
	}
	return all, nil
}

// hasNamed tells whether a document may have the name, or one that begins so; true also after
// an error, which is met again where these are placed.
func (run *searchRun) hasNamed() bool {
	docs, err := run.named()
	if len(docs) > 0 || err != nil {
		return true
	}
	begun, _, err := run.begun()
	return len(begun) > 0 || err != nil
}

// nameKey appends what names depend on in a view: the words, as each analyzer of titles reads
// them, and which titles are searched.
func (run *searchRun) nameKey(key []byte) []byte {
	c := run.iv.schema
	if id := run.res.id(); id != "" {
		key = append(append(key, id...), 0)
	}
	for i, title := range c.titles {
		if mask := run.res.mask; mask != nil && mask[title] {
			key = append(key, '+')
		} else if mask != nil {
			key = append(key, '-')
		}
		if i == 0 || c.text[title].id != c.text[c.titles[i-1]].id {
			run.res.eachNameWord(c.text[title].analyzer, func(t *tokenize.Token) {
				if key = append(append(key, t.Word...), ' '); string(t.Term) != string(t.Word) {
					key = append(append(key, t.Term...), ' ') // words have no accents, stems may differ by them
				}
			})
			key = append(key, 0)
		}
	}
	return key
}

// calledIn returns those of some documents of which a title consists of words; none if they
// are too many to read.
func (run *searchRun) calledIn(title int, words []*tokenize.Token, docs []posting.DocID) ([]posting.DocID, error) {
	n, bytes := 0, 0
	for _, doc := range docs {
		is, size, err := run.isCalled(doc, title, words)
		if err != nil {
			return nil, err
		}
		if bytes += size; bytes > maxCalledBytes {
			return nil, nil
		}
		if is {
			docs[n] = doc
			n++
		}
	}
	return docs[:n], nil
}

// nameRows returns the rows of a word of a name: of its stem, and of its form if that is
// another; nil if no record has one of them.
func (run *searchRun) nameRows(w *tokenize.Token) (rows []*listRow, err error) {
	for space, term := range [...][]byte{w.Term, w.Word} {
		if space == 1 && string(w.Word) == string(w.Term) {
			continue
		}
		lists := run.term([...]uint16{segment.SpaceText, segment.SpaceWord}[space], term, false)
		row, err := lists.row(run.iv)
		if err != nil {
			return nil, err
		}
		if row.df == 0 {
			return nil, nil
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// maybeNamed returns the documents that the caller sees whose title holds all of some words, in
// their forms, and is as long as they are; none if they are too many to read.
func (run *searchRun) maybeNamed(title int, words []*tokenize.Token) (docs []posting.DocID, err error) {
	rows := make([]*listRow, 0, 2*len(words))
	for _, w := range words {
		of, err := run.nameRows(w)
		if err != nil || of == nil {
			return nil, err
		}
		rows = append(rows, of...)
	}
	rarest := slices.MinFunc(rows, func(x, y *listRow) int { return cmp.Compare(x.df, y.df) })
	length := score.EncodeNorm(run.res.nameLength(run.iv.schema.text[title].analyzer, words))
	err = run.eachTitled(title, int(length), rarest.lists, rows, func(doc posting.DocID, _ uint8) bool {
		docs = append(docs, doc)
		return len(docs) <= maxCalled
	})
	if len(docs) > maxCalled {
		docs = nil
	}
	return docs, err
}

// anyLength is the length of any title.
const anyLength = -1

// eachTitled calls f with the documents of some lists of the segments that the caller sees and
// whose title is as long as a norm says and in all lists of some rows, and how long it is, until f
// returns false.
func (run *searchRun) eachTitled(title, length int, among []*posting.List, rows []*listRow, f func(doc posting.DocID, norm uint8) bool) error {
	return run.eachSeen(&sight{run: run, sets: run.imposed}, among, func(seg int, slot *search.Slot, doc posting.DocID) bool {
		if title >= len(slot.Norms) || slot.Norms[title] == nil {
			return true // the segment is older than the field, or nothing in it has one
		}
		norms, place := slot.Norms[title], uint16(doc)-slot.NormBase
		if length != anyLength && int(norms[place]) != length {
			return true
		}
		for _, r := range rows {
			if !run.inTitle(title, r.lists[seg], seg, doc) {
				return true
			}
		}
		return f(doc, norms[place])
	})
}

// eachSeen calls f with the documents of some lists of the segments that may be seen, and where
// they are, until it returns false.
func (run *searchRun) eachSeen(seen *sight, lists []*posting.List, f func(seg int, slot *search.Slot, doc posting.DocID) bool) (err error) {
	for i, list := range lists {
		if list == nil {
			continue
		}
		slots, at := run.segs[i].Slots, -1
		var visible *search.Page
		for _, doc := range list.All {
			if page := uint16(doc >> 16); at < 0 || slots[at].Page != page {
				if at = slices.IndexFunc(slots, func(s search.Slot) bool { return s.Page == page }); at < 0 {
					continue
				}
				if visible, err = seen.page(i, at); err != nil {
					return err
				}
			}
			if place := uint16(doc); visible[place>>6]>>(place&63)&1 == 0 {
				continue
			}
			if !f(i, &slots[at], doc) {
				return run.ctx.Err()
			}
		}
	}
	return run.ctx.Err()
}

// inTitle tells whether a title of a document is in a list of its segment.
func (run *searchRun) inTitle(title int, list *posting.List, seg int, doc posting.DocID) bool {
	if list == nil {
		return false
	}
	rank, ok := list.Find(doc)
	return ok && slices.ContainsFunc(list.Vector(rank, run.segs[seg].Table.Book()), func(f score.Freq) bool { return int(f.Field) == title })
}

// nameLength is how long a title is that consists of some words, as analysis.index counts.
func (r *resolver) nameLength(a *tokenize.Analyzer, words []*tokenize.Token) (length int) {
	spaced := true
	for _, w := range words {
		if spaced = spaced && w.Kind == tokenize.KindWord; !w.Stop {
			length++
		}
	}
	if !spaced { // texts without spaces are cut otherwise than queries are
		length = 0
		for _, c := range r.name {
			last := -1
			for _, t := range a.Analyze(c.(query.Text).Text) {
				if t.Position != last && !t.Stop {
					length++
				}
				last = t.Position
			}
		}
	}
	return max(length, 1)
}

// isCalled tells whether a title of a document consists of words, and how long the record is.
func (run *searchRun) isCalled(doc posting.DocID, title int, words []*tokenize.Token) (is bool, size int, err error) {
	texts, size, err := run.titleTokens(doc, title)
	for _, tokens := range texts {
		is = is || slices.EqualFunc(tokens, words, func(t tokenize.Token, w *tokenize.Token) bool { return string(t.Word) == string(w.Word) })
	}
	return is, size, err
}

// titleTokens returns the words of a title of a document, value by value, and how long the
// record is.
func (run *searchRun) titleTokens(doc posting.DocID, title int) (tokens [][]tokenize.Token, size int, err error) {
	texts, size, err := run.titleTexts(doc, title)
	for _, text := range texts {
		tokens = append(tokens, run.titleWords(title, text))
	}
	return tokens, size, err
}

// titleWords returns the words of a title.
func (run *searchRun) titleWords(title int, text string) []tokenize.Token {
	tokens := run.iv.schema.text[title].analyzer.AnalyzeQuery(text)
	return slices.DeleteFunc(tokens, func(t tokenize.Token) bool { return t.Part })
}

// titleTexts returns the values of a title of a document, and how long the record is.
func (run *searchRun) titleTexts(doc posting.DocID, title int) (texts []string, size int, err error) {
	if err := run.ctx.Err(); err != nil {
		return nil, 0, err
	}
	r := run.e.storedReader(run.kv, run.iv.ix.number)
	defer r.Close()
	block, n, err := r.find(doc)
	if err != nil {
		return nil, 0, err
	}
	record := block.Record(n)
	field := run.iv.schema.text[title].field
	return textsOf(record, run.iv.schema)[run.iv.schema.Fields[field].Name], len(record), nil
}

// withNamed puts the records of the name among the first hits, of which the others get
// bonuses, and returns how many these are then.
func (top *reranked) withNamed(first int, named []found) int {
	if len(named) == 0 {
		return first
	}
	all := slices.Grow([]found(nil), len(top.hits)+len(named))
	all = append(all, top.hits[:first]...)
	for i := range named {
		f := &named[i]
		top.named = append(top.named, f.key())
		if at := slices.IndexFunc(all, func(o found) bool { return o.key() == f.key() }); at >= 0 {
			all[at].worth = f.worth
		} else {
			all = append(all, *f)
		}
	}
	n := len(all)
	top.hits = append(all, top.unnamed(top.hits[first:])...)
	return n
}

// unnamed takes the records of the name out of hits.
func (top *reranked) unnamed(hits []found) []found {
	if len(top.named) == 0 {
		return hits
	}
	return slices.DeleteFunc(hits, func(f found) bool { return slices.Contains(top.named, f.key()) })
}

// lift gives the records of the name, which are among the first hits, what they get for it.
func lift(first []found) {
	most := uint64(0)
	for i := range first {
		most = max(most, first[i].hit.Score)
	}
	for i := range first {
		if f := &first[i]; f.worth > 0 {
			hi, lo := bits.Mul64(most, uint64(f.worth))
			share, _ := bits.Div64(hi, lo, worthUnit)
			f.lift = share + 1
			if f.worth < nameShare*worthUnit {
				f.lift -= f.hit.Score - f.hit.Score/worthUnit // what is begun is in the order of its worth
			}
			f.hit.Score += f.lift
			if f.run.bonus.tell {
				f.bonus = append(f.bonus, bonusPart{stage: StageName, field: -1, score: f.lift})
			}
		}
	}
}

// byWords is the score without what the name gave.
func (f *found) byWords() uint64 { return f.hit.Score - f.lift }
