package engine

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/quarry-search/quarry/engine/internal/fuzzy"
	"github.com/quarry-search/quarry/engine/internal/segment"
	"github.com/quarry-search/quarry/engine/query"
	"github.com/quarry-search/quarry/tokenize"
)

// repair is a word of the vocabulary that a word of the query is read as.
type repair struct {
	word  string
	edits int
	df    int64 // documents that hold it
}

// A query that finds no more than fewHits records may have been meant to hold
// a word that is at least farMore times as frequent as one that it holds.
const (
	fewHits = 2
	farMore = 100
)

// spell reads the words that no index of the search holds as the words that
// they are most likely misspelt forms of, and resolves the request again with
// those. Most requests have no such word and pay nothing.
func (s *searcher) spell(res *Result) error {
	if s.tree == nil || s.like != nil || s.unspelt || s.req.Ranking == RankingBM25 {
		return nil
	}
	doubtful := len(s.req.Restrict) > 0
	for _, run := range s.runs {
		doubtful = doubtful || run.res.unknown
	}
	if !doubtful {
		return nil
	}
	sp := &speller{searcher: s}
	if err := sp.read(s.tree); err != nil || len(sp.repairs) == 0 {
		return err
	}
	if s.req.Typo.Off {
		res.Query.DidYouMean = sp.text()
		return nil
	}
	res.Query.Text = sp.text()
	for _, c := range sp.changes {
		res.Query.Corrections = append(res.Query.Corrections, Correction{From: c.from, To: c.to})
	}
	s.repairs = sp.repairs
	return s.again()
}

// reconsider offers another reading of a query that finds next to nothing,
// though all its words are known: a word that is one edit away and far more
// frequent. It only offers it, since rare words are mostly meant as they are.
func (s *searcher) reconsider(res *Result) error {
	if s.tree == nil || s.like != nil || s.unspelt || s.req.Ranking == RankingBM25 || s.req.NoTotal ||
		res.Query.DidYouMean != "" || len(res.Query.Corrections) > 0 {
		return nil
	}
	if n, err := s.foundByWords(res); err != nil || n > fewHits {
		return err
	}
	sp := &speller{searcher: s, rare: true}
	if err := sp.read(s.tree); err != nil || len(sp.changes) == 0 {
		return err
	}
	res.Query.DidYouMean = sp.text()
	return nil
}

// speller looks for words of a query to repair.
type speller struct {
	*searcher
	rare    bool     // known words too, if a far more frequent one is near
	sights  []*sight // by run
	repairs map[string]repair
	changes []change
	beside  *company // see speller.company

	everyday map[string]bool // words of the request's language: see meantAsWritten
}

// change is a repair at its place in the text of the query.
type change struct {
	start, end int
	from, to   string
}

// read looks at the words of a tree. Those of a Bool that are unsigned, or
// required, can be repaired; what is excluded is excluded as it is written.
func (sp *speller) read(n query.Node) error {
	for _, run := range sp.runs {
		sp.sights = append(sp.sights, sp.sight(run))
	}
	return sp.node(n, true, true)
}

// node looks at a node. root and last are those of resolver.top and
// resolver.node.
func (sp *speller) node(n query.Node, root, last bool) error {
	switch n := n.(type) {
	case query.Text:
		if n.Quoted || n.Prefix {
			return nil
		}
		return sp.words(n, last)
	case query.Boost:
		return sp.node(n.Node, false, last)
	case query.Bool:
		for _, k := range n.Must {
			if err := sp.node(k, false, false); err != nil {
				return err
			}
		}
		for i, k := range n.Should {
			end := root && n.MinShould == 0 && len(n.Must) == 0 && i == len(n.Should)-1
			if err := sp.node(k, false, end); err != nil {
				return err
			}
		}
	}
	return nil
}

// reading is a token of a text under one analyzer of one index.
type reading struct {
	start, end int
	token      *tokenize.Token
	df         int64
	unknown    bool // no index holds it, and it can be repaired
}

