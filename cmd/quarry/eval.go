package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/quarry-search/quarry/bench/eval"
	"github.com/quarry-search/quarry/engine"
	"github.com/spf13/cobra"
)

// evalOptions are the flags of quarry eval.
type evalOptions struct {
	ranking, run, compare  string
	queries, split         string
	semantic               string
	json, byQuery          bool
	language               string
	records, judgments, id string
	embedder               embedderSpecs
	from                   []string
	hybrid                 float64
	embedded               map[string]engine.Embedder
}

// evalCommand is quarry eval.
func (p *program) evalCommand() *cobra.Command {
	var o evalOptions
	c := &cobra.Command{
		Use:   "eval DIR... | --records FILE --judgments FILE",
		Short: "Measure ranking quality on judged collections",
		Long: `Index each judged collection into a temporary engine, ask it all queries and
print nDCG@10, MAP, MRR, P@k and Recall@k, equal to trec_eval's, and the latency.

A collection is a folder in BEIR layout (corpus.jsonl or corpus.jsonl.gz,
queries.jsonl, and qrels.tsv or qrels/test.tsv) or with TREC topics, documents
and qrels.

Or it is your own: --records is a file that quarry import reads as well, and
each line of --judgments says how good an answer a record is to a query:

  red shoes <tab> sku-42 <tab> 2

The grade is 2 for a good answer, 1 for a fair one (and if there is none), 0 for
a wrong one. CSV, and a JSON object a line with query, id and grade, will do.`,
		Example: `  quarry eval --records products.ndjson --judgments judgments.tsv
  quarry eval cranfield cacm
  quarry eval cranfield --ranking bm25 --run bm25.run
  quarry eval cranfield --compare bm25.run`,
		Args: func(cmd *cobra.Command, dirs []string) error {
			if o.records != "" || o.judgments != "" {
				return wants(0, 0, "")(cmd, dirs)
			}
			return wants(1, -1, "the folder of a collection, or --records and --judgments")(cmd, dirs)
		},
		RunE: func(cmd *cobra.Command, dirs []string) error {
			ranking, ok := map[string]engine.Ranking{"default": engine.RankingDefault, "bm25": engine.RankingBM25}[o.ranking]
			switch {
			case !ok:
				return usagef("--ranking is default or bm25, not %q", o.ranking)
			case o.semantic != "auto" && o.semantic != "off" && o.semantic != "on":
				return usagef("--semantic is auto, off or on, not %q", o.semantic)
			case (o.records == "") != (o.judgments == ""):
				return usagef("--records and --judgments go together: one file has what is searched, the other says what is a good answer to which query")
			case o.records == "" && o.id != "", o.records != "" && o.queries+o.split != "":
				return usagef("--id is about --records; --queries and --split are about the folder of a collection")
			case len(o.embedder) > 1:
				return usagef("--embedder is one, not %d", len(o.embedder))
			case !(o.hybrid > 0 && o.hybrid <= 1):
				return usagef("--hybrid is above 0, up to 1, not %v", o.hybrid)
			case len(dirs) > 1 && (o.run != "" || o.compare != ""):
				return usagef("--run and --compare are about one collection, not %d", len(dirs))
			}
			var err error
			if o.embedded, err = o.embedder.open(p.lookupEnv); err != nil {
				return err
			}
			return p.eval(cmd.Context(), dirs, &o, ranking)
		},
	}
	f := c.Flags()
	f.StringVar(&o.ranking, "ranking", "default", "`RANKING`: default or bm25")
	f.StringVar(&o.semantic, "semantic", "auto", "`WHEN` to rank by meaning besides words: auto, off, or on whatever the records")
	f.StringVar(&o.run, "run", "", "write the best 1,000 of each query to this `FILE`, as a TREC run")
	f.StringVar(&o.compare, "compare", "", "compare with the TREC run in this `FILE`: significance, and the queries that differ")
	f.StringVar(&o.queries, "queries", "", "read the queries from this `FILE`, of the collection's folder if it is a bare name")
	f.StringVar(&o.split, "split", "", "read the judgments of this `SPLIT`, such as dev for qrels/dev.tsv (default test)")
	f.StringVar(&o.records, "records", "", "your own records, in a `FILE` of NDJSON, JSON, CSV or TSV, packed or not")
	f.StringVar(&o.judgments, "judgments", "", "your own judgments, in a `FILE`: query, id of the record, grade")
	f.StringVar(&o.id, "id", "", "`FIELD` of --records that holds the ids (default: found as quarry import does)")
	f.StringVar(&o.language, "language", "", "`LANGUAGE` of the texts: a code such as de, or none (default that of the texts, en if they do not tell)")
	f.BoolVar(&o.byQuery, "by-query", false, "list the queries as well, the worst first")
	f.Var(&o.embedder, "embedder", "rank by the vectors of this `EMBEDDER`, too; see quarry serve")
	f.StringSliceVar(&o.from, "embed", []string{"title", "text"}, "`FIELDS` that it makes vectors of")
	f.Float64Var(&o.hybrid, "hybrid", 0.3, "the `SHARE` of nearness in scores; with 1 words do not count")
	f.BoolVar(&o.json, "json", false, "as JSON")
	return c
}

