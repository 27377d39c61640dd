package engine

import (
	"cmp"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/search"
	"github.com/quarry-search/quarry/engine/internal/segment"
	"github.com/quarry-search/quarry/engine/query"
)

// "find -iname" asks what the option does, and "shoes -red" for shoes that are not red. Which of
// them it is the records say: those of a manual write the option with its minus. If one word with a
// minus is written so, all of the query that have one are options.

const (
	// optionRecords is how many records that have a word are read to see whether it is an
	// option, and optionShare the part of them, one in so many, that write it so at least.
	optionRecords = 12
	optionShare   = 4
	optionBytes   = 1 << 20 // of them that are read
)

// options makes words of a query again what has a minus before it, if that is an option of a command.
func (s *searcher) options(tree query.Node) (query.Node, error) {
	b, ok := tree.(query.Bool)
	if !ok || s.req.Syntax != SyntaxSimple || s.req.Ranking != RankingDefault || len(b.MustNot) == 0 || len(b.Should) == 0 {
		return tree, nil
	}
	isOption := false
	for _, n := range b.MustNot {
		t, ok := n.(query.Text)
		if !ok || t.Quoted || isOption {
			continue
		}
		for _, run := range s.runs {
			is, err := run.isOption(t.Text)
			if err != nil {
				return nil, err
			}
			isOption = isOption || is
		}
	}
	if !isOption {
		return tree, nil
	}
	out := query.Bool{Should: slices.Clone(b.Should), Must: b.Must, MinShould: b.MinShould}
	for _, n := range b.MustNot {
		if t, ok := n.(query.Text); ok && !t.Quoted {
			out.Should = append(out.Should, t)
		} else {
			out.MustNot = append(out.MustNot, n)
		}
	}
	slices.SortStableFunc(out.Should, func(x, y query.Node) int { return cmp.Compare(startOf(x), startOf(y)) })
	return out, nil
}

// startOf is where a clause begins in the query.
func startOf(n query.Node) int {
	switch n := n.(type) {
	case query.Text:
		return n.Start
	case query.Bool:
		if len(n.Should) > 0 {
			return startOf(n.Should[0])
		}
	}
	return 0
}

// isOption tells whether records that the caller may see have a word with a minus before it.
func (run *searchRun) isOption(word string) (bool, error) {
	seen, err := run.res.sight()
	if err != nil {
		return false, err
	}
	for _, g := range run.res.analyzers(run.res.mask) {
		tokens := run.res.texts.tokens(g.analyzer, word)
		if len(tokens) == 0 {
			continue
		}
		lists := make([]*posting.List, len(run.iv.segs))
		of := run.term(segment.SpaceText, tokens[0].Term, false)
		for i, s := range run.iv.segs {
			if lists[i], err = of.list(s); err != nil {
				return false, err
			}
		}
		read, bytes, written := 0, 0, 0
		r := run.e.storedReader(run.kv, run.iv.ix.number)
		defer r.Close()
		var failed error
		err = run.eachSeen(seen, lists, func(_ int, _ *search.Slot, doc posting.DocID) bool {
			block, at, err := r.find(doc)
			if err != nil {
				failed = err
				return false
			}
			record := block.Record(at)
			read, bytes = read+1, bytes+len(record)
			for _, values := range textsOf(record, run.iv.schema) {
				if slices.ContainsFunc(values, func(text string) bool { return hasOption(text, word) }) {
					written++
					break
				}
			}
			return read < optionRecords && bytes < optionBytes
		})
		if err = cmp.Or(err, failed); err != nil {
			return false, err
		}
		if written > 0 && written*optionShare >= read {
			return true, nil
		}
	}
	return false, nil
}

// hasOption tells whether a text has a word with a minus before it that joins it to nothing.
func hasOption(text, word string) bool {
	for at := 0; at+1 < len(text); at++ {
		if text[at] != '-' || len(text)-at <= len(word) || text[at+1:at+1+len(word)] != word {
			continue
		}
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		behind, _ := utf8.DecodeRuneInString(text[at+1+len(word):])
		if at > 0 && (unicode.IsLetter(before) || unicode.IsDigit(before) || before == '-' || before == ')') {
			continue
		}
		if !unicode.IsLetter(behind) && !unicode.IsDigit(behind) {
			return true
		}
	}
	return false
}
