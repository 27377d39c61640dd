package intent

import "testing"

// What queries of languages say that join compounds and inflect much, of fields that are named so.
func TestJoinedNames(t *testing.T) {
	ask := func(language string, fields []Field, spans map[string][2]float64, values []string, queries map[string]string) {
		t.Helper()
		c := NewCues(language)
		v := vocabularyOf(c, values...)
		for f, s := range spans {
			v.spans[f] = s
		}
		d := NewDomain(c, fields, nil)
		for q, want := range queries {
			if got := understood(t, d, v, q); got != want {
				t.Errorf("%s %q:\n got %s\nwant %s", language, q, got, want)
			}
		}
	}
	number := func(names ...string) (out []Field) {
		for _, n := range names {
			out = append(out, Field{Name: n, Type: Number})
		}
		return out
	}
	ask("de", append(number("Zimmer", "Wohnfläche", "Kaltmiete", "Warmmiete", "Baujahr"), Field{Name: "frei_ab", Type: Date}, Field{Name: "Haustiere_erlaubt", Type: Bool}, Field{Name: "möbliert", Type: Bool}),
		map[string][2]float64{"Zimmer": {1, 6}, "Wohnfläche": {20, 200}, "Kaltmiete": {300, 2500}, "Warmmiete": {400, 3000}, "Baujahr": {1900, 2024}, "frei_ab": {2026, 2028}}, nil,
		map[string]string{
			"3-Zimmer-Wohnung":                `~Zimmer = 3 (3-Zimmer)`,
			"3 Zimmern":                       `~Zimmer = 3 (3 Zimmern)`,
			"zwei Zimmer":                     `~Zimmer = 2 (zwei Zimmer)`,
			"sieben Zimmer":                   ``,
			"2-3 Zimmer":                      `!Zimmer 2..3 (2-3 Zimmer)`,
			"mindestens 80 qm":                `!Wohnfläche >= 80 (mindestens 80 qm)`,
			"wohnung 60 bis 80 qm":            `!Wohnfläche 60..80 (60 bis 80 qm)`,
			"Wohnfläche ab 90":                `!Wohnfläche >= 90 (Wohnfläche ab 90)`,
			"größte wohnung":                  `!EXISTS Wohnfläche (größte)`,
			"billigste wohnung":               `!EXISTS Warmmiete (billigste)`,
			"unter 1000 euro":                 `!Warmmiete < 1000 (unter 1000 euro)`,
			"Miete unter 700 euro":            `!Warmmiete < 700 (Miete unter 700 euro)`,
			"bis 800 euro kalt":               `!Kaltmiete <= 800 (bis 800 euro kalt)`,
			"unter 1000 € warm":               `!Warmmiete < 1000 (unter 1000 € warm)`,
			"kaltmiete bis 700":               `!Kaltmiete <= 700 (kaltmiete bis 700)`,
			"frei ab märz 2027":               `!frei_ab >= 2027-03-01 (frei ab märz 2027)`,
			"Haustiere nicht erlaubt":         `~NOT Haustiere_erlaubt = true (Haustiere nicht erlaubt)`,
			"haustiere erlaubt":               `~Haustiere_erlaubt = true (haustiere erlaubt)`,
			"Wohnung mit Haustieren":          `~Haustiere_erlaubt = true (Haustieren)`,
			"unmöblierte wohnung":             `~NOT möbliert = true (unmöblierte)`,
			"möbliertes zimmer":               `~möbliert = true (möbliertes)`,
			"höchste kaltmiete":               `!EXISTS Kaltmiete (höchste kaltmiete)`,
			"Baujahr 2010 bis 2015":           `!Baujahr 2010..2015 (Baujahr 2010 bis 2015)`,
			"wenigste zimmer":                 `!EXISTS Zimmer (wenigste zimmer)`,
			"niedrigstes zimmer in der stadt": `!EXISTS Zimmer (niedrigstes zimmer)`,
		})
	ask("de", number("Preis", "Bewertung"), map[string][2]float64{"Preis": {10, 400}, "Bewertung": {1, 5}}, nil, map[string]string{
		"Schuhe 38 bis 40":            ``,
		"38 bis 40 euro":              `!Preis 38..40 (38 bis 40 euro)`,
		"jacke bis 40":                `!Preis <= 40 (bis 40)`,
		"jacke unter 50 euro warm":    `!Preis < 50 (unter 50 euro)`,
		"beamer 3 bis 350 euro":       `!Preis <= 350 (bis 350 euro)`,
		"Bewertung mindestens 4":      `!Bewertung >= 4 (Bewertung mindestens 4)`,
		"galaxy note unter 350 euro":  `!Preis < 350 (unter 350 euro)`,
		"galaxy note unter 350":       `!Preis < 350 (unter 350)`,
		"note unter 3":                `!Bewertung < 3 (note unter 3)`,
		"höchstens 20 euro":           `!Preis <= 20 (höchstens 20 euro)`,
		"bestbewertetes und billiges": `!EXISTS Bewertung (bestbewertetes)`,
	})
	ask("de", number("Verkaufspreis", "Mindestalter", "Kundenbewertung", "Bildschirmbreite_cm"), map[string][2]float64{"Verkaufspreis": {5, 90}, "Mindestalter": {0, 14}, "Kundenbewertung": {1, 5}, "Bildschirmbreite_cm": {20, 200}}, nil, map[string]string{
		"unter 20 euro":       `!Verkaufspreis < 20 (unter 20 euro)`,
		"unter 20":            `!Verkaufspreis < 20 (unter 20)`,
		"mindestens 4 sterne": `!Kundenbewertung >= 4 (mindestens 4 sterne)`,
		"billigste puppe":     `!EXISTS Verkaufspreis (billigste)`,
		"bestes brettspiel":   `!EXISTS Kundenbewertung (bestes)`,
		"ab 3 Jahren":         `!Mindestalter <= 3 (ab 3 Jahren)`,
		"für 4 Jährige":       `!Mindestalter <= 4 (4 Jährige)`,
		"breiter als 50 cm":   `!Bildschirmbreite_cm > 50 (breiter als 50 cm)`,
	})
	ask("de", append(number("ab_Alter", "Eintrittspreis"), Field{Name: "Datum", Type: Date}), map[string][2]float64{"ab_Alter": {0, 18}, "Eintrittspreis": {0, 60}}, nil, map[string]string{
		"theater für kinder ab 6 jahren": `!ab_Alter <= 6 (ab 6 jahren)`,
		"veranstaltung ab 18":            `~Eintrittspreis >= 18 (ab 18)`,
		"mindestens 6 jahre":             `!ab_Alter >= 6 (mindestens 6 jahre)`,
		"eintritt unter 10 euro":         `!Eintrittspreis < 10 (eintritt unter 10 euro)`,
	})
	ask("de", number("Gehalt_von", "Gehalt_bis"), map[string][2]float64{"Gehalt_von": {30000, 80000}, "Gehalt_bis": {35000, 99000}}, nil, map[string]string{
		"job ab 60000 euro":         `!Gehalt_von >= 60000 (ab 60000 euro)`,
		"bestbezahlte stelle":       `!EXISTS Gehalt_bis (bestbezahlte)`,
		"Gehalt mindestens 50000":   `!Gehalt_von >= 50000 (Gehalt mindestens 50000)`,
		"Gehalt_von über 50000":     `!Gehalt_von > 50000 (Gehalt_von über 50000)`,
		"gehalt 50000 bis 60000":    `!Gehalt_von 50000..60000 (gehalt 50000 bis 60000)`,
		"40000 bis 60000 euro lohn": `!Gehalt_von 40000..60000 (40000 bis 60000 euro)`,
	})
	ask("de", number("price_eur", "first_registration", "mileage_km"), map[string][2]float64{"price_eur": {900, 60000}, "first_registration": {2002, 2024}, "mileage_km": {100, 250000}}, nil, map[string]string{
		"auto ab 2015":             `!first_registration >= 2015 (ab 2015)`,
		"golf vor 2012":            `!first_registration < 2012 (vor 2012)`,
		"erstzulassung ab 2018":    `!first_registration >= 2018 (erstzulassung ab 2018)`,
		"golf 2018 bis 9000":       `~first_registration = 2018 (2018); !price_eur <= 9000 (bis 9000)`,
		"1,5-zimmer 2018 bis 2020": `!first_registration 2018..2020 (2018 bis 2020)`,
		"niedrigster preis":        `!EXISTS price_eur (niedrigster preis)`,
		"höchste miete":            `!EXISTS price_eur (höchste miete)`,
		"wenigste kilometer":       `!EXISTS mileage_km (wenigste kilometer)`,
		"neuester audi":            `!EXISTS first_registration (neuester)`,
	})
	ask("de", number("Seitenzahl"), map[string][2]float64{"Seitenzahl": {80, 900}}, nil, map[string]string{
		"dickstes buch":    `!EXISTS Seitenzahl (dickstes)`,
		"kürzester krimi":  `!EXISTS Seitenzahl (kürzester)`,
		"wenigste seiten":  `!EXISTS Seitenzahl (wenigste seiten)`,
		"ab 300 seiten":    `!Seitenzahl >= 300 (ab 300 seiten)`,
		"dickes buch 1984": ``,
	})
	ask("en", number("age_min", "price"), map[string][2]float64{"age_min": {0, 14}, "price": {5, 90}}, nil, map[string]string{
		"science kit age 8-12": `!age_min <= 12 (age 8-12)`,
		"3-bedroom":            ``,
	})
	// German words for fields that are named in English.
	ask("de", number("price", "rating", "year_built", "base_rent", "total_rent"), map[string][2]float64{"price": {10, 90}, "rating": {1, 5}, "year_built": {1900, 2024}, "base_rent": {300, 2500}, "total_rent": {400, 3000}}, nil, map[string]string{
		"Preis unter 50":      `!price < 50 (Preis unter 50)`,
		"Preis 20 bis 40":     `!price 20..40 (Preis 20 bis 40)`,
		"Bewertung ab 4":      `!rating >= 4 (Bewertung ab 4)`,
		"Baujahr nach 2000":   `!year_built > 2000 (Baujahr nach 2000)`,
		"erbaut nach 2000":    `!year_built > 2000 (erbaut nach 2000)`,
		"Baujahr ab 2000 sol": `!year_built >= 2000 (Baujahr ab 2000)`,
	})
	ask("nl", append(number("kamers", "slaapkamers", "woonoppervlakte", "huurprijs", "bouwjaar"), Field{Name: "huisdieren_toegestaan", Type: Bool}, Field{Name: "gemeubileerd", Type: Bool}),
		map[string][2]float64{"kamers": {1, 6}, "slaapkamers": {1, 4}, "woonoppervlakte": {20, 200}, "huurprijs": {500, 2500}, "bouwjaar": {1900, 2024}}, nil, map[string]string{
			"3-kamerwoning":              `~kamers = 3 (3-kamerwoning)`,
			"2-kamer appartement":        `~kamers = 2 (2-kamer)`,
			"twee slaapkamers":           `~slaapkamers = 2 (twee slaapkamers)`,
			"huurwoning onder 1200 euro": `!huurprijs < 1200 (onder 1200 euro)`,
			"groter dan 80 m2":           `!woonoppervlakte > 80 (groter dan 80 m2)`,
			"goedkoopste appartement":    `!EXISTS huurprijs (goedkoopste)`,
			"ongemeubileerd":             `~NOT gemeubileerd = true (ongemeubileerd)`,
			"gemeubileerde studio":       `~gemeubileerd = true (gemeubileerde)`,
			"huisdieren toegestaan":      `~huisdieren_toegestaan = true (huisdieren toegestaan)`,
			"huisdieren niet toegestaan": `~NOT huisdieren_toegestaan = true (huisdieren niet toegestaan)`,
			"met huisdieren":             `~huisdieren_toegestaan = true (huisdieren)`,
			"bouwjaar na 2000":           `!bouwjaar > 2000 (bouwjaar na 2000)`,
			"grootste woning":            `!EXISTS woonoppervlakte (grootste)`,
			"kleinste woonoppervlakte":   `!EXISTS woonoppervlakte (kleinste woonoppervlakte)`,
		})
	ask("nl", number("prijs"), map[string][2]float64{"prijs": {10, 300}}, []string{"kleur: Rood, Wit", "type: Jassen"}, map[string]string{
		"schoenen 38 tot 40": ``,
		"prijs onder 50":     `!prijs < 50 (prijs onder 50)`,
	})
	ask("sv", append(number("miltal", "årsmodell", "pris", "hästkrafter", "rum"), Field{Name: "möblerad", Type: Bool}), map[string][2]float64{"miltal": {500, 30000}, "årsmodell": {2000, 2024}, "pris": {20000, 900000}, "hästkrafter": {60, 500}, "rum": {1, 6}}, nil, map[string]string{
		"under 10000 mil":             `!miltal < 10000 (under 10000 mil)`,
		"lägst miltal":                `!EXISTS miltal (lägst miltal)`,
		"över 150 hästkrafter":        `!hästkrafter > 150 (över 150 hästkrafter)`,
		"årsmodell 2018 eller nyare":  `!årsmodell >= 2018 (årsmodell 2018 eller nyare)`,
		"3-rums lägenhet":             `~rum = 3 (3-rums)`,
		"omöblerad lägenhet":          `~NOT möblerad = true (omöblerad)`,
		"tre rum":                     `~rum = 3 (tre rum)`,
		"bil under 100000 kr":         `!pris < 100000 (under 100000 kr)`,
		"högst 20 000 mil, inte jeep": `!miltal <= 20000 (högst 20 000 mil)`,
	})
	ask("sv", number("tillagningstid", "betyg"), map[string][2]float64{"tillagningstid": {5, 120}, "betyg": {1, 5}}, nil, map[string]string{
		"snabbaste bakverk":      `!EXISTS tillagningstid (snabbaste)`,
		"recept på en halvtimme": `!tillagningstid <= 30 (på en halvtimme)`,
		"bäst betyg":             `!EXISTS betyg (bäst betyg)`,
	})
	ask("pl", append(number("liczba_pokoi", "powierzchnia", "cena", "rok_budowy"), Field{Name: "zwierzęta_dozwolone", Type: Bool}, Field{Name: "balkon", Type: Bool}, Field{Name: "umeblowane", Type: Bool}), map[string][2]float64{"liczba_pokoi": {1, 6}, "powierzchnia": {20, 200}, "cena": {1e5, 2e6}, "rok_budowy": {1900, 2024}}, nil, map[string]string{
		"mieszkanie 3 pokoje":      `~liczba_pokoi = 3 (3 pokoje)`,
		"3-pokojowe mieszkanie":    `~liczba_pokoi = 3 (3-pokojowe)`,
		"trzy pokoje":              `~liczba_pokoi = 3 (trzy pokoje)`,
		"powyżej 60 m2":            `!powierzchnia > 60 (powyżej 60 m2)`,
		"największe mieszkanie":    `!EXISTS powierzchnia (największe)`,
		"mieszkanie do 500 tys zł": `!cena <= 500000 (do 500 tys zł)`,
		"po 2015 roku":             `!rok_budowy > 2015 (po 2015)`,
		"z balkonem":               `~balkon = true (balkonem)`,
		"nieumeblowane":            `~NOT umeblowane = true (nieumeblowane)`,
		"cena do 400 tys":          `!cena <= 400000 (cena do 400 tys)`,
	})
}