func (p *program) eval(ctx context.Context, dirs []string, o *evalOptions, ranking engine.Ranking) error {
	var reports []*eval.Report
	var comparison *eval.Comparison
	measure := func(c *eval.Collection, key string) error {
		r, err := evaluate(ctx, c, key, ranking, o)
		if err != nil {
			return fmt.Errorf("collection %s: %w", c.Name, err)
		}
		reports = append(reports, r)
		if o.run != "" {
			if err := writeRun(o.run, r.Run, "quarry-"+o.ranking); err != nil {
				return err
			}
		}
		if o.compare != "" {
			comparison, err = compare(c, r, o.compare)
		}
		return err
	}
	if o.records != "" {
		w, c, err := openOwn(o)
		if err != nil {
			return err
		}
		if err := measure(c, w.key); err != nil {
			return err
		}
		w.warn(p.stderr)
	}
	for _, dir := range dirs {
		if i, err := os.Stat(dir); err == nil && !i.IsDir() {
			return usagef("%s is a file, and a collection is a folder; for records of your own: --records %s --judgments FILE", dir, dir)
		}
		c, err := eval.Open(dir, &eval.OpenOptions{Queries: o.queries, Split: o.split})
		if err != nil {
			return err
		}
		if err := measure(c, evalKey); err != nil {
			return err
		}
	}
	if o.json {
		return json.NewEncoder(p.stdout).Encode(struct {
			Ranking    string           `json:"ranking"`
			Reports    []*eval.Report   `json:"reports"`
			Comparison *eval.Comparison `json:"comparison,omitempty"`
		}{o.ranking, reports, comparison})
	}
	err := eval.WriteTable(p.stdout, reports...)
	for _, r := range reports {
		if o.byQuery && err == nil {
			fmt.Fprintln(p.stdout)
			err = r.WriteQueries(p.stdout)
		}
	}
	if comparison != nil && err == nil {
		fmt.Fprintln(p.stdout)
		err = comparison.WriteText(p.stdout)
	}
	return err
}

// evaluate indexes a collection, whose ids are in the field key, into a
// temporary engine and asks it.
func evaluate(ctx context.Context, c *eval.Collection, key string, ranking engine.Ranking, o *evalOptions) (*eval.Report, error) {
	e, remove, err := temporaryEngine(o.embedded)
	if err != nil {
		return nil, err
	}
	semantic, _ := engine.ParseSemantic(o.semantic)
	r, err := func() (*eval.Report, error) {
		if err := indexCollection(ctx, e, c, key, o, semantic); err != nil {
			return nil, err
		}
		return eval.Evaluate(ctx, c, judged{e, ranking, o.hybrid}, nil)
	}()
	return r, errors.Join(err, remove())
}

// temporaryEngine opens an engine on a directory that remove deletes.
func temporaryEngine(embedders map[string]engine.Embedder) (e *engine.Engine, remove func() error, err error) {
	dir, err := os.MkdirTemp("", "quarry-")
	if err != nil {
		return nil, nil, err
	}
	// The questions of collections are longer than what people type, and some
	// collections have a field for each attribute of a product.
	limits := engine.Limits{QueryBytes: 64 << 10, QueryTerms: 4096, IndexFields: 20_000}
	if e, err = engine.Open(dir, &engine.Options{Limits: limits, Embedders: embedders}); err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(dir))
	}
	return e, func() error { return errors.Join(e.Close(), os.RemoveAll(dir)) }, nil
}

