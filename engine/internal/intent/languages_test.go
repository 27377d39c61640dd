package intent

import (
	"slices"
	"strings"
	"testing"
)

func TestEveryLanguageIsRead(t *testing.T) {
	want := []string{"ar", "ca", "cs", "da", "de", "el", "en", "es", "fi", "fr", "ga", "hi", "hu", "it", "ja", "ko", "nl", "no", "pl", "pt", "ro", "ru", "sv", "ta", "tr", "uk", "vi", "zh"}
	for _, l := range want {
		NewCues(l) // panics if the file is wrong
	}
	if got := Languages(); !slices.Equal(got, want) {
		t.Errorf("there are cue words of %v, want %v", got, want)
	}
}

// Half an hour is an amount in most languages, however it is written.
func TestAmountsOfLanguages(t *testing.T) {
	fields := []Field{{Name: "time_min", Type: Number}, {Name: "price", Type: Number}}
	for _, tt := range []struct{ language, q, want string }{
		{"it", "primi pronti in meno di mezz'ora", `!time_min < 30 (in meno di mezz'ora)`},
		{"it", "primi in 30 minuti", `!time_min <= 30 (in 30 minuti)`},
		{"fr", "repas en moins d'une demi-heure", `!time_min < 30 (en moins d'une demi-heure)`},
		{"es", "en menos de media hora", `!time_min < 30 (en menos de media hora)`},
		{"pt", "em meia hora", `!time_min <= 30 (em meia hora)`},
		{"ru", "ужин за полчаса", `!time_min <= 30 (за полчаса)`},
		{"uk", "вечеря за півгодини", `!time_min <= 30 (за півгодини)`},
		{"cs", "večeře za půl hodiny", `!time_min <= 30 (za půl hodiny)`},
		{"tr", "yarım saatten az", `!time_min < 30 (yarım saatten az)`},
		{"de", "unter einer halben Stunde", `!time_min < 30 (unter einer halben Stunde)`},
		{"nl", "in een half uur", `!time_min <= 30 (in een half uur)`},
		{"sv", "på en halvtimme", `!time_min <= 30 (på en halvtimme)`},
	} {
		if got := understood(t, NewDomain(NewCues(tt.language), fields, nil), nil, tt.q); got != tt.want {
			t.Errorf("%s %q:\n got %s\nwant %s", tt.language, tt.q, got, tt.want)
		}
	}
}

