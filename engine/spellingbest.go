package engine

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/quarry-search/quarry/engine/internal/fuzzy"
	"github.com/quarry-search/quarry/engine/internal/segment"
)

// candidate is a word of the vocabulary near the one typed.
type candidate struct {
	word  string
	edits int
	moved bool     // it has the letters of the one typed, in another order
	alike bool     // it sounds alike
	dfs   [2]int64 // documents in SpaceText and SpaceWord, deleted ones included
}

// candidateSize is what a candidate takes beside its letters.
const candidateSize = 48

// farLetters is the length of a word from which one that has no other near it is
// taken for another two edits away, if that one stands beside the rest of the
// query, or has the same letters and begins with the same.
const farLetters = 5

// best returns the word of the vocabulary that a word is most likely to mean.
// A word that is still being typed may also be the beginning of one, if no
// whole word is near. least documents have to hold it. Where a word is near that may
// not have been meant (isDoubtful), nothing farther away is.
func (sp *speller) best(word, field string, open bool, least int64) (repair, bool, error) {
	letters := utf8.RuneCountInString(word)
	limit := sp.req.Typo.edits(letters)
	if sp.rare {
		limit, open = min(limit, 1), false
	}
	open = open && letters >= begunLetters
	p, ok := fuzzy.NewPattern(word)
	if !ok || limit == 0 {
		return repair{}, false, nil
	}
	sp.doubted = false
	best, ok, err := sp.among(nearWords, p, limit, word, field, sp.right, least)
	if !ok && err == nil && open && !sp.doubted {
		best, ok, err = sp.among(beginnings, p, limit, word, field, false, least)
	}
	if !ok && err == nil && !sp.doubted && limit == 1 && letters >= farLetters && sp.req.Typo.Min2 == 0 && !sp.rare {
		best, ok, err = sp.among(nearWords, p, 2, word, field, true, least)
	}
	if !ok && err == nil && !sp.doubted && !sp.rare {
		best, ok, err = sp.tail(word, field, p)
	}
	return best, ok, err
}

// wordSearch is a way to look for words of the vocabulary.
type wordSearch uint8

const (
	nearWords  wordSearch = iota // those near a word
	beginnings                   // those that begin with one near it
)

func (k wordSearch) in(l *fuzzy.Lexicon, p *fuzzy.Pattern, limit int, f func([]byte, uint32, int)) {
	if k == beginnings {
		l.Beginning(p, limit, f)
	} else {
		l.Near(p, limit, f)
	}
}

// fact is the kind of what is remembered of a search.
func (k wordSearch) fact(limit int) factKind { return factNear + factKind(2*limit) + factKind(k) }

// among returns the best of the words that a search finds. With beside, it has to
// stand beside other words of the query.
func (sp *speller) among(search wordSearch, p *fuzzy.Pattern, limit int, word, field string, beside bool, least int64) (repair, bool, error) {
	found, err := sp.found(search, p, limit, word)
	if err != nil || len(found) == 0 {
		return repair{}, false, err
	}
	return sp.choose(found, word, field, beside, least)
}

// found returns the words that a search finds, and those that sound alike. They must not
// be changed: what an index has is remembered.
func (sp *speller) found(search wordSearch, p *fuzzy.Pattern, limit int, word string) ([]candidate, error) {
	facts, key := sp.e.facts, factKey{}
	if len(sp.runs) == 1 {
		key = facts.key(sp.runs[0].iv, search.fact(limit), word)
		if f := facts.find(&key); f != nil {
			return f.near, nil
		}
	}
	found := map[string]*candidate{}
	if err := sp.find(found, search, p, limit, word); err != nil {
		return nil, err
	}
	if err := sp.respelt(found, word); err != nil {
		return nil, err
	}
	delete(found, word) // only deleted documents, or ones out of sight, hold it
	out := make([]candidate, 0, len(found))
	for _, c := range found {
		out = append(out, *c)
	}
	if len(sp.runs) == 1 && len(out) <= maxNearWords {
		facts.add(&wordFact{key: key, near: out})
	}
	return out, nil
}

