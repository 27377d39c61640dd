package engine

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/search"
	"github.com/quarry-search/quarry/engine/query"
	"github.com/quarry-search/quarry/tokenize"
)

// Languages that write compounds as one word (tokenize.Analyzer.Links) say in one word what
// others say in several. Words of the query are therefore also looked for
//
//   - as the head of compounds: "Jacke" is in "Winterjacke", which is a kind of it;
//   - by twos as one: "Futter für Hunde" is "Hundefutter", where the other word says the kind;
//   - apart, if hardly any record holds them: "Kinderschuhe" are in "Schuhe für Kinder".
//
// What is a compound is told by its letters alone, not by whether its parts are words of the
// index: so it is the same whatever the segments are, what is deleted from them, and what a
// caller may see. The words that end with another are found in the lexicons of the segments,
// by a search in each and no walk. They are remembered by view.

const (
	// minHead is the letters of the shortest word that is the head of compounds, and minRest
	// of what stands before it: with three letters, "Verstand" had the head "Stand".
	minHead = 4
	minRest = 4
	// minBeside is the letters of what stands before the head if another word of the query
	// says it: "Tee" and "Kanne".
	minBeside = 3
	// maxPaired is how many content words a query has whose pairs are looked for.
	maxPaired = 6
	// maxSplits is how many ways to split a word are tried, and maxParts of how many parts. Who
	// may not see all records has all of them tried: what others hold must not push one out.
	maxSplits = 64
	maxParts  = 3
)

// decompounder looks for the words of a query in compounds, in the fields of one analyzer.
type decompounder struct {
	*resolver
	g      analyzerGroup
	links  []string
	pieces []piece
	words  []word
}

// decompound adds to words, which the pieces of clauses were resolved to, what they are in
// languages that write compounds as one word.
func (r *resolver) decompound(clauses []query.Node, pieces []piece, words []word, groups []analyzerGroup) {
	for i := range groups {
		links := groups[i].analyzer.Links()
		if links == nil {
			continue
		}
		d := decompounder{r, groups[i], links, pieces, words}
		var content [maxPaired]ending
		n := 0
		for j := range pieces {
			if p := &pieces[j]; p.kind == pieceLetters && !p.stop && r.err == nil {
				text := clauses[p.clause].(query.Text).Text[p.Start:p.End]
				end, ok := d.endingOf(j, text)
				if !ok {
					continue
				}
				if d.apart(j, text, end); utf8.RuneCountInString(end.end) >= minHead {
					d.head(end)
				}
				if n < maxPaired {
					content[n] = end
				}
				n++
			}
		}
		if n <= maxPaired {
			d.pairs(content[:n])
		}
	}
}

// ending is how words end that have a word of the query as their head.
type ending struct {
	piece int    // the word
	term  string // of the word
	end   string // the term, or the word as it was typed if the term is too short
	typed bool
}

// key names what an ending finds.
func (e *ending) key() string {
	if e.typed {
		return "=" + e.end
	}
	return "*" + e.end
}

// endingOf returns the ending of a word; false: it is no word of the group's language.
func (d *decompounder) endingOf(at int, text string) (e ending, ok bool) {
	tokens := d.texts.tokens(d.g.analyzer, text)
	if len(tokens) != 1 || tokens[0].Kind != tokenize.KindWord || !spelt(tokens[0].Word) {
		return ending{}, false
	}
	e = ending{piece: at, term: string(tokens[0].Term), end: string(tokens[0].Term)}
	if utf8.RuneCountInString(e.end) < minHead {
		e.end, e.typed = string(tokens[0].Word), true
	}
	return e, true
}

// head adds the compounds of which a word is the head.
func (d *decompounder) head(e ending) {
	words, heads := d.endings(&e)
	if heads == 0 {
		return
	}
	p := &d.pieces[e.piece]
	d.found(string(p.Word), "*"+string(p.Word), d.pieces[e.piece:e.piece+1], compoundLeaf{
		key: e.key(),
		make: func(s *segmentRef, seg int) (*posting.List, error) {
			return d.listEnding(s, seg, words, &e, "")
		},
		marks: func(yield func(string)) { eachEnding(words, &e, "", yield) },
	})
}

// pairs adds the compounds of two words of the query, in either order: the one is their head,
// and they begin with the other. They stand for that: the head is found by itself.
func (d *decompounder) pairs(content []ending) {
	for i := range content {
		words, _ := d.endings(&content[i])
		if words == "" {
			continue
		}
		for j := range content {
			a, b := &d.pieces[content[j].piece], &d.pieces[content[i].piece]
			begin := content[j].term
			if utf8.RuneCountInString(begin) < minHead {
				begin = string(a.Word)
			}
			if i == j || content[i].term == content[j].term || utf8.RuneCountInString(begin) < minBeside {
				continue
			}
			any := false
			eachEnding(words, &content[i], begin, func(string) { any = true })
			if !any {
				continue
			}
			typed := string(a.Word) + " " + string(b.Word)
			if j > i {
				typed = string(b.Word) + " " + string(a.Word)
			}
			e := content[i]
			d.found(typed, begin+"*"+string(b.Word), d.pieces[content[j].piece:content[j].piece+1], compoundLeaf{
				key: begin + "\x00" + e.key(),
				make: func(s *segmentRef, seg int) (*posting.List, error) {
					return d.listEnding(s, seg, words, &e, begin)
				},
				marks: func(yield func(string)) { eachEnding(words, &e, begin, yield) },
			})
		}
	}
}

// compoundLeaf is what words of a query are found by in compounds.
type compoundLeaf struct {
	key   string // names it
	make  func(s *segmentRef, seg int) (*posting.List, error)
	marks func(yield func(term string)) // what highlights show
}

