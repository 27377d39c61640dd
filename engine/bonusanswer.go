package engine

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/quarry-search/quarry/engine/internal/score"
)

// answerShare is what a record adds that has a number of what the query asks the
// number of, as a share of what a content word of the query weighs in the mean.
const answerShare = 0.75

// maxUnits is how many units of answers are looked for.
const maxUnits = 8

// Questions of Chinese and Japanese that ask for a number name what is counted: 何人
// and 多少人 for people, 何年 and 几年 for years; those for a time are answered with
// a date. So an answer can be told from a text that is only about the same. In
// languages with spaces "how many" stands apart from what is counted, which may be
// several words, and numbers are written as words.
const (
	// dateUnits are what the numbers of dates are followed by.
	dateUnits = "年月日世" // 世: 世紀, 世纪
	// notCounted are what 何 stands before without asking for a number: who, why,
	// where, which.
	notCounted = "者故事物処处処方様样地種种色語语為为以"
	numerals   = "〇一二三四五六七八九十百千万億亿兆两兩"
)

// whens ask for a time. What looks like one and does not is in notWhens.
var (
	whens    = [...]string{"いつ", "什么时候", "什麼時候", "何时", "哪年", "哪一年", "哪天", "哪一天"}
	notWhens = [...]string{"いつも"}
)

// unitsAsked adds to units what the numbers stand before that a question asks for.
func unitsAsked(units []string, query string) []string {
	add := func(u string) {
		if len(units) < maxUnits && !slices.Contains(units, u) {
			units = append(units, u)
		}
	}
	for i, c := range query {
		rest := query[i:]
		switch c {
		case '何', '几', '幾':
			rest = rest[utf8.RuneLen(c):]
		case '多':
			if !strings.HasPrefix(rest, "多少") {
				continue
			}
			rest = rest[len("多少"):]
		case 'い', '什', '哪':
			rest = ""
		default:
			continue
		}
		starts := func(s string) bool { return strings.HasPrefix(query[i:], s) }
		if slices.ContainsFunc(whens[:], starts) && !slices.ContainsFunc(notWhens[:], starts) {
			for i, u := range dateUnits {
				add(dateUnits[i : i+utf8.RuneLen(u)])
			}
			continue
		}
		if u, n := utf8.DecodeRuneInString(rest); unicode.In(u, unicode.Han, unicode.Katakana) && !strings.ContainsRune(notCounted, u) {
			add(rest[:n])
		}
	}
	return units
}

// answers finds what answers are told by, in queries with pairs of characters.
func (b *bonuses) answers() {
	b.counted.units, b.answer = b.counted.units[:0], 0
	share := shareOf(b.tuning.Answer)
	if share == 0 || !slices.ContainsFunc(b.words, func(w bonusWord) bool { return w.pair }) {
		return
	}
	n, all := uint64(0), uint64(0)
	for i := range b.words {
		if w := &b.words[i]; !w.filler {
			n, all = n+1, all+w.weight
		}
	}
	if n == 0 {
		return
	}
	if b.counted.units = unitsAsked(b.counted.units, b.run.res.req.Query); len(b.counted.units) > 0 {
		b.answer = all / n * share / shareUnit * score.MaxImpact
	}
}

// countedThings finds a number of something in text: "15人", "15 人", "十五人".
type countedThings struct {
	units []string
	found bool
}

func (c *countedThings) scan(text []byte) {
	for _, u := range c.units {
		for at := 0; !c.found; {
			n := bytes.Index(text[at:], []byte(u))
			if n < 0 {
				break
			}
			c.found = endsInNumber(text[:at+n])
			at += n + len(u)
		}
	}
}

// endsInNumber tells whether a text ends in a number, or one and a space.
func endsInNumber(text []byte) bool {
	text = bytes.TrimSuffix(text, []byte(" "))
	c, _ := utf8.DecodeLastRune(text)
	return unicode.IsDigit(c) || strings.ContainsRune(numerals, c)
}
