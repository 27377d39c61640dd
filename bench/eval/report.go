package eval

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// Report is what was measured of one system on one collection.
type Report struct {
	Collection string             `json:"collection"`
	Depth      int                `json:"depth"`    // documents asked for per query
	Measures   []string           `json:"measures"` // in the order asked for
	Means      map[string]float64 `json:"means"`    // of each measure over Queries
	Queries    []QueryResult      `json:"queries"`  // in the collection's order
	Unjudged   int                `json:"unjudged"` // queries left out for want of a relevant document
	Latency    *Latency           `json:"latency,omitempty"`
	Run        Run                `json:"-"` // what was found, for WriteRun
}

// QueryResult is what was measured of one query.
type QueryResult struct {
	Query
	Relevant int                `json:"relevant"` // documents judged relevant
	Found    int                `json:"found"`    // documents returned
	Values   map[string]float64 `json:"values"`   // of each measure
}

// Latency is the time a search takes, as its caller sees it.
type Latency struct {
	Depth int           // documents asked for
	P50   time.Duration // half of the queries take no longer
	P99   time.Duration // 99 of 100 queries take no longer
}

// MarshalJSON writes the times in microseconds.
func (l Latency) MarshalJSON() ([]byte, error) {
	us := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e3 }
	return json.Marshal(struct {
		Depth int     `json:"depth"`
		P50   float64 `json:"p50_us"`
		P99   float64 `json:"p99_us"`
	}{l.Depth, us(l.P50), us(l.P99)})
}

// WriteTable writes a plain text table of the means and latencies, a line for
// each report, and with more than one report a last line of the mean over them,
// collections counting alike. The columns are the first report's measures.
func WriteTable(w io.Writer, reports ...*Report) error {
	if len(reports) == 0 {
		return nil
	}
	measures := reports[0].Measures
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "queries\t%s\tp50\tp99\t  collection\n", strings.Join(measures, "\t"))
	for _, r := range reports {
		fmt.Fprintf(t, "%d\t", len(r.Queries))
		for _, m := range measures {
			if v, ok := r.Means[m]; ok {
				fmt.Fprintf(t, "%.4f", v)
			}
			fmt.Fprint(t, "\t")
		}
		p50, p99 := "", ""
		if r.Latency != nil {
			p50, p99 = short(r.Latency.P50), short(r.Latency.P99)
		}
		fmt.Fprintf(t, "%s\t%s\t  %s\n", p50, p99, r.Collection)
	}
	if len(reports) > 1 {
		fmt.Fprint(t, "\t")
		for _, m := range measures {
			sum, n := 0.0, 0
			for _, r := range reports {
				if v, ok := r.Means[m]; ok {
					sum += v
					n++
				}
			}
			fmt.Fprintf(t, "%.4f\t", sum/float64(n))
		}
		fmt.Fprint(t, "\t\t  mean\n")
	}
	return t.Flush()
}

// WriteQueries writes a plain text table with a line for each query, in order of
// the first measure, the worst first: its measures, how many documents are
// relevant and how many were found.
func (r *Report) WriteQueries(w io.Writer) error {
	if len(r.Measures) == 0 {
		return nil
	}
	queries := slices.Clone(r.Queries)
	first := r.Measures[0]
	slices.SortStableFunc(queries, func(a, b QueryResult) int { return cmp.Compare(a.Values[first], b.Values[first]) })
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "%s\trelevant\tfound\t  query of %s\n", strings.Join(r.Measures, "\t"), r.Collection)
	for _, q := range queries {
		for _, m := range r.Measures {
			fmt.Fprintf(t, "%.4f\t", q.Values[m])
		}
		fmt.Fprintf(t, "%d\t%d\t  %s  %s\n", q.Relevant, q.Found, q.ID, q.Text)
	}
	return t.Flush()
}

// short rounds a time to three digits.
func short(d time.Duration) string {
	unit := time.Duration(1)
	for d/unit >= 1000 {
		unit *= 10
	}
	return d.Round(unit).String()
}
