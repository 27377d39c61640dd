// Command bleve is the peer of bleve v2 with its scorch index; package proto has
// its command line.
package main

import (
	"log"
	"os"
	"time"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/analysis/analyzer/custom"
	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/bleve/v2/mapping"
	"github.com/blevesearch/bleve/v2/registry"
	"github.com/blevesearch/bleve/v2/search/query"
	index "github.com/blevesearch/bleve_index_api"

	"github.com/quarry-search/quarry/bench/peers/proto"
)

// spaces splits on single spaces; the corpus is already in lower case.
type spaces struct{}

func (spaces) Tokenize(in []byte) analysis.TokenStream {
	out := make(analysis.TokenStream, 0, 1+len(in)/6)
	for start, pos := 0, 1; start < len(in); pos++ {
		end := start
		for end < len(in) && in[end] != ' ' {
			end++
		}
		out = append(out, &analysis.Token{Term: in[start:end], Start: start, End: end, Position: pos, Type: analysis.AlphaNumeric})
		start = end + 1
	}
	return out
}

func indexMapping() *mapping.IndexMappingImpl {
	m := bleve.NewIndexMapping()
	if err := m.AddCustomAnalyzer("plain", map[string]any{"type": custom.Name, "tokenizer": "spaces"}); err != nil {
		log.Fatal(err)
	}
	f := bleve.NewTextFieldMapping()
	f.Analyzer, f.Store, f.IncludeInAll, f.DocValues, f.IncludeTermVectors = "plain", false, false, false, true
	d := bleve.NewDocumentStaticMapping()
	d.AddFieldMappingsAt("text", f)
	m.DefaultMapping = d
	m.ScoringModel = index.BM25Scoring
	return m
}

type record struct {
	Text string `json:"text"`
}

func build(dir string) error {
	b, err := bleve.NewBuilder(dir, indexMapping(), map[string]any{"batchSize": 10000, "mergeMax": 1000, "buildPathPrefix": os.Getenv("TMPDIR")})
	if err != nil {
		return err
	}
	if err := proto.Docs("-", func(id, text string) error {
		return b.Index(id, record{text})
	}); err != nil {
		return err
	}
	return b.Close()
}

func clause(c proto.Clause) query.Query {
	if len(c.Terms) > 1 {
		return bleve.NewPhraseQuery(c.Terms, "text")
	}
	q := bleve.NewTermQuery(c.Terms[0])
	q.SetField("text")
	return q
}

func toQuery(cs []proto.Clause) query.Query {
	by := map[byte][]query.Query{}
	for _, c := range cs {
		by[c.Occur] = append(by[c.Occur], clause(c))
	}
	if len(cs) == 1 {
		return clause(cs[0])
	}
	if o, ok := proto.Uniform(cs); ok && o == ' ' {
		return bleve.NewDisjunctionQuery(by[' ']...)
	} else if ok && o == '+' {
		return bleve.NewConjunctionQuery(by['+']...)
	}
	b := bleve.NewBooleanQuery()
	b.AddMust(by['+']...)
	b.AddShould(by[' ']...)
	b.AddMustNot(by['-']...)
	return b
}

func serve(dir string) error {
	start := time.Now()
	idx, err := bleve.OpenUsing(dir, map[string]any{"read_only": true})
	if err != nil {
		return err
	}
	defer idx.Close()
	proto.Serve(time.Since(start), func(cmd proto.Command, cs []proto.Clause) (int, []proto.Hit, error) {
		req := bleve.NewSearchRequestOptions(toQuery(cs), cmd.K, 0, false)
		if cmd.K == 0 {
			req.Score = "none"
		}
		res, err := idx.Search(req)
		if err != nil {
			return 0, nil, err
		}
		var hits []proto.Hit
		if cmd.IDs {
			for _, h := range res.Hits {
				hits = append(hits, proto.Hit{ID: h.ID, Score: h.Score})
			}
		}
		if cmd.Count {
			return int(res.Total), hits, nil
		}
		return len(res.Hits), hits, nil
	})
	return nil
}

type live struct{ idx bleve.Index }

func (l live) Put(docs []proto.Doc) error {
	b := l.idx.NewBatch()
	for _, d := range docs {
		if err := b.Index(d.ID, record{d.Text}); err != nil {
			return err
		}
	}
	return l.idx.Batch(b)
}

func (l live) Delete(ids []string) error {
	b := l.idx.NewBatch()
	for _, id := range ids {
		b.Delete(id)
	}
	return l.idx.Batch(b)
}

func (l live) Count(term string) (int, error) {
	q := bleve.NewTermQuery(term)
	q.SetField("text")
	res, err := l.idx.Search(bleve.NewSearchRequestOptions(q, 0, 0, false))
	if err != nil {
		return 0, err
	}
	return int(res.Total), nil
}

func (l live) Close() error { return l.idx.Close() }

func open(dir string) (proto.Live, error) {
	if idx, err := bleve.Open(dir); err == nil {
		return live{idx}, nil
	}
	idx, err := bleve.NewUsing(dir, indexMapping(), scorch.Name, scorch.Name, nil)
	return live{idx}, err
}

func main() {
	if err := registry.RegisterTokenizer("spaces", func(map[string]any, *registry.Cache) (analysis.Tokenizer, error) {
		return spaces{}, nil
	}); err != nil {
		log.Fatal(err)
	}
	proto.Program{
		Version: func() string { return proto.ModuleVersion("github.com/blevesearch/bleve/v2") },
		Build:   build,
		Query:   serve,
		Open:    open,
	}.Main()
}
