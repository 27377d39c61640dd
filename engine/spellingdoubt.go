package engine

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/quarry-search/quarry/tokenize"
)

// A word that no record holds may be right all the same: there are more names, commands and
// abbreviations than any list has. Slips differ from them: few are made in the first letter,
// and short words have others near them by chance. What is read as another word unasked
// is what is likely to be a slip; the rest is only offered (reconsider).

const (
	// firstLetters is the letters of a word from which on its first letter may be the wrong one: pgrep
	// is no grep, and strace no trace. With a second edit they are farFirstLetters.
	firstLetters    = 7
	farFirstLetters = 8
	// manyKnown is how many known words beside one make a query in which it is hardly a name.
	manyKnown = 2
	// leastRepair is the letters of the shortest word that another is read as, and fillerLetters
	// those of a word from which on that may be a filler word: perl is not per, nor booth both.
	leastRepair   = 4
	fillerLetters = 6
	// begunLetters is the letters of a word from which on it may be the misspelt beginning of
	// another, which begins with the same letter.
	begunLetters = 6
)

// isDoubtful tells whether a word of so many letters may be right though a candidate is near.
func (sp *speller) isDoubtful(c *candidate, word string, letters int) bool {
	if sp.rare {
		// What is offered is not what a query has no use for.
		return sp.isFiller(c.word) || sp.right && !c.moved && sp.isCommon(c.word)
	}
	return sp.company().words < manyKnown && !c.moved && letters < fillerLetters && (sp.isFiller(c.word) || utf8.RuneCountInString(c.word) < min(leastRepair, letters) && !doubles(word, c.word))
}

// begins tells whether a candidate may be meant by a word of so many letters as far as their first letters go.
// What stands beside many words of the query is what was meant all the same.
func (sp *speller) begins(c *candidate, word string, letters int) bool {
	first, _ := utf8.DecodeRuneInString(c.word)
	typed, _ := utf8.DecodeRuneInString(word)
	return sp.rare || first == typed || c.moved || c.alike || letters >= firstLetters && (c.edits < 2 || letters >= farFirstLetters)
}

// doubles tells whether a word is another but for a letter that it has twice.
func doubles(word, other string) bool {
	for i := 1; i < len(word); i++ {
		if word[i] == word[i-1] && word[:i]+word[i+1:] == other {
			return true
		}
	}
	return false
}

// isFiller tells whether a word of the vocabulary is a filler word.
func (sp *speller) isFiller(word string) bool {
	for _, run := range sp.runs {
		for _, g := range run.res.analyzers(nil) {
			if tokens := run.res.texts.tokens(g.analyzer, word); len(tokens) == 1 && run.res.stopWord(&tokens[0]) {
				return true
			}
		}
	}
	return false
}

// isCommon tells whether a word of the vocabulary is one of everyday language.
func (sp *speller) isCommon(word string) bool {
	for _, run := range sp.runs {
		if run.iv.schema.tables().common[word] {
			return true
		}
	}
	return false
}

// codeHumps is the capitals inside a name from which on it is one of programs: products have one, "MacBook".
const codeHumps = 2

// isCode tells whether a token of a text is part of what programs are written in: a name with several
// capitals inside, which is only offered otherwise, or what punctuation joins to others, as in
// json.NewDecoder(r.Body).
func (sp *speller) isCode(text string, t *tokenize.Token) bool {
	if t.Start >= t.End || t.End > len(text) {
		return false
	}
	last, humps := rune(0), 0
	for _, c := range text[t.Start:t.End] {
		if unicode.IsUpper(c) && unicode.IsLower(last) {
			humps++
		}
		last = c
	}
	if !sp.rare && humps >= codeHumps {
		return true
	}
	from := strings.LastIndexFunc(text[:t.Start], unicode.IsSpace) + 1
	to := len(text)
	if n := strings.IndexFunc(text[t.End:], unicode.IsSpace); n >= 0 {
		to = t.End + n
	}
	return hasCode(text[from:to])
}

// hasCode tells whether letters or digits of a text without spaces are joined by the punctuation of code.
func hasCode(text string) bool {
	for i := 1; i+1 < len(text); i++ {
		if !isASCIIWord(text[i-1]) {
			continue
		}
		switch next := text[i+1]; text[i] {
		case '(', '[', '{', '<':
			return true
		case '_', '.', '=':
			if isASCIIWord(next) {
				return true
			}
		case ':', '-':
			if i+2 < len(text) && isASCIIWord(text[i+2]) && (text[i:i+2] == "::" || text[i:i+2] == "->") {
				return true
			}
		}
	}
	return false
}

func isASCIIWord(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}
