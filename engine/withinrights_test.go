package engine

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// rightsWords are words that are written as one and as two, that the thesaurus knows, or that slips are
// made in.
var rightsWords = map[string][]string{
	"en": strings.Fields("sun flower sunflower note book notebook notebooks house boat houseboat tooth brush toothbrush fire fighter firefighter firefighters " +
		"sofa couch settee furniture kids children car cars automobile image photo recognition quick fast usb-c usb c e-bike bike ebike wi-fi wifi fi " +
		"base ball baseball data database time timeshare share running shoes login log in movie film calorie caloriemate cookery cooking class workshop course M8x40 8 40 " +
		"already use lamp blue rose bus stop"),
	"de": strings.Fields("Hund Hunde Futter Hundefutter Kinder Schuhe Kinderschuhe Leder Lederjacke Jacke Winterjacke Winter Garten Stuhl Gartenstuhl Tisch Gartentisch " +
		"Auto PKW Wagen Sofa Couch Handy Mobiltelefon Smartphone Telefon Fahrrad Rad E-Bike Bike Flug Fluggastrechte Gastrechte Wespe Wespen Wespennest Nest Tee Kanne Teekanne " +
		"Saugroboter Roboter Wischfunktion Wasserkocher Kocher Wasser günstig billig Rechner Computer Brot Backen Brotbackautomat kaufen Wohnung Mietwohnung schon und"),
}

// slipIn makes a slip in a word: a letter is left out, doubled or exchanged with the next.
func slipIn(r *rand.Rand, word string) string {
	letters := []rune(word)
	if len(letters) < 4 {
		return word
	}
	at := 1 + r.IntN(len(letters)-2)
	switch r.IntN(3) {
	case 0:
		return string(slices.Delete(letters, at, at+1))
	case 1:
		return string(slices.Insert(letters, at, letters[at]))
	}
	letters[at], letters[at+1] = letters[at+1], letters[at]
	return string(letters)
}

// rightsQuery is a query of a few words, which may be misspelt, joined with the next or split.
func rightsQuery(r *rand.Rand, words []string) string {
	out := ""
	for i := range 1 + r.IntN(3) {
		w := words[r.IntN(len(words))]
		switch letters := []rune(w); {
		case r.IntN(4) == 0:
			w = slipIn(r, w)
		case r.IntN(6) == 0 && len(letters) > 5:
			at := 2 + r.IntN(len(letters)-4)
			w = string(letters[:at]) + " " + string(letters[at:])
		}
		if i > 0 && r.IntN(5) > 0 {
			out += " "
		}
		out += w
	}
	return strings.ToLower(out) + [...]string{"", " "}[r.IntN(2)]
}

// rightsEngine holds records, each of a tenant, in several segments of an index; or of two, by their ids.
func rightsEngine(t *testing.T, language string, two bool, records []string) *Engine {
	t.Helper()
	e := newEngine(t, &Options{FlushRecords: 40, Memory: 16 << 20})
	for _, name := range []string{"i", "j"} {
		create(t, e, name, Schema{Language: language, Fields: []Field{{Name: "title", Type: Text, Search: true, Weight: 3}, {Name: "body", Type: Text, Search: true},
			{Name: "tenant", Type: Int, Filter: true}, {Name: "shown", Type: Bool, Filter: true}}})
	}
	for some := range slices.Chunk(records, 50) {
		var b Batch
		for _, record := range some {
			name := "i"
			if id, _, _ := strings.Cut(record, `","`); two && id[len(id)-1]%2 == 1 {
				name = "j"
			}
			b.Put(name, []byte(record))
		}
		apply(t, e, &b)
	}
	return e
}

// rightsIndexes are the indexes that are searched.
func rightsIndexes(two bool) []string {
	return []string{"i", "j"}[:map[bool]int{false: 1, true: 2}[two]]
}

func rightsRecords(r *rand.Rand, words []string, prefix string, tenant, n int) (out []string) {
	for i := range n {
		out = append(out, fmt.Sprintf(`{"id":"%s%d","tenant":%d,"shown":true,"title":%q,"body":%q}`, prefix, i, tenant, phraseOf(r, words, 1+r.IntN(3)), phraseOf(r, words, 1+r.IntN(8))))
	}
	return out
}

