package tokenize

import "strings"

// polishEnd is what an ending that was taken off tells of the consonant before it.
type polishEnd uint8

const (
	none polishEnd = iota // there was no ending
	plain
	softening // an e, before which consonants are soft
	personal  // an i or y, before which those of plurals of persons are
	tense     // of a past tense, an infinitive or a verbal noun
)

// polishEnding is an ending, what stands in its place, and how many bytes are to be before it.
type polishEnding struct {
	end, to string
	least   int
	kind    polishEnd
}

// polishVerbs are the endings of verbs and of nouns that are made of them. Those of the present are left to
// polishCases, where nouns have the same: czyta, robi.
var polishVerbs = [...]polishEnding{
	{"owaniami", "ow", 2, plain}, {"owaniach", "ow", 2, plain}, {"owaniom", "ow", 2, plain}, {"owaniem", "ow", 2, plain},
	{"owanie", "ow", 2, plain}, {"owania", "ow", 2, plain}, {"owaniu", "ow", 2, plain}, {"owań", "ow", 2, plain},
	{"owałem", "ow", 2, plain}, {"owałam", "ow", 2, plain}, {"ować", "ow", 2, plain}, {"ował", "ow", 2, plain},
	{"owała", "ow", 2, plain}, {"owało", "ow", 2, plain}, {"owały", "ow", 2, plain}, {"owali", "ow", 2, plain},
	{"owuje", "ow", 2, plain}, {"owuję", "ow", 2, plain}, {"owują", "ow", 2, plain},
	{"ujecie", "ow", 2, plain}, {"ujemy", "ow", 2, plain}, {"ujesz", "ow", 2, plain}, {"uje", "ow", 2, plain},
	{"uj", "ow", 3, plain}, {"uję", "ow", 2, plain}, {"ują", "ow", 2, plain}, {"ując", "ow", 2, plain},
	{"nęła", "n", 2, plain}, {"nęło", "n", 2, plain}, {"nęły", "n", 2, plain}, {"nęli", "n", 2, plain},
	{"nąć", "n", 2, plain}, {"nął", "n", 2, plain},
	{"aniami", "", 3, tense}, {"aniach", "", 3, tense}, {"aniom", "", 3, tense}, {"aniem", "", 3, tense},
	{"anie", "", 3, tense}, {"ania", "", 3, tense}, {"aniu", "", 3, tense}, {"ań", "", 3, tense},
	{"eniami", "", 3, plain}, {"eniach", "", 3, plain}, {"eniom", "", 3, plain}, {"eniem", "", 3, plain},
	{"enie", "", 3, plain}, {"enia", "", 3, plain}, {"eniu", "", 3, plain}, {"eń", "", 3, plain},
	{"aliśmy", "", 3, tense}, {"ałyśmy", "", 3, tense}, {"ałem", "", 3, tense}, {"ałam", "", 3, tense},
	{"ałeś", "", 3, tense}, {"ałaś", "", 3, tense},
	{"ać", "", 2, tense}, {"ał", "", 3, tense}, {"ała", "", 3, tense}, {"ało", "", 3, tense}, {"ały", "", 3, tense}, {"ali", "", 3, tense},
	{"syłam", "sył", 1, plain}, {"ieram", "ier", 1, plain}, {"czam", "cz", 2, plain}, {"szam", "sz", 2, plain},
	{"kam", "k", 2, plain}, {"tam", "t", 2, plain}, {"wam", "w", 2, plain}, {"cam", "c", 2, plain}, {"iam", "i", 3, plain},
	{"edają", "edaj", 0, plain}, {"ydają", "ydaj", 1, plain}, {"odają", "odaj", 1, plain}, {"ddają", "ddaj", 1, plain},
	{"ają", "", 2, plain}, {"ając", "", 3, plain},
	{"iliśmy", "i", 3, plain}, {"iłyśmy", "i", 3, plain}, {"iłem", "i", 3, plain}, {"iłam", "i", 3, plain},
	{"ić", "i", 2, plain}, {"ił", "i", 3, plain}, {"iła", "i", 3, plain}, {"iło", "i", 3, plain}, {"iły", "i", 3, plain}, {"ili", "i", 3, plain},
	{"yliśmy", "", 3, plain}, {"yłyśmy", "", 3, plain}, {"yłem", "", 3, plain}, {"yłam", "", 3, plain},
	{"yć", "", 2, plain}, {"ył", "", 3, plain}, {"yła", "", 3, plain}, {"yło", "", 3, plain}, {"yły", "", 3, plain}, {"yli", "", 3, plain},
	{"eć", "", 3, plain}, {"szeli", "sz", 2, plain}, {"żeli", "ż", 2, plain}, {"śleli", "śl", 2, plain},
	{"widzieli", "widz", 0, plain}, {"siedzieli", "siedz", 0, plain}, {"wiedzieli", "wiedz", 0, plain},
}

