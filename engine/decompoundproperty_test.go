package engine

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/quarry-search/quarry/tokenize"
)

// compoundWords are what random compounds are made of: with umlauts, with stems that are
// shorter than heads, with a filler word.
func compoundWords() []string {
	return []string{"Hunde", "Futter", "Kinder", "Schuhe", "Leder", "Tasche", "Garten", "Stühle", "Tisch", "Hose", "Tee", "unter", "Bücher"}
}

// englishWords are the same for a language that writes few compounds as one word.
func englishWords() []string {
	return []string{"house", "boats", "tooth", "brush", "water", "under", "paper", "books", "shop", "trans", "port"}
}

// textOfParts returns a few words, of which many are compounds of some parts.
func textOfParts(r *rand.Rand, parts []string) string {
	var words []string
	for range 1 + r.IntN(4) {
		w := ""
		for range 1 + r.IntN(3) {
			w += strings.ToLower(parts[r.IntN(len(parts))])
			if r.IntN(3) == 0 {
				w += "s"
			}
		}
		words = append(words, w)
	}
	return strings.Join(words, " ")
}

// compoundAnswer is all that a search says: hits with their scores, and what was told.
func compoundAnswer(t *testing.T, e *Engine, query string, restrict []string, indexes ...string) string {
	t.Helper()
	res := find(t, e, &Request{Indexes: indexes, Query: query, Match: MatchAny, Prefix: PrefixOff, Limit: 500, Typo: Typo{Off: true}, Restrict: restrict, Intent: Intent{Mode: IntentOff}})
	out := fmt.Sprint(res.Total, res.Query.Compounds, ":")
	for _, h := range res.Hits {
		out += fmt.Sprint(" ", h.ID, "=", h.Score)
	}
	return out
}

// TestDecompoundProperty: whatever the segments are, and whatever was deleted from them, the
// answer is that of an index that never had anything else; and records are found by heads.
func TestDecompoundProperty(t *testing.T) {
	t.Run("de", func(t *testing.T) { decompoundProperty(t, "de", compoundWords()) })
	t.Run("en", func(t *testing.T) { decompoundProperty(t, "en", englishWords()) })
}

func decompoundProperty(t *testing.T, language string, parts []string) {
	ctx := context.Background()
	analyzer, err := tokenize.New(tokenize.Options{Language: language})
	if err != nil {
		t.Fatal(err)
	}
	schema := Schema{Language: language, Fields: []Field{{Name: "text", Type: Text, Search: true}}}
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 5))
		e := newEngine(t, &Options{FlushRecords: 20, Memory: 16 << 20})
		create(t, e, "i", schema)
		records := map[string]string{}
		for step := range 12 {
			var b Batch
			for range 1 + r.IntN(25) {
				if id := fmt.Sprint(r.IntN(120)); r.IntN(4) == 0 {
					b.Delete("i", id)
					delete(records, id)
				} else {
					records[id] = textOfParts(r, parts)
					b.Put("i", fmt.Appendf(nil, `{"id":%q,"text":%q}`, id, records[id]))
				}
			}
			apply(t, e, &b)
			if r.IntN(4) == 0 {
				if err := e.Merge(ctx, "i"); err != nil {
					t.Fatal(err)
				}
			}
			fresh := newEngine(t, nil)
			create(t, fresh, "i", schema)
			var all []string
			for id, text := range records {
				all = append(all, fmt.Sprintf(`{"id":%q,"text":%q}`, id, text))
			}
			slices.Sort(all)
			apply(t, fresh, puts("i", all...))
			for range 12 {
				query := textOfParts(r, parts)
				want := compoundAnswer(t, fresh, query, nil, "i")
				for range 2 { // the second time much is remembered
					if got := compoundAnswer(t, e, query, nil, "i"); got != want {
						t.Fatalf("seed %d, step %d: %q:\n%s, in a new index\n%s", seed, step, query, got, want)
					}
				}
				if first, _, several := strings.Cut(query, " "); !several && language == "de" {
					checkHeads(t, analyzer, first, records, idsOf(find(t, e, &Request{Indexes: []string{"i"}, Query: query, Prefix: PrefixOff, Limit: 500, Typo: Typo{Off: true}})))
				}
			}
		}
	}
}

// checkHeads looks at every record: those that have a word, or a compound with it as its head,
// have to be found.
func checkHeads(t *testing.T, a *tokenize.Analyzer, word string, records map[string]string, found string) {
	t.Helper()
	asked := a.AnalyzeQuery(word)[0]
	if asked.Stop {
		return // it is the head of nothing
	}
	for id, text := range records {
		for _, tok := range a.Analyze(text) {
			end, of := string(asked.Term), string(tok.Term)
			if utf8.RuneCountInString(end) < minHead {
				end, of = string(asked.Word), string(tok.Word)
			}
			rest, ok := strings.CutSuffix(of, end)
			is := string(tok.Term) == string(asked.Term)
			if ok && utf8.RuneCountInString(end) >= minHead && utf8.RuneCountInString(rest) >= minRest {
				is = is || !a.AnalyzeQuery(rest)[0].Stop
			}
			if is && !slices.Contains(strings.Fields(found), id) {
				t.Fatalf("%q does not find %q, but %s", word, text, found)
			}
		}
	}
}

