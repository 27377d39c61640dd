package tokenize

import (
	"strconv"
	"sync"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/irish"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/romanian"
	"github.com/blevesearch/snowballstem/tamil"
	"github.com/blevesearch/snowballstem/turkish"
	"github.com/kljensen/snowball/french"
	"github.com/kljensen/snowball/norwegian"
	"github.com/kljensen/snowball/russian"
	"github.com/kljensen/snowball/spanish"
	"github.com/kljensen/snowball/swedish"
)

// language holds the rules of one language. The zero value has none.
type language struct {
	code        string
	stem        func(string) string // the Snowball algorithm or one of our own; nil if there is none
	foldFirst   bool                // the stemmer gets the word without diacritics
	families    bool                // see Analyzer.Families
	links       []string            // see Analyzer.Links
	seldom      bool                // compounds are seldom written as one word; see Analyzer.SomeLinks
	prefixes    string              // see Analyzer.Prefix
	suffixes    string              // see Analyzer.Suffix
	contracted  bool                // a final 's is removed, and the verb behind a pronoun
	rules       int                 // how often the rules have changed; see Rules
	turkish     bool                // lower case of I is ı, of İ is i; what is behind an apostrophe is removed
	accents     []string            // letters with accents behind the one that they are typed as, where the stemmer sees them; see Analyzer.Spellings
	manyAccents bool                // words have several as a rule
	elided      []string            // what is removed before an apostrophe
	accentsTell bool                // without its accents a word is another one, as in Vietnamese: terms keep them. See Analyzer.AccentsTell
}

