package bench

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/quarry-search/quarry/engine"
)

// siteQuery is a query of testdata/sites and what it is to find: see its README.
type siteQuery struct {
	Site      string
	Q         string
	Within    int      // one of Right is among so many hits
	Right     []string // without Within: the first five hits, or as many as there are of these, are of these
	First     []string // the first hit is one of these
	Only      []string // there are hits, and the first ten are of these
	Debatable bool
}

// satisfied tells whether hits are what the query is to find.
func (q *siteQuery) satisfied(hits []string) bool {
	strange := func(of []string) func(string) bool {
		return func(id string) bool { return !slices.Contains(of, id) }
	}
	switch {
	case q.First != nil:
		return len(hits) > 0 && slices.Contains(q.First, hits[0])
	case q.Only != nil:
		return len(hits) > 0 && !slices.ContainsFunc(hits[:min(len(hits), 10)], strange(q.Only))
	case q.Within > 0:
		return slices.ContainsFunc(hits[:min(len(hits), q.Within)], func(id string) bool { return slices.Contains(q.Right, id) })
	}
	k := min(5, len(q.Right))
	return len(hits) >= k && !slices.ContainsFunc(hits[:k], strange(q.Right))
}

// unpacked reads a file of testdata/sites.
func unpacked(t *testing.T, name string) []byte {
	t.Helper()
	f, err := os.Open("testdata/sites/" + name + ".jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestSites asks the records of 48 sites, imported as they are, what people would, and
// prints how many queries find what they are to find, by plain BM25 and by default. The default
// ranking may be worse on none, and has to be good for four of five queries over all.
func TestSites(t *testing.T) {
	var queries []siteQuery
	dec := json.NewDecoder(bytes.NewReader(unpacked(t, "queries")))
	for dec.More() {
		var q siteQuery
		if err := dec.Decode(&q); err != nil {
			t.Fatal(err)
		}
		queries = append(queries, q)
	}
	e, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	ctx := context.Background()
	made := map[string]bool{}
	good := map[string]*[3]int{} // by site: queries, good ones by BM25, by default
	var sites []string
	for _, q := range queries {
		if !made[q.Site] {
			made[q.Site] = true
			sites, good[q.Site] = append(sites, q.Site), new([3]int)
			var b engine.Batch
			var sample [][]byte
			s := bufio.NewScanner(bytes.NewReader(unpacked(t, q.Site)))
			for s.Scan() {
				record := bytes.Clone(s.Bytes())
				sample = append(sample, record)
				b.Put(q.Site, record)
			}
			schema, err := engine.Infer(sample, "id")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := e.CreateIndex(ctx, q.Site, schema); err != nil {
				t.Fatal(err)
			}
			if _, err := e.Apply(ctx, &b); err != nil {
				t.Fatal(err)
			}
		}
		good[q.Site][0]++
		for i, ranking := range []engine.Ranking{engine.RankingBM25, engine.RankingDefault} {
			res, err := e.Search(ctx, &engine.Request{Indexes: []string{q.Site}, Query: q.Q, Limit: 10, Ranking: ranking})
			if err != nil {
				t.Fatalf("%s: %q: %v", q.Site, q.Q, err)
			}
			ids := make([]string, len(res.Hits))
			for j, h := range res.Hits {
				ids[j] = h.ID
			}
			if q.satisfied(ids) {
				good[q.Site][1+i]++
			} else if i == 1 && testing.Verbose() && !q.Debatable {
				t.Logf("%s: %q finds %s, %s", q.Site, q.Q, strings.Join(ids, " "), info(&res.Query))
			}
		}
	}
	fmt.Println("| site | queries | BM25 | default |\n|---|--:|--:|--:|")
	var all [3]int
	for _, site := range sites {
		n := good[site]
		fmt.Printf("| %s | %d | %d | %d |\n", site, n[0], n[1], n[2])
		if n[2] < n[1] {
			t.Errorf("%s: by default %d of %d queries find what they are to find, %d by BM25", site, n[2], n[0], n[1])
		}
		for i := range all {
			all[i] += n[i]
		}
	}
	fmt.Printf("| all | %d | %d | %d |\n", all[0], all[1], all[2])
	if 5*all[2] < 4*all[0] {
		t.Errorf("by default %d of %d queries find what they are to find", all[2], all[0])
	}
}

// info is what was made of a query.
func info(q *engine.QueryInfo) string {
	return fmt.Sprintf("intent %v, corrections %v, compounds %v, thesaurus %v", q.Intent, q.Corrections, q.Compounds, q.Thesaurus)
}
