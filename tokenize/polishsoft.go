package tokenize

import (
	"slices"
	"strings"
)

// Before the e of the locative and the dative the last consonant of a stem is soft: t is ci, d dzi,
// r rz, k c, g dz, and s, z, n and others have an i; some vowels change before them. The same
// consonants end stems of their own: kocie is of kot, and łokcie of łokieć. Which one it is, is told by the letters
// before, and else the more frequent one is taken.

// hardPolish undoes what an e does to the end of a stem.
func hardPolish(stem string) string {
	if rest, ok := strings.CutSuffix(stem, "ci"); ok {
		if endsInAny(rest, polishSoftT[:]...) && !endsInAny(rest, polishHardT[:]...) {
			return stem
		}
		if before, ok := strings.CutSuffix(rest, "ś"); ok {
			return oneVowel(before + "st")
		}
		return oneVowel(rest + "t")
	}
	if rest, ok := strings.CutSuffix(stem, "dzi"); ok {
		if endsInAny(rest, polishSoftD[:]...) {
			return stem
		}
		if before, ok := strings.CutSuffix(rest, "ź"); ok {
			return oneVowel(before + "zd")
		}
		return oneVowel(rest + "d")
	}
	if rest, ok := strings.CutSuffix(stem, "rz"); ok {
		if endsInAny(rest, polishSoftR[:]...) && !endsInAny(rest, polishHardR[:]...) || slices.Contains(polishAloneR[:], rest) {
			return stem
		}
		return oneVowel(rest + "r")
	}
	switch {
	case strings.HasSuffix(stem, "c"):
		return polishK(stem[:len(stem)-1], stem)
	case strings.HasSuffix(stem, "dz"):
		return polishG(stem[:len(stem)-2], stem)
	}
	return oneVowel(stem)
}

// What ends in a soft consonant in all forms, up to this consonant, and what ends in the same letters
// and does not.
var (
	polishSoftT  = [...]string{"jś", "częś", "goś", "liś", "teś", "kiś", "szczęś", "oleś", "ć", "ę", "łok", "paznok", "kap", "bab", "cio", "ży", "kry", "by", "my", "szy", "uczu", "tru", "psu", "pi", "bi", "wi", "zawar", "otwar", "wspar", "opar"}
	polishHardT  = [...]string{"rzę", "krę", "świę", "prę", "zeszy", "poby"}
	polishSoftR  = [...]string{"a", "nie", "pacie", "mie", "ryce", "tale", "powiet", "wnęt", "podwó", "wzgó", "węgo", "zwie", "wybrze"}
	polishHardR  = [...]string{"ia", "towa", "zega", "gita", "poża", "kata", "pola", "samowa", "wymia", "mia", "ofie", "rmie", "inżynie"}
	polishAloneR = [...]string{"mo", "pomo", "bu", "zo"} // whole words: doktorze is not of morze
	polishSoftD  = [...]string{"narzę", "lu", "niedźwie", "łabę", "gwoź", "orę", "krawę", "powo", "ło", "żołę", "gołę", "sę", "odpowie", "zapowie"}
)

// polishK makes k of the c at the end of a stem where it is one. rest is what is before it.
func polishK(rest, stem string) string {
	switch {
	case rest == "lal" || rest == "łą" || rest == "mą":
	case endsInAny(rest, "ż", "t", "z", "d", "b", "p", "f", "ś", "ł", "ów", "aw", "yw", "ór", "ur", "u"):
	case strings.HasSuffix(rest, "ew"):
		if rest == "szew" {
			return stem
		}
	case strings.HasSuffix(rest, "am"):
		if rest == "sam" {
			return stem
		}
	case strings.HasSuffix(rest, "s"):
		if strings.HasSuffix(rest, "js") {
			return stem
		}
	case strings.HasSuffix(rest, "l"):
		if endsInAny(rest, "widel", "hamul", "strzel", "ciel") && !strings.HasSuffix(rest, "iciel") || rest == "pal" || rest == "kol" || rest == "wal" || rest == "mal" {
			return stem
		}
	case strings.HasSuffix(rest, "n"):
		if rest == "kon" || rest == "slon" || rest == "tan" {
			return stem // without their diacritics
		}
	case strings.HasSuffix(rest, "ar"):
		if rest == "star" {
			return stem
		}
	case strings.HasSuffix(rest, "er"):
		if rest == "ser" || strings.HasSuffix(rest, "morder") {
			return stem
		}
	case strings.HasSuffix(rest, "j"):
		if strings.HasSuffix(rest, "ój") || rest == "oj" {
			return stem
		}
	case strings.HasSuffix(rest, "y"):
		if endsInAny(rest, "księży", "ksiezy") {
			return stem
		}
	case strings.HasSuffix(rest, "e"):
		if rest == "pie" || endsInAny(rest, "świe", "swie") || len(rest) < 3 {
			return stem
		}
	default:
		return stem
	}
	return rest + "k"
}

