package engine

import "testing"

// TestFormsOfUkrainianAndCzech: a word finds the records that have another form of it, however it is
// typed, and no others.
func TestFormsOfUkrainianAndCzech(t *testing.T) {
	for language, c := range map[string]struct {
		titles  []string
		queries map[string]string
	}{
		"uk": {
			[]string{"Замок на горі", "Собаки та їжаки", "Дитина і її сім'я", "Ґудзик зелений", "Книга про воду"},
			map[string]string{"замків": "1", "собакою": "2", "їжаків": "2", "дітей": "3", "сімʼї": "3", "сім’єю": "3", "гудзики": "4", "у книзі": "5", "про що книги": "5"},
		},
		"cs": {
			[]string{"Hrad nad řekou", "Kočka a pes", "Kniha o koni", "Karlův most", "Levné hrnky"},
			map[string]string{"hrady": "1", "v rece": "1", "kočce": "2", "kocky": "2", "psi": "2", "knize": "3", "kůň": "3", "Karlova mostu": "4", "levný hrnek": "5"},
		},
	} {
		e := titled(t, language, c.titles...)
		for query, want := range c.queries {
			if got := idsOf(find(t, e, &Request{Query: query, Prefix: PrefixOff})); got != want {
				t.Errorf("%s: %q finds %q, want %q", language, query, got, want)
			}
		}
	}
}