// The fields are named in English in all languages, as most are.
func TestLanguages(t *testing.T) {
	for _, tt := range []struct{ language, q, want string }{
		{"de", "rote Schuhe unter 50 Euro", `~color = "rot" (rote); !price < 50 (unter 50 Euro)`},
		{"de", "Laptop ab 1.299,90 €", `!price >= 1299.9 (ab 1.299,90 €)`},
		{"de", "zwischen 20 und 40 Euro", `!price 20..40 (zwischen 20 und 40 Euro)`},
		{"de", "Filme aus den 80ern", `!released >= 1980-01-01 AND released < 1990-01-01 (aus den 80ern)`},
		{"de", "vor 1990", `!released < 1990-01-01 (vor 1990)`},
		{"de", "seit dem 1. Mai 2015", `!released >= 2015-05-01 (seit dem 1. Mai 2015)`},
		{"de", "mindestens 4 Sterne", `!rating >= 4 (mindestens 4 Sterne)`},
		{"de", "ohne rot", `~NOT color = "rot" (ohne rot)`},
		{"de", "rot-frei", `~NOT color = "rot" (rot-frei)`},
		{"de", "rot frei haus", `~color = "rot" (rot)`},
		{"de", "LED Lampe", ``},
		{"de", "max. 250 Euro", `!price <= 250 (max. 250 Euro)`},
		{"de", "unter 100,- Euro", `!price < 100 (unter 100,- Euro)`},
		{"de", "unter hundert Euro", `!price < 100 (unter hundert Euro)`},
		{"de", "bis ca. 50 Euro", `!price <= 50 (bis ca. 50 Euro)`},
		{"fr", "moins de cent euros", `!price < 100 (moins de cent euros)`},
		{"fr", "moins de 2 mille euros", `!price < 2000 (moins de 2 mille euros)`},
		{"es", "menos de mil euros", `!price < 1000 (menos de mil euros)`},
		{"es", "hasta 2 mil euros", `!price <= 2000 (hasta 2 mil euros)`},
		{"es", "hasta 2k euros", `!price <= 2000 (hasta 2k euros)`},
		{"ru", "не дороже 1000", `!price <= 1000 (не дороже 1000)`},
		{"ru", "за 60 тысяч", `!price <= 60000 (за 60 тысяч)`},
		{"ru", "до 60 тыс. руб.", `!price <= 60000 (до 60 тыс. руб.)`},
		{"ru", "от 1 500 рублей", `!price >= 1500 (от 1 500 рублей)`},
		{"tr", "2 bin liradan ucuz", `!price < 2000 (2 bin liradan ucuz)`},
		{"sv", "under 2 tusen kr", `!price < 2000 (under 2 tusen kr)`},
		{"fr", "chaussures rouges à moins de 50 euros", `~color = "rouge" (rouges); !price < 50 (à moins de 50 euros)`},
		{"fr", "moins de 1 500,50 €", `!price < 1500.5 (moins de 1 500,50 €)`},
		{"fr", "entre 20 et 40 €", `!price 20..40 (entre 20 et 40 €)`},
		{"fr", "films des années 80", `!released >= 1980-01-01 AND released < 1990-01-01 (des années 80)`},
		{"fr", "au moins 4 étoiles", `!rating >= 4 (au moins 4 étoiles)`},
		{"es", "zapatos rojos por menos de 50 euros", `~color = "rojo" (rojos); !price < 50 (por menos de 50 euros)`},
		{"es", "desde 1.000 €", `!price >= 1000 (desde 1.000 €)`},
		{"es", "antes de 1990", `!released < 1990-01-01 (antes de 1990)`},
		{"es", "películas de los años 80", `!released >= 1980-01-01 AND released < 1990-01-01 (de los años 80)`},
		{"it", "scarpe rosse sotto i 50 euro", `~color = "rosso" (rosse); !price < 50 (sotto i 50 euro)`},
		{"it", "tra 20 e 40 euro", `!price 20..40 (tra 20 e 40 euro)`},
		{"pt", "até 50 euros", `!price <= 50 (até 50 euros)`},
		{"ca", "menys de 50 euros", `!price < 50 (menys de 50 euros)`},
		{"nl", "onder 50 euro", `!price < 50 (onder 50 euro)`},
		{"nl", "tussen 20 en 40 euro", `!price 20..40 (tussen 20 en 40 euro)`},
		{"sv", "under 1 500 kr", `!price < 1500 (under 1 500 kr)`},
		{"sv", "från 1980-talet", `!released >= 1980-01-01 AND released < 1990-01-01 (från 1980-talet)`},
		{"da", "over 100 g", `!weight_g > 100 (over 100 g)`},
		{"no", "minst 4 stjerner", `!rating >= 4 (minst 4 stjerner)`},
		{"fi", "alle 50 euroa", `!price < 50 (alle 50 euroa)`},
		{"fi", "50 euroa tai vähemmän", `!price <= 50 (50 euroa tai vähemmän)`},
		{"hu", "50 euró alatt", `!price < 50 (50 euró alatt)`},
		{"tr", "50 liradan ucuz", `!price < 50 (50 liradan ucuz)`},
		{"tr", "en az 4 yıldız", `!rating >= 4 (en az 4 yıldız)`},
		{"ro", "sub 50 de lei", `~price < 50 (sub 50)`},
		{"ro", "sub 50 lei", `!price < 50 (sub 50 lei)`},
		{"ru", "до 1 500 рублей", `!price <= 1500 (до 1 500 рублей)`},
		{"ru", "не менее 4 звезд", `!rating >= 4 (не менее 4 звезд)`},
		{"ar", "أقل من 50 دولار", `!price < 50 (أقل من 50 دولار)`},
		{"ar", "أقل من ٥٠ دولار", `!price < 50 (أقل من ٥٠ دولار)`},
		{"en", "2010 and later", `!released >= 2010-01-01 (2010 and later)`},
		{"en", "4 or more", `~price >= 4 (4 or more)`},
		{"en", "1990 or before", `!released < 1991-01-01 (1990 or before)`},
		{"de", "2010 und später", `!released >= 2010-01-01 (2010 und später)`},
		{"de", "1990 oder früher", `!released < 1991-01-01 (1990 oder früher)`},
		{"fr", "2010 et après", `!released >= 2010-01-01 (2010 et après)`},
		{"es", "1990 o anterior", `!released < 1991-01-01 (1990 o anterior)`},
		{"es", "2010 y posteriores", `!released >= 2010-01-01 (2010 y posteriores)`},
		{"it", "2010 o dopo", `!released >= 2010-01-01 (2010 o dopo)`},
		{"nl", "2010 en later", `!released >= 2010-01-01 (2010 en later)`},
		{"pt", "1990 ou antes", `!released < 1991-01-01 (1990 ou antes)`},
		{"sv", "2010 eller senare", `!released >= 2010-01-01 (2010 eller senare)`},
		{"da", "2010 og frem", `!released >= 2010-01-01 (2010 og frem)`},
		{"no", "1990 eller tidligere", `!released < 1991-01-01 (1990 eller tidligere)`},
		{"ru", "2010 и позже", `!released >= 2010-01-01 (2010 и позже)`},
		{"ga", "faoi bhun 50 euro", `!price < 50 (faoi bhun 50 euro)`},
		{"ta", "50 ரூபாய்க்கு கீழ்", `!price < 50 (50 ரூபாய்க்கு கீழ்)`},
		{"de", "aus den achtziger jahren", `!released >= 1980-01-01 AND released < 1990-01-01 (aus den achtziger jahren)`},
		{"fr", "des années quatre-vingt", `!released >= 1980-01-01 AND released < 1990-01-01 (des années quatre-vingt)`},
		{"es", "de los años ochenta", `!released >= 1980-01-01 AND released < 1990-01-01 (de los años ochenta)`},
		{"nl", "uit de jaren tachtig", `!released >= 1980-01-01 AND released < 1990-01-01 (uit de jaren tachtig)`},
		{"es", "desde 2015", `!released >= 2015-01-01 (desde 2015)`},
		{"pl", "buty do 300 zł", `!price <= 300 (do 300 zł)`},
		{"pl", "poniżej 1 500 zł", `!price < 1500 (poniżej 1 500 zł)`},
		{"pl", "od 100 do 200 zł", `!price 100..200 (od 100 do 200 zł)`},
		{"pl", "do 2 kilogramów", `!weight_g <= 2000 (do 2 kilogramów)`},
		{"pl", "co najmniej 4 gwiazdki", `!rating >= 4 (co najmniej 4 gwiazdki)`},
		{"pl", "filmy przed 1990 rokiem", `!released < 1990-01-01 (przed 1990)`},
		{"pl", "bez rot", `~NOT color = "rot" (bez rot)`},
		{"el", "παπούτσια κάτω από 50 ευρώ", `!price < 50 (κάτω από 50 ευρώ)`},
		{"el", "από 100 έως 200 ευρώ", `!price 100..200 (από 100 έως 200 ευρώ)`},
		{"el", "έως 1.500,50 €", `!price <= 1500.5 (έως 1.500,50 €)`},
		{"el", "τουλάχιστον 4 αστέρια", `!rating >= 4 (τουλάχιστον 4 αστέρια)`},
		{"el", "πριν από το 1990", `!released < 1990-01-01 (πριν από το 1990)`},
		{"el", "ταινίες της δεκαετίας του 80", `~released >= 1980-01-01 AND released < 1990-01-01 (της δεκαετίας του 80)`},
		{"el", "χωρίς rot", `~NOT color = "rot" (χωρίς rot)`},
		{"hi", "500 रुपये से कम के जूते", `!price < 500 (500 रुपये से कम)`},
		{"hi", "५०० रुपए तक", `!price <= 500 (५०० रुपए तक)`},
		{"hi", "2 हज़ार रुपये से अधिक", `!price > 2000 (2 हज़ार रुपये से अधिक)`},
		{"hi", "500 से 1000 रुपये", `!price 500..1000 (500 से 1000 रुपये)`},
		{"hi", "कम से कम 4 सितारे", `!rating >= 4 (कम से कम 4 सितारे)`},
		{"hi", "1990 से पहले", `!released < 1990-01-01 (1990 से पहले)`},
		{"hi", "2015 के बाद", `!released >= 2016-01-01 (2015 के बाद)`},
		{"hi", "80 के दशक की फिल्में", `~released >= 1980-01-01 AND released < 1990-01-01 (80 के दशक की)`},
		{"hi", "rot के बिना", `~NOT color = "rot" (rot के बिना)`},
		{"uk", "черевики до 1 500 грн", `!price <= 1500 (до 1 500 грн)`},
		{"uk", "дешевше за 300 гривень", `!price < 300 (дешевше за 300 гривень)`},
		{"uk", "від 100 до 200 гривень", `!price 100..200 (від 100 до 200 гривень)`},
		{"uk", "не менше 4 зірок", `!rating >= 4 (не менше 4 зірок)`},
		{"uk", "після 2010", `!released >= 2011-01-01 (після 2010)`},
		{"uk", "2010 і пізніше", `!released >= 2010-01-01 (2010 і пізніше)`},
		{"vi", "áo khoác dưới 500k", `~price < 500000 (dưới 500k)`},
		{"vi", "điện thoại từ 3 triệu đến 5 triệu", `~price 3000000..5000000 (từ 3 triệu đến 5 triệu)`},
		{"vi", "giá dưới 1,5 triệu", `!price < 1500000 (giá dưới 1,5 triệu)`},
		{"vi", "không quá 200.000đ", `!price <= 200000 (không quá 200.000đ)`},
		{"vi", "từ 4 sao trở lên", `!rating >= 4 (từ 4 sao)`},
		{"vi", "trước năm 1990", `!released < 1990-01-01 (trước năm 1990)`},
		{"vi", "phim những năm 80", `~released >= 1980-01-01 AND released < 1990-01-01 (những năm 80)`},
		{"uk", "без rot", `~NOT color = "rot" (без rot)`},
		{"cs", "boty do 1 500 Kč", `!price <= 1500 (do 1 500 Kč)`},
		{"cs", "levnější než 300 korun", `!price < 300 (levnější než 300 korun)`},
		{"cs", "mene nez 300 korun", `!price < 300 (mene nez 300 korun)`},
		{"cs", "od 100 do 200 korun", `!price 100..200 (od 100 do 200 korun)`},
		{"cs", "alespoň 4 hvězdičky", `!rating >= 4 (alespoň 4 hvězdičky)`},
		{"cs", "před 1990", `!released < 1990-01-01 (před 1990)`},
		{"cs", "2010 a později", `!released >= 2010-01-01 (2010 a později)`},
		{"cs", "bez rot", `~NOT color = "rot" (bez rot)`},
		{"ja", "1万円以内のバッグ", `!price <= 10000 (1万円以内の)`},
		{"ja", "＜２００００円", `!price < 20000 (＜２００００円)`},
		{"ja", "3,000円〜5,000円", `!price 3000..5000 (3,000円〜5,000円)`},
		{"ja", "5千円以上", `!price >= 5000 (5千円以上)`},
		{"ja", "元気な円盤", ``},
		{"zh", "2000元以下的手机", `!price <= 2000 (2000元以下的)`},
		{"zh", "价格低于2千元", `!price < 2000 (价格低于2千元)`},
		{"zh", "1000到2000元", `!price 1000..2000 (1000到2000元)`},
		{"zh", "不超过500块", `!price <= 500 (不超过500块)`},
		{"ko", "50만원 이하 가방", `!price <= 500000 (50만원 이하)`},
		{"ko", "3만원이상", `!price >= 30000 (3만원이상)`},
		// Without a language there are signs and units.
		{"none", "< 50 €", `!price < 50 (< 50 €)`},
		{"none", "under 50", ``},
	} {
		c := NewCues(tt.language)
		v := vocabularyOf(c, "color: rot, rouge, rojo, rosso", "material: Leder")
		if got := understood(t, NewDomain(c, shop, nil), v, tt.q); got != tt.want {
			t.Errorf("%s %q:\n got %s\nwant %s", tt.language, tt.q, got, tt.want)
		}
	}
}

