package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/quarry-search/quarry/bench/protocol"
	"github.com/quarry-search/quarry/engine"
	"github.com/spf13/cobra"
)

// benchIndex is the one index of a benchmark.
const benchIndex = "docs"

// benchSchema is the same for all engines that are compared: one text, split
// at white space, no word left out or changed.
func benchSchema() engine.Schema {
	return engine.Schema{Language: "none", Fields: []engine.Field{
		{Name: "text", Type: engine.Text, Search: true, Analyzer: "whitespace"},
	}}
}

// Bounds of a batch while a corpus is indexed.
const (
	benchBatchDocs  = 20_000
	benchBatchBytes = 8 << 20
)

// benchCommand is quarry bench.
func (p *program) benchCommand() *cobra.Command {
	var memory size
	var layout benchLayout
	options := func() *engine.Options { return &engine.Options{Memory: int64(memory)} }
	build := &cobra.Command{
		Use:     "build DIR",
		Short:   "Index a corpus from standard input into one segment, or more",
		Long:    "Index a corpus from standard input, a line \"id<tab>text\" a document, into one\nsegment, or as an index looks that is much written to. DIR must be empty or not\nthere.",
		Example: "  quarry bench build ./speed < corpus.tsv",
		Args:    wants(1, 1, "a directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if layout.segments < 1 || layout.deleted < 0 || layout.deleted > 90 {
				return usagef("--segments must be at least 1, and --deleted between 0 and 90")
			}
			return p.benchBuild(cmd.Context(), args[0], layout, options())
		},
	}
	query := &cobra.Command{
		Use:     "query DIR",
		Short:   "Answer queries from standard input, in the driver's protocol",
		Example: "  printf 'TOP_10\\tred shoes\\n' | quarry bench query ./speed",
		Args:    wants(1, 1, "a directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.benchQuery(cmd.Context(), args[0], options())
		},
	}
	live := &cobra.Command{
		Use:     "live DIR CORPUS N BATCH",
		Short:   "Insert, update and delete N documents of a corpus in batches, and print the times",
		Example: "  quarry bench live ./live corpus.tsv 100000 100",
		Args:    wants(4, 4, "a directory, a corpus, the number of documents and the size of a batch"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.benchLive(cmd.Context(), args, options())
		},
	}
	for _, c := range []*cobra.Command{build, query, live} {
		c.Flags().Var(&memory, "memory", "budget of all caches, a `SIZE` such as 512MiB, at least 16MiB (default 256MiB)")
	}
	g := group("bench", "Measure speed, as a partner of the driver in bench/peers", build, query, live, p.versionCommand())
	// The driver's table of engines has them, as it has what tells two indexes
	// apart, and puts the step behind them. They are about build alone.
	g.PersistentFlags().IntVar(&layout.segments, "segments", 1, "build `N` segments of as many documents each")
	g.PersistentFlags().IntVar(&layout.deleted, "deleted", 0, "have build store and delete copies of documents, `PERCENT` of each segment")
	return g
}

// benchLayout is what an index consists of.
type benchLayout struct{ segments, deleted int }

func (p *program) benchBuild(ctx context.Context, dir string, l benchLayout, o *engine.Options) error {
	store := p.benchIndex
	if l != (benchLayout{segments: 1}) {
		// Nothing but benchSegments makes segments.
		o.NoMerge, o.FlushBytes, o.FlushRecords = true, math.MaxInt64, math.MaxInt
		store = func(ctx context.Context, e *engine.Engine) error { return p.benchSegments(ctx, e, l) }
	}
	e, err := engine.Open(dir, o)
	if err != nil {
		return openError(dir, err)
	}
	return errors.Join(store(ctx, e), e.Close())
}

