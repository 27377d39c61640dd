package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/quarry-search/quarry/bench/eval"
	"github.com/quarry-search/quarry/engine"
)

// heldOut chooses, for each collection, the setting that gains most on the
// others in the mean, and prints what that choice gains on the one left out,
// beside what the defaults gain there and what the best setting for it would.
// gains are per cent over plain BM25, by collection and setting; the defaults
// are one of the settings.
func heldOut(collections []string, settings []fmt.Stringer, defaults int, gains [][]float64) {
	choose := func(without int) int {
		best, most := 0, -1e9
		for i := range settings {
			sum := 0.0
			for j := range collections {
				if j != without {
					sum += gains[j][i]
				}
			}
			if sum > most {
				best, most = i, sum
			}
		}
		return best
	}
	fmt.Println("| left out | chosen on the others | gain there | gain of the defaults | of the best for it |\n|---|---|--:|--:|--:|")
	var held, shipped, oracle float64
	for out, name := range collections {
		chosen := choose(out)
		best := slices.Max(gains[out])
		fmt.Printf("| %s | %s | %+.2f %% | %+.2f %% | %+.2f %% |\n", name, settings[chosen], gains[out][chosen], gains[out][defaults], best)
		held, shipped, oracle = held+gains[out][chosen], shipped+gains[out][defaults], oracle+best
	}
	n := float64(len(collections))
	all := choose(-1)
	var most float64
	for i := range collections {
		most += gains[i][all]
	}
	fmt.Printf("| mean | | %+.2f %% | %+.2f %% | %+.2f %% |\n\nchosen on all: %s, %+.2f %%\n", held/n, shipped/n, oracle/n, settings[all], most/n)
}