// languages returns the rules of every language, sorted by code, with the
// empty code first, which are made once: a schema of many fields asks for them often. The stemmers are the Snowball algorithms
// (https://snowballstem.org/algorithms/), but for Arabic, Catalan, Czech, Finnish, Greek, Hindi, Polish, Ukrainian and Vietnamese, stop words included: whether a word
// is a stop word is said by Token.Stop, not by its term. Most have rules beside them, see
// inflect.go and apart.go; whoever changes what a stemmer or they give changes rules, too.
var languages = sync.OnceValue(func() []language {
	return []language{
		{},
		{code: "ar", rules: 3, stem: first(arabicOwn, arabicStem), foldFirst: true},
		{code: "ca", accents: []string{"aà", "cç", "eèé", "iíï", "oòó", "uúü"}, rules: 1, stem: catalanStem, elided: []string{"d", "l", "m", "n", "s", "t"}},
		{code: "cs", rules: 1, stem: czechStem, foldFirst: true},
		{code: "da", accents: []string{"aå", "oø"}, rules: 3, stem: keptApart(danishApart, after(before(danishBase, generated(danish.Stem)), nordicStem)), families: true, links: []string{"", "s", "e", "er", "n"}, prefixes: " af an be bi for fore gen ind om op over pa sam til ud und under ved ", suffixes: " heden else elser ning ninger ering agtig isme ende loes "},
		{code: "de", accents: []string{"aä", "oö", "uü"}, rules: 1, stem: after(before(germanSingular, generated(german.Stem)), germanStem), families: true, links: []string{"", "s", "n", "en", "er", "es", "e"}, prefixes: " ab an auf aus be bei da dar dis ein emp ent er fort ge her hin im in ko kon los mis miss mit nach ob per pro re sub um un ur ver vor weg zer zu zum zur ", suffixes: " lung lungen keit heit heiten schaft schaften ling linge lings lich liche lichen licher isch ische ischen atio ation ationen ierung erung igkeit eren ieren ismus isten isti isier ness ment lein chen rung rungen nung nungen sung sungen tung tungen dung dungen bung bungen fung kung gung gungen zung zungen schung "},
		{code: "el", stem: greekStem, foldFirst: true},
		{code: "en", stem: stemEnglish, foldFirst: true, contracted: true, seldom: true, links: []string{""}, prefixes: " anti auto be bi com con counter de dis dia em en ex for fore hyper im in infra inter intra mega meta micro mid milli mini mis mono multi nano neo non out over para per peri pic poly post pre pro proto pseudo re retro semi sub sup super supra sur syn tele trans tri ultra un under uni up ", suffixes: " ness ments ment ship ships hood hoods less able ible ably ibly ally ward wards wise like ling lings ation ations ition itions ities ated ates ator ators ance ances ence ences ality alities ability abilities ical ings edly ingly some teen ster sters ette ettes esque ional ionist ionists ism isms ists ified ifies ifying ization isation ized ised izing ising ologist ology ologies ograph ography ographic ographer ometer ometry onomy onomic "},
		{code: "es", accents: []string{"aá", "eé", "ií", "nñ", "oó", "uúü"}, rules: 1, stem: before(spanishSingular, written(spanish.Stem))},
		{code: "fi", rules: 3, stem: keptApart(finnishApart, finnishStem), foldFirst: true, families: true, links: []string{"", "n", "a", "e", "i", "o"}, prefixes: " epa eri esi yli ali "},
		{code: "fr", accents: []string{"aàâ", "cç", "eéèêë", "iîï", "oô", "uùûü"}, rules: 1, stem: after(before(frenchSingular, written(french.Stem)), frenchStem), elided: []string{
			"c", "d", "j", "jusqu", "l", "lorsqu", "m", "n", "puisqu", "qu", "quoiqu", "s", "t",
		}},
		{code: "ga", accents: []string{"aá", "eé", "ií", "oó", "uú"}, stem: generated(irish.Stem), elided: []string{"b", "d", "m"}},
		{code: "hi", stem: hindiStem, foldFirst: true},
		{code: "hu", accents: []string{"aá", "eé", "ií", "oóöő", "uúüű"}, manyAccents: true, rules: 2, stem: func(word string) string { return stemHungarian()(word) }, families: true, links: []string{""}, prefixes: " agyon be bele el elo fel fol ki le meg oda ra szet at "},
		{code: "it", accents: []string{"aà", "eèé", "iì", "oò", "uù"}, rules: 1, stem: before(italianSingular, generated(italian.Stem)), elided: []string{
			"agl", "all", "c", "coll", "d", "dagl", "dall", "degl", "dell", "gl", "l", "m", "n", "negl",
			"nell", "pell", "quell", "quest", "s", "sugl", "sull", "t", "un", "v",
		}},
		{code: "ja"},
		{code: "km"},
		{code: "ko"},
		{code: "lo", rules: 1},
		{code: "my"},
		{code: "nl", accents: []string{"eëé", "iï", "oö", "uü"}, rules: 1, stem: steady(anyRoot, after(before(dutchBase, generated(dutch.Stem)), dutchStem)), families: true, links: []string{"", "s", "e", "en", "er", "n"}, prefixes: " aan af be bij bin dis er ge her in kon mee mis na om on ont op per pro re sub toe tot uit ver voor weg ", suffixes: " heid heden lijk lijke lijkheid ling lingen schap schappen loos loze ering atie aties isme isch ische baar bare zaam zame achtig achtige ende eren ment tjes eling elingen "},
		{code: "no", accents: []string{"aå", "oø"}, rules: 3, stem: keptApart(norwegianApart, first(norwegianDoctor, after(before(danishBase, written(norwegian.Stem)), norwegianStem))), families: true, links: []string{"", "s", "e"}, prefixes: " an av be bi for fore gjen inn om opp over pa sam til und under ut ved ", suffixes: " heten else elser ning ninger ering isme aktig ende lost "},
		{code: "pl", accents: []string{"aą", "cć", "lł", "nń", "oó"}, rules: 1, stem: polishStem},
		{code: "pt", accents: []string{"aáâãà", "cç", "eéê", "ií", "oóôõ", "uú"}, rules: 1, stem: before(portugueseSingular, generated(portuguese.Stem))},
		{code: "ro", accents: []string{"aăâ", "iî", "sș", "tț"}, rules: 2, stem: romanianStem},
		{code: "ru", rules: 1, stem: after(before(russianBase, written(russian.Stem)), russianStem), foldFirst: true, families: true},
		{code: "sv", accents: []string{"aäå", "oö", "eé"}, rules: 2, stem: keptApart(swedishApart, steady(anyRoot, after(before(swedishBase, written(swedish.Stem)), nordicStem))), families: true, links: []string{"", "s", "e", "o", "u"}, prefixes: " an av be bi er for fore ge in kon miss om o pro pa re sam till und upp ut van vid at over ", suffixes: " skap skaper heten heter else elser ning ningar ering eringar isme ande ende lost inna aktig "},
		{code: "ta", stem: generated(tamil.Stem)},
		{code: "th", rules: 1},
		{code: "tr", accents: []string{"cç", "gğ", "iı", "oö", "sş", "uü"}, manyAccents: true, rules: 1, stem: before(turkishBase, steady(closedRoot, before(turkishBase, generated(turkish.Stem)))), turkish: true, families: true},
		{code: "uk", rules: 1, stem: ukrainianStem, foldFirst: true},
		{code: "vi", accents: []string{"aàáảãạăằắẳẵặâầấẩẫậ", "eèéẻẽẹêềếểễệ", "iìíỉĩị", "oòóỏõọôồốổỗộơờớởỡợ", "uùúủũụưừứửữự", "yỳýỷỹỵ", "dđ"}, manyAccents: true, stem: vietnameseStem, accentsTell: true},
		{code: "zh"},
	}
})

