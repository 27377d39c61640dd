package engine

import (
	"math/bits"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/quarry-search/quarry/engine/internal/score"
	"github.com/quarry-search/quarry/tokenize"
)

const (
	// characterShare is what all characters of a query add where a record holds
	// them near by, as a share of what the least of their pairs weigh.
	characterShare = 0.35
	// mixedPairWeight is what a pair of a Chinese character and one of Hiragana
	// weighs beside others: it is the end of a word and its inflection or the
	// particle behind it, so that the same word is often written without it.
	mixedPairWeight = 0.5
	// characterDepth is how many of the best records are read for characters.
	characterDepth = 10
	// maxCharacters is how many characters of a query are looked for.
	maxCharacters = 64
)

// askedCharacter is a Chinese character of the query. Text without spaces is
// found by pairs of characters, but in Chinese and Japanese a single one often
// means what a word with it means: 都 is in 首都 and 都市, 年 in 何年 and 1990年.
type askedCharacter struct {
	is     rune
	weight uint64 // of the least of the pairs that it is in
}

// weighPair gives a pair of characters, resolved as a leaf, its weight.
func (r *resolver) weighPair(t *tokenize.Token, leaf int) {
	if r.req.Ranking != RankingDefault || leaf >= len(r.leaves) || r.leaves[leaf].flat {
		return
	}
	x, n := utf8.DecodeRune(t.Term)
	y, _ := utf8.DecodeRune(t.Term[n:])
	if unicode.Is(unicode.Han, x) && unicode.Is(unicode.Hiragana, y) || unicode.Is(unicode.Hiragana, x) && unicode.Is(unicode.Han, y) {
		r.leaves[leaf].factor *= min(1, r.tuning.MixedPair)
	}
}

// characters finds the characters that are looked for. Those of filler, such as
// 什么 and 何が, are not.
func (b *bonuses) characters() {
	b.chars = b.chars[:0]
	if shareOf(b.tuning.Character) == 0 || !slices.ContainsFunc(b.words, func(w bonusWord) bool { return w.pair }) {
		return
	}
	// They are few, so that to go through them is cheaper than a map.
	find := func(c rune) int {
		return slices.IndexFunc(b.chars, func(a askedCharacter) bool { return a.is == c })
	}
	for filler := range 2 { // the characters of filler once all others are known
		for i := range b.words {
			w := &b.words[i]
			if !w.pair || w.filler != (filler == 1) {
				continue
			}
			for _, c := range b.run.res.leaves[b.leaves[w.from].leaf].term {
				switch n := find(c); {
				case n >= 0 && w.filler:
					b.chars[n].weight = 0
				case n >= 0:
					b.chars[n].weight = min(b.chars[n].weight, w.weight)
				case !w.filler && len(b.chars) < maxCharacters && unicode.Is(unicode.Han, c):
					b.chars = append(b.chars, askedCharacter{c, w.weight})
				}
			}
		}
	}
}

// readText is what was seen in the texts of a record.
type readText struct {
	chars   uint64 // which of bonuses.chars, as bits
	counted bool   // a number of what the query asks the number of
	kin     uint64 // which of bonuses.kin, as bits
}

// seen tells what is in the texts of the records at hand, in their order; nil if
// nothing is looked for, or none of them is read. Single characters are not in the index, nor what numbers
// are of, so it reads the records: they are few, and most of them are read for the
// page anyway.
func (b *bonuses) seen() ([]readText, error) {
	b.whole = b.sieve()
	whole := &b.whole
	b.allChars = whole.weigh(whole.all)
	if whole.all == 0 && b.answer == 0 && len(b.kin) == 0 || !slices.ContainsFunc(b.hits, func(f *found) bool { return f.read }) {
		return nil, nil
	}
	for i := range b.kin {
		b.kin[i].rare = rarest(b.kin[i].rest)
	}
	r := b.run.e.storedReader(b.run.kv, b.run.iv.ix.number)
	defer r.Close()
	w := textScanner{wanted: b.readsText, whole: whole, counted: b.counted, kin: b.kin}
	if len(b.kin) > 0 && slices.ContainsFunc(b.run.iv.schema.text, func(f textField) bool { return !f.analyzer.Families() }) {
		w.kinIn = b.hasFamilies
	}
	w.sieve.long = b.long[:0]
	out := slices.Grow(b.texts[:0], len(b.hits))[:len(b.hits)]
	clear(out)
	b.texts = out
	for i, f := range b.hits {
		if !f.read {
			continue
		}
		lacks := b.lacking(i)
		if lacks == 0 && whole.all == 0 && b.answer == 0 {
			continue
		}
		block, n, err := r.find(f.hit.Doc)
		if err != nil {
			return nil, err
		}
		w.look(block.Record(n), lacks)
		out[i] = readText{w.sieve.best(), w.counted.found, lacks &^ w.lacks}
	}
	b.long = w.sieve.long
	return out, nil
}

// sieve returns what finds the characters that add something.
func (b *bonuses) sieve() characterSieve {
	s := characterSieve{chars: b.chars, block: characterBlock, left: characterBlock}
	for i, c := range b.chars {
		if c.weight > 0 {
			s.add(i)
		}
	}
	return s
}

// readsText tells whether the request looks into the texts at a path.
func (b *bonuses) readsText(path []byte) bool {
	c := b.run.iv.schema
	f, ok := c.byName[string(path)]
	return ok && c.textOf[f] >= 0 && b.run.params.Fields[c.textOf[f]].Weight > 0
}

// hasFamilies tells whether a text that the request looks into is of a language in which
// families are looked for.
func (b *bonuses) hasFamilies(path []byte) bool {
	c := b.run.iv.schema
	return c.text[c.textOf[c.byName[string(path)]]].analyzer.Families()
}

// character adds the bonus of a record for the characters that were seen in it, what
// they weigh, times their share of what all weigh, and that for an answer.
func (b *bonuses) character(seen *readText) {
	got := uint64(0)
	for had := seen.chars; had != 0; had &= had - 1 {
		got += b.chars[bits.TrailingZeros64(had)].weight
	}
	if got > 0 {
		worth := got * shareOf(b.tuning.Character) / shareUnit * (got * shareUnit / b.allChars) / shareUnit
		b.add(bonusPart{stage: StageCharacter, field: -1, score: worth * score.MaxImpact})
	}
	if seen.counted {
		b.add(bonusPart{stage: StageAnswer, field: -1, score: b.answer})
	}
}
