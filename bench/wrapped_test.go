package bench

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/quarry-search/quarry/bench/eval"
	"github.com/quarry-search/quarry/engine"
)

// wrapping is what somebody wrote around what they ask for, and adds nothing to it.
type wrapping struct{ Language, Before, After string }

// around writes a query into it.
func (w *wrapping) around(query string) string {
	space := " "
	if w.Language == "zh" || w.Language == "ja" {
		space = ""
	}
	if w.Before != "" {
		query = w.Before + space + query
	}
	if w.After != "" {
		query += space + w.After
	}
	return query
}

// wrappings are those of testdata/wrappings.jsonl by language.
func wrappings(t *testing.T) map[string][]wrapping {
	f, err := os.Open("testdata/wrappings.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out := map[string][]wrapping{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var w wrapping
		if err := json.Unmarshal(lines.Bytes(), &w); err != nil {
			t.Fatal(err)
		}
		out[w.Language] = append(out[w.Language], w)
	}
	return out
}

// TestWrapped prints what is left of nDCG@10 where people say more than what they ask for: "hi, does
// anybody know a good ... ? thanks". Every short query of the collections of testdata/judged is asked
// in what testdata/wrappings.jsonl has around queries in its language, by writers who had seen
// neither the phrases that are known (tokenize.Frames) nor the collections.
func TestWrapped(t *testing.T) {
	type kept struct{ plain, bm25, wrapped float64 }
	var mu sync.Mutex
	by := map[string]*kept{}
	all := wrappings(t)
	t.Run("collections", func(t *testing.T) {
		for name, c := range judged(t) {
			language := "en"
			if _, l, ok := strings.Cut(name, "-"); ok {
				language = l
			}
			around := all[language]
			c.Queries = slices.DeleteFunc(c.Queries, func(q eval.Query) bool { return !isShort(q.Text) || c.Judgments.Relevant(q.ID) == 0 })
			if len(around) == 0 || len(c.Queries) == 0 {
				continue
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				e := inferred(t, c, "")
				plain := ndcg(t, c, e, engine.Request{}).Means["nDCG@10"]
				asked := slices.Clone(c.Queries)
				var wrapped, bm25 float64
				for _, w := range around {
					for i := range asked {
						c.Queries[i].Text = w.around(asked[i].Text)
					}
					got := ndcg(t, c, e, engine.Request{}).Means["nDCG@10"]
					wrapped += got / float64(len(around))
					bm25 += ndcg(t, c, e, engine.Request{Ranking: engine.RankingBM25}).Means["nDCG@10"] / float64(len(around))
					if testing.Verbose() {
						t.Logf("%5.1f %% %s ... %s", 100*got/plain, w.Before, w.After)
					}
				}
				mu.Lock()
				defer mu.Unlock()
				if by[language] == nil {
					by[language] = &kept{}
				}
				n := float64(len(asked))
				k := by[language]
				k.plain, k.wrapped, k.bm25 = k.plain+n*plain, k.wrapped+n*wrapped, k.bm25+n*bm25
			})
		}
	})
	languages := make([]string, 0, len(by))
	for l := range by {
		languages = append(languages, l)
	}
	slices.Sort(languages)
	fmt.Println("| language | kept by the default, % | by plain BM25 |\n|---|--:|--:|")
	for _, l := range languages {
		now, bm25 := 100*by[l].wrapped/by[l].plain, 100*by[l].bm25/by[l].plain
		fmt.Printf("| %s | %.1f | %.1f |\n", l, now, bm25)
		if now < leastKept {
			t.Errorf("%s: %.1f %% is kept", l, now)
		}
	}
}

// leastKept is the share of nDCG@10 that is left in each language, in percent: what is reached today,
// rounded down.
const leastKept = 97

// isShort tells whether a query is one that something can be written around.
func isShort(query string) bool {
	words := len(strings.Fields(query))
	return !strings.ContainsAny(query, "?？") && words <= 5 && (words > 1 || utf8.RuneCountInString(query) <= 15)
}
