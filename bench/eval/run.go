package eval

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// ScoredID is a document that was found.
type ScoredID struct {
	ID    string  `json:"id"`
	Score float64 `json:"score"`
}

// Run holds what was found for each query, best first.
type Run map[string][]ScoredID

// WriteRun writes run in the format of TREC, a line "query Q0 document rank
// score tag" for each document, queries in the order of their ids. Scores are
// written as 32-bit floats; one that is not below the score before it is lowered
// to the next 32-bit float that is, so that sorting by score keeps the ranks.
// Ids and tag must be without white space, scores must be finite in 32 bits.
func WriteRun(w io.Writer, run Run, tag string) error {
	if !word(tag) {
		return fmt.Errorf("run tag %q is empty or has white space", tag)
	}
	out := bufio.NewWriter(w)
	for _, query := range slices.Sorted(maps.Keys(run)) {
		if !word(query) {
			return fmt.Errorf("query id %q is empty or has white space", query)
		}
		above := float32(math.Inf(1))
		for i, d := range run[query] {
			if !word(d.ID) {
				return fmt.Errorf("query %s: document id %q is empty or has white space", query, d.ID)
			}
			score := min(float32(d.Score), math.Nextafter32(above, float32(math.Inf(-1))))
			if math.IsInf(d.Score, 0) || math.IsNaN(d.Score) || math.IsInf(float64(score), 0) {
				return fmt.Errorf("query %s: document %s: score %v is not a finite 32-bit float", query, d.ID, d.Score)
			}
			above = score
			fmt.Fprintf(out, "%s Q0 %s %d %s %s\n", query, d.ID, i+1, strconv.FormatFloat(float64(score), 'g', -1, 32), tag)
		}
	}
	return out.Flush()
}

// ReadRun reads the format of TREC as trec_eval does: columns are divided by
// white space, the rank column is ignored, documents are sorted by score
// descending, and those whose scores are equal as 32-bit floats by id
// descending. A document that occurs twice for a query is an error; errors name
// the line.
func ReadRun(r io.Reader) (Run, error) {
	run := Run{}
	seen := map[[2]string]bool{}
	err := scanLines(r, "run", func(_ int, line []byte) error {
		f := strings.Fields(string(line))
		if len(f) != 6 {
			return fmt.Errorf("%d columns, want query, Q0, document, rank, score and tag", len(f))
		}
		score, err := strconv.ParseFloat(f[4], 64)
		if err != nil && !errors.Is(err, strconv.ErrRange) || math.IsNaN(score) {
			return fmt.Errorf("score %q is not a number", f[4])
		}
		if key := [2]string{f[0], f[2]}; seen[key] {
			return fmt.Errorf("query %s: document %s occurs twice", f[0], f[2])
		} else {
			seen[key] = true
		}
		run[f[0]] = append(run[f[0]], ScoredID{ID: f[2], Score: score})
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, docs := range run {
		slices.SortFunc(docs, func(a, b ScoredID) int {
			return cmp.Or(cmp.Compare(float32(b.Score), float32(a.Score)), strings.Compare(b.ID, a.ID))
		})
	}
	return run, nil
}

// word tells whether s can be a column of a run.
func word(s string) bool { return s != "" && len(strings.Fields(s)) == 1 && strings.TrimSpace(s) == s }
