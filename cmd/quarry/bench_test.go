package main

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/quarry-search/quarry/bench/protocol"
)

func TestBenchBuildAndQuery(t *testing.T) {
	c := newCLI(t)
	c.stdin = "d1\tred shoes red\nd2\tblue shoes\nd3\told red hat\nd4\tthe shoes\n"
	c.must("bench", "build", "b")
	c.stdin = strings.Join([]string{
		"COUNT\tshoes", "COUNT\tred shoes", "COUNT\t+red +shoes", "COUNT\tshoes -blue", `COUNT	"old red"`, "COUNT\tthe", "COUNT\tshoe",
		"TOP_2\tred shoes", "TOP_2_COUNT\tred shoes", "IDS_1\tred", "TOP_0\tred", "SUM\tred", "",
	}, "\n")
	got := strings.Split(c.must("bench", "query", "b"), "\n")
	want := []string{
		`READY\t\d+`, `3\t\d+`, `4\t\d+`, `1\t\d+`, `2\t\d+`, `1\t\d+`, `1\t\d+`, `0\t\d+`,
		`2\t\d+`, `4\t\d+`, `1\t\d+\td1=\d+\.\d+`, `ERROR .*`, `UNSUPPORTED`, ``,
	}
	if len(got) != len(want) {
		t.Fatalf("%d lines, want %d: %q", len(got), len(want), got)
	}
	for i := range want {
		if !regexp.MustCompile(`^` + want[i] + `$`).MatchString(got[i]) {
			t.Errorf("line %d is %q, want %s", i, got[i], want[i])
		}
	}
	if out := c.must("inspect", "--data", "b"); strings.Count(out[strings.Index(out, "segment  first"):], "\n") > 2 {
		t.Errorf("more than one segment after build:\n%s", out)
	}
	c.stdin = ""
	if code, _, stderr := c.run("bench", "build", "b"); code != exitFailed || !strings.Contains(stderr, "exists") {
		t.Errorf("build into a directory with an index: exit code %d, %q", code, stderr)
	}
}

func TestBenchLive(t *testing.T) {
	c := newCLI(t)
	var b strings.Builder
	for i := range 50 {
		fmt.Fprintf(&b, "d%d\tsome words of document %d\n", i, i)
	}
	out := c.must("bench", "live", "l", c.write("corpus.tsv", b.String()), "40", "7")
	for _, line := range []string{`insert_docs_per_s \d+`, `check_updated_left 4 want 4`, `reopen_first_query_ms \S+`} {
		if !regexp.MustCompile(`(?m)^` + line + `$`).MatchString(out) {
			t.Errorf("live prints\n%s\nwithout %q", out, line)
		}
	}
}

func TestBenchQueryText(t *testing.T) {
	for _, q := range []string{`red shoes`, `+red -shoes`, `"old red" +hat`, `-"a b c" d`} {
		if got := benchQueryText(protocol.ParseQuery(q)); got != q {
			t.Errorf("query %q becomes %q", q, got)
		}
	}
}
