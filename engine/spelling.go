package engine

import (
	"cmp"
	"slices"
	"strings"

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
	if err := sp.read(s.tree); err != nil || len(sp.changes) == 0 {
		return err
	}
	if s.req.Typo.Off {
		res.Query.DidYouMean = sp.text(true)
		return nil
	}
	res.Query.Text = sp.text(false) // see show
	for _, c := range sp.changes {
		res.Query.Corrections = append(res.Query.Corrections, Correction{From: c.from, To: c.shown})
	}
	s.repairs, s.shown = sp.repairs, sp.changes
	if len(sp.parts) > 0 {
		s.tree, s.typed = takeApart(s.tree, sp.parts), takeApart(s.typed, sp.parts)
	}
	return s.again()
}

// reconsider offers another reading of a query that finds next to nothing,
// though its words are known, or may be right: a word that is one edit away and
// far more frequent or, for a right word that no record holds, stands beside the
// other words of the query. It only offers it, since such words are mostly meant
// as they are.
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
	res.Query.DidYouMean = sp.text(true)
	return nil
}

// speller looks for words of a query to repair.
type speller struct {
	*searcher
	rare    bool     // known words too, if a far more frequent one is near
	right   bool     // the word that is looked at is one of a list: see isRight
	doubted bool     // something near it was left out: see isDoubtful
	sights  []*sight // by run
	repairs map[string]repair
	changes []change
	parts   map[int]int // words that are two; see apartWords
	beside  *company    // see speller.company
	row     []reading   // memory of words

	everyday map[string]bool // words of the request's language: see meantAsWritten
}

// change is a repair at its place in the text of the query.
type change struct {
	start, end int
	from, to   string
	shown      string // to, as records write it
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
	right      bool // it is a word of a list: see isRight
}

// words looks at the words of a text, under all analyzers. A place in the text
// is repaired if every reading of it is unknown.
func (sp *speller) words(t query.Text, last bool) error {
	if sp.meant(t) {
		return nil
	}
	all, some := sp.row[:0], false // is unknown
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
			for j := range tokens {
				open := j == len(tokens)-1 && run.res.open(t, last)
				unknown, df, err := sp.unknown(sp.sights[i], run, &tokens[j], open)
				if err != nil {
					return err
				}
				unknown = unknown && !run.res.isFrame(&t, &tokens[j]) && !sp.isCode(t.Text, &tokens[j])
				if !tokens[j].Part {
					right := unknown && sp.rare && df == 0 && sp.isRight(run, &tokens[j])
					all = append(all, reading{tokens[j].Start, tokens[j].End, &tokens[j], df, unknown, right})
					some = some || unknown
				}
			}
		}
	}
	if sp.row = all; !some {
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
	means, _ := run.res.meansIndex(t, nil)
	if means || t.Kind != tokenize.KindWord || run.res.stopWord(t) || run.res.namesIndex(string(t.Word)) || !spelt(t.Word) || slices.Contains(run.res.meant, string(t.Word)) {
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

// repair looks for the word that the readings of one place mean.
func (sp *speller) repair(t query.Text, readings []reading, end int, last bool) error {
	start := readings[0].start
	open := end == len(strings.TrimRight(t.Text, " ")) && sp.runs[0].res.open(t, last)
	least := int64(1)
	sp.right = false
	if sp.rare {
		df := int64(0)
		for _, r := range readings {
			df += r.df
			sp.right = sp.right || r.right
		}
		if least = max(1, farMore*df); uint64(least) > sp.docs {
			return nil // no word is that frequent
		}
	}
	best, ok, err := sp.best(string(readings[0].token.Word), t.Field, open, least)
	if !ok && err == nil {
		_, err = sp.apartWords(t, readings, start, end)
	}
	if err != nil || !ok || sp.rare && sp.oneStem(best.word, readings) {
		return err
	}
	if sp.repairs == nil {
		sp.repairs = map[string]repair{}
	}
	for _, r := range readings {
		sp.repairs[string(r.token.Word)] = best
	}
	sp.changes = append(sp.changes, change{t.Start + start, t.Start + end, t.Text[start:end], best.word, sp.formOf(best.word, t.Field)})
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

// text is the text of the query with the changes made, as they are looked up or as records
// write them. Where a text has escapes, its offsets are not those of the query, and the
// word is replaced where it first stands.
func (sp *speller) text(written bool) string {
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
		if written {
			b.WriteString(c.shown)
		} else {
			b.WriteString(c.to)
		}
		at = to
	}
	return b.String() + text[at:]
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
