package tokenize

import "strings"

// norwegianApart are Norwegian words that are kept apart from others; see apart.go.
func norwegianApart() apart {
	return readApart(`
+leilighet -en -er -ene, +kjøkken -et -er -ene, +bolig -en -er -ene, +værelse -t -r -ne, +sommer -en somre -ne, +hammer -en hamre -ne,
+mester -en -e mestre -ne, +museum museet museer museene, +datter -en døtre -ne, +jeger -en -e -ne, +potet -en -er -ene, +billett -en -er -ene,
+genser -en -e -ne, +støvsuger -en -e -ne, +sykepleier -en -e -ne, +vennlig -e -ere -st -ste -het -heten,
+menighet -en -er -ene, +rettighet -en -er -ene, +ferdighet -en -er -ene, sannhet -en -er -ene, villa -en -er -ene,
+laks -en -ene, +kjeks -en -ene, +boks -en -er -ene, +saks -en -er -ene, +heks -en -er -ene, +prins -en -er -ene, +hals -en -er -ene,
+kors -et -ene, vers -et -ene, puls -en -er, dans -en -er -ene -e -et, +kurs -et -ene -en -er, +rips -en, +børsi: børs -en,
+båndi: bånd -et -ene, +skåli: skål -en -a -er -ene, skala -en -er -ene, +møti: møte -r -s -t -ne møtende møtte møttes møtt, motta -r -s -tt,
+flåti: flåte -n -r -ne, +løve -n -r -ne, +lisens -en -er -ene, +college -et -r, kollega -en -er -ene kolleger kollegene, cola -en,
lager -et lagre lagrene, +tømmer -et, +humøri: humør -et, +malingi: maling -en, +båti: båt -en -er -ene, intelligens -en,

badi: bad -et -ene bader, øli: øl -et, østi: øst østen østlig -e østre, håri: hår -et -ene, våren vårens, låti: låt -en -a -er -ene,
radi: rad -en -er -ene, radar -en -er, åndi: ånd -en -er -ene åndelig -e, tåki: tåke -n -a -r, tåri: tåre -n -r -ne, måni: måne -n -r -ne,
vari: vare -r -n -ne, endi: ende -r -n -ne, bari: bar -en -er -ene, baki: bake -r -ren -re -rne bakt -e, mote -n -r -ne, jernet: jern -et,
malei: male -r maleren malere malerne malte, rømmi: rømme -r -n -s rømte rømt, tåli: tåle -r tålte, føri: føre -r -s fører -en førere -ne førte ført -e,
meni: mene -r -s, sitti: sitte -r -t sittende, overføre -r -s -nde overført -e, utøvi: utøve -r -s -nde, sørgi: sørge -r -t -nde sørg,
spørre spør -s -rende, forlove -t -de, synes syns syntes, date -r -t, modne moden modent, intens -t -e,
varig -e -het, villig -e, herlig -e -het, hellig -e, heller, hellas, tidlig -e, endelig -e, fattig -e -ere -ste, virkelig -e -het -heten,
utrolig -e, vanlig -e -ere -ste, ferdig -e, merkelig -e, giftig -e, tåpelig -e, kunstig -e, artig -e, kjedelig -e -ere, naken nakne nakent,
verden -s, anders, hamar -s, horten -s, alta, anna, solveig, middels, støre -s, møre, drammen -s, emma -s, tromme -r -n -ne, lege -n -r -ne, peter -s
`, "s")
}

// norwegianLegAdjectives are beginnings of adjectives in -leg of Nynorsk, whose plural ends as the doctor, lege, does,
// and of other words that end so.
const norwegianLegAdjectives = " alminne alvor al an ansvar be bestande dag dår død ei eigent ende ette fag farge fast-inn forskjel for freds fri fælsk gjenstand " +
	" gru gyld hand heim hemme herre hygge hyppig inn jam jord kol kose kriste kvinne kyrkje kjær læ lyk lykke løyn mann men menneske merke mog munn " +
	" målet nabo natur nord nye nyte offent opphav pein person pinse påli retts rime rom rå sann sannsyn selskape sed skade skrift skamme språk stat " +
	" stunde særs sør tenke ten ti tilgjenge tilstrekke truver tru ty tyde ulyk umog under ut utru van vanske ven venn verke vesent vest vit voldsom vår ær år øyd "

// norwegianDoctor takes the endings off the compounds of lege and lov, whose own ends the algorithm would take
// off for those of adjectives: tannleger and grunnloven are no teeth and ground.
func norwegianDoctor(word string) (stem string, ok bool) {
	for _, e := range [...]struct{ head, stem, ends string }{{"leg", "lege", " e en er ene es ens enes "}, {"lov", "lov", "  en er ene s ens enes "}} {
		at := strings.LastIndex(word, e.head)
		if at < 2 || !strings.Contains(e.ends, " "+word[at+len(e.head):]+" ") || syllables(word[:at]) == 0 {
			continue
		}
		first := word[:at]
		if e.head == "leg" && strings.Contains(norwegianLegAdjectives, " "+first+" ") || e.head == "lov" && (first == "for" || first == "ut") {
			continue
		}
		return word[:at] + e.stem, true
	}
	return "", false
}

// norwegianStem spells stems of several forms of words in -m as that of the base form: rommet, rom.
func norwegianStem(stem string) string {
	if strings.HasSuffix(stem, "mm") && syllables(stem) > 0 {
		return stem[:len(stem)-1]
	}
	return nordicStem(stem)
}
