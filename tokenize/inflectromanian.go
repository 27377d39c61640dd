package tokenize

import "strings"

// The Snowball algorithm for Romanian takes endings off behind the second vowel or so only, so that
// of short words, which most of those in a house are, hardly an article is taken: apă and apele are
// apa and ape. Nor does it know that letters change before endings: brad has brazi, floare flori.
// The ends of nouns are taken off before it, and what it leaves is spelt in one way after it.
// That ă is a, ț is t and ș is s before endings needs no rule, since accents are left out of terms.

// romanianNouns are nouns, and some adjectives, with a plural that no rule gives, or that the rules would make one of with
// another: singular and plural without their articles, and the singular with its own where that
// takes the place of a vowel, by what they are stemmed as. No rule leaves a vowel behind a
// consonant, so that a stem with one is no other word's: pata is pată and no pat, cale no cal.
var romanianNouns = map[string]string{
	"masă": "masa", "masa": "masa", "mese": "masa",
	"fată": "fata", "fata": "fata", "fete": "fata",
	"pată": "pata", "pata": "pata", "pete": "pata",
	"față": "fatza", "fața": "fatza", "fețe": "fatza",
	"viță": "vitza", "vița": "vitza", "vițe": "vitza",
	"țară": "tara", "țara": "tara", "țări": "tara",
	"cale": "cale", "calea": "cale", "căi": "cale",
	"lupă": "lupa", "lupa": "lupa", "lupe": "lupa",
	"lână": "lana", "lâna": "lana",
	"focă": "foca", "foca": "foca", "foce": "foca", "foci": "foca",
	"modă": "moda", "moda": "moda", "mode": "moda",
	"cursă": "cursa", "cursa": "cursa", "curse": "cursa",
	"oră": "ora", "ora": "ora", "ore": "ora",
	"sală": "sala", "sala": "sala", "săli": "sala",
	"pană": "pana", "pana": "pana", "pene": "pana",
	"nume": "nume", "vreme": "vreme", "vremea": "vreme", "vremuri": "vreme",
	"doar": "doar", "numai": "numai", "între": "între", "într": "între", "întru": "între", "or": "or", "ori": "ori", // no nouns
	"măr": "mere", "mere": "mere",
	"seară": "sear", "seara": "sear", "seri": "sear",
	"vie": "vii", "via": "vii", "vii": "vii",
	"oaie": "oai", "oaia": "oai", "oi": "oai",
	"foaie": "foai", "foaia": "foai", "foi": "foai",
	"cheie": "chei", "cheia": "chei", "chei": "chei",
	"femeie": "femei", "femeia": "femei", "femei": "femei",
	"baie": "bai", "baia": "bai", "băi": "bai",
	"ou": "ou", "ouă": "ou", "leu": "leu", "lei": "leu",
	"stea": "stel", "steaua": "stel", "stele": "stel", "măsea": "masel", "măseaua": "masel", "măsele": "masel",
	"cal": "cal", "cai": "cal", "copil": "copil", "copii": "copil",
	"obraz": "obraz", "obraji": "obraz", "soră": "sor", "sora": "sor", "surori": "sor",
	"cap": "cap", "capete": "cap", "om": "om", "oameni": "om", "mână": "man", "mâna": "man", "mâini": "man",
	"băiat": "baiat", "băieți": "baiat", "baieti": "baiat", "cuvânt": "cuvant", "cuvinte": "cuvant", "mormânt": "mormant", "morminte": "mormant",
	"muscă": "musc", "musca": "musc", "muște": "musc", "broască": "brosc", "broasca": "brosc", "broaște": "brosc",
	"gâscă": "gasc", "gâsca": "gasc", "gâște": "gasc",
	"poartă": "poart", "poarta": "poart", "porți": "poart", "coadă": "coad", "coada": "coad", "cozi": "coad",
	"castel": "castel", "castele": "castel",
	"zi": "zi", "zile": "zi", "ziua": "zi", "zăpezi": "zapad",
	"inel": "inel", "inele": "inel", "drapel": "drapel", "drapele": "drapel", "model": "model", "modele": "model", "panel": "panel", "panele": "panel", "cartel": "cartel", "carteluri": "cartel",
	"roșu": "rosu", "roșie": "rosu", "roșia": "rosu", "roșii": "rosu", "nou": "nou", "nouă": "nou", "noua": "nou", "noi": "nou",
	"greu": "greu", "grea": "greu", "greaua": "greu", "grei": "greu", "grele": "greu", "rău": "reau", "rea": "reau", "reaua": "reau", "răi": "reau", "rele": "reau",
	"brățară": "bratar", "brățara": "bratar", "brățări": "bratar", "preț": "pretz", "prețuri": "pretz", "regim": "regim", "regimuri": "regim", "regime": "regim",
	"maria": "maria", "marie": "maria", "statuie": "statui", "statuia": "statui", "statui": "statui", "parcare": "parcar", "parcarea": "parcar", "parcări": "parcar",
	"serie": "serie", "seria": "serie", "serii": "serie", "trai": "trai", "traseu": "traseu", "trasee": "traseu",
	"real": "real", "reală": "real", "reala": "real", "reale": "real",
	"poștă": "posta", "poșta": "posta", "poște": "posta", "vină": "vina", "vina": "vina",
}

