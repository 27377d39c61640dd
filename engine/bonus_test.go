package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/quarry-search/quarry/engine/internal/score"
)

func titled(t *testing.T, language string, titles ...string) *Engine {
	t.Helper()
	e := newEngine(t, nil)
	create(t, e, "i", Schema{Language: language, Fields: []Field{{Name: "title", Type: Text, Search: true, Weight: 5}, {Name: "text", Type: Text, Search: true}}})
	var records []string
	for i, title := range titles {
		field := "title"
		if text, ok := strings.CutPrefix(title, "text: "); ok {
			field, title = "text", text
		}
		records = append(records, fmt.Sprintf(`{"id":"%d",%q:%q}`, i+1, field, title))
	}
	apply(t, e, puts("i", records...))
	return e
}

// stages returns what stages gave a record, by stage.
func stages(h Hit) map[string]float64 {
	out := map[string]float64{}
	for _, p := range h.Explain.Parts {
		if p.Stage != "" {
			out[p.Stage] += p.Score
		}
	}
	return out
}

func TestTitleBonus(t *testing.T) {
	e := titled(t, "en", "Red hat", "Red hat, wide", "Hat", "text: red hat")
	res := find(t, e, &Request{Query: "red hats ", Match: MatchAny, Explain: true, Tuning: Tuning{Proximity: -1}})
	got := map[string]float64{}
	for _, h := range res.Hits {
		got[h.ID] = stages(h)[StageTitle]
	}
	if !(got["1"] > got["2"] && got["2"] > got["3"] && got["3"] > 0 && got["4"] == 0) {
		t.Errorf("bonuses of the whole title, of one with another word, of one with less of the query, of a text: %v", got)
	}
	for _, h := range find(t, e, &Request{Query: "red hats ", Explain: true, Tuning: Tuning{Title: -1, Proximity: -1, Coverage: -1}}).Hits {
		if s := stages(h); len(s) > 0 {
			t.Errorf("without the stages: %v", s)
		}
	}
}

func TestProximityBonus(t *testing.T) {
	e := titled(t, "en",
		"text: wool coat, and much more to be said of it",
		"text: wool, much more to be said of it, and a coat",
		"text: coat wool, and much more to be said of it",
		"text: wool and much more and much more to be said about it of which a coat is the last",
	)
	got := map[string]float64{}
	for _, h := range find(t, e, &Request{Query: "wool coat ", Explain: true}).Hits {
		got[h.ID] = stages(h)[StageProximity]
	}
	if !(got["1"] > got["3"] && got["3"] > got["2"] && got["2"] >= got["4"] && got["4"] == 0) {
		t.Errorf("bonuses side by side, in the other order, eight apart, beyond the window: %v", got)
	}
}

// TestNoProximityOfSharedCharacters: the pairs of characters of a word without
// spaces overlap, and stand together wherever they stand.
func TestNoProximityOfSharedCharacters(t *testing.T) {
	e := titled(t, "none", "text: 東京都の人口", "text: 東京 人口 一覧")
	for _, h := range find(t, e, &Request{Query: "東京都", Match: MatchAny, Explain: true}).Hits {
		if s := stages(h); s[StageProximity] > 0 {
			t.Errorf("record %s: a bonus of %v for a single word", h.ID, s[StageProximity])
		}
	}
	got := map[string]float64{}
	for _, h := range find(t, e, &Request{Query: "東京 人口", Match: MatchAny, Explain: true}).Hits {
		got[h.ID] = stages(h)[StageProximity]
	}
	if !(got["2"] > got["1"]) {
		t.Errorf("bonuses of two words side by side in the second record: %v", got)
	}
}

func TestCloseness(t *testing.T) {
	const m = score.MaxImpact
	for _, c := range []struct {
		xs, ys []uint32
		want   int
		got    uint64
	}{
		{[]uint32{1}, []uint32{2}, 1, m}, {[]uint32{1}, []uint32{3}, 1, m / 2}, {[]uint32{1}, []uint32{3}, 2, m},
		{[]uint32{1}, []uint32{9}, 1, m / 8}, {[]uint32{1}, []uint32{10}, 1, 0}, {[]uint32{5}, []uint32{4}, 1, m / 2},
		{[]uint32{5}, []uint32{5}, 1, 0}, {nil, []uint32{5}, 1, 0}, {[]uint32{1, 50, 99}, []uint32{20, 51}, 1, m},
	} {
		if got := closeness(c.xs, c.ys, c.want); got != c.got {
			t.Errorf("closeness(%v, %v, %d) = %d, want %d", c.xs, c.ys, c.want, got, c.got)
		}
	}
}

