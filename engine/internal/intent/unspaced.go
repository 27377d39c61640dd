package intent

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Chinese and Japanese put no spaces between words, and Korean none before particles and units:
// "1万円以内の炊飯器" is a rice cooker for 10,000 yen at most. Of a run of such letters those are
// items of their own that stand for something: behind a number, and behind each other, units and
// what makes a comparative; before a number the latter, too; and superlatives anywhere.

// standing is where in a run of letters without spaces something known may stand, as bits.
type standing uint8

const (
	behindNumber standing = 1 << iota
	beforeNumber
	anywhere
	behindName // of a field
)

// standing is where a cue may stand.
func (c *cue) standing() standing {
	switch c.kind {
	case cueBefore:
		return beforeNumber | behindNumber
	case cueBetween, cueFrom, cueIn, cueSkip, cueDecades:
		return beforeNumber
	case cueAfter, cueAnd, cueTo, cueDecade, cueYear, cueBand:
		return behindNumber
	case cueOrder:
		if c.behind {
			return behindName
		}
		return anywhere
	}
	return 0
}

// unspaced tells whether a letter is of a script whose words need no spaces.
func unspaced(r rune) bool {
	return r >= 0x2E80 && (steady(r) || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul))
}

// steady tells whether a letter without spaces is its own folded form, as nearly all are.
func steady(r rune) bool {
	return r >= 0x4E00 && r <= 0x9FFF || r >= 'ぁ' && r <= 'ゖ' || r >= 'ァ' && r <= 'ー' && r != '・' || r >= '가' && r <= '힣'
}

// Unspaced tells whether a text has letters of a script whose words need no spaces.
func Unspaced(text string) bool { return strings.ContainsFunc(text, unspaced) }

// know notes a phrase without spaces, if it is of such letters, and tells whether it is.
func (c *Cues) know(phrase string, where standing) bool {
	if phrase == "" || strings.ContainsFunc(phrase, func(r rune) bool { return !unspaced(r) }) {
		return false
	}
	phrase = foldWord(phrase)
	c.runs[phrase] |= where
	first, _ := utf8.DecodeRuneInString(phrase)
	c.longest[first] = max(c.longest[first], utf8.RuneCountInString(phrase))
	c.longestRun = max(c.longestRun, c.longest[first])
	return true
}

// known returns where the longest phrase ends that is known and that text begins with at a place,
// behind a number or another one, or not.
func (c *Cues) known(text string, at int, behind bool) (end int) {
	longest := c.longestRun
	if first, _ := utf8.DecodeRuneInString(text[at:]); steady(first) {
		longest = c.longest[first] // 0 for nearly all
	}
	to := at
	for letters := 0; letters < longest && to < len(text); letters++ {
		r, n := utf8.DecodeRuneInString(text[to:])
		if !unspaced(r) {
			break
		}
		to += n
		where := c.runs[foldWord(text[at:to])]
		if where&anywhere != 0 || behind && where&behindNumber != 0 || where&beforeNumber != 0 && countsAt(text, to) || where&behindName != 0 && c.endsInName(text[:at]) {
			end = to
		}
	}
	if end > 0 && c.partOfWhole(text, at, end) {
		return 0
	}
	return end
}

// name notes a name of fields, if it is of letters without spaces.
func (c *Cues) name(phrase string) {
	if Unspaced(phrase) {
		phrase = foldWord(phrase)
		c.named[phrase] = true
		first, _ := utf8.DecodeRuneInString(phrase)
		c.nameLetters[first] = true
		c.longestNamed = max(c.longestNamed, utf8.RuneCountInString(phrase))
	}
}

// Names tells whether a word without spaces is a name of fields, or what they are called.
func (c *Cues) Names(word string) bool { return c.named[foldWord(word)] }

// NameMayBegin tells whether a name of fields may begin with a folded letter.
func (c *Cues) NameMayBegin(letter rune) bool { return c.nameLetters[letter] }

// endsInName tells whether a text ends in a name of fields, and a particle or none.
func (c *Cues) endsInName(text string) bool {
	text = strings.TrimRight(text, " ")
	for _, end := range [...]string{text, c.Bare(text)} {
		at := len(end)
		for range c.longestNamed {
			r, n := utf8.DecodeLastRuneInString(end[:at])
			if !unspaced(r) {
				break
			}
			if at -= n; c.named[foldWord(end[at:])] {
				return true
			}
		}
	}
	return false
}

// Bare is a word without the particle that it ends in, if it does: "家賃が" is 家賃.
func (c *Cues) Bare(word string) string {
	for _, p := range c.particles {
		if stem, ok := strings.CutSuffix(word, p); ok && stem != "" {
			return stem
		}
	}
	return word
}

// Particle returns the bytes of the longest particle that a text begins with; 0 if it does with none.
func (c *Cues) Particle(text string) int {
	for _, p := range c.particles {
		if strings.HasPrefix(text, p) {
			return len(p)
		}
	}
	return 0
}

// saysNothing tells whether there is nothing but spaces, or a particle, between two words.
func (c *Cues) saysNothing(between string) bool {
	between = strings.TrimSpace(between)
	for between != "" {
		n := c.Particle(between)
		if n == 0 {
			return false
		}
		between = between[n:]
	}
	return true
}

