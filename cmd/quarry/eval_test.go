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
