package tokenize

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// analyze fills Term, Word, Stop and Kind of the token from raw, a word or a
// piece of one. Both are empty if folding leaves nothing.
func (s *Stream) analyze(raw []byte) {
	t := &s.tok
	t.Stop = false
	switch {
	case s.a.mode == Whitespace:
		t.Term, t.Word = raw, raw
	case s.word.symbol:
		t.Word = s.foldOnce(raw)
		t.Term = t.Word
	case s.word.ascii && s.a.stem == nil && s.a.stop == nil:
		word := raw
		if s.word.apostrophe {
			s.lower = dropByte(dropByte(appendLower(s.lower[:0], raw), '\''), '`')
			word = s.lower
		} else if s.word.seen&asciiUpper != 0 {
			s.lower = appendLower(s.lower[:0], raw)
			word = s.lower
		}
		t.Term, t.Word = word, word
	default:
		key := raw
		if s.word.seen&asciiUpper != 0 && !s.a.lang.turkish {
			s.lower = appendLower(s.lower[:0], raw)
			key = s.lower
		}
		if len(key) > maxStemBytes {
			s.analyzeWord(key)
			break
		}
		e, hash := s.words.find(key)
		if e == nil {
			word, term, stop := s.analyzeWord(key)
			e = s.words.add(hash, key, word, term, stop)
		}
		t.Word, t.Term = s.words.texts(e)
		t.Stop = e.stop
	}
	t.Kind = KindWord
	if (!s.word.ascii || s.word.seen&asciiDigit != 0) && isNumber(t.Word) {
		t.Kind = KindNumber
	}
}

// analyzeWord folds and stems one word and also sets them in the token. The
// results are in the scratch memory of s.
func (s *Stream) analyzeWord(raw []byte) (word, term []byte, stop bool) {
	if s.word.apostrophe {
		raw = withApostrophes(raw)
	}
	cased := s.folder.lower(s.folder.cased[:0], raw, s.a.lang.turkish)
	s.folder.cased = cased
	if s.a.lang.contracted {
		cased = uncontracted(cased)
	}
	if s.a.lang.turkish {
		cased = beforeSuffix(cased)
	}
	s.folded = s.folder.strip(s.folded[:0], cased)
	stop = s.a.stop[string(s.folded)]
	if s.a.lang.accentsTell || stop && s.a.lang.accents != nil && !bytes.Equal(cased, s.folded) {
		stop = s.a.stop[string(cased)] // Swedish hår is hair, and not har
	}
	s.folded = s.keepWord(s.folded)
	word, term = s.folded, s.folded
	if s.a.stem != nil && len(raw) <= maxStemBytes && len(word) > 0 && stems(word) {
		in := word
		if !s.a.lang.foldFirst {
			in = s.keepWord(cased)
		}
		stem := []byte(s.a.stem(string(in)))
		if s.a.lang.accentsTell {
			s.term = append(s.term[:0], stem...)
		} else {
			s.term = s.folder.strip(s.term[:0], stem)
		}
		if n := len(s.term); n > 0 && n <= s.a.maxBytes {
			term = s.term
		}
	}
	s.tok.Word, s.tok.Term, s.tok.Stop = word, term, stop
	return word, term, stop
}

// stems reports whether a folded word is one that stemming applies to.
func stems(word []byte) bool {
	for _, c := range word {
		if asciiClasses[c] == asciiDigit || c == '+' || c == '#' {
			return false
		}
	}
	return true
}

// keepWord drops from b, in place, what is inside a word but not of it:
// apostrophes, the marks of Hebrew, the Catalan dot, the spaces that NFKC
// puts into some compatibility characters, and what shows nothing, such as soft hyphens.
func (s *Stream) keepWord(b []byte) []byte {
	out := b[:0]
	for i := 0; i < len(b); {
		c := b[i]
		if c < utf8.RuneSelf {
			if c != '\'' && c != '"' && c != ' ' {
				out = append(out, c)
			}
			i++
			continue
		}
		r, n := utf8.DecodeRune(b[i:])
		if c := s.a.classes.of(r); c != classBreak && !(c == classMark && isIgnored(r) && unicode.Is(unicode.Cf, r)) {
			out = append(out, b[i:i+n]...)
		}
		i += n
	}
	return out
}

// foldOnce returns a symbol, or characters of an unspaced script, folded and
// without the brackets and dots that stand around a letter or digit: ㈱ is 株, ⒈
// is 1.
func (s *Stream) foldOnce(raw []byte) []byte {
	if len(raw) > maxStemBytes {
		s.folded = s.folder.fold(s.folded[:0], raw)
		simplify(s.folded, s.a.simple)
		return s.folded
	}
	e, hash := s.folds.find(raw)
	if e == nil {
		s.folded = s.folder.fold(s.folded[:0], raw)
		simplify(s.folded, s.a.simple)
		word := trimSymbol(s.folded)
		e = s.folds.add(hash, raw, word, word, false)
	}
	word, _ := s.folds.texts(e)
	return word
}

// trimSymbol drops brackets, dots, commas, spaces and the degree sign from b, in
// place.
func trimSymbol(b []byte) []byte {
	out := b[:0]
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		switch r {
		case '(', ')', '.', ',', ' ', '°', '〔', '〕':
		default:
			out = append(out, b[i:i+n]...)
		}
		i += n
	}
	return out
}

// isNumber reports whether a folded word consists of digits and separators.
func isNumber(word []byte) bool {
	for i, c := range word {
		if asciiClasses[c] != asciiDigit && (i == 0 || c != '.' && c != ',') {
			return false
		}
	}
	return len(word) > 0
}
