package engine

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/quarry-search/quarry/storage"
	"github.com/quarry-search/quarry/storage/storagetest"
)

// formsEngine holds titles in a language, one record each, of a tenant each from 1 on.
func formsEngine(t *testing.T, language string, titles ...string) *Engine {
	t.Helper()
	e := newEngine(t, nil)
	create(t, e, "i", Schema{Language: language, Fields: []Field{{Name: "title", Type: Text, Search: true}, {Name: "tenant", Type: Int, Filter: true}}})
	var b Batch
	for i, title := range titles {
		b.Put("i", fmt.Appendf(nil, `{"id":"%d","title":%q,"tenant":%d}`, i+1, title, i+1))
	}
	apply(t, e, &b)
	return e
}

// TestRepairsAreShownAsWritten: a repaired word is told of in the form in which records write it.
func TestRepairsAreShownAsWritten(t *testing.T) {
	for language, c := range map[string]struct {
		titles []string
		cases  [][3]string // query, what is told of it, its text
	}{
		"de": {
			[]string{"Passwort zurücksetzen", "Das Passwort zurücksetzen lassen", "Straßenbahn fährt", "Kühlschränke", "schöner Garten", "schonend waschen",
				"Geräte", "alte Geräte", "neue Geräte", "Geräte im Garten", "Geräte im Haus", "Gerät"},
			[][3]string{
				{"zuruksetzen", "zuruksetzen>zurücksetzen", "zurücksetzen"},
				{"Passwort zuruksetzen", "zuruksetzen>zurücksetzen", "Passwort zurücksetzen"},
				{"paswort zuruksetzen", "paswort>passwort, zuruksetzen>zurücksetzen", "passwort zurücksetzen"},
				{"geratt", "geratt>gerät", "gerät"},
				{"strasenbahn", "strasenbahn>straßenbahn", "straßenbahn"},
				{"kuhlschrnke", "kuhlschrnke>kühlschränke", "kühlschränke"},
			},
		},
		"fr": {
			[]string{"Le théâtre de la ville", "THEATRE DU NORD", "L'été au théâtre", "Horaires d'ouverture"},
			[][3]string{{"thaetre", "thaetre>théâtre", "théâtre"}, {"thaetre thaetre horiares", "thaetre>théâtre, thaetre>théâtre, horiares>horaires", "théâtre théâtre horaires"}},
		},
		"es": {
			[]string{"El camión rojo", "Un camion usado", "Camión de bomberos", "La renovación del carnet"},
			[][3]string{{"caminon", "caminon>camión", "camión"}, {"renovasion carnet", "renovasion>renovación", "renovación carnet"}},
		},
		"tr": {[]string{"Işıklı ayakkabı", "Çocuk ayakkabıları"}, [][3]string{{"isiklli", "isiklli>ışıklı", "ışıklı"}}},
		"vi": {
			[]string{"Trường học ở Huế", "Trương Ba", "Trưởng phòng", "Trưởng ban"},
			[][3]string{{"truongg hoc", "truongg>trường", "trường hoc"}, {"truongg phong", "truongg>trưởng", "trưởng phong"}},
		},
		"el": {[]string{"Δρόμος", "ΔΡΌΜΟΣ"}, [][3]string{{"δρομοσς", "δρομοσς>δρόμος", "δρόμος"}}},
		"en": {[]string{"The café's menu", "Running SHOES"}, [][3]string{{"runing shoess", "runing>running, shoess>shoes", "running shoes"}}},
	} {
		e := formsEngine(t, language, c.titles...)
		for _, q := range c.cases {
			res := find(t, e, &Request{Query: q[0]})
			if got := understood(res); got != q[1] || res.Query.Text != q[2] {
				t.Errorf("%s: %q is told of as %q, %q, want %q, %q", language, q[0], got, res.Query.Text, q[1], q[2])
			}
			res = find(t, e, &Request{Query: q[0], Typo: Typo{Off: true}})
			if res.Query.DidYouMean != q[2] || res.Query.Text != q[0] {
				t.Errorf("%s: for %q, %q is offered, and %q found, want %q", language, q[0], res.Query.DidYouMean, res.Query.Text, q[2])
			}
		}
	}
}

