package tokenize

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// TestInflectionsShareATerm lists, by language, words that a search should not
// tell apart.
func TestInflectionsShareATerm(t *testing.T) {
	for language, groups := range map[string][]string{
		"ar": {"كتاب الكتاب كِتَاب", "مدرسة مدرسه"},
		"ca": {"casa cases", "amic amics amiga amigues", "pugó pugons"},
		"da": {"hus huset husene", "bøger bøgerne"},
		"de": {"Haus Häuser Hauser Hauses", "Straße Straßen STRASSE", "arbeiten arbeite", "schön schöne schönes SCHÖN"},
		"el": {"ελιά ελιές ελιών ΕΛΙΕΣ", "ελεύθερος ελεύθερη ελεύθερο", "πρόβλημα προβλήματα προβλήματος"},
		"en": {"run runs running", "house houses House's houses' house’s house´s house`s house‛s houseʼs", "Café cafe cafés", "connection connected connecting connections", "O'Reilly O’Reilly OREILLY"},
		"es": {"casa casas", "canción canciones", "rápido rápidos RÁPIDO"},
		"fi": {"talo talot taloissa talossa", "kirja kirjat kirjassa"},
		"fr": {"maison maisons", "homme l'homme L’Homme l´homme L`HOMME lʼhomme l‛homme hommes d'hommes", "élève élèves l'élève", "rapide rapidement"},
		"ga": {"fear bhfear fhear", "d'oifig oifig"},
		"hi": {"मच्छर मच्छरों", "मंदिर मन्दिर मंदिरों", "किताब किताबें किताबों", "चाँद चांद"},
		"hu": {"ház házak házban", "könyv könyvek könyvet"},
		"it": {"casa case", "amico amici l'amico dell'amico all’AMICO", "città l'città"},
		"nl": {"boek boeken"},
		"no": {"hus huset husene", "bok boken"},
		"pt": {"casa casas", "livro livros", "rápido rapido"},
		"ro": {"casa casă", "națiune naţiune națiuni naţiuni"},
		"ru": {"книга книги книгу книг", "ёлка елка ЁЛКИ", "за\u0301мок замок"},
		"sv": {"hus husen", "bok boken"},
		"ta": {"வீடு வீடுகள்"},
		"tr": {"ev evler evlerde EVLER", "İstanbul İstanbul'da istanbul", "NFL NFL'de NFL’nin NFL´nin NFL`nin nfl", "ışık IŞIK ışıklar"},
	} {
		a := mustNew(t, Options{Language: language})
		for _, g := range groups {
			var found []string
			for _, tok := range a.Analyze(g) {
				if !slices.Contains(found, string(tok.Term)) {
					found = append(found, string(tok.Term))
				}
			}
			if len(found) != 1 {
				t.Errorf("%s: %q give the terms %q, want one", language, g, found)
			}
		}
	}
}

func TestElision(t *testing.T) {
	for _, c := range []struct{ language, text, want string }{
		{"fr", "l'homme qu'un lorsqu'elle aujourd'hui presqu'île d'l'eau c'est", "homm [un] [elle] [aujourdhui] presquil leau [est]"},
		{"it", "dell'arte c'è un'altra quest'anno", "arte [e] [altra] anno"},
		{"ca", "l'home d'aigua", "homa aigua"},
		{"en", "l'homme", "lhomm"},
		{"", "l'homme", "lhomme"},
		{"fr", "l' homme l'1 'l'eau'", "[l] homm [l] 1 eau"},
	} {
		if got := terms(mustNew(t, Options{Language: c.language}).Analyze(c.text)); got != c.want {
			t.Errorf("%s %q\n got %s\nwant %s", c.language, c.text, got, c.want)
		}
	}
}

func TestStemmingLeavesAlone(t *testing.T) {
	a := mustNew(t, Options{Language: "en"})
	long := strings.Repeat("x", 60) + "nings"
	for _, c := range []struct{ text, want string }{
		{"mp3s h264s 1980s c++ 1.5kgs", "mp3s h264s 1980s c++ 1.5kgs"},
		{long, long},
		{"runnings", "run"},
	} {
		if got := terms(a.Analyze(c.text)); got != c.want {
			t.Errorf("%q\n got %s\nwant %s", c.text, got, c.want)
		}
	}
	for _, tok := range mustNew(t, Options{Language: "en", NoStem: true}).Analyze("The running dogs' John's") {
		if string(tok.Term) != string(tok.Word) {
			t.Errorf("NoStem: term %q differs from word %q", tok.Term, tok.Word)
		}
	}
}

