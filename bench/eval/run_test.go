package eval

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func ids(docs []ScoredID) (out []string) {
	for _, d := range docs {
		out = append(out, d.ID)
	}
	return out
}

func TestReadRunOrdersAsTrecEval(t *testing.T) {
	run, err := ReadRun(strings.NewReader(strings.Join([]string{
		"1 Q0 b 1 2.5 tag",
		"1\tQ0\ta\t9\t7e0\ttag", // the rank column does not count
		"",
		"1 Q0 d 2 2.5 tag",
		"1 Q0 c 3 2.50000000001 tag", // equal to 2.5 in 32 bits
		"2 Q0 x 1 -1 tag",
	}, "\n")))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := ids(run["1"]), []string{"a", "d", "c", "b"}; !cmp.Equal(got, want) {
		t.Errorf("order %v, want %v", got, want)
	}
	if len(run) != 2 || run["2"][0].Score != -1 {
		t.Errorf("second query: %v", run["2"])
	}
}

func TestReadRunNamesTheLine(t *testing.T) {
	for in, want := range map[string]string{
		"1 Q0 a 1 2.5":                             "run:1: 5 columns",
		"1 Q0 a 1 2.5 t\n1 Q0 b 2 high t":          `run:2: score "high"`,
		"1 Q0 a 1 2.5 t\n\n1 Q0 a 2 2.1 t":         "run:3: query 1: document a occurs twice",
		"1 Q0 a 1 NaN t":                           "run:1: score",
		"1 Q0 a 1 2.5 t\n1 Q0 b 2 2.4 t extra col": "run:2: 8 columns",
	} {
		if _, err := ReadRun(strings.NewReader(in)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ReadRun(%q): %v, want %q", in, err, want)
		}
	}
}

func TestWriteRunRejectsWhatTheFormatCannotHold(t *testing.T) {
	for name, run := range map[string]Run{
		"white space in a document id": {"1": {{"a b", 1}}},
		"white space in a query id":    {"1 2": {{"a", 1}}},
		"empty id":                     {"1": {{"", 1}}},
		"NaN":                          {"1": {{"a", math.NaN()}}},
		"infinite":                     {"1": {{"a", math.Inf(1)}}},
		"too large for 32 bits":        {"1": {{"a", -1e300}}},
		"no room below":                {"1": {{"a", -math.MaxFloat32}, {"b", -math.MaxFloat32}}},
	} {
		if err := WriteRun(&bytes.Buffer{}, run, "tag"); err == nil {
			t.Errorf("%s: written without an error", name)
		}
	}
	if err := WriteRun(&bytes.Buffer{}, Run{}, "two words"); err == nil {
		t.Error("a tag of two words was written")
	}
}

func TestWriteRunFormat(t *testing.T) {
	var b bytes.Buffer
	if err := WriteRun(&b, Run{"2": {{"x", 3}}, "1": {{"a", 2.5}, {"b", 2.5}, {"c", 0.1}}}, "quarry"); err != nil {
		t.Fatal(err)
	}
	want := "1 Q0 a 1 2.5 quarry\n1 Q0 b 2 2.4999998 quarry\n1 Q0 c 3 0.1 quarry\n2 Q0 x 1 3 quarry\n"
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", &b, want)
	}
}

// A ranking with ties, with ids in any order, is read back as it was ranked.
func TestWrittenRunKeepsTheRanking(t *testing.T) {
	const seed = 11
	rnd := rand.New(rand.NewPCG(seed, 0))
	for round := range 100 {
		run := Run{}
		for q := range 3 {
			score := 100 * rnd.Float64()
			for i := range rnd.IntN(50) {
				run[fmt.Sprint(q)] = append(run[fmt.Sprint(q)], ScoredID{fmt.Sprintf("d%d", (i*37+q)%50), score})
				switch rnd.IntN(3) {
				case 1:
					score -= 1e-9 // a tie in 32 bits only
				case 2:
					score -= rnd.Float64()
				}
			}
		}
		var b bytes.Buffer
		if err := WriteRun(&b, run, "t"); err != nil {
			t.Fatal(err)
		}
		back, err := ReadRun(&b)
		if err != nil {
			t.Fatal(err)
		}
		for q := range run {
			if diff := cmp.Diff(ids(run[q]), ids(back[q])); diff != "" {
				t.Fatalf("seed %d round %d query %s: %s", seed, round, q, diff)
			}
		}
	}
}

func FuzzReadRun(f *testing.F) {
	f.Add("1 Q0 a 1 2.5 tag\n1 Q0 b 2 2.5 tag\n")
	f.Add("1 Q0 a 1 1e999 tag\n")
	f.Add("1 Q0 \xff 1 -0 tag")
	f.Add("x\n\n\n")
	f.Fuzz(func(t *testing.T, in string) {
		run, err := ReadRun(strings.NewReader(in))
		if err != nil {
			return
		}
		var b bytes.Buffer
		if WriteRun(&b, run, "t") != nil {
			return // scores that 32 bits do not hold
		}
		back, err := ReadRun(&b)
		if err != nil {
			t.Fatalf("written run of %q is not read: %v", in, err)
		}
		for q := range run {
			if diff := cmp.Diff(ids(run[q]), ids(back[q])); diff != "" {
				t.Errorf("%q: %s", in, diff)
			}
		}
	})
}