// TestCut: what says something is a word of its own, wherever no space tells.
func TestCut(t *testing.T) {
	c := NewCues("ja", "ko", "zh")
	for _, want := range []string{
		"1万円以内の|炊飯器", "2000元以下|手机", "1000〜2000円の|バッグ", "最便宜的|手机", "一番安い|ノートパソコン", "手机|最便宜", "价格|低于2000元的|手机",
		"ナイキ|以外の|スニーカー", "不要|无线的鼠标", "セラミック|ではない|包丁", "3만원이하", "김치냉장고", "元気な犬", "手机", "iphone15", "以下", "第3代", "",
	} {
		word := strings.ReplaceAll(want, "|", "")
		var pieces []string
		begin := 0
		for _, at := range append(c.Cut(word), len(word)) {
			pieces = append(pieces, word[begin:at])
			begin = at
		}
		if got := strings.Join(pieces, "|"); got != want {
			t.Errorf("%q is cut into %q, want %q", word, got, want)
		}
	}
}

func TestNumbers(t *testing.T) {
	for _, tt := range []struct {
		language, text string
		want           float64
		bad            bool
	}{
		{"en", "1,000", 1000, false}, {"en", "1.000", 1, false}, {"de", "1.000", 1000, false}, {"de", "1,000", 1, false},
		{"en", "1,5", 1.5, false}, {"en", "1,000.5", 1000.5, false}, {"en", "1.000,5", 1000.5, false}, {"en", "1,000,000", 1e6, false},
		{"en", "1'000", 1000, false}, {"en", "0,500", 0.5, false}, {"en", "1.2.3", 0, true}, {"en", "1,00,000", 0, true}, {"en", "007", 7, false},
	} {
		got, _, bad := NewCues(tt.language).parseNumber(tt.text)
		if bad != tt.bad || !bad && got != tt.want {
			t.Errorf("%s %q is %v %v, want %v %v", tt.language, tt.text, got, bad, tt.want, tt.bad)
		}
	}
}

