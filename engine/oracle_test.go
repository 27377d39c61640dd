package engine

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"sort"
	"strconv"
	"strings"

	"github.com/quarry-search/quarry/engine/internal/score"
	"github.com/quarry-search/quarry/tokenize"
)

// oracle answers requests by looking at every record. It shares the analyzer
// and the arithmetic of a single impact with the engine, and nothing else.
type oracle struct {
	records  map[string]*oracleRecord
	analyzer *tokenize.Analyzer // nil: oracleAnalyzer
	batch    int                // the number of the batch at hand
}

type oracleRecord struct {
	id     string
	fields map[string]any
	batch  int // that wrote it
	tokens [2][]tokenize.Token
	norms  score.Norms
	all    byte
}

// oracleText are the text fields of the schema that the oracle knows.
var oracleText = [2]string{"title", "body"}

func oracleSchema() Schema {
	return Schema{Fields: []Field{
		{Name: "title", Type: Text, Search: true, Weight: 3},
		{Name: "body", Type: Text, Search: true},
		{Name: "brand", Type: Keyword, Filter: true, Facet: true, Sort: true},
		{Name: "price", Type: Float, Filter: true, Facet: true, Sort: true},
		{Name: "stock", Type: Int, Filter: true, Sort: true},
		{Name: "new", Type: Bool, Filter: true, Facet: true},
	}}
}

// tokens are those of a text under the analyzer of the oracle.
func (o *oracle) tokens(text string, query bool) []tokenize.Token {
	a := o.analyzer
	if a == nil {
		a = oracleAnalyzer
	}
	if query {
		return a.AnalyzeQuery(text)
	}
	return a.Analyze(text)
}

var oracleAnalyzer = func() *tokenize.Analyzer {
	a, err := tokenize.New(tokenize.Options{Language: "en"})
	if err != nil {
		panic(err)
	}
	return a
}()

func (o *oracle) put(id string, fields map[string]any) {
	r := &oracleRecord{id: id, fields: fields, batch: o.batch}
	total := 0
	for f, name := range oracleText {
		text, _ := fields[name].(string)
		r.tokens[f] = o.tokens(text, false)
		total += len(r.tokens[f])
		r.norms = append(r.norms, []byte{score.EncodeNorm(len(r.tokens[f]))})
	}
	r.all = score.EncodeNorm(total)
	o.records[id] = r
}

// oracleQuery is a query as a list of signed words, which both sides can read.
type oracleQuery struct {
	clauses []oracleClause
	match   Match
	filter  func(r *oracleRecord) bool
	ranking Ranking
}

type oracleClause struct {
	sign   byte // '+', '-' or ' '
	words  []string
	phrase bool
	prefix bool
}

func (c oracleClause) String() string {
	s := strings.Join(c.words, " ")
	if c.phrase {
		s = `"` + s + `"`
	}
	if c.prefix {
		s += "*"
	}
	if c.sign != ' ' {
		s = string(c.sign) + s
	}
	return s
}

func (q oracleQuery) String() string {
	var parts []string
	for _, c := range q.clauses {
		parts = append(parts, c.String())
	}
	return strings.Join(parts, " ")
}

// vector counts in which fields, and how often, a record has what f accepts at
// a token.
func (r *oracleRecord) vector(f func(tokens []tokenize.Token, i int) bool) score.Vector {
	var v score.Vector
	for field, tokens := range r.tokens {
		n := uint32(0)
		for i := range tokens {
			if f(tokens, i) {
				n++
			}
		}
		if n > 0 {
			v = append(v, score.Freq{Field: uint16(field), TF: n})
		}
	}
	return v
}

// oracleLeaf is one scoring term.
type oracleLeaf struct {
	hold   func(r *oracleRecord) score.Vector
	factor float64
	flat   bool
	late   bool                                 // it counts for the best records alone
	rare   []func(r *oracleRecord) score.Vector // what it is weighed by; nil: hold
}