// polishCases are the endings of nouns and adjectives, the longer ones first. What is behind
// consonants that are soft in writing begins with an i, which is left to withoutSoftness.
var polishCases = [...]polishEnding{
	{"ćmi", "ci", 2, plain}, {"ńmi", "ń", 2, plain}, {"źmi", "ź", 2, plain},
	{"ami", "", 2, plain}, {"ach", "", 2, plain}, {"owie", "", 3, plain}, {"owi", "", 3, plain},
	{"ego", "", 2, plain}, {"emu", "", 2, plain}, {"ymi", "", 2, plain}, {"imi", "i", 2, plain},
	{"ych", "", 2, plain}, {"ich", "i", 3, plain}, {"ym", "", 2, plain}, {"im", "i", 2, plain}, {"ej", "", 3, plain},
	{"ów", "", 2, plain}, {"ow", "", 3, plain}, {"om", "", 3, plain}, {"em", "", 2, plain},
	{"a", "", 2, plain}, {"ą", "", 2, plain}, {"ę", "", 2, plain}, {"o", "", 2, plain}, {"u", "", 2, plain},
	{"e", "", 2, softening}, {"y", "", 2, personal}, {"i", "i", 2, personal},
}

// polishNouns are what is before endings of polishVerbs in words that are no verbs, behind what
// those endings begin with: materiał, szpitali, ekranie, kamień.
const polishNouns = `
	-al kaw reg zaw up rytu karnaw uchw pochw migd lok seri materi kan sygn kryszt kapit zap wspani doskon dojrz ide miner gener arsen fin person orygin trybun zuchw zespoł
	szpit med festiw skand met termin port ped sand det centr mater regi ceremoni kor journ kryt
	-an hiszp alb kamp komp bryt bret germ rum ekr dyw oce org ban rom pozn śmiet alt tapcz kapit font otchł kasztan pol
	kol kaszt szamp orn membr ści
	-en szkol kami promi jel strumi płomi pierści grzebi kiesz jesi ziel przestrz korz bas dom fenom ter ant ar syr
	-il mog deb
	-yl mot gor bad tekst`

// cutPolish takes the ending off a word, and tells what it was.
func cutPolish(word string) (string, polishEnd) {
	for i := range polishVerbs {
		e := &polishVerbs[i]
		if rest, ok := strings.CutSuffix(word, e.end); ok && len(rest) >= e.least && (hasPolishVowel(rest) || e.least == 0) {
			if isPolishNoun(rest, e) {
				break
			}
			if e.to == "" {
				return rest, e.kind
			}
			return rest + e.to, e.kind
		}
	}
	if strings.HasSuffix(word, "ci") {
		return word, personal
	}
	for i := range polishCases {
		e := &polishCases[i]
		rest, ok := strings.CutSuffix(word, e.end)
		if !ok || len(rest) < e.least || !hasPolishVowel(rest) && (len(e.end) > 2 || len(rest) < 3) {
			continue
		}
		if e.to == "i" {
			return word[:len(rest)+1], e.kind // it begins with it
		}
		if e.to == "" {
			return rest, e.kind
		}
		return rest + e.to, e.kind
	}
	return word, none
}

// isPolishNoun tells whether what is before the ending of a verb is the beginning of a word
// that is none.
func isPolishNoun(rest string, e *polishEnding) bool {
	set := polishNounStems()
	switch {
	case strings.HasPrefix(e.end, "ał"), strings.HasPrefix(e.end, "al"):
		return set["al"][rest] || strings.HasSuffix(rest, "dzi") && !strings.HasSuffix(rest, "idzi") && !strings.HasSuffix(rest, "iedzi")
	case strings.HasPrefix(e.end, "an"), strings.HasPrefix(e.end, "ań"):
		return set["an"][rest] || strings.HasSuffix(rest, "mi")
	case strings.HasPrefix(e.end, "en"), strings.HasPrefix(e.end, "eń"):
		return set["en"][rest] || e.end == "eń" && endsInAny(rest, "zmi", "wymi")
	case strings.HasPrefix(e.end, "ił"), strings.HasPrefix(e.end, "ili"):
		return set["il"][rest]
	case e.end == "yć": // it may be of odkrycie, too
		return endsInAny(rest, "kr", "um", "zm", "zeż") || rest == "uż"
	case strings.HasPrefix(e.end, "ył"), strings.HasPrefix(e.end, "yli"):
		return set["yl"][rest]
	}
	return false
}