// TestJoinedRid: what things are free of is joined to what says so.
func TestJoinedRid(t *testing.T) {
	for _, tt := range []struct{ language, q, want string }{
		{"de", "zuckerfreie Kuchen", `~NOT zutaten = "Zucker" (zuckerfreie)`},
		{"de", "zuckerfreier kuchen", `~NOT zutaten = "Zucker" (zuckerfreier)`},
		{"de", "Zuckerfrei", `~NOT zutaten = "Zucker" (Zuckerfrei)`},
		{"de", "nussfreie kuchen", `~NOT zutaten = "Nüsse" (nussfreie)`},
		{"de", "glutenfreie kuchen", `~glutenfrei = true (glutenfreie)`},
		{"de", "nicht glutenfrei", `~NOT glutenfrei = true (nicht glutenfrei)`},
		{"de", "kostenfreie lieferung", ``},
		{"de", "alkoholfreies bier", `~art = "alkoholfrei" (alkoholfreies)`},
		{"sv", "nötfri kaka", `~NOT zutaten = "Nöt" (nötfri)`},
		{"sv", "sockerfritt", `~NOT zutaten = "Socker" (sockerfritt)`},
		{"nl", "suikervrije taart", `~NOT zutaten = "Suiker" (suikervrije)`},
		{"en", "sugarfree cake", `~NOT zutaten = "Sugar" (sugarfree)`},
		{"en", "carefree", ``},
	} {
		c := NewCues(tt.language)
		d := NewDomain(c, []Field{{Name: "zutaten", Type: Category}, {Name: "art", Type: Category}, {Name: "glutenfrei", Type: Bool}, {Name: "preis", Type: Number}}, nil)
		v := vocabularyOf(c, "zutaten: Zucker, Nüsse, Nöt, Socker, Suiker, Sugar, Alkohol", "art: alkoholfrei")
		if got := understood(t, d, v, tt.q); got != tt.want {
			t.Errorf("%s %q:\n got %s\nwant %s", tt.language, tt.q, got, tt.want)
		}
	}
}

