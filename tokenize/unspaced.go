package tokenize

import "unicode/utf8"

// runState is a run of an unspaced script whose tokens are not all out.
type runState struct {
	class     class // of the run; classBreak outside of one
	character       // the one at Stream.pos
	single    bool  // no pair has come out of the run yet
}

// character is a base with the marks that follow it, of Thai and Lao also with the vowels that are
// written around it.
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
	t.Stop, t.Part = t.Kind == KindBigram && s.a.pairs()[string(t.Term)], false
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
	leads, vowels := leadsVowel(r), 0
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
		mark := k == classMark || k == classJamo && s.run.class == classHangul
		if !mark && !(k == s.run.class && (leads || trailsVowel(r) && vowels < maxVowels)) {
			c.more = k.isUnspaced() && k.run() == s.run.class
			break
		}
		if c.end+n-start > s.a.maxBytes/2 {
			c.more = true
			break
		}
		c.plain = c.plain && !mark && isPlain(r)
		if !mark && !leads {
			vowels++
		}
		leads = false
		c.end += n
	}
	return c
}

// leadsVowel tells whether a letter is a vowel of Thai or Lao that is written before the consonant
// behind which it is spoken (Logical_Order_Exception in Unicode), and trailsVowel whether it is one
// that is written behind it. With them a character is nearly a syllable, and pairs tell more.
func leadsVowel(r rune) bool { return r >= 0x0E40 && r <= 0x0E44 || r >= 0x0EC0 && r <= 0x0EC4 }

func trailsVowel(r rune) bool {
	if r >= 0x0E80 {
		r -= 0x80 // Lao has the order of Thai
	}
	return r == 0x0E30 || r == 0x0E32 || r == 0x0E33 || r == 0x0E45
}

// maxVowels is how many vowels are written behind one consonant.
const maxVowels = 2

// isPlain reports whether r is in a range that folding maps to itself and that
// has no combining mark in it.
func isPlain(r rune) bool {
	return r >= 0x4E00 && r <= 0x9FFF || // unified ideographs
		r >= 0x3041 && r <= 0x3096 || // Hiragana
		r >= 0x30A1 && r <= 0x30FA || r == 'ー' || // Katakana
		r >= 0xAC00 && r <= 0xD7A3 || // Hangul syllables
		r >= 0x0E01 && r <= 0x0E32 || r >= 0x0E40 && r <= 0x0E45 // Thai letters
}
