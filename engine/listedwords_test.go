package engine

import "testing"

// TestListedWordsAreNoSlips: a word that anybody knows is not read as another one that an index
// happens to have, in whatever language and form, nor is that one offered where it does not stand beside the
// other words. A slip is read so all the same.
func TestListedWordsAreNoSlips(t *testing.T) {
	for language, c := range map[string]struct {
		titles  []string
		queries map[string]string
	}{
		"es": {[]string{"Darse de baja", "Dar de baja la línea", "Pesas de hierro", "Cafetera italiana"}, map[string]string{"darme de baja": "", "mesas": "", "mesitas": "", "cafetrea": "cafetrea>cafetera"}},
		"it": {[]string{"Arancini di riso", "Ricotta fresca", "Passo Stelvio"}, map[string]string{"arancia": "", "ricette veloci": "", "posso fare": "", "ricota": "ricota>ricotta"}},
		"pt": {[]string{"Calcinha de renda", "Camisa social"}, map[string]string{"caixinha": "", "camsa": "camsa>camisa"}},
		"ru": {[]string{"Стол письменный", "Чайник электрический"}, map[string]string{"стул": "", "чайнк": "чайнк>чайник"}},
		"de": {[]string{"Tasche aus Leder", "Hose"}, map[string]string{"hase": "", "tashce": "tashce>tasche"}},
		"fr": {[]string{"Poivre noir", "Chaise en bois"}, map[string]string{"poire": "", "chaisse": "chaisse>chaise"}},
		"uk": {[]string{"Грип сезонний", "Сіль морська", "Чайник електричний", "Рука допомоги"}, map[string]string{"гриб": "", "грибами": "", "сіллю": "", "річка": "", "чайнк": "чайнк>чайник"}},
		"cs": {[]string{"Huba a jazyk", "Konvice na vodu", "Ryba v troubě"}, map[string]string{"houba": "", "houbami": "", "chyba": "", "konvcie": "konvcie>konvice"}},
		"nl": {[]string{"Tas van leer", "Stoelen"}, map[string]string{"kaas": "", "stoeeln": "stoeeln>stoelen"}},
	} {
		e := titled(t, language, c.titles...)
		for query, want := range c.queries {
			if got := understood(find(t, e, &Request{Query: query, Prefix: PrefixOff})); got != want {
				t.Errorf("%s: %q is read as %q, want %q", language, query, got, want)
			}
		}
	}
	e := titled(t, "es", "Dar de baja la línea", "Baja tensión", "Devolver el aparato")
	if got := idsOf(find(t, e, &Request{Query: "darme de baja"})); got != "1 2" {
		t.Errorf("a verb with a pronoun finds %q", got)
	}
}