// find adds to found what a search of the vocabulary finds for a word.
func (sp *speller) find(found map[string]*candidate, search wordSearch, p *fuzzy.Pattern, limit int, word string) error {
	for _, run := range sp.runs {
		for _, s := range run.iv.segs {
			l, err := sp.e.lexicon(sp.ctx, s)
			if err != nil {
				return err
			}
			search.in(l, p, limit, func(w []byte, info uint32, edits int) {
				c := found[string(w)]
				if c == nil {
					c = &candidate{word: string(w), edits: edits, moved: sameLetters(string(w), word)}
					found[c.word] = c
				}
				c.dfs[info&1] += int64(info >> 1)
			})
		}
	}
	return nil
}

// choose returns the best of the candidates that may be seen. Their counts are
// upper bounds, so it goes by these and stops when no other can be better.
func (sp *speller) choose(found []candidate, word, field string, beside bool, fewest int64) (repair, bool, error) {
	around := sp.company()
	letters := utf8.RuneCountInString(word)
	type bounded struct {
		*candidate
		bound float64
	}
	list := make([]bounded, 0, len(found))
	named := !beside && sp.mayName(field)
	for i := range found {
		c := &found[i]
		if sp.contrary(c.word, word) {
			continue
		}
		most := max(c.dfs[0], c.dfs[1])
		if named && most >= fewest {
			// Which words are tried must not depend on how many others hold them.
			var err error
			if most, err = sp.mostSeen(c); err != nil {
				return repair{}, false, err
			}
		}
		if most < fewest {
			continue
		}
		if sp.isDoubtful(c, word, letters) {
			sp.doubted = true
		} else {
			list = append(list, bounded{c, rank(c, most, most, around.any)})
		}
	}
	slices.SortFunc(list, func(a, b bounded) int {
		return cmp.Or(cmp.Compare(a.bound, b.bound), cmp.Compare(a.edits, b.edits), strings.Compare(a.word, b.word))
	})
	if named {
		for i := range list[:min(namesTried, len(list))] {
			c := list[i].candidate
			if around.words < manyKnown && !sp.begins(c, word, letters) {
				continue
			}
			if is, err := sp.names(c.word, word); err != nil {
				return repair{}, false, err
			} else if !is {
				continue
			}
			if df, err := sp.documents(c, field); err != nil || df >= fewest {
				return repair{c.word, c.edits, df}, err == nil, err
			}
		}
	}
	var best *candidate
	least, most := 0.0, int64(0)
	for _, c := range list {
		if best != nil && c.bound > least {
			break
		}
		c := c.candidate
		df, err := sp.documents(c, field)
		if err != nil {
			return repair{}, false, err
		}
		if df < fewest {
			continue
		}
		together, err := sp.together(around, c)
		if err != nil {
			return repair{}, false, err
		}
		if (around.words < manyKnown || together == 0) && !sp.begins(c, word, letters) {
			sp.doubted = true
			continue
		}
		if beside && together == 0 && !(c.moved && c.word[0] == word[0] && !sp.right) {
			continue
		}
		at := rank(c, df, together, around.any)
		if best == nil || cmp.Or(cmp.Compare(at, least), cmp.Compare(c.edits, best.edits), strings.Compare(c.word, best.word)) < 0 {
			best, least, most = c, at, df
		}
	}
	if best == nil {
		return repair{}, false, nil
	}
	return repair{best.word, best.edits, most}, true, nil
}

// contrary tells whether two words say the contrary of each other in the language of an index.
func (sp *speller) contrary(a, b string) bool {
	return slices.ContainsFunc(sp.runs, func(run *searchRun) bool { return run.iv.schema.intentTables(sp.e).cues.Contrary(a, b) })
}

