package tokenize

import (
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/kljensen/snowball/hungarian"
)

// hungarianApart are Hungarian nouns that are kept apart from other words, with the stems that they have before endings;
// see apart.go. The algorithm takes the ends of base forms for endings: of vonat the -at, of barát the -t and the -á.
func hungarianApart() apart {
	return readApart(`
söri: sör, sor, bőri: bőr, bor, bors, börtön, köri: kör, kóri: kór, kor, korona, korai, köröm körm, körte, kári: kár, kar, kard, karnevál, ári: ár, áram, árok árk, szín: színi, színi: szín,
szint, színház, színész, ágyi: ágy, agy, kódi: kód, köd, kártya, út ut, fa, ló lov, tó tav, szó szav, só, nő, nyár nyar, tél, tűz tüz, ősz, osztrák, víz viz, híd hid,
hús, hó, +egyetem, egyház, egyesület, egyenleg, +nagymama, nagyi, nagyapa, +munka, munkanélküli, csoki, cső csöv, csont, csók, csoda, alma, álom álm álma álmá, suli, buli, süti,
reggeli, reggel, +vonat, +kamion, kanada, zene, +szoba, szék, szem, szemét szemetet szemetek, +kert, kerület, +ablak, +barát, barna, ebéd, élet, élmény, elnök, élelem élelm, elem,
este, eset, isten, +csapat, csata, mérnök, méret, mérték, ügy, ügynök, ügyfél, ügyfel, név nev, hét het, óra, örök, őr, park, part, +párt, pár, parti, partner, bár,
anya any, apa ap, haza, ház haz, állam, állat, állomás, állás, gyerek gyermek, család, iroda, irodalom, írás, haj, láb, labda, kéz kez, kezd, bolt, posta, poszt, póker, játék,
érték, érdek, étel, sajt, kenyér kenyer, +hagyma, tészta, +tehén tehen, egér, gáz, gazda, +busz, büszke, villa, villám, tér ter, terület, terem termek termet, teremt, áru, +termék, terv, terhesség,
hír, gép, cég, cél, dal, dél, délután, kelet, nyugat, nyugalom, észak, ész, róma, román, románia, japán, kína, amerika, diák, óvoda, test, testvér, történet, történelem, török,
torna, +torta, torony torny, torok tork, kupa, levél level, levente, lélek lelk, mese, mester, modell, mód, mozi, műtét, mű műv, nép, pap, pápa, papír, pont, por, rend, robot,
szám, sziget, szerelem szerelm, szerep, szerelő, széli: szél, tag, téma, tény, tenger, tető tetej, üzem, üzenet, üzlet, vállalat, váll, válasz, vallás, válás, válság, vér,
vers, verseny, vita, vitamin, zöld, zoltán, mária, márton, majom majm, március, balaton, bálint, balett, hang, hangulat, péntek, bíró, író, idő idej, sárga,
szent, szombat, kedd, szeged, kecskemét, szolnok, pécs, paks, eger, bécs, london, berlin, győr, sopron, vasút, +pálya, tanács, tanulmány, tanfolyam, fogyás, fogyasztás,
feladat, felvétel, felmondás, félelem félelm, fényképi: fénykép, fénykép, film, festék, festmény, forint, forma, formula, fordítás, forrás, föld, folyamat, folyó, folyadék, gól, +gomba, gomb,
halál, halott, hála, +halászlé, hallás, harmadik, három, használat, határ, hely, helyzet, hitel, holland, horgászat, hirdetés, +időpont, ingatlan, ital, jog, jóga, jövedelem jövedelm,
jelentés, jelszó, jelszav, katona, kérdés, kereset, készülék, kiadás, kicsi, kígyó, kilátás, király, kiállítás, klíma, klinika, konkurencia, kölcsön, +kötet, kötés, következmény, követelmény,
középkor, központ, kultúra, lakás, lap, +leves, lista, liszt, létra, légzés, +lámpa, média, medence, mell, menet, menetrend, meleg, mérleg, meccs, miniszter, +minta, misszió,
műszak, napló, nemzet, nyelv, nyomtatvány, +nyomtató, oldal, olvasás, oktatás, óriás, orosz, ország, oszlop, osztály, ötlet, palota, példa, pénz, perc, pillanat, pilóta, politika, probléma, profil, próba,
rendelet, rendőr, rész, részvény, regény, régió, remény, szabadság, szabály, szállás, számla, század, szakma, szezon, szemle, szemüveg, szerkezet, szerződés, szívi: szív, szokás, +szoknya, szolgáltatás, szőke,
szőlő, szőnyeg, szülő, születésnap, tábla, találat, támogatás, társ, társaság, +táska, tavasz, tej, telek telk, település, tisza, tiszt, titok titk, toll, tojás, tömeg, törvény, tulajdon, túra, tüdő,
ujj, újság, utca, utas, utazás, ünnep, védelem védelm, végzettség, vezeték, vidék, videó, vízum, választás, változás, vásár, vásárlás, +vasárnap, zseb
`)
}

