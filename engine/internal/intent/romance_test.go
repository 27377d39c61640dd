package intent

import (
	"strings"
	"testing"
)

// asked is a query in a language, of fields and the values that records have of them, and what is understood.
type asked struct{ language, q, want string }

func askAll(t *testing.T, fields []Field, spans map[string][2]float64, list []asked, lines ...string) {
	t.Helper()
	for _, tt := range list {
		c := NewCues(tt.language)
		v := vocabularyOf(c, lines...)
		v.spans = spans
		if got := understood(t, NewDomain(c, fields, nil), v, tt.q); got != tt.want {
			t.Errorf("%s %q:\n got %s\nwant %s", tt.language, tt.q, got, tt.want)
		}
	}
}

// TestDecadesOfYears: the word for years that announces a decade is no name of a field.
func TestDecadesOfYears(t *testing.T) {
	for field, list := range map[string][]asked{
		"année": {
			{"fr", "films des années 90", "!année 1990..1999 (des années 90)"},
			{"fr", "films des annees 2000", "!année 2000..2009 (des annees 2000)"},
			{"fr", "films depuis les années 90", "!année >= 1990 (depuis les années 90)"},
			{"fr", "films avant les années 90", "!année < 1990 (avant les années 90)"},
			{"fr", "dès 1990", "!année >= 1990 (dès 1990)"},
			{"fr", "année 2019", "~année = 2019 (année 2019)"},
		},
		"año":  {{"es", "cine desde los años 90", "!año >= 1990 (desde los años 90)"}, {"es", "cine de los años 90", "!año 1990..1999 (de los años 90)"}},
		"ano":  {{"pt", "filmes desde os anos 90", "!ano >= 1990 (desde os anos 90)"}, {"pt", "filmes dos anos 90", "!ano 1990..1999 (dos anos 90)"}},
		"anno": {{"it", "film degli anni 90", "!anno 1990..1999 (degli anni 90)"}},
	} {
		askAll(t, []Field{{Name: field, Type: Number}, {Name: "votes", Type: Number}}, nil, list)
	}
}

// TestOrMore: "or more" stands before the name of what it is said of, too.
func TestOrMore(t *testing.T) {
	spans := map[string][2]float64{"bedrooms": {0, 6}, "price": {300, 2000}, "pages": {20, 3000}, "year": {1950, 2020}, "guests": {1, 9}}
	fields := []Field{{Name: "bedrooms", Type: Number}, {Name: "price", Type: Number}, {Name: "pages", Type: Number}, {Name: "year", Type: Number}, {Name: "guests", Type: Number}}
	askAll(t, fields, spans, []asked{
		{"en", "2 or more bedrooms", "!bedrooms >= 2 (2 or more bedrooms)"},
		{"en", "flat with 2 or more bedrooms under 900", "!bedrooms >= 2 (2 or more bedrooms); !price < 900 (under 900)"},
		{"en", "2000 or more pages", "!pages >= 2000 (2000 or more pages)"},
		{"en", "2000 or later pages", "!year >= 2000 (2000 or later)"},
		{"en", "400 or less price", "!price <= 400 (400 or less price)"},
		{"en", "400 or less", "!price <= 400 (400 or less)"},
		{"en", "price 400 or less bedrooms 3", "!price <= 400 (price 400 or less); ~bedrooms = 3 (bedrooms 3)"},
		{"en", "3 or more guests", "!guests >= 3 (3 or more guests)"},
		{"es", "2 o más habitaciones", "!bedrooms >= 2 (2 o más habitaciones)"},
		{"fr", "2 ou plus chambres", "!bedrooms >= 2 (2 ou plus chambres)"},
		{"fr", "2 chambres ou plus", "!bedrooms >= 2 (2 chambres ou plus)"},
		{"it", "2 o più camere", "!bedrooms >= 2 (2 o più camere)"},
		{"pt", "2 ou mais quartos", "!bedrooms >= 2 (2 ou mais quartos)"},
	})
}

