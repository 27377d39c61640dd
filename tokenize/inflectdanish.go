package tokenize

import "strings"

// danishForms are forms of Danish and Norwegian words that the algorithms would not bring to their base form, by
// that: nouns with another vowel, or that are too short, and the neuter of everyday adjectives. Words of which they
// would take so much that they were others (billig is no bil) have one in -i, of which nothing is taken.
var danishForms = map[string]string{
	"stort": "stor", "større": "stor", "størst": "stor", "største": "stor", "rødt": "rød", "hvidt": "hvid", "hvitt": "hvit", "gult": "gul", "dyrt": "dyr",
	"grøn": "grønne", "grønt": "grønne", "blåt": "blå", "blått": "blå", "nyt": "ny", "nytt": "ny", "nye": "ny", "gammelt": "gammel",
	"barnet": "barn", "børn": "barn", "børns": "barn", "børnene": "barn", "børnenes": "barn", "planet": "planeter",

	"tænder": "tand", "tænderne": "tand", "tenner": "tann", "tennene": "tann",
	"mænd": "mand", "mændene": "mand", "menn": "mann", "mennene": "mann", "nordmænd": "nordmand", "nordmenn": "nordmann",
	"fødder": "fod", "fødderne": "fod", "føtter": "fot", "føttene": "fot",
	"hænder": "hånd", "hænderne": "hånd", "hender": "hånd", "hendene": "hånd",
	"nætter": "nat", "nætterne": "nat", "netter": "natt", "nettene": "natt",
	"bøger": "bog", "bøgerne": "bog", "bøker": "bok", "bøkene": "bok",
	"gæs": "gås", "gæssene": "gås", "gjess": "gås", "gjessene": "gås",
	"fædre": "far", "fædrene": "far", "fedre": "far", "fedrene": "far", "mødre": "mor", "mødrene": "mor",
	"brødre": "bror", "brødrene": "bror", "døtre": "datter", "døtrene": "datter",
	"bønder": "bonde", "bønderne": "bonde", "bøndene": "bonde", "rødder": "rod", "rødderne": "rod", "røtter": "rot", "røttene": "rot",
	"stænger": "stang", "stengene": "stang", "stenger": "stang", "strender": "strand", "strendene": "strand",
	"kræfter": "kraft", "kræfterne": "kraft", "krefter": "kraft", "kreftene": "kraft",
	"trær": "tre", "trærne": "tre", "knær": "kne", "knærne": "kne", "tæer": "tå", "tæerne": "tå", "tær": "tå", "tærne": "tå",
	"klærne": "klær", "kyr": "ku", "kyrne": "ku", "kua": "ku", "øya": "øy", "køer": "ko", "køerne": "ko",
	"øje": "øje", "øjet": "øje", "øjne": "øje", "øjnene": "øje", "øye": "øye", "øyet": "øye", "øyne": "øye", "øynene": "øye",
	"uge": "uge", "uger": "uge", "ugen": "uge", "ugerne": "uge", "uke": "uke", "uker": "uke", "uken": "uke", "uka": "uke", "ukene": "uke",
	"duer": "due", "duen": "due", "duene": "due", "duerne": "due", "bleier": "bleie", "bleien": "bleie", "bleiene": "bleie",
	"året": "år", "årene": "år", "ægget": "æg", "æggene": "æg", "ører": "øre", "øret": "øre", "ørene": "øre", "ørerne": "øre",

	"billig": "billi", "billige": "billi", "billigt": "billi", "billigere": "billi", "billigst": "billi", "billigste": "billi",
	"måde": "mådi", "måder": "mådi", "måden": "mådi", "måderne": "mådi", "måte": "måti", "måter": "måti", "måten": "måti", "måtene": "måti",
	"kobber": "kobbi", "kobberet": "kobbi", "gods": "godsi", "godset": "godsi", "godsets": "godsi",
	"lægge": "læggi", "lægger": "læggi", "liter": "literi", "literen": "literi", "literne": "literi",
	"ledig": "ledi", "ledige": "ledi", "ledigt": "ledi", "farlig": "farli", "farlige": "farli", "farligt": "farli", "farligere": "farli", "farligst": "farli", "farligste": "farli",
	"sikker": "sikkeri", "sikkert": "sikkeri", "sikre": "sikkeri", "sikrere": "sikkeri", "sikrest": "sikkeri", "sikreste": "sikkeri",
}

// danishBase spells the neuter of everyday adjectives of Danish and Norwegian, and nouns that the
// algorithms do not know, as their base form.
func danishBase(word string) string {
	if base, ok := danishForms[word]; ok {
		return base
	}
	return withoutDanishArticle(word)
}

// withoutDanishArticle takes the article and the plural from words of one syllable that end in a
// vowel, which the algorithms leave as they are: byer, veien, træerne, øer. Of a word in -e
// behind another vowel it takes the -e as well: lue, luer.
func withoutDanishArticle(word string) string {
	for _, end := range [...]string{"erne", "ene", "er", "en", "et", "e"} {
		if rest, ok := strings.CutSuffix(word, end); ok && openDanishSyllable(rest) {
			switch rest {
			case "blei", "da", "du", "ei", "ha", "hei", "hej", "i", "ja", "jo", "no", "nu", "på", "så", "to", "vi": // due is no du
				return word
			}
			return rest
		}
	}
	return word
}

// openDanishSyllable tells whether a word is vowels with consonants before them, or without.
func openDanishSyllable(word string) bool {
	const vowels = "aeiouyæøå"
	rest := strings.TrimLeft(word, "bcdfghjklmnpqrstvwxz")
	return rest != "" && strings.Trim(rest, vowels) == ""
}
