package engine

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/quarry-search/quarry/engine/internal/search"
	"github.com/quarry-search/quarry/engine/internal/segment"
	"github.com/quarry-search/quarry/tokenize"
)

// Words of one character are never seen by themselves in texts without spaces: of "湖はどこ" the pairs
// are 湖は, はど and どこ, and of Korean "콩으로" 콩으 and 으로. What stands behind such a word is a
// particle, which records have in places of their own. So the character is looked for, too, where hardly
// any record has the pair.

// particles are what stands behind words of one character in Japanese, and lonelyEnds what does
// in Korean, where spaces end it.
const particles = "はがをにのでともへや"

var lonelyEnds = []string{"은", "는", "이", "가", "을", "를", "에", "의", "로", "으로", "도", "만", "와", "과", "에서", "까지", "부터", "이나"}

// lonelyShare is what a character is worth by itself, beside the pair.
const lonelyShare = 0.5

// lonely returns the character of which a pair is a word, with the particle behind it; "" if it is
// none.
func lonely(text string, t *tokenize.Token) string {
	if t.Kind != tokenize.KindBigram {
		return ""
	}
	first, n := utf8.DecodeRuneInString(text[t.Start:t.End])
	second, _ := utf8.DecodeRuneInString(text[t.Start+n : t.End])
	before, _ := utf8.DecodeLastRuneInString(text[:t.Start])
	one := text[t.Start : t.Start+n]
	switch {
	case unicode.Is(unicode.Han, first):
		if !unicode.Is(unicode.Han, before) && strings.ContainsRune(particles, second) {
			return one
		}
	case unicode.Is(unicode.Hangul, first) && !unicode.Is(unicode.Hangul, before):
		rest := text[t.Start+n:]
		if end := strings.IndexFunc(rest, func(r rune) bool { return !unicode.Is(unicode.Hangul, r) }); end >= 0 {
			rest = rest[:end]
		}
		if slices.Contains(lonelyEnds, rest) {
			return one
		}
	}
	return ""
}

// alone adds to what a pair was resolved to, in leaf first, what its first character is found by, if the
// pair is a word with a particle and rare.
func (r *resolver) alone(text string, t *tokenize.Token, e *search.Expr, first int, g analyzerGroup, boost float64) *search.Expr {
	one := lonely(text, t)
	if one == "" || r.literal || r.req.Ranking != RankingDefault {
		return e
	}
	held := r.leaves[first].df
	switch {
	case r.joint:
		held = r.holders(r.leaves[first].term)
	case len(r.req.Restrict) > 0:
		held = r.inSight(r.run, segment.SpaceText, []byte(r.leaves[first].term), g.fields)
	}
	if held > r.rareAtMost() {
		return e
	}
	c := tokenize.Token{Kind: tokenize.KindUnigram, Word: []byte(one), Term: []byte(one), Start: t.Start, End: t.Start + len(one)}
	return &search.Expr{Op: search.OpOr, Kids: []*search.Expr{e, r.prefix(&c, g, boost, lonelyShare)}}
}