// TestRomanceSuperlatives: what is the most or the least of something stands before its name or behind it.
func TestRomanceSuperlatives(t *testing.T) {
	spans := map[string][2]float64{}
	list := map[string][]asked{
		"km precio opiniones salario_anual superficie_util año paginas votos": {
			{"es", "coche con menos kilómetros", "!EXISTS km (menos kilómetros)"},
			{"es", "mayor salario", "!EXISTS salario_anual (mayor salario)"},
			{"es", "salario más alto", "!EXISTS salario_anual (salario más alto)"},
			{"es", "sueldo más alto", ""},
			{"es", "más reseñas", "!EXISTS opiniones (más reseñas)"},
			{"es", "mayor número de opiniones", "!EXISTS opiniones (mayor número de opiniones)"},
			{"es", "piso más grande", "!EXISTS superficie_util (más grande)"},
			{"es", "película más vieja", "!EXISTS año (más vieja)"},
			{"es", "película más votada", "!EXISTS votos (más votada)"},
			{"es", "libro más corto", "!EXISTS paginas (más corto)"},
			{"es", "precio más bajo", "!EXISTS precio (precio más bajo)"},
			{"es", "últimas ofertas", "!EXISTS año (últimas ofertas)"},
			{"es", "más terraza", ""},
			{"es", "baños más terraza", ""},
			{"es", "3 opiniones más una", "~opiniones = 3 (3 opiniones)"},
			{"es", "no más opiniones", ""},
			{"es", "la última noche", ""},
		},
		"kilométrage prix_eur surface note_presse année avis": {
			{"fr", "voiture avec le moins de kilomètres", "!EXISTS kilométrage (le moins de kilomètres)"},
			{"fr", "le plus d'avis", "!EXISTS avis (le plus d'avis)"},
			{"fr", "film avec la note la plus haute", "!EXISTS note_presse (note la plus haute)"},
			{"fr", "le plus grand appartement", "!EXISTS surface (plus grand)"},
			{"fr", "film le plus vieux", "!EXISTS année (le plus vieux)"},
			{"fr", "kilométrage le plus faible", "!EXISTS kilométrage (kilométrage le plus faible)"},
			{"fr", "appartement au dernier étage", ""},
			{"fr", "le dernier métro", ""},
			{"fr", "derniers modèles", "!EXISTS année (derniers modèles)"},
			{"fr", "moins de kilomètres", ""},
			{"fr", "le plus grand que 80 m2", "!surface > 80 (plus grand que 80 m2)"},
		},
		"voto recensioni chilometri superficie_mq prezzo anno": {
			{"it", "film con il voto più alto", "!EXISTS voto (voto più alto)"},
			{"it", "miglior film", "!EXISTS voto (miglior)"},
			{"it", "hotel con più recensioni", "!EXISTS recensioni (più recensioni)"},
			{"it", "auto meno chilometri", "!EXISTS chilometri (meno chilometri)"},
			{"it", "appartamento più grande", "!EXISTS superficie_mq (più grande)"},
			{"it", "appartamento più grande di 80 mq", "!superficie_mq > 80 (più grande di 80 mq)"},
			{"it", "appartamenti più grandi di milano", "!EXISTS superficie_mq (più grandi)"},
			{"it", "film più vecchi", "!EXISTS anno (più vecchi)"},
			{"it", "l'ultimo imperatore", ""},
		},
		"salário avaliações area_m2 quilometragem ano": {
			{"pt", "maior salário", "!EXISTS salário (maior salário)"},
			{"pt", "salário mais alto", "!EXISTS salário (salário mais alto)"},
			{"pt", "vaga mais bem paga", "!EXISTS salário (mais bem paga)"},
			{"pt", "salário maior que R$ 10.000", "!salário > 10000 (salário maior que R$ 10.000)"},
			{"pt", "mais avaliações", "!EXISTS avaliações (mais avaliações)"},
			{"pt", "carro com menos quilômetros", "!EXISTS quilometragem (menos quilômetros)"},
			{"pt", "o maior apartamento", "!EXISTS area_m2 (o maior)"},
			{"pt", "campo maior", ""},
		},
		"stars guest_rating annual_salary": {
			{"en", "highest salary", "!EXISTS annual_salary (highest salary)"},
			{"en", "biggest stars of hollywood", "!EXISTS stars (biggest stars)"},
			{"en", "most people", ""},
		},
	}
	for names, list := range list {
		var fields []Field
		for name := range strings.FieldsSeq(names) {
			fields = append(fields, Field{Name: name, Type: Number})
		}
		askAll(t, fields, spans, list)
	}
}