// Names and sizes of an evaluation.
const (
	evalIndex   = "collection"
	evalKey     = "_id"
	evalSample  = 1000    // records that the schema is inferred from
	evalBatch   = 4 << 20 // bytes of records in a batch
	evalBatchOp = 10_000
)

// indexCollection stores all documents, with the fields that a person gets who
// imports them: every text is searched, and a title weighs five times as much.
func indexCollection(ctx context.Context, e *engine.Engine, c *eval.Collection, key string, o *evalOptions, semantic engine.Semantic) error {
	var b engine.Batch
	bytes, made := 0, false
	apply := func() error {
		if !made {
			sample := make([][]byte, 0, evalSample)
			for _, op := range b.Ops[:min(len(b.Ops), evalSample)] {
				sample = append(sample, op.Record)
			}
			schema, err := engine.Infer(sample, key)
			if err != nil {
				return err
			}
			if schema.Semantic = semantic; o.language != "" {
				schema.Language = o.language
			}
			o.addVector(&schema)
			if _, err := e.CreateIndex(ctx, evalIndex, schema); err != nil {
				return err
			}
			made = true
		}
		_, err := e.Apply(ctx, &b)
		b, bytes = engine.Batch{}, 0
		return err
	}
	for d, err := range c.Documents() {
		if err != nil {
			return err
		}
		b.Put(evalIndex, d.Record)
		if bytes += len(d.Record); bytes >= evalBatch || len(b.Ops) >= evalBatchOp {
			if err := apply(); err != nil {
				return err
			}
		}
	}
	if len(b.Ops) > 0 || !made {
		if err := apply(); err != nil {
			return err
		}
	}
	if err := e.Merge(ctx, evalIndex); err != nil {
		return err
	}
	if err := e.EmbedRecords(ctx, evalIndex); err != nil {
		return err
	}
	return e.TrainVectors(ctx, evalIndex)
}

// addVector adds a field for the vectors of the embedder, if there is one, of
// those of its fields that the records have.
func (o *evalOptions) addVector(s *engine.Schema) {
	for name := range o.embedded {
		f := engine.Field{Name: "quarry.vector", Type: engine.Vector, Embedder: name}
		for _, from := range o.from {
			if i := s.Field(from); i >= 0 && (s.Fields[i].Type == engine.Text || s.Fields[i].Type == engine.Keyword) {
				f.From = append(f.From, from)
			}
		}
		s.Fields = append(s.Fields, f)
	}
}

// judged asks the questions of a collection: whole questions, of which no word
// is still being typed.
type judged struct {
	e       *engine.Engine
	ranking engine.Ranking
	hybrid  float64
}

// Search implements eval.Searcher.
func (j judged) Search(ctx context.Context, query string, k int) ([]eval.ScoredID, error) {
	r := engine.Request{
		Indexes: []string{evalIndex}, Query: query, Limit: k,
		Ranking: j.ranking, Prefix: engine.PrefixOff, NoTotal: true, NoRecord: true,
		Semantic: engine.SemanticRequest{Hybrid: j.hybrid},
	}
	if j.ranking == engine.RankingBM25 {
		r.Match, r.Query = engine.MatchAny, plainWords(query)
	}
	res, err := j.e.Search(ctx, &r)
	if err != nil {
		return nil, err
	}
	out := make([]eval.ScoredID, len(res.Hits))
	for i, h := range res.Hits {
		out[i] = eval.ScoredID{ID: h.ID, Score: h.Score}
	}
	return out, nil
}

// plainWords takes the signs out of a question that the query syntax would
// give a meaning: plain BM25 is over its words alone.
func plainWords(query string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(`"+-*|`, r) {
			return ' '
		}
		return r
	}, query)
}

func writeRun(path string, run eval.Run, tag string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(eval.WriteRun(f, run, tag), f.Close())
}

// compare compares a report with a run that was written earlier.
func compare(c *eval.Collection, r *eval.Report, path string) (*eval.Comparison, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	run, err := eval.ReadRun(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	base, err := eval.EvaluateRun(c, run, nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r.Compare(base)
}