func TestNegation(t *testing.T) {
	e := titled(t, "en",
		"Laptop touchscreen", "Laptop numeric keypad", "Laptop without touchscreen", "Gone without a trace", "Laptop",
	)
	for _, c := range []struct{ query, first, last, without string }{
		{"laptop without touchscreen", "3", "1", "touchscreen"},
		{"laptop without any numeric keypad", "", "2", "numeric keypad"},
		{"laptop other than touchscreen", "3", "1", "touchscreen"},
		{"laptop without touchscreen or numeric keypad", "5", "", "touchscreen numeric keypad"},
		{"laptop without touchscreen or under the numeric keypad", "", "", "touchscreen"},
		{"without a trace", "4", "4", ""},
		{"gone without a trace", "4", "4", "trace"},
		{`laptop "without touchscreen"`, "3", "", ""},
	} {
		res := find(t, e, &Request{Query: c.query, Explain: true})
		ids := idsOf(res)
		if c.first != "" && !strings.HasPrefix(ids, c.first) || c.last != "" && !strings.HasSuffix(ids, c.last) {
			t.Errorf("%q: %q, want %s first and %s last", c.query, ids, c.first, c.last)
		}
		if got := strings.Join(res.Query.Without, " "); got != c.without {
			t.Errorf("%q: not wanted is %q, want %q", c.query, got, c.without)
		}
	}
	for _, r := range []Request{{Tuning: Tuning{Negation: -1}}, {Ranking: RankingBM25}, {Language: "none"}} {
		r.Query = "laptop without touchscreen"
		if res := find(t, e, &r); len(res.Query.Without) > 0 {
			t.Errorf("%+v: not wanted is %q", r, res.Query.Without)
		}
	}
}

// Records that say themselves that they lack what is not wanted come first of those that hold
// another word of the query, or of all if none does; those that say that they have it last; and
// kinds of it are not wanted either.
func TestNegationOfWhatRecordsLack(t *testing.T) {
	for _, c := range []struct {
		language string
		records  []string
		query    string
		want     string
	}{
		{"en", []string{"Cake: flour, gluten", "Cake", "Cake, gluten-free"}, "cake without gluten", "3 2 1"},
		{"en", []string{"Refund: keep the receipt", "No receipt: can I still get a refund?", "Refund"}, "refund without receipt", "2 3 1"},
		{"en", []string{"Dress, long sleeves", "Sleeveless dress", "Dress"}, "dress without sleeves", "2 3 1"},
		{"en", []string{"Cocktail with alcohol", "Alcohol-free colada", "Tea"}, "cocktail without alcohol", "1"},
		{"en", []string{"Cordless vacuum without cable", "Mower with cable", "Mower, quiet and light"}, "mower without cable", "3 2"},
		{"en", []string{"Lemonade with alcohol", "Alcohol-free colada", "Tea"}, "cocktail without alcohol", "2"},
		{"de", []string{"Kabelloser Staubsauger, ohne Kabel", "Rasenmäher mit Kabel", "Rasenmäher mit Motor aus Stahl"}, "Rasenmäher ohne Kabel", "3 2"},
		{"pt", []string{"Aspirador de pó potente com fio", "Robô aspirador pequeno e silencioso"}, "aspirador sem fio", "2 1"},
		{"sv", []string{"Dammsugare med påse", "Dammsugare till bilen och båten"}, "dammsugare som inte har påse", "2 1"},
		{"nl", []string{"Elektrische fiets", "Kinderfiets", "Fiets zonder bel"}, "fiets niet elektrisch", "3 2 1"},
		{"ru", []string{"Чайник электрический", "Чайник фарфоровый"}, "чайник не электрический", "2 1"},
		{"fr", []string{"Sac à main en cuir", "Sac à dos pour ordinateur"}, "sac pas en cuir", "2 1"},
		{"en", []string{"Chicken curry", "Chickpea curry", "Beef curry"}, "curry without meat", "2 1 3"},
		{"de", []string{"Kuchen mit Zucker", "Kuchen, zuckerfrei", "Kuchen"}, "Kuchen ohne Zucker", "2 3 1"},
		{"fr", []string{"Gâteau avec gluten", "Gâteau", "Gâteau sans gluten"}, "gâteau sans gluten", "3 2 1"},
		{"sv", []string{"Kaka med socker", "Kaka", "Kaka, sockerfri"}, "kaka utan socker", "3 2 1"},
	} {
		res := find(t, titled(t, c.language, c.records...), &Request{Query: c.query})
		if got := idsOf(res); got != c.want {
			t.Errorf("%s, %q: %s, want %s", c.language, c.query, got, c.want)
		}
	}
}

