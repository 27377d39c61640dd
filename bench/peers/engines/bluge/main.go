// Command bluge is the peer of bluge; package proto has its command line.
package main

import (
	"context"
	"time"

	"github.com/blugelabs/bluge"
	"github.com/blugelabs/bluge/analysis"
	"github.com/blugelabs/bluge/search/aggregations"

	"github.com/quarry-search/quarry/bench/peers/proto"
)

// spaces splits on single spaces; the corpus is already in lower case.
type spaces struct{}

func (spaces) Tokenize(in []byte) analysis.TokenStream {
	out := make(analysis.TokenStream, 0, 1+len(in)/6)
	for start := 0; start < len(in); {
		end := start
		for end < len(in) && in[end] != ' ' {
			end++
		}
		out = append(out, &analysis.Token{Term: in[start:end], Start: start, End: end, PositionIncr: 1, Type: analysis.AlphaNumeric})
		start = end + 1
	}
	return out
}

var plain = &analysis.Analyzer{Tokenizer: spaces{}}

func document(id, text string) *bluge.Document {
	return bluge.NewDocument(id).AddField(bluge.NewTextField("text", text).WithAnalyzer(plain).SearchTermPositions())
}

func build(dir string) error {
	w, err := bluge.OpenOfflineWriter(bluge.DefaultConfig(dir), 10000, 1000)
	if err != nil {
		return err
	}
	if err := proto.Docs("-", func(id, text string) error {
		return w.Insert(document(id, text))
	}); err != nil {
		return err
	}
	return w.Close()
}

func clause(c proto.Clause) bluge.Query {
	if len(c.Terms) == 1 {
		return bluge.NewTermQuery(c.Terms[0]).SetField("text")
	}
	terms := make([][]string, len(c.Terms))
	for i, t := range c.Terms {
		terms[i] = []string{t}
	}
	return bluge.NewMultiPhraseQuery(terms).SetField("text")
}

func toQuery(cs []proto.Clause) bluge.Query {
	if len(cs) == 1 {
		return clause(cs[0])
	}
	b := bluge.NewBooleanQuery()
	for _, c := range cs {
		switch c.Occur {
		case '+':
			b.AddMust(clause(c))
		case '-':
			b.AddMustNot(clause(c))
		default:
			b.AddShould(clause(c))
		}
	}
	return b
}

func search(r *bluge.Reader, cmd proto.Command, cs []proto.Clause) (int, []proto.Hit, error) {
	req := bluge.NewTopNSearch(cmd.K, toQuery(cs))
	if cmd.K == 0 {
		req = bluge.NewTopNSearch(1, toQuery(cs)).SetScore("none")
	}
	if cmd.Count {
		req.AddAggregation("count", aggregations.CountMatches())
	}
	it, err := r.Search(context.Background(), req)
	if err != nil {
		return 0, nil, err
	}
	n := 0
	var hits []proto.Hit
	m, err := it.Next()
	for ; err == nil && m != nil; m, err = it.Next() {
		n++
		if cmd.IDs {
			h := proto.Hit{Score: m.Score}
			if err := m.VisitStoredFields(func(f string, v []byte) bool {
				if f == "_id" {
					h.ID = string(v)
				}
				return true
			}); err != nil {
				return 0, nil, err
			}
			hits = append(hits, h)
		}
	}
	if cmd.Count {
		n = int(it.Aggregations().Count())
	}
	return n, hits, err
}

func serve(dir string) error {
	start := time.Now()
	r, err := bluge.OpenReader(bluge.DefaultConfig(dir))
	if err != nil {
		return err
	}
	defer r.Close()
	proto.Serve(time.Since(start), func(cmd proto.Command, cs []proto.Clause) (int, []proto.Hit, error) {
		return search(r, cmd, cs)
	})
	return nil
}

type live struct{ w *bluge.Writer }

func (l live) Put(docs []proto.Doc) error {
	b := bluge.NewBatch()
	for _, d := range docs {
		doc := document(d.ID, d.Text)
		b.Update(doc.ID(), doc)
	}
	return l.w.Batch(b)
}

func (l live) Delete(ids []string) error {
	b := bluge.NewBatch()
	for _, id := range ids {
		b.Delete(bluge.Identifier(id))
	}
	return l.w.Batch(b)
}

func (l live) Count(term string) (int, error) {
	r, err := l.w.Reader()
	if err != nil {
		return 0, err
	}
	defer r.Close()
	n, _, err := search(r, proto.Command{Count: true}, []proto.Clause{{Occur: ' ', Terms: []string{term}}})
	return n, err
}

func (l live) Close() error { return l.w.Close() }

func open(dir string) (proto.Live, error) {
	w, err := bluge.OpenWriter(bluge.DefaultConfig(dir))
	return live{w}, err
}

func main() {
	proto.Program{
		Version: func() string { return proto.ModuleVersion("github.com/blugelabs/bluge") },
		Build:   build,
		Query:   serve,
		Open:    open,
	}.Main()
}
