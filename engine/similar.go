package engine

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/quarry-search/quarry/engine/internal/segment"
	"github.com/quarry-search/quarry/engine/query"
)

// Similar asks, in place of a query, for the records that are most like one:
// those that share its most telling words. The record itself is not among
// them.
type Similar struct {
	ID    string
	Index string // one of the search; "" means the first, by name, that has the record
}

const (
	// similarTerms is how many words of a record others are found by. More
	// make a search slower than better.
	similarTerms = 25
	// similarLooks is how many words of a record are looked at, the most
	// frequent first.
	similarLooks = 1000
)

// resemble replaces the request by one for the telling words of a record. The
// indexes of the search have been opened, for their filters.
func (s *searcher) resemble() error {
	like := s.req.Similar
	if s.req.Query != "" {
		return invalid(CodeInvalidRequest, "/similar", "a query and a record to resemble exclude each other")
	}
	if like.Index != "" && !slices.Contains(s.names, like.Index) {
		return invalid(CodeInvalidRequest, "/similar/index", "the index is not among those that are searched")
	}
	for _, run := range s.runs {
		if like.Index != "" && like.Index != run.name {
			continue
		}
		f, ok, err := s.lookup(run, like.ID, len(s.req.Restrict))
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		_, record, err := s.e.storedRecord(s.v.kv, run.iv.ix.number, f.hit.Doc)
		if err != nil {
			return err
		}
		req := *s.req
		req.Match, req.Prefix, req.Syntax = MatchAny, PrefixOff, SyntaxSimple
		req.Typo.Off, req.NoSynonyms = true, true
		s.req = &req
		s.like = &found{run: run, hit: f.hit}
		s.tree, err = s.telling(run, record)
		s.typed = s.tree
		return err
	}
	return invalid(CodeRecordNotFound, "/similar/id", "there is no such record")
}

// telling returns the query for the words of a record that tell most about it.
func (s *searcher) telling(run *searchRun, record []byte) (query.Node, error) {
	type word struct {
		term, text string
		tf, worth  float64
	}
	byTerm := map[string]*word{}
	c := run.iv.schema
	texts := textsOf(record, c)
	for i := range c.Fields { // in this order, as the form of a word that comes first counts
		for _, text := range texts[c.Fields[i].Name] {
			for _, t := range c.text[c.textOf[i]].analyzer.AnalyzeQuery(text) {
				if t.Stop || t.Part || c.tables().stops[string(t.Word)] {
					continue
				}
				w := byTerm[string(t.Term)]
				if w == nil {
					w = &word{term: string(t.Term), text: text[t.Start:t.End]}
					byTerm[w.term] = w
				}
				w.tf += c.Fields[i].weight()
			}
		}
	}
	words := make([]*word, 0, len(byTerm))
	for _, w := range byTerm {
		words = append(words, w)
	}
	slices.SortFunc(words, func(a, b *word) int { return cmp.Or(cmp.Compare(b.tf, a.tf), strings.Compare(a.term, b.term)) })
	words = words[:min(similarLooks, len(words))]
	for _, w := range words {
		if err := s.ctx.Err(); err != nil {
			return nil, fmt.Errorf("search: %w", err)
		}
		df := int64(0)
		for _, other := range s.runs {
			n, err := s.sight(other).df(segment.SpaceText, []byte(w.term))
			if err != nil {
				return nil, err
			}
			df += n
		}
		if df > 1 { // otherwise no other record has it
			w.worth = w.tf * math.Log(1+float64(s.docs)/float64(df))
		}
	}
	slices.SortStableFunc(words, func(a, b *word) int { return cmp.Compare(b.worth, a.worth) })
	var all query.Bool
	for _, w := range words[:min(similarTerms, len(words))] {
		if w.worth > 0 {
			all.Should = append(all.Should, query.Text{Text: w.text})
		}
	}
	if len(all.Should) == 0 {
		return query.None{}, nil
	}
	return all, nil
}
