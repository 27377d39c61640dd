package engine

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/quarry-search/quarry/engine/internal/fuzzy"
	"github.com/quarry-search/quarry/engine/internal/segment"
)

// In languages that write compounds as one word, a word may only be there as the head of one:
// "Friteuse" is misspelt, and all that the index has is a "Heißluftfritteuse". What words end
// with is looked at if no word is near the one that was typed.

// tailLetters is the letters of the shortest word that is taken for the end of another.
const tailLetters = 6

// tailed is what words end with, near a word of the query.
type tailed struct {
	word    string
	df      int64
	written bool // words as they are written end with it, and not only terms
}

// tail returns what words end with that a word is most likely to mean.
func (sp *speller) tail(word, field string, p *fuzzy.Pattern) (repair, bool, error) {
	if utf8.RuneCountInString(word) < tailLetters || field != "" || len(sp.req.Typo.OffFields) > 0 {
		return repair{}, false, nil
	}
	plain := len(sp.runs) == 1 && len(sp.req.Restrict) == 0
	key := factKey{}
	if plain {
		key = sp.e.facts.key(sp.runs[0].iv, factTail, word)
		if f := sp.e.facts.find(&key); f != nil {
			return repair{f.text, 1, f.n}, f.n > 0, nil
		}
	}
	best, err := sp.bestTail(p)
	if err != nil {
		return repair{}, false, err
	}
	if plain {
		sp.e.facts.add(&wordFact{key: key, text: best.word, n: best.df})
	}
	return repair{best.word, 1, best.df}, best.df > 0, nil
}

// bestTail returns the best of what words end with: words as they are written before terms, and
// what more records have.
func (sp *speller) bestTail(p *fuzzy.Pattern) (best tailed, err error) {
	found := map[string]*tailed{}
	for i, run := range sp.runs {
		words, err := sp.tails(run, p)
		if err != nil {
			return best, err
		}
		for _, w := range words {
			space := uint16(segment.SpaceText)
			if w.written {
				space = segment.SpaceWord
			}
			n, err := sp.sights[i].df(space, []byte(w.word()))
			if err != nil {
				return best, err
			}
			t := found[w.end]
			if t == nil {
				t = &tailed{word: w.end}
				found[w.end] = t
			}
			t.df, t.written = t.df+n, t.written || w.written && n > 0
		}
	}
	for _, t := range found {
		if t.df > 0 && (best.df == 0 || t.before(&best)) {
			best = *t
		}
	}
	return best, nil
}

// before orders what words end with, the best first.
func (t *tailed) before(o *tailed) bool {
	if t.written != o.written {
		return t.written
	}
	return cmp.Or(-cmp.Compare(t.df, o.df), strings.Compare(t.word, o.word)) < 0
}

// tails returns the words of an index that end with one near a word and may be compounds of it.
func (sp *speller) tails(run *searchRun, p *fuzzy.Pattern) (out []ended, err error) {
	at := slices.IndexFunc(run.iv.schema.groups, func(g analyzerGroup) bool { return g.analyzer.Links() != nil })
	if at < 0 {
		return nil, nil
	}
	d := &decompounder{resolver: run.res, g: run.iv.schema.groups[at]}
	for _, s := range run.iv.segs {
		l, err := sp.e.lexicon(sp.ctx, s)
		if err != nil {
			return nil, err
		}
		l.EndingNear(p, 1, func(word []byte, info uint32, letters, edits int) {
			from := len(word)
			for range letters {
				_, size := utf8.DecodeLastRune(word[:from])
				from -= size
			}
			w := ended{written: info&1 != 0, rest: string(word[:from]), end: string(word[from:])}
			if d.kindOfEnded(&w, &ending{word: w.end}) == endedHead && !slices.Contains(out, w) {
				out = append(out, w)
			}
		})
	}
	return out, nil
}
