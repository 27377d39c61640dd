package engine

import (
	"math/bits"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/score"
	"github.com/quarry-search/quarry/tokenize"
)

const (
	// characterShare is what a character adds where a record holds it, as a share
	// of what the least of its pairs weighs.
	characterShare = 0.25
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
	filler := map[rune]bool{}
	at := map[rune]int{}
	for i := range b.words {
		w := &b.words[i]
		if !w.pair {
			continue
		}
		for _, c := range b.run.res.leaves[b.leaves[w.from].leaf].term {
			switch n, known := at[c]; {
			case w.filler:
				filler[c] = true
			case !unicode.Is(unicode.Han, c):
			case known:
				b.chars[n].weight = min(b.chars[n].weight, w.weight)
			case len(b.chars) < maxCharacters:
				at[c] = len(b.chars)
				b.chars = append(b.chars, askedCharacter{c, w.weight})
			}
		}
	}
	for i := range b.chars {
		if filler[b.chars[i].is] {
			b.chars[i].weight = 0
		}
	}
}

// seen tells which characters are in the texts of the records at hand, as bits
// in their order; nil if none is looked for. Single characters are not in the
// index, so it reads the records: they are few, and most of them are read for
// the page anyway.
func (b *bonuses) seen() ([]uint64, error) {
	if len(b.chars) == 0 {
		return nil, nil
	}
	var first [256]uint64 // characters by their lowest byte
	for i, c := range b.chars {
		first[byte(c.is)] |= 1 << i
	}
	r := b.run.e.storedReader(b.run.kv, b.run.iv.ix.number)
	defer r.Close()
	var w walker
	out := make([]uint64, len(b.hits))
	for i, f := range b.hits {
		if !f.read {
			continue
		}
		var err error
		if out[i], err = b.seenIn(r, &w, f.hit.Doc, &first); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// seenIn is seen for one record.
func (b *bonuses) seenIn(r *storedReader, w *walker, doc posting.DocID, first *[256]uint64) (seen uint64, err error) {
	block, n, err := r.find(doc)
	if err != nil {
		return 0, err
	}
	c := b.run.iv.schema
	// The record was valid when it was stored.
	_ = w.walk(block.Record(n), Limits{}.orDefaults().forStored(), func(path []byte, _ pointer, v scalar) error {
		f, ok := c.byName[string(path)]
		if !ok || v.kind != scalarString || c.textOf[f] < 0 || !(b.run.params.Fields[c.textOf[f]].Weight > 0) {
			return nil
		}
		for text := v.str; len(text) > 0; {
			is, n := decodeHan(text)
			text = text[n:]
			for maybe := first[byte(is)] &^ seen; maybe != 0; maybe &= maybe - 1 {
				if i := bits.TrailingZeros64(maybe); b.chars[i].is == is {
					seen |= 1 << i
				}
			}
		}
		return nil
	})
	return seen, nil
}

// decodeHan is utf8.DecodeRune, faster for what has three bytes, as nearly all
// Chinese characters do. Of three bytes that are no character it may make one;
// the texts of records have none.
func decodeHan(text []byte) (is rune, n int) {
	if len(text) >= 3 && text[0]>>4 == 0xE {
		return rune(text[0]&0xF)<<12 | rune(text[1]&0x3F)<<6 | rune(text[2]&0x3F), 3
	}
	return utf8.DecodeRune(text)
}

// character adds the bonus of record i for the characters that were seen in it.
func (b *bonuses) character(i int, seen []uint64) {
	if seen == nil {
		return
	}
	sum := uint64(0)
	for s := seen[i]; s != 0; s &= s - 1 {
		sum += b.chars[bits.TrailingZeros64(s)].weight
	}
	if sum > 0 {
		b.add(bonusPart{stage: StageCharacter, field: -1, score: sum * shareOf(b.tuning.Character) / shareUnit * score.MaxImpact})
	}
}
