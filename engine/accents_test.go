package engine

import (
	"context"
	"fmt"
	"testing"
)

// TestWordsWithoutAccents: a word that is typed without its accents finds, and counts, as it
// does with them, wherever it stands.
func TestWordsWithoutAccents(t *testing.T) {
	for language, c := range map[string]struct {
		titles  []string
		queries [][2]string
	}{
		"es": {
			[]string{
				"Sartén antiadherente para inducción", "Cafetera italiana para inducción", "Renovación del carnet", "Permiso de obras",
				"Pensiones y jubilaciones", "Cafetería del centro", "Curso de inglés",
			},
			[][2]string{
				{"sartén inducción", "sarten induccion"}, {"sartén xqztv", "sarten xqztv"}, {"xqztv sartén", "xqztv sarten"}, {"renovación permiso", "renovacion permiso"},
				{"jubilación xqztv", "jubilacion xqztv"}, {"cafetería inglés", "cafeteria ingles"}, {"carnet sin renovación", "carnet sin renovacion"},
				{`"sartén antiadherente"`, `"sarten antiadherente"`}, {"+renovación", "+renovacion"}, {"title:sartén", "title:sarten"},
			},
		},
		"fr": {
			[]string{"Cafetière italienne", "Cafetière à filtre", "Bouilloire en verre", "Pull rayé", "Chaussures de randonnée", "Éclairage du salon"},
			[][2]string{
				{"cafetière xqztv", "cafetiere xqztv"}, {"cafetières verre", "cafetieres verre"}, {"cafetière sans filtre", "cafetiere sans filtre"},
				{"pull rayé", "pull raye"}, {"randonnée chaussures", "randonnee chaussures"}, {"lumière xqztv", "lumiere xqztv"},
			},
		},
		"pt": {
			[]string{"Lençóis de casal", "Robô aspirador", "Cadeira reclinável", "Informações do cliente"},
			[][2]string{{"lençóis casal", "lencois casal"}, {"robô xqztv", "robo xqztv"}, {"reclinável xqztv", "reclinavel xqztv"}, {"informação xqztv", "informacao xqztv"}},
		},
		"tr": {[]string{"Kırmızı elbiseler", "Mavi gömlekler", "Çocuk ayakkabıları"}, [][2]string{{"kırmızı gömlek", "kirmizi gomlek"}, {"çocukların ayakkabısı", "cocuklarin ayakkabisi"}}},
	} {
		e := titled(t, language, c.titles...)
		for _, q := range c.queries {
			// Alone a word is looked for with what begins with it.
			want, got := find(t, e, &Request{Query: q[0], Prefix: PrefixOff}), find(t, e, &Request{Query: q[1], Prefix: PrefixOff})
			if idsOf(want) == "" || idsOf(got) != idsOf(want) {
				t.Errorf("%s: %q finds %q, but %q finds %q", language, q[0], idsOf(want), q[1], idsOf(got))
				continue
			}
			for i := range want.Hits {
				if want.Hits[i].Score != got.Hits[i].Score {
					t.Errorf("%s: hit %d of %q has the score %v, but %v of %q", language, i, q[0], want.Hits[i].Score, got.Hits[i].Score, q[1])
				}
			}
			if len(got.Query.Corrections) > 0 || got.Query.DidYouMean != "" {
				t.Errorf("%s: %q is said to be misspelt: %+v", language, q[1], got.Query)
			}
		}
	}
}

// TestAccentsOfOneWord: what a word without accents means by itself, it keeps, and what only
// might be written with accents is nothing that records are found by.
func TestAccentsOfOneWord(t *testing.T) {
	e := titled(t, "es", "Materia orgánica", "Mata de tomate", "Matar moscas", "Cafeteria abierta", "Cafetería cerrada", "Bate de madera", "Batería recargable", "Bateria nueva",
		"Canción popular", "Cambio de aceite", "Cambio de moneda", "Casa de cambio", "Canciones populares")
	for query, want := range map[string]string{
		"materia xqztv":   "1",   // matería would be of matar
		"cafeteria xqztv": "4 5", // people write both
		"cafetería xqztv": "5",   // who writes the accent means it
		"popular xqztv":   "9",
		"cambio xqztv":    "10 11 12",
		"bateria nueva":   "8 7 6", // bate has the stem of batería
	} {
		if got := idsOf(find(t, e, &Request{Query: query, Prefix: PrefixOff, NoSynonyms: true})); got != want {
			t.Errorf("%q finds %q, want %q", query, got, want)
		}
	}
	if got := idsOf(find(t, e, &Request{Query: "materias xqztv", Prefix: PrefixOff, Ranking: RankingBM25})); got != "1" {
		t.Errorf("BM25 finds %q", got)
	}
}

// TestAccentsOutOfSight: how others write a word does not change what it is read as.
func TestAccentsOutOfSight(t *testing.T) {
	e := newEngine(t, nil)
	ctx := context.Background()
	schema := Schema{Language: "es", Fields: []Field{{Name: "title", Type: Text, Search: true}, {Name: "tenant", Type: Int, Filter: true}}}
	if _, err := e.CreateIndex(ctx, "k", schema); err != nil {
		t.Fatal(err)
	}
	var records []string
	for i, r := range []struct {
		title  string
		tenant int
	}{{"Bate de madera", 1}, {"Batería", 2}, {"Sarta de perlas", 1}, {"Sartén", 2}, {"Cafetería", 1}, {"Cafeteria", 2}} {
		records = append(records, fmt.Sprintf(`{"id":"%d","title":%q,"tenant":%d}`, i+1, r.title, r.tenant))
	}
	if _, err := e.Apply(ctx, puts("k", records...)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ query, all, mine string }{
		{"sarten xqztv", "4 3", "3"}, {"cafeteria xqztv", "5 6", "5"}, {"cafetería xqztv", "5", "5"},
	} {
		r := &Request{Query: c.query, Prefix: PrefixOff, NoSynonyms: true, Typo: Typo{Off: true}}
		if got := idsOf(find(t, e, r)); got != c.all {
			t.Errorf("%q finds %q, want %q", c.query, got, c.all)
		}
		r.Restrict = []string{"tenant = 1"}
		if got := idsOf(find(t, e, r)); got != c.mine {
			t.Errorf("%q of one tenant finds %q, want %q", c.query, got, c.mine)
		}
	}
}
