package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"sort"
	"time"

	"github.com/quarry-search/quarry/engine/internal/page"
	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/score"
	"github.com/quarry-search/quarry/engine/internal/search"
	"github.com/quarry-search/quarry/engine/internal/segment"
	"github.com/quarry-search/quarry/engine/query"
	"github.com/quarry-search/quarry/storage"
)

// searchRun is a search in one index of a view.
type searchRun struct {
	e    *Engine
	ctx  context.Context
	iv   *indexView
	name string
	segs []search.Segment // with tables, without lists
	res  *resolver
	q    *search.Query
	avg  []float64 // average lengths of the text fields, over all indexes of the search
	all  float64   // the same of all text fields as one

	params score.Params // of the ranking
}

// defaultLimit is the number of hits of a request that names none.
const defaultLimit = 20

// Search answers a request from the newest view.
func (e *Engine) Search(ctx context.Context, r *Request) (*Result, error) {
	if r.MinVersion > 0 {
		if err := e.waitVersion(ctx, r.MinVersion); err != nil {
			return nil, err
		}
	}
	v, err := e.acquire()
	if err != nil {
		return nil, err
	}
	defer e.release(v)
	return e.searchIn(ctx, v, r)
}

// searchIn answers a request from a view that the caller holds.
func (e *Engine) searchIn(ctx context.Context, v *view, r *Request) (*Result, error) {
	start := time.Now()
	caller := ctx
	if r.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, r.Timeout)
		defer cancel()
	}
	s := &searcher{e: e, ctx: ctx, caller: caller, v: v, req: r}
	res, err := s.run()
	if err != nil {
		if errors.Is(err, ErrCorrupt) {
			e.corruption(err)
		}
		return nil, err
	}
	res.Version, res.Took = v.version, time.Since(start)
	return res, nil
}

// searcher carries out one request over any number of indexes.
type searcher struct {
	e      *Engine
	ctx    context.Context // with the request's time
	caller context.Context // without it
	v      *view
	req    *Request
	names  []string // of the indexes of the search
	tree   query.Node
	runs   []*searchRun
	joint  bool                 // there are several indexes
	docs   uint64               // over all indexes of the search
	sums   map[string]fieldStat // of text fields by name, over all indexes of the search
	all    fieldStat            // of all text fields as one
	df     map[string]int64     // by leaf.global, over all indexes of the search
	want   int                  // hits to collect: offset and limit
}

func (s *searcher) run() (*Result, error) {
	res := &Result{Query: QueryInfo{Text: s.req.Query}, TotalExact: !s.req.NoTotal}
	err := s.answer(res)
	if s.expired(err) {
		res.TimedOut, res.TotalExact, err = true, false, nil
		if res.Hits == nil {
			res.Hits = []Hit{}
		}
	}
	if err != nil {
		return nil, err
	}
	return res, nil
}

// expired tells whether err is that the time of the request is over.
func (s *searcher) expired(err error) bool {
	return s.req.Timeout > 0 && errors.Is(err, context.DeadlineExceeded) && s.caller.Err() == nil
}

// answer carries out the request as far as time allows, and fills in res.
func (s *searcher) answer(res *Result) error {
	if err := s.check(); err != nil {
		return err
	}
	names, err := s.v.resolveNames(s.req.Indexes)
	if err != nil {
		return err
	}
	s.names = names
	if s.tree, err = s.parse(); err != nil {
		return err
	}
	if err := s.checkCursor(); err != nil {
		return err
	}
	filters, err := s.filters()
	if err != nil {
		return err
	}
	s.joint = len(names) > 1
	s.sum(names)
	for _, name := range names {
		if err := s.open(name, filters); err != nil {
			return err
		}
	}
	if err := s.checkHighlight(); err != nil {
		return err
	}
	if err := s.weigh(); err != nil {
		return err
	}
	if err := s.match(); err != nil {
		return err
	}
	if err := s.collect(res); err != nil {
		return err
	}
	for _, run := range s.runs {
		for _, set := range run.res.used {
			if set.err != nil {
				return set.err
			}
		}
	}
	return nil
}

