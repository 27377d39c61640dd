package engine

import (
	"slices"
	"unicode/utf8"

	"github.com/quarry-search/quarry/engine/internal/segment"
	"github.com/quarry-search/quarry/engine/internal/thesaurus"
	"github.com/quarry-search/quarry/engine/query"
	"github.com/quarry-search/quarry/tokenize"
)

// A word that no record holds, and that is like none, may be two that were typed without the
// space: "oatmilk". If records have them side by side, it stands for that (compound.go). If not,
// the query is read with both: records that have one of them are nearer to it than none. One
// of them has to be known as a word of the language, since any two rows of letters are held by
// some record of many, and records have to hold both, or the thesaurus has to know them
// together: "firetruck".
// Languages that write compounds as one word have rules of their own (decompound.go).

// apartWords reads a text as two words, if it may be that, and tells whether it could.
func (sp *speller) apartWords(t query.Text, readings []reading, start, end int) (bool, error) {
	if sp.rare || sp.req.Typo.Off || t.Field != "" || says(t.Text[:start]) || says(t.Text[end:]) || len(t.Text) != t.End-t.Start {
		return false, nil
	}
	if !slices.ContainsFunc(plainClauses(sp.tree), func(c query.Node) bool { w, ok := plainWord(c); return ok && w.Start == t.Start }) {
		return false, nil
	}
	word := string(readings[0].token.Word)
	if len(word) != end-start || utf8.RuneCountInString(word) < 2*minPart {
		return false, nil
	}
	best, most := 0, int64(-1)
	n, all := 0, utf8.RuneCountInString(word)
	for at := range word {
		if n++; n <= minPart || all-n+1 < minPart {
			continue
		}
		for _, run := range sp.runs {
			worth, err := sp.worthApart(run, word[:at], word[at:])
			if err != nil {
				return false, err
			}
			if worth > most {
				best, most = at, worth
			}
		}
	}
	if best == 0 {
		return false, nil
	}
	if sp.parts == nil {
		sp.parts = map[int]int{}
	}
	sp.parts[t.Start] = start + best
	shown := sp.formOf(word[:best], "") + " " + sp.formOf(word[best:], "")
	sp.changes = append(sp.changes, change{t.Start + start, t.Start + end, t.Text[start:end], word[:best] + " " + word[best:], shown})
	return true, nil
}

// worthApart is how many records of all indexes of the search hold the rarer of two words, as an index
// reads them, more than any do if the thesaurus knows them together, and less than none if they are no
// such words.
func (sp *speller) worthApart(run *searchRun, first, second string) (int64, error) {
	for _, g := range run.res.analyzers(run.res.mask) {
		if g.analyzer.Links() != nil {
			continue
		}
		least, terms, known := int64(-1), make([]string, 0, 2), false
		for _, word := range [...]string{first, second} {
			tokens := run.res.texts.tokens(g.analyzer, word)
			if len(tokens) != 1 || run.res.stopWord(&tokens[0]) {
				break
			}
			known = known || tokenize.Written(g.analyzer.Stems(), tokens[0].Word) || run.knows(&tokens[0])
			n := int64(0)
			for _, v := range sp.sights {
				here, err := v.df(segment.SpaceText, tokens[0].Term)
				if err != nil {
					return 0, err
				}
				n += here
			}
			if terms = append(terms, string(tokens[0].Term)); least < 0 || n < least {
				least = n
			}
		}
		if len(terms) < 2 || !known {
			continue
		}
		if known := thesaurus.Of(g.analyzer.Stems()); known.Known() && !sp.req.NoSynonyms && !run.iv.schema.NoThesaurus {
			if n, _ := known.Find(terms); n == 2 {
				return int64(sp.docs), nil
			}
		}
		if least > 0 {
			return least, nil
		}
	}
	return -1, nil
}

// takeApart returns a tree with the clauses that are two words as these. parts is by where they
// begin in the query how long the first word is.
func takeApart(n query.Node, parts map[int]int) query.Node {
	switch n := n.(type) {
	case query.Text:
		if at := parts[n.Start]; at > 0 && !n.Quoted {
			first, second := n, n
			first.Text, first.End = n.Text[:at], n.Start+at
			second.Text, second.Start = n.Text[at:], n.Start+at
			return query.Bool{Should: []query.Node{first, second}}
		}
	case query.Bool:
		var should []query.Node
		for _, c := range n.Should {
			t, ok := c.(query.Text)
			if two, is := takeApart(t, parts).(query.Bool); ok && is {
				should = append(should, two.Should...)
			} else {
				should = append(should, c)
			}
		}
		n.Should = should
		return n
	}
	return n
}