// hungarianCases and hungarianOwners are endings of nouns: those of the cases, and before them those of the plural and
// of possession.
var (
	hungarianCases = strings.Fields("t at et ot öt ban ben ba be ból ből nak nek ra re ról ről tól től hoz hez höz nál nél on en ön n ig ért ként kor val vel i")
	hungarianOwner = strings.Fields("k ok ek ök ak a e ja je m om em öm am d od ed öd ad unk ünk nk uk ük juk jük tok tek i ai ei jai jei aim eim aink eink aik eik")
)

// hungarianNoun returns the stem of a noun that is kept apart, behind which a case and a plural or an owner may stand.
func hungarianNoun(a *apart, word string) (stem string, ok bool) {
	best := 0
	try := func(base string) {
		if last, n := utf8.DecodeLastRuneInString(base); len(base) > best {
			own, is := a.stemOf(base)
			switch {
			case is:
			case last == 'á' && len(word) > len(base): // almát
				own, is = a.stemOf(base[:len(base)-n] + "a")
			case last == 'é' && len(word) > len(base):
				own, is = a.stemOf(base[:len(base)-n] + "e")
			}
			if is {
				stem, ok, best = own, true, len(base)
			}
		}
	}
	cut := func(word, end string) (string, bool) {
		rest, ok := strings.CutSuffix(word, end)
		switch end {
		case "k", "m", "d", "n", "nk": // kezd is no hand
			ok = ok && !endsInConsonant(rest)
		}
		return rest, ok
	}
	owned := func(rest string) {
		try(rest)
		for _, end := range hungarianOwner {
			if before, ok := cut(rest, end); ok {
				try(before)
			}
		}
	}
	owned(word)
	for _, end := range hungarianCases {
		if rest, ok := cut(word, end); ok {
			owned(rest)
		}
	}
	if n := len(word) - len("al"); n > 2 && (word[n:] == "al" || word[n:] == "el") {
		switch rest := word[:n]; { // of -val and -vel the v becomes what is before it: vonattal, busszal
		case strings.HasSuffix(rest, "ssz"), strings.HasSuffix(rest, "ggy"), strings.HasSuffix(rest, "nny"), strings.HasSuffix(rest, "ccs"), strings.HasSuffix(rest, "zzs"):
			owned(rest[:len(rest)-3] + rest[len(rest)-2:])
		case rest[n-1] == rest[n-2]:
			owned(rest[:n-1])
		}
	}
	return stem, ok
}

// stemHungarian returns the stem of a word by the list, or else by the algorithm until nothing changes.
var stemHungarian = sync.OnceValue(func() func(string) string {
	rows := hungarianApart()
	return first(func(word string) (string, bool) { return hungarianNoun(&rows, word) }, steady(closedRoot, written(hungarian.Stem)))
})