func TestWordIsTheFormBeforeStemming(t *testing.T) {
	for _, c := range []struct{ language, text, term, word string }{
		{"en", "Running", "run", "running"},
		{"de", "HÄUSER", "haus", "hauser"},
		{"fr", "l'Élevées", "elev", "elevees"},
		{"", "Élevées", "elevees", "elevees"},
		{"vi", "RỬA", "rửa", "rua"},
		{"vi", "ru\u031b\u0309a", "rửa", "rua"}, // decomposed
		{"vi", "Đường", "đường", "duong"},
		{"vi", "Hòa", "hoà", "hoa"},
		{"vi", "thuý", "thuý", "thuy"},
	} {
		got := mustNew(t, Options{Language: c.language}).Analyze(c.text)
		if len(got) != 1 || string(got[0].Term) != c.term || string(got[0].Word) != c.word {
			t.Errorf("%s %q: got %q, want term %s and word %s", c.language, c.text, terms(got), c.term, c.word)
		}
	}
}

func TestLanguages(t *testing.T) {
	want := strings.Fields("ar ca cs da de el en es fi fr ga hi hu it nl no pl pt ro ru sv ta tr uk vi")
	if d := cmp.Diff(want, Languages()); d != "" {
		t.Errorf("Languages (-want +got):\n%s", d)
	}
	if known := KnownLanguages(); !slices.IsSorted(known) {
		t.Errorf("languages are not in order: %v", known)
	}
	for _, l := range languages() {
		mustNew(t, Options{Language: l.code})
		if !slices.IsSorted(l.elided) {
			t.Errorf("%s: elided words are not in order: %v", l.code, l.elided)
		}
		if l.stem != nil && len(StopWords(l.code)) < 64 {
			t.Errorf("%s stems but has %d stop words", l.code, len(StopWords(l.code)))
		}
	}
}

// TestFillerPairs: of Chinese and Japanese the pairs are marked that filler
// words consist of, in any language, and no single character is.
func TestFillerPairs(t *testing.T) {
	for _, language := range [...]string{"", "en", "ja", "zh"} {
		a := mustNew(t, Options{Language: language})
		for _, code := range [...]string{"ja", "zh"} {
			for _, w := range StopWords(code) {
				for _, tok := range a.Analyze(w) {
					if tok.Stop != (tok.Kind == KindBigram) {
						t.Errorf("%q: %q of %q: filler is %v", language, tok.Term, w, tok.Stop)
					}
				}
			}
		}
		for text, want := range map[string]string{
			"大仏の高さは何メートルですか": "は何 です すか", "りんごはどこ": "どこ", "什么时候发现了氧气": "什么 么时 时候", "哪个国家": "哪个", "東京都": "",
		} {
			var got []string
			for _, tok := range a.AnalyzeQuery(text) {
				if tok.Stop {
					got = append(got, string(tok.Term))
				}
			}
			if strings.Join(got, " ") != want {
				t.Errorf("%q: filler of %q is %q, want %q", language, text, got, want)
			}
		}
	}
}

// TestStopWordsAreMarked analyzes every list with its own language: each word
// must be one token and marked, also in capitals.
func TestStopWordsAreMarked(t *testing.T) {
	for _, code := range KnownLanguages() {
		list := StopWords(code)
		if !slices.IsSorted(list) || len(slices.Compact(slices.Clone(list))) != len(list) {
			t.Errorf("%s: the list is not sorted or has doubles", code)
		}
		a := mustNew(t, Options{Language: code})
		for _, w := range list {
			for _, text := range []string{w, strings.ToUpper(w)} {
				if code == "tr" && text != w {
					continue // strings.ToUpper does not know Turkish
				}
				if code == "ja" || code == "zh" {
					continue // see TestFillerPairs
				}
				got := a.Analyze(text)
				if code == "th" {
					got = a.AnalyzeQuery(text) // each is a pair of characters
				}
				if len(got) != 1 || !got[0].Stop {
					t.Errorf("%s: %q gives %q, want one stop word", code, text, terms(got))
				}
			}
		}
	}
	for _, w := range strings.Fields("would could might must shall may please tell show find want need using use used how what where which who why") {
		if got := mustNew(t, Options{Language: "en"}).Analyze(w); !got[0].Stop {
			t.Errorf("en: %q is not a stop word", w)
		}
	}
	if got := StopWords("xx"); got != nil {
		t.Errorf("StopWords of an unknown language: %q", got)
	}
}

