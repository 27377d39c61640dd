package tokenize

import (
	"slices"
	"strings"
)

// What alternates by words, not by rules. All of it is without accents.
var (
	// czechNoVerbs are before -aji and the like in words that are no verbs.
	czechNoVerbs = strings.Fields("okr obyc kr zvyc tramv hav dalajl")
	// czechWhole end as cases do.
	czechWhole = strings.Fields("problem system krem totem harem extrem diadem objem zajem prijem pojem dojem najem program gram kilogram kram balzam salam " +
		"rezim kozich mnich strach hrach prach orech cech mech duch album strom reklam pyzam islam rozum")
	// czechYoung are names of young animals and other words that have -et- and -at- in their forms.
	czechYoung = strings.Fields("kur kot sten tel jehn hous kach pras zvir medvid rajc poup dvojc morc holoub devc hrib sel kuzl hrab mark")
	// czechSoft have c in all forms, and seem not to.
	czechSoft = strings.Fields("zastupc chlapc kupc slepc otc sirotc ovoc noc pec moc pomoc nemoc obc vec lovc spravc ovc vladc plavc znalc zajic mesic tisic prinoc")
	// czechC are ends of stems in which c is k before -e.
	czechC = [...]string{"tc", "cc", "sc", "zc", "vc", "pc", "uc", "oc"}
	// czechK are stems in which c is k before -e and -i, beside those.
	czechK = strings.Fields("jazyc rec valc dalc sbirc skolc jehlc republic americ afric politic matematic technic fabric fyzic klinic panic botanic muzic kritic logic praktic taktic " +
		"statistic romantic keramic mechanic elektronic olympic grafic logistic gymnastic atletic chemic vojac zac polac slovac ptac delnic zakaznic pracovnic uradnic " +
		"bojovnic podnic navstevnic urednic obcanc stranc schranc sanc dec vlc oblac potoc ostruzinc kluc druzstevnic vyrobc bibliotec diskotec lec")
	// czechH and czechCh are stems in which z and s are h and ch.
	czechH  = strings.Fields("kniz noz praz draz snaz podlaz blaz dlaz druz vraz pstruz uloz poloz zaloz touz")
	czechCh = strings.Fields("stres plos mous spros sprs ces mnis pastus hos hros zenis")
	// czechSteady keep the e before their last consonant, or would be another word.
	czechSteady = strings.Fields("kamen studen vesel cerven")
)

// czechOwn are forms with stems of their own.
var czechOwn = map[string]string{
	"pes": "ps", "psa": "ps", "psu": "ps", "psi": "ps", "psy": "ps", "psem": "ps", "psum": "ps", "psovi": "ps", "psech": "ps",
	"den": "dn", "sen": "sn", "cerven": "cervn", "lev": "lv", "len": "ln", "krev": "krv", "vez": "vez", "ves": "vs", "zed": "zd", "rez": "rez", "lez": "lz",
	"dum": "dom", "stul": "stol", "kun": "kon", "nuz": "noz", "vuz": "voz", "sul": "sol", "hul": "hol", "vul": "vol", "buh": "boh", "dul": "dol", "dvur": "dvor", "kul": "kol",
	"sloup": "sloup", "ruzni": "ruzn", "noze": "noz", "nozi": "noz", "noz": "noz", "nozem": "noz", "nozum": "noz", "nozich": "noz",
	"vitr": "vetr", "snih": "sneh", "chleb": "chleb", "kvet": "kvet", "dest": "dest", "hub": "houb", "much": "mouch", "smluv": "smlouv", "trub": "troub", "strun": "strun", "kruh": "kruh",
	"dite": "det", "ditete": "det", "diteti": "det", "ditetem": "det", "deti": "det", "detem": "det", "detmi": "det", "detech": "det",
	"lide": "lid", "lidi": "lid", "lidem": "lid", "lidmi": "lid", "lidech": "lid",
	"oci": "ok", "ocima": "ok", "oko": "ok", "oka": "ok", "oku": "ok", "okem": "ok", "usi": "uch", "usima": "uch", "usich": "uch",
	"zari": "zari", "pani": "pani", "ruce": "ruk", "rukama": "ruk", "rukou": "ruk", "nohama": "noh", "vajec": "vejc", "penez": "peniz", "penezum": "peniz", "penezi": "peniz", "penezich": "peniz",
	"zajmu": "zajem", "zajmy": "zajem", "prijmu": "prijem", "prijmy": "prijem", "pojmu": "pojem", "pojmy": "pojem", "najmu": "najem", "dojmu": "dojem", "dojmy": "dojem",
	"pritele": "pritel", "pratele": "pritel", "pratel": "pritel", "pratelum": "pritel", "prateli": "pritel",
	"roku": "rok", "roce": "rok", "let": "let", "lety": "let", "zeme": "zem", "zemi": "zem", "zemim": "zem", "zemich": "zem", "zememi": "zem",
	"cesti": "cesk", "casto": "casto", "casty": "casto", "casta": "casto", "caste": "casto", "casteho": "casto", "castemu": "casto", "castym": "casto", "castych": "casto", "castymi": "casto", "castou": "casto",
	"akcie": "akcij", "akcii": "akcij", "akciim": "akcij", "akciich": "akcij", "akciemi": "akcij",
	"sedi": "sedet", "sedim": "sedet", "sedis": "sedet", "sedime": "sedet", "sedite": "sedet", "sedel": "sedet", "sedela": "sedet", "sedelo": "sedet", "sedeli": "sedet", "sedely": "sedet",
	"vedel": "vedet", "vedela": "vedet", "vedelo": "vedet", "vedeli": "vedet", "vedely": "vedet",
	"hrat": "hrat", "hraje": "hrat", "hraji": "hrat", "hrajes": "hrat", "hrajeme": "hrat", "hrajete": "hrat", "hral": "hrat", "hrala": "hrat", "hralo": "hrat", "hrali": "hrat", "hraly": "hrat",
}

// czechI are stems of verbs in -it whose present, in -i, is no form of a noun.
var czechI = strings.Fields("var koup cit men mluv chod plat zmen ztrat hovor uprav oprav tvor")

// czechComparatives are stems of comparatives that have not -ejs-, and those of their adjectives.
var czechComparatives = map[string]string{
	"stars": "star", "mlads": "mlad", "vyss": "vysok", "nizs": "nizk", "drazs": "drah", "dels": "dlouh", "krats": "kratk", "sirs": "sirok",
	"tezs": "tezk", "lehc": "lehk", "mekc": "mekk", "tiss": "tich", "hlubs": "hlubok", "slads": "sladk", "tvrds": "tvrd", "tenc": "tenk",
}

// czechForm looks a word up.
func czechForm(word string) (stem string, ok bool) {
	if stem, ok = czechOwn[word]; ok {
		return stem, true
	}
	for _, end := range [...]string{"i", "im", "is", "ime", "ite"} {
		if rest, found := strings.CutSuffix(word, end); found && slices.Contains(czechI, rest) {
			return rest + "i", true // vaří, vařil
		}
	}
	return "", false
}
