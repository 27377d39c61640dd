package engine

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/tokenize"
)

// apart adds what a word is when it is written as several, all of which a record has to have,
// wherever they are, and tells whether some record has. It has to be rare: what most records call
// a thing is what it is.
func (d *decompounder) apart(at int, text string, e ending) (seen bool) {
	p := d.pieces[at : at+1]
	if letters := utf8.RuneCount(p[0].Word); letters < 2*minPart || letters > maxSplitLetters {
		return false
	}
	if d.holders(e.term) > d.rareAtMost() {
		return false
	}
	parts, some := 0, false
	for _, s := range d.splitsOf(text, p[0].Token) {
		if (some && !d.joint || seen) && len(s.terms) > parts {
			break // records hold fewer parts
		}
		parts = len(s.terms)
		found := d.found(string(p[0].Word), s.text, p, d.leafOfSplit(s, p[0].Token))
		some = some || found
		if d.joint && !seen {
			seen = d.seen(func(o *decompounder) compoundLeaf { return o.leafOfSplit(s, p[0].Token) }) > 0
		}
	}
	return seen || some && !d.joint
}

// leafOfSplit is what a word is found by as several.
func (d *decompounder) leafOfSplit(s split, of *tokenize.Token) compoundLeaf {
	return compoundLeaf{
		key: s.text + "\x00&" + strings.Join(s.terms, "\x00&"),
		make: func(seg *segmentRef, i int) (*posting.List, error) {
			var words []ended
			if t, ok := d.partToken(s.text[strings.LastIndexByte(s.text, ' ')+1:], false); ok {
				if head := endOf(0, t); head.heads() {
					words, _ = d.endings(&head)
				}
			}
			return d.listAll(seg, i, s.terms, others(words, of))
		},
		marks: func(yield func(string)) {
			for _, term := range s.terms {
				yield(term)
			}
		},
	}
}

// leafOfAll is what records are found by that have all of some terms, wherever they are.
func (d *decompounder) leafOfAll(text string, terms []string) compoundLeaf {
	return compoundLeaf{
		key: text + "\x00&&" + strings.Join(terms, "\x00&"),
		make: func(seg *segmentRef, i int) (*posting.List, error) {
			return d.listAll(seg, i, terms, nil)
		},
		marks: func(yield func(string)) {
			for _, term := range terms {
				yield(term)
			}
		},
	}
}

// split is a word as several.
type split struct {
	terms []string
	text  string
}

// splitsOf returns the ways to split a word into parts that records hold which the caller may see, into
// few parts first. They are remembered by view.
func (d *decompounder) splitsOf(text string, of *tokenize.Token) (out []split) {
	facts := d.run.e.facts
	plain := d.plain()
	key := facts.key(d.run.iv, factParts, "&"+d.sightKey()+d.g.analyzer.Stems()+":"+text)
	if plain {
		if f := facts.find(&key); f != nil {
			return splitsIn(f.text)
		}
	}
	out = d.splits(text, maxParts, of)
	slices.SortStableFunc(out, func(a, b split) int { return len(a.terms) - len(b.terms) })
	out = d.longestHeads(out)
	out = out[:min(len(out), maxSplits)]
	if plain && d.err == nil {
		var b strings.Builder
		for _, s := range out {
			b.WriteString(s.text + "\t" + strings.Join(s.terms, "\t") + "\n")
		}
		facts.add(&wordFact{key: key, text: b.String()})
	}
	return out
}

// longestHeads leaves out ways to split a word in two that take letters from the head of
// another, if no record holds either head as a word: "chrauber" is one of "Schrauber".
func (d *decompounder) longestHeads(list []split) (out []split) {
	for _, s := range list {
		if len(s.terms) > 2 || d.holders(s.terms[1]) > 0 || !slices.ContainsFunc(out, func(o split) bool { return o.terms[0] == s.terms[0] && len(o.terms) == 2 }) {
			out = append(out, s)
		}
	}
	return out
}

