package tokenize

import "unicode/utf8"

// runState is a run of an unspaced script whose tokens are not all out.
type runState struct {
	class     class // of the run; classBreak outside of one
	character       // the one at Stream.pos
	single    bool  // no pair has come out of the run yet
}

// character is a base with the marks that follow it.
type character struct {
	end   int
	more  bool // the run goes on behind it
	plain bool // folds to itself
}

// startRun begins a run of class c at pos.
func (s *Stream) startRun(c class) {
	s.run = runState{class: c, single: true}
	s.run.character = s.characterAt(s.pos)
}

// nextInRun takes the pair that begins with the character at pos or, at the end
// of the run, that character alone. It returns false if there is no token: at
// the end of a run in query text.
func (s *Stream) nextInRun() bool {
	t := &s.tok
	start, first := s.pos, s.run.character
	end, plain := first.end, first.plain
	s.pos = first.end
	if first.more {
		second := s.characterAt(first.end)
		end, plain = second.end, plain && second.plain
		s.run.character = second
		s.run.single = false
		t.Kind = KindBigram
	} else {
		s.run.class = classBreak
		if s.query && !s.run.single {
			return false
		}
		t.Kind = KindUnigram
	}
	t.Term = s.text[start:end:end]
	if !plain {
		t.Term = s.foldOnce(t.Term)
		if len(t.Term) == 0 {
			return false
		}
	}
	t.Word = t.Term
	t.Start, t.End = start, end
	t.Stop, t.Part = t.Kind == KindBigram && s.a.pairs[string(t.Term)], false
	t.Position = s.position
	s.position++
	return true
}

// characterAt returns the character at start, in the run. With its marks it
// takes at most half of a token, so that a pair fits into one; marks beyond that
// are characters of their own.
func (s *Stream) characterAt(start int) character {
	r, n := utf8.DecodeRune(s.text[start:])
	c := character{end: start + n, plain: isPlain(r)}
	if s.a.simple != nil && c.plain {
		_, traditional := s.a.simple[r]
		c.plain = !traditional
	}
	for c.end < len(s.text) && s.text[c.end] >= utf8.RuneSelf {
		r, n := utf8.DecodeRune(s.text[c.end:])
		if r == utf8.RuneError && n == 1 {
			break
		}
		k := s.a.classes.of(r)
		if k != classMark && (k != classJamo || s.run.class != classHangul) {
			c.more = k.isUnspaced() && k.run() == s.run.class
			break
		}
		if c.end+n-start > s.a.maxBytes/2 {
			c.more = true
			break
		}
		c.plain = false
		c.end += n
	}
	return c
}

// isPlain reports whether r is in a range that folding maps to itself and that
// has no combining mark in it.
func isPlain(r rune) bool {
	return r >= 0x4E00 && r <= 0x9FFF || // unified ideographs
		r >= 0x3041 && r <= 0x3096 || // Hiragana
		r >= 0x30A1 && r <= 0x30FA || r == 'ー' || // Katakana
		r >= 0xAC00 && r <= 0xD7A3 || // Hangul syllables
		r >= 0x0E01 && r <= 0x0E32 // Thai letters
}
