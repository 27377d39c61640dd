package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/quarry-search/quarry/bench/peers/proto"
)

// The test's own program is the engine when this variable is set: "good", or
// "dying" for one whose query program ends after a few answers.
const fakeEngine = "DRIVER_TEST_ENGINE"

func TestMain(m *testing.M) {
	if kind := os.Getenv(fakeEngine); kind != "" {
		fake(kind).Main()
		return
	}
	os.Exit(m.Run())
}

// fake keeps its documents in one file and looks at each of them.
func fake(kind string) proto.Program {
	return proto.Program{
		Version: func() string { return kind + " 1.0" },
		Build: func(dir string) error {
			if err := os.MkdirAll(dir, 0o777); err != nil {
				return err
			}
			text, err := io.ReadAll(os.Stdin)
			if err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(dir, "docs"), text, 0o666)
		},
		Query: func(dir string) error {
			text, err := os.ReadFile(filepath.Join(dir, "docs"))
			if err != nil {
				return err
			}
			lines := strings.Split(strings.TrimSpace(string(text)), "\n")
			asked := 0
			proto.Serve(1500*time.Microsecond, func(cmd proto.Command, cs []proto.Clause) (int, []proto.Hit, error) {
				if asked++; kind == "dying" && asked > 5 {
					os.Exit(3)
				}
				if occur, ok := proto.Uniform(cs); !ok || occur == '-' {
					return 0, nil, proto.ErrUnsupported
				}
				var hits []proto.Hit
				for _, l := range lines {
					if id, doc, _ := strings.Cut(l, "\t"); strings.Contains(doc, cs[0].Terms[0]) {
						hits = append(hits, proto.Hit{ID: id, Score: 1})
					}
				}
				return len(hits), hits, nil
			})
			return nil
		},
		Open: func(dir string) (proto.Live, error) { return nil, fmt.Errorf("%s cannot write", kind) },
	}
}

// setUp lays out a corpus of three documents and a table of engines.
func setUp(t *testing.T) *config {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("tiny.tsv", "a\tred shoes\nb\tred hat\nc\tblue hat\n")
	write("tiny.q", "term:head\tred\nterm:tail\tblue\nunion:2\thats hat\nnegated\tred -hat\n")
	table, err := json.Marshal(map[string][]string{
		"one":    {"/usr/bin/env", fakeEngine + "=one", exe},
		"two":    {"/usr/bin/env", fakeEngine + "=two", exe},
		"dying":  {"/usr/bin/env", fakeEngine + "=dying", exe},
		"absent": {filepath.Join("$BIN", "absent")},
	})
	if err != nil {
		t.Fatal(err)
	}
	write("engines.json", string(table))
	c, err := parseFlags([]string{"-engines", "one,two", "-table", filepath.Join(dir, "engines.json"), "-bin", dir, "-data", dir,
		"-corpus", "tiny", "-indexes", dir, "-out", dir, "-commands", "COUNT,TOP_10", "-warm", "0s", "-passes", "3", "-base", "one"})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestBuildQueryAndReport(t *testing.T) {
	c := setUp(t)
	c.repeats = 2
	if err := c.build(); err != nil {
		t.Fatal(err)
	}
	b, ok := load[[]Build](c.file("two", "build"))
	if !ok || len(b.Result) != 2 || b.Result[0].Bytes != size(c.corpusFile()) || b.Setup.Engines["two"].Version != "two 1.0" {
		t.Errorf("build: %+v", b)
	}
	if err := c.query(); err != nil {
		t.Fatal(err)
	}
	q, ok := load[Queries](c.file("query"))
	if !ok || q.Result.Passes != 3 || len(q.Result.Queries) != 4 {
		t.Fatalf("query: %+v", q)
	}
	for _, e := range []string{"one", "two"} {
		a := q.Result.Engines[e]
		var counts []int
		for _, timing := range a.Timings["COUNT"] {
			counts = append(counts, timing.N)
			if timing.N >= 0 && (timing.Best <= 0 || timing.Best > timing.Median || timing.Best > timing.Round) {
				t.Errorf("%s: %+v", e, timing)
			}
		}
		if !slices.Equal(counts, []int{2, 1, 0, -1}) || a.OpenMS != 1.5 || a.Idle.RSS == 0 || a.Hits[0] != "a=1.00000 b=1.00000" {
			t.Errorf("%s: counts %v of %+v", e, counts, a)
		}
	}
	var out strings.Builder
	if err := c.report(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"# Peers on tiny\n",
		"| one | one 1.0 | `/usr/bin/env " + fakeEngine + "=one ",
		"-passes 3",
		"## Build",
		"| two | 1.5 |",
		"| COUNT | term (2) | ",
		"| counts equal to one's |  | 3 of 3 | 3 of 3 |",
		"## COUNT\n\nMicroseconds in the engine, best of 3 passes per query",
		"| ALL | 3 | ",
		"| negated | 1 | – | – |",
		"| two | 3 | 0 | 1 | 2 of 2 | 1.000 |",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in the report\n%s", want, &out)
		}
	}
}

