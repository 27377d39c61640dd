package engine

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/quarry-search/quarry/engine/internal/score"
	"github.com/quarry-search/quarry/engine/internal/search"
	"github.com/quarry-search/quarry/engine/query"
	"github.com/quarry-search/quarry/tokenize"
)

const (
	// negationShare is what a word after "without" takes away from the records
	// that hold it, as a share of what it would give if it were asked for. It is
	// little: the words that deny are common, and the record wanted may well
	// say "without batteries" itself.
	negationShare = 0.2
	// unwantedWords is how many words a cue may be about.
	unwantedWords = 3
	// wordEnds is what ends a clause that is written behind a word.
	wordEnds = ",;.!?"
)

// unwanted is what a query says it does not want, in one way of reading it.
type unwanted struct {
	leaf   int    // which scores nothing
	lacks  [2]int // the leaves of records that say that they do not have it: see lacking
	has    [2]int // and of those that say that they have it: see having
	weight uint64 // that it would have
}

// negation is a cue in a row of clauses and what it is about.
type negation struct {
	cue   []int // clauses
	about []int
	named string // what of its only clause it is about, if not all: "egg" of "egg-free"
	kind  bool   // it is about a kind of the thing: what names that says that it has it
}

// last is its last clause.
func (n *negation) last() int { return max(n.cue[len(n.cue)-1], n.about[len(n.about)-1]) }

// withoutNegated takes what is not wanted, and what says so, out of a row of
// clauses. What remains are words to look for; a query that would have none is
// taken as it stands, so that titles such as "Without a trace" are found.
func (r *resolver) withoutNegated(clauses []query.Node) []query.Node {
	if r.literal || r.req.Ranking != RankingDefault || r.tuning.Negation == 0 {
		return clauses
	}
	found := r.negations(clauses)
	if len(found) == 0 {
		return clauses
	}
	for _, n := range found {
		first := len(r.unwanted)
		var words []string
		var kind [2]int // leaves
		for _, i := range n.about {
			t := clauses[i]
			if w, ok := t.(query.Text); ok && n.named != "" {
				w.Text = n.named
				t = w
			}
			leaf := len(r.leaves)
			r.denied = true
			r.silently(func() *search.Expr { return r.node(t, 1, false) })
			r.denied = false
			if kind[1] == 0 {
				kind[0] = leaf
			}
			kind[1] = len(r.leaves)
			for ; leaf < len(r.leaves); leaf++ {
				r.unwanted = append(r.unwanted, unwanted{leaf: leaf})
			}
			word := strings.TrimRight(t.(query.Text).Text, wordEnds)
			r.notWanted = append(r.notWanted, word)
			words = append(words, r.readAs(word))
		}
		r.kindsOf(words, clauses, &n)
		lacks, has := r.lacking(words), [2]int{}
		if has = r.having(words); n.kind {
			has = kind
		}
		for i := first; i < len(r.unwanted); i++ {
			r.unwanted[i].lacks, r.unwanted[i].has = lacks, has
		}
	}
	var out []query.Node
	for i, c := range clauses {
		if !slices.ContainsFunc(found, func(n negation) bool { return slices.Contains(n.cue, i) || slices.Contains(n.about, i) }) {
			out = append(out, c)
		}
	}
	return out
}

// readAs returns a word of the query, or what it is a misspelt form of.
func (r *resolver) readAs(word string) string {
	if len(r.repairs) > 0 {
		if tokens := r.texts.tokens(r.run.iv.schema.plainest(), word); len(tokens) == 1 {
			if fix, ok := r.repairs[string(tokens[0].Word)]; ok {
				return fix.word
			}
		}
	}
	return word
}

// wordsOf returns the words of a clause of plain text, nil for another.
func (r *resolver) wordsOf(n query.Node) []tokenize.Token {
	t, ok := n.(query.Text)
	if !ok || t.Quoted || t.Prefix || t.Field != "" || len(r.run.iv.schema.text) == 0 {
		return nil
	}
	return r.texts.tokens(r.run.iv.schema.plainest(), t.Text)
}