// romanianInEl are nouns in -el, which have a plural in -ei, as the genitive of feminines is.
const romanianInEl = " băieț cârnăc căț cerc clopoț degeț mi mușc porumb purc viț "

// romanianInUra are words in -ură, -ure and -ur, before these, the plurals of which look like those in -uri.
const romanianInUra = " anverg arm ars aug avent bord căld cent cens cenz ciuc cuvert dant fag fig fis glaz grav iep ling măg măs mont mug nat " +
	"neg nerv obsc păd proc proced ram sâmb saram scând scorb sig sing strug sud tons trăs ung uvert "

// romanianStem returns the stem of a word in lower case, with its accents.
func romanianStem(word string) string {
	if strings.ContainsAny(word, "şţ") { // cedillas, from before fonts had commas
		word = strings.ReplaceAll(strings.ReplaceAll(word, "ş", "ș"), "ţ", "ț")
	}
	if stem, ok := romanianNoun(word); ok {
		return stem
	}
	if stem, ok := romanianInUrOrU(word); ok {
		return stem
	}
	return romanianSpelt(stemRomanian(romanianSingular(word)))
}

// romanianInUrOrU returns the stem of nouns in -ură, from which the algorithm takes that as an ending (lingură,
// cultură, which is no cult), of those in -ou and -âu, and of short ones in -ație, which are not of the
// verb or noun that is left without that: locație is no loc.
func romanianInUrOrU(word string) (string, bool) {
	for _, e := range [...]struct {
		end    string
		plural bool
	}{{"ură", false}, {"ura", false}, {"urii", false}, {"uri", true}, {"urile", true}, {"urilor", true}} {
		root, ok := strings.CutSuffix(word, e.end)
		if ok && endsInRomanianConsonant(root) && !(e.plural && len(root) > 2 && romanianInUri(root)) {
			return root + "ur", true
		}
	}
	for _, end := range [...]string{"ul", "ului", "uri", "urile", "urilor"} {
		if root, ok := strings.CutSuffix(word, end); ok && endsInLetter(root, "oâ") && len(root) > 1 {
			return root + "u", true
		}
	}
	for _, end := range [...]string{"ație", "ația", "ației", "ații", "ațiile", "ațiilor"} {
		if root, ok := strings.CutSuffix(word, end); ok && len(root) > 1 && syllables(root) < 2 && root != "fr" { // frații
			return root + "ati", true
		}
	}
	return "", false
}

// romanianNoun returns what a noun of romanianNouns or romanianInEl, with or without an article, is
// stemmed as.
func romanianNoun(word string) (string, bool) {
	if stem, ok := romanianNouns[word]; ok {
		return stem, true
	}
	for _, end := range [...]string{"ei", "eii", "eilor"} {
		if rest, ok := strings.CutSuffix(word, end); ok && strings.Contains(romanianInEl, " "+rest+" ") {
			return romanianSpelt(stemRomanian(rest + "el")), true
		}
	}
	for _, article := range [...]struct{ end, behind string }{{"ului", ""}, {"lui", "eu"}, {"lor", "aăei"}, {"le", "aăei"}, {"ul", ""}, {"l", "u"}, {"i", "ei"}} {
		rest, ok := strings.CutSuffix(word, article.end)
		if !ok || article.behind != "" && !endsInLetter(rest, article.behind) {
			continue
		}
		if stem, ok := romanianNouns[rest]; ok {
			return stem, true
		}
	}
	return "", false
}

