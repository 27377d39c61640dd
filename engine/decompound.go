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
	// longHead is the letters of a head that may have three letters before it that are no
	// prefix, and longestHead of one that may have two, which minShort is.
	longHead    = 5
	longestHead = 8
	minShort    = 2
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
		var unheld []ending
		n := 0
		for j := range pieces {
			if p := &pieces[j]; p.kind == pieceLetters && !p.stop && r.err == nil {
				text, repaired := clauses[p.clause].(query.Text).Text[p.Start:p.End], false
				if fix, ok := d.repairs[string(p.Word)]; ok && len(d.req.Typo.OffFields) == 0 {
					text, repaired = fix.word, true
				}
				end, ok := d.endingOf(j, text)
				if !ok {
					continue
				}
				known := repaired || d.apart(j, text, end)
				if end.heads() {
					d.head(end)
				}
				if !d.held(&end) && !known {
					end.text = text
					unheld = append(unheld, end)
				}
				if n < maxPaired {
					content[n] = end
				}
				n++
			}
		}
		if n <= maxPaired {
			d.pairs(content[:n])
		} else {
			n = 0
		}
		for i := range unheld {
			if e := &unheld[i]; !d.paired(e, content[:n]) {
				d.loosen(e)
			}
		}
	}
}

// ending is how words end that have a word of the query as their head.
type ending struct {
	piece int    // the word
	term  string // of the word
	end   string // the term, "" if it is too short
	word  string // the word as it was typed, "" if it is too short
	shown string // the word as it was typed
	text  string // the same with diacritics, if the word has to be taken apart
}

// endOf is the ending of a word that was analyzed.
func endOf(at int, t *tokenize.Token) ending {
	e := ending{piece: at, term: string(t.Term), end: string(t.Term), shown: string(t.Word)}
	if utf8.RuneCountInString(e.end) < minHead {
		e.end = ""
	}
	if utf8.RuneCount(t.Word) >= minHead || e.end == "" {
		e.word = string(t.Word)
	}
	return e
}

// heads tells whether a word is long enough to be the head of compounds.
func (e *ending) heads() bool { return e.end != "" || utf8.RuneCountInString(e.word) >= minHead }

// key names what an ending finds.
func (e *ending) key() string { return "*" + e.end + "=" + e.word }

// endingOf returns the ending of a word; false: it is no word of the group's language.
func (d *decompounder) endingOf(at int, text string) (e ending, ok bool) {
	tokens := d.texts.tokens(d.g.analyzer, text)
	if len(tokens) != 1 || tokens[0].Kind != tokenize.KindWord || !spelt(tokens[0].Word) {
		return ending{}, false
	}
	return endOf(at, &tokens[0]), true
}

// head adds the compounds of which a word is the head.
func (d *decompounder) head(e ending) {
	if _, heads := d.endings(&e); heads > 0 {
		d.addCompounds(e, endedHead)
	}
}

// held tells whether some record within the caller's reach holds a word, or has it as the head of
// a compound. Where none does, compounds will do that have few letters before the head.
func (d *decompounder) held(e *ending) bool {
	compounds := func(least endedKind) func(o *decompounder) compoundLeaf {
		return func(o *decompounder) compoundLeaf { return o.leafOfCompounds(*e, least) }
	}
	switch {
	case d.seenTerm(e.term) || e.heads() && d.seen(compounds(endedHead)) > 0:
		return true
	case utf8.RuneCountInString(e.shown) >= minPart && d.seenFew(compounds(endedShort)):
		d.addCompounds(*e, endedShort)
		return true
	}
	return false
}

// addCompounds adds those of at least a kind.
func (d *decompounder) addCompounds(e ending, least endedKind) {
	d.found(string(d.pieces[e.piece].Word), "*"+e.shown, d.pieces[e.piece:e.piece+1], d.leafOfCompounds(e, least))
}

// leafOfCompounds is what the compounds of at least a kind are found by of which a word is the
// head.
func (d *decompounder) leafOfCompounds(e ending, least endedKind) compoundLeaf {
	return compoundLeaf{
		key: string(rune(least)) + e.key(),
		make: func(s *segmentRef, seg int) (*posting.List, error) {
			words, _ := d.endings(&e)
			return d.listEnding(s, seg, words, nil, least)
		},
		marks: func(yield func(string)) {
			words, _ := d.endings(&e)
			eachEnding(words, nil, least, func(w ended) { yield(w.word()) })
		},
	}
}

// pairs adds the compounds of two words of the query, in either order: the one is their head,
// and the other stands in what is before it. They stand for that: the head is found by itself.
func (d *decompounder) pairs(content []ending) {
	for i := range content {
		head := &content[i]
		words, _ := d.endings(head)
		if words == "" {
			continue
		}
		for j := range content {
			other := d.besideOf(&content[j])
			if i == j || content[i].term == content[j].term || utf8.RuneCountInString(other.begin) < minBeside {
				continue
			}
			any := false
			eachEnding(words, &other, endedBeside, func(ended) { any = true })
			if !any {
				continue
			}
			a, b := d.pieces[content[j].piece].Word, d.pieces[head.piece].Word
			typed := string(a) + " " + string(b)
			if j > i {
				typed = string(b) + " " + string(a)
			}
			d.found(typed, other.begin+"*"+string(b), d.pieces[content[j].piece:content[j].piece+1], d.leafOfPair(head, &other))
		}
	}
}

