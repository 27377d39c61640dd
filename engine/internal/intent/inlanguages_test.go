package intent

import "testing"

// market is a domain of cars, flats, recipes and devices in a language, whose fields are named in English.
func market(language string) (*Domain, values) {
	c := NewCues(language)
	words := map[string][]string{
		"ru": {"ingredients: картофель, яйца, яйцо, чеснок, курица, говядина", "fuel: дизель, бензин", "city: Казань, Москва", "brand: Samsung, Xiaomi", "deal: аренда, продажа"},
		"uk": {"ingredients: картопля, яйця, часник, курка", "fuel: дизель, бензин", "city: Київ, Львів", "brand: Samsung, Xiaomi", "deal: оренда, продаж"},
		"tr": {"ingredients: patates, yumurta, tavuk", "fuel: Dizel, Benzin", "city: İstanbul, İzmir", "brand: Nike, Puma", "deal: Kiralık, Satılık", "color: Siyah, Beyaz"},
		"ar": {"fuel: ديزل, بنزين", "city: الرياض, جدة", "brand: أبل, سامسونج", "color: أبيض, أسود, أحمر"},
	}
	d := NewDomain(c, []Field{
		{Name: "price", Type: Number}, {Name: "rating", Type: Number}, {Name: "mileage_km", Type: Number}, {Name: "total_area", Type: Number, Units: []string{"m2"}}, {Name: "year", Type: Number},
		{Name: "cook_time_min", Type: Number}, {Name: "calories", Type: Number}, {Name: "horse_power", Type: Number}, {Name: "rooms", Type: Number}, {Name: "floor", Type: Number},
		{Name: "servings", Type: Number}, {Name: "storage_gb", Type: Number}, {Name: "building_age", Type: Number},
		{Name: "ingredients", Type: Category}, {Name: "fuel", Type: Category}, {Name: "city", Type: Category}, {Name: "brand", Type: Category}, {Name: "deal", Type: Category}, {Name: "color", Type: Category},
		{Name: "balcony", Type: Bool}, {Name: "furnished", Type: Bool}, {Name: "in_stock", Type: Bool}, {Name: "hasar_kaydi", Type: Bool},
	}, nil)
	v := vocabularyOf(c, words[language]...)
	for f, s := range map[string][2]float64{
		"price": {900, 5e6}, "rating": {1, 5}, "mileage_km": {1000, 400000}, "total_area": {20, 300}, "year": {1995, 2024}, "cook_time_min": {5, 240}, "calories": {40, 700}, "horse_power": {60, 500},
		"rooms": {1, 6}, "floor": {1, 30}, "servings": {1, 12}, "storage_gb": {16, 1024}, "building_age": {0, 60},
	} {
		v.spans[f] = s
	}
	return d, v
}

