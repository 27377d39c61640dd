package search

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/score"
)

// benchDocs is the size of the benchmarks' corpus.
const benchDocs = 1_000_000

// benchClasses are the terms of the queries: h for head terms, in 2 to 20 % of
// the documents, m for terms in 0.1 to 1 %, t for rarer ones. doc5 stands for
// five words of a text.
var benchClasses = map[string][]float64{
	"h":     {0.05},
	"m":     {0.004},
	"t":     {0.0003},
	"hh":    {0.1, 0.04},
	"hm":    {0.08, 0.004},
	"tt":    {0.0004, 0.0002},
	"hhh":   {0.1, 0.05, 0.03},
	"hmt":   {0.06, 0.005, 0.0003},
	"hhhhh": {0.15, 0.1, 0.06, 0.04, 0.02},
	"doc5":  {0.2, 0.05, 0.008, 0.001, 0.0002},
	"doc8":  {0.2, 0.12, 0.05, 0.02, 0.008, 0.004, 0.001, 0.0002},
	"doc12": {0.2, 0.15, 0.12, 0.1, 0.05, 0.03, 0.02, 0.01, 0.008, 0.004, 0.001, 0.0002},
}

// benchCorpus returns a segment of documents of about ten words, without
// lists, and a function that makes the list of the n-th term with some share
// of the documents.
func benchCorpus(b *testing.B) (seg Segment, list func(share float64, n uint64) *posting.List) {
	r := rand.New(rand.NewPCG(5, 5))
	book := score.NewCodebook(1)
	coding := posting.NewCoding(book)
	params := score.Params{K1: score.DefaultK1, Fields: []score.Field{{Weight: 1, B: score.DefaultB, AvgLen: 10}}}
	bounds := score.Bounds(params, params)
	seg = Segment{Table: score.NewTable(book, params), Bounds: &bounds}
	lengths := make([]byte, benchDocs)
	for i := range lengths {
		lengths[i] = score.EncodeNorm(max(1, int(10*math.Exp(0.5*r.NormFloat64()))))
	}
	for first := 0; first < benchDocs; first += posting.PageSize {
		last := min(benchDocs, first+posting.PageSize) - 1
		seg.Slots = append(seg.Slots, Slot{
			Page: uint16(first >> 16), Last: uint16(last), Norms: score.Norms{lengths[first : last+1]},
		})
	}
	made := map[string]*posting.List{}
	return seg, func(share float64, n uint64) *posting.List {
		key := fmt.Sprint(share, n)
		if made[key] != nil {
			return made[key]
		}
		r := rand.New(rand.NewPCG(math.Float64bits(share), n))
		builder := posting.NewBuilder(coding, posting.KindFreqs)
		for doc := range benchDocs {
			p := share * float64(score.DecodeNorm(lengths[doc])) / 10
			if r.Float64() >= p {
				continue
			}
			tf := uint32(1)
			for tf < 20 && r.Float64() < max(0.04, p/2) {
				tf++
			}
			if err := builder.Add(posting.DocID(doc), score.Vector{{TF: tf}}, nil); err != nil {
				b.Fatal(err)
			}
		}
		l, err := builder.List(&posting.Impacts{Table: seg.Table, Norms: seg.norms})
		if err != nil {
			b.Fatal(err)
		}
		made[key] = l
		return l
	}
}

// benchQueries returns queries of a class.
func benchQueries(seg Segment, list func(share float64, n uint64) *posting.List, class string, op Op, pool *Pool) []*Query {
	var queries []*Query
	for n := range uint64(4) {
		q := &Query{Match: &Expr{Op: op}, Segments: []Segment{seg}, Pool: pool}
		for i, share := range benchClasses[class] {
			l := list(share, n)
			q.Leaves = append(q.Leaves, Leaf{Weight: uint32(4096 * score.IDF(benchDocs, uint64(l.DF))), Lists: []*posting.List{l}})
			q.Match.Kids = append(q.Match.Kids, &Expr{Op: OpLeaf, Leaf: i})
		}
		queries = append(queries, q)
	}
	return queries
}