// english opens the judged collections in English, with at most so many of
// their queries, spread over all.
func english(t *testing.T, most int) (list []*eval.Collection) {
	t.Helper()
	if os.Getenv("QUARRY_TUNING") == "" {
		t.Skip("QUARRY_TUNING is not set: it takes minutes")
	}
	for _, dir := range collections(t) {
		if languageOf(filepath.Base(dir)) != "en" {
			continue // what is tuned here is the same in all languages
		}
		c, err := eval.Open(dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		if step := (len(c.Queries) + most - 1) / most; step > 1 {
			var some []eval.Query
			for i := 0; i < len(c.Queries); i += step {
				some = append(some, c.Queries[i])
			}
			c.Queries = some
		}
		list = append(list, c)
	}
	return list
}

// stages is a setting of the single stages.
type stages engine.Tuning

func (s stages) String() string {
	return fmt.Sprintf("compound %g, title %g, proximity %g", s.Compound, s.Title, s.Proximity)
}

// TestTuningHolds leaves out one collection after another to see whether the
// choice of the bonuses holds.
func TestTuningHolds(t *testing.T) {
	settings := []fmt.Stringer{stages{Compound: 0.5, Title: 0.1, Proximity: 0.1}} // the defaults
	for _, compound := range [...]float64{-1, 0.5} {
		for _, title := range [...]float64{-1, 0.1, 0.3} {
			for _, proximity := range [...]float64{-1, 0.1, 0.2} {
				if s := (stages{Compound: compound, Title: title, Proximity: proximity}); s != settings[0] {
					settings = append(settings, s)
				}
			}
		}
	}
	var names []string
	var gains [][]float64
	for _, c := range english(t, 1<<20) {
		e := inferred(t, c, "en")
		base := ndcg(t, c, e, engine.Request{Ranking: engine.RankingBM25})
		var of []float64
		for _, s := range settings {
			percent, _ := gain(ndcg(t, c, e, engine.Request{Tuning: engine.Tuning(s.(stages))}), base)
			of = append(of, percent)
		}
		names, gains = append(names, c.Name), append(gains, of)
		e.Close()
	}
	heldOut(names, settings, 0, gains)
}

// spread is a setting of the bonuses for how much of a query a record holds, and
// how near by.
type spread engine.Tuning

func (s spread) String() string {
	return fmt.Sprintf("passage %g, coverage %g", max(s.Passage, 0), max(s.Coverage, 0))
}

// TestSpreadHolds does the same with the bonuses for passages and for both of two
// words, with the collections of all languages.
func TestSpreadHolds(t *testing.T) {
	if os.Getenv("QUARRY_TUNING") == "" {
		t.Skip("QUARRY_TUNING is not set: it takes minutes")
	}
	settings := []fmt.Stringer{spread{Passage: 0.1, Coverage: 0.2}} // the defaults
	for _, passage := range [...]float64{-1, 0.05, 0.1, 0.2} {
		for _, coverage := range [...]float64{-1, 0.1, 0.2, 0.4} {
			if s := (spread{Passage: passage, Coverage: coverage}); s != settings[0] {
				settings = append(settings, s)
			}
		}
	}
	tuningHolds(t, settings, func(s fmt.Stringer) engine.Tuning { return engine.Tuning(s.(spread)) })
}

// thesaurus is a setting of what words count that stand for others.
type thesaurus float64

func (f thesaurus) String() string { return fmt.Sprintf("thesaurus %g", max(float64(f), 0)) }

// TestThesaurusHolds does the same with that.
func TestThesaurusHolds(t *testing.T) {
	if os.Getenv("QUARRY_TUNING") == "" {
		t.Skip("QUARRY_TUNING is not set: it takes minutes")
	}
	var settings []fmt.Stringer
	for _, factor := range [...]float64{1, -1, 0.5, 0.75, 1.25, 1.5} { // 1 is the default
		settings = append(settings, thesaurus(factor))
	}
	tuningHolds(t, settings, func(s fmt.Stringer) engine.Tuning { return engine.Tuning{Thesaurus: float64(s.(thesaurus))} })
}

// tuningHolds leaves out one collection of any language after another, for settings of
// which the first are the defaults.
func tuningHolds(t *testing.T, settings []fmt.Stringer, tuning func(fmt.Stringer) engine.Tuning) {
	var names []string
	var gains [][]float64
	for _, dir := range collections(t) {
		c, err := eval.Open(dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		e := inferred(t, c, languageOf(c.Name))
		base := ndcg(t, c, e, engine.Request{Ranking: engine.RankingBM25})
		var of []float64
		for _, s := range settings {
			percent, _ := gain(ndcg(t, c, e, engine.Request{Tuning: tuning(s)}), base)
			of = append(of, percent)
		}
		names, gains = append(names, c.Name), append(gains, of)
		e.Close()
	}
	heldOut(names, settings, 0, gains)
}

// pipeline is a setting of the constants of the whole ranking that count most.
type pipeline struct {
	title   float64 // weight of title fields
	filler  float64 // weight of filler words
	bonus   float64 // of titles and of proximity; negative means none
	meaning float64 // weight of meaning for queries of six words and more; negative means none
}

// shipped are the defaults.
var shipped = pipeline{title: 5, filler: 0.2, bonus: 0.2, meaning: 1.2}

func (p pipeline) String() string {
	return fmt.Sprintf("title %g, filler %g, bonus %g, meaning %g", p.title, p.filler, max(p.bonus, 0), max(p.meaning, 0))
}

// weighted asks as asked does, with another weight of meaning. Where the
// engine would give it less to a query, or none, so does this.
type weighted struct {
	asked
	meaning float64
	share   map[string]float64 // of the full weight, by query
}

// Search implements eval.Searcher.
func (s weighted) Search(ctx context.Context, query string, k int) ([]eval.ScoredID, error) {
	if w := s.meaning * s.share[query]; w > 0 {
		s.r.Semantic.Weight = w
	} else {
		s.r.Semantic.Off = true
	}
	return s.asked.Search(ctx, query, k)
}

// TestPipelineHolds does the same with the constants of the whole ranking:
// the weight of titles, of filler words, of bonuses and of meaning. At most
// 150 queries of a collection are asked.
func TestPipelineHolds(t *testing.T) {
	titles := [...]float64{shipped.title, 3, 8}
	var settings []fmt.Stringer
	for _, title := range titles {
		for _, filler := range [...]float64{shipped.filler, 0.1, 0.5} {
			for _, bonus := range [...]float64{shipped.bonus, -1, 0.1} {
				for _, meaning := range [...]float64{shipped.meaning, -1, 0.6, 1.6} {
					settings = append(settings, pipeline{title, filler, bonus, meaning})
				}
			}
		}
	}
	var names []string
	var gains [][]float64
	for _, c := range english(t, 150) {
		var base *eval.Report
		var of []float64
		for _, title := range titles {
			e := inferredWith(t, c, "en", func(s *engine.Schema) {
				for i := range s.Fields {
					if s.Fields[i].Weight == shipped.title {
						s.Fields[i].Weight = title
					}
				}
			})
			if base == nil { // the first has the weights of the schema that an import infers
				base = ndcg(t, c, e, engine.Request{Ranking: engine.RankingBM25})
			}
			share := map[string]float64{}
			for _, q := range c.Queries {
				res, err := e.Search(context.Background(), &engine.Request{Query: q.Text, Limit: 1, Prefix: engine.PrefixOff, NoTotal: true})
				if err != nil {
					t.Fatal(err)
				}
				if res.Query.Semantic != nil {
					share[q.Text] = res.Query.Semantic.Weight / shipped.meaning
				}
			}
			for _, s := range settings {
				p := s.(pipeline)
				if p.title != title {
					continue
				}
				r := engine.Request{Tuning: engine.Tuning{Filler: p.filler, Title: p.bonus, Proximity: p.bonus}}
				percent, _ := gain(firstPages(t, c, weighted{asked{e, r}, p.meaning, share}), base)
				of = append(of, percent)
			}
			if title == shipped.title {
				if percent, _ := gain(ndcg(t, c, e, engine.Request{}), base); percent != of[0] {
					t.Errorf("%s: the defaults gain %.3f %%, their setting %.3f %%", c.Name, percent, of[0])
				}
			}
			e.Close()
		}
		names, gains = append(names, c.Name), append(gains, of)
		t.Logf("%s: %d queries", c.Name, len(base.Queries))
	}
	heldOut(names, settings, 0, gains)
	// What each constant brings by itself, the others as they are.
	for i, s := range settings {
		p, changed := s.(pipeline), 0
		for _, different := range [...]bool{p.title != shipped.title, p.filler != shipped.filler, p.bonus != shipped.bonus, p.meaning != shipped.meaning} {
			if different {
				changed++
			}
		}
		if changed > 1 {
			continue
		}
		sum := 0.0
		for j := range names {
			sum += gains[j][i]
		}
		fmt.Printf("| %s | %+.2f %% |\n", s, sum/float64(len(names)))
	}
}