func TestAnEngineThatFailsDoesNotStopTheOthers(t *testing.T) {
	c := setUp(t)
	c.engines = []string{"dying", "one"}
	if err := c.build(); err != nil {
		t.Fatal(err)
	}
	c.engines = []string{"absent", "dying", "unknown", "one"}
	err := c.query()
	for _, e := range []string{"absent", "dying", "unknown"} {
		if err == nil || !strings.Contains(err.Error(), "query "+e+": ") {
			t.Errorf("error %v does not name %s", err, e)
		}
	}
	q, ok := load[Queries](c.file("query"))
	if !ok || q.Result.Engines["dying"].Failed == "" || len(q.Result.Engines["one"].Timings["TOP_10"]) != 4 {
		t.Errorf("query: %+v", q.Result.Engines)
	}
	if err := c.live(); err == nil || !strings.Contains(err.Error(), "live one: ") {
		t.Errorf("live: %v", err)
	}
	var out strings.Builder
	if err := c.report(&out); err != nil || !strings.Contains(out.String(), "\ndying failed: ") || strings.Contains(out.String(), "## Writes") {
		t.Errorf("%v, report\n%s", err, &out)
	}
}

func TestParseLive(t *testing.T) {
	l, err := parseLive("insert_docs_per_s 100\ninsert_batch_ms p50 1.5 p99 2 max 3\ncheck_updated_left 4 want 4\n")
	if err != nil || len(l) != 4 || l["insert_docs_per_s"] != 100 || l["insert_batch_ms p99"] != 2 {
		t.Errorf("%v, %v", l, err)
	}
	for _, bad := range []string{"check_updated_left 3 want 4", "rate fast", "x p50", "x p50 1 p99", "x p50 a", "\n"} {
		if l, err := parseLive(bad); err == nil {
			t.Errorf("parseLive(%q) = %v, want an error", bad, l)
		}
	}
}

// answering is a client of a program that gives these answers.
func answering(lines ...string) *participant {
	p := &client{in: bufio.NewWriter(io.Discard), out: bufio.NewReader(strings.NewReader(strings.Join(lines, "\n") + "\n"))}
	return &participant{client: p, Answers: &Answers{}}
}

func TestHitsAreComparedWithThoseOfScoringEveryMatch(t *testing.T) {
	commands := []string{"COUNT", "TOP_2", "TOP_2_COUNT"}
	queries := []Query{{"term", "red"}, {"term", "blue"}}
	s := answering("1\t10\ta=2",
		"2\t10\ta=2 b=1", "2\t10\ta=2 b=1", "2\t10\ta=2 b=1", // named, exhaustively, named beside the count
		"2\t10\tc=2 d=1", "2\t10\tc=2 e=1", "2\t10\tc=2 e=1")
	if err := s.check(commands, queries); err != nil {
		t.Fatal(err)
	}
	q := Queries{Engines: map[string]*Answers{"one": s.Answers, "two": {}}}
	for command, want := range map[string]string{"COUNT": "[]", "TOP_2": "[1 of 2 –]", "TOP_2_COUNT": "[2 of 2 –]"} {
		if got := fmt.Sprint(exactOf(q, []string{"one", "two"}, command)); got != want {
			t.Errorf("%s: %s, want %s", command, got, want)
		}
	}
	if s := answering("UNSUPPORTED"); s.check(commands, queries) != nil || s.Exact != nil {
		t.Errorf("an engine that cannot score every match: %+v", s.Answers)
	}
}

func TestOverlapForgivesTiesWithTheLast(t *testing.T) {
	for _, test := range []struct {
		want, got string
		share     float64
	}{
		{"a=3 b=2 c=1", "c=1 b=2 a=3", 1},
		{"a=3 b=1 c=1", "a=3 d=1 e=1", 1},
		{"a=3 b=2 c=1", "a=3 x=2 y=1", 2.0 / 3},
		{"x=y=3 b=2", "x=y=3 c=2", 1},
	} {
		if got := overlap(test.want, test.got); got != test.share {
			t.Errorf("overlap(%q, %q) = %v, want %v", test.want, test.got, got, test.share)
		}
	}
}

func TestReportOfNothing(t *testing.T) {
	if err := setUp(t).report(io.Discard); err == nil {
		t.Error("no error")
	}
}

func TestFlagsAreChecked(t *testing.T) {
	for _, args := range [][]string{{"-passes", "0"}, {"-sample", "-1"}, {"-nonsense"}} {
		if _, err := parseFlags(args); err == nil {
			t.Errorf("parseFlags(%q): no error", args)
		}
	}
	if err := run([]string{"fly", "-out", t.TempDir(), "-indexes", t.TempDir()}); err == nil {
		t.Error("unknown step: no error")
	}
	if err := run(nil); err == nil {
		t.Error("no step: no error")
	}
}
