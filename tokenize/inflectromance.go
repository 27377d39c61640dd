package tokenize

import "strings"

// portugueseSingular spells plurals that change the end of a word as the singular. The
// tilde and the accent are often left out, but not where that would be another word:
// lapis and tenis are no plurals, so words in -is are spelt in -il only behind consonants
// that lápis, tênis and táxis do not have. Short words are plurals in -s or none: leis,
// reis, pais, mais.
func portugueseSingular(word string) string {
	switch word {
	case "mães", "heróis", "dois", "depois": // mãe is not mão
		return word
	}
	return replaceEnding(word, []ending{
		{"ões", "ão", 1}, {"oes", "ão", 2}, {"ães", "ão", 1},
		{"ais", "al", 2}, {"áis", "al", 1},
		{"éis", "el", 1}, {"reis", "reis", 0}, {"veis", "vel", 2}, {"neis", "nel", 2}, {"eis", "il", 3}, // fáceis; but fareis
		{"óis", "ol", 1}, {"uis", "ul", 2},
		{"ntis", "ntil", 1}, {"rris", "rril", 1}, {"rfis", "rfil", 1}, {"venis", "venil", 1},
		{"ns", "m", 1},
	})
}

// spanishSingular takes -es from plurals of words in -ar, -er, -en, -ad and -ed: of mujeres
// and imágenes the algorithm takes no more than that, of mujer and imagen it takes the end
// of a verb. (Adjectives in -iar, -olar and -ular are not worth it, since many verbs are of
// the same root.) Where the singular ends in -e the result is the same. A final z is spelt as
// in the plural, and not the other way round, since dulces is of dulce.
func spanishSingular(word string) string {
	switch word {
	case "sofás", "cafés", "bebés", "mamás", "papás", "purés", "menús", "champús", "bidés", "carnés", "comités":
		return word[:len(word)-1] // inglés is no plural
	case "celulares":
		return "celular"
	case "sartenes", "almacenes", "andenes", "rehenes", "terraplenes": // sartén keeps its end
		return word
	}
	return replaceEnding(word, []ending{
		{"iares", "iares", 0}, {"olares", "olares", 0}, {"ulares", "ulares", 0}, // familiares, escolares, regulares
		{"ares", "ar", 1}, {"eres", "er", 1}, {"enes", "en", 2}, {"ades", "ad", 1}, {"edes", "ed", 1},
		{"z", "c", 2},
	})
}

// italianSingular spells words as their plural or singular where the algorithm takes the
// end of one of them for that of a verb: carriere and bicchiere end as vedere, divano as
// parlano, chiavi as parlavi.
func italianSingular(word string) string {
	switch word {
	case "uomini":
		return "uomo"
	case "chiavi":
		return "chiave"
	case "zii", "zie":
		return "zio"
	case "laghi":
		return "lago"
	case "divano":
		return "divani"
	}
	if strings.HasSuffix(word, "gliere") { // scegliere
		return word
	}
	return replaceEnding(word, []ending{{"iere", "ieri", 2}})
}

// frenchSingular spells plurals and feminines as their base form where the algorithm does
// not. It leaves -s behind vowels, since gris and bas have grise and basse; of words in
// -os, -eus, -ous and -us few have.
func frenchSingular(word string) string {
	switch word {
	case "douce", "douces":
		return "doux"
	case "rousse", "rousses":
		return "roux"
	case "fausse", "fausses":
		return "faux"
	case "vieil", "vieille", "vieilles":
		return "vieux"
	case "belle", "belles":
		return "beau"
	case "nouvel", "nouvelle", "nouvelles":
		return "nouveau"
	case "fraîche", "fraîches":
		return "frais"
	case "sèche", "sèches":
		return "sec"
	case "longue", "longues":
		return "long"
	case "publique", "publiques":
		return "public"
	case "grecque", "grecques":
		return "grec"
	case "grosse", "grosses":
		return "gros"
	case "épaisse", "épaisses":
		return "épais"
	case "basse", "basses":
		return "bas"
	case "gentille", "gentilles":
		return "gentil"
	case "légère", "légères":
		return "léger"
	case "yeux":
		return "œil"
	case "travaux":
		return "travail"
	case "vitraux":
		return "vitrail"
	case "jeux", "feux", "cheveux", "neveux", "lieux", "milieux", "vœux", "enjeux",
		"bijoux", "cailloux", "choux", "genoux", "hiboux", "joujoux":
		return word[:len(word)-1]
	case "amis":
		return "ami"
	case "gros", "clos", "repos", "dispos", "confus", "inclus", "diffus", "intrus", "refus", "abus":
		return word // grosse, close, reposer, confuse
	}
	return replaceEnding(word, []ending{
		{"eus", "eu", 1}, {"os", "o", 2}, {"ous", "ou", 1}, {"us", "u", 3},
		{"angère", "anger", 1}, {"angères", "anger", 1}, // étrangère
	})
}

// frenchStem spells stems of feminines as those of the masculine: active, neuve, blanche.
func frenchStem(stem string) string {
	return replaceEnding(stem, []ending{{"iv", "if", 2}, {"euv", "euf", 1}, {"anch", "anc", 1}})
}