func TestNegationByLanguage(t *testing.T) {
	for _, c := range []struct{ language, query, without string }{
		{"de", "Laptop ohne Touchscreen", "Touchscreen"}, {"de", "Jacke mit Ausnahme von Leder", "Leder"},
		{"fr", "ordinateur sans clavier", "clavier"}, {"es", "zapatos sin cordones", "cordones"},
		{"ru", "ноутбук без экрана", "экрана"}, {"tr", "laptop dokunmatik hariç", "dokunmatik"},
		{"fi", "takki ilman huppua", "huppua"}, {"hu", "kabát kapucni nélkül", "kapucni"}, {"ar", "حاسوب بدون شاشة", "شاشة"},
		{"en", "Laptop ohne Touchscreen", ""},
		{"ru", "пылесос без мешка недорогой", "мешка"}, {"ru", "торт без сахарной пудры", "сахарной пудры"},
		{"es", "zapatos que no sean negros", "negros"}, {"pt", "geladeira menos de 1500 reais", ""}, {"es", "nevera menos de 1500", ""},
		{"ru", "интернет не работает", ""}, {"nl", "pakket niet ontvangen", ""}, {"de", "karte funktioniert nicht mehr", ""},
	} {
		e := titled(t, c.language, "x")
		if got := strings.Join(find(t, e, &Request{Query: c.query}).Query.Without, " "); got != c.without {
			t.Errorf("%s: %q: not wanted is %q, want %q", c.language, c.query, got, c.without)
		}
	}
}

func TestCompounds(t *testing.T) {
	e := titled(t, "en", "A notebook", "A note book", "Book", "Note", "Headphones", "Head and phones", "Wireless head phones", "Phones for the head")
	for _, c := range []struct {
		query, ids string
		want       []Correction
	}{
		{"note book", "1 2", []Correction{{"note book", "notebook"}}},
		{"headphones", "5 7", []Correction{{"headphones", "head phones"}}},
		{"bookhead", "", nil},
	} {
		res := find(t, e, &Request{Query: c.query, Match: MatchAll, Prefix: PrefixOff, Typo: Typo{Off: true}})
		if got := sortWords(idsOf(res)); got != c.ids || !slices.Equal(res.Query.Compounds, c.want) {
			t.Errorf("%q: %q by %v, want %q by %v", c.query, got, res.Query.Compounds, c.ids, c.want)
		}
		res = find(t, e, &Request{Query: c.query, Prefix: PrefixOff, Tuning: Tuning{Compound: -1}})
		if len(res.Query.Compounds) > 0 {
			t.Errorf("%q: %v though it is switched off", c.query, res.Query.Compounds)
		}
	}
}

// TestCompoundsFollowTheRecords: what a word was split into before says nothing
// of the records of now, nor of another index.
func TestCompoundsFollowTheRecords(t *testing.T) {
	e := titled(t, "en", "Headphones")
	create(t, e, "other", Schema{Language: "en", Fields: []Field{{Name: "title", Type: Text, Search: true}}})
	apply(t, e, puts("other", `{"id":"o","title":"Headphones"}`))
	gone := &Batch{}
	for _, id := range []string{"2", "3", "4"} {
		gone.Delete("i", id)
	}
	for i, c := range []struct {
		change *Batch
		ids    string
	}{
		{nil, "1"},
		{puts("i", `{"id":"2","title":"Head and phones"}`, `{"id":"3","title":"Wireless head phones"}`, `{"id":"4","title":"Phones for the head"}`), "1 3"},
		{nil, "1 3"},
		{gone, "1"},
	} {
		if c.change != nil {
			apply(t, e, c.change)
		}
		for _, in := range []struct{ index, ids string }{{"i", c.ids}, {"other", "o"}} {
			res := find(t, e, &Request{Indexes: []string{in.index}, Query: "headphones", Match: MatchAll, Prefix: PrefixOff, Typo: Typo{Off: true}})
			if got := sortWords(idsOf(res)); got != in.ids {
				t.Errorf("step %d: %s: %q, want %q", i, in.index, got, in.ids)
			}
		}
	}
}

// Among texts "without" tells what is the case, and denies nothing, unless the query is short, one of them says
// that something is with that, or the query says that something is not to be spoken of.
func TestWithoutAmongTexts(t *testing.T) {
	const about = "that a camera shop tells of in an article of some length about evenings in rooms and what to do about hands that shake"
	e := titled(t, "en", "Blurred pictures and whether a flash would mend them, "+about, "Pictures in frames of wood with stand, "+about)
	for query, without := range map[string]string{
		"pictures without flash are blurred":           "",
		"blurred pictures without a flash":             "",
		"pictures without flash":                       "flash",
		"pictures in frames without stand":             "stand",
		"frames without stand are blurred":             "",
		"articles about pictures excluding flash":      "flash",
		"blurred pictures without mentioning a flash":  "flash",
		"what pictures are there other than of flash?": "flash",
	} {
		res := find(t, e, &Request{Query: query})
		if got := strings.Join(res.Query.Without, " "); got != without {
			t.Errorf("%q: not wanted is %q, want %q", query, got, without)
		}
		if ids := idsOf(res); without == "" && ids == "2" {
			t.Errorf("%q: %q, want 1 as well", query, ids)
		}
	}
}
