package protocol

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// memory is an engine that looks at every document; a hit's score is the number
// of its terms that match.
type memory struct {
	docs map[string]string
}

func (m *memory) has(id string, terms []string) bool {
	return strings.Contains(" "+m.docs[id]+" ", " "+strings.Join(terms, " ")+" ")
}

func (m *memory) Search(_ context.Context, cmd Command, clauses []Clause) (int, []Hit, error) {
	var hits []Hit
	for id := range m.docs {
		score, ok := 0.0, true
		for _, c := range clauses {
			if slices.Contains(c.Terms, "boom") {
				return 0, nil, errors.New("broken\nin two")
			}
			if slices.Contains(c.Terms, "odd") {
				return 0, nil, fmt.Errorf("odd: %w", ErrUnsupported)
			}
			switch has := m.has(id, c.Terms); {
			case has && c.Occur == MustNot, !has && c.Occur == Must:
				ok = false
			case has:
				score++
			}
		}
		if ok && score > 0 {
			hits = append(hits, Hit{id, score})
		}
	}
	slices.SortFunc(hits, func(a, b Hit) int { return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.ID, b.ID)) })
	n := len(hits)
	hits = hits[:min(n, cmd.K)]
	if !cmd.Count {
		n = len(hits)
	}
	if !cmd.IDs {
		hits = nil
	}
	return n, hits, nil
}

func TestServe(t *testing.T) {
	m := &memory{docs: map[string]string{"d1": "red shoes", "d2": "red hat", "d3": "old red shoes"}}
	in := strings.Join([]string{
		"COUNT\t+red +shoes",
		"TOP_2\tred",
		"TOP_2_COUNT\tred -old",
		"IDS_2\t\"red shoes\" old",
		"IDS_9\tabsent",
		"COUNT\todd",
		"COUNT\tboom",
		"SUM\tred",
		"TOP_x\tred",
		"COUNT",
	}, "\n")
	var out bytes.Buffer
	if err := Serve(t.Context(), strings.NewReader(in), &out, 1500*time.Nanosecond, m); err != nil {
		t.Fatal(err)
	}
	want := strings.Join([]string{
		"READY\t1500",
		"2\tN",
		"2\tN",
		"2\tN",
		"2\tN\td3=2.00000 d1=1.00000",
		"0\tN",
		"UNSUPPORTED",
		"ERROR broken in two",
		"UNSUPPORTED",
		`ERROR command "TOP_x": the number of hits is not a positive integer`,
		"0\tN",
		"",
	}, "\n")
	got := regexp.MustCompile(`(?m)^(\d+)\t\d+`).ReplaceAllString(out.String(), "$1\tN")
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// broken fails every write after the first.
type broken struct{ writes int }

var errBroken = errors.New("broken pipe")

func (b *broken) Write(p []byte) (int, error) {
	if b.writes++; b.writes > 1 {
		return 0, errBroken
	}
	return len(p), nil
}

func TestServeStops(t *testing.T) {
	m := &memory{}
	if err := Serve(t.Context(), strings.NewReader("COUNT\ta\n"), &broken{}, 0, m); !errors.Is(err, errBroken) {
		t.Errorf("output that fails: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Serve(ctx, strings.NewReader("COUNT\ta\n"), io.Discard, 0, m); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if err := Serve(t.Context(), io.MultiReader(strings.NewReader("COUNT\ta\n"), &failing{}), io.Discard, 0, m); !errors.Is(err, errBroken) {
		t.Errorf("input that fails: %v", err)
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errBroken }

func TestDocuments(t *testing.T) {
	var got []string
	for d, err := range Documents(strings.NewReader("a\tone two\nno tab\nb\t\nc\tx\ty")) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, d.ID+"|"+d.Text)
	}
	if want := []string{"a|one two", "b|", "c|x\ty"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, err := range Documents(io.MultiReader(strings.NewReader("a\tb\n"), failing{})) {
		if err != nil && (!errors.Is(err, errBroken) || !strings.Contains(err.Error(), "line 2")) {
			t.Errorf("input that fails: %v", err)
		}
	}
}
