package thesaurus

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/quarry-search/quarry/tokenize"
)

// compiled makes a thesaurus of lines.
func compiled(t *testing.T, text string) (Thesaurus, *compiler) {
	t.Helper()
	return compiledOf(t, "en", text)
}

func compiledOf(t *testing.T, language, text string) (Thesaurus, *compiler) {
	t.Helper()
	a, err := tokenize.New(tokenize.Options{Language: language})
	if err != nil {
		t.Fatal(err)
	}
	c := &compiler{analyzer: a, others: map[string][]Other{}, written: map[string]string{}}
	if err := c.file([]byte(text)); err != nil {
		t.Fatal(err)
	}
	c.inherit()
	table := string(c.table())
	return Thesaurus{table, string(index(table))}, c
}

func TestFind(t *testing.T) {
	th, _ := compiled(t, `
# a comment
= colour, color
== grey, gray
== tyre > tire
couch, sofas, settee # seats
couch potato, idler
~ birth, born
footwear > shoe, boots
~ couch, sofa
`)
	for _, c := range []struct {
		terms string
		n     int
		want  []Other
	}{
		{"color", 1, []Other{{"colour", "colour", Form}}},
		{"gray", 1, []Other{{"grey", "grey", Spelling}}},
		{"tyre", 1, []Other{{"tire", "tire", Spelling}}},
		{"tire", 0, nil},
		{"couch", 1, []Other{{"sofa", "sofas", Same}, {"sette", "settee", Same}}},
		{"couch potato", 2, []Other{{"idler", "idler", Same}}},
		{"couch red", 1, []Other{{"sofa", "sofas", Same}, {"sette", "settee", Same}}},
		{"idler couch", 1, []Other{{"couch potato", "couch potato", Same}}},
		{"born", 1, []Other{{"birth", "birth", Kin}}},
		{"footwear", 1, []Other{{"shoe", "shoe", Narrower}, {"boot", "boots", Narrower}}},
		{"shoe", 0, nil},
		{"cou", 0, nil},
		{"couchs", 0, nil},
		{"", 0, nil},
		{"a", 0, nil},
		{"zzz", 0, nil},
	} {
		n, row := th.Find(strings.Split(c.terms, " "))
		got := row.Others(strings.Join(strings.Split(c.terms, " ")[:n], " "))
		if n != c.n || !slices.Equal(got, c.want) {
			t.Errorf("%q: %d words stand for %v, want %d and %v", c.terms, n, got, c.n, c.want)
		}
	}
	if n, _ := th.Find(nil); n != 0 || (Thesaurus{}).Known() || Of("en").Known() == false || Of("xx").Known() {
		t.Error("nothing is known of nothing")
	}
}

