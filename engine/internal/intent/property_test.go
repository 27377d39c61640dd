package intent

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/quarry-search/quarry/engine/query"
)

// checkParts tests what holds of the parts of any query: they stand in order,
// do not overlap, lie within the spans, and have filters in canonical form.
func checkParts(t *testing.T, d *Domain, v Vocabulary, text string, spans [][2]int) []Part {
	t.Helper()
	parts, err := d.Understand(text, spans, v)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	at := 0
	for _, p := range parts {
		if p.Start < at || p.End <= p.Start || p.End > len(text) || !utf8.ValidString(text[p.Start:p.End]) && utf8.ValidString(text) {
			t.Fatalf("%q: a part from %d to %d, after %d", text, p.Start, p.End, at)
		}
		at = p.End
		filter := query.FilterString(p.Filter)
		n, err := query.ParseFilter(filter, query.Limits{})
		if err != nil || query.FilterString(n) != filter {
			t.Fatalf("%q: %s is no filter in canonical form: %v", text, filter, err)
		}
		within := false
		for _, s := range spans {
			within = within || s[0] <= p.Start && p.Start < s[1]
		}
		if !within {
			t.Fatalf("%q: a part at %d, out of all spans", text, p.Start)
		}
	}
	return parts
}

// Queries made of pieces with a known meaning say what the pieces say, in any
// order, with words that say nothing between them.
func TestPiecesKeepTheirMeaning(t *testing.T) {
	c := NewCues("en")
	d, v := NewDomain(c, shop, nil), shopValues(c)
	pieces := []struct{ text, filter string }{
		{"nike", `brand = "Nike"`}, {"red", `color = "Red"`}, {"laptops", `type = "Laptop"`}, {"under $50", "price < 50"},
		{"at least 4 stars", "rating >= 4"}, {"over 2 kg", "weight_g > 2000"}, {"before 1990", "released < 1990-01-01"}, {"16 gb", "memory = 16"},
		{"between 20 and 40 euros", "price 20..40"}, {"17-inch", "screen_in = 17"}, {"in stock", "in_stock = true"}, {"8 cores", "cores = 8"},
	}
	fill := []string{"lovely", "quokka", "zebra", "nonsense", "purring"}
	const seed = 7
	r := rand.New(rand.NewPCG(seed, 1))
	for range 3000 {
		var words, want []string
		for _, i := range r.Perm(len(pieces))[:1+r.IntN(4)] {
			words = append(words, pieces[i].text)
			want = append(want, pieces[i].filter)
			for range 1 + r.IntN(2) {
				words = append(words, fill[r.IntN(len(fill))])
			}
		}
		text := strings.Join(words, " ")
		var got []string
		for _, p := range checkParts(t, d, v, text, [][2]int{{0, len(text)}}) {
			got = append(got, query.FilterString(p.Filter))
		}
		if strings.Join(got, "; ") != strings.Join(want, "; ") {
			t.Fatalf("seed %d: %q says %v, want %v", seed, text, got, want)
		}
	}
}