// check tests the numbers of a request.
func (s *searcher) check() error {
	r, l := s.req, s.e.opts.Limits
	var p problems
	limit := r.Limit
	switch {
	case limit == 0:
		limit = defaultLimit
	case limit < 0:
		limit = 0
	}
	if limit > l.Hits {
		p.addf(CodeLimitExceeded, "/limit", "the limit is %d hits", l.Hits)
	}
	if r.Offset < 0 {
		p.addf(CodeInvalidRequest, "/offset", "an offset is 0 or more")
	}
	if r.Offset > l.Window-limit {
		p.addf(CodeLimitExceeded, "/offset", "offset and limit together may be %d; go on with the cursor", l.Window)
	}
	if r.After != nil && r.Offset > 0 {
		p.addf(CodeInvalidRequest, "/offset", "a cursor and an offset exclude each other")
	}
	if len(r.Query) > l.QueryBytes {
		p.addf(CodeLimitExceeded, "/q", "the query has %d bytes; the limit is %d", len(r.Query), l.QueryBytes)
	}
	if len(r.Facets) > l.Facets {
		p.addf(CodeLimitExceeded, "/facets", "there may be %d facets", l.Facets)
	}
	fields := map[string]bool{}
	for i, f := range r.Facets {
		if fields[f.Field] {
			p.addf(CodeInvalidRequest, fmt.Sprintf("/facets/%d", i), "the facet %q is asked for twice", f.Field)
		}
		fields[f.Field] = true
	}
	for _, c := range [...]struct {
		pointer string
		ok      bool
	}{
		{"/syntax", r.Syntax <= SyntaxQuery}, {"/ranking", r.Ranking <= RankingBM25},
		{"/prefix", r.Prefix <= PrefixOff}, {"/match", r.Match <= MatchAny},
	} {
		if !c.ok {
			p.addf(CodeInvalidRequest, c.pointer, "there is no such choice")
		}
	}
	s.want = limit + max(r.Offset, 0)
	return p.orNil()
}

// checkCursor tests whether a position can be one of this request's order.
func (s *searcher) checkCursor() error {
	a := s.req.After
	keys := len(s.req.Sort)
	if keys == 0 && s.tree == nil {
		keys = 1 // see newest
	}
	if a != nil && len(a.Sort) != keys {
		return invalid(CodeInvalidCursor, "/cursor", "the cursor is not of this request")
	}
	return nil
}

// checkHighlight tests the fields to highlight against the schemas.
func (s *searcher) checkHighlight() error {
	h := s.req.Highlight
	if h == nil {
		return nil
	}
	var p problems
	if h.Words < 0 {
		p.addf(CodeInvalidRequest, "/highlight/words", "a number of words is 0 or more")
	}
	for i, name := range h.Fields {
		known, text := len(s.runs) == 0, len(s.runs) == 0
		for _, run := range s.runs {
			if n, ok := run.iv.schema.byName[name]; ok {
				known = true
				text = text || run.iv.schema.textOf[n] >= 0
			}
		}
		at := fmt.Sprintf("/highlight/fields/%d", i)
		if !known {
			p.addf(CodeUnknownField, at, "there is no field %q", name)
		} else if !text {
			p.addf(CodeInvalidRequest, at, "the field %q is not searched, so nothing in it can be marked", name)
		}
	}
	return p.orNil()
}

func (s *searcher) limit() int { return s.want - s.req.Offset }

// parse reads the text of the query; nil stands for every record.
func (s *searcher) parse() (query.Node, error) {
	lim := query.Limits{MaxBytes: s.e.opts.Limits.QueryBytes, MaxTerms: s.e.opts.Limits.QueryTerms}
	parse := query.ParseSimple
	if s.req.Syntax == SyntaxQuery {
		parse = query.ParseQuery
	}
	n, err := parse(s.req.Query, lim)
	if err != nil {
		return nil, fromQueryError("/q", err)
	}
	if _, all := n.(query.All); all {
		return nil, nil
	}
	return n, nil
}