func (o *oracle) leaves(c oracleClause, ranking Ranking) []oracleLeaf {
	words := o.tokens(strings.Join(c.words, " "), true)
	switch {
	case c.prefix:
		p := string(words[0].Word)
		return []oracleLeaf{{hold: func(r *oracleRecord) score.Vector {
			return r.vector(func(t []tokenize.Token, i int) bool {
				return strings.HasPrefix(string(t[i].Term), p) || strings.HasPrefix(string(t[i].Word), p)
			})
		}, factor: 1, flat: true}}
	case c.phrase && len(words) > 1:
		var rare []func(r *oracleRecord) score.Vector
		for _, w := range words {
			rare = append(rare, func(r *oracleRecord) score.Vector {
				return r.vector(func(t []tokenize.Token, i int) bool { return string(t[i].Term) == string(w.Term) })
			})
		}
		return []oracleLeaf{{rare: rare, hold: func(r *oracleRecord) score.Vector {
			return r.vector(func(t []tokenize.Token, i int) bool {
				for j, w := range words {
					if i+j >= len(t) || string(t[i+j].Term) != string(w.Term) {
						return false
					}
				}
				return true
			})
		}, factor: 1}}
	}
	w := words[0]
	out := []oracleLeaf{{hold: func(r *oracleRecord) score.Vector {
		return r.vector(func(t []tokenize.Token, i int) bool { return string(t[i].Term) == string(w.Term) })
	}, factor: 1}}
	if ranking == RankingDefault && string(w.Word) != string(w.Term) {
		out = append(out, oracleLeaf{hold: func(r *oracleRecord) score.Vector {
			return r.vector(func(t []tokenize.Token, i int) bool { return string(t[i].Word) == string(w.Word) })
		}, factor: exactBonus, late: true})
	}
	return out
}

// search returns the ids of all matches in order, with their scores.
func (o *oracle) search(q oracleQuery) (ids []string, scores []float64) {
	var sums [3]fieldStat
	docs := uint64(0)
	for _, r := range o.records {
		has := false
		for f, n := range r.norms {
			if n[0] != 0 {
				sums[f].Docs++
				sums[f].Sum += int64(score.DecodeNorm(n[0]))
				has = true
			}
		}
		if has {
			docs++
			sums[2].Docs++
			sums[2].Sum += int64(score.DecodeNorm(r.all))
		}
	}
	p := score.Params{K1: score.DefaultK1, Fields: []score.Field{{Weight: 3, B: 0.5, AvgLen: sums[0].avg()}, {Weight: 1, B: 0.75, AvgLen: sums[1].avg()}}}
	if q.ranking == RankingBM25 {
		for i := range p.Fields {
			p.Fields[i] = score.Field{Weight: 1, B: 0.75, AvgLen: sums[2].avg()}
		}
	}
	table := score.NewTable(score.NewCodebook(2), p)
	type hit struct {
		r     *oracleRecord
		score uint64
	}
	scoresOf, late := map[*oracleRecord]uint64{}, map[*oracleRecord]uint64{}
	hold := func(c oracleClause, r *oracleRecord) bool { return len(o.leaves(c, q.ranking)[0].hold(r)) > 0 }
	for _, c := range q.clauses {
		if c.sign == '-' {
			continue
		}
		for _, l := range o.leaves(c, q.ranking) {
			if l.rare == nil {
				l.rare = append(l.rare, l.hold)
			}
			idf := 0.0
			for _, hold := range l.rare {
				df := uint64(0)
				for _, r := range o.records {
					if len(hold(r)) > 0 {
						df++
					}
				}
				idf += score.IDF(docs, df)
			}
			w := uint64(math.Round(idf * (score.DefaultK1 + 1) * l.factor * weightUnit))
			for _, r := range o.records {
				v := l.hold(r)
				if len(v) == 0 {
					continue
				}
				impact := uint64(score.MaxImpact)
				if !l.flat {
					norms := r.norms
					if q.ranking == RankingBM25 {
						norms = score.Norms{[]byte{r.all}, []byte{r.all}}
					}
					impact = uint64(table.ImpactOf(v, norms, 0))
				}
				if l.late {
					late[r] += w * impact
				} else {
					scoresOf[r] += w * impact
				}
			}
		}
	}
	var hits []hit
	for _, r := range o.records {
		if q.filter != nil && !q.filter(r) {
			continue
		}
		should, held, must, ok := 0, 0, 0, true
		for _, c := range q.clauses {
			h := hold(c, r)
			switch c.sign {
			case '+':
				must++
				ok = ok && h
			case '-':
				ok = ok && !h
			default:
				should++
				if h {
					held++
				}
			}
		}
		least := min(1, should)
		if q.match == MatchAll {
			least = should
		} else if must > 0 && q.match != MatchAny {
			least = 0
		}
		if ok && held >= least {
			hits = append(hits, hit{r, scoresOf[r]})
		}
	}
	inOrder := func(hits []hit) {
		sort.Slice(hits, func(i, j int) bool {
			if len(q.clauses) == 0 && hits[i].r.batch != hits[j].r.batch {
				return hits[i].r.batch > hits[j].r.batch
			}
			if hits[i].score != hits[j].score {
				return hits[i].score > hits[j].score
			}
			return hits[i].r.id < hits[j].r.id
		})
	}
	inOrder(hits)
	// The best get what comes late; those that score alike get it together, or not.
	best := min(rerankDepth, len(hits))
	for best > 0 && best < len(hits) && hits[best-1].score == hits[best].score {
		best--
	}
	if best == 0 {
		best = min(rerankDepth, len(hits))
	}
	for i := range hits[:best] {
		hits[i].score += late[hits[i].r]
	}
	inOrder(hits[:best])
	for _, h := range hits {
		ids = append(ids, h.r.id)
		scores = append(scores, float64(h.score)/scoreUnit)
	}
	return ids, scores
}

