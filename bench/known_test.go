package bench

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/quarry-search/quarry/bench/eval"
	"github.com/quarry-search/quarry/engine"
)

// knownDocs is how many records of a corpus are indexed to look for known ones, and
// knownQueries how many are looked for.
const (
	knownDocs    = 40_000
	knownQueries = 3000
)

// TestKnownItems looks for records by a part of them that has been taken out: a sentence, the
// first half of a long text, the title where no record has one, or 8, 16 or 32 words from
// anywhere in title and text. It prints nDCG@10 of the default ranking beside plain BM25, and
// in no set of them may it be more than 1 % below, but for the last: a record that lacks the
// words by which it is looked for, while others like it have theirs, is harder to find for
// whoever looks at what stands together and what it is about. Nothing in the ranking was
// chosen by such queries but how it fades in those of many words (engine/longquery.go).
func TestKnownItems(t *testing.T) {
	wanted(t)
	fmt.Println("| corpus | queries | number | BM25 | default | change | t |\n|---|---|--:|--:|--:|--:|--:|")
	for _, name := range []string{"debian-packages", "movies-wikipedia", "speed-mix-en"} {
		parts, titles, stretches := knownItems(t, name)
		for _, c := range []*eval.Collection{parts, titles, stretches} {
			e := inferred(t, c, "en")
			for _, kind := range []string{"sentences", "halves", "titles", "8 words", "16 words", "32 words"} {
				some := *c
				some.Queries = slices.DeleteFunc(slices.Clone(c.Queries), func(q eval.Query) bool { return !strings.HasPrefix(q.ID, kind) })
				if len(some.Queries) == 0 {
					continue
				}
				bm25, now := ndcg(t, &some, e, engine.Request{Ranking: engine.RankingBM25}), ndcg(t, &some, e, engine.Request{})
				percent, tt := gain(now, bm25)
				fmt.Printf("| %s | %s | %d | %.4f | %.4f | %+.2f %% | %+.1f |\n", name, kind, len(some.Queries), bm25.Means["nDCG@10"], now.Means["nDCG@10"], percent, tt)
				if percent < -1 && c != stretches {
					t.Errorf("%s, %s: %.2f %% below plain BM25", name, kind, -percent)
				}
			}
		}
	}
}

// sentenceEnd is where a text is cut into sentences, near enough.
var sentenceEnd = regexp.MustCompile(`[.!?]\s+`)

// knownRecord is what is used of the records of a corpus.
type knownRecord struct {
	ID    string `json:"_id"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

// knownItems takes parts out of records of a corpus: sentences and halves of texts in one
// collection, titles in the second, stretches of words in the third. The ids of queries begin
// with what they are.
func knownItems(tb testing.TB, name string) (parts, titles, stretches *eval.Collection) {
	tb.Helper()
	const seed = 5
	r := rand.New(rand.NewPCG(seed, 1))
	lines := corpusLines(tb, name, 1<<30)
	r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	records := make([]knownRecord, min(knownDocs, len(lines)))
	for i := range records {
		if err := json.Unmarshal(lines[i], &records[i]); err != nil {
			tb.Fatal(err)
		}
	}

	cut := slices.Clone(records)
	asked := map[string][]eval.Query{}
	ids := map[string]string{} // of the records, by query
	ask := func(kind, text, id string) {
		q := eval.Query{ID: kind + strconv.Itoa(len(asked[kind])), Text: text}
		asked[kind], ids[q.ID] = append(asked[kind], q), id
	}
	for i := range cut {
		d := &cut[i]
		words := strings.Fields(d.Text)
		ends := sentenceEnd.FindAllStringIndex(d.Text, -1)
		switch {
		case len(asked["halves"]) < knownQueries/4 && len(words) >= 120:
			half := min(len(words)/2, 200)
			ask("halves", strings.Join(words[:half], " "), d.ID)
			d.Text = strings.Join(words[half:], " ")
		case len(asked["sentences"]) < knownQueries && len(ends) >= 3:
			n := 1 + r.IntN(len(ends)-1)
			from, to := ends[n-1][1], ends[n][1]
			if w := len(strings.Fields(d.Text[from:to])); w >= 5 && w <= 40 {
				ask("sentences", d.Text[from:to], d.ID)
				d.Text = d.Text[:from] + d.Text[to:]
			}
		}
	}
	parts = knownCollection(tb, name, cut, append(asked["sentences"], asked["halves"]...), ids)

	cut = slices.Clone(records)
	for i := range cut {
		d := &cut[i]
		title := d.Title
		if _, says, ok := strings.Cut(title, " - "); ok {
			title = says // of packages, whose names are their ids
		}
		if len(asked["titles"]) < knownQueries && len(strings.Fields(title)) >= 3 && len(strings.Fields(d.Text)) >= 20 {
			ask("titles", title, d.ID)
		}
		d.Title = ""
	}
	titles = knownCollection(tb, name, cut, asked["titles"], ids)

	lengths, kinds := []int{8, 16, 32}, []string{"8 words", "16 words", "32 words"}
	cut = slices.Clone(records)
	for i, at := 0, 0; i < len(cut); i++ {
		d := &cut[i]
		words := strings.Fields(d.Title + " " + d.Text)
		if kind := kinds[at%3]; len(words) >= 64 && len(asked[kind]) < knownQueries/3 {
			n := lengths[at%3]
			from := r.IntN(len(words) - n + 1)
			ask(kind, strings.Join(words[from:from+n], " "), d.ID)
			words = slices.Delete(words, from, from+n)
			at++
		}
		d.Title, d.Text = "", strings.Join(words, " ")
	}
	stretched := slices.Concat(asked[kinds[0]], asked[kinds[1]], asked[kinds[2]])
	return parts, titles, knownCollection(tb, name, cut, stretched, ids)
}

// knownCollection is a collection of queries that each look for one record.
func knownCollection(tb testing.TB, name string, records []knownRecord, queries []eval.Query, ids map[string]string) *eval.Collection {
	tb.Helper()
	documents := make([]eval.Document, len(records))
	for i, d := range records {
		data, err := json.Marshal(d)
		if err != nil {
			tb.Fatal(err)
		}
		documents[i] = eval.Document{ID: d.ID, Record: data}
	}
	c, err := eval.New(name, eval.DocumentsOf(documents...), nil)
	if err != nil {
		tb.Fatal(err)
	}
	c.Queries, c.Judgments = queries, eval.Judgments{}
	for _, q := range queries {
		c.Judgments[q.ID] = map[string]int{ids[q.ID]: 1}
	}
	return c
}
