package eval

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Searcher is a system that has indexed a collection's documents.
type Searcher interface {
	// Search returns the best k documents or fewer, best first, none twice. The
	// slice is the caller's. It is called again only after it has returned.
	Search(ctx context.Context, query string, k int) ([]ScoredID, error)
}

// SearchFunc is a function as a Searcher.
type SearchFunc func(ctx context.Context, query string, k int) ([]ScoredID, error)

// Search implements [Searcher].
func (f SearchFunc) Search(ctx context.Context, query string, k int) ([]ScoredID, error) {
	return f(ctx, query, k)
}

// EvaluateOptions says what is measured. The zero value gives what a report
// usually shows.
type EvaluateOptions struct {
	Measures []Measure // nil means DefaultMeasures
	Depth    int       // documents asked for per query; 0 means 1000, as is usual with trec_eval
	// TimedDepth is the number of documents asked for when the latency is taken;
	// 0 means 10, a page of results.
	TimedDepth int
}

func (o *EvaluateOptions) withDefaults() EvaluateOptions {
	var v EvaluateOptions
	if o != nil {
		v = *o
	}
	if v.Measures == nil {
		v.Measures = DefaultMeasures()
	}
	if v.Depth == 0 {
		v.Depth = 1000
	}
	if v.TimedDepth == 0 {
		v.TimedDepth = 10
	}
	return v
}

// Evaluate asks s every query of c that has a relevant document, twice: first to
// the depth that the measures need, then, warm, to the depth at which the latency
// is taken. A nil opts is the zero value. It fails with the searcher's error, with
// ctx's, if a document is returned twice, or if no query has a relevant document.
func Evaluate(ctx context.Context, c *Collection, s Searcher, opts *EvaluateOptions) (*Report, error) {
	o := opts.withDefaults()
	run := Run{}
	var asked []Query
	for _, q := range c.Queries {
		if c.Judgments.Relevant(q.ID) == 0 {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		found, err := s.Search(ctx, q.Text, o.Depth)
		if err != nil {
			return nil, fmt.Errorf("query %s: %w", q.ID, err)
		}
		run[q.ID] = found
		asked = append(asked, q)
	}
	report, err := EvaluateRun(c, run, &o)
	if err != nil {
		return nil, err
	}
	times := make([]time.Duration, 0, len(asked))
	for _, q := range asked {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		start := time.Now()
		if _, err := s.Search(ctx, q.Text, o.TimedDepth); err != nil {
			return nil, fmt.Errorf("query %s: %w", q.ID, err)
		}
		times = append(times, time.Since(start))
	}
	slices.Sort(times)
	report.Latency = &Latency{Depth: o.TimedDepth, P50: percentile(times, 50), P99: percentile(times, 99)}
	return report, nil
}

// EvaluateRun measures what was found elsewhere, in the order of run, down to
// the depth of the options. Queries of run that c does not have are passed over,
// queries of c that run does not have count as 0. The report has no latency.
func EvaluateRun(c *Collection, run Run, opts *EvaluateOptions) (*Report, error) {
	o := opts.withDefaults()
	r := &Report{Collection: c.Name, Depth: o.Depth, Means: map[string]float64{}, Run: Run{}}
	for _, m := range o.Measures {
		r.Measures = append(r.Measures, m.String())
	}
	for _, q := range c.Queries {
		relevant := c.Judgments.Relevant(q.ID)
		if relevant == 0 {
			r.Unjudged++
			continue
		}
		found := run[q.ID]
		if len(found) > o.Depth {
			found = found[:o.Depth]
		}
		ids := make([]string, len(found))
		seen := make(map[string]bool, len(found))
		for i, d := range found {
			if seen[d.ID] {
				return nil, fmt.Errorf("query %s: document %s is in the ranking twice", q.ID, d.ID)
			}
			seen[d.ID] = true
			ids[i] = d.ID
		}
		result := QueryResult{Query: q, Relevant: relevant, Found: len(found), Values: map[string]float64{}}
		for i, m := range o.Measures {
			result.Values[r.Measures[i]] = m.Value(ids, c.Judgments[q.ID])
		}
		r.Queries = append(r.Queries, result)
		r.Run[q.ID] = found
	}
	if len(r.Queries) == 0 {
		return nil, errors.New("no query has a relevant document, one of grade 1 or more")
	}
	for _, name := range r.Measures {
		sum := 0.0
		for _, q := range r.Queries {
			sum += q.Values[name]
		}
		r.Means[name] = sum / float64(len(r.Queries))
	}
	return r, nil
}

// percentile returns the smallest of the sorted times that at least p per cent
// of them do not exceed (nearest rank).
func percentile(sorted []time.Duration, p int) time.Duration {
	return sorted[max(0, (len(sorted)*p+99)/100-1)]
}