// filters reads the filters of the request.
func (s *searcher) filters() ([]query.Node, error) {
	var out []query.Node
	if s.req.Filter != "" {
		n, err := s.e.parseFilter(s.req.Filter)
		if err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	for _, f := range s.req.Restrict {
		n, err := s.e.parseFilter(f)
		if err != nil {
			return nil, errImposed()
		}
		out = append(out, n)
	}
	return out, nil
}

// errImposed is all that is told about a filter in Request.Restrict.
func errImposed() error {
	return invalid(CodeInvalidRequest, "", "a filter that is imposed on the request cannot be applied")
}

// open resolves the request in one index.
func (s *searcher) open(name string, filters []query.Node) error {
	iv := s.v.indexes[name]
	ready, err := iv.segments()
	if err != nil {
		return fmt.Errorf("index %q: %w", name, err)
	}
	run := &searchRun{e: s.e, ctx: s.ctx, iv: iv, name: name, segs: slices.Clone(ready)}
	run.avg, run.all = s.averages(iv), s.all.avg()
	run.res = &resolver{run: run, req: s.req, known: s.known}
	if err := s.rank(run); err != nil {
		return err
	}
	if s.tree != nil {
		run.res.top(s.tree)
	}
	imposed := len(filters) - len(s.req.Restrict)
	for i, f := range filters {
		ok := run.res.err == nil
		e := run.res.filter(f)
		switch {
		case ok && run.res.err != nil && i >= imposed:
			run.res.err = errImposed()
		case ok:
			run.res.err = repoint(run.res.err, "/filter")
		}
		run.res.must = append(run.res.must, e)
	}
	if run.res.err != nil {
		return run.res.err
	}
	s.runs = append(s.runs, run)
	return nil
}

// known tells whether some index of the search has a field. The records of the
// others are then without a value, as if the indexes were one.
func (s *searcher) known(field string) bool {
	return slices.ContainsFunc(s.names, func(name string) bool {
		_, ok := s.v.indexes[name].schema.byName[field]
		return ok
	})
}

// sum adds up the lengths of the text fields of all indexes, so that a record
// gets the score that it would have if all of them were one index.
func (s *searcher) sum(names []string) {
	s.sums = map[string]fieldStat{}
	for _, name := range names {
		iv := s.v.indexes[name]
		for i, t := range iv.schema.text {
			field, more := iv.schema.Fields[t.field].Name, fieldAt(iv.stats.Fields, i)
			sum := s.sums[field]
			s.sums[field] = fieldStat{Docs: sum.Docs + more.Docs, Sum: sum.Sum + more.Sum}
		}
		s.all.Docs += iv.stats.All.Docs
		s.all.Sum += iv.stats.All.Sum
	}
	s.docs = uint64(s.all.Docs)
}

func (s *searcher) averages(iv *indexView) []float64 {
	out := make([]float64, len(iv.schema.text))
	for i, t := range iv.schema.text {
		out[i] = s.sums[iv.schema.Fields[t.field].Name].avg()
	}
	return out
}

// rank fixes the parameters of BM25F for an index.
func (s *searcher) rank(run *searchRun) error {
	iv := run.iv
	p := iv.schema.params(run.avg)
	key := "default"
	if s.req.Ranking == RankingBM25 {
		key = "bm25"
		for i := range p.Fields {
			p.Fields[i] = score.Field{Weight: 1, B: score.DefaultB, AvgLen: run.all}
		}
		if err := run.joinNorms(); err != nil {
			return err
		}
	}
	if len(s.req.Fields) > 0 {
		mask := make([]bool, len(iv.schema.text))
		weights := make([]float64, len(iv.schema.text))
		for i, f := range s.req.Fields {
			n, ok := iv.schema.byName[f.Field]
			switch {
			case !ok && s.known(f.Field):
				continue
			case !ok:
				return invalid(CodeUnknownField, fmt.Sprintf("/fields/%d", i), "there is no field %q", f.Field)
			case iv.schema.textOf[n] < 0:
				return invalid(CodeInvalidRequest, fmt.Sprintf("/fields/%d", i), "the field %q cannot be searched", f.Field)
			case !(f.Weight >= 0 && f.Weight <= 1000):
				return invalid(CodeInvalidRequest, fmt.Sprintf("/fields/%d", i), "a weight lies between 0 and 1000")
			}
			t := iv.schema.textOf[n]
			mask[t], weights[t] = true, f.Weight
		}
		for t := range p.Fields {
			switch {
			case !mask[t]:
				p.Fields[t].Weight = 0
			case weights[t] > 0:
				p.Fields[t].Weight = weights[t]
			}
		}
		run.res.mask = mask
	}
	if len(s.req.Fields) > 0 || s.joint {
		key = fmt.Sprintf("%s %v", key, p)
	}
	run.params = p
	for i, t := range iv.impacts(key, p, &s.e.books) {
		run.segs[i].Table, run.segs[i].Bounds = t.table, t.bounds
	}
	return nil
}

// joinNorms gives every text field the length of all text fields together, for
// BM25 over one field. Bounds stay valid: a longer field scores less.
func (run *searchRun) joinNorms() error {
	for i := range run.segs {
		slots := slices.Clone(run.segs[i].Slots)
		for j := range slots {
			ref := run.iv.chunkOf(uint32(slots[j].Page)<<16 | uint32(slots[j].First))
			all, err := ref.chunk.Norms(page.AllFields)
			if err != nil {
				return err
			}
			n := make(score.Norms, len(slots[j].Norms))
			for f := range n {
				n[f] = all
			}
			slots[j].Norms = n
		}
		run.segs[i].Slots = slots
	}
	return nil
}

// weigh sums up statistics over the indexes and gives the leaves weights.
func (s *searcher) weigh() error {
	s.df = map[string]int64{}
	for _, run := range s.runs {
		seen := map[string]bool{}
		for i := range run.res.leaves {
			if l := &run.res.leaves[i]; !seen[l.global] {
				seen[l.global] = true
				s.df[l.global] += l.df
			}
		}
	}
	for _, run := range s.runs {
		run.q = &search.Query{
			Leaves:   run.res.weights(s.docs, s.df),
			Sets:     run.res.sets,
			Segments: run.bind(run.res.leaves),
			Pool:     &s.e.pool,
		}
	}
	return nil
}

// bind gives the segments the lists of the leaves.
func (run *searchRun) bind(leaves []leaf) []search.Segment {
	out := slices.Clone(run.segs)
	for i := range out {
		out[i].Lists = make([]*posting.List, len(leaves))
		for j := range leaves {
			out[i].Lists[j] = leaves[j].lists[i]
		}
	}
	return out
}

// match settles how many of the query's words a record has to hold.
func (s *searcher) match() error {
	groups := 0
	for _, run := range s.runs {
		groups = max(groups, len(run.res.groups))
	}
	least := min(1, groups)
	switch {
	case groups == 0:
	case s.req.Match == MatchAll:
		least = groups
	case s.req.Match == MatchAny || s.req.Ranking == RankingBM25 || groups == 1:
		for _, run := range s.runs {
			if len(run.res.must) > 0 && s.req.Match != MatchAny && s.hasMust() {
				least = 0
			}
		}
	default:
		var err error
		if least, err = s.enough(groups); err != nil {
			return err
		}
	}
	for _, run := range s.runs {
		run.q.Match = run.condition(least)
		if s.tree != nil && groups == 0 && len(run.q.Leaves) == 0 && len(run.res.must) == 0 {
			run.q.Match = &search.Expr{Op: search.OpOr} // nothing but punctuation
		}
	}
	return nil
}

// hasMust tells whether the query requires words by a sign of its own, so that
// the other words only add to the score.
func (s *searcher) hasMust() bool {
	b, ok := s.tree.(query.Bool)
	return ok && len(b.Must) > 0
}

// condition is what a record has to satisfy: what is required anyhow, and
// least of the groups.
func (run *searchRun) condition(least int) *search.Expr {
	all := slices.Clone(run.res.must)
	g := run.res.groups
	switch {
	case least <= 0 || len(g) == 0:
	case least == 1:
		all = append(all, orOf(g))
	case least >= len(g):
		all = append(all, g...)
	default:
		all = append(all, &search.Expr{Op: search.OpAtLeast, Min: least, Kids: g})
	}
	switch len(all) {
	case 0:
		return &search.Expr{Op: search.OpAll}
	case 1:
		if all[0].Op != search.OpNot {
			return all[0]
		}
	}
	return &search.Expr{Op: search.OpAnd, Kids: all}
}

func orOf(kids []*search.Expr) *search.Expr {
	if len(kids) == 1 {
		return kids[0]
	}
	return &search.Expr{Op: search.OpOr, Kids: kids}
}

// enough returns the largest number of words that as many records hold as hits
// are asked for; 1 (or 0 beside required words) if there is none.
func (s *searcher) enough(groups int) (int, error) {
	floor := 1
	if s.hasMust() {
		floor = 0
	}
	total := int64(0)
	for _, run := range s.runs {
		run.q.Match = run.condition(groups)
		n, err := search.Count(s.ctx, run.q)
		if err != nil {
			return 0, err
		}
		total += n
	}
	if total >= int64(s.want) {
		return groups, nil
	}
	counts := make([]int64, groups+1)
	for _, run := range s.runs {
		run.q.Match = run.condition(0)
		h, err := search.Histogram(s.ctx, run.q, run.res.groups)
		if err != nil {
			return 0, err
		}
		for i, n := range h {
			counts[i] += n
		}
	}
	sum := int64(0)
	for least := groups; least > floor; least-- {
		if sum += counts[least]; sum >= int64(s.want) {
			return least, nil
		}
	}
	return floor, nil
}

// found is a hit before its record is read.
type found struct {
	run   *searchRun
	hit   search.Hit
	ref   *chunkRef
	place int
	keys  []SortValue
}

func (run *searchRun) found(h search.Hit) found {
	ref := run.iv.chunkOf(h.Doc)
	return found{run: run, hit: h, ref: ref, place: int(h.Doc - ref.base())}
}

// before is the order of hits of equal score within an index: by id.
func (run *searchRun) before(a, b search.Hit) bool {
	ra, rb := run.iv.chunkOf(a.Doc), run.iv.chunkOf(b.Doc)
	c, err := ra.chunk.CompareID(int(a.Doc-ra.base()), rb.chunk, int(b.Doc-rb.base()))
	if err != nil && run.res.err == nil {
		run.res.err = err
	}
	return c < 0
}

// collect finds the hits of the page asked for. When time runs out it keeps
// what was found until then.
func (s *searcher) collect(res *Result) error {
	var hits []found
	var err error
	switch {
	case len(s.req.Sort) > 0:
		hits, err = s.sorted(res)
	case s.tree == nil:
		hits, err = s.newest(res)
	default:
		hits, err = s.ranked(res)
	}
	if err != nil && !s.expired(err) {
		return err
	}
	late := err
	for _, run := range s.runs {
		if run.res.err != nil {
			return run.res.err
		}
	}
	if len(s.req.Facets) > 0 {
		res.Facets, err = s.facets()
		if err != nil && !s.expired(err) {
			return err
		}
		late = errors.Join(late, err)
	}
	more := len(hits) > s.want
	hits = hits[min(s.req.Offset, len(hits)):min(s.want, len(hits))]
	if err := s.fetch(hits, more, res); err != nil {
		return err
	}
	return late
}

func (s *searcher) minScore() uint64 { return uint64(max(0, s.req.MinScore) * scoreUnit) }

// matches calls f with the matches of every slot of an index, those below the
// request's MinScore left out.
func (s *searcher) matches(run *searchRun, f func(seg, slot int, words *search.Page) error) error {
	least := s.minScore()
	if least == 0 {
		return search.Matches(s.ctx, run.q, f)
	}
	return search.Matches(s.ctx, run.q, func(seg, slot int, words *search.Page) error {
		var kept search.Page
		high := uint32(run.segs[seg].Slots[slot].Page) << 16
		if err := eachBit(words, func(place int) error {
			if search.Score(run.q, seg, high|uint32(place)) >= least {
				kept[place>>6] |= 1 << (place & 63)
			}
			return nil
		}); err != nil {
			return err
		}
		return f(seg, slot, &kept)
	})
}

// ranked collects hits by score.
func (s *searcher) ranked(res *Result) ([]found, error) {
	var all []found
	var late error
	for _, run := range s.runs {
		o := search.TopOptions{
			K: s.want, Order: run.before, Count: !s.req.NoTotal,
			MinScore: s.minScore(),
		}
		if s.limit() > 0 {
			o.K++ // to know whether there is a next page
		}
		if a := s.req.After; a != nil {
			o.After = run.cursor(a)
		}
		hits, total, err := search.Top(s.ctx, run.q, o)
		if late = err; err != nil {
			break
		}
		res.Total += total
		for _, h := range hits {
			all = append(all, run.found(h))
		}
	}
	if len(s.runs) > 1 {
		sort.SliceStable(all, func(i, j int) bool {
			if all[i].hit.Score != all[j].hit.Score {
				return all[i].hit.Score > all[j].hit.Score
			}
			return all[i].run.name < all[j].run.name
		})
	}
	return all, late
}

// cursor is the place of a position in an index's order of hits.
func (run *searchRun) cursor(a *Position) *search.Cursor {
	c := &search.Cursor{Score: a.Score}
	if run.name >= a.Index {
		c.After = func(h search.Hit) bool {
			if run.name > a.Index {
				return true
			}
			f := run.found(h)
			id, err := f.ref.chunk.ID(f.place)
			if err != nil && run.res.err == nil {
				run.res.err = err
			}
			return bytes.Compare(id, []byte(a.ID)) > 0
		}
	}
	return c
}

// fetch reads the records of hits.
func (s *searcher) fetch(hits []found, more bool, res *Result) error {
	res.Hits = make([]Hit, 0, len(hits))
	readers := map[*searchRun]*storage.Iterator{}
	defer func() {
		for _, it := range readers {
			it.Close()
		}
	}()
	for i := range hits {
		f := &hits[i]
		id, err := f.ref.chunk.ID(f.place)
		if err != nil {
			return err
		}
		h := Hit{Index: f.run.name, ID: string(id), Score: float64(f.hit.Score) / scoreUnit}
		if !s.req.NoRecord || s.req.Highlight != nil {
			it := readers[f.run]
			if it == nil {
				lo, hi := storage.BlockRange(f.run.iv.ix.number, 0, ^uint32(0))
				if it, err = s.v.kv.Iter(lo, hi); err != nil {
					return err
				}
				readers[f.run] = it
			}
			if _, h.Record, err = s.e.readStored(it, f.run.iv.ix.number, f.hit.Doc); err != nil {
				return err
			}
			if s.req.Highlight != nil {
				h.Highlight = f.run.highlight(s.req.Highlight, h.Record)
			}
		}
		if s.req.Explain {
			h.Explain = f.run.explain(f.hit)
		}
		res.Hits = append(res.Hits, h)
	}
	if n := len(hits); more && n > 0 {
		last := hits[n-1]
		res.Next = &Position{Score: last.hit.Score, Sort: last.keys, Index: last.run.name, ID: res.Hits[n-1].ID}
	}
	return nil
}

// entry returns the cached posting list of a term in a segment.
func (run *searchRun) entry(s *segmentRef, space uint16, term []byte, positions bool) (*listEntry, error) {
	var buf [80]byte
	key := segment.Key(buf[:0], space, term)
	return run.e.lists.load(listKey{s.uid, string(key), positions}, func() (*posting.List, int, error) {
		list, err := s.reader.List(key, positions)
		if err != nil || list == nil {
			return nil, 0, err
		}
		return list, list.Bytes(), nil
	})
}

func (run *searchRun) list(s *segmentRef, space uint16, term []byte, positions bool) (*posting.List, error) {
	en, err := run.entry(s, space, term, positions)
	if err != nil {
		return nil, err
	}
	return en.list, nil
}

// live counts the live documents of a list that was made for this query.
func (run *searchRun) live(list *posting.List) int {
	n := list.DF
	if len(run.iv.dead) > 0 {
		for i := range list.Containers {
			if words := run.iv.deadWords(list.Containers[i].Page); words != nil {
				n -= list.Containers[i].AndCount(words)
			}
		}
	}
	return n
}

// eachBit calls f for every bit that is set, in order.
func eachBit(words *search.Page, f func(place int) error) error {
	for i, w := range words {
		for ; w != 0; w &= w - 1 {
			if err := f(i<<6 | bits.TrailingZeros64(w)); err != nil {
				return err
			}
		}
	}
	return nil
}
