package eval

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Kind is a family of measures.
type Kind string

// The measures; the package comment has their formulas.
const (
	NDCG      Kind = "nDCG"
	MAP       Kind = "MAP"
	MRR       Kind = "MRR"
	Precision Kind = "P"
	Recall    Kind = "Recall"
	Judged    Kind = "judged"
)

// Measure is a kind with a cutoff. It is written nDCG@10, or MAP where the whole
// ranking counts.
type Measure struct {
	Kind Kind
	K    int // ranks that count; 0 is all of them, which P does not have
}

// DefaultMeasures returns what a report shows when nothing else is asked for:
// nDCG@10, MAP, MRR, P@10, Recall@100 and judged@10.
func DefaultMeasures() []Measure {
	return []Measure{{NDCG, 10}, {MAP, 0}, {MRR, 0}, {Precision, 10}, {Recall, 100}, {Judged, 10}}
}

// ParseMeasure reads the written form of a measure; case does not matter.
func ParseMeasure(s string) (Measure, error) {
	name, cut, hasCut := strings.Cut(s, "@")
	for _, k := range []Kind{NDCG, MAP, MRR, Precision, Recall, Judged} {
		if !strings.EqualFold(name, string(k)) {
			continue
		}
		m := Measure{Kind: k}
		if hasCut {
			n, err := strconv.Atoi(cut)
			if err != nil || n < 1 {
				return Measure{}, fmt.Errorf("measure %q: the cutoff is not a positive integer", s)
			}
			m.K = n
		} else if k == Precision {
			return Measure{}, fmt.Errorf("measure %q: needs a cutoff, as in P@10", s)
		}
		return m, nil
	}
	return Measure{}, fmt.Errorf("measure %q: want nDCG, MAP, MRR, P, Recall or judged, with @k", s)
}

// String returns the written form, which [ParseMeasure] reads.
func (m Measure) String() string {
	if m.K == 0 {
		return string(m.Kind)
	}
	return string(m.Kind) + "@" + strconv.Itoa(m.K)
}

// Value returns the measure of one ranking, best document first and without
// repetition, under the judgments of its query: between 0 and 1, and 0 for an
// empty ranking or a query without a relevant document. An unknown kind, and
// precision without a cutoff, give 0.
func (m Measure) Value(ranking []string, judged map[string]int) float64 {
	relevant := 0
	for _, grade := range judged {
		if grade > 0 {
			relevant++
		}
	}
	if m.K > 0 && len(ranking) > m.K {
		ranking = ranking[:m.K]
	}
	if relevant == 0 && m.Kind != Judged || len(ranking) == 0 {
		return 0
	}
	switch m.Kind {
	case NDCG:
		return dcg(ranking, judged) / idealDCG(judged, m.K)
	case MAP:
		return sumPrecision(ranking, judged) / float64(relevant)
	case MRR:
		return reciprocalRank(ranking, judged)
	case Precision:
		if m.K == 0 {
			return 0
		}
		return found(ranking, judged) / float64(m.K)
	case Recall:
		return found(ranking, judged) / float64(relevant)
	case Judged:
		n := 0
		for _, id := range ranking {
			if _, ok := judged[id]; ok {
				n++
			}
		}
		return float64(n) / float64(len(ranking))
	}
	return 0
}

// dcg is the discounted cumulated gain with the grade itself as the gain.
// Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques,
// ACM TOIS 20(4), 2002, with the discount log2(rank+1) that trec_eval uses.
func dcg(ranking []string, judged map[string]int) float64 {
	sum := 0.0
	for i, id := range ranking {
		if grade := judged[id]; grade > 0 {
			sum += float64(grade) / math.Log2(float64(i+2))
		}
	}
	return sum
}

// idealDCG is the dcg of the best ranking of all judged documents, cut at k.
func idealDCG(judged map[string]int, k int) float64 {
	grades := make([]int, 0, len(judged))
	for _, grade := range judged {
		if grade > 0 {
			grades = append(grades, grade)
		}
	}
	slices.SortFunc(grades, func(a, b int) int { return b - a })
	if k > 0 && len(grades) > k {
		grades = grades[:k]
	}
	sum := 0.0
	for i, grade := range grades {
		sum += float64(grade) / math.Log2(float64(i+2))
	}
	return sum
}

// sumPrecision adds up the precision at each relevant document.
func sumPrecision(ranking []string, judged map[string]int) float64 {
	sum, hits := 0.0, 0
	for i, id := range ranking {
		if judged[id] > 0 {
			hits++
			sum += float64(hits) / float64(i+1)
		}
	}
	return sum
}

func reciprocalRank(ranking []string, judged map[string]int) float64 {
	for i, id := range ranking {
		if judged[id] > 0 {
			return 1 / float64(i+1)
		}
	}
	return 0
}

// found counts the relevant documents of a ranking.
func found(ranking []string, judged map[string]int) float64 {
	n := 0.0
	for _, id := range ranking {
		if judged[id] > 0 {
			n++
		}
	}
	return n
}