// written adapts a stemmer of kljensen/snowball, asking it to stem stop words
// too.
func written(stem func(word string, stemStopWords bool) string) func(string) string {
	return func(word string) string { return stem(word, true) }
}

// generated adapts a stemmer of blevesearch/snowballstem.
func generated(stem func(*snowballstem.Env) bool) func(string) string {
	return func(word string) string {
		env := snowballstem.NewEnv(word)
		stem(env)
		return env.Current()
	}
}

// stemRomanian writes ș and ț with a cedilla first. The algorithm was published
// when fonts had no letter with a comma below, which is correct today.
func stemRomanian(word string) string {
	b := []rune(word)
	for i, r := range b {
		switch r {
		case 'ș':
			b[i] = 'ş'
		case 'ț':
			b[i] = 'ţ'
		}
	}
	return generated(romanian.Stem)(string(b))
}

// languageOf returns the rules of a language, by its code.
func languageOf(code string) (*language, bool) {
	all := languages()
	for i := range all {
		if all[i].code == code {
			return &all[i], true
		}
	}
	return nil, false
}

// Rules names the rules by which the words of a language become terms: "" for those that
// it has always had, and for what is no language. An index keeps it with each field, so
// that terms are never looked for which other rules have made.
func Rules(code string) string {
	l, ok := languageOf(code)
	if !ok || l.rules == 0 {
		return ""
	}
	return "stems/" + strconv.Itoa(l.rules)
}

// KnownLanguages returns the codes that Options.Language takes, sorted, without
// the empty one: those of [Languages], and others that words are not stemmed of.
func KnownLanguages() []string {
	var codes []string
	for _, l := range languages()[1:] {
		codes = append(codes, l.code)
	}
	return codes
}

// Languages returns the codes of the languages that stem, sorted. New also
// takes "ja", "km", "ko", "lo", "my", "th" and "zh", which need nothing beyond the rules of
// their scripts.
func Languages() []string {
	var codes []string
	for _, l := range languages() {
		if l.stem != nil {
			codes = append(codes, l.code)
		}
	}
	return codes
}

// elides reports whether prefix, what stands before an apostrophe, is an elided
// word of the language. All of them are ASCII.
func (l *language) elides(prefix []byte) bool {
	var b [8]byte
	if len(prefix) > len(b) {
		return false
	}
	lower := appendLower(b[:0], prefix)
	for _, e := range l.elided {
		if e == string(lower) {
			return true
		}
	}
	return false
}
