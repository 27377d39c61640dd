package engine

import (
	"cmp"
	"errors"
	"slices"
	"strings"
)

// rerankDepth is how many of the best records of a query are given bonuses: a
// page and some more. On judged collections 20 to 200 give the same nDCG@10 to within
// 0.005, 16 gives less, and each record more takes longer.
const rerankDepth = 24

// reranked are the best records of a query in their final order.
//
// A bonus never takes away. So each of them, whose score was at least that of
// every other match, still has at least that, and the order of all matches is
// that of their scores: first these, in order, then the others as they are.
type reranked struct {
	hits  []found
	last  found // the last of them, before bonuses
	more  bool  // there are other matches
	named []docKey
	total int64
	late  error // time is over
}

// mayRerank tells whether the best records of a request like this get bonuses, if there
// are any.
func (s *searcher) mayRerank() bool {
	return s.req.Ranking == RankingDefault && s.like == nil && s.minScore() == 0
}

// reranks tells whether the request has bonuses to give. MinScore is about
// scores without them.
func (s *searcher) reranks() bool {
	if !s.mayRerank() {
		return false
	}
	any := false
	for _, run := range s.runs {
		if run.bonus == nil {
			run.bonus = newBonuses(run)
		}
		any = any || run.bonus.any() || run.hasNamed()
	}
	return any
}

// ranked collects hits by score, with bonuses.
func (s *searcher) ranked(w stretch) (hits []found, total int64, err error) {
	if !s.reranks() {
		return s.scored(w)
	}
	if s.top == nil {
		if s.top, err = s.rerank(w); err != nil {
			return nil, 0, err
		}
	}
	top, order := s.top, sortedHits{}
	hits = s.runs[0].res.room.found.cut(min(w.k, len(top.hits)))[:0]
	for i := range top.hits {
		f := &top.hits[i]
		if len(hits) < w.k && (w.after == nil || order.isAfter(f, w.after)) && (s.within == nil || s.within(f)) {
			hits = append(hits, *f)
		}
	}
	if err := errors.Join(order.err, top.late); err != nil || !top.more || len(hits) == w.k {
		return hits, top.total, err
	}
	last, err := s.position(&top.last)
	if err != nil {
		return nil, 0, err
	}
	rest := stretch{k: w.k - len(hits) + len(top.named), after: &last}
	if a := w.after; a != nil && last.before(a) {
		rest.after = a
	}
	more, _, err := s.scored(rest)
	more = top.unnamed(more)
	return append(hits, more[:min(w.k-len(hits), len(more))]...), top.total, err
}

// before tells whether p stands before q in an order by score.
func (p *Position) before(q *Position) bool {
	return cmp.Or(cmp.Compare(q.Score, p.Score), strings.Compare(p.Index, q.Index), strings.Compare(p.ID, q.ID)) < 0
}

// rerank collects the best records, as many as a stretch needs, and gives the
// first of them their bonuses.
func (s *searcher) rerank(w stretch) (*reranked, error) {
	top := &reranked{}
	depth := max(rerankDepth+1, w.k)
	top.hits, top.total, top.late = s.scored(stretch{k: depth, count: w.count})
	if top.late != nil && !s.expired(top.late) {
		return nil, top.late
	}
	if len(top.hits) == depth {
		top.last, top.more = top.hits[depth-1], true
	}
	named, err := s.findNamed()
	if err != nil && !s.expired(err) {
		return nil, err
	}
	top.late = cmp.Or(top.late, err)
	n := top.withNamed(untorn(top.hits, rerankDepth), named)
	first := top.hits[:n]
	read := first[:untorn(first, characterDepth)]
	for i := range read {
		read[i].read = true
	}
	contend(read)
	for _, run := range s.runs {
		of := run.bonus.hits[:0]
		for i := range first {
			if first[i].run == run {
				of = append(of, &first[i])
			}
		}
		if err := run.bonus.give(of); err != nil {
			return nil, err
		}
	}
	if len(top.named) > 0 {
		lift(first)
	}
	return top, sortByScore(first)
}

// sortByScore puts records in order, by score and then as records are.
func sortByScore(hits []found) error {
	order := sortedHits{}
	rearrange(hits, order.compareRecords)
	return order.err
}

// scoredPlace is the score of a record and where it stands in a row.
type scoredPlace struct {
	score uint64
	place uint32
}

// rearrange puts records in order by score, and by ties, in which no two are equal,
// where scores are. They are large, so each is moved once. What was added to the scores
// since they were in order is little, as a rule, so most records have few to pass.
func rearrange(hits []found, ties func(a, b *found) int) {
	var room [rerankDepth + 2]scoredPlace
	order := room[:0]
	for i := range hits {
		order = append(order, scoredPlace{hits[i].hit.Score, uint32(i)})
	}
	before := func(x, y scoredPlace) bool {
		return x.score > y.score || x.score == y.score && ties(&hits[x.place], &hits[y.place]) < 0
	}
	if len(order) > len(room) {
		slices.SortFunc(order, func(x, y scoredPlace) int {
			if before(x, y) {
				return -1
			}
			return 1
		})
	} else {
		for i := 1; i < len(order); i++ {
			x, j := order[i], i
			for ; j > 0 && before(x, order[j-1]); j-- {
				order[j] = order[j-1]
			}
			order[j] = x
		}
	}
	for to := range order {
		from := int(order[to].place)
		for from < to { // what stood there has been moved since
			from = int(order[from].place)
		}
		hits[to], hits[from] = hits[from], hits[to]
	}
}

// untorn returns how many of the first n hits a stage is for. It does not part
// records of one score, of which ids and names of indexes would decide, so that
// records have the same scores in one index and in several; but if all of the
// first n are alike, it takes these.
func untorn(hits []found, n int) int {
	if len(hits) <= n {
		return len(hits)
	}
	m := n
	for m > 0 && hits[m-1].hit.Score == hits[n].hit.Score {
		m--
	}
	if m == 0 {
		return n
	}
	return m
}