func FuzzUnderstand(f *testing.F) {
	for _, q := range []string{
		"nike red shoes under $50", "between 20 and 40", `17" laptop`, "since 1 May 2015", "from the 1980s", "à moins de 1 500,50 €", "до 1 500 рублей",
		"1.2.3", "12'34", "1,2,3.4", "80's", "<=", "< = 5", "4+ stars", "١٢٣", "99999999999999999999999999 dollars", "0.00000000000000000001 kg", "not", "\xff 5 \xfe",
		"31.12.1999", "Feb 31 2015", "before 2015-02-29", "20–40 €", "₹1,00,000", "50'den az", "over magnitude 7", "released after 2010", "2 millions d'habitants", "closest to the center", "salary between 80k and 120k",
	} {
		f.Add(q, uint8(len(q)/2))
	}
	c := NewCues(Languages()...)
	d, v := NewDomain(c, shop, []Hint{{Words: []string{"cheap"}, Filter: query.All{}}}), shopValues(c)
	counted := NewDomain(c, []Field{
		{Name: "num_reviews", Type: Number}, {Name: "population", Type: Number}, {Name: "salary_min", Type: Number}, {Name: "salary_max", Type: Number}, {Name: "age", Type: Number},
		{Name: "runtime", Type: Number}, {Name: "release_date", Type: Date}, {Name: "founded", Type: Number}, {Name: "magnitude", Type: Number}, {Name: "distance_to_center_km", Type: Number},
		{Name: "stars", Type: Number}, {Name: "guest_rating", Type: Number}, {Name: "elevation_m", Type: Number}, {Name: "country", Type: Category},
	}, nil)
	spans := vocabularyOf(c, "country: Nigeria*5")
	spans.spans = map[string][2]float64{"population": {1, 2e7}, "salary_min": {2e4, 9e4}, "salary_max": {5e4, 2e5}, "age": {16, 70}, "stars": {1, 5}, "guest_rating": {1, 10}}
	f.Fuzz(func(t *testing.T, text string, cut uint8) {
		checkParts(t, d, v, text, [][2]int{{0, len(text)}})
		checkParts(t, counted, spans, text, [][2]int{{0, len(text)}})
		if at := int(cut); at < len(text) && utf8.RuneStart(text[at]) {
			checkParts(t, d, v, text, [][2]int{{0, at}, {at, len(text)}})
		}
	})
}

// A query that says nothing costs next to nothing.
func TestNothingToUnderstand(t *testing.T) {
	c := NewCues("en")
	d, v := NewDomain(c, shop, nil), none{}
	const text = "what similarity laws must be obeyed when constructing models of aircraft"
	spans := [][2]int{{0, len(text)}}
	if got := testing.AllocsPerRun(100, func() {
		if parts, err := d.Understand(text, spans, v); err != nil || len(parts) > 0 {
			t.Fatal(parts, err)
		}
	}); got > 8 {
		t.Errorf("%v allocations", got)
	}
}

// none is an empty Vocabulary.
type none struct{}

func (none) Span(string) (least, greatest float64, known bool) { return 0, 0, false }

func (none) Longest(words, bases []string) (int, []Value, error) { return 0, nil, nil }

func (none) Unwanted(words, bases []string) (int, []Value, error) { return 0, nil, nil }

// What has no number and no word for a decade is not cut into items, in any language.
func TestTextsThatMayCount(t *testing.T) {
	const seed = 12
	r := rand.New(rand.NewPCG(seed, 1))
	pieces := []string{"90", "9", "٩", "х", "eighties", "Eighties", "achtziger", "sixt", "l'an", "d’or", "ёлка", "Çok", "İ", "x", "noventa", "восьмидесятые", "zwanziger", "漢", "ー", "-", ".", " ", "  ", strings.Repeat("long", 12), "\xff", "é", "\u0301"}
	if c := NewCues("zh"); !c.mayCount("最多最少", [][2]int{{0, len("最多最少")}}) {
		t.Error("最多最少 are two superlatives")
	}
	counted := 0
	for _, language := range []string{"en", "de", "ru", "tr", "zh", "es", "fr"} {
		c := NewCues(language)
		for _, p := range slices.Sorted(maps.Keys(c.tens)) {
			pieces = append(pieces, p, strings.ToUpper(p))
		}
		for range 3000 {
			var text strings.Builder
			for range 1 + r.IntN(5) {
				text.WriteString(pieces[r.IntN(len(pieces))])
			}
			spans := [][2]int{{0, text.Len()}}
			for _, it := range c.scan(nil, text.String(), spans) {
				if counts := it.kind == number || c.tens[it.text]; counts {
					counted++
					if !c.mayCount(text.String(), spans) {
						t.Fatalf("seed %d: %s: %q has %q", seed, language, text.String(), it.text)
					}
				}
			}
		}
	}
	if counted == 0 {
		t.Error("no text counts")
	}
}