// words looks at the words of a text, under all analyzers. A place in the text
// is repaired if every reading of it is unknown.
func (sp *speller) words(t query.Text, last bool) error {
	if sp.meant(t) {
		return nil
	}
	var all []reading
	some := false // is unknown
	for i, run := range sp.runs {
		var mask []bool
		if t.Field != "" {
			f, ok := run.iv.schema.byName[t.Field]
			if !ok || run.iv.schema.textOf[f] < 0 || slices.Contains(sp.req.Typo.OffFields, t.Field) {
				continue
			}
			mask = make([]bool, len(run.iv.schema.text))
			mask[run.iv.schema.textOf[f]] = true
		}
		for _, g := range run.res.analyzers(mask) {
			tokens := run.res.texts.tokens(g.analyzer, t.Text)
			all = slices.Grow(all, len(tokens))
			for j := range tokens {
				open := j == len(tokens)-1 && run.res.open(t, last)
				unknown, df, err := sp.unknown(sp.sights[i], run, &tokens[j], open)
				if err != nil {
					return err
				}
				if !tokens[j].Part {
					all = append(all, reading{tokens[j].Start, tokens[j].End, &tokens[j], df, unknown})
					some = some || unknown
				}
			}
		}
	}
	if !some {
		return nil
	}
	slices.SortStableFunc(all, func(a, b reading) int { return cmp.Compare(a.start, b.start) })
	for len(all) > 0 {
		n, end, unknown := 0, all[0].end, true
		for ; n < len(all) && all[n].start < end; n++ {
			end, unknown = max(end, all[n].end), unknown && all[n].unknown
		}
		if unknown {
			if err := sp.repair(t, all[:n], end, last); err != nil {
				return err
			}
		}
		all = all[n:]
	}
	return nil
}

// unknown tells whether a token is one to repair as far as an index is
// concerned, and how many of its documents hold it. One that is to be finished
// is known if anything begins with it.
func (sp *speller) unknown(v *sight, run *searchRun, t *tokenize.Token, open bool) (bool, int64, error) {
	if t.Kind != tokenize.KindWord || run.res.stopWord(t) || !spelt(t.Word) || slices.Contains(run.res.parted, string(t.Word)) {
		return false, 0, nil
	}
	n, err := v.df(segment.SpaceText, t.Term)
	if err != nil || n > 0 {
		return sp.rare, n, err
	}
	if open {
		if begins, err := v.begins(t.Word); begins || err != nil {
			return false, 0, err
		}
	}
	return !sp.meantAsWritten(run, t), 0, nil
}

// meantAsWritten tells whether a word that no index holds is one of everyday
// language beside other words: in "some ideas for what to do with a pumpkin" it
// is the records that lack "ideas", and no letter that is wrong in "peas". Alone
// it may be a slip all the same, as "good" for "gold" is: then nothing else tells
// what was meant.
func (sp *speller) meantAsWritten(run *searchRun, t *tokenize.Token) bool {
	common := run.iv.schema.tables().common
	if sp.req.Language != "" {
		if sp.everyday == nil {
			sp.everyday = commonTable(sp.req.Language)
		}
		common = sp.everyday
	}
	return run.res.words > 1 && common[string(t.Word)]
}

// commonTable returns the everyday words of languages in the form of Token.Word;
// not nil.
func commonTable(languages ...string) map[string]bool {
	var words []string
	for _, l := range slices.Compact(slices.Sorted(slices.Values(languages))) {
		words = append(words, tokenize.CommonWords(l)...)
	}
	if len(words) == 0 {
		return map[string]bool{}
	}
	return stopTable(words)
}

// repair looks for the word that the readings of one place mean.
func (sp *speller) repair(t query.Text, readings []reading, end int, last bool) error {
	start := readings[0].start
	open := end == len(strings.TrimRight(t.Text, " ")) && sp.runs[0].res.open(t, last)
	least := int64(1)
	if sp.rare {
		df := int64(0)
		for _, r := range readings {
			df += r.df
		}
		if least = max(1, farMore*df); uint64(least) > sp.docs {
			return nil // no word is that frequent
		}
	}
	best, ok, err := sp.best(string(readings[0].token.Word), t.Field, open, least)
	if err != nil || !ok || sp.rare && sp.oneStem(best.word, readings) {
		return err
	}
	if sp.repairs == nil {
		sp.repairs = map[string]repair{}
	}
	for _, r := range readings {
		sp.repairs[string(r.token.Word)] = best
	}
	sp.changes = append(sp.changes, change{t.Start + start, t.Start + end, t.Text[start:end], best.word})
	return nil
}

