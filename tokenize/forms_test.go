package tokenize

import (
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// formsIn reads a list of words, one a line with its forms behind it; # begins a comment.
func formsIn(t testing.TB, name string) (rows [][]string) {
	t.Helper()
	b, err := os.ReadFile("testdata/forms/" + name + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		if words := strings.Fields(line); len(words) > 0 && words[0] != "#" {
			rows = append(rows, words)
		}
	}
	return rows
}

// TestForms: most forms of a word have its term, also where they are typed without accents, and few words have
// the term of another. The lists "-held" were written before the rules were first tried, those "-more" later and of
// harder words. At the first look .990 of the forms in uk-held and .958 in uk-more had the term of
// their word, .965 in cs-held and .975 in cs-more, .992 in pl-held and .954 in pl-more, .994 in el-held, .914 in
// hi-held, .840 in ca-held and .924 in ro-held. The rules were mended by most of them since, so that what is
// logged here is no measure of other words.
func TestForms(t *testing.T) {
	for _, c := range []struct {
		list  string
		forms float64 // of those beside the word itself, at least
		plain float64 // of those with accents, typed without, at least
		pairs int     // of words with a term in common, at most
	}{
		{"ca", .96, 1, 2}, {"ca-held", .83, 1, 0},
		{"cs", .99, 1, 1}, {"cs-held", .99, 1, 0}, {"cs-more", .98, 1, 0},
		{"el", .994, 1, 1}, {"el-held", .993, 1, 0},
		{"hi", .997, 1, 0}, {"hi-held", .992, 1, 0},
		{"pl", .99, .98, 2}, {"pl-held", .99, .98, 0}, {"pl-more", .99, .98, 0},
		{"ro", .98, 1, 0}, {"ro-held", .93, 1, 0},
		{"uk", .99, 1, 1}, {"uk-held", .99, 1, 0}, {"uk-more", .97, 1, 0},
	} {
		language, _, _ := strings.Cut(c.list, "-")
		a := mustNew(t, Options{Language: language})
		term := func(word string) string { return string(a.Analyze(word)[0].Term) }
		words := map[string][]string{} // by term
		forms, same, accented, found := 0, 0, 0, 0
		for _, row := range formsIn(t, c.list) {
			want := term(row[0])
			for i, form := range row {
				got := term(strings.ToUpper(form))
				if !slices.Contains(words[got], row[0]) {
					words[got] = append(words[got], row[0])
				}
				if i > 0 {
					if forms++; got == want {
						same++
					} else {
						t.Logf("%s: %s is %s, but %s is %s", c.list, form, got, row[0], want)
					}
				}
				plain := string(Fold(nil, []byte(form)))
				if plain == form {
					continue
				}
				ok := term(plain) == got
				a.Spellings(plain, func(other string) { ok = ok || other == got })
				if accented++; ok {
					found++
				} else {
					t.Logf("%s: %s is not found by %s", c.list, form, plain)
				}
			}
		}
		pairs := 0
		for term, of := range words {
			if len(of) > 1 {
				pairs += len(of) * (len(of) - 1) / 2
				t.Logf("%s: %s is a term of %s", c.list, term, of)
			}
		}
		t.Logf("%s: %d of %d forms, %d of %d typed without accents, %d pairs of words", c.list, same, forms, found, accented, pairs)
		if float64(same) < c.forms*float64(forms) || float64(found) < c.plain*float64(accented) || pairs > c.pairs {
			t.Errorf("%s: %d of %d forms, %d of %d typed without accents, %d pairs of words", c.list, same, forms, found, accented, pairs)
		}
	}
}

// TestEverydayWordsStayApart: of the words that there are lists of, few share a stem, and most of those
// are of one family.
func TestEverydayWordsStayApart(t *testing.T) {
	for language, most := range map[string]int{"uk": 21, "cs": 29} {
		a := mustNew(t, Options{Language: language})
		words, of := map[string]bool{}, map[string]int{}
		b, err := everydayFiles.ReadFile("data/everyday-" + language + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range append(strings.Fields(string(b)), listedWords(language)...) {
			if tok := a.Analyze(w)[0]; !tok.Stop && !words[string(tok.Word)] {
				words[string(tok.Word)] = true
				of[string(tok.Term)]++
			}
		}
		shared := 0
		for _, n := range of {
			if n > 1 {
				shared++
			}
		}
		t.Logf("%s: %d words, %d stems of several", language, len(words), shared)
		if len(words) < 800 || shared > most {
			t.Errorf("%s: %d stems are of several of %d words", language, shared, len(words))
		}
	}
}

// TestUkrainianSpellings: all apostrophes make one word, with them and without, and ґ is г.
func TestUkrainianSpellings(t *testing.T) {
	a := mustNew(t, Options{Language: "uk"})
	for _, row := range []string{"сім'я сімʼя сім’я сім‘я СІМ'Я сімї", "ґудзик гудзик ґудзики", "комп'ютер компʼютери комп’ютерів"} {
		words := strings.Fields(row)
		for _, w := range words {
			if got, want := terms(a.Analyze(w)), terms(a.Analyze(words[0])); got != want {
				t.Errorf("%s is %s, and %s %s", w, got, words[0], want)
			}
		}
	}
}

// TestWordsThatLookAlike: words of other meaning stay apart.
func TestWordsThatLookAlike(t *testing.T) {
	for language, pairs := range map[string]string{
		"uk": "сім'я сім, вода водій, муза музей, син синій, дорога дорогий, вулиця вулик, столиця столик, ваза вага, персона персонал, термін термінал, " +
			"салат сало, народ народити, партія парта, голова голий, весло веселий, скло скеля, матері матеріал, рука рукав, коса космос, копія копати, канал канат, Русі рух, галузі луг, союз союг, " +
			"олівець олівка, друг другий, друзі другого, метр метро, сума суміші, житло жителі, дно дня, дно день, стала сталі, стали сталь, рада радий, висок високий",
		"cs": "hrnec hrnek, ostrov ostrý, tanec tank, palec pálka, sklenice skleník, rovnice rovník, kámen kamna, salát sál, studna studený, muzeum muž, " +
			"kotě kotel, tele telefon, ulice úlek, kůže koza, růže roh, práce prak, obec obchod, stanice stan, červen červený, " +
			"čeští cesta, část často, šedé sedí, věděl vedl, akce akcie, cit cítím, city cítí, menu mění, měna mění, hrál hra",
		"ro": "prăjitură prăjit, băutură băut, pătură pat, căldură cald, friptură fript, cultură cult, culturi culte, umplutură umplut, armătură armat, brățară braț, brățări brațe, " +
			"inele in, roșie roz, roșii roze, real rele, reale rele, rele relația, regim rege, mare Maria, stat stația, stat statui, parc parcare, seară serii, trai traseul, preț pretind, loc locația, " +
			"post poștă, formă formație, format formație, vin vină, modele mode, frații stații",
		"da": "billig bil, billige biler, måde mad, købe kobber, god gods, planet plan, læge lægge, leder ledig, liter lite, fare farlig",
		"no": "billig bil, måte mat, god gods, planet plan, leder ledig, liter liten, liter lite, fare farlig",
		"el": "ευρώ ευρύτερη, δώρο δωρεά, μενού μένω, φορά φόρος, φορέας φόρος, αυγό αυγή, βία βίος, κράτος κρατάω, άποψη απόψε, άνοιξα άνοιξη",
		"ca": "avi àvia, avi aviat, àvia aviat, alt altar, ànima animar, pa pan, press presos, obre obra, venut vent",
	} {
		a := mustNew(t, Options{Language: language})
		for pair := range strings.SplitSeq(pairs, ", ") {
			if words := a.Analyze(pair); len(words) != 2 || string(words[0].Term) == string(words[1].Term) {
				t.Errorf("%s are %q", pair, terms(words))
			}
		}
	}
}

// TestFormsOfOneWord: forms that change more than their ending have one term.
func TestFormsOfOneWord(t *testing.T) {
	for language, groups := range map[string]string{
		"uk": "олівець олівця олівцем олівці олівців олівцями, млинець млинця млинці млинців, ремінець ремінця ремінці ремінців, камінець камінця камінці камінців, " +
			"гребінець гребінця гребінці, промінець промінця промінці, рубець рубця рубці рубців, митець митця митці, жінка жінці, трубка трубці, " +
			"високий висока високо вищий найвищий вище, глибокий глибоко глибший глибше, широкий широка ширший, дорогий дорого дорожчий, " +
			"друг друга друзі друзів друзями, другий другого другому другої, суміш суміші сумішей сумішшю, житель жителі жителів, стати стала стали",
		"cs": "vařit vařím vaří vařil vařila, koupit koupím koupí koupil, kupovat kupuje kupoval, hrát hraje hrají hrál hrála, " +
			"cítit cítí cítil, měnit mění měnil, mluvit mluví mluvil, platit platí platil, sedět sedí seděl, vědět věděl, český čeští, akcie akcií akciemi",
		"hi": "बनाना बनाता बनाती बनाते बनाया बनाए बनाएं बनाई, दिखाना दिखाता दिखाया दिखाई, खाना खाने खाया खाए, धोना धोता धोया, दवा दवाओं दवाई दवाइयां दवाइयों, " +
			"चर्चा चर्चाओं, पक्षी पक्षियों, सूची सूचियों, सूचना सूचनाओं, घाटी घाटियों, जलना जलता जला",
		"pl": "wysoki wyższy najwyższy wyższa, niski niższy, tani tańszy najtańszy, szybki szybszy najszybszy szybciej, krótki krótszy, młody młodszy, szeroki szerszy, wąski węższy, " +
			"prać pierze prał piorą pranie, myć myje mył myją mycie, pisać pisze pisał piszą, stać stał, kolega kolego, sąd sądu sądem, lęk lęku lęki",
		"ro": "lingură lingura linguri lingurile lingurii lingurilor, prăjitură prăjitura prăjituri prăjiturile prăjiturii prăjiturilor, băutură băutura băuturi băuturile, " +
			"pătură pătura pături păturile păturii, căldură căldura călduri, friptură friptura fripturi fripturile, cultură cultura culturi culturile culturii culturilor, " +
			"brățară brățara brățări brățările brățării, tricou tricoul tricoului tricouri tricourile tricourilor, cadou cadoul cadouri cadourile, birou biroul birouri, stilou stiloul stilouri, " +
			"râu râul râuri râurile, inel inelul inele inelele, roșu roșul roșie roșii roșiile, nou noul nouă noua noi noile, greu greul grea grei grele, drapel drapelul drapele, model modele modelele, " +
			"preț prețul prețuri prețurile, relație relația relații relațiile, traseu traseul trasee traseele, parcare parcarea parcări parcările, tort torturi, unt untul",
		"da": "billig billigt billige, måde måder måden, sikker sikkert sikre, gul gult gule, dyr dyrt dyre, grøn grønt grønne, stor større størst største, planet planeter planeten, farlig farligt farlige",
		"no": "billig billige, måte måter måten, sikker sikkert sikre, gul gult gule, dyr dyrt, grønn grønt grønne, stor større størst største, planet planeter planeten",
		"el": "γάλα γάλατα γάλατος, γράφω γράφει έγραψα έγραψε γράψω γράψει, παίζω έπαιξα παίξει, ανοίγω άνοιξα άνοιξε ανοίξει, κλείνω έκλεισα κλείσει, φορά φορές, δωρεά δωρεές, κράτος κράτη κράτους",
		"ca": "obrir obre obert oberta obren, vendre venut ven venuda, viure viu viscut viuen viva, àvia àvies, ànima ànimes, altar altars, pa pans, alt alta alts altes",
	} {
		a := mustNew(t, Options{Language: language})
		for group := range strings.SplitSeq(groups, ", ") {
			words := strings.Fields(group)
			for _, w := range words[1:] {
				if got, want := string(a.Analyze(w)[0].Term), string(a.Analyze(words[0])[0].Term); got != want {
					t.Errorf("%s: %s is %s, and %s %s", language, w, got, words[0], want)
				}
			}
		}
	}
}

// FuzzStems: the stemmers of our own leave something of any word, in UTF-8 if the word is, the same each time.
func FuzzStems(f *testing.F) {
	for _, word := range []string{
		"", "a\xffb", "у\xd1\x83", "сімя", "найновіший", "ґґґ", "ється", "іш", "ююю", "ьььь", "knize", "nejejsi", "uvuv", "atatat", "ěščř", strings.Repeat("ння", 40),
		"pugons", "boques", "aigües", "construïda", "brazilor", "cățeii", "măseaua", "ţările", "ș", "ă", "ul", "ei", "s", "es", "ç",
		"książkami", "ięcie", "owi", "źdź", "iii", "ćmi", "προβληματα", "ανακαλυφθηκε", "ηκε", "θηκα", "ων", "μα", "ιμα", "मंदिरों", "ियों", "़", "न्द", "ँ", "ना", "abc",
	} {
		f.Add(word)
	}
	stems := map[string]func(string) string{
		"ca": catalanStem, "cs": czechStem, "el": greekStem, "hi": hindiStem, "pl": polishStem, "ro": romanianStem, "uk": ukrainianStem,
	}
	f.Fuzz(func(t *testing.T, word string) {
		word = word[:min(len(word), defaultMaxTokenBytes)]
		for language, stem := range stems {
			got := stem(word)
			if got != stem(word) {
				t.Errorf("%s, %q: two stems", language, word)
			}
			if got == "" && strings.Trim(word, "़") != "" || utf8.ValidString(word) && !utf8.ValidString(got) {
				t.Errorf("%s, %q: the stem is %q", language, word, got)
			}
		}
	})
}
