package engine

import (
	"fmt"
	"math"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/score"
	"github.com/quarry-search/quarry/engine/internal/search"
	"github.com/quarry-search/quarry/engine/internal/segment"
	"github.com/quarry-search/quarry/engine/query"
	"github.com/quarry-search/quarry/tokenize"
)

// phraseLeaf is what a leaf has if it stands for words that stand together.
// How many records hold a phrase is known only when all that hold its words
// have been looked at. Its weight is therefore what its words are worth
// together, as in Lucene, so that a search for the best hits need not look at
// all of them.
type phraseLeaf struct {
	parts  []*search.Phrase // by segment; nil: no record holds the phrase
	words  []phraseWord     // a word that occurs twice stands there twice
	fields []bool           // in which it is looked for, by text ordinal; nil: in all

	counted bool // leaf.df has been set
	listed  bool // leaf.lists has its postings, and there are no parts; see resolver.listed
}

// phraseWord is a word of a phrase and the number of live records of the index
// that hold it in any field.
type phraseWord struct {
	global string // like leaf.global
	df     int64
}

// count adds the words to the statistics of the search, unless the index has
// added them already.
func (p *phraseLeaf) count(df map[string]int64, seen map[string]bool) {
	for _, w := range p.words {
		if !seen[w.global] {
			seen[w.global] = true
			df[w.global] += w.df
		}
	}
}

// idf sums up the words. df is searcher.df.
func (p *phraseLeaf) idf(docs uint64, df map[string]int64) float64 {
	sum := 0.0
	for _, w := range p.words {
		n := w.df
		if df != nil {
			n = df[w.global]
		}
		sum += score.IDF(docs, uint64(n))
	}
	return sum
}

// phrase adds a leaf of the documents in which the tokens stand together.
func (r *resolver) phrase(t query.Text, tokens []tokenize.Token, g analyzerGroup, boost float64) *search.Expr {
	l := leaf{term: `"` + t.Text + `"`, from: t.Text, boost: boost, factor: 1, phrase: &phraseLeaf{fields: g.fields}}
	l.global = r.global(fmt.Sprintf("p%d:%s", t.Slop, l.term), g)
	o := search.PhraseOptions{Offsets: make([]int, len(tokens)), Slop: t.Slop, Fields: g.fields}
	terms := termsOf(tokens)
	ends := 0 // of runs without spaces, at each of which texts have a character by itself
	for i := range tokens {
		if i > 0 && tokens[i-1].Kind == tokenize.KindBigram && tokens[i].Start >= tokens[i-1].End {
			ends++
		}
		o.Offsets[i] = tokens[i].Position - tokens[0].Position + ends
		l.phrase.words = append(l.phrase.words, phraseWord{global: "w:" + terms[i]})
	}
	r.marked = append(r.marked, markedTerm{terms: terms, offsets: o.Offsets, slop: t.Slop, fields: g.fields, weight: wordWorth})
	if r.listed(&l, terms, &o, g) {
		_, e := r.add(l)
		return e
	}
	words := make([]runLists, len(tokens))
	for i := range tokens {
		words[i] = r.run.term(segment.SpaceText, tokens[i].Term, true)
	}
	for _, s := range r.run.iv.segs {
		lists := make([]*posting.List, len(tokens))
		for i := range tokens {
			en, err := words[i].entry(s)
			if err != nil {
				return r.fail(err)
			}
			lists[i] = en.list
			l.phrase.words[i].df += int64(en.liveDF(r.run.iv))
		}
		part, err := search.NewPhrase(lists, o)
		if err != nil {
			return r.fail(err)
		}
		l.phrase.parts = append(l.phrase.parts, part)
	}
	_, e := r.add(l)
	return e
}

// countPhrase sets df of a leaf that is a phrase. Counting looks at all records that hold its
// words, so what it comes to is remembered.
func (run *searchRun) countPhrase(l *leaf) error {
	if l.phrase.counted {
		return nil
	}
	facts, key := run.e.facts, run.togetherKey(l)
	if f := facts.find(&key); f != nil {
		l.df, l.phrase.counted = f.n, true
		return nil
	}
	n, err := run.holding(l.phrase, math.MaxInt64)
	if err == nil {
		l.df, l.phrase.counted = n, true
		facts.add(&wordFact{key: key, n: n})
	}
	return err
}

// togetherKey is the key of what is remembered of a phrase. Its name over several indexes
// does not tell the fields that a request looks into.
func (run *searchRun) togetherKey(l *leaf) factKey {
	return run.e.facts.key(run.iv, factTogether, l.global+"\x00"+run.iv.schema.maskKey(l.phrase.fields))
}

// holding returns the number of live records that hold a phrase and are in all of some
// sets; once it has come to most, it may be more.
func (run *searchRun) holding(p *phraseLeaf, most int64, within ...*filterSet) (int64, error) {
	all := []*search.Expr{{Op: search.OpLeaf}}
	sets := make([]search.Set, len(within))
	for i, set := range within {
		sets[i] = search.Set{Words: set.some}
		all = append(all, &search.Expr{Op: search.OpSet, Set: i})
	}
	n, err := search.CountTo(run.ctx, &search.Query{
		Leaves:   []search.Leaf{{Phrases: p.parts}},
		Match:    andOf(all),
		Sets:     sets,
		Segments: run.segs,
		Pool:     &run.e.pool,
	}, most)
	for _, set := range within {
		if err == nil {
			err = set.err
		}
	}
	return n, err
}