// oneStem tells whether a word has the stem of a reading.
func (sp *speller) oneStem(word string, readings []reading) bool {
	for _, r := range readings {
		for _, run := range sp.runs {
			if run.iv.schema.stemsTo(word, string(r.token.Term)) {
				return true
			}
		}
	}
	return false
}

// text is the text of the query with the changes made. Where a text has
// escapes, its offsets are not those of the query, and the word is replaced
// where it first stands.
func (sp *speller) text() string {
	text := sp.req.Query
	slices.SortStableFunc(sp.changes, func(a, b change) int { return cmp.Compare(a.start, b.start) })
	var b strings.Builder
	at := 0
	for _, c := range sp.changes {
		from, to := c.start, c.end
		if to > len(text) || from < at || text[from:to] != c.from {
			i := strings.Index(text[at:], c.from)
			if i < 0 {
				continue
			}
			from, to = at+i, at+i+len(c.from)
		}
		b.WriteString(text[at:from])
		b.WriteString(c.to)
		at = to
	}
	return b.String() + text[at:]
}

// candidate is a word of the vocabulary near the one typed.
type candidate struct {
	word  string
	edits int
	moved bool     // it has the letters of the one typed, in another order
	dfs   [2]int64 // documents in SpaceText and SpaceWord, deleted ones included
}

// candidateSize is what a candidate takes beside its letters.
const candidateSize = 48

// farLetters is the length of a word from which one that has no other near it is
// taken for another two edits away, if that one stands beside the rest of the
// query, or has the same letters and begins with the same.
const farLetters = 5

// best returns the word of the vocabulary that a word is most likely to mean.
// A word that is still being typed may also be the beginning of one, if no
// whole word is near. least documents have to hold it.
func (sp *speller) best(word, field string, open bool, least int64) (repair, bool, error) {
	letters := utf8.RuneCountInString(word)
	limit := sp.req.Typo.edits(letters)
	if sp.rare {
		limit, open = min(limit, 1), false
	}
	p, ok := fuzzy.NewPattern(word)
	if !ok || limit == 0 {
		return repair{}, false, nil
	}
	best, ok, err := sp.among(nearWords, p, limit, word, field, false, least)
	if !ok && err == nil && open {
		best, ok, err = sp.among(beginnings, p, limit, word, field, false, least)
	}
	if !ok && err == nil && limit == 1 && letters >= farLetters && sp.req.Typo.Min2 == 0 && !sp.rare {
		best, ok, err = sp.among(nearWords, p, 2, word, field, true, least)
	}
	return best, ok, err
}

// wordSearch is a way to look for words of the vocabulary.
type wordSearch uint8

const (
	nearWords  wordSearch = iota // those near a word
	beginnings                   // those that begin with one near it
)

func (k wordSearch) in(l *fuzzy.Lexicon, p *fuzzy.Pattern, limit int, f func([]byte, uint32, int)) {
	if k == beginnings {
		l.Beginning(p, limit, f)
	} else {
		l.Near(p, limit, f)
	}
}

// fact is the kind of what is remembered of a search.
func (k wordSearch) fact(limit int) factKind { return factNear + factKind(2*limit) + factKind(k) }

// among returns the best of the words that a search finds. With beside, it has to
// stand beside other words of the query.
func (sp *speller) among(search wordSearch, p *fuzzy.Pattern, limit int, word, field string, beside bool, least int64) (repair, bool, error) {
	found, err := sp.found(search, p, limit, word)
	if err != nil || len(found) == 0 {
		return repair{}, false, err
	}
	return sp.choose(found, word, field, beside, least)
}

// found returns the words that a search finds, and those that sound alike. They must not
// be changed: what an index has is remembered.
func (sp *speller) found(search wordSearch, p *fuzzy.Pattern, limit int, word string) ([]candidate, error) {
	facts, key := sp.e.facts, factKey{}
	if len(sp.runs) == 1 {
		key = facts.key(sp.runs[0].iv, search.fact(limit), word)
		if f := facts.find(&key); f != nil {
			return f.near, nil
		}
	}
	found := map[string]*candidate{}
	if err := sp.find(found, search, p, limit, word); err != nil {
		return nil, err
	}
	if err := sp.respelt(found, word); err != nil {
		return nil, err
	}
	delete(found, word) // only deleted documents, or ones out of sight, hold it
	out := make([]candidate, 0, len(found))
	for _, c := range found {
		out = append(out, *c)
	}
	if len(sp.runs) == 1 && len(out) <= maxNearWords {
		facts.add(&wordFact{key: key, near: out})
	}
	return out, nil
}