// Everyday words are long enough to be repaired, none of them is a stop word, and
// each is written as a token is.
// TestWritten: the words of the list are found, first and last ones, and no others.
func TestWritten(t *testing.T) {
	list := strings.Fields(writtenEnglish)
	if !slices.IsSorted(list) {
		t.Error("the list is not sorted")
	}
	for _, w := range list {
		if !Written("en", []byte(w)) || Written("de", []byte(w)) {
			t.Fatalf("%q: %v in English, %v in German", w, Written("en", []byte(w)), Written("de", []byte(w)))
		}
	}
	for _, w := range []string{"", "a", "runnign", "companys", "zzzz", "aaaa", "external\nextra", "extern"} {
		if Written("en", []byte(w)) {
			t.Errorf("%q is a word", w)
		}
	}
}

// TestNamesAreWritten: the names of the list are found, are written as tokens are, each once, and no
// other list has them.
func TestNamesAreWritten(t *testing.T) {
	a, seen := mustNew(t, Options{Language: "en"}), map[string]bool{}
	for line := range strings.Lines(namesEnglish) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		for w := range strings.FieldsSeq(line) {
			if !Written("en", []byte(w)) || Written("de", []byte(w)) {
				t.Errorf("%q: %v in English, %v in German", w, Written("en", []byte(w)), Written("de", []byte(w)))
			}
			got := a.Analyze(w)
			if len(w) < 4 || len(got) != 1 || string(got[0].Word) != w || seen[w] || isWrittenEnglish([]byte(w)) {
				t.Errorf("%q gives %q, or is there already", w, terms(got))
			}
			seen[w] = true
		}
	}
	if len(seen) < 2500 {
		t.Errorf("%d names", len(seen))
	}
	for _, w := range []string{"ikea", "linux", "selfies", "keto", "mini", "admin", "quinoa", "pilates"} {
		if !seen[w] {
			t.Errorf("%q is no name", w)
		}
	}
	for _, w := range []string{"jon", "smyth", "razer", "chanel", "perl", "fone", "quarry's", "#"} {
		if seen[w] || listedNames()[w] {
			t.Errorf("%q is a name", w)
		}
	}
}

func TestCommonWordsAreWords(t *testing.T) {
	for _, language := range []string{"de", "en", "es", "fr"} {
		list, stops := CommonWords(language), StopWords(language)
		if len(list) < 500 || !slices.IsSorted(list) || len(slices.Compact(slices.Clone(list))) != len(list) {
			t.Errorf("%s: %d words, or not sorted, or with doubles", language, len(list))
		}
		a := mustNew(t, Options{Language: language})
		for _, w := range list {
			got := a.Analyze(w)
			if utf8.RuneCountInString(w) < 4 || len(got) != 1 || string(got[0].Word) != string(Fold(nil, []byte(w))) || slices.Contains(stops, w) {
				t.Errorf("%s: %q gives %q", language, w, terms(got))
			}
		}
	}
	if got := CommonWords("xx"); got != nil {
		t.Errorf("words of an unknown language: %q", got)
	}
}

// TestStemmersSurviveAnything feeds each stemmer random words, also of other
// scripts, at the length bound.
func TestStemmersSurviveAnything(t *testing.T) {
	alphabets := [][]string{
		strings.Split("aeiouybcdfghjklmnpqrstvwxzäöüßéèçñõåøæąşţışığ", ""),
		strings.Split("абвгдежзийклмнопрстуфхцчшщъыьэюя", ""),
		strings.Split("ابتثجحخدذرزسشصضطظعغفقكلمنهويةءئؤ", ""),
		strings.Split("αβγδεζηθικλμνξοπρστυφχψω", ""),
		strings.Split("अआइईएओकगजटडणतदनपबमयरलवशसहािीुूेैोौ्ंँ़", ""),
		strings.Split("அஆஇகஙசடணதநபமயரலவழளறனாிீுூெேைொோௌ்", ""),
		strings.Split("aeioeingsedlyationisch'-", ""),
	}
	for _, code := range Languages() {
		l, _ := languageOf(code)
		for seed := range uint64(2000) {
			rng := rand.New(rand.NewPCG(seed, 5))
			word := randomText(rng, alphabets[rng.IntN(len(alphabets))], 1+rng.IntN(20))
			if stem := l.stem(word); !utf8.ValidString(stem) {
				t.Errorf("%s, seed %d: stem of %q is %q, not UTF-8", code, seed, word, stem)
			}
		}
	}
}

