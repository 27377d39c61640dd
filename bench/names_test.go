package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"

	"github.com/quarry-search/quarry/engine"
)

// TestNames types titles of records as they are written, and prints how often the first hit
// has that very title: under plain BM25, by default without bonuses for titles, and by default,
// where it must be always so but in one of a hundred searches; and by default with two letters of
// a long word changed over, or one of them left out, or another in its place.
func TestNames(t *testing.T) {
	wanted(t)
	const seed, asked = 5, 1500
	fmt.Println("| corpus | titles | BM25 | without titles | default | misspelt | default |\n|---|--:|--:|--:|--:|--:|--:|")
	for _, name := range []string{"movies-wikipedia", "world-cities"} {
		e, lines := titledCorpus(t, name)
		if err := e.TrainVectors(context.Background(), "c"); err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(seed, 0))
		r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		title := func(record []byte) string { return titleOf(t, record) }
		finds := func(q, want string, req engine.Request) bool {
			req.Query, req.Limit = q, 10
			res, err := e.Search(context.Background(), &req)
			if err != nil {
				t.Fatal(err)
			}
			return len(res.Hits) > 0 && plainTitle(title(res.Hits[0].Record)) == plainTitle(want)
		}
		var first [4]float64
		n, misspelt := 0, 0
		for _, line := range lines {
			q := title(line)
			if notAsked(q) {
				continue
			}
			if n++; n > asked {
				n--
				break
			}
			for i, req := range []engine.Request{{Ranking: engine.RankingBM25}, {Tuning: engine.Tuning{Title: -1}}, {}} {
				if finds(q, q, req) {
					first[i]++
				} else if i == 2 {
					t.Logf("%s: %q", name, q)
				}
			}
			if wrong := misspell(r, q); wrong != q {
				if misspelt++; finds(wrong, q, engine.Request{}) {
					first[3]++
				}
			}
		}
		percent := func(x float64, of int) float64 { return 100 * x / float64(max(of, 1)) }
		fmt.Printf("| %s | %d | %.1f %% | %.1f %% | %.1f %% | %d | %.1f %% |\n", name, n,
			percent(first[0], n), percent(first[1], n), percent(first[2], n), misspelt, percent(first[3], misspelt))
		if first[2] < .99*float64(n) {
			t.Errorf("%s: of %d titles %v are found first", name, n, first[2])
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// plainTitle is a title by its words alone.
func plainTitle(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(strings.NewReplacer("'", "", "’", "").Replace(s)),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) }), " ")
}

// misspell changes a letter or two in the first word of a title that has six letters or more.
func misspell(r *rand.Rand, title string) string {
	words := strings.Fields(title)
	for i, w := range words {
		if len(w) < 6 || strings.ContainsFunc(w, func(c rune) bool { return c > unicode.MaxASCII || !unicode.IsLetter(c) }) {
			continue
		}
		at := 1 + r.IntN(len(w)-3)
		switch r.IntN(3) {
		case 0:
			words[i] = w[:at] + w[at+1:at+2] + w[at:at+1] + w[at+2:]
		case 1:
			words[i] = w[:at] + w[at+1:]
		case 2:
			words[i] = w[:at] + "aeinorst"[r.IntN(8):][:1] + w[at+1:]
		}
		break
	}
	return strings.Join(words, " ")
}

// titledCorpus is an engine with the records of a corpus, of which a schema is inferred, and these.
func titledCorpus(t *testing.T, name string) (*engine.Engine, [][]byte) {
	t.Helper()
	lines := corpusLines(t, name, 100_000)
	schema, err := engine.Infer(lines[:1000], "_id")
	if err != nil {
		t.Fatal(err)
	}
	schema.Language = "en"
	e, _ := openNew(t, schema)
	put(t, e, lines, 10_000, 2)
	if err := e.Merge(context.Background(), "c"); err != nil {
		t.Fatal(err)
	}
	return e, lines
}

// titleOf is the title or name of a record.
func titleOf(t *testing.T, record []byte) string {
	t.Helper()
	var v struct{ Title, Name string }
	if err := json.Unmarshal(record, &v); err != nil {
		t.Fatal(err)
	}
	return v.Title + v.Name
}

// notAsked tells whether a title has no letters, or signs of the syntax of queries.
func notAsked(title string) bool {
	return plainTitle(title) == "" || strings.ContainsAny(title, `"+-*~():^\`)
}