// find adds to found what a search of the vocabulary finds for a word.
func (sp *speller) find(found map[string]*candidate, search wordSearch, p *fuzzy.Pattern, limit int, word string) error {
	for _, run := range sp.runs {
		for _, s := range run.iv.segs {
			l, err := sp.e.lexicon(sp.ctx, s)
			if err != nil {
				return err
			}
			search.in(l, p, limit, func(w []byte, info uint32, edits int) {
				c := found[string(w)]
				if c == nil {
					c = &candidate{word: string(w), edits: edits, moved: sameLetters(string(w), word)}
					found[c.word] = c
				}
				c.dfs[info&1] += int64(info >> 1)
			})
		}
	}
	return nil
}

// choose returns the best of the candidates that may be seen. Their counts are
// upper bounds, so it goes by these and stops when no other can be better.
func (sp *speller) choose(found []candidate, word, field string, beside bool, fewest int64) (repair, bool, error) {
	around := sp.company()
	type bounded struct {
		*candidate
		bound float64
	}
	list := make([]bounded, 0, len(found))
	for i := range found {
		c := &found[i]
		if most := max(c.dfs[0], c.dfs[1]); most >= fewest {
			list = append(list, bounded{c, rank(c, most, most, around.any)})
		}
	}
	slices.SortFunc(list, func(a, b bounded) int {
		return cmp.Or(cmp.Compare(a.bound, b.bound), cmp.Compare(a.edits, b.edits), strings.Compare(a.word, b.word))
	})
	var best *candidate
	least, most := 0.0, int64(0)
	for _, c := range list {
		if best != nil && c.bound > least {
			break
		}
		c := c.candidate
		df, err := sp.documents(c, field)
		if err != nil {
			return repair{}, false, err
		}
		if df < fewest {
			continue
		}
		together, err := sp.together(around, c)
		if err != nil {
			return repair{}, false, err
		}
		if beside && together == 0 && !(c.moved && c.word[0] == word[0]) {
			continue
		}
		at := rank(c, df, together, around.any)
		if best == nil || cmp.Or(cmp.Compare(at, least), cmp.Compare(c.edits, best.edits), strings.Compare(c.word, best.word)) < 0 {
			best, least, most = c, at, df
		}
	}
	if best == nil {
		return repair{}, false, nil
	}
	return repair{best.word, best.edits, most}, true, nil
}

// documents returns how many documents have a candidate, 0 if nobody wrote it. Of a whole
// index that all may see it is remembered.
func (sp *speller) documents(c *candidate, field string) (int64, error) {
	if len(sp.sights) > 1 || len(sp.sights[0].sets) > 0 || field != "" || len(sp.req.Typo.OffFields) > 0 {
		return sp.countDocuments(c, field)
	}
	key := sp.e.facts.key(sp.sights[0].run.iv, factWritten, c.word)
	if f := sp.e.facts.find(&key); f != nil {
		return f.n, nil
	}
	n, err := sp.countDocuments(c, field)
	if err == nil {
		sp.e.facts.add(&wordFact{key: key, n: n})
	}
	return n, err
}

func (sp *speller) countDocuments(c *candidate, field string) (int64, error) {
	var counts [2]int64
	for i, space := range [...]uint16{segment.SpaceText, segment.SpaceWord} {
		for _, v := range sp.sights {
			v := *v
			v.fields = v.run.repairable(field, sp.req.Typo.OffFields)
			n, err := v.df(space, []byte(c.word))
			if err != nil {
				return 0, err
			}
			counts[i] += n
		}
	}
	if counts[1] > 0 || counts[0] == 0 {
		return max(counts[0], counts[1]), nil
	}
	for _, v := range sp.sights {
		if ok, err := v.written(c.word); ok || err != nil {
			return counts[0], err
		}
	}
	return 0, nil
}

// repairable returns the text fields in which a repaired word is looked for;
// nil for all.
func (run *searchRun) repairable(field string, off []string) []bool {
	if field == "" && len(off) == 0 {
		return nil
	}
	c := run.iv.schema
	mask := make([]bool, len(c.text))
	for i, t := range c.text {
		name := c.Fields[t.field].Name
		mask[i] = (field == "" || name == field) && !slices.Contains(off, name)
	}
	return mask
}
