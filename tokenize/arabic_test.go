package tokenize

import (
	"strings"
	"testing"
)

// TestArabicStems: the article with what is written together with it, "and", pronouns and feminines are
// not of the word; its own first letter is.
func TestArabicStems(t *testing.T) {
	a := mustNew(t, Options{Language: "ar"})
	stem := func(word string) string { return terms(a.AnalyzeQuery(word)) }
	for _, family := range []string{
		"كسوف الكسوف والكسوف بالكسوف للكسوف وبالكسوف فالكسوف", "قطة القطة", "هوية الهوية هويتي", "بركان البركان", "مدينة المدينة مدينتي",
		"القاهرة القاهره", "شركة شركتي شركتها", "حقيبة حقيبتي", "بيت بيتي البيت والبيت", "ورد وردة الوردة والورد", "وزارة الوزارة",
		"وزير الوزير والوزير", "والد الوالد والدي", "سيارة سيارات سياراتها", "كاميرا كاميرات",
	} {
		words := strings.Fields(family)
		for _, w := range words[1:] {
			if got, want := stem(w), stem(words[0]); got != want {
				t.Errorf("%s is %s, and %s %s", w, got, words[0], want)
			}
		}
	}
	for _, pair := range []string{"ورد رد", "بركان ركن", "وقت قت", "الارق الفرق", "وقود قائد"} {
		if x, y, _ := strings.Cut(pair, " "); stem(x) == stem(y) {
			t.Errorf("%s and %s are %s", x, y, stem(x))
		}
	}
}