// TestOtherLanguages: what the neighbours of these languages say.
func TestOtherLanguages(t *testing.T) {
	spans := map[string][2]float64{"price": {10, 9000}, "rooms": {1, 6}, "area": {20, 200}, "rating": {1, 5}, "year": {1950, 2024}}
	fields := []Field{{Name: "price", Type: Number}, {Name: "rooms", Type: Number}, {Name: "area", Type: Number}, {Name: "rating", Type: Number}, {Name: "year", Type: Number}}
	for _, tt := range []struct{ language, q, want string }{
		{"da", "største lejlighed", `!EXISTS area (største)`},
		{"da", "billigste lejlighed", `!EXISTS price (billigste)`},
		{"da", "3 værelser", `~rooms = 3 (3 værelser)`},
		{"da", "3-værelses lejlighed", `~rooms = 3 (3-værelses)`},
		{"da", "bedst vurderede", `!EXISTS rating (bedst vurderede)`},
		{"da", "pris under 50", `!price < 50 (pris under 50)`},
		{"da", "husleje under 5000", `!price < 5000 (husleje under 5000)`},
		{"no", "største leilighet", `!EXISTS area (største)`},
		{"no", "tre rom", `~rooms = 3 (tre rom)`},
		{"no", "pris under 50", `!price < 50 (pris under 50)`},
		{"no", "byggeår etter 2000", `!year > 2000 (byggeår etter 2000)`},
		{"cs", "největší byt", `!EXISTS area (největší)`},
		{"cs", "cena do 400", `!price <= 400 (cena do 400)`},
		{"cs", "3 pokoje", `~rooms = 3 (3 pokoje)`},
		{"cs", "nájem pod 5000", `!price < 5000 (nájem pod 5000)`},
		{"nl", "prijs onder 50", `!price < 50 (prijs onder 50)`},
		{"nl", "3-kamer appartement", `~rooms = 3 (3-kamer)`},
		{"nl", "beoordeling boven 4", `!rating > 4 (beoordeling boven 4)`},
		{"nl", "huur tot 900", `!price <= 900 (huur tot 900)`},
		{"sv", "pris under 50", `!price < 50 (pris under 50)`},
		{"sv", "hyra under 9000 kr", `!price < 9000 (hyra under 9000 kr)`},
		{"sv", "byggår efter 2000", `!year > 2000 (byggår efter 2000)`},
		{"sv", "senast 2015", `!year <= 2015 (senast 2015)`},
		{"pl", "cena poniżej 50", `!price < 50 (cena poniżej 50)`},
		{"pl", "ocena powyżej 4", `!rating > 4 (ocena powyżej 4)`},
		{"pl", "największe mieszkanie", `!EXISTS area (największe)`},
		{"pl", "czynsz do 2000", `!price <= 2000 (czynsz do 2000)`},
	} {
		c := NewCues(tt.language)
		v := vocabularyOf(c)
		v.spans = spans
		if got := understood(t, NewDomain(c, fields, nil), v, tt.q); got != tt.want {
			t.Errorf("%s %q:\n got %s\nwant %s", tt.language, tt.q, got, tt.want)
		}
	}
}
