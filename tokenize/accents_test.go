package tokenize

import (
	"slices"
	"testing"
)

// TestSpellings: what a word without accents may mean has the term of the word with them.
func TestSpellings(t *testing.T) {
	for _, c := range []struct{ language, plain, word string }{
		{"es", "sarten", "sartén"}, {"es", "renovacion", "renovación"}, {"es", "jubilacion", "jubilación"},
		{"es", "cafeteria", "cafetería"}, {"es", "ingles", "inglés"},
		{"fr", "cafetiere", "cafetière"}, {"fr", "randonnee", "randonnée"}, {"fr", "raye", "rayé"}, {"fr", "poignee", "poignée"},
		{"fr", "societe", "société"}, {"fr", "cafetieres", "cafetières"},
		{"pt", "lencois", "lençóis"}, {"pt", "informacao", "informação"}, {"pt", "reclinavel", "reclinável"}, {"pt", "robo", "robô"},
		{"ca", "pugo", "pugó"}, {"ca", "placa", "plaça"}, {"ca", "frances", "francès"}, {"it", "citta", "città"}, {"pl", "mieszkac", "mieszkać"}, {"pl", "zarowce", "żarówce"}, {"pl", "sniadan", "śniadań"}, {"ro", "masina", "mașina"}, {"tr", "kirmizi", "kırmızı"}, {"tr", "cocuklar", "çocuklar"},
		{"vi", "duoi", "dưới"}, {"vi", "duong", "đường"}, {"vi", "nguoi", "người"}, {"vi", "rua", "rửa"}, {"vi", "khuyen", "khuyến"}, {"vi", "phuong", "phượng"}, {"hu", "kabatok", "kabátok"}, {"sv", "klanningar", "klänningar"}, {"de", "schlussel", "schlüssel"},
	} {
		a := mustNew(t, Options{Language: c.language})
		plain, want := a.Analyze(c.plain)[0], string(a.Analyze(c.word)[0].Term)
		var terms []string
		a.Spellings(c.plain, func(term string) { terms = append(terms, term) })
		if string(plain.Term) != want && !slices.Contains(terms, want) {
			t.Errorf("%s: %q may have the terms %q, not %q of %q", c.language, c.plain, terms, want, c.word)
		}
		if slices.Contains(terms, string(plain.Term)) {
			t.Errorf("%s: %q has its own term among %q", c.language, c.plain, terms)
		}
	}
	for _, language := range []string{"", "cs", "en", "ru", "uk", "ar", "zh"} {
		if a := mustNew(t, Options{Language: language}); a.Accented() {
			t.Errorf("%q: accents make other terms", language)
		}
	}
	if a := mustNew(t, Options{Language: "es", NoStem: true}); a.Accented() {
		t.Error("accents make other terms where nothing is stemmed")
	}
}

func BenchmarkSpellings(b *testing.B) {
	for _, c := range []struct{ language, word string }{{"es", "renovacion"}, {"fr", "cafetieres"}, {"tr", "kirmizilar"}} {
		b.Run(c.word, func(b *testing.B) {
			a, err := New(Options{Language: c.language})
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				a.Spellings(c.word, func(string) {})
			}
		})
	}
}