func BenchmarkTop(b *testing.B) {
	seg, list := benchCorpus(b)
	pool := new(Pool)
	order := func(a, b Hit) bool { return a.Doc < b.Doc }
	type search func(context.Context, *Query, TopOptions) ([]Hit, int64, error)
	for _, op := range []Op{OpOr, OpAnd} {
		for _, class := range []string{"h", "m", "t", "hh", "hm", "tt", "hhh", "hmt", "hhhhh", "doc5", "doc8", "doc12"} {
			queries := benchQueries(seg, list, class, op, pool)
			for _, c := range []struct {
				name   string
				search search
				o      TopOptions
			}{
				{"top10", Top, TopOptions{K: 10}},
				{"top10,ordered", Top, TopOptions{K: 10, Order: order}},
				{"top10,total", Top, TopOptions{K: 10, Count: true}},
				{"exhaustive", TopExhaustive, TopOptions{K: 10}},
			} {
				b.Run(fmt.Sprintf("%s/%s/%s", map[Op]string{OpOr: "or", OpAnd: "and"}[op], class, c.name), func(b *testing.B) {
					b.ReportAllocs()
					for i := 0; b.Loop(); i++ {
						if _, _, err := c.search(context.Background(), queries[i%len(queries)], c.o); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}

// BenchmarkPhrase searches for phrases of two words that are in shares of the
// documents, alone and beside a rarer word. Beside times it reports how many
// positions a query reads.
func BenchmarkPhrase(b *testing.B) {
	r := rand.New(rand.NewPCG(6, 6))
	c := newCorpus(b, r, corpusOptions{
		ranges: [][2]posting.DocID{{0, 199_999}}, fields: 1, short: true,
		share: []float64{0.3, 0.2, 0.03, 0.02, 0.002},
		phrases: []testPhrase{
			{terms: []int{0, 1}}, {terms: []int{2, 3}}, {terms: []int{0, 4}}, {terms: []int{0, 1, 2}}, {terms: []int{2, 3}, o: PhraseOptions{Slop: 2}},
		},
	})
	pool := new(Pool)
	for n, name := range []string{"frequent", "middle", "rare", "three", "slop"} {
		for _, shape := range []string{"alone", "must", "or", "not"} {
			word := &Expr{Op: OpLeaf, Leaf: 1}
			match := &Expr{Op: OpLeaf, Leaf: 0}
			switch shape {
			case "must":
				match = &Expr{Op: OpAnd, Kids: []*Expr{match, word}}
			case "or":
				match = &Expr{Op: OpOr, Kids: []*Expr{match, word}}
			case "not":
				match = &Expr{Op: OpAnd, Kids: []*Expr{word, {Op: OpNot, Kids: []*Expr{match}}}}
			}
			for _, o := range []TopOptions{{K: 10}, {K: 10, Count: true}, {Count: true}} {
				b.Run(fmt.Sprintf("%s/%s/k=%d,total=%v", name, shape, o.K, o.Count), func(b *testing.B) {
					b.ReportAllocs()
					decoded, queries := 0, 0
					for b.Loop() {
						q := c.query([]Leaf{{Weight: 900}, {Weight: 1100}}, []int{c.terms + n, 4}, match) // with phrases that nothing is known of
						q.Pool = pool
						before := decodedIn(pool)
						if _, _, err := Top(context.Background(), q, o); err != nil {
							b.Fatal(err)
						}
						if now := decodedIn(pool); now >= before { // else the pool has dropped its memory
							decoded += now - before
							queries++
						}
					}
					b.ReportMetric(float64(decoded)/float64(max(1, queries)), "positions/op")
				})
			}
		}
	}
}

// decodedIn returns how many positions were read with the memory of a pool
// that one query uses at a time.
func decodedIn(pool *Pool) (n int) {
	r := pool.take()
	for i := range r.leaves {
		if p := r.leaves[i].spare; p != nil {
			n += p.matcher.decoded
		}
	}
	pool.give(r)
	return n
}