// TestRomanceFlags: what things admit, have and do not have.
func TestRomanceFlags(t *testing.T) {
	for names, list := range map[string][]asked{
		"mascotas_permitidas tiene_terraza": {
			{"es", "piso que admita mascotas", "~mascotas_permitidas = true (mascotas)"},
			{"es", "se admiten mascotas", "~mascotas_permitidas = true (mascotas)"},
			{"es", "mascotas permitidas", "~mascotas_permitidas = true (mascotas permitidas)"},
			{"es", "no se admiten mascotas", "~NOT mascotas_permitidas = true (no se admiten mascotas)"},
			{"es", "piso sin mascotas", "~NOT mascotas_permitidas = true (sin mascotas)"},
			{"es", "piso con terraza", "~tiene_terraza = true (terraza)"},
			{"es", "comida para mascotas", ""},
		},
		"animaux_acceptes meublé": {
			{"fr", "animaux acceptés", "~animaux_acceptes = true (animaux acceptés)"},
			{"fr", "animaux autorisés", "~animaux_acceptes = true (animaux autorisés)"},
			{"fr", "qui accepte les animaux", "~animaux_acceptes = true (animaux)"},
			{"fr", "studio qui n'est pas meublé", "~NOT meublé = true (qui n'est pas meublé)"},
		},
		"animali_ammessi colazione_inclusa": {
			{"it", "che accetta animali", "~animali_ammessi = true (animali)"},
			{"it", "non ammette animali", "~NOT animali_ammessi = true (non ammette animali)"},
			{"it", "con colazione", "~colazione_inclusa = true (colazione)"},
		},
		"permite_animais tem_garagem": {
			{"pt", "aceita animais", "~permite_animais = true (animais)"},
			{"pt", "com garagem", "~tem_garagem = true (garagem)"},
			{"pt", "que não tenha garagem", "~NOT tem_garagem = true (que não tenha garagem)"},
		},
		"pets_allowed has_garden": {
			{"en", "does not allow pets", "~NOT pets_allowed = true (not allow pets)"},
			{"en", "no pets allowed", "~NOT pets_allowed = true (no pets allowed)"},
		},
	} {
		var fields []Field
		for name := range strings.FieldsSeq(names) {
			fields = append(fields, Field{Name: name, Type: Bool})
		}
		askAll(t, fields, nil, list)
	}
}

// TestRomanceNot: what denies a value are several words.
func TestRomanceNot(t *testing.T) {
	askAll(t, []Field{{Name: "color", Type: Category}}, nil, []asked{
		{"es", "vestido que no sea negro", `~NOT color = "negro" (que no sea negro)`},
		{"fr", "robe qui n'est pas noire", `~NOT color = "noir" (qui n'est pas noire)`},
		{"it", "vestito che non sia nero", `~NOT color = "nero" (che non sia nero)`},
		{"pt", "vestido que não seja preto", `~NOT color = "preto" (que não seja preto)`},
	}, "color: negro, noir, nero, preto")
}