// TestInLanguages: what is said of fields whose names are English, in languages that are far from it.
func TestInLanguages(t *testing.T) {
	for _, tt := range []struct{ language, q, want string }{
		{"ru", "рейтинг выше 4,5", `!rating > 4.5 (рейтинг выше 4,5)`},
		{"ru", "с рейтингом выше 4", `!rating > 4 (рейтингом выше 4)`},
		{"ru", "площадь от 60", `!total_area >= 60 (площадь от 60)`},
		{"ru", "toyota с пробегом до 150000", `!mileage_km <= 150000 (пробегом до 150000)`},
		{"ru", "пробег до 100 тыс км", `!mileage_km <= 100000 (пробег до 100 тыс км)`},
		{"ru", "аренда до 80 тысяч", `~deal = "аренда" (аренда); !price <= 80000 (до 80 тысяч)`},
		{"ru", "ноутбук до 60к", `!price <= 60000 (до 60к)`},
		{"ru", "до 60 т.р.", `!price <= 60000 (до 60 т.р.)`},
		{"ru", "до миллиона", `!price <= 1000000 (до миллиона)`},
		{"ru", "до миллиона причин", ``},
		{"ru", "салат до 150 ккал", `!calories <= 150 (до 150 ккал)`},
		{"ru", "от 60 кв. м", `!total_area >= 60 (от 60 кв. м)`},
		{"ru", "60-80 м2", `!total_area 60..80 (60-80 м2)`},
		{"ru", "от 150 л.с.", `!horse_power >= 150 (от 150 л.с.)`},
		{"ru", "не старше 2018 года", `!year >= 2018 (не старше 2018)`},
		{"ru", "дизель 2015 года и новее", `~fuel = "дизель" (дизель); !year >= 2015 (2015 года и новее)`},
		{"ru", "не дольше 40 минут", `!cook_time_min <= 40 (не дольше 40 минут)`},
		{"ru", "на 4 порции до 40 минут", `~servings = 4 (4 порции); !cook_time_min <= 40 (до 40 минут)`},
		{"ru", "не выше 5 этажа", `!floor <= 5 (не выше 5 этажа)`},
		{"ru", "этаж 2-комнатная", `~rooms = 2 (2-комнатная)`},
		{"ru", "самый маленький пробег", `!EXISTS mileage_km (самый маленький пробег)`},
		{"ru", "с самым маленьким пробегом", `!EXISTS mileage_km (самым маленьким пробегом)`},
		{"ru", "самая большая квартира", `!EXISTS total_area (самая большая)`},
		{"ru", "самый быстрый десерт", `!EXISTS cook_time_min (самый быстрый)`},
		{"ru", "самый мощный", `!EXISTS horse_power (самый мощный)`},
		{"ru", "курица без чеснока", `~ingredients = "курица" (курица); ~NOT ingredients = "чеснок" (без чеснока)`},
		{"ru", "десерт без яиц", `~NOT ingredients IN ["яйца", "яйцо"] (без яиц)`},
		{"ru", "без картофеля и яиц", `~NOT ingredients = "картофель" (без картофеля); ~NOT ingredients IN ["яйца", "яйцо"] (и яиц)`},
		{"ru", "не дизеля в Казани", `~NOT fuel = "дизель" (не дизеля); ~city = "Казань" (Казани)`},
		{"ru", "кроме самсунг и xiaomi", `~NOT brand = "Xiaomi" (и xiaomi)`},
		{"ru", "кроме самсунг, xiaomi", `~brand = "Xiaomi" (xiaomi)`},
		{"ru", "с балконом в наличии", `~balcony = true (балконом); ~in_stock = true (в наличии)`},
		{"ru", "нет в наличии", `~NOT in_stock = true (нет в наличии)`},
		{"ru", "балкона нет", `~NOT balcony = true (балкона нет)`},
		{"ru", "квартира без мебели", `~NOT furnished = true (без мебели)`},
		{"ru", "балкон", ``},
		{"ru", "война и мир", ``},
		{"ru", "самый лучший фильм о войне", `!EXISTS rating (самый лучший)`},
		{"ru", "один дома", ``},
		{"ru", "три мушкетёра", ``},
		{"ru", "двенадцать стульев", ``},
		{"ru", "до свидания", ``},
		{"ru", "20 000 лье под водой", ``},
		{"ru", "не было бы счастья", ``},
		{"ru", "от заката до рассвета", ``},
		{"ru", "выше неба", ``},
		{"ru", "большая советская энциклопедия", ``},
		{"ru", "последняя модель", `!EXISTS year (последняя модель)`},
		{"uk", "пробіг до 100 тис км", `!mileage_km <= 100000 (пробіг до 100 тис км)`},
		{"uk", "площа від 60", `!total_area >= 60 (площа від 60)`},
		{"uk", "найменший пробіг", `!EXISTS mileage_km (найменший пробіг)`},
		{"uk", "найбільша квартира", `!EXISTS total_area (найбільша)`},
		{"uk", "без картоплі та яєць", `~NOT ingredients = "картопля" (без картоплі); ~NOT ingredients = "яйця" (та яєць)`},
		{"uk", "2015 року і новіше", `!year >= 2015 (2015 року і новіше)`},
		{"uk", "до 60к", `!price <= 60000 (до 60к)`},
		{"uk", "в наявності з балконом", `~in_stock = true (в наявності); ~balcony = true (балконом)`},
		{"tr", "hasar kaydı olmayan", `~NOT hasar_kaydi = true (hasar kaydı olmayan)`},
		{"tr", "hasar kaydı yok", `~NOT hasar_kaydi = true (hasar kaydı yok)`},
		{"tr", "hasar kaydı olan", `~hasar_kaydi = true (hasar kaydı olan)`},
		{"tr", "eşyasız daire", `~NOT furnished = true (eşyasız)`},
		{"tr", "eşyalı daire", `~furnished = true (eşyalı)`},
		{"tr", "balkonsuz daire", `~NOT balcony = true (balkonsuz)`},
		{"tr", "kiralık 2+1", `~deal = "Kiralık" (kiralık)`},
		{"tr", "2018 model ve üzeri", `!year >= 2018 (2018 model ve üzeri)`},
		{"tr", "500.000 TL'nin altında", `!price < 500000 (500.000 TL'nin altında)`},
		{"tr", "150.000 km'nin altında", `!mileage_km < 150000 (150.000 km'nin altında)`},
		{"tr", "100 metrekareden büyük", `!total_area > 100 (100 metrekareden büyük)`},
		{"tr", "bina yaşı 5'ten küçük", `!building_age < 5 (bina yaşı 5'ten küçük)`},
		{"tr", "puanı 4'ten yüksek", `!rating > 4 (puanı 4'ten yüksek)`},
		{"tr", "kirası 20 bin TL altı", `!price < 20000 (kirası 20 bin TL altı)`},
		{"tr", "en düşük kilometreli", `!EXISTS mileage_km (en düşük kilometreli)`},
		{"tr", "fiyatı en düşük daire", `!EXISTS price (fiyatı en düşük)`},
		{"tr", "puanı en yüksek", `!EXISTS rating (puanı en yüksek)`},
		{"tr", "maaşı en yüksek puan", `!EXISTS rating (en yüksek puan)`},
		{"tr", "en geniş daire", `!EXISTS total_area (en geniş)`},
		{"tr", "istanbul'da dizel", `~city = "İstanbul" (istanbul'da); ~fuel = "Dizel" (dizel)`},
		{"tr", "siyah olmayan", `~NOT color = "Siyah" (siyah olmayan)`},
		{"tr", "3 büyük daire", ``},
		{"tr", "tatlı ve tuzlu", ``},
		{"tr", "aşk yok", ``},
		{"ar", "تقييم أعلى من 4", `!rating > 4 (تقييم أعلى من 4)`},
		{"ar", "أقل من 100000 كم", `!mileage_km < 100000 (أقل من 100000 كم)`},
		{"ar", "أقل من 50000 كلم", `!mileage_km < 50000 (أقل من 50000 كلم)`},
		{"ar", "ممشى أقل من 100000", `!mileage_km < 100000 (ممشى أقل من 100000)`},
		{"ar", "كم سعر 3 غرف", `~rooms = 3 (3 غرف)`},
		{"ar", "256 جيجا", `~storage_gb = 256 (256 جيجا)`},
		{"ar", "أرخص هاتف", `!EXISTS price (أرخص)`},
		{"ar", "أكبر شقة", `!EXISTS total_area (أكبر)`},
		{"ar", "أكبر من شقة", ``},
		{"ar", "الأعلى تقييما", `!EXISTS rating (الأعلى تقييما)`},
		{"ar", "غير سامسونج", `~NOT brand = "سامسونج" (غير سامسونج)`},
		{"ar", "ليست أبل", `~NOT brand = "أبل" (ليست أبل)`},
		{"ar", "موديل 2020 وما فوق", `!year >= 2020 (موديل 2020 وما فوق)`},
		{"ar", "2020 أو أحدث", `!year >= 2020 (2020 أو أحدث)`},
		{"ar", "بأقل من 4000", `!price < 4000 (بأقل من 4000)`},
		{"ar", "سيارة بيضاء", `~color = "أبيض" (بيضاء)`},
		{"ar", "شقة غير مفروشة", `~NOT furnished = true (غير مفروشة)`},
	} {
		d, v := market(tt.language)
		if got := understood(t, d, v, tt.q); got != tt.want {
			t.Errorf("%s %q:\n got %s\nwant %s", tt.language, tt.q, got, tt.want)
		}
	}
}