// TestWithoutStemmer: the forms of a word stand for what it stands for, and what consists of pairs of
// characters is told as texts have it.
func TestWithoutStemmer(t *testing.T) {
	for _, c := range []struct {
		language, lines, terms string
		n                      int
		want                   []Other
	}{
		{"my", "= telefon, telefonu\n= lampa, lampy\ntelefon, lampa", "telefonu", 1,
			[]Other{{"telefon", "telefon", Form}, {"lampa", "lampa", Same}, {"lampy", "lampy", Same}}},
		{"my", "= telefon, telefonu\n= lampa, lampy\ntelefon, lampa", "telefon", 1,
			[]Other{{"telefonu", "telefonu", Form}, {"lampa", "lampa", Same}, {"lampy", "lampy", Same}}},
		{"my", "= telefon, telefonu, telefony\n= telefony, fony", "telefony", 1,
			[]Other{{"telefon", "telefon", Form}, {"telefonu", "telefonu", Form}, {"fony", "fony", Form}}},
		{"zh", "手机壳, 手機套", "手机 机壳 壳坏", 2, []Other{{"手机 机套", "手機套", Same}}},
		{"zh", "鼠标, 无线鼠标, 滑鼠", "鼠标", 1, []Other{{"滑鼠", "滑鼠", Same}}}, // which finds the other anyway
		{"zh", "鼠标, 无线鼠标", "无线 线鼠 鼠标", 3, []Other{{"鼠标", "鼠标", Same}}},
		{"ja", "鞄, バッグ, かば", "鞄", 1, []Other{{"バッ ッグ", "バッグ", Same}}}, // and nothing for a single character, or two of Kana
		{"ja", "鞄, バッグ", "バッ ッグ", 0, nil},
		{"ko", "반품 신청, 반품하기", "반품 품하 하기", 3, []Other{{"반품 품 신청", "반품 신청", Same}}},
		{"ko", "반품 신청, 반품하기", "반품 신청", 2, []Other{{"반품 품하 하기", "반품하기", Same}}},
	} {
		th, _ := compiledOf(t, c.language, c.lines)
		terms := strings.Split(c.terms, " ")
		n, row := th.Find(terms)
		if got := row.Others(strings.Join(terms[:n], " ")); n != c.n || !slices.Equal(got, c.want) {
			t.Errorf("%s: %q: %d terms stand for %v, want %d and %v", c.language, c.terms, n, got, c.n, c.want)
		}
	}
}

func TestBadLines(t *testing.T) {
	_, c := compiled(t, "")
	for _, bad := range []string{"alone", "a, , b", "tea, Tee", "= couch > sofa", "~ couch > sofa", "couch  potato, idler", "couch; sofa, settee"} {
		if c.line(bad) == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

// Every phrase of a table is found, by itself and before others, and what is found of
// any terms is what a search through all phrases finds.
func TestFindEqualsOracle(t *testing.T) {
	for _, language := range []string{"ar", "ca", "cs", "da", "de", "el", "en", "es", "fi", "fr", "hi", "hu", "it", "ja", "ko", "nl", "no", "pl", "pt", "ro", "ru", "sv", "tr", "uk", "vi", "zh"} {
		t.Run(language, func(t *testing.T) { findEqualsOracle(t, Of(language)) })
	}
}

func findEqualsOracle(t *testing.T, th Thesaurus) {
	const seed = 7
	r := rand.New(rand.NewPCG(seed, 1))
	rows := map[string]string{}
	var phrases, forms []string
	for line := range strings.Lines(th.table) {
		phrase, row, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		rows[phrase] = row
		if row != "" && row[0] == like {
			forms = append(forms, phrase)
		}
		phrases = append(phrases, phrase)
	}
	for _, form := range forms {
		rows[form] = rows[rows[form][1:]]
	}
	if len(phrases) == 0 || !slices.IsSorted(phrases) {
		t.Error("no phrases, or not in order")
	}
	for _, phrase := range phrases {
		terms := strings.Split(phrase, " ")
		for range r.IntN(3) {
			terms = append(terms, strings.Split(phrases[r.IntN(len(phrases))], " ")...)
		}
		if r.IntN(8) == 0 {
			terms[0] = terms[0][:r.IntN(len(terms[0])+1)]
		}
		want := 0
		for n := 1; n <= len(terms); n++ {
			if rows[strings.Join(terms[:n], " ")] != "" {
				want = n
			}
		}
		n, row := th.Find(terms)
		if n != want || string(row) != rows[strings.Join(terms[:n], " ")] {
			t.Fatalf("seed %d: %q: %d words, want %d; %v", seed, terms, n, want, row)
		}
		var again []string
		for _, o := range row.Others("") {
			again = append(again, other(o))
		}
		if strings.Join(again, "|") != string(row) {
			t.Fatalf("%q is read as %q", row, again)
		}
	}
}

func BenchmarkFind(b *testing.B) {
	th := Of("en")
	terms := [][]string{{"couch"}, {"heart", "attack"}, {"zygote"}, {"qqq"}, {"speed", "of", "light"}}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		th.Find(terms[i%len(terms)])
	}
}
