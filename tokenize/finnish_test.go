package tokenize

import (
	"strings"
	"testing"
)

// TestFinnishForms: the forms of a word are one term: both grades, singular and plural, in
// base forms and compounds.
func TestFinnishForms(t *testing.T) {
	a := mustNew(t, Options{Language: "fi"})
	for row := range strings.Lines(`
		Helsinki Helsingin Helsingissä Helsinkiin Helsinkiä
		kaupunki kaupungin kaupunkia kaupungit kaupunkeja kaupunkien
		Turku Turun Turussa Turkuun
		talvisota talvisodan talvisodassa talvisotaan talvisotaa talvisotien
		lakka lakan lakkoja lakkojen lakoissa
		kukka kukan kukkia kukkien kukissa
		matto maton mattoja matoissa mattojen
		katu kadun kadulla kaduilla katuja katujen
		ranta rannan rantaa rannoilla rantoja rantojen
		kulta kullan kultaa
		parta parran partaa
		lampi lammen lampea lammilla lampien
		apu avun avulla
		leipä leivän leipää leivät leipien
		kenkä kengän kengät kenkien
		lehti lehden lehdet lehtiä lehtien
		jalka jalan jalkaa jalat jalkojen
		joki joen jokea joella jokien
		ruoka ruoan ruuan ruokaa ruokia
		poika pojan poikaa pojat poikien
		puku puvun pukua puvut pukuja
		järki järjen järkeä
		kauppa kaupan kaupassa kauppaa kauppoja kaupoissa
		presidentti presidentin presidenttiä presidenttien
		pankki pankin pankkeja pankeissa
		rikas rikkaan rikkaat rikkaita rikasta
		kuningas kuninkaan kuninkaat kuninkaita kuningasta
		tehdas tehtaan tehtaissa tehtaita tehdasta
		sade sateen sadetta sateet sateita
		osoite osoitteen osoitetta osoitteita
		huone huoneen huonetta huoneiden huoneissa
		sairaus sairauden sairautta sairaudet sairauksia sairauksien
		kuukausi kuukauden kuukautta kuukausia
		sormus sormuksen sormusten sormukset sormuksia
		opetus opetuksen opetusta opetukseen
		tulos tuloksen tulokset tuloksia
		susi suden sutta sudet susien
		vesi veden vettä vedet vesien vedessä
		juomavesi juomaveden juomavettä juomavetensä
		käsi käden kättä kädet käsien
		mies miehen miestä miehet miesten
		suo suon suota soiden soilla
		yö yön yötä öiden
		rautatie rautatien rautateitä rautatiet
		suomalainen suomalaisen suomalaista suomalaiset suomalaisten suomalaisia suomalaisiin
		puhelin puhelimen puhelimet
		koditon kodittoman kodittomat
		talo talon taloa talot taloja talojen taloissa taloon talonsa talossaan talossakin
		kala kalan kalaa kaloja kalojen kaloissa
		auto auton autossa autoja autojen
		muumi muumin muumien muumit muumeja
		historia historian historiaa historiassa
		korkea korkean korkeaa korkeat
		valtio valtion valtiot valtioita valtioiden
		peruna perunan perunaa perunat perunoita
		syntymäpäivä syntymäpäivän syntymäpäivät syntymäpäiviä
		valokuva valokuvat valokuvia
		Suomi Suomen Suomessa Suomea
		ihminen ihmisen ihmistä ihmiset ihmisten
		paita paidan paitaa paidat`) {
		words := strings.Fields(row)
		if len(words) == 0 {
			continue
		}
		for _, w := range words[1:] {
			if got, want := terms(a.Analyze(w)), terms(a.Analyze(words[0])); got != want {
				t.Errorf("%s is %q, but %s is %q", w, got, words[0], want)
			}
		}
	}
}

// TestFinnishPairs: words that differ in the length of a sound, or in the vowel at the end, stay
// apart, in the forms that are spelt alike but for it, too.
func TestFinnishPairs(t *testing.T) {
	a := mustNew(t, Options{Language: "fi"})
	for pair := range strings.SplitSeq("kissa kisa, kissan kisan, tuli tuuli, tulen tuulen, kuka kukka, kuka kukan, matto mato, maton madon, maton mato, "+
		"takka taka, lakki laki, tapa tappi, tavan tapin, talo tali, valo vala, lintu linna, katu katto, kadun katon, palo palko, "+
		"kulku kulu, tulos tulo, valtio valta, lehti lehmä, vesi veto, suo suu, susi suu, tie tee, koti kotka, kuusi kausi, mies mieli, rakkaus rakki", ", ") {
		if words := a.Analyze(pair); len(words) != 2 || string(words[0].Term) == string(words[1].Term) {
			t.Errorf("%s are %q", pair, terms(words))
		}
	}
}

// TestFinnishWithoutAccents: words that are typed without their accents have the same terms.
func TestFinnishWithoutAccents(t *testing.T) {
	a := mustNew(t, Options{Language: "fi"})
	for word := range strings.FieldsSeq("kengät yöllä pöydän leipää kädessä järjestelmän tyttöjä") {
		plain := strings.NewReplacer("ä", "a", "ö", "o").Replace(word)
		if got, want := terms(a.Analyze(plain)), terms(a.Analyze(word)); got != want {
			t.Errorf("%s is %q, but %s is %q", plain, got, word, want)
		}
	}
}