// polishG makes g of the dz at the end of a stem where it is one.
func polishG(rest, stem string) string {
	switch {
	case strings.HasSuffix(rest, "o") && !endsInAny(rest, "wo", "ro"),
		rest == "dro" || rest == "podro",
		strings.HasSuffix(rest, "a") && !endsInAny(rest, "wła", "sa", "ka", "ra"),
		strings.HasSuffix(rest, "ul"), rest == "skar":
		return rest + "g"
	case strings.HasSuffix(rest, "ę") && !endsInAny(rest, "nę", "pę", "wę", "nię", "mię"):
		return rest + "g"
	}
	return stem
}

// oneVowel undoes what a soft consonant does to the vowel before it: mieście is of miasto. Most
// words have an e in all forms, as kobiecie, so that those which change it are named.
func oneVowel(stem string) string {
	stem, soft := strings.CutSuffix(stem, "i")
	for i := range polishVowels {
		e := &polishVowels[i]
		if rest, ok := strings.CutSuffix(stem, e.from); ok && (e.min == 0 || rest == "") {
			return rest + e.to
		}
	}
	if soft {
		return stem + "i"
	}
	return stem
}

// polishVowels have 1 behind them where they are a word of themselves only.
var polishVowels = [...]ending{
	{"miest", "miast", 0}, {"świet", "świat", 0}, {"kwiet", "kwiat", 0}, {"obied", "obiad", 0}, {"gwiezd", "gwiazd", 0},
	{"gniezd", "gniazd", 0}, {"ciest", "ciast", 0}, {"ciel", "ciał", 1}, {"świetl", "światł", 0}, {"wietr", "wiatr", 1},
	{"wier", "wiar", 1}, {"mier", "miar", 1}, {"ofier", "ofiar", 1}, {"jezd", "jazd", 0}, {"sąsied", "sąsiad", 0},
	{"les", "las", 1}, {"let", "lat", 1}, {"kościel", "kościoł", 1}, {"aniel", "anioł", 0}, {"czel", "czoł", 1},
}

// personalPolish undoes what the y and i of plurals of persons do: studenci, aktorzy, pracownicy.
func personalPolish(stem string) string {
	for i := range polishPersons {
		e := &polishPersons[i]
		if rest, ok := strings.CutSuffix(stem, e.from); ok && len(rest) >= e.min {
			return rest + e.to
		}
	}
	return stem
}

var polishPersons = [...]ending{
	{"nci", "nt", 3}, {"yści", "yst", 3}, {"ysci", "yst", 3}, {"iści", "ist", 4}, {"isci", "ist", 4}, {"okaci", "okat", 2}, {"eryci", "eryt", 1}, {"ydaci", "ydat", 2},
	{"ktorz", "ktor", 1}, {"utorz", "utor", 0}, {"torz", "tor", 2}, {"sorz", "sor", 3}, {"brz", "br", 2},
	{"sc", "sk", 2}, {"cc", "ck", 2}, {"rierz", "rier", 2}, {"żynierz", "żynier", 1}, {"awnic", "awnik", 2}, {"ownic", "ownik", 4}, {"ędnic", "ędnik", 2}, {"stnic", "stnik", 4}, {"otnic", "otnik", 1}, {"olnic", "olnik", 1}, {"odnic", "odnik", 2},
}

// participle spells stems of passive participles as those of their verbs: zgubiony, malowany.
func participle(stem string) string {
	for _, end := range [...]string{"bion", "wion", "nion", "czon", "dzon", "szon", "rzon", "owan"} {
		if rest, ok := strings.CutSuffix(stem, end); ok && len(rest) > 2 && hasPolishVowel(rest) {
			return rest + strings.TrimSuffix(end[:2], "i")
		}
	}
	return stem
}

// imperfective spells stems of verbs in -ywać and -iwać as those of their present, in -uje:
// pokazywać, pokazuje. Others have -ywa: używać.
func imperfective(stem string) string {
	if rest, ok := strings.CutSuffix(stem, "owyw"); ok && hasPolishVowel(rest) {
		return rest + "ow"
	}
	if endsInAny(stem, "edaw", "ydaw", "odaw", "ddaw") {
		return stem[:len(stem)-1] + "j" // sprzedaje
	}
	rest, ok := strings.CutSuffix(stem, "yw")
	if !ok {
		rest, ok = strings.CutSuffix(stem, "iw")
		if !ok || !endsInAny(rest, "k", "g") {
			return stem
		}
		return rest + "ow"
	}
	if !endsInAny(rest, "s", "z", "n", "m", "w") || endsInAny(rest, "naz", "wz", "uz", "zm", "um", "om") || !hasPolishVowel(rest) {
		return stem
	}
	return rest + "ow"
}
