package tokenize

import "strings"

// Consonant gradation: p, t and k, single, long or behind another consonant, have a strong
// grade before an open syllable and a weak one before a closed one: matto, maton; mato, madon;
// kulta, kullan. Which one a stem has is told by the ending that was taken off, so that maton is
// matto, and not mato. Of both grades the one is kept that other words may not have:
//
//	pp p: pp     tt t: tt     kk k: kk     mpp mp: mpp, and so on behind l, n and r
//	p v:  v      t d:  d      ht hd: hd    mp mm: mm    nt nn: nn    nk ng: ng
//	lt ll: ll    rt rr: rr    lp lv: lv    rp rv: rv
//
// A k that is lost is not brought back, nor are others dropped, since hardly anything would be
// left of most words: polku would be polu, and kulku, kulu. Those that people use are in
// finnishCompounded.

// shorten makes a long vowel at the end of the stem short. The syllable before it is open,
// whatever follows: rikkaan, sateet.
func (f *finnishWord) shorten() {
	w, n := f.stem, len(f.stem)
	if n > 3 && isVowel(w[n-1]) && w[n-1] == w[n-2] && !(f.bare && f.fixed) {
		f.stem, f.closed, f.bare = w[:n-1], false, false
	}
}

// grade gives the consonants at the end of the stem one grade and drops the vowel behind them.
func (f *finnishWord) grade() {
	if rest, ok := strings.CutSuffix(f.stem, "mis"); ok && len(rest) > 3 && endsInVowel(rest) {
		f.stem, f.fixed = rest, false // puhuminen, of puhua
	}
	if len(f.stem) > 3 && endsInVowels(f.stem) && !f.oneVowel() || !endsInVowel(f.stem) {
		return
	}
	w, vowel := f.stem[:len(f.stem)-1], f.stem[len(f.stem)-1]
	if !f.fixed {
		w = oneGrade(w, f.closed)
	}
	if rest, ok := strings.CutSuffix(w, "isemm"); ok && len(rest) > 3 {
		w = rest + "is" // punaisempi
	}
	keeps := len(w) < 2 || vowel == 'u' || vowel == 'y' ||
		vowel == 'o' && len(w) < 4 && !(f.plural && strings.Contains(finnishPluralO, " "+w+" "))
	if keeps {
		w += string(vowel)
	}
	f.stem = w
}

// finnishPluralO are short stems in -a that have -o- in the plural, as kaloja, without their
// vowel and with the grade that they get. Other short ones are of words in -o: taloja.
const finnishPluralO = " al had hak han hav kad kal kan kar kas kis lad lav lih maj mal nav pad paj pal pih rad rah raj san sad sar sik tav tel tin van var vas vih vik "

// oneVowel leaves one of the two vowels that the stem ends in, if they are the end of the
// plural, of an adjective or of a name in -ea and -ia, or of the last part of a compound as in
// rautatie; false: the stem is to stay as it is.
func (f *finnishWord) oneVowel() bool {
	w, n := f.stem, len(f.stem)
	switch w[n-2:] {
	case "ai", "ei", "oi", "ui", "yi":
		f.stem, f.plural = w[:n-1], true
		if w[n-2] == 'a' {
			f.closed = false // kuninkaissa
		}
		return !isVowel(w[n-3]) // valtioissa
	case "ea", "ia":
		f.stem, f.closed, f.fixed = w[:n-1], false, true
	case "ie", "uo", "yo":
		f.stem, f.closed = w[:n-2]+w[n-1:], false
	default:
		return false
	}
	return true
}

// oneGrade spells the consonants at the end of a stem, whose vowel is cut off, in one way
// whatever their grade is. closed: the syllable behind them was closed.
func oneGrade(w string, closed bool) string {
	n := len(w)
	if n < 2 || strings.IndexByte("ptk", w[n-1]) < 0 {
		return w
	}
	last, before := w[n-1:], w[n-2]
	vowel, liquid, nasal := isVowel(before), before == 'l' || before == 'r', before == 'n' || before == 'm'
	if closed {
		if vowel || liquid || nasal {
			return w + last
		}
		return w
	}
	rest := w[:n-1]
	switch {
	case last == "t" && (vowel || before == 'h'):
		return rest + "d"
	case last == "p" && (vowel || liquid):
		return rest + "v"
	case last == "t" && (liquid || before == 'n'), last == "p" && before == 'm':
		return rest + rest[n-2:]
	case last == "k" && before == 'n':
		return rest + "g"
	}
	return w
}