// romanianSingular spells plurals as the singular where a consonant is another before their ending, takes the plural -uri off,
// and puts the infinitive for forms of verbs in -i that have -esc.
func romanianSingular(word string) string {
	for _, end := range [...]string{"uri", "urile", "urilor"} {
		if rest, ok := strings.CutSuffix(word, end); ok && len(rest) > 2 && romanianInUri(rest) {
			return rest
		}
	}
	for _, end := range [...]string{"ește", "esc", "ească"} {
		if rest, ok := strings.CutSuffix(word, end); ok && len(rest) > 2 && romanianVowels(rest) && endsInRomanianConsonant(rest) {
			return rest + "i"
		}
	}
	word = replaceEnding(word, []ending{{"elui", "e", 3}})
	for _, end := range [...]string{"ilor", "ile", "ii", "i"} {
		root, ok := strings.CutSuffix(word, end)
		if !ok {
			continue
		}
		if strings.HasSuffix(root, "ez") && !strings.HasSuffix(root, "iez") { // francezi
			return word
		}
		return replaceEnding(root, []ending{
			{"ț", "t", 2}, {"ăz", "ad", 1}, {"az", "ad", 2}, {"iz", "id", 2}, {"nz", "nd", 2}, {"rz", "rd", 2}, {"oz", "od", 2}, {"uz", "ud", 2}, {"iez", "ied", 0},
		}) + end
	}
	return word
}

// romanianInUri tells whether a root is that of a noun with a plural in -uri, rather than of one in -ură
// with a plural in -uri: all behind some consonants, and most behind others.
func romanianInUri(root string) bool {
	if strings.Contains(romanianInUra, " "+root+" ") {
		return false
	}
	if strings.HasSuffix(root, "t") {
		return endsInAny(root, "rt", "st", "nt", "ot") || strings.HasSuffix(root, "at") && syllables(root) == 1
	}
	return strings.IndexByte("bcdgklmnprsvz", root[len(root)-1]) >= 0
}

// romanianSpelt spells stems in one way whose last vowel is another before some endings (telefoane and
// telefon, seară and seri, piatră and pietre), and takes from short ones the vowel that is left.
func romanianSpelt(stem string) string {
	for _, end := range [...]string{"a", "ă", "e", "i"} {
		if rest, ok := strings.CutSuffix(stem, end); ok && len(rest) > 1 && endsInRomanianConsonant(rest) && romanianVowels(rest) {
			stem = rest
			break
		}
	}
	if rest, ok := strings.CutSuffix(stem, "u"); ok && endsInAny(rest, "r", "l") && endsInConsonant(rest[:len(rest)-1]) && romanianVowels(rest) { // negru, titlu
		stem = rest
	}
	switch stem {
	case "soar", "coas", "cear", "fiar", "geam": // no soră, cos, cer, fier, gem
		return stem
	}
	end := strings.TrimRight(stem, "bcdfghjklmnpqrstvwxzșțşţ")
	consonants := stem[len(end):]
	if consonants == "" {
		return stem
	}
	if root, ok := strings.CutSuffix(end, "oa"); ok && root != "" {
		return root + "o" + consonants
	}
	if root, ok := strings.CutSuffix(end, "ea"); ok && root != "" {
		return root + "e" + consonants
	}
	if root, ok := strings.CutSuffix(end, "ia"); ok && !romanianVowels(root) {
		return root + "ie" + consonants
	}
	return stem
}

func romanianVowels(s string) bool { return strings.ContainsAny(s, "aăâeiîou") }

func endsInRomanianConsonant(word string) bool {
	return endsInConsonant(word) || endsInLetter(word, "șțşţ")
}
