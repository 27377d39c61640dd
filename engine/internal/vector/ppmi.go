package vector

import (
	"context"
	"math"
	"slices"
)

const (
	// window is how many terms before and after a term count as its company.
	window = 5
	// nearness is what the next neighbour counts; one d terms away counts
	// nearness/d, as in GloVe. 60 makes these whole numbers up to window, so
	// that sums do not depend on their order.
	nearness = 60
	// smoothing is the power that frequencies of company are raised to, without
	// which rare terms attract each other (Levy, Goldberg and Dagan, Improving
	// distributional similarity with lessons learned from word embeddings,
	// TACL 3, 2015).
	smoothing = 0.75
)

// company returns, for each pair of terms that stand within window of each
// other more often than chance would have it, by how much: the positive
// pointwise mutual information, terms by terms. It is symmetric: the mean of
// the two ways in which the frequencies of a pair can be smoothed.
//
// It goes through the occurrences of one term after another, so that the
// memory it takes besides the result is that of the corpus once more.
func (v *vocabulary) company(ctx context.Context) (*sparse, error) {
	n := len(v.terms)
	at, docOf := v.occurrences()
	m := &sparse{rows: n, columns: n, start: make([]int, 1, n+1)}
	counts, sums := []uint32{}, make([]float64, n)
	seen := make([]uint32, n)
	var met []uint32
	for t := range n {
		if t%256 == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		met = met[:0]
		for _, p := range at[t] {
			d := docOf[p]
			from, to := max(v.start[d], int(p)-window), min(v.start[d+1], int(p)+window+1)
			for q := from; q < to; q++ {
				u := v.tokens[q]
				if u == none || int(u) == t {
					continue
				}
				if seen[u] == 0 {
					met = append(met, u)
				}
				seen[u] += nearness / uint32(max(q-int(p), int(p)-q))
			}
		}
		slices.Sort(met)
		for _, u := range met {
			m.cols, counts = append(m.cols, u), append(counts, seen[u])
			sums[t] += float64(seen[u])
			seen[u] = 0
		}
		m.start = append(m.start, len(m.cols))
	}
	return positive(m, counts, sums), nil
}

// occurrences returns the places in v.tokens of each term, and the document of
// each place.
func (v *vocabulary) occurrences() (at [][]uint32, docOf []uint32) {
	docOf = make([]uint32, len(v.tokens))
	sizes := make([]int, len(v.terms))
	for d := range v.documents() {
		for p := v.start[d]; p < v.start[d+1]; p++ {
			docOf[p] = uint32(d)
			if t := v.tokens[p]; t != none {
				sizes[t]++
			}
		}
	}
	at = make([][]uint32, len(v.terms))
	for t, n := range sizes {
		at[t] = make([]uint32, 0, n)
	}
	for p, t := range v.tokens {
		if t != none {
			at[t] = append(at[t], uint32(p))
		}
	}
	return at, docOf
}

// positive turns counts of pairs into their pointwise mutual information and
// leaves out what is not above 0. sums are those of the rows.
func positive(m *sparse, counts []uint32, sums []float64) *sparse {
	smooth, total := make([]float64, len(sums)), 0.0
	for t, s := range sums {
		smooth[t] = math.Pow(s, smoothing)
		total += smooth[t]
	}
	out := &sparse{rows: m.rows, columns: m.columns, start: make([]int, 1, m.rows+1)}
	for t := range m.rows {
		for k := m.start[t]; k < m.start[t+1]; k++ {
			u := m.cols[k]
			both := float64(counts[k]) * total
			v := (math.Log(both/(sums[t]*smooth[u])) + math.Log(both/(sums[u]*smooth[t]))) / 2
			if v > 0 {
				out.cols, out.vals = append(out.cols, u), append(out.vals, float32(v))
			}
		}
		out.start = append(out.start, len(out.cols))
	}
	return out
}

// occurrence returns the terms by documents: idf times the logarithm of the
// frequency, each document of length 1.
func (v *vocabulary) occurrence(idf []float32) *sparse {
	n := len(v.terms)
	rows := &sparse{rows: v.documents(), columns: n, start: make([]int, 1, v.documents()+1)}
	tf := make([]int, n)
	var met []uint32
	for d := range v.documents() {
		met = met[:0]
		for _, t := range v.tokens[v.start[d]:v.start[d+1]] {
			if t == none {
				continue
			}
			if tf[t]++; tf[t] == 1 {
				met = append(met, t)
			}
		}
		slices.Sort(met)
		from := len(rows.vals)
		for _, t := range met {
			rows.cols = append(rows.cols, t)
			rows.vals = append(rows.vals, idf[t]*float32(1+math.Log(float64(tf[t]))))
			tf[t] = 0
		}
		toUnit(rows.vals[from:])
		rows.start = append(rows.start, len(rows.cols))
	}
	return rows.transpose()
}

// transpose exchanges rows and columns.
func (m *sparse) transpose() *sparse {
	t := &sparse{
		rows: m.columns, columns: m.rows, start: make([]int, m.columns+1),
		cols: make([]uint32, len(m.cols)), vals: make([]float32, len(m.vals)),
	}
	for _, c := range m.cols {
		t.start[c+1]++
	}
	for i := range m.columns {
		t.start[i+1] += t.start[i]
	}
	next := slices.Clone(t.start)
	for i := range m.rows {
		for k := m.start[i]; k < m.start[i+1]; k++ {
			c := m.cols[k]
			t.cols[next[c]], t.vals[next[c]] = uint32(i), m.vals[k]
			next[c]++
		}
	}
	return t
}

// toUnit gives a row the length 1, unless it is 0.
func toUnit(row []float32) {
	if n := math.Sqrt(dot(row, row)); n > 0 {
		for i := range row {
			row[i] = float32(float64(row[i]) / n)
		}
	}
}