const (
	// namesTried is how many of the likeliest repairs of a word are tried for whether the
	// query is the name of a record with them, and namesWords of how many words it may be.
	namesTried = 12
	namesWords = 6
)

// names tells whether the query is the name of a record if one of its words, which is typed,
// is another: then that is what was meant, however rare it is. Names are those of
// records that the caller may see.
func (sp *speller) names(word, typed string) (bool, error) {
	found := 0
	for _, run := range sp.runs {
		n, err := run.namedWith(typed, repair{word: word})
		if err != nil {
			return false, err
		}
		found += n
	}
	return found > 0 && found <= maxNamed, nil
}

// mayName tells whether the query may be the name of a record if one of its words, which is looked for in
// a field, "" being all, is another.
func (sp *speller) mayName(field string) bool {
	return !sp.rare && field == "" && len(sp.req.Typo.OffFields) == 0 && slices.ContainsFunc(sp.runs, func(run *searchRun) bool {
		n := len(run.res.name)
		return n > 0 && n <= namesWords
	})
}

// mostSeen is the most records that the caller may see which hold a candidate in one of its forms: of who
// sees all, those that the lexicons tell.
func (sp *speller) mostSeen(c *candidate) (most int64, err error) {
	if len(sp.req.Restrict) == 0 {
		return max(c.dfs[0], c.dfs[1]), nil
	}
	for i, space := range [...]uint16{segment.SpaceText, segment.SpaceWord} {
		if c.dfs[i] == 0 {
			continue
		}
		n := int64(0)
		for _, v := range sp.sights {
			more, err := v.df(space, []byte(c.word))
			if err != nil {
				return 0, err
			}
			n += more
		}
		most = max(most, n)
	}
	return most, nil
}

// namedWith is how many records of an index the query is the name of if one of its words is another.
func (run *searchRun) namedWith(typed string, fix repair) (int, error) {
	r := run.res
	if len(r.name) == 0 || len(r.name) > namesWords {
		return 0, nil
	}
	defer func(repairs map[string]repair, unknown bool) { r.repairs, r.unknown = repairs, unknown }(r.repairs, r.unknown)
	r.repairs, r.unknown = map[string]repair{typed: fix}, false
	docs, err := run.named()
	return len(docs), err
}

// documents returns how many documents have a candidate, 0 if nobody wrote it. Of a whole
// index that all may see it is remembered.
func (sp *speller) documents(c *candidate, field string) (int64, error) {
	if len(sp.sights) > 1 || len(sp.sights[0].sets) > 0 || field != "" || len(sp.req.Typo.OffFields) > 0 {
		return sp.countDocuments(c, field)
	}
	form := c.word
	if c.edits == 1 {
		form = "1" + form // see countDocuments
	}
	key := sp.e.facts.key(sp.sights[0].run.iv, factWritten, form)
	if f := sp.e.facts.find(&key); f != nil {
		return f.n, nil
	}
	n, err := sp.countDocuments(c, field)
	if err == nil {
		sp.e.facts.add(&wordFact{key: key, n: n})
	}
	return n, err
}

func (sp *speller) countDocuments(c *candidate, field string) (int64, error) {
	var counts [2]int64
	for i, space := range [...]uint16{segment.SpaceText, segment.SpaceWord} {
		for _, v := range sp.sights {
			v := *v
			v.fields = v.run.repairable(field, sp.req.Typo.OffFields)
			n, err := v.df(space, []byte(c.word))
			if err != nil {
				return 0, err
			}
			counts[i] += n
		}
	}
	if counts[1] > 0 || counts[0] == 0 {
		return max(counts[0], counts[1]), nil
	}
	for _, v := range sp.sights {
		if ok, err := v.written(c.word); ok || err != nil {
			return counts[0], err
		}
		if c.edits == 1 && sp.isWord(v.run, c.word) {
			return counts[0], nil // records have it in other forms
		}
	}
	return 0, nil
}