// People, times and aspects in other languages than English.
func TestLanguagesOfAmounts(t *testing.T) {
	for _, tt := range []struct{ language, q, want string }{
		{"de", "zelt für vier personen", `~persons = 4 (vier personen)`},
		{"de", "für eine person", `~persons = 1 (eine person)`},
		{"de", "in 20 minuten", `!time_min <= 20 (in 20 minuten)`},
		{"de", "in einer halben stunde", `!time_min <= 30 (in einer halben stunde)`},
		{"de", "breiter als 5 cm", `!width_mm > 50 (breiter als 5 cm)`},
		{"de", "unter 300 kalorien", `!kcal < 300 (unter 300 kalorien)`},
		{"fr", "tente pour 4 personnes", `~persons = 4 (4 personnes)`},
		{"fr", "en 20 minutes", `!time_min <= 20 (en 20 minutes)`},
		{"fr", "plus long que 50 mm", `!length_mm > 50 (plus long que 50 mm)`},
		{"es", "para dos personas", `~persons = 2 (dos personas)`},
		{"es", "en media hora", `!time_min <= 30 (en media hora)`},
		{"es", "más largo que 50 mm", `!length_mm > 50 (más largo que 50 mm)`},
	} {
		d := NewDomain(NewCues(tt.language), []Field{
			{Name: "persons", Type: Number}, {Name: "time_min", Type: Number}, {Name: "kcal", Type: Number}, {Name: "length_mm", Type: Number}, {Name: "width_mm", Type: Number},
		}, nil)
		if got := understood(t, d, nil, tt.q); got != tt.want {
			t.Errorf("%s, %q:\n got %s\nwant %s", tt.language, tt.q, got, tt.want)
		}
	}
}

