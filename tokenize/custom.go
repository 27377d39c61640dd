package tokenize

import (
	"fmt"
	"iter"
	"unicode/utf8"
)

// Tokenizer cuts a text into tokens, in place of the rules of this package. It
// yields them in their order. It sets Term, Start and End, and Position, 0 for
// the first token and one more for each next one where they stand side by side;
// the rest where there is something to say. A token without Word has Term as its
// Word.
//
// The bytes of a token may be part of text, and must not change before the last
// token was yielded. Any number of goroutines call a Tokenizer at the same time,
// and one text always has the same tokens.
type Tokenizer func(text []byte) iter.Seq[Token]

// Filter turns tokens into others: it changes, drops or adds some. query tells
// that they are those of a query, and not of a text to be indexed. The bytes of
// the tokens that it gets must not be written to, but may be kept until the
// last token; what is said of those of a Tokenizer holds for those that it
// gives.
//
// Filters decide what is found by deciding what is equal: a query finds a text
// if their tokens have the same Term. Word stays what somebody wrote: completions
// and repairs of misspelt words come from it, and records whose Word is equal,
// too, come first. So a Term that is no word, such as a phonetic key or a part
// of a word, begins with a character that is no letter ("~"): it is then
// neither offered nor repaired.
type Filter func(tokens iter.Seq[Token], query bool) iter.Seq[Token]

// Each returns the Filter that calls change with every token. A token that is
// left without Term is dropped.
func Each(change func(t *Token)) Filter {
	return func(tokens iter.Seq[Token], _ bool) iter.Seq[Token] {
		return func(yield func(Token) bool) {
			for t := range tokens {
				if change(&t); len(t.Term) > 0 && !yield(t) {
					return
				}
			}
		}
	}
}

// tokensPerByte bounds the tokens of a text, and their positions, for a
// Tokenizer or Filter that has no end.
const tokensPerByte = 16

// custom makes the tokens of one text after another by the Tokenizer and the
// filters of an Analyzer.
type custom struct {
	a      *Analyzer
	rules  *Stream // of the package, where there is no Tokenizer
	tokens []Token // of the text
	next   int     // the first that was not given out
	bytes  []byte  // of terms and words of rules
	err    error   // what is wrong with the token after the last one
}

// reset makes the tokens of a text.
func (c *custom) reset(text []byte, query bool) {
	clear(c.tokens) // of what belongs to others
	c.tokens, c.next, c.bytes, c.err = c.tokens[:0], 0, c.bytes[:0], nil
	if len(text) == 0 {
		return
	}
	tokens := c.packaged(text, query)
	if c.a.tokenizer != nil {
		tokens = c.a.tokenizer(text)
	}
	for _, f := range c.a.filters {
		tokens = f(tokens, query)
	}
	for t := range tokens {
		if len(t.Term) == 0 {
			continue
		}
		if len(t.Word) == 0 {
			t.Word = t.Term
		}
		if c.err = c.check(&t, text); c.err != nil {
			return
		}
		c.tokens = append(c.tokens, t)
	}
}

// packaged yields the tokens of the package's rules. Their bytes stay as they
// are until the next text.
func (c *custom) packaged(text []byte, query bool) iter.Seq[Token] {
	return func(yield func(Token) bool) {
		c.rules.reset(text, query)
		for t, ok := c.rules.Next(); ok; t, ok = c.rules.Next() {
			own := *t
			own.Word = c.keep(t.Word)
			own.Term = own.Word
			if string(t.Term) != string(t.Word) {
				own.Term = c.keep(t.Term)
			}
			if !yield(own) {
				return
			}
		}
	}
}

// keep copies b. A full array is left to the tokens that are in it.
func (c *custom) keep(b []byte) []byte {
	if cap(c.bytes)-len(c.bytes) < len(b) {
		c.bytes = make([]byte, 0, max(2*cap(c.bytes), len(b), 256))
	}
	from := len(c.bytes)
	c.bytes = append(c.bytes, b...)
	return c.bytes[from:len(c.bytes):len(c.bytes)]
}

// check tells what is wrong with a token that follows c.tokens.
func (c *custom) check(t *Token, text []byte) error {
	last := 0
	if n := len(c.tokens); n > 0 {
		last = c.tokens[n-1].Position
	}
	most := tokensPerByte * len(text)
	switch {
	case len(t.Term) > c.a.maxBytes || len(t.Word) > c.a.maxBytes:
		return fmt.Errorf("a token of %d bytes; it may have %d", max(len(t.Term), len(t.Word)), c.a.maxBytes)
	case !utf8.Valid(t.Term) || !utf8.Valid(t.Word):
		return fmt.Errorf("a token that is not valid UTF-8")
	case t.Start < 0 || t.End < t.Start || t.End > len(text):
		return fmt.Errorf("a token from byte %d to %d of a text of %d", t.Start, t.End, len(text))
	case inRune(text, t.Start) || inRune(text, t.End):
		return fmt.Errorf("a token from byte %d to %d, which cuts a character", t.Start, t.End)
	case t.Position < last:
		return fmt.Errorf("a token at position %d behind one at %d", t.Position, last)
	case t.Position >= most || len(c.tokens) == most:
		return fmt.Errorf("more than %d tokens or positions in a text of %d bytes", most, len(text))
	case t.Kind > KindUnigram:
		return fmt.Errorf("a token of the unknown kind %d", t.Kind)
	}
	return nil
}

// inRune tells whether a place in a text is inside a character.
func inRune(text []byte, at int) bool { return at < len(text) && !utf8.RuneStart(text[at]) }
