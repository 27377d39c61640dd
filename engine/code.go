package engine

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/quarry-search/quarry/engine/query"
	"github.com/quarry-search/quarry/tokenize"
)

// A code is a row of letters and digits, and what stands between them is the same to who types
// it: HX-M8X40-A2 is "hxm8x40a2", "M8 x 40" is "m8x40", "1.5 kW" is "1.5kw". An index has the
// words of the row as its records write them. So a code of the query is looked for under all
// ways to cut its row into words that the index holds, side by side and all of them: what has
// only some of them is another code. First it is cut only where letters, digits and signs
// meet, a number with its decimals being one; and if nothing is found so, at up to maxInner
// places more, as "hd1215" is HD12-15.

const (
	// maxCode is the letters and digits of the longest code.
	maxCode = 24
	// maxInner is how many times a code is cut among letters or among digits.
	maxInner = 2
	// maxSize is how many numbers a size has.
	maxSize = 3
	// maxRows is how many ways to cut a code are looked for.
	maxRows = 16
)

// codeRow is a code without what stands between its letters and digits.
type codeRow struct {
	text  [maxCode]byte // ASCII in lower case, with the signs inside of numbers
	n     int
	meets [maxCode]bool // letters, digits and signs meet before it
	whole [maxCode]bool // it is inside of a number with decimals, before it or behind
}

// codeRowOf returns the row of a text; false: it is no code, which has letters and digits.
func codeRowOf(text string) (row codeRow, ok bool) {
	letters, digits, sign, number := false, false, false, 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		letter, digit := 'a' <= c && c <= 'z', isDigit(c)
		point := (c == '.' || c == ',') && i > 0 && i+1 < len(text) && isDigit(text[i-1]) && isDigit(text[i+1])
		switch {
		case c >= utf8.RuneSelf || (c == '+' || c == '#') && i > 0 && !isDigit(text[i-1]) && !sign:
			return row, false // as c++ is
		case !letter && !digit && !point:
			sign = true
			continue
		case row.n == maxCode:
			return row, false
		}
		before := row.n > 0 && !sign && (letter == ('a' <= row.text[row.n-1] && row.text[row.n-1] <= 'z'))
		if !before {
			number = row.n
			row.meets[row.n] = row.n > 0
		}
		if point {
			for j := number; j < row.n; j++ {
				row.whole[j] = true
			}
		}
		row.whole[row.n] = point || digit && before && row.whole[row.n-1]
		row.text[row.n] = c
		row.n++
		letters, digits, sign = letters || letter, digits || digit, false
	}
	return row, letters && digits
}

// code adds what a text of the query that is a code is when it is written otherwise, and tells
// whether some record holds that. A span is the words of it.
func (r *resolver) code(text string, span []piece, words []word, groups []analyzerGroup) (found bool) {
	if !isASCII(text) {
		text = string(tokenize.Fold(nil, []byte(strings.ReplaceAll(text, "×", "x"))))
	}
	row, ok := codeRowOf(text)
	if !ok {
		return false
	}
	if found = r.codeRow(&row, span, words, groups); found {
		return true
	}
	for _, sign := range [...][2]byte{{',', '.'}, {'x', ' '}} {
		other := betweenDigits(text, sign[0], sign[1])
		if other == text {
			continue
		}
		text = other
		if row, _ := codeRowOf(text); row.n > 0 && r.codeRow(&row, span, words, groups) {
			return true
		}
	}
	return false
}

// betweenDigits returns a text with another sign between digits: decimals behind a point instead
// of a comma, and sizes without the x, for which records may have what is no letter.
func betweenDigits(text string, sign, other byte) string {
	b := []byte(text)
	for i := 1; i+1 < len(b); i++ {
		if b[i]|0x20 == sign|0x20 && isDigit(b[i-1]) && isDigit(b[i+1]) {
			b[i] = other
		}
	}
	return string(b)
}

// codeRow is code for a row.
func (r *resolver) codeRow(row *codeRow, span []piece, words []word, groups []analyzerGroup) (found bool) {
	typed := typedSpan(span)
	for inner := 0; inner <= maxInner && !found; inner += maxInner {
		for cut := range strings.SplitSeq(r.cutCode(row, inner, groups), "\n") {
			if cut == "" || cut == typed {
				continue
			}
			if found = r.compound(cut, typed, words, span) || found; found && inner > 0 || r.err != nil {
				break
			}
		}
	}
	return found
}

// cutCode returns the ways to cut a row into words that some record holds, a line each, with
// up to so many cuts among letters or among digits.
func (r *resolver) cutCode(row *codeRow, inner int, groups []analyzerGroup) string {
	var room [2*maxCode + 1]byte
	key := append(room[:0], byte('0'+inner))
	for i, c := range row.text[:row.n] {
		switch { // "hx-m8" is cut where "hxm8" is not
		case row.meets[i]:
			key = append(key, ' ')
		case row.whole[i]:
			key = append(key, '_')
		}
		key = append(key, c)
	}
	facts, plain := r.run.e.facts, r.mask == nil && !r.joint && len(r.req.Restrict) == 0
	if plain {
		if f := facts.look(r.run.iv, factCode, key); f != nil {
			return f.text
		}
	}
	c := codeCutter{resolver: r, row: row, groups: groups}
	c.from(0, inner)
	text := c.out.String()
	if plain && r.err == nil {
		facts.add(&wordFact{key: facts.key(r.run.iv, factCode, string(key)), text: text})
	}
	return text
}

