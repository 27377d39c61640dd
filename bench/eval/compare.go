package eval

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"
)

// rounds of the randomization test: with 100,000 the standard error of a p of
// .05 is .0007.
const rounds = 100_000

// randomizationSeed is fixed so that the same reports give the same p.
const randomizationSeed = 1

// tieWidth is the difference below which two values of a query are the same but
// for rounding.
const tieWidth = 1e-9

// Comparison is the difference between two reports on the same queries.
type Comparison struct {
	Collection string       `json:"collection"`
	Measures   []Difference `json:"measures"`
}

// Difference is what a comparison says about one measure.
type Difference struct {
	Measure      string   `json:"measure"`
	Base         float64  `json:"base"`  // mean of the report compared with
	Value        float64  `json:"value"` // mean of the report
	T            float64  `json:"t"`     // paired t statistic, positive where Value is larger; null in JSON if infinite
	P            float64  `json:"p"`     // of the paired t-test, two-sided
	PRandomized  float64  `json:"p_randomized"`
	Wins         int      `json:"wins"` // queries with a larger value
	Ties         int      `json:"ties"`
	Losses       int      `json:"losses"`
	QueryChanges []Change `json:"queries"` // largest gain first; ties left out
}

// Change is the difference in one query.
type Change struct {
	Query
	Base  float64 `json:"base"`
	Value float64 `json:"value"`
}

// MarshalJSON writes an infinite t as null, for which JSON has no number.
func (d Difference) MarshalJSON() ([]byte, error) {
	type plain Difference
	v := struct {
		plain
		T *float64 `json:"t"`
	}{plain: plain(d)}
	if !math.IsInf(d.T, 0) {
		v.T = &d.T
	}
	return json.Marshal(v)
}

// Compare tells how r differs from base in each measure that both have: the
// means, whether chance explains it ([PairedT], [Randomization]) and the queries
// that changed. Both must be about the same queries.
func (r *Report) Compare(base *Report) (*Comparison, error) {
	if len(r.Queries) != len(base.Queries) {
		return nil, fmt.Errorf("compare %s: %d queries with %d", r.Collection, len(r.Queries), len(base.Queries))
	}
	other := map[string]QueryResult{}
	for _, q := range base.Queries {
		other[q.ID] = q
	}
	for _, q := range r.Queries {
		if _, ok := other[q.ID]; !ok {
			return nil, fmt.Errorf("compare %s: query %s is in one report only", r.Collection, q.ID)
		}
	}
	c := &Comparison{Collection: r.Collection}
	for _, m := range r.Measures {
		if !slices.Contains(base.Measures, m) {
			continue
		}
		d := Difference{Measure: m, Base: base.Means[m], Value: r.Means[m]}
		var before, after []float64
		for _, q := range r.Queries {
			was, is := other[q.ID].Values[m], q.Values[m]
			if math.Abs(is-was) < tieWidth {
				is = was
			}
			before, after = append(before, was), append(after, is)
			switch {
			case is > was:
				d.Wins++
			case is < was:
				d.Losses++
			default:
				d.Ties++
				continue
			}
			d.QueryChanges = append(d.QueryChanges, Change{Query: q.Query, Base: was, Value: is})
		}
		slices.SortStableFunc(d.QueryChanges, func(a, b Change) int {
			switch x, y := a.Value-a.Base, b.Value-b.Base; {
			case x > y:
				return -1
			case x < y:
				return 1
			}
			return 0
		})
		d.T, d.P = PairedT(after, before)
		d.PRandomized = Randomization(after, before, rounds, randomizationSeed)
		c.Measures = append(c.Measures, d)
	}
	if len(c.Measures) == 0 {
		return nil, fmt.Errorf("compare %s: the reports have no measure in common", r.Collection)
	}
	return c, nil
}

// WriteText writes a plain text table, a line for each measure, and below it the
// queries that changed in the first measure, largest gain first.
func (c *Comparison) WriteText(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "base\tnow\tchange\tt\tp\tp randomized\twins\tties\tlosses\t  measure\n")
	for _, d := range c.Measures {
		change := "-"
		if d.Base != 0 {
			change = fmt.Sprintf("%+.2f%%", 100*(d.Value/d.Base-1))
		}
		fmt.Fprintf(t, "%.4f\t%.4f\t%s\t%.2f\t%.4f\t%.4f\t%d\t%d\t%d\t  %s\n",
			d.Base, d.Value, change, d.T, d.P, d.PRandomized, d.Wins, d.Ties, d.Losses, d.Measure)
	}
	if err := t.Flush(); err != nil || len(c.Measures) == 0 || len(c.Measures[0].QueryChanges) == 0 {
		return err
	}
	first := c.Measures[0]
	if _, err := fmt.Fprintf(w, "\n%s by query\n", first.Measure); err != nil {
		return err
	}
	t = tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, q := range first.QueryChanges {
		fmt.Fprintf(t, "%.4f\t%.4f\t%+.4f\t  %s  %s\n", q.Base, q.Value, q.Value-q.Base, q.ID, q.Text)
	}
	return t.Flush()
}
