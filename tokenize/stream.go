package tokenize

import (
	"unicode"
	"unicode/utf8"
)

// Stream is the working memory of one goroutine: it yields the tokens of one
// text after another. It keeps bounded caches of words (two, of at most about 3 MiB), so it pays to use one Stream for many texts. Make it with
// Analyzer.NewStream; it is not safe for concurrent use.
type Stream struct {
	a     *Analyzer
	text  []byte
	query bool // leave out the last character of a longer run

	pos      int // next byte to look at
	position int // of the next token that is not a part
	tok      Token

	word    wordState
	run     runState
	parts   partsState
	segment int // end of the last segment asked of UAX #29

	words  *cache // by a word in lower case if it is ASCII, as written if not
	folds  *cache // by a symbol or the characters of a pair, as written
	folder folder
	lower  []byte // a word in lower case
	folded []byte // a word folded
	term   []byte // a term folded

	custom *custom // nil: there are the rules of the package alone
}

// wordState is a word that was found and whose tokens are not all out; they are
// several where it is longer than Options.MaxTokenBytes.
type wordState struct {
	end        int        // pos < end while something is left
	ascii      bool       // nothing but ASCII
	seen       asciiClass // if ascii, the union of the classes of its letters and digits
	apostrophe bool       // contains an apostrophe
	symbol     bool       // an emoji or another symbol
}

// NewStream returns a Stream with nothing to yield; Reset gives it a text.
func (a *Analyzer) NewStream() *Stream {
	if !a.Custom() {
		return a.newStream()
	}
	s := &Stream{a: a, custom: &custom{a: a}}
	if a.tokenizer == nil {
		s.custom.rules = a.newStream()
	}
	return s
}

// TakeStream is NewStream, or a Stream that was given back: it knows many words already.
func (a *Analyzer) TakeStream() *Stream { return a.streams.Get().(*Stream) }

// GiveBack ends the use of a Stream: TakeStream may give it to somebody else.
func (s *Stream) GiveBack() {
	s.Reset(nil) // what waits must not keep a text alive
	s.a.streams.Put(s)
}

// newStream returns a Stream of the package's rules.
func (a *Analyzer) newStream() *Stream {
	return &Stream{a: a, words: newCache(), folds: newCache()}
}

// Reset starts the analysis of text for indexing. The text must not change
// until the next Reset.
func (s *Stream) Reset(text []byte) { s.reset(text, false) }

// ResetQuery starts the analysis of query text: as Reset, but a run of two or
// more characters of an unspaced script gives its pairs only.
func (s *Stream) ResetQuery(text []byte) { s.reset(text, true) }

func (s *Stream) reset(text []byte, query bool) {
	if s.custom != nil {
		s.custom.reset(text, query)
		return
	}
	s.text = text
	s.query = query
	s.pos, s.position, s.segment = 0, 0, 0
	s.word, s.run, s.parts = wordState{}, runState{}, partsState{}
}

// Err tells why the tokens of the text at hand end where they do: nil for the end
// of the text, otherwise what is wrong with the next token that the Tokenizer or
// the Filters of the Analyzer gave. That is a mistake in them, or in what they
// make of a text: see Options.MaxTokenBytes.
func (s *Stream) Err() error {
	if s.custom != nil {
		return s.custom.err
	}
	return nil
}

// Next returns the next token. The token and its bytes are valid until the next
// call of Next or Reset, and the caller must not modify them. At the end of the
// text, and ever after, Next returns nil and false.
func (s *Stream) Next() (*Token, bool) {
	if c := s.custom; c != nil {
		if c.next == len(c.tokens) {
			return nil, false
		}
		c.next++
		return &c.tokens[c.next-1], true
	}
	for {
		switch {
		case s.parts.next < s.parts.end:
			if s.nextPart() {
				return &s.tok, true
			}
		case s.run.class != classBreak:
			if s.nextInRun() {
				return &s.tok, true
			}
		case s.pos < s.word.end:
			if s.nextInWord() {
				return &s.tok, true
			}
		case s.a.mode == Whitespace:
			if !s.scanSpaced() {
				return nil, false
			}
		default:
			if !s.scan() {
				return nil, false
			}
		}
	}
}

// scan moves pos to the next word, symbol or run and notes its extent. It
// returns false at the end of the text.
func (s *Stream) scan() bool {
	text := s.text
	for i := s.pos; i < len(text); {
		switch c := asciiClasses[text[i]]; {
		case c == asciiBreak || c == asciiInner:
			i++
		case c != asciiHigh:
			s.pos = i
			s.word = s.asciiWord(i)
			if s.word.apostrophe {
				s.elide()
			}
			return true
		default:
			r, n := utf8.DecodeRune(text[i:])
			if r == utf8.RuneError && n == 1 {
				i++
				continue
			}
			switch c := s.a.classes.of(r); {
			case c == classLetter || c == classDigit || c == classScript:
				s.pos = i
				s.word = s.unicodeWord(i)
				if s.word.apostrophe {
					s.elide()
				}
				return true
			case c == classSymbol:
				s.pos = i
				s.word = wordState{end: s.symbolEnd(i), symbol: true}
				return true
			case c.isUnspaced():
				s.pos = i
				s.startRun(c.run())
				return true
			}
			i += n
		}
	}
	s.pos = len(text)
	return false
}

// scanSpaced is scan in Whitespace mode.
func (s *Stream) scanSpaced() bool {
	i := s.pos
	for i < len(s.text) {
		n, space := spaceAt(s.text[i:])
		if !space {
			break
		}
		i += n
	}
	s.pos = i
	for i < len(s.text) {
		if c := s.text[i]; c > ' ' && c < utf8.RuneSelf {
			i++
			continue
		}
		n, space := spaceAt(s.text[i:])
		if space {
			break
		}
		i += n
	}
	s.word = wordState{end: i}
	return s.pos < i
}

// spaceAt reports whether b begins with white space or a bad byte, and how long
// that, or the rune in its place, is.
func spaceAt(b []byte) (n int, space bool) {
	if c := b[0]; c < utf8.RuneSelf {
		return 1, c == ' ' || '\t' <= c && c <= '\r'
	}
	r, n := utf8.DecodeRune(b)
	return n, r == utf8.RuneError && n == 1 || unicode.IsSpace(r)
}

// nextInWord takes the next token from the word at pos and moves pos behind it.
// It returns false if nothing of it is left after folding, as of a lone tatweel.
func (s *Stream) nextInWord() bool {
	start, end := s.pos, s.word.end
	if end-start > s.a.maxBytes {
		end = runeStart(s.text, start, start+s.a.maxBytes)
	}
	s.analyze(s.text[start:end])
	for len(s.tok.Word) > s.a.maxBytes {
		// Compatibility characters can fold to more than they were. A single one
		// folds to 33 bytes at most, so this ends.
		end = runeStart(s.text, start, start+(end-start)/2)
		s.analyze(s.text[start:end])
	}
	s.pos = end
	if len(s.tok.Term) == 0 {
		return false
	}
	s.tok.Start, s.tok.End = start, end
	s.tok.Part = false
	s.tok.Position = s.position
	s.position++
	if s.a.parts && s.a.mode == Standard && s.word.mayHaveParts() {
		s.startParts(start, end)
	}
	return true
}

// runeStart returns the greatest rune boundary that is at most end and behind
// the rune at start.
func runeStart(text []byte, start, end int) int {
	_, n := utf8.DecodeRune(text[start:])
	for end > start+n && !utf8.RuneStart(text[end]) {
		end--
	}
	return max(end, start+n)
}
