package engine

import (
	"context"
	"strings"

	"github.com/quarry-search/quarry/engine/internal/segment"
	"github.com/quarry-search/quarry/tokenize"
)

// countOfWord answers a request for nothing but how many records hold one word, from
// what the dictionaries say of it: as the rest of a search does, which takes several
// times as long to get ready. It leaves to that, by returning nil, all else, and
// whatever is wrong with the request.
func (e *Engine) countOfWord(ctx context.Context, v *view, r *Request) (*Result, error) {
	if !r.countsWord() || len(r.Query) > e.opts.Limits.QueryBytes || ctx.Err() != nil {
		return nil, nil
	}
	names, err := v.resolveNames(r.Indexes)
	if err != nil {
		return nil, nil
	}
	var total int64
	for _, name := range names {
		n, ok, err := e.holders(v.indexes[name], name, r.Query)
		if err != nil || !ok {
			return nil, err
		}
		total += n
	}
	return &Result{Hits: []Hit{}, Total: total, TotalExact: true, Query: QueryInfo{Text: r.Query}}, nil
}

// holders returns how many records of an index hold a word, false if that takes more
// than its posting list.
func (e *Engine) holders(iv *indexView, name, word string) (n int64, ok bool, err error) {
	c := iv.schema
	if c.usable(name) != nil || len(c.groups) != 1 || c.groups[0].fields != nil || len(c.Rules)+len(c.Synonyms) > 0 {
		return 0, false, nil
	}
	a := c.groups[0].analyzer
	if a.Custom() {
		return 0, false, nil
	}
	key := e.facts.key(iv, factCounted, word)
	if f := e.facts.find(&key); f != nil {
		return f.n, true, nil
	}
	tokens := a.AnalyzeQuery(word)
	if len(tokens) != 1 || tokens[0].Kind > tokenize.KindNumber {
		return 0, false, nil
	}
	lists := e.listsOf(iv, segment.SpaceText, tokens[0].Term, false)
	row, err := lists.row(iv)
	if err != nil {
		return 0, false, err
	}
	key.word = strings.Clone(word) // of a text that may be long
	e.facts.add(&wordFact{key: key, n: row.df})
	return row.df, true, nil
}

// countsWord tells whether the request is for the number of records with one plain word,
// by RankingBM25, to which a word is just a word.
func (r *Request) countsWord() bool {
	if r.Limit >= 0 || r.Timeout < 0 || r.NoTotal || r.Ranking != RankingBM25 || r.Syntax != SyntaxSimple || r.Match > MatchAny || r.Prefix > PrefixOff {
		return false
	}
	for _, asked := range [...]bool{
		r.Filter != "", len(r.Restrict) > 0, len(r.Sort) > 0, len(r.Fields) > 0, r.Offset != 0, r.After != nil,
		len(r.Facets) > 0, r.Geo != nil, r.Distinct != "", r.Group != nil, r.Highlight != nil,
		r.Typo.Off, r.Typo.Min1 != 0, r.Typo.Min2 != 0, len(r.Typo.OffFields) > 0,
		r.Intent.Mode != 0, len(r.Intent.Ignore) > 0, r.Semantic != SemanticRequest{}, r.Vector != nil,
		r.NoSynonyms, r.NoStopWords, r.Tuning != Tuning{}, r.Language != "", r.Similar != nil,
		len(r.Pin) > 0, len(r.Hide) > 0, r.Explain, len(r.Members) > 0, r.MinScore != 0, r.Timeout < 0,
	} {
		if asked {
			return false
		}
	}
	for i := range len(r.Query) {
		if c := r.Query[i]; (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			return false
		}
	}
	return r.Query != "" && r.Query != "OR"
}