// negations finds the cues of a row of clauses; none if nothing would remain.
func (r *resolver) negations(clauses []query.Node) (out []negation) {
	cues := r.cues()
	denies := r.intent.denies()
	if len(cues) == 0 && !denies || len(clauses) < 2 || len(clauses) == 2 && !denies {
		return nil
	}
	if !denies && !slices.ContainsFunc(clauses, func(c query.Node) bool {
		tokens := r.wordsOf(c)
		return len(tokens) == 1 && len(cues[string(tokens[0].Word)]) > 0
	}) {
		return nil // no cue begins anywhere
	}
	words := make([]string, len(clauses)) // folded; "" for what is not one word
	wanted := make([]bool, len(clauses))  // holds a content word
	ends := make([]bool, len(clauses))    // a comma or the like follows
	for i, c := range clauses {
		if t, ok := c.(query.Text); ok {
			ends[i] = strings.ContainsAny(t.Text[max(0, len(t.Text)-1):], wordEnds)
			wanted[i] = t.Quoted
		}
		if tokens := r.wordsOf(c); len(tokens) > 0 {
			wanted[i] = !r.stopWord(&tokens[0]) || len(tokens) > 1
			if len(tokens) == 1 {
				t, _ := c.(query.Text)
				words[i] = typed(t.Text, tokens[0].Word)
			}
		}
	}
	for i := 0; i < len(clauses); i++ {
		if n, ok := r.intent.denied(clauses, i); ok {
			for _, j := range append(n.cue, n.about...) {
				wanted[j] = false
			}
			out = append(out, n)
			i = n.last()
			continue
		}
		cue, ok := longestCue(cues, words[i:])
		if !ok || r.run.iv.schema.intentTables(r.run.e).cues.Harmless(words, i) || r.compares(words[i:], len(cue.Words)) || cue.Doubtful && !r.deniesKind(words, wanted, i) {
			continue
		}
		n := negation{kind: cue.Doubtful}
		for j := range cue.Words {
			n.cue = append(n.cue, i+j)
			wanted[i+j] = false
		}
		next := i + len(cue.Words)
		if cue.After {
			if i > 0 && wanted[i-1] && !ends[i-1] {
				n.about = []int{i - 1}
			}
		} else if !ends[next-1] {
			isCue := func(j int) bool {
				_, ok := longestCue(cues, words[j:])
				return ok || j > next && r.intent.wanted(clauses[j]) // a value of its own
			}
			n.about = endOfNoun(r.run.e, words, about(wanted, ends, next, isCue))
			for len(n.about) > 0 { // "without milk or sugar"
				joint := n.about[len(n.about)-1] + 1
				if joint+1 >= len(words) || ends[joint-1] || words[joint] == "" || !wanted[joint+1] || isCue(joint+1) || !r.joins(words[joint]) {
					break
				}
				n.cue = append(n.cue, joint)
				n.about = append(n.about, endOfNoun(r.run.e, words, about(wanted, ends, joint+1, isCue))...)
			}
		}
		if len(n.about) == 0 || cue.Tells && r.tells(words, wanted, n.about) {
			continue
		}
		for j := next; j < n.about[0]; j++ {
			n.cue = append(n.cue, j) // "the", which asks for nothing without its noun
		}
		for _, j := range n.about {
			wanted[j] = false
		}
		out = append(out, n)
		i = max(next, n.about[len(n.about)-1]+1) - 1
	}
	if !slices.Contains(wanted, true) {
		return nil
	}
	return out
}

// joins tells whether a folded word joins the things of a list, of which all are denied if one is.
func (r *resolver) joins(word string) bool {
	languages := r.req.Language
	if languages == "" {
		languages = r.run.iv.schema.intentTables(r.run.e).languages
	}
	return r.run.e.cuesOf(languages).Lists(word)
}

// about returns the clauses that a cue before from is about: past an article or
// two, the content words up to the next filler word, comma or cue.
func about(wanted, ends []bool, from int, isCue func(int) bool) (out []int) {
	const articles = 2
	for j := from; j < len(wanted) && len(out) < unwantedWords && !isCue(j); j++ {
		if wanted[j] {
			out = append(out, j)
		} else if len(out) > 0 || j-from >= articles {
			break
		}
		if ends[j] {
			break
		}
	}
	return out
}

// compares tells whether some words begin with a comparative and its number: "menos de 1500",
// whose first word is a cue of so many words.
func (r *resolver) compares(words []string, cue int) bool {
	n := r.run.iv.schema.intentTables(r.run.e).cues.Compares(words)
	return n >= cue && n < len(words) && words[n] != "" && words[n][0] >= '0' && words[n][0] <= '9'
}

const (
	// leastTold is how many words a query has from which on it may tell something rather than name a
	// kind of thing: "wardrobe came without screws", but "wardrobe without doors".
	leastTold = 4
	// longTold is the same of words that are no fillers, whatever it says.
	longTold = 6
	// leastProse is how many words, fillers aside, records have in the mean that are texts, and not
	// names of things.
	leastProse = 12
)

// tells tells whether a query tells what is the case where it says "without": it is asked of texts that
// have no fields beside their titles, as products, jobs and recipes have, and it goes on behind that,
// or is long, or no text says that something is with it, as those do that offer things with and without. Who writes
// "pictures without flash in low light" to a forum is answered by what speaks of flashes; "winter jacket
// without hood" names what is wanted, where there are jackets with hoods. about is what is without.
func (r *resolver) tells(words []string, wanted []bool, about []int) bool {
	iv := r.run.iv
	all := iv.stats.All
	if r.joint {
		all = r.s.all
	}
	if len(words) < leastTold || all.avg() < leastProse || slices.ContainsFunc(iv.schema.Fields, func(f Field) bool {
		return f.Type != Text || !f.Search || f.exact() && f.Weight <= 1 // and is no title
	}) {
		return false
	}
	said := 0
	for _, w := range wanted {
		if w {
			said++
		}
	}
	return said >= longTold || slices.Contains(wanted[about[len(about)-1]+1:], true) || !r.offered(words[about[0]:about[len(about)-1]+1])
}