// random makes records and queries over a small vocabulary, so that ties,
// repeated words and empty fields are common.
type random struct{ *rand.Rand }

var vocabulary = strings.Fields("red blue run running runs shoe shoes hat river rivers search engine engines index fast faster cat cats dog")

func (r random) text(most int) string {
	words := make([]string, r.IntN(most+1))
	for i := range words {
		// Low numbers are more frequent.
		words[i] = vocabulary[min(r.IntN(len(vocabulary)), r.IntN(len(vocabulary)))]
	}
	return strings.Join(words, " ")
}

func (r random) record() map[string]any {
	m := map[string]any{}
	if r.IntN(5) > 0 {
		m["title"] = r.text(4)
	}
	if r.IntN(5) > 0 {
		m["body"] = r.text(30)
	}
	if r.IntN(3) > 0 {
		m["brand"] = string(rune('a' + r.IntN(4)))
	}
	if r.IntN(3) > 0 {
		m["price"] = float64(r.IntN(20)) / 2
	}
	if r.IntN(3) > 0 {
		m["stock"] = float64(r.IntN(5))
	}
	if r.IntN(2) > 0 {
		m["new"] = r.IntN(2) == 0
	}
	return m
}

func (r random) query() (oracleQuery, string) {
	q := oracleQuery{match: []Match{MatchAny, MatchAll}[r.IntN(2)]}
	if r.IntN(3) == 0 {
		q.ranking = RankingBM25
		q.match = MatchAny
	}
	for range r.IntN(5) {
		c := oracleClause{sign: "   +-"[r.IntN(5)], words: []string{vocabulary[r.IntN(len(vocabulary))]}}
		switch r.IntN(8) {
		case 0:
			c.phrase = true
			c.words = append(c.words, vocabulary[r.IntN(len(vocabulary))])
		case 1:
			c.prefix = true
			c.words[0] = c.words[0][:1+r.IntN(2)]
		}
		q.clauses = append(q.clauses, c)
	}
	filter := ""
	switch r.IntN(6) {
	case 0:
		b := string(rune('a' + r.IntN(5)))
		filter = fmt.Sprintf("brand = %q", b)
		q.filter = func(r *oracleRecord) bool { return r.fields["brand"] == b }
	case 1:
		n := float64(r.IntN(10))
		filter = fmt.Sprintf("price < %g OR NOT EXISTS stock", n)
		q.filter = func(r *oracleRecord) bool {
			p, ok := r.fields["price"].(float64)
			return ok && p < n || r.fields["stock"] == nil
		}
	case 2:
		lo := float64(r.IntN(4))
		filter = fmt.Sprintf(`stock %g..%g AND brand != "a"`, lo, lo+1)
		q.filter = func(r *oracleRecord) bool {
			s, ok := r.fields["stock"].(float64)
			return ok && s >= lo && s <= lo+1 && r.fields["brand"] != "a"
		}
	case 3:
		some, not := map[string]bool{}, fmt.Sprintf("r%d", r.IntN(20))
		var list []string
		for range 1 + r.IntN(20) {
			id := fmt.Sprintf("r%d", r.IntN(360))
			some[id], list = true, append(list, strconv.Quote(id))
		}
		filter = fmt.Sprintf("id IN [%s] OR stock = 1 AND id != %q", strings.Join(list, ","), not)
		q.filter = func(r *oracleRecord) bool {
			return some[r.id] || r.fields["stock"] == 1.0 && r.id != not
		}
	}
	return q, filter
}

func (r random) json(id string, m map[string]any) []byte {
	c := map[string]any{"id": id}
	for k, v := range m {
		c[k] = v
	}
	b, err := json.Marshal(c)
	if err != nil {
		panic(err)
	}
	return b
}