// found adds a leaf for a span of the query, which was typed so, and tells whether any record
// is found by it: if none is, there is no leaf.
func (d *decompounder) found(typed, told string, span []piece, c compoundLeaf) bool {
	l := leaf{term: told, from: typed, boost: 1, factor: d.tuning.Compound, like: d.likeOf(d.words, span), fields: d.g.fields}
	l.global = d.global("&"+c.key, d.g)
	lists := d.run.compounds(d.run.iv.schema.maskKey(d.g.fields) + ":" + c.key)
	for i, s := range d.run.iv.segs {
		en, err := lists.expansion(s, func() (*posting.List, error) { return c.make(s, i) })
		if err != nil {
			d.fail(err)
			return false
		}
		l.df += int64(en.liveDF(d.run.iv))
		l.lists, l.first = append(l.lists, en.list), append(l.first, &en.leaders)
	}
	if l.df == 0 {
		return false
	}
	at, e := d.add(l)
	d.joined = append(d.joined, compound{Correction{From: typed, To: told}, at, at + 1})
	if len(d.req.Restrict) == 0 { // or records out of sight would be known of
		d.meant = append(d.meant, strings.Fields(typed)...)
	}
	if d.req.Highlight != nil {
		c.marks(func(term string) {
			d.marked = append(d.marked, markedTerm{terms: []string{term}, fields: d.g.fields, weight: wordWorth})
		})
	}
	for i := range d.words {
		if w := &d.words[i]; isOf(span, w) {
			w.expr = &search.Expr{Op: search.OpOr, Kids: []*search.Expr{w.expr, e}}
		}
	}
	return true
}

// apart adds what a word is when it is written as several, all of which a record has to have,
// wherever they are. It has to be rare: what most records call a thing is what it is.
func (d *decompounder) apart(at int, text string, e ending) {
	p := d.pieces[at : at+1]
	restricted := len(d.req.Restrict) > 0
	if letters := utf8.RuneCount(p[0].Word); letters < 2*minPart || letters > maxSplitLetters {
		return
	}
	if !restricted && d.holders(e.term) > max(2, min(rareRecords, int64(d.docs/rareShare))) {
		return
	}
	parts, some := 0, false
	for _, s := range d.splitsOf(text, restricted) {
		if some && !restricted && len(s.terms) > parts {
			break // records hold fewer parts
		}
		parts = len(s.terms)
		head := ending{term: s.terms[len(s.terms)-1], end: s.terms[len(s.terms)-1]}
		words := ""
		if utf8.RuneCountInString(head.end) >= minHead {
			words, _ = d.endings(&head)
		}
		some = d.found(string(p[0].Word), s.text, p, compoundLeaf{
			key: strings.Join(s.terms, "\x00&"),
			make: func(seg *segmentRef, i int) (*posting.List, error) {
				return d.listAll(seg, i, s.terms, words, &head)
			},
			marks: func(yield func(string)) {
				for _, term := range s.terms {
					yield(term)
				}
			},
		}) || some
	}
}

// split is a word as several.
type split struct {
	terms []string
	text  string
}

// splitsOf returns the ways to split a word into parts that the index holds, into few parts
// first. They are remembered by view.
func (d *decompounder) splitsOf(text string, all bool) (out []split) {
	facts := d.run.e.facts
	plain := d.mask == nil && !d.joint && !all
	key := facts.key(d.run.iv, factParts, "&"+d.g.analyzer.Stems()+":"+text)
	if plain {
		if f := facts.find(&key); f != nil {
			return splitsIn(f.text)
		}
	}
	out = d.splits(text, maxParts)
	slices.SortStableFunc(out, func(a, b split) int { return len(a.terms) - len(b.terms) })
	if !all {
		out = out[:min(len(out), maxSplits)]
	}
	if plain && d.err == nil {
		var b strings.Builder
		for _, s := range out {
			b.WriteString(s.text + "\t" + strings.Join(s.terms, "\t") + "\n")
		}
		facts.add(&wordFact{key: key, text: b.String()})
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
func (d *decompounder) splits(text string, most int) (out []split) {
	letters, n := utf8.RuneCountInString(text), 0
	for at := range text {
		if n++; n <= minPart || letters-n+1 < minPart {
			continue
		}
		var tails []split
		if term, ok := d.part(text[at:], true); ok {
			tails = append(tails, split{[]string{term}, strings.ToLower(text[at:])})
		}
		if most > 2 {
			tails = append(tails, d.splits(text[at:], most-1)...)
		}
		if len(tails) == 0 {
			continue
		}
		for _, link := range d.links {
			first, ok := strings.CutSuffix(text[:at], link)
			if !ok || utf8.RuneCountInString(first) < minPart {
				continue
			}
			term, ok := d.part(first, false)
			if !ok {
				continue
			}
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

// part returns the term of a part of a word, if some index of the search holds it, or has it
// at the end of a compound where the part is a head.
func (d *decompounder) part(text string, head bool) (term string, ok bool) {
	tokens := d.g.analyzer.AnalyzeQuery(text)
	if len(tokens) != 1 || tokens[0].Kind != tokenize.KindWord || d.stopWord(&tokens[0]) {
		return "", false
	}
	e := ending{term: string(tokens[0].Term), end: string(tokens[0].Term)}
	if d.holders(e.term) > 0 {
		return e.term, true
	}
	if !head || utf8.RuneCountInString(e.end) < minHead {
		return "", false
	}
	for _, run := range d.run.all {
		for _, g := range run.res.analyzers(run.res.mask) {
			if g.setup == d.g.setup {
				e := e
				if _, heads := (&decompounder{resolver: run.res, g: g}).endings(&e); heads > 0 {
					return e.term, true
				}
			}
		}
	}
	return "", false
}
