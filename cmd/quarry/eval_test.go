package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// collection makes a judged collection.
func (c *cli) collection(name string) string {
	c.write(filepath.Join(name, "corpus.jsonl"), `{"_id":"d1","title":"Red shoes","text":"for runners"}
{"_id":"d2","title":"Blue shoes","text":"red laces"}
{"_id":"d3","title":"Green hat","text":"for everyone"}
`)
	c.write(filepath.Join(name, "queries.jsonl"), `{"_id":"q1","text":"red shoes"}
{"_id":"q2","text":"which hat is for everyone"}
{"_id":"q3","text":"not judged"}
`)
	c.write(filepath.Join(name, "others.jsonl"), `{"_id":"q1","text":"shoe red"}
{"_id":"q2","text":"hat"}
`)
	c.write(filepath.Join(name, "qrels.tsv"), "query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td3\t1\n")
	return name
}

func TestEval(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	c := newCLI(t)
	one, two := c.collection("one"), c.collection("two")
	out := c.must("eval", one, two)
	if !regexp.MustCompile(`(?m)^ +2 +1\.0000 +1\.0000 .* one$`).MatchString(out) || !strings.Contains(out, "mean") {
		t.Errorf("eval prints\n%s\nwant a perfect line for one, and a mean", out)
	}
	if out := c.must("eval", one, "--queries", "others.jsonl"); !strings.Contains(out, " 1.0000") {
		t.Errorf("eval of other queries prints\n%s", out)
	}
	var report struct {
		Ranking string `json:"ranking"`
		Reports []struct {
			Means map[string]float64 `json:"means"`
		} `json:"reports"`
	}
	if err := json.Unmarshal([]byte(c.must("eval", one, "--ranking", "bm25", "--json")), &report); err != nil || report.Ranking != "bm25" || report.Reports[0].Means["nDCG@10"] != 1 {
		t.Errorf("eval --json: %+v, error %v", report, err)
	}
	if left, _ := filepath.Glob(os.Getenv("TMPDIR") + "/*"); len(left) != 0 {
		t.Errorf("eval leaves %v behind", left)
	}
}

func TestEvalRuns(t *testing.T) {
	c := newCLI(t)
	dir := c.collection("one")
	c.must("eval", dir, "--ranking", "bm25", "--run", "bm25.run")
	run, err := os.ReadFile("bm25.run")
	if err != nil || !regexp.MustCompile(`(?m)\Aq1 Q0 d1 1 \S+ quarry-bm25$`).Match(run) {
		t.Errorf("run (error %v):\n%s", err, run)
	}
	if out := c.must("eval", dir, "--compare", "bm25.run"); !strings.Contains(out, "p randomized") {
		t.Errorf("comparison:\n%s", out)
	}
	c.write("bad.run", "q1 Q0 d1\n")
	if code, _, stderr := c.run("eval", dir, "--compare", "bad.run"); code != exitFailed || !strings.Contains(stderr, "bad.run: run:1") {
		t.Errorf("bad run: exit code %d, %q", code, stderr)
	}
	if code, _, stderr := c.run("eval", filepath.Dir(dir)); code != exitFailed || !strings.Contains(stderr, "not a judged collection") {
		t.Errorf("no collection: exit code %d, %q", code, stderr)
	}
}

// A newcomer has a file of records and writes judgments beside it: no folder, no
// ids of queries.
func TestEvalOwn(t *testing.T) {
	c := newCLI(t)
	c.write("shop.csv", "sku,title,price\n1001,Red running shoes,39.9\n1002,Blue shoes with red laces,49.9\n1003,Green hat,15\n")
	c.write("shop.ndjson", `{"sku":1001,"title":"Red running shoes"}`+"\n"+`{"sku":1002,"title":"Blue shoes with red laces"}`+"\n"+`{"sku":1003,"title":"Green hat"}`+"\n")
	c.write("j.tsv", "query\trecord\tgrade\nred shoes\t1001\t2\nred shoes\t1002\t1\ngren hat\t1003\t2\n")
	c.write("j.jsonl", `{"query":"red shoes","id":1001,"grade":2}`+"\n"+`{"query":"red shoes","id":"1002"}`+"\n"+`{"query":"gren hat","id":"1003"}`+"\n")
	for _, files := range [][2]string{{"shop.csv", "j.tsv"}, {"shop.ndjson", "j.jsonl"}} {
		out := c.must("eval", "--records", files[0], "--judgments", files[1], "--by-query", "--run", "own.run")
		if !regexp.MustCompile(`(?m)^ +2 +1\.0000 .* `+regexp.QuoteMeta(files[0])+`$`).MatchString(out) || !regexp.MustCompile(`(?m)^ +1\.0000 .* 1 +1  2  gren hat$`).MatchString(out) {
			t.Errorf("%v:\n%s", files, out)
		}
		if out := c.must("eval", "--records", files[0], "--judgments", files[1], "--compare", "own.run"); !strings.Contains(out, "p randomized") {
			t.Errorf("comparison:\n%s", out)
		}
	}
	c.write("gone.tsv", "hat\t1003\nhat\t77\nshoes\t78\t2\n")
	if code, _, stderr := c.run("eval", "--records", "shop.csv", "--judgments", "gone.tsv"); code != exitDone || stderr != "quarry: gone.tsv:2: no record of shop.csv has the sku \"77\"; and 1 more of the 3 judgments are of records that are not there\n" {
		t.Errorf("records that are gone: exit code %d, %q", code, stderr)
	}
	c.write("spaces.tsv", "red shoes 1001 2\n")
	c.write("none.tsv", "red shoes\t1001\t0\n")
	c.write("twice.csv", "name\nhat\nhat\n")
	c.write("noid.ndjson", `{"sku":"1001"}`+"\n"+`{"title":"Hat"}`+"\n")
	c.write("broken.ndjson", `{"sku":"1001"}`+"\n"+`{"title"x}`+"\n")
	for _, f := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"--records", "shop.csv", "--judgments", "spaces.tsv"}, exitFailed, "spaces.tsv:1: 1 columns, want 3 with tabs"},
		{[]string{"--records", "shop.csv", "--judgments", "none.tsv"}, exitFailed, "collection shop.csv: no query has a relevant document"},
		{[]string{"--records", "twice.csv", "--judgments", "j.tsv"}, exitFailed, "twice.csv: no field has a different id"},
		{[]string{"--records", "noid.ndjson", "--judgments", "j.tsv", "--id", "sku"}, exitFailed, `noid.ndjson:2: a record without an id in the field "sku"`},
		{[]string{"--records", "broken.ndjson", "--judgments", "j.tsv", "--id", "sku"}, exitFailed, "broken.ndjson:2: invalid character"},
		{[]string{"--records", "absent.csv", "--judgments", "j.tsv"}, exitFailed, "absent.csv"},
		{[]string{"--records", "shop.csv"}, exitUsage, "go together"},
		{[]string{"shop.csv"}, exitUsage, "--records shop.csv --judgments FILE"},
		{[]string{"--id", "sku", "shop"}, exitUsage, "--id is about --records"},
		{nil, exitUsage, "or --records and --judgments"},
	} {
		if code, _, stderr := c.run(append([]string{"eval"}, f.args...)...); code != f.code || !strings.Contains(stderr, f.want) {
			t.Errorf("%q: exit code %d, %q; want %d, %q", f.args, code, stderr, f.code, f.want)
		}
	}
}