// offered tells whether a text says that something is with what some words name.
func (r *resolver) offered(words []string) bool {
	if r.s == nil {
		return false
	}
	for _, g := range r.analyzers(r.mask) {
		for _, cue := range r.run.iv.schema.tables().has[g.setup.language] {
			said, err := r.s.inTexts(strings.Join(cue.Words, " ") + " " + strings.Join(words, " "))
			if err != nil {
				r.fail(err)
			}
			if said {
				return true
			}
		}
	}
	return false
}

// deniesKind tells whether a negation that may as well say what is wrong ("the card is not
// readable") denies a kind of the word before it: "kettle not electric". It does if it stands
// between that word and the last of the query, texts never say so themselves, and titles have
// the last word beside the other, or with the preposition before it: "bag not in leather".
func (r *resolver) deniesKind(words []string, wanted []bool, at int) bool {
	last := len(words) - 1
	if r.s == nil || at == 0 || !wanted[at-1] || last <= at || last > at+2 || !wanted[last] || last == at+2 && wanted[at+1] ||
		slices.Contains(words[at-1:], "") {
		return false
	}
	said, err := r.s.inTexts(strings.Join(words[at:], " "))
	kind := false
	if err == nil && !said && last == at+2 {
		kind, err = r.s.inTitles(strings.Join(words[at+1:], " "))
	} else if err == nil && !said {
		if kind, err = r.s.inTitles(words[last] + " " + words[at-1]); !kind && err == nil {
			kind, err = r.s.inTitles(words[at-1] + " " + words[last])
		}
	}
	if err != nil {
		r.fail(err)
	}
	return kind
}

// endOfNoun cuts what is denied behind the first noun where attributes stand before it and agree
// with it, as in Russian: what is behind "без мешка" is said of the thing itself.
func endOfNoun(e *Engine, words []string, about []int) []int {
	for n, i := range about {
		if first, _ := utf8.DecodeRuneInString(words[i]); unicode.Is(unicode.Cyrillic, first) && !e.cuesOf("ru").Attribute(words[i]) {
			return about[:n+1]
		}
	}
	return about
}

// longestCue returns the longest cue that words begin with.
func longestCue(cues map[string][]tokenize.Cue, words []string) (best tokenize.Cue, ok bool) {
	for _, c := range cues[words[0]] {
		if len(c.Words) > len(best.Words) && len(c.Words) <= len(words) && slices.Equal(c.Words, words[:len(c.Words)]) {
			best, ok = c, true
		}
	}
	return best, ok
}

// cues returns those of the request's language, or of the fields', by their
// first words.
func (r *resolver) cues() map[string][]tokenize.Cue {
	if r.req.Language != "" {
		return cueTable(r.req.Language)
	}
	return r.run.iv.schema.tables().cues
}

func cueTable(languages ...string) map[string][]tokenize.Cue {
	out := map[string][]tokenize.Cue{}
	slices.Sort(languages)
	for _, l := range slices.Compact(languages) {
		for _, c := range tokenize.Exclusions(l) {
			out[c.Words[0]] = append(out[c.Words[0]], c)
		}
	}
	return out
}

// without adds the bonuses of record i for what is not wanted. Bonuses only
// add, so it is those without it that get one, and those that say of themselves that
// they lack it. Those that say of themselves that they have it come behind others that are
// as good: these get a share of all that they have.
func (b *bonuses) without(i int) {
	if len(b.run.res.unwanted) == 0 {
		return
	}
	said := false
	for _, u := range b.run.res.unwanted {
		l := &b.run.res.leaves[u.leaf]
		impact := b.run.impact(b.hits[i].hit, u.leaf)
		if impact > 0 && b.holdsAny(i, u.lacks) {
			impact = 0
		} else if impact > 0 && b.holdsAny(i, u.has) {
			said = true
			continue
		}
		if impact < score.MaxImpact {
			b.add(bonusPart{stage: StageWithout, field: -1, term: l.term, score: u.weight * shareOf(b.tuning.Negation) / shareUnit * (score.MaxImpact - impact)})
		}
	}
	if !said {
		b.add(bonusPart{stage: StageWithout, field: -1, score: (b.hits[i].hit.Score + b.sum) / lesserShare})
	}
}

// lesserShare: one in so many of its score is what a record gains that does not say that it has
// what is not wanted.
const lesserShare = 2

// holdsAny tells whether record i holds one of some leaves, from the first to before the second.
func (b *bonuses) holdsAny(i int, leaves [2]int) bool {
	for l := leaves[0]; l < leaves[1]; l++ {
		if b.run.impact(b.hits[i].hit, l) > 0 {
			return true
		}
	}
	return false
}

// impact is that of a leaf in a record, whatever the leaf weighs.
func (run *searchRun) impact(h search.Hit, leaf int) uint64 {
	p, _ := run.q.Part(leaf, h.Segment, h.Doc)
	return uint64(p.Impact)
}