// TestFormsAreOfRecordsInSight: records that the caller cannot see do not say how a word is written.
func TestFormsAreOfRecordsInSight(t *testing.T) {
	e := formsEngine(t, "es", "Un camion rojo", "El camión rojo", "Camión azul", "Camión", "La camión")
	for restrict, want := range map[string]string{"": "camión", "tenant = 1": "camion", "tenant <= 2": "camión", "tenant = 3": "camión"} {
		r := &Request{Query: "caminon"}
		if restrict != "" {
			r.Restrict = []string{restrict}
		}
		res := find(t, e, r)
		if got := understood(res); got != "caminon>"+want || res.Query.Text != want {
			t.Errorf("under %q: %q with %q, want %q", restrict, got, res.Query.Text, want)
		}
		r.Typo.Off = true
		if got := find(t, e, r).Query.DidYouMean; got != want {
			t.Errorf("under %q: %q is offered, want %q", restrict, got, want)
		}
	}
}

// Words of one form are those of records that hold the other words of the query, whatever the segments are.
func TestFormsBesideOtherWords(t *testing.T) {
	d := newDisk(t, Options{FlushRecords: 4})
	create(t, d.e, "i", Schema{Language: "de", Fields: []Field{{Name: "title", Type: Text, Search: true}, {Name: "body", Type: Text, Search: true}, {Name: "price", Type: Float, Filter: true}}})
	for i := range 12 {
		apply(t, d.e, puts("i", fmt.Sprintf(`{"id":"a%d","title":"Wir fordern Antworten","price":3}`, i), fmt.Sprintf(`{"id":"b%d","title":"Vereine fördern","body":"Bäume","price":2}`, i)))
	}
	d.states("i", func(t *testing.T, e *Engine) {
		for query, want := range map[string]string{
			"fodrern antworten": "fodrern>fordern", "vereine fodrern": "fodrern>fördern",
			"body:bauume": "bauume>bäume", "title:bauume": "",
		} {
			r := &Request{Query: query}
			if query[4] == ':' || query[5] == ':' {
				r.Syntax = SyntaxQuery
			}
			if got := understood(find(t, e, r)); got != want {
				t.Errorf("%q is told of as %q, want %q", query, got, want)
			}
		}
		res := find(t, e, &Request{Query: "vereine unter 5 euro fodrern"})
		if got := res.Query.Text; got != "vereine fördern" || len(res.Query.FiltersFromIntent) != 1 {
			t.Errorf("without its filters %q, the text is %q", res.Query.FiltersFromIntent, got)
		}
	})
}

// A word that no record writes by itself is shown as it is looked up.
func TestFormsThatNoRecordHas(t *testing.T) {
	e := formsEngine(t, "de", "Kaffeebehälter aus Glas", "Tasse")
	if got := understood(find(t, e, &Request{Query: "behelter"})); got != "behelter>behalter" {
		t.Errorf("told of as %q", got)
	}
}

// A record that cannot be read keeps nobody from the answer, but is told of.
func TestFormsOfDamagedRecords(t *testing.T) {
	ctx, fsys := context.Background(), storagetest.NewCrashFS()
	d := &disk{t: t, fs: fsys}
	d.open()
	create(t, d.e, "i", Schema{Language: "de", Fields: []Field{{Name: "body", Type: Text, Search: true}}})
	apply(t, d.e, puts("i", `{"id":"1","body":"Wie man Kennwörter zurücksetzen kann"}`))
	if err := errors.Join(d.e.Flush(ctx), d.e.Close()); err != nil {
		t.Fatal(err)
	}
	blocks := entriesOf(t, fsys)["block"]
	s, err := storage.Open("data", &storage.Options{FS: fsys, MinFreeBytes: -1})
	if err != nil {
		t.Fatal(err)
	}
	b := s.NewBatch()
	for _, x := range blocks {
		b.Set(x.key, x.value[:len(x.value)/2])
	}
	if err := errors.Join(s.Commit(b), s.Close()); err != nil {
		t.Fatal(err)
	}
	told := 0
	d.o.Events.Corruption = func(error) { told++ }
	d.open()
	res := find(t, d.e, &Request{Query: "zuruksetzen", Offset: 1}) // the hit itself cannot be read
	if got := understood(res); got != "zuruksetzen>zurucksetzen" || res.Total != 1 || told == 0 {
		t.Errorf("%q, %d matches, told of %d times", got, res.Total, told)
	}
	if err := d.e.Close(); err != nil {
		t.Fatal(err)
	}
}
