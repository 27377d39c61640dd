package tokenize

import "strings"

// Catalan has a light stemmer: it undoes plurals, feminines, and those forms of verbs that few
// other words look like. It sees accents, since they tell what an end is: pugó has the plural
// pugons, and francès is none. Some things are spelt in one way, whatever follows: the n that
// words in a stressed vowel have before endings (camió, camions), the sound of ç as z, because
// it is no c (plaça and places, but placa and plaques), and that of j (taronja, taronges).
//
// Of long words the feminine has the stem of the masculine: bonica, bonic. Of short ones most
// are words of their own, plata beside plat and porta beside port, so that an -a stays behind
// a single syllable, but for adjectives that are known. Neither do verbs of one syllable share
// a stem with nouns, unless they are known: casar is no casa, and salat no sala.

// catalanWords are words that the rules are wrong about, by what they are taken for.
var catalanWords = map[string]string{
	"bo": "bon", "fi": "fin", "pa": "pa", "pans": "pa", "pi": "pin", "pla": "plan", "ple": "plen", "sa": "san", "vi": "vin",

	"bambús": "bambú", "bebès": "bebè", "cafès": "cafè", "esquís": "esquí", "menús": "menú", "purés": "puré",
	"sofàs": "sofà", "tabús": "tabú", "xampús": "xampú",

	"dilluns": "dilluns", "fons": "fons", "llapis": "llapis", "temps": "temps",

	"cega": "cec", "cegues": "cec", "groga": "groc", "grogues": "groc", "lloba": "llop", "llobes": "llop",
	"neboda": "nebot", "nebodes": "nebot", "blava": "blau", "blaves": "blau", "esclava": "esclau", "esclaves": "esclau",
	"jueva": "jueu", "jueves": "jueu", "nova": "nou", "noves": "nou", "tova": "tou", "toves": "tou", "viva": "viu", "vives": "viu",

	// father, tower, copper and pound: no verb and no feminine
	"pare": "pare", "pares": "pare", "torre": "torre", "torres": "torre", "cobre": "cobre", "cobres": "cobre",
	"llibre": "llibre", "llibres": "llibre",

	// nouns that look like forms of a verb
	"costat": "costat", "costats": "costat", "parlament": "parlament", "parlaments": "parlament", "restaurant": "restaurant",
	"restaurants": "restaurant", "durant": "durant", "pels": "pels", "soldat": "soldat", "soldats": "soldat", "volant": "volant", "volants": "volant",
	"àvia": "àvia", "àvies": "àvia", "aviat": "aviat", "altar": "altar", "altars": "altar", "ànima": "ànima", "ànimes": "ànima",
	"press": "presse", // which is not spelt with one s

	// verbs with several roots
	"obre": "obrit", "obren": "obrit", "obro": "obrit", "obri": "obrit", "obrim": "obrit", "obert": "obrit", "oberta": "obrit", "oberts": "obrit", "obertes": "obrit",
	"vendre": "vendre", "ven": "vendre", "vens": "vendre", "venc": "vendre", "venem": "vendre", "venia": "vendre",
	"venien": "vendre", "venent": "vendre", "venut": "vendre", "venuda": "vendre", "venuts": "vendre", "venudes": "vendre",
	"vendrà": "vendre", "vendran": "vendre", "vendré": "vendre",
	"viure": "viu", "viu": "viu", "viuen": "viu", "visc": "viu", "vivim": "viu", "vivia": "viu",
	"vivien": "viu", "vivint": "viu", "viscut": "viu", "viscuda": "viu", "viscuts": "viu", "viscudes": "viu",
	"viurà": "viu", "viuran": "viu", "viuré": "viu",
}

// catalanAdjectives are adjectives of one syllable that have a feminine in -a, and persons and
// animals that do.
const catalanAdjectives = " alt baix bell blanc boj bon brut buit calb cert clar cru curt dens dolç dret dur fals ferm fill fin flac " +
	"fluix fort fosc fred fresc gat goss gross just lent llarg llest moll mort mut nen noi pl plan plen prim pur ras rar ric roj san sant " +
	"sec sord tort trist vell verd "

// catalanVerbs are verbs in -ar of one syllable, the root of which with an -a is no noun of
// other meaning.
const catalanVerbs = " ball busc caç cant cerc compr cost cre crid cuid deix fix gast gir guard jug llanç lluit marx menj mir mull munt nad " +
	"neg pag parl pass pens pesc plor pos puj rent salt sembl sembr tanc tast tir toc torn trenc tri trob us viatj vot xerr "

// catalanStem returns the stem of a word in lower case, with its accents.
func catalanStem(word string) string {
	if base, ok := catalanWords[word]; ok {
		return catalanSpelt(base)
	}
	word = catalanSingular(word)
	if stem, ok := catalanVerb(word); ok {
		return catalanSpelt(stem)
	}
	if rest, ok := strings.CutSuffix(word, "a"); ok && catalanSyllables(rest) > 0 {
		return catalanSpelt(catalanFeminine(rest))
	}
	if rest, ok := strings.CutSuffix(word, "e"); ok && catalanSyllables(rest) > 0 {
		return catalanSpelt(catalanFeminine(beforeA(rest)))
	}
	return catalanSpelt(word)
}