// Says tells whether all of a piece of a word that was cut is numbers and what stands for something.
func (c *Cues) Says(piece string) bool {
	return !slices.ContainsFunc(c.scanSpan(nil, piece, 0), func(it item) bool { return it.kind == word && !it.known })
}

// partOfWhole tells whether what stands between two places of a text is a part of something longer
// that means something else: "除了" of "废除了".
func (c *Cues) partOfWhole(text string, at, end int) bool {
	for _, whole := range c.wholes {
		for from := max(0, end-len(whole)); from <= at; from++ {
			if len(whole) > end-at && strings.HasPrefix(text[from:], whole) {
				return true
			}
		}
	}
	return false
}

// Asks tells whether a text without spaces is a question: it has a word for who, what, where and the
// like, and ends as questions do where such words may be parts of others ("ぶどう" has "どう"). Questions
// deny as little as those of other languages do: "除了微信还能怎么付钱" may well be answered by what
// speaks of 微信.
func (c *Cues) Asks(text string) bool {
	text = foldWord(text)
	has := func(word string) bool { return strings.Contains(text, word) }
	if slices.ContainsFunc(c.asksNot, has) {
		return false // "whatever it is"
	}
	if slices.ContainsFunc(c.asks, has) {
		return true
	}
	plain := strings.TrimRight(text, "?？。 ")
	ends := strings.ContainsAny(text[len(plain):], "?？") || slices.ContainsFunc(c.asked, func(end string) bool { return strings.HasSuffix(plain, end) })
	return ends && slices.ContainsFunc(c.asksAsked, has)
}

// countsAt tells whether a number begins at a place, or a symbol before one.
func countsAt(text string, at int) bool {
	r, n := utf8.DecodeRuneInString(text[at:])
	if unicode.Is(unicode.Sc, r) || r == ' ' {
		r, _ = utf8.DecodeRuneInString(text[at+n:])
	}
	return digit(r) >= 0
}

// endOfRun is where an item of letters without spaces ends that begins at a place, and whether
// it is known to stand for something.
func (c *Cues) endOfRun(text string, at int, behind bool) (end int, known bool) {
	if end = c.known(text, at, behind); end > 0 {
		return end, true
	}
	for end = at; end < len(text); {
		r, n := utf8.DecodeRuneInString(text[end:])
		if !unspaced(r) || end > at && c.known(text, end, false) > 0 {
			break
		}
		if _, number := c.ideographic(text, end); end > at && number > 0 {
			break
		}
		end += n
	}
	return end, false
}

// isKnown tells whether all of a run is known, behind a number that a space stands between.
func (c *Cues) isKnown(text string, at int) bool {
	for at < len(text) {
		end := c.known(text, at, true)
		if end == 0 {
			r, _ := utf8.DecodeRuneInString(text[at:])
			return !unspaced(r)
		}
		at = end
	}
	return true
}

// Cut returns the places at which a word of a query is several: between what stands for something
// beside a number, or is a superlative, and the rest. nil: it is one word, as most are.
func (c *Cues) Cut(text string) (places []int) {
	if !Unspaced(text) {
		return nil
	}
	items := c.scanSpan(nil, text, 0)
	said := func(it *item) bool { return it.known || it.kind != word }
	for i := 0; i < len(items); {
		end, known := i, false
		for ; end < len(items) && said(&items[end]); end++ {
			known = known || items[end].known
		}
		if c.fields && end > i+1 && end < len(items) && items[end].glued && items[end-1].kind == number {
			if where := c.runs[items[end-2].text]; items[end-2].known && where&(anywhere|behindName) != 0 && where&beforeNumber == 0 {
				end-- // the name of a thing begins with the number: 最便宜的5G手机
			}
		}
		if known {
			places = append(places, items[i].start, items[end-1].end)
		}
		for ; end < len(items) && !said(&items[end]); end++ {
		}
		i = end
	}
	places = slices.Compact(places) // of two that follow each other
	if len(places) > 0 && places[0] == 0 {
		places = places[1:]
	}
	if n := len(places); n > 0 && places[n-1] == len(text) {
		places = places[:n-1]
	}
	return places
}

// Except is a phrase that denies what stands behind it, or before it, with no space between.
type Except struct {
	Text  string
	After bool // it stands behind what it denies
}

// Excepts tells whether a piece of a word that was cut denies what stands behind it, 1, or before
// it, -1; 0 if neither; and whether it denies nothing but values of fields.
func (c *Cues) Excepts(piece string) (where int, values bool) {
	piece = foldWord(piece)
	if where = c.excepts[piece]; where != 0 {
		return where, false
	}
	for _, e := range c.valueExcepts {
		if e.Text == piece && e.After {
			return -1, true
		} else if e.Text == piece {
			return 1, true
		}
	}
	return 0, false
}

// ValueExcepts returns the phrases that deny values of fields, and nothing else: in the middle of
// a word they are part of another one as often.
func (c *Cues) ValueExcepts() []Except { return c.valueExcepts }

// Joins returns the bytes of what joins the things of a list, if a text begins with it and
// something follows: "红色或蓝色".
func (c *Cues) Joins(text string) (n int) {
	for _, j := range c.joints {
		if len(j) > n && len(j) < len(text) && strings.HasPrefix(text, j) {
			n = len(j)
		}
	}
	return n
}

// Ideograph tells whether a letter is one that is a word by itself as a rule.
func Ideograph(r rune) bool { return unicode.Is(unicode.Han, r) }