// TestRomanceAmounts: units, numbers in words, years and times.
func TestRomanceAmounts(t *testing.T) {
	spans := map[string][2]float64{"precio": {5000, 30000}, "prix": {3000, 30000}, "prezzo": {3000, 30000}, "stops": {0, 2}, "escalas": {0, 2}}
	for names, list := range map[string][]asked{
		"precio potencia_cv año": {
			{"es", "bmw más de 150 cv", "!potencia_cv > 150 (más de 150 cv)"},
			{"es", "más de 150 caballos", "!potencia_cv > 150 (más de 150 caballos)"},
			{"es", "coches anteriores a 2015", "!año < 2015 (anteriores a 2015)"},
			{"es", "posteriores al 2015", "!año > 2015 (posteriores al 2015)"},
			{"es", "películas de los 90", "!año 1990..1999 (de los 90)"},
			{"es", "música de los 80 y algo más", "!año 1980..1989 (de los 80)"},
			{"es", "de los '90", "!año 1990..1999 (de los '90)"},
			{"es", "años '90", "~año 1990..1999 (años '90)"},
			{"es", "pisos de los 90 m2", ""},
			{"es", "uno de los 50 estados", ""},
			{"es", "uno de los 10", ""},
			{"es", "los 40 principales", ""},
		},
		"prix puissance_din année surface": {
			{"fr", "plus de 100 ch", "!puissance_din > 100 (plus de 100 ch)"},
			{"fr", "plus de 100 chevaux", "!puissance_din > 100 (plus de 100 chevaux)"},
			{"fr", "films antérieurs à 1990", "!année < 1990 (antérieurs à 1990)"},
		},
		"prezzo cavalli anno superficie": {
			{"it", "più di 120 cavalli", "!cavalli > 120 (più di 120 cavalli)"},
			{"it", "più di 120 cv", "!cavalli > 120 (più di 120 cv)"},
			{"it", "almeno 60 metri quadri", "!superficie >= 60 (almeno 60 metri quadri)"},
			{"it", "almeno 60 mq", "!superficie >= 60 (almeno 60 mq)"},
			{"it", "film anni '80", "~anno 1980..1989 (anni '80)"},
			{"it", "film degli anni '80", "!anno 1980..1989 (degli anni '80)"},
			{"it", "film anteriori al 1990", "!anno < 1990 (anteriori al 1990)"},
		},
		"durata porzioni canone_mensile": {
			{"it", "film meno di due ore", "!durata < 120 (meno di due ore)"},
			{"it", "ricetta per 4 persone", "~porzioni = 4 (4 persone)"},
			{"it", "per sei persone", "~porzioni = 6 (sei persone)"},
			{"it", "affitto massimo 800", "!canone_mensile <= 800 (affitto massimo 800)"},
			{"it", "pronto in 20 minuti", "!durata <= 20 (pronto in 20 minuti)"},
		},
		"tempo_preparo porções valor_mensal": {
			{"pt", "receita em até 30 minutos", "!tempo_preparo <= 30 (em até 30 minutos)"},
			{"pt", "para quatro pessoas", "~porções = 4 (quatro pessoas)"},
			{"pt", "aluguel até R$ 1000", "!valor_mensal <= 1000 (aluguel até R$ 1000)"},
			{"pt", "até 900 reais", "!valor_mensal <= 900 (até 900 reais)"},
		},
		"duree note_presse loyer_cc superficie kilométrage": {
			{"fr", "film de moins d'une heure et demie", "!duree < 90 (moins d'une heure et demie)"},
			{"fr", "moins de 50 000 km", "!kilométrage < 50000 (moins de 50 000 km)"},
			{"fr", "loyer maximum 800", "!loyer_cc <= 800 (loyer maximum 800)"},
		},
		"tiempo_preparacion raciones salario_anual superficie_util escalas": {
			{"es", "receta de menos de 30 minutos", "!tiempo_preparacion < 30 (menos de 30 minutos)"},
			{"es", "salario mínimo 30000", "!salario_anual >= 30000 (salario mínimo 30000)"},
			{"es", "superficie mínima 80 m2", "!superficie_util >= 80 (superficie mínima 80 m2)"},
			{"es", "para seis comensales", "~raciones = 6 (seis comensales)"},
			{"es", "vuelo directo", "~escalas = 0 (directo)"},
		},
	} {
		var fields []Field
		for name := range strings.FieldsSeq(names) {
			fields = append(fields, Field{Name: name, Type: Number})
		}
		askAll(t, fields, spans, list)
	}
}