// codeCutter cuts a row. It looks for no word of it twice.
type codeCutter struct {
	*resolver
	row    *codeRow
	groups []analyzerGroup
	held   [maxCode][maxCode + 1]int8 // by where a word begins and ends: 1 it is held, -1 it is not
	dead   [maxCode][maxInner + 1]bool
	words  [maxCode]string
	n      int // of words
	rows   int
	out    strings.Builder
}

// from cuts the row from a place on, long words first, and tells whether that can be done.
func (c *codeCutter) from(at, inner int) (done bool) {
	if at == c.row.n {
		for i, w := range c.words[:c.n] {
			if i > 0 {
				c.out.WriteByte(' ')
			}
			c.out.WriteString(w)
		}
		c.out.WriteByte('\n')
		c.rows++
		return true
	}
	if c.dead[at][inner] {
		return false
	}
	for to := c.row.n; to > at && c.rows < maxRows && c.err == nil; to-- {
		left := inner
		if to < c.row.n && !c.row.meets[to] {
			if left--; left < 0 || c.row.whole[to] {
				continue
			}
		}
		word := string(c.row.text[at:to])
		if !c.holds(word, at, to) {
			continue
		}
		c.words[c.n] = word
		c.n++
		done = c.from(to, left) || done
		c.n--
	}
	c.dead[at][inner] = !done
	return done
}

func (c *codeCutter) holds(word string, at, to int) bool {
	held := &c.held[at][to]
	if *held == 0 {
		*held = -1
		if c.frequency(word, c.groups) > 0 {
			*held = 1
		}
	}
	return *held > 0
}

// codeClause looks for a clause as a code, or for the words of it that are codes. It
// is of the pieces from one on.
func (r *resolver) codeClause(c query.Node, pieces []piece, words []word, groups []analyzerGroup) {
	t, ok := c.(query.Text)
	if !ok || !hasDigit(t.Text) {
		return
	}
	n := min(pieces[0].of, len(pieces))
	r.spread(t.Text, pieces[:n], words, groups)
	if r.code(t.Text, pieces[:n], words, groups) || n == 1 {
		return
	}
	for i := range n {
		if pieces[i].kind == pieceMixed {
			r.code(string(pieces[i].Word), pieces[i:i+1], words, groups)
		}
	}
}

// minSpread is how many numbers a size has at least that are looked for anywhere in a record: two
// are in too many by chance. What has more than maxSpread is no size.
const (
	minSpread = 3
	maxSpread = 6
)

// spread adds what a size of many numbers is in records that say what each of them is: "25x52x15" is
// "bore 25 mm, outside 52 mm, width 15 mm". All numbers have to be there.
func (r *resolver) spread(text string, span []piece, words []word, groups []analyzerGroup) {
	numbers := numbersOfSize(text)
	if len(numbers) < minSpread || len(numbers) > maxSpread {
		return
	}
	for i := range groups {
		var terms []string
		for _, number := range numbers {
			if tokens := r.texts.tokens(groups[i].analyzer, number); len(tokens) == 1 {
				terms = append(terms, string(tokens[0].Term))
			}
		}
		if len(terms) < len(numbers) {
			continue
		}
		d := decompounder{resolver: r, g: groups[i], pieces: span, words: words}
		told := strings.Join(numbers, " ")
		d.found(typedSpan(span), told, span, d.leafOfAll(told, terms))
	}
}

// numbersOfSize returns the numbers of a size: those of "25x52x15" or of "25x52x15mm", none of
// what is none.
func numbersOfSize(text string) (numbers []string) {
	text = strings.TrimRightFunc(strings.ToLower(strings.ReplaceAll(text, "×", "x")), func(c rune) bool { return c == 'm' || c == 'c' })
	for number := range strings.SplitSeq(text, "x") {
		if number == "" || !isDigit(number[0]) || !isDigit(number[len(number)-1]) || strings.Trim(number, "0123456789.,") != "" {
			return nil
		}
		numbers = append(numbers, strings.ReplaceAll(number, ",", "."))
	}
	return numbers
}

// holdsCut tells whether some record holds all words of a code that are cut at a point, as
// "m20x1.5" is "m20x1" and "5".
func (r *resolver) holdsCut(code []byte, groups []analyzerGroup) bool {
	if bytes.IndexByte(code, '.') < 0 {
		return false
	}
	for i := range groups {
		tokens := r.texts.tokens(groups[i].analyzer, string(code))
		if len(tokens) > 1 && !slices.ContainsFunc(tokens, func(t tokenize.Token) bool { return r.holding(t.Word, groups) == 0 }) {
			return true
		}
	}
	return false
}

// times looks for numbers that stand side by side, or behind a code, as a size: "m8 40" is M8x40.
func (r *resolver) times(pieces []piece, words []word, groups []analyzerGroup) {
	var room [64]byte
	size := append(room[:0], pieces[0].Word...)
	for n := 1; n < min(len(pieces), maxSize) && isDigit(size[len(size)-1]) && pieces[n].kind == pieceDigits; n++ {
		size = append(append(size, 'x'), pieces[n].Word...)
		if r.holding(size, groups) > 0 || r.holdsCut(size, groups) {
			r.compound(string(size), typedSpan(pieces[:n+1]), words, pieces[:n+1])
		}
	}
}

func hasDigit(text string) bool {
	for i := range len(text) {
		if isDigit(text[i]) {
			return true
		}
	}
	return false
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