// TestLinks: compounds are of languages that write them as one word, and of terms that are
// stems.
func TestLinks(t *testing.T) {
	for language, want := range map[string]bool{"de": true, "nl": true, "sv": true, "da": true, "no": true, "fi": true, "hu": true, "en": false, "fr": false, "tr": false, "": false} {
		for _, noStem := range []bool{false, true} {
			a, err := New(Options{Language: language, NoStem: noStem})
			if err != nil {
				t.Fatal(err)
			}
			if some := a.SomeLinks(); (some != nil) != (language == "en" && !noStem) {
				t.Errorf("%q, without stems %v: some compounds are %q", language, noStem, some)
			}
			links := a.Links()
			if (links != nil) != (want && !noStem) || links != nil && links[0] != "" {
				t.Errorf("%q, without stems %v: %q", language, noStem, links)
			}
		}
	}
}

// TestPrefix: what words of a language begin with and is none by itself is known where compounds
// are, and without diacritics.
func TestPrefix(t *testing.T) {
	for _, c := range []struct {
		language, begin string
		want            bool
	}{
		{"de", "ver", true}, {"de", "vers", false}, {"de", "er ge", false}, {"de", "", false}, {"sv", "for", true},
		{"nl", "ont", true}, {"hu", "elo", true}, {"fi", "epa", true}, {"da", "und", true}, {"no", "inn", true}, {"en", "un", true}, {"fr", "un", false}, {"", "un", false},
	} {
		a, err := New(Options{Language: c.language})
		if err != nil {
			t.Fatal(err)
		}
		if got := a.Prefix(c.begin); got != c.want {
			t.Errorf("%q: %q is a prefix: %v", c.language, c.begin, got)
		}
	}
}

// TestSuffix: what only makes other words of words is known where compounds are.
func TestSuffix(t *testing.T) {
	for _, c := range []struct {
		language, end string
		want          bool
	}{
		{"de", "lung", true}, {"de", "lunge", false}, {"de", "licht", false}, {"de", "", false}, {"nl", "heid", true}, {"sv", "skap", true},
		{"da", "else", true}, {"no", "het heten", false}, {"en", "ness", true}, {"fr", "ness", false}, {"", "ness", false},
	} {
		a, err := New(Options{Language: c.language})
		if err != nil {
			t.Fatal(err)
		}
		if got := a.Suffix(c.end); got != c.want {
			t.Errorf("%q: %q is a suffix: %v", c.language, c.end, got)
		}
	}
	a, err := New(Options{Language: "sv"})
	if err != nil {
		t.Fatal(err)
	}
	for at, want := range map[int]bool{8: true, 7: true, 6: false, 0: false} {
		if got := a.InSuffix("kompostering", at); got != want {
			t.Errorf("kompostering, %d: %v", at, got)
		}
	}
}

// TestLanguageOfTerms: terms are those of a language in the way that is usual for it, or of none.
func TestLanguageOfTerms(t *testing.T) {
	for _, c := range []struct {
		o           Options
		stems, want string
	}{
		{Options{Language: "en"}, "en", "en"},
		{Options{Language: "en", NoStem: true}, "", ""},
		{Options{Language: "zh"}, "", "zh"},
		{Options{Language: "th", NoStem: true}, "", "th"},
		{Options{Language: "pl", NoStem: true}, "", ""},
		{Options{Language: "ja", Mode: Whitespace}, "", ""},
		{Options{Language: "ko", Filters: []Filter{Each(func(*Token) {})}, Version: "x"}, "", ""},
		{Options{}, "", ""},
	} {
		a, err := New(c.o)
		if err != nil {
			t.Fatal(err)
		}
		if a.Stems() != c.stems || a.Language() != c.want {
			t.Errorf("%+v: stems of %q, language %q", c.o, a.Stems(), a.Language())
		}
	}
}

func TestStopWordsAreThoseThatAreWritten(t *testing.T) {
	for _, c := range []struct {
		language, word string
		stop           bool
	}{
		{"sv", "har", true}, {"sv", "hår", false}, {"sv", "för", true}, {"sv", "for", true},
		{"no", "har", true}, {"no", "Hår", false}, {"no", "på", true}, {"no", "pa", true},
		{"es", "te", true}, {"es", "té", false}, {"es", "cómo", true}, {"es", "como", true},
		{"fr", "où", true}, {"fr", "ou", true}, {"fr", "sûr", false}, {"fr", "A\u0300", true},
	} {
		got := mustNew(t, Options{Language: c.language}).Analyze(c.word)
		if len(got) != 1 || got[0].Stop != c.stop {
			t.Errorf("%s %q: %+v", c.language, c.word, got)
		}
	}
}
