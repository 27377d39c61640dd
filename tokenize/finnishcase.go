package tokenize

import "strings"

// cutCase takes the ending of the case off, or learns that it is the base form. Where an
// ending may be of two cases, or the end of the word itself, the more frequent reading is
// taken, and longer endings are tried first.
func (f *finnishWord) cutCase() {
	for _, cut := range [...]func() bool{
		f.cutNen, f.cutElative, f.cutLocal, f.cutPartitiveSingular, f.cutEssive, f.cutAdverb,
		f.cutIllative, f.cutGenitivePlural, f.cutVerb, f.cutShort,
	} {
		if cut() {
			return
		}
	}
	f.base()
}

// cutNen spells words in -nen as the stem of their other forms: punainen, punaisen.
func (f *finnishWord) cutNen() bool {
	rest, ok := strings.CutSuffix(f.stem, "nen")
	if !ok || len(rest) < 3 {
		return false
	}
	f.stem, f.bare, f.fixed = rest+"s", false, true
	return true
}

// cutElative takes -sta off, which is also the end of the partitive of words in -nen, -us and
// -as: punaista, opetusta. Those in -as need nothing, as they lose their s.
func (f *finnishWord) cutElative() bool {
	if !f.cut("sta", 3) {
		return false
	}
	w, n := f.stem, len(f.stem)
	f.closed = true
	switch {
	case n > 3 && endsInAny(w, "ai"), n > 4 && endsInAny(w, "lli"), endsInAny(w, "nakoi", "muotoi", "kokoi", "arvoi", "kkoi"),
		w == "valkoi", w == "erikoi",
		n > 4 && endsInAny(w, "mi") && isVowel(w[n-3]) && !isVowel(w[n-4]): // tekemistä
		f.stem, f.fixed = w+"s", true
	case endsInAny(w, "tu", "ty"): // opetusta; of -tu it would be -du
		f.fixed = true
	}
	return true
}

// cutLocal takes the other cases off that say where, and what something becomes: talossa.
func (f *finnishWord) cutLocal() bool {
	w, n := f.stem, len(f.stem)
	if n > 4 && endsInAny(w, "lta") && opensOne(w[n-5:n-3]) || n > 5 && endsInAny(w, "rta") && opensOne(w[n-5:n-3]) {
		f.stem, f.bare = w[:n-2], false // kieltä, saarta
		return true
	}
	f.closed = f.cutAny(3, "ssa", "lla", "lta", "lle") || f.cut("ksi", 4)
	return f.closed
}

// opensOne tells whether two letters are a long vowel, or a diphthong as it comes of one.
func opensOne(s string) bool {
	return s[0] == s[1] && isVowel(s[0]) || s == "ie" || s == "uo" || s == "yo"
}

// cutPartitiveSingular takes the partitive off that has a long t: huonetta, sairautta.
func (f *finnishWord) cutPartitiveSingular() bool {
	w, n := f.stem, len(f.stem)
	switch {
	case n > 7 && endsInAny(w, "vetta") && isVowel(w[n-6]):
		f.stem, f.bare = w[:n-len("etta")]+"esi", false // juomavettä
		return true
	case endsInAny(w, "etta") && f.cut("tta", 4):
		f.closed, f.bare = true, true // liikettä has the grade of liike
		return true
	}
	return n > 5 && endsInAny(w, "utta", "ytta") && isVowel(w[n-5]) && f.cut("tta", 4)
}

// cutEssive takes -na off words that are long enough: peruna and omena end so themselves.
func (f *finnishWord) cutEssive() bool {
	w, n := f.stem, len(f.stem)
	return endsInAny(w, "oina", "isina") && f.cut("na", 4) || n > 6 && !isVowel(w[n-4]) && f.cut("na", 5)
}

// cutAdverb takes -sti off adjectives: nopeasti, punaisesti.
func (f *finnishWord) cutAdverb() bool {
	return endsInAny(f.stem, "isesti", "easti", "vasti") && f.cut("sti", 4)
}

// cutIllative takes the endings off that say where to, but for the longer vowel of taloon, which
// shorten does.
func (f *finnishWord) cutIllative() bool {
	w, n := f.stem, len(f.stem)
	return n > 6 && w[n-5] == w[n-6] && f.cut("seen", 4) || endsInAny(w, "eisiin") && f.cut("siin", 4) ||
		endsInVowels(strings.TrimSuffix(w, "hin")) && f.cut("hin", 4) ||
		n > 5 && w[n-3] == 'h' && w[n-4] == w[n-2] && f.cut(w[n-3:], 4)
}

// cutGenitivePlural takes the genitives of the plural off, and the partitive that looks like
// one of them: taloiden, taloita, talojen, saarten, lasien.
func (f *finnishWord) cutGenitivePlural() bool {
	w, n := f.stem, len(f.stem)
	for _, end := range [...]string{"den", "tten", "ta"} {
		if rest, ok := strings.CutSuffix(w, end); ok && endsInVowels(rest) && (end != "ta" || rest[len(rest)-1] == 'i' && !isShirt(w)) && f.cut(end, 4) {
			f.closed = endsInAny(rest, "oi") // mansikoiden, but osoitteiden
			return true
		}
	}
	switch {
	case n > 5 && endsInAny(w, "sten", "lten", "nten", "rten"):
		f.stem, f.bare = w[:n-len("ten")], false
		if endsInAny(f.stem, "us", "ys") {
			f.stem, f.fixed = w[:n-len("sten")], true // sormusten
		}
	case n > 5 && strings.IndexByte("oeuy", w[n-4]) >= 0 && f.cut("jen", 3):
		f.plural = true
	case endsInAny(w, "ien") && f.cut("en", 4):
	default:
		return false
	}
	return true
}

// isShirt tells whether a word is a paita, and no plural as hampaita or oppaita.
func isShirt(word string) bool {
	kind, ok := strings.CutSuffix(word, "paita")
	return ok && !endsInAny(kind, "p", "m")
}

// cutVerb takes off what shows that a word is a form of a verb: puhuvat, puhunut. Nouns have
// the first of them, too: syntymäpäivät, valokuvat.
func (f *finnishWord) cutVerb() bool {
	return f.cutAny(4, "nut", "nyt") || !endsInAny(f.stem, "paivat", "kuvat", "tavat", "leivat", "lavat", "harvat", "hyvat") && f.cut("vat", 3)
}

// cutShort takes the endings of one or two letters off: talon, talot, taloja, katua.
func (f *finnishWord) cutShort() bool {
	w, n := f.stem, len(f.stem)
	switch {
	case f.cutAny(3, "n", "t"):
		f.closed = true
	case n > 4 && strings.IndexByte("oeuy", w[n-3]) >= 0 && !isVowel(w[n-4]) && f.cut("ja", 3):
		f.plural = true
	case n > 2 && strings.IndexByte("iueoy", w[n-2]) >= 0 && f.cut("a", 3):
	default:
		return false
	}
	return true
}

// base takes off what only the base form has: the s of rikas, which is rikkaan, and that of
// sormus, which has another consonant with it in other forms. Words in -e and -as have the weak
// grade in their base form, and the strong one in others.
func (f *finnishWord) base() {
	w, n := f.stem, len(f.stem)
	switch {
	case n > 4 && endsInAny(w, "us", "ys"):
		f.stem, f.fixed = w[:n-1], true
	case n > 4 && endsInAny(w, "as", "is", "es"):
		f.stem, f.closed = w[:n-1], true
	default:
		f.closed = endsInAny(w, "e")
	}
}
