package eval

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
)

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

// The ranking a b c d e with a:3, c:1, d:-2, e:2 judged and f:2 not found;
// R = 4 (a, c, e, f).
//
//	rank      1  2  3  4  5
//	document  a  b  c  d  e
//	gain      3  0  1  0  2
//
//	DCG@5   = 3/log2(2) + 1/log2(4) + 2/log2(6)             = 3 + 0.5 + 0.7737056145 = 4.2737056145
//	ideal@5 = 3/log2(2) + 2/log2(3) + 2/log2(4) + 1/log2(5) = 3 + 1.2618595071 + 1 + 0.4306765581 = 5.6925360652
//	DCG@3   = 3.5, ideal@3 = 5.2618595071
//	MAP     = (1/1 + 2/3 + 3/5) / 4 = 0.5666666667;  MAP@3 = (1/1 + 2/3) / 4 = 0.4166666667
func TestMeasuresEqualHandComputedValues(t *testing.T) {
	judged := map[string]int{"a": 3, "c": 1, "d": -2, "e": 2, "f": 2, "g": 0}
	ranking := []string{"a", "b", "c", "d", "e"}
	late := []string{"b", "x", "y", "e"}
	for _, test := range []struct {
		measure string
		ranking []string
		want    float64
	}{
		{"nDCG@5", ranking, 4.2737056145 / 5.6925360652},
		{"nDCG@3", ranking, 3.5 / 5.2618595071},
		{"nDCG@1", ranking, 1},
		{"nDCG@100", ranking, 4.2737056145 / 5.6925360652},
		{"nDCG", ranking, 4.2737056145 / 5.6925360652},
		{"MAP", ranking, 0.5666666666666667},
		{"MAP@3", ranking, 0.4166666666666667},
		{"MRR", ranking, 1},
		{"MRR", late, 0.25},
		{"MRR@3", late, 0}, // the first relevant document is at rank 4
		{"P@5", ranking, 0.6},
		{"P@10", ranking, 0.3}, // divided by k, though only 5 were found
		{"P@2", ranking, 0.5},
		{"Recall@5", ranking, 0.75},
		{"Recall@1", ranking, 0.25},
		{"Recall", ranking, 0.75},
		{"judged@5", ranking, 0.8}, // all but b; a negative grade is a judgment
		{"judged@10", ranking, 0.8},
		{"judged@2", ranking, 0.5},
		{"nDCG@10", nil, 0},
		{"MAP", nil, 0},
		{"judged@10", nil, 0},
	} {
		m, err := ParseMeasure(test.measure)
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Value(test.ranking, judged); !near(got, test.want) {
			t.Errorf("%s of %v = %.10f, want %.10f", test.measure, test.ranking, got, test.want)
		}
	}
	for _, m := range DefaultMeasures() {
		if got := m.Value(ranking, map[string]int{"a": 0, "b": -1}); got != 0 && m.Kind != Judged {
			t.Errorf("%v without a relevant document = %v, want 0", m, got)
		}
	}
}

// For every ranking: values lie in [0, 1], the ideal ranking has nDCG, MAP, MRR
// and Recall 1, and moving a better document up never lowers nDCG.
func TestMeasuresAreBoundedAndMonotonic(t *testing.T) {
	const seed = 7
	rnd := rand.New(rand.NewPCG(seed, 0))
	for round := range 300 {
		judged := map[string]int{"relevant": 1}
		var ranking []string
		for i := range 1 + rnd.IntN(30) {
			id := strconv.Itoa(i)
			ranking = append(ranking, id)
			if rnd.IntN(2) == 0 {
				judged[id] = rnd.IntN(5) - 1
			}
		}
		measures := append(DefaultMeasures(), Measure{NDCG, 0}, Measure{MAP, 5}, Measure{Recall, 0})
		for _, m := range measures {
			if v := m.Value(ranking, judged); v < 0 || v > 1+1e-12 {
				t.Fatalf("seed %d round %d: %v = %v", seed, round, m, v)
			}
		}
		ideal := append([]string{"relevant"}, ranking...)
		slices.SortStableFunc(ideal, func(a, b string) int { return judged[b] - judged[a] })
		for _, m := range []Measure{{NDCG, 10}, {NDCG, 0}, {MAP, 0}, {MRR, 0}, {Recall, 0}} {
			if v := m.Value(ideal, judged); !near(v, 1) {
				t.Fatalf("seed %d round %d: %v of the ideal ranking = %v", seed, round, m, v)
			}
		}
		i := rnd.IntN(len(ranking))
		j := rnd.IntN(len(ranking))
		if i > j {
			i, j = j, i
		}
		if judged[ranking[i]] < judged[ranking[j]] {
			m := Measure{NDCG, 10}
			before := m.Value(ranking, judged)
			ranking[i], ranking[j] = ranking[j], ranking[i]
			if after := m.Value(ranking, judged); after < before-1e-12 {
				t.Fatalf("seed %d round %d: nDCG fell from %v to %v", seed, round, before, after)
			}
		}
	}
}

func TestParseMeasureRejectsWhatIsNoMeasure(t *testing.T) {
	for _, s := range []string{"", "nDCG@", "nDCG@0", "nDCG@-1", "MAP@x", "P", "F1@3", "recall@10@10", "nDCG@99999999999999999999"} {
		if m, err := ParseMeasure(s); err == nil {
			t.Errorf("ParseMeasure(%q) = %v, want an error", s, m)
		}
	}
}

func FuzzParseMeasure(f *testing.F) {
	for _, s := range []string{"nDCG@10", "map", "MRR", "p@5", "Recall@100", "judged@10", "P", "@", "MAP@"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		m, err := ParseMeasure(s)
		if err != nil {
			return
		}
		again, err := ParseMeasure(m.String())
		if err != nil || again != m {
			t.Errorf("ParseMeasure(%q) = %v, whose written form gives %v, %v", s, m, again, err)
		}
	})
}