// benchIndex stores the corpus. Segments are merged into one, so that queries
// meet what every engine has after its own last merge.
func (p *program) benchIndex(ctx context.Context, e *engine.Engine) error {
	if _, err := e.CreateIndex(ctx, benchIndex, benchSchema()); err != nil {
		return err
	}
	// As many batches are under way as there are processors.
	batches := make(chan engine.Batch)
	errs := make([]error, runtime.GOMAXPROCS(0))
	var writers sync.WaitGroup
	for i := range errs {
		writers.Go(func() {
			for b := range batches {
				if errs[i] == nil {
					_, errs[i] = e.Apply(ctx, &b)
				}
			}
		})
	}
	total, err := p.benchBatches(batches)
	close(batches)
	writers.Wait()
	if err := errors.Join(append(errs, err)...); err != nil {
		return err
	}
	if err := e.Merge(ctx, benchIndex); err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.stderr, "indexed %s documents\n", formatCount(int64(total)))
	return err
}

// benchSegments stores the corpus in segments of as many documents each. What
// it deletes are copies of documents, so that queries find what they find in
// one segment without deletes.
func (p *program) benchSegments(ctx context.Context, e *engine.Engine, l benchLayout) error {
	if _, err := e.CreateIndex(ctx, benchIndex, benchSchema()); err != nil {
		return err
	}
	var docs []protocol.Doc
	for d, err := range protocol.Documents(p.stdin) {
		if err != nil {
			return err
		}
		docs = append(docs, d)
	}
	var copies []string
	share := 0 // of a copy that is due, in parts of 100-l.deleted
	for i := range l.segments {
		part := docs[len(docs)*i/l.segments : len(docs)*(i+1)/l.segments]
		var with []protocol.Doc
		for _, d := range part {
			with = append(with, d)
			for share += l.deleted; share >= 100-l.deleted; share -= 100 - l.deleted {
				d.ID += " copy" // ids of the corpus have no space
				with = append(with, d)
				copies = append(copies, d.ID)
			}
		}
		for some := range slices.Chunk(with, benchBatchDocs) {
			if err := (benchLive{e}).Put(ctx, some); err != nil {
				return err
			}
		}
		if err := e.Flush(ctx); err != nil {
			return err
		}
	}
	for some := range slices.Chunk(copies, benchBatchDocs) {
		if err := (benchLive{e}).Delete(ctx, some); err != nil {
			return err
		}
	}
	if err := e.Flush(ctx); err != nil {
		return err
	}
	_, err := fmt.Fprintf(p.stderr, "indexed %s documents in %d segments, deleted %s copies\n", formatCount(int64(len(docs))), l.segments, formatCount(int64(len(copies))))
	return err
}

// benchBatches reads the corpus into batches and returns how many documents it
// has.
func (p *program) benchBatches(batches chan<- engine.Batch) (total int, err error) {
	var b engine.Batch
	bytes := 0
	for d, err := range protocol.Documents(p.stdin) {
		if err != nil {
			return total, err
		}
		record, err := benchRecord(d)
		if err != nil {
			return total, err
		}
		b.Put(benchIndex, record)
		total++
		if bytes += len(record); bytes >= benchBatchBytes || len(b.Ops) >= benchBatchDocs {
			batches <- b
			b, bytes = engine.Batch{}, 0
		}
	}
	if len(b.Ops) > 0 {
		batches <- b
	}
	return total, nil
}

func benchRecord(d protocol.Doc) ([]byte, error) {
	return json.Marshal(struct {
		ID   string `json:"id"`
		Text string `json:"text"`
	}{d.ID, d.Text})
}

func (p *program) benchQuery(ctx context.Context, dir string, o *engine.Options) error {
	if err := existing(dir); err != nil {
		return err
	}
	start := time.Now()
	o.ReadOnly = true
	e, err := engine.Open(dir, o)
	if err != nil {
		return openError(dir, err)
	}
	return errors.Join(protocol.Serve(ctx, p.stdin, p.stdout, time.Since(start), &benchSearcher{e: e}), e.Close())
}

// benchSearcher answers the driver's queries.
type benchSearcher struct {
	e *engine.Engine
	r engine.Request // the last one: there is one at a time
}

