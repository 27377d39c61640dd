package intent

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestBase: a value is found in all forms of its word, and other words are not found with it.
func TestBase(t *testing.T) {
	for language, lists := range map[string]string{
		"de": `rot rote roter rotes roten rotem; braun braune brauner braunes braunen braunem; weiß weiße weißer weißes weißen weißem; grün grüne grüner grünes grünen;
			blau blaue blauer blaues blauen; schwarz schwarze schwarzer schwarzes; grau graue grauer graues; gelb gelbe gelber; beige beiges beiger beigen; türkis türkise türkises;
			golden goldene goldener gold; vegan vegane veganer veganes veganen; kostenlos kostenlose kostenloser kostenloses kostenlosen; glutenfrei glutenfreie glutenfreies;
			Zimmer Zimmern Zimmers; Jacke Jacken; Kleid Kleider Kleidern Kleides; Schuh Schuhe Schuhen; Tuch Tücher Tüchern; Haus Häuser Häusern Hauses; Rad Räder Rädern;
			System Systeme Systems; Problem Probleme; Station Stationen; Person Personen; Nuss Nüsse Nüssen; Leder Leders; led; alter alters; alt alte alten altes`,
		"nl": `rood rode; wit witte; grijs grijze; geel gele; jas jassen; bruin bruine; zwart zwarte; blauw blauwe; groen groene; paars paarse; oranje; groot grote; hoog hoge; smal smalle; dik dikke;
			kamer kamers; slaapkamer slaapkamers; broek broeken; rok rokken; jurk jurken; laars laarzen; huis huizen; raam ramen; boom bomen; brief brieven; peer peren; schoen schoenen; noot noten; banaan bananen; zilver zilveren`,
		"sv": `röd rött röda; vit vitt vita; svart svarta; grön grönt gröna; blå blått blåa; grå grått gråa; gul gult gula; brun brunt bruna; vegansk veganskt veganska; vegetarisk vegetariskt vegetariska; tunn tunt tunna;
			jacka jackor; bil bilar; sko skor; klänning klänningar; stad; byxa byxor; ska`,
		"da": `rød rødt røde; hvid hvidt hvide; sort sorte; grøn grønt grønne; blå blåt; grå gråt; gul gult gule; brun brunt brune; smuk smukke smukt; jakke jakker; kjole kjoler; hat hatte; glas glasset`,
		"no": `rød rødt røde; hvit hvitt hvite; svart svarte; grønn grønt grønne; blå blått; gul gult gule; brun brunt brune; jakke jakker; snill snilt snille`,
		"pl": `czerwony czerwona czerwone czerwonego czerwonej czerwonych czerwoną; niebieski niebieska niebieskie niebieskiego niebieskiej niebieskich; biały biała białe białych; czarny czarna czarne czarnych;
			męski męska męskie męskich; damski damska damskie damskich; żółty żółta żółte; tani tania tanie tanich; but buty butów butach butami; kurtka kurtki kurtkę kurtką kurtkami; wełna wełny wełnę; mieszkanie mieszkania mieszkaniu mieszkań; balkon balkonu balkonów balkonem balkony`,
		"cs": `červený červená červené červeného červených červenou; modrý modrá modré; bílý bílá bílé; dámský dámská dámské dámských; zimní; bota boty botou; kniha knihy knihu knihách; balkon balkonem balkony`,
		"en": `box; dress dresses; watch watches; berry berries; tie ties; pie pies; shoe shoes; glass glasses; bus; tennis`,
		"fr": `gris grise grises; gros grosse; vert verte vertes verts; bleu bleue bleus; bas basse basses`,
	} {
		c := NewCues(language)
		bases := map[string]string{}
		for list := range strings.SplitSeq(lists, ";") {
			words := strings.Fields(list)
			base := c.Base(foldWord(words[0]))
			for _, w := range words[1:] {
				if got := c.Base(foldWord(w)); got != base {
					t.Errorf("%s: the base of %q is %q, that of %q is %q", language, w, got, words[0], base)
				}
			}
			if other := bases[base]; other != "" {
				t.Errorf("%s: %q and %q have the same base %q", language, words[0], other, base)
			}
			bases[base] = words[0]
		}
	}
}

// TestBasesAreStable: the base of a base is itself, and keeps three letters, in all languages.
func TestBasesAreStable(t *testing.T) {
	all := NewCues(Languages()...)
	for _, language := range append(Languages(), "all") {
		c := NewCues(language)
		if language == "all" {
			c = all
		}
		words := []string{"aaaaaa", "eneneseses", "assezenoos", "ooooo", "iiii", "sssss", "mississippi"}
		for word := range all.byFirst {
			words = append(words, word)
		}
		for word := range all.units {
			words = append(words, word)
		}
		for _, w := range words {
			base := c.Base(w)
			if again := c.Base(base); again != base {
				t.Errorf("%s: the base of %q is %q, whose base is %q", language, w, base, again)
			}
			if utf8.RuneCountInString(base) < min(3, utf8.RuneCountInString(w)) && language != "hi" && language != "all" {
				t.Errorf("%s: the base of %q is %q", language, w, base)
			}
		}
	}
}