// splitsIn reads what splitsOf remembers.
func splitsIn(text string) (out []split) {
	for line := range strings.Lines(text) {
		columns := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		out = append(out, split{terms: columns[1:], text: columns[0]})
	}
	return out
}

// splits returns the ways to split a word into at most so many parts.
func (d *decompounder) splits(text string, most int, of *tokenize.Token) (out []split) {
	letters, n := utf8.RuneCountInString(text), 0
	for at := range text {
		if n++; n <= minPart || letters-n+1 < minPart {
			continue
		}
		firsts := d.firsts(text[:at], of)
		if len(firsts) == 0 {
			continue
		}
		var tails []split
		if term, ok := d.part(text[at:], true, of); ok {
			tails = append(tails, split{[]string{term}, strings.ToLower(text[at:])})
		}
		if most > 2 {
			tails = append(tails, d.splits(text[at:], most-1, of)...)
		}
		for _, term := range firsts {
			for _, tail := range tails {
				s := split{append([]string{term}, tail.terms...), strings.ToLower(text[:at]) + " " + tail.text}
				if !slices.ContainsFunc(out, func(o split) bool { return slices.Equal(o.terms, s.terms) }) {
					out = append(out, s)
				}
			}
		}
	}
	return out
}

// firsts returns the terms of what a word begins with, without what joins it to the next part.
func (d *decompounder) firsts(begin string, of *tokenize.Token) (terms []string) {
	for _, link := range d.links {
		first, ok := strings.CutSuffix(begin, link)
		if !ok || utf8.RuneCountInString(first) < minPart {
			continue
		}
		if term, ok := d.part(first, false, of); ok {
			terms = append(terms, term)
		}
	}
	return terms
}

// part returns the term of a part of a word, if a record that the caller may see holds it, or has it
// at the end of a compound, which is not the word itself, where the part is a head.
func (d *decompounder) part(text string, head bool, of *tokenize.Token) (term string, ok bool) {
	t, ok := d.partToken(text, !head)
	if !ok {
		return "", false
	}
	if e := endOf(0, t); d.holders(e.term) > 0 || head && e.heads() && d.isHead(&e, of) && d.seesHead(text, of) {
		return e.term, true
	}
	return "", false
}

// partToken returns a part of a word as a token; false: it is no word. The first parts of
// words do not lose letters to their stems but those that may be a link: "kaffeem" is no
// "Kaffee".
func (d *decompounder) partToken(text string, first bool) (*tokenize.Token, bool) {
	tokens := d.g.analyzer.AnalyzeQuery(text)
	if len(tokens) != 1 || tokens[0].Kind != tokenize.KindWord || d.stopWord(&tokens[0]) {
		return nil, false
	}
	t := &tokens[0]
	lost, cut := strings.CutPrefix(string(t.Word), string(t.Term))
	return t, !first || !cut || slices.Contains(d.links, lost)
}

// seesHead tells whether the caller may see a record with one of the compounds that isHead has met, of a
// word that no record holds which they may see.
func (d *decompounder) seesHead(head string, of *tokenize.Token) bool {
	return len(d.req.Restrict) == 0 || d.seen(func(o *decompounder) compoundLeaf { c, _ := o.leafOfHead(head, of); return c }) > 0
}

// isHead tells whether some index of the search has compounds of which a word is the head,
// beside those that a word of the query is the end of.
func (d *decompounder) isHead(e *ending, of *tokenize.Token) bool {
	return slices.ContainsFunc(d.everywhere(), func(o *decompounder) bool {
		words, heads := o.endings(e)
		return heads > 0 && len(others(words, of)) > 0
	})
}

// everywhere returns the decompounder of each index of the search for the fields that are
// read as those of the group are.
func (d *decompounder) everywhere() (out []*decompounder) {
	for _, run := range d.run.all {
		for _, g := range run.res.analyzers(run.res.mask) {
			if g.setup == d.g.setup {
				out = append(out, &decompounder{resolver: run.res, g: g, links: d.links})
			}
		}
	}
	return out
}