// catalanFeminine returns the stem of a root that has an -a or -e at its end, which is not said here
// to be that of a feminine: cotxe, too.
func catalanFeminine(root string) string {
	switch n := catalanSyllables(root); {
	case n > 1 || n == 1 && strings.Contains(catalanAdjectives, " "+root+" "):
		return root
	case strings.Contains(catalanVerbs, " "+root+" "):
		return root + "ar"
	}
	return root + "a"
}

// catalanSingular undoes a plural. Where words have an -s of their own, it is behind a vowel with
// an accent, or behind the only one.
func catalanSingular(word string) string {
	rest, ok := strings.CutSuffix(word, "s")
	if !ok || catalanSyllables(rest) == 0 {
		return word
	}
	n := len(rest)
	switch rest[n-1] {
	case 'o':
		if root := rest[:n-1]; catalanSyllables(root) == 0 {
			return word
		} else if endsInAny(root, "s", "x", "ç", "j", "sc", "st", "xt") {
			return root
		}
		return rest
	case 'e':
		if root := rest[:n-1]; catalanSyllables(root) > 0 {
			return beforeA(root) + "a"
		}
		return word
	case 'i', 'u':
		if endsInAny(rest, "ai", "ei", "oi", "au", "eu", "iu", "ou") || rest[n-1] == 'i' && catalanSyllables(rest) > 1 {
			return rest
		}
		return word
	case 'a', 's':
		return word
	}
	if endsInAny(rest, "à", "è", "é", "í", "ï", "ò", "ó", "ú", "ü") {
		return word
	}
	return rest
}

// beforeA spells the end of a root that stands before an e as it is before an a: gu, qu, c and g.
func beforeA(root string) string {
	return replaceEnding(root, []ending{{"gü", "gu", 0}, {"qü", "qu", 0}, {"gu", "g", 0}, {"qu", "c", 0}, {"c", "ç", 1}, {"g", "j", 1}})
}

// catalanVerb returns the stem of a word that ends as a form of a verb: of those in -ar the root or infinitive,
// of that in -ir the participle. It tells whether it ends so.
func catalanVerb(word string) (string, bool) {
	for _, end := range [...]string{"arà", "aré", "aran", "ament"} {
		if root, ok := strings.CutSuffix(word, end); ok && catalanSyllables(root) > 0 {
			return catalanRoot(root), true
		}
	}
	for _, end := range [...]string{"lment", "ntment"} { // fàcilment, recentment
		if strings.HasSuffix(word, end) && catalanSyllables(word) > 2 {
			return strings.TrimSuffix(word, "ment"), true
		}
	}
	for _, end := range [...]string{"eixen", "eixa", "eix", "irà", "iré"} {
		if root, ok := strings.CutSuffix(word, end); ok && catalanSyllables(root) > 0 {
			return root + "it", true
		}
	}
	for _, end := range [...]string{"ïda", "ït", "ïnt"} { // construïda
		if root, ok := strings.CutSuffix(word, end); ok && catalanSyllables(root) > 0 {
			return root + "it", true
		}
	}
	plain := !strings.ContainsAny(word, "àèéíòóú")
	if plain {
		for _, end := range [...]string{"ava", "aven", "ada", "ant", "ar", "at"} {
			if root, ok := strings.CutSuffix(word, end); ok && catalanSyllables(root) > 0 {
				return catalanRoot(root), true
			}
		}
		for _, end := range [...]string{"ida", "int", "ir", "it"} {
			if root, ok := strings.CutSuffix(word, end); ok && catalanSyllables(root) > 0 {
				return root + "it", true
			}
		}
		if root, ok := strings.CutSuffix(word, "uda"); ok && catalanSyllables(root) > 0 {
			return root + "ut", true
		}
	}
	if root, ok := strings.CutSuffix(word, "en"); ok {
		root = beforeA(root)
		if catalanSyllables(root) > 1 || strings.Contains(catalanVerbs, " "+root+" ") {
			return catalanRoot(root), true
		}
	}
	return word, false
}

// catalanRoot returns the stem of a verb in -ar.
func catalanRoot(root string) string {
	if catalanSyllables(root) > 1 || strings.Contains(catalanAdjectives, " "+root+" ") { // clarament
		return root
	}
	return root + "ar"
}

// catalanSpelt spells the end of a stem in one way.
func catalanSpelt(stem string) string {
	long := catalanSyllables(stem) > 1
	stem = replaceEnding(stem, []ending{
		{"à", "an", 0}, {"è", "en", 0}, {"é", "en", 0}, {"í", "in", 0}, {"ó", "on", 0}, {"ú", "un", 0},
		{"ss", "s", 1}, {"aig", "aj", 1}, {"eig", "ej", 1}, {"oig", "oj", 1},
	})
	if long {
		stem = replaceEnding(stem, []ending{{"iu", "iv", 1}, {"ig", "ic", 2}}) // activa, antiga
	}
	return strings.ReplaceAll(stem, "ç", "z")
}

// catalanSyllables counts syllables: an i or u behind a vowel is none, nor is the u of gu and qu.
func catalanSyllables(s string) int {
	n := 0
	var before rune
	vowel := false
	for _, r := range s {
		switch {
		case strings.ContainsRune("aeoàèéíïòóúü", r):
			n, vowel = n+1, true
		case r == 'u' && (before == 'g' || before == 'q'):
			vowel = false
		case r == 'i' || r == 'u':
			if !vowel {
				n++
			}
			vowel = true
		default:
			vowel = false
		}
		before = r
	}
	return n
}