// What fields are called by in other languages than English, whose names are English or not.
func TestLanguagesOfFieldNames(t *testing.T) {
	for _, tt := range []struct{ language, field, q, want string }{
		{"de", "population", "über 1 million einwohner", `!population > 1000000 (über 1 million einwohner)`},
		{"de", "einwohnerzahl", "städte mit mehr als 500.000 einwohnern", `!einwohnerzahl > 500000 (mehr als 500.000 einwohnern)`},
		{"de", "anzahl_seiten", "mindestens 50 seiten", `!anzahl_seiten >= 50 (mindestens 50 seiten)`},
		{"de", "population", "größte stadt afrikas", `!EXISTS population (größte stadt)`},
		{"de", "einwohner", "größte stadt", `!EXISTS einwohner (größte stadt)`},
		{"de", "kilometerstand", "weniger als 100000 km", `!kilometerstand < 100000 (weniger als 100000 km)`},
		{"de", "erstzulassung", "ab 2015", `!erstzulassung >= 2015 (ab 2015)`},
		{"de", "laufzeit", "länger als 2 stunden", `!laufzeit > 120 (länger als 2 stunden)`},
		{"de", "wohnfläche_qm", "größte wohnung", `!EXISTS wohnfläche_qm (größte)`},
		{"es", "duracion_min", "película más larga", `!EXISTS duracion_min (más larga)`},
		{"es", "anio", "estrenada después de 2010", `!anio > 2010 (estrenada después de 2010)`},
		{"fr", "population", "plus de 2 millions d'habitants", `!population > 2000000 (plus de 2 millions d'habitants)`},
		{"fr", "nombre_de_pages", "plus de 300 pages", `!nombre_de_pages > 300 (plus de 300 pages)`},
		{"es", "población", "más de 1 millón de habitantes", `!población > 1000000 (más de 1 millón de habitantes)`},
		{"es", "price_eur", "más de 1 millón de euros", `!price_eur > 1000000 (más de 1 millón de euros)`},
		{"it", "population", "più di 1 milione di abitanti", `!population > 1000000 (più di 1 milione di abitanti)`},
		{"pt", "population", "mais de 100000 habitantes", `!population > 100000 (mais de 100000 habitantes)`},
		{"nl", "population", "meer dan 100000 inwoners", `!population > 100000 (meer dan 100000 inwoners)`},
		{"sv", "population", "över 100000 invånare", `!population > 100000 (över 100000 invånare)`},
		{"pl", "population", "ponad 100000 mieszkańców", `!population > 100000 (ponad 100000 mieszkańców)`},
		{"ru", "population", "более 100000 жителей", `!population > 100000 (более 100000 жителей)`},
		{"tr", "population", "en az 100000 nüfuslu", `!population >= 100000 (en az 100000 nüfuslu)`},
	} {
		d := NewDomain(NewCues(tt.language), []Field{{Name: tt.field, Type: Number}}, nil)
		if got := understood(t, d, nil, tt.q); got != tt.want {
			t.Errorf("%s, %q:\n got %s\nwant %s", tt.language, tt.q, got, tt.want)
		}
	}
}