// TestDecompoundOfSeveralIndexes: several indexes answer as one that holds all records.
func TestDecompoundOfSeveralIndexes(t *testing.T) {
	schema := Schema{Language: "de", Fields: []Field{{Name: "text", Type: Text, Search: true}}}
	e := newEngine(t, nil)
	for _, name := range []string{"a", "b", "all"} {
		create(t, e, name, schema)
	}
	for i, text := range []string{"Hundefutter", "Futter für Hunde", "Lederschuhe", "Schuhe für Kinder", "Winterjacke für Damen", "Teekanne", "etwas anderes", "noch etwas", "und etwas"} {
		record := fmt.Sprintf(`{"id":"%d","text":%q}`, i, text)
		apply(t, e, puts([]string{"a", "b"}[i%2], record))
		apply(t, e, puts("all", record))
	}
	for _, query := range []string{"Schuhe", "Futter", "Futter Hunde", "Kinderschuhe", "Hundefutter", "Damenjacke", "Tee Kanne", "Jacke", "Teejacke", "Winterfutter", "Winterschuhe", "Lederjacke", "Kane"} {
		for range 2 {
			if got, want := compoundAnswer(t, e, query, nil, "a", "b"), compoundAnswer(t, e, query, nil, "all"); got != want {
				t.Errorf("%q: in two indexes %s, in one %s", query, got, want)
			}
		}
	}
}

// TestDecompoundOutOfSight: compounds that only records out of sight hold, and parts of the
// query that only they hold, are as if nothing held them.
func TestDecompoundOutOfSight(t *testing.T) {
	schema := Schema{Language: "de", Fields: []Field{{Name: "text", Type: Text, Search: true}, {Name: "tenant", Type: Int, Filter: true}}}
	seen := []string{"Kinder und Schuhe", "Lederjacke", "Garten", "Hunde", "Herren laufen in Schuhen"}
	hidden := []string{"Hundefutter", "Futter", "Gartenstuhl", "Laufschuhe", "Kinderschuhe", "Winterjacke", "Tisch", "Kanne"}
	fill := func(hidden []string) *Engine {
		e := newEngine(t, nil)
		create(t, e, "i", schema)
		for i, text := range seen {
			apply(t, e, puts("i", fmt.Sprintf(`{"id":"s%d","text":%q,"tenant":1}`, i, text)))
		}
		for i, text := range hidden {
			apply(t, e, puts("i", fmt.Sprintf(`{"id":"h%d","text":%q,"tenant":2}`, i, text)))
		}
		return e
	}
	nothing := make([]string, len(hidden))
	for i := range nothing {
		nothing[i] = fmt.Sprint("xyz", i)
	}
	with, without := fill(hidden), fill(nothing)
	ask := func(e *Engine, query string) string {
		res := find(t, e, &Request{Query: query, Match: MatchAny, Prefix: PrefixOff, Restrict: []string{"tenant = 1"}})
		return fmt.Sprint(sortWords(idsOf(res)), res.Query.Compounds, res.Query.Corrections, res.Query.DidYouMean)
	}
	for _, query := range []string{"Futter", "Stuhl", "Futter Hunde", "Hundefutter", "Kinderschuhe", "Herrenlaufschuhe", "Jacke", "Gartentisch", "Hundekanne", "Schuhe", "Wintertisch", "Gartenjacke", "Gartenkanne", "Laufjacke", "Hundefuter", "Kannen", "Lederstuhl", "isch", "Herrentisch"} {
		if got, want := ask(with, query), ask(without, query); got != want {
			t.Errorf("%q: %s where others hold it, %s where nobody does", query, got, want)
		}
	}
	if got := ask(with, "Kinderschuhe"); !strings.HasPrefix(got, "s0[{kinderschuhe kinder schuhe}]") {
		t.Errorf("the parts of a word in sight: %s", got)
	}
}

// TestDecompoundIsRemembered: what ends with a word is looked for once in a view, and a
// language that writes compounds apart looks for nothing.
func TestDecompoundIsRemembered(t *testing.T) {
	endings := func(e *Engine) (n int) {
		for i := range e.facts.places {
			if f := e.facts.places[i].Load(); f != nil && f.key.kind == factEndings {
				n++
			}
		}
		return n
	}
	for language, want := range map[string]int{"de": 1, "en": 0} {
		e := titled(t, language, "Winterjacke", "Regenjacke", "Jacke")
		for range 2 {
			find(t, e, &Request{Query: "Jacke"})
			if got := endings(e); got != want {
				t.Errorf("%s: %d searches of the lexicon, want %d", language, got, want)
			}
		}
		if _, bytes := e.words.size(); language == "en" && bytes > 0 {
			t.Errorf("%s: a lexicon of %d bytes was read", language, bytes)
		}
	}
}