// TestLinkedNames: of and its likes stand within names of fields, and between these and what is said of them.
func TestLinkedNames(t *testing.T) {
	for names, list := range map[string][]asked{
		"temps_cuisson temps_total annee_sortie": {
			{"fr", "temps de cuisson moins de 30 minutes", "!temps_cuisson < 30 (temps de cuisson moins de 30 minutes)"},
			{"fr", "moins de 30 minutes", "!temps_total < 30 (moins de 30 minutes)"},
			{"fr", "année de sortie 1990", "~annee_sortie = 1990 (année de sortie 1990)"},
		},
		"salario_anual": {{"es", "sueldo de más de 30000 euros", "!salario_anual > 30000 (sueldo de más de 30000 euros)"}},
		"precio superficie": {
			{"es", "precio de menos de 800", "!precio < 800 (precio de menos de 800)"},
			{"es", "superficie de al menos 80", "!superficie >= 80 (superficie de al menos 80)"},
			{"es", "mesa que cueste menos de 800", "!precio < 800 (cueste menos de 800)"},
			{"es", "precio de 100 a 200", "!precio 100..200 (precio de 100 a 200)"},
		},
		"habitaciones renta_mensual": {
			{"es", "renta 2 habitaciones o más", "!habitaciones >= 2 (2 habitaciones o más)"},
			{"es", "renta 500 o menos", "!renta_mensual <= 500 (renta 500 o menos)"},
		},
		"distance_center_km price": {{"it", "hotel più vicino al centro", "!EXISTS distance_center_km (più vicino)"}},
		"stars guest_rating": {
			{"it", "miglior hotel", "!EXISTS guest_rating (miglior)"},
			{"it", "valutazione più alta", "!EXISTS guest_rating (valutazione più alta)"},
			{"it", "hotel almeno 4 stelle", "!stars >= 4 (almeno 4 stelle)"},
		},
	} {
		var fields []Field
		for name := range strings.FieldsSeq(names) {
			fields = append(fields, Field{Name: name, Type: Number})
		}
		askAll(t, fields, nil, list)
	}
}

// TestCatalanAndRomanian: the same of two more languages.
func TestCatalanAndRomanian(t *testing.T) {
	for names, list := range map[string][]asked{
		"preu habitacions superfície any": {
			{"ca", "pis més barat", "!EXISTS preu (més barat)"},
			{"ca", "pis més gran", "!EXISTS superfície (més gran)"},
			{"ca", "preu més baix", "!EXISTS preu (preu més baix)"},
			{"ca", "2 o més habitacions", "!habitacions >= 2 (2 o més habitacions)"},
			{"ca", "menys de 80 metres quadrats", "!superfície < 80 (menys de 80 metres quadrats)"},
			{"ca", "pel·lícules dels anys 90", "!any 1990..1999 (dels anys 90)"},
		},
		"preț chirie_lunară suprafață an": {
			{"ro", "apartament cel mai mare", "!EXISTS suprafață (cel mai mare)"},
			{"ro", "peste 50 mp", "!suprafață > 50 (peste 50 mp)"},
			{"ro", "cel mai nou", "!EXISTS an (cel mai nou)"},
			{"ro", "filme din anii 90", "!an 1990..1999 (din anii 90)"},
		},
	} {
		var fields []Field
		for name := range strings.FieldsSeq(names) {
			fields = append(fields, Field{Name: name, Type: Number})
		}
		askAll(t, fields, nil, list)
	}
}
