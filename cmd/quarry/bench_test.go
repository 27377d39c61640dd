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
		"COUNT\tshoes", "COUNT\tred shoes", "COUNT\t+red +shoes", "COUNT\tshoes -blue", "COUNT\t+shoes red hat", `COUNT	+"old red" shoes`, `COUNT	"old red"`, "COUNT\tthe", "COUNT\tshoe",
		"TOP_2\tred shoes", "TOP_2_COUNT\tred shoes", "IDS_1\tred", "TOP_0\tred", "SUM\tred", "",
	}, "\n")
	got := strings.Split(c.must("bench", "query", "b"), "\n")
	want := []string{
		`READY\t\d+`, `3\t\d+`, `4\t\d+`, `1\t\d+`, `2\t\d+`, `3\t\d+`, `1\t\d+`, `1\t\d+`, `1\t\d+`, `0\t\d+`,
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

// TestBenchSegments: an index of several segments with deleted documents answers
// what one segment does.
func TestBenchSegments(t *testing.T) {
	c := newCLI(t)
	var corpus strings.Builder
	for i := range 90 {
		fmt.Fprintf(&corpus, "d%d\tred hat number %d%s\n", i, i, strings.Repeat(" shoes", i%7))
	}
	answers := map[string]string{}
	for dir, flags := range map[string][]string{"one": nil, "ten": {"--segments", "10", "--deleted", "10"}} {
		c.stdin = corpus.String()
		c.must(append(append([]string{"bench"}, flags...), "build", dir)...)
		c.stdin = "COUNT\tred\nCOUNT\t+shoes -41\nIDS_5_COUNT\tred shoes 41\nEXHAUSTIVE_5\tred shoes 41\n"
		_, answers[dir], _ = strings.Cut(c.must("bench", "query", dir), "\n") // without the time to open
		answers[dir] = regexp.MustCompile(`(?m)^(\d+)\t\d+`).ReplaceAllString(answers[dir], "$1")
	}
	lines := strings.Split(answers["ten"], "\n")
	if answers["one"] != answers["ten"] || len(lines) != 5 || strings.Split(lines[2], "\t")[1] != strings.Split(lines[3], "\t")[1] {
		t.Errorf("one segment answers\n%s\nand ten answer\n%s", answers["one"], answers["ten"])
	}
	out := c.must("inspect", "--data", "ten")
	// A line for each of ten segments, and the sum.
	if n := strings.Count(out[strings.Index(out, "segment  first"):], "\n"); n != 12 {
		t.Errorf("not ten segments:\n%s", out)
	}
	c.stdin = corpus.String()
	if code, _, _ := c.run("bench", "--deleted", "91", "build", "b"); code != exitUsage {
		t.Errorf("91 %% deleted: exit code %d", code)
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