// paired tells whether some record within the caller's reach is found by a compound of a word and
// another of the query.
func (d *decompounder) paired(e *ending, content []ending) bool {
	other := d.besideOf(e)
	return utf8.RuneCountInString(other.begin) >= minBeside && slices.ContainsFunc(content, func(head ending) bool {
		return head.term != e.term && d.seen(func(o *decompounder) compoundLeaf { return o.leafOfPair(&head, &other) }) > 0
	})
}

// besideOf is a word as what may stand before the head of a compound.
func (d *decompounder) besideOf(e *ending) beside {
	other := beside{e.term, e.shown, d.links}
	if utf8.RuneCountInString(e.term) < minHead {
		other.begin = e.shown
	}
	return other
}

// leafOfPair is what the compounds are found by of a head and another word.
func (d *decompounder) leafOfPair(head *ending, other *beside) compoundLeaf {
	e, o := *head, *other
	return compoundLeaf{
		key: o.begin + "\x00" + o.word + "\x00" + e.key(),
		make: func(s *segmentRef, seg int) (*posting.List, error) {
			words, _ := d.endings(&e)
			return d.listEnding(s, seg, words, &o, endedBeside)
		},
		marks: func(yield func(string)) {
			words, _ := d.endings(&e)
			eachEnding(words, &o, endedBeside, func(w ended) { yield(w.word()) })
		},
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
	entries, err := d.entries(c)
	if err != nil {
		d.fail(err)
		return false
	}
	for _, en := range entries {
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

// entries returns the lists of a leaf, by segment.
func (d *decompounder) entries(c compoundLeaf) ([]*listEntry, error) {
	lists := d.run.compounds(d.run.iv.schema.maskKey(d.g.fields) + ":" + c.key)
	out := make([]*listEntry, 0, len(d.run.iv.segs))
	for i, s := range d.run.iv.segs {
		en, err := lists.expansion(s, func() (*posting.List, error) { return c.make(s, i) })
		if err != nil {
			return nil, err
		}
		out = append(out, en)
	}
	return out, nil
}

// apart adds what a word is when it is written as several, all of which a record has to have,
// wherever they are, and tells whether some record has. It has to be rare: what most records call
// a thing is what it is.
func (d *decompounder) apart(at int, text string, e ending) (seen bool) {
	p := d.pieces[at : at+1]
	restricted := len(d.req.Restrict) > 0
	if letters := utf8.RuneCount(p[0].Word); letters < 2*minPart || letters > maxSplitLetters {
		return false
	}
	if !restricted && d.holders(e.term) > max(2, min(rareRecords, int64(d.docs/rareShare))) {
		return false
	}
	parts, some := 0, false
	for _, s := range d.splitsOf(text, p[0].Token, restricted) {
		if some && !restricted && len(s.terms) > parts {
			break // records hold fewer parts
		}
		parts = len(s.terms)
		found := d.found(string(p[0].Word), s.text, p, d.leafOfSplit(s, p[0].Token))
		some = some || found
		if (d.joint || restricted && found) && !seen {
			seen = d.seen(func(o *decompounder) compoundLeaf { return o.leafOfSplit(s, p[0].Token) }) > 0
		}
	}
	return seen || some && !d.joint && !restricted
}

// leafOfSplit is what a word is found by as several.
func (d *decompounder) leafOfSplit(s split, of *tokenize.Token) compoundLeaf {
	return compoundLeaf{
		key: s.text + "\x00&" + strings.Join(s.terms, "\x00&"),
		make: func(seg *segmentRef, i int) (*posting.List, error) {
			words := ""
			if head, ok := d.endingOf(0, s.text[strings.LastIndexByte(s.text, ' ')+1:]); ok && head.heads() {
				words, _ = d.endings(&head)
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

// split is a word as several.
type split struct {
	terms []string
	text  string
}

// splitsOf returns the ways to split a word into parts that the index holds, into few parts
// first. They are remembered by view.
func (d *decompounder) splitsOf(text string, of *tokenize.Token, all bool) (out []split) {
	facts := d.run.e.facts
	plain := d.mask == nil && !d.joint && !all
	key := facts.key(d.run.iv, factParts, "&"+d.g.analyzer.Stems()+":"+text)
	if plain {
		if f := facts.find(&key); f != nil {
			return splitsIn(f.text)
		}
	}
	out = d.splits(text, maxParts, of)
	slices.SortStableFunc(out, func(a, b split) int { return len(a.terms) - len(b.terms) })
	if !all {
		out = d.longestHeads(out)
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
		var tails []split
		if term, ok := d.part(text[at:], true, of); ok {
			tails = append(tails, split{[]string{term}, strings.ToLower(text[at:])})
		}
		if most > 2 {
			tails = append(tails, d.splits(text[at:], most-1, of)...)
		}
		if len(tails) == 0 {
			continue
		}
		for _, link := range d.links {
			first, ok := strings.CutSuffix(text[:at], link)
			if !ok || utf8.RuneCountInString(first) < minPart {
				continue
			}
			term, ok := d.part(first, false, of)
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
// at the end of a compound, which is not the word itself, where the part is a head.
func (d *decompounder) part(text string, head bool, of *tokenize.Token) (term string, ok bool) {
	t, ok := d.partToken(text, !head)
	if !ok {
		return "", false
	}
	if e := endOf(0, t); d.holders(e.term) > 0 || head && e.heads() && d.isHead(&e, of) {
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

// isHead tells whether some index of the search has compounds of which a word is the head,
// beside those that a word of the query is the end of.
func (d *decompounder) isHead(e *ending, of *tokenize.Token) bool {
	return slices.ContainsFunc(d.everywhere(), func(o *decompounder) bool {
		words, heads := o.endings(e)
		return heads > 0 && others(words, of) != ""
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