// Search implements protocol.Searcher.
func (s *benchSearcher) Search(ctx context.Context, cmd protocol.Command, clauses []protocol.Clause) (int, []protocol.Hit, error) {
	r := &s.r
	*r = engine.Request{
		Indexes: []string{benchIndex}, Query: benchQueryText(clauses), Limit: cmd.K,
		Ranking: engine.RankingBM25, Prefix: engine.PrefixOff, Match: engine.MatchAny,
		NoTotal: !cmd.Count, NoRecord: true, Exhaustive: cmd.All,
	}
	if cmd.K == 0 {
		r.Limit = -1
	}
	if slices.ContainsFunc(clauses, func(c protocol.Clause) bool { return c.Occur == protocol.Must }) {
		r.Match = engine.MatchAuto // beside what is required, words only add to the score
	}
	res, err := s.e.Search(ctx, r)
	if err != nil {
		return 0, nil, err
	}
	n := len(res.Hits)
	if cmd.Count {
		n = int(res.Total)
	}
	var hits []protocol.Hit
	if cmd.IDs {
		for _, h := range res.Hits {
			hits = append(hits, protocol.Hit{ID: h.ID, Score: h.Score})
		}
	}
	return n, hits, nil
}

// benchQueryText writes clauses in the engine's simple syntax, which has the
// same signs and quotes.
func benchQueryText(clauses []protocol.Clause) string {
	if len(clauses) == 1 && len(clauses[0].Terms) == 1 && clauses[0].Occur == protocol.Should {
		return clauses[0].Terms[0]
	}
	var b strings.Builder
	for i, c := range clauses {
		if i > 0 {
			b.WriteByte(' ')
		}
		if c.Occur != protocol.Should {
			b.WriteByte(byte(c.Occur))
		}
		if len(c.Terms) > 1 {
			b.WriteByte('"')
		}
		b.WriteString(strings.Join(c.Terms, " "))
		if len(c.Terms) > 1 {
			b.WriteByte('"')
		}
	}
	return b.String()
}

func (p *program) benchLive(ctx context.Context, args []string, o *engine.Options) error {
	var sizes [2]int
	for i, text := range args[2:] {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return usagef("%q is not a number of documents", text)
		}
		sizes[i] = n
	}
	corpus, err := os.Open(args[1])
	if err != nil {
		return err
	}
	defer corpus.Close()
	return protocol.RunLive(ctx, corpus, sizes[0], sizes[1], p.stdout, func(ctx context.Context) (protocol.Live, error) {
		e, err := engine.Open(args[0], o)
		if err != nil {
			return nil, openError(args[0], err)
		}
		if _, err := e.CreateIndex(ctx, benchIndex, benchSchema()); err != nil && !errors.Is(err, engine.ErrIndexExists) {
			return nil, errors.Join(err, e.Close())
		}
		return benchLive{e}, nil
	})
}

// benchLive is an index that is written to. Each call is one batch, on disk and
// visible when it returns.
type benchLive struct{ e *engine.Engine }

// Put implements protocol.Live.
func (l benchLive) Put(ctx context.Context, docs []protocol.Doc) error {
	var b engine.Batch
	for _, d := range docs {
		record, err := benchRecord(d)
		if err != nil {
			return err
		}
		b.Put(benchIndex, record)
	}
	_, err := l.e.Apply(ctx, &b)
	return err
}

// Delete implements protocol.Live.
func (l benchLive) Delete(ctx context.Context, ids []string) error {
	var b engine.Batch
	for _, id := range ids {
		b.Delete(benchIndex, id)
	}
	_, err := l.e.Apply(ctx, &b)
	return err
}

// Count implements protocol.Live.
func (l benchLive) Count(ctx context.Context, term string) (int, error) {
	n, _, err := (&benchSearcher{e: l.e}).Search(ctx, protocol.Command{Count: true}, []protocol.Clause{{Occur: protocol.Must, Terms: []string{term}}})
	return n, err
}

// Close implements protocol.Live.
func (l benchLive) Close() error { return l.e.Close() }