// rightsAnswer is all that a search says: what was understood, and the hits with their scores.
func rightsAnswer(t *testing.T, e *Engine, req Request) string {
	t.Helper()
	res := find(t, e, &req)
	out := fmt.Sprintf("%s %v %q %v %v %d:", res.Query.Text, res.Query.Corrections, res.Query.DidYouMean, res.Query.Compounds, res.Query.Thesaurus, res.Total)
	for _, h := range res.Hits {
		out += fmt.Sprint(" ", h.ID, "=", h.Score)
	}
	return out
}

// TestRightsToAll: a filter that is imposed and that all records satisfy changes nothing.
func TestRightsToAll(t *testing.T) {
	for seed := range uint64(24) {
		r := rand.New(rand.NewPCG(seed, 31))
		language, two := []string{"en", "de"}[seed%2], seed%8 >= 6
		some := rightsWords[language]
		words := slices.Clone(some) // of the records: a part, so that queries have others
		r.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
		e := rightsEngine(t, language, two, rightsRecords(r, words[:10+r.IntN(len(words)-10)], "v", 1, []int{5, 60, 300}[seed%3]))
		wrong, asked := 0, 0
		for range 120 {
			req := Request{Indexes: rightsIndexes(two), Query: rightsQuery(r, some), Limit: 50, Prefix: Prefix(r.IntN(2)), Match: Match(r.IntN(2))}
			want := rightsAnswer(t, e, req)
			req.Restrict = []string{"shown = true"}
			for range 2 { // the second time some of it is remembered
				asked++
				if got := rightsAnswer(t, e, req); got != want {
					if wrong++; wrong == 1 {
						t.Errorf("seed %d, %s: %q:\n%s, without a filter\n%s", seed, language, req.Query, got, want)
					}
				}
			}
		}
		if wrong > 0 {
			t.Errorf("seed %d, %s: %d of %d answers are others", seed, language, wrong, asked)
		}
	}
}

// TestRightsToSome: what is found within rights, and what is told of the query, is that of an index that
// holds nothing else, whatever others hold. Scores may not be: how many records hold a word counts there.
func TestRightsToSome(t *testing.T) {
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 32))
		language, two := []string{"en", "de"}[seed%2], seed%8 >= 6
		some := rightsWords[language]
		words := slices.Clone(some)
		r.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
		seen := rightsRecords(r, words[:6+r.IntN(len(words)/2)], "v", 1, []int{4, 40, 200}[seed%3])
		alone := rightsEngine(t, language, two, seen)
		var all []string
		hidden := rightsRecords(r, some, "h", 2, []int{3, 150, 1800}[(seed/2)%3])
		for i, rec := range seen { // among each other
			all = append(append(all, hidden[i*len(hidden)/len(seen):(i+1)*len(hidden)/len(seen)]...), rec)
		}
		beside := rightsEngine(t, language, two, all)
		wrong, asked := 0, 0
		for range 120 {
			req := Request{Indexes: rightsIndexes(two), Query: rightsQuery(r, some), Limit: 500, Prefix: Prefix(r.IntN(2)), Match: Match(r.IntN(2))}
			ask := func(e *Engine) string {
				res := find(t, e, &req)
				ids := strings.Fields(idsOf(res))
				slices.Sort(ids)
				q := res.Query
				return fmt.Sprintf("%s %v %q %v %v %d %v", q.Text, q.Corrections, q.DidYouMean, q.Compounds, q.Thesaurus, res.Total, ids)
			}
			want := ask(alone)
			req.Restrict = []string{"tenant = 1"}
			for range 2 {
				asked++
				if got := ask(beside); got != want {
					if wrong++; wrong == 1 {
						t.Errorf("seed %d, %s: %q:\n%s, where there are no others\n%s", seed, language, req.Query, got, want)
					}
				}
			}
		}
		if wrong > 0 {
			t.Errorf("seed %d, %s: %d of %d answers are others", seed, language, wrong, asked)
		}
	}
}
