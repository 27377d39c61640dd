package engine

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/quarry-search/quarry/engine/internal/score"
	"github.com/quarry-search/quarry/engine/internal/search"
	"github.com/quarry-search/quarry/engine/query"
	"github.com/quarry-search/quarry/storage"
	"github.com/quarry-search/quarry/tokenize"
)

// searchRun is a search in one index of a view.
type searchRun struct {
	e    *Engine
	ctx  context.Context
	kv   storage.Reader // the view that is searched
	iv   *indexView
	name string
	segs []search.Segment // with tables, without lists
	all  []*searchRun     // of the search
	res  *resolver
	q    *search.Query
	df   map[string]int64 // of all indexes, see searcher.sumDF; nil: each leaf knows its own

	params score.Params // of the ranking
	keys   []sortKey    // see searcher.sortKeys

	own            *ownFilter    // nil: the request has no filter
	imposed        []*filterSet  // Request.Restrict
	matched        *matchedPages // see searcher.matched
	bonus          *bonuses      // see searcher.reranks
	like           *likeness     // nil: it knows nothing of what the query means
	counted        counted       // see match and enough
	markers        map[int]*marker
	seenBegun      *wordFact    // what begun found where something is imposed
	lacksAlone     bool         // see countLacking
	begunSet       *search.Expr // the one whose id the query is, and those whose titles are being typed; nil: they are matches by their words, if they are; see addBegun, addID
	near           *search.Expr // the nearest records; nil: they are not matches by that
	pure           bool         // only they are
	words          *search.Expr // what matches by words, where near is
	pinned, hidden []uint32     // documents with a fixed place, and without any
}

// defaultLimit is the number of hits of a request that names none.
const defaultLimit = 20

// page is the number of hits of a request that names none, under these limits.
func (l *Limits) page() int { return min(defaultLimit, l.Hits, l.Window) }

// Search answers a request, nil being the zero value, from the newest view. It
// does not wait for writes.
//
// Errors: an *InvalidError for a mistake in the request, with a pointer into it
// and the column in a query or filter; ErrNotFound for an index that is not
// there; ErrCorrupt; ErrClosed; the context's. When Timeout has passed there is
// no error, but Result.TimedOut.
func (e *Engine) Search(ctx context.Context, r *Request) (*Result, error) {
	if r != nil && r.MinVersion > 0 {
		if err := e.WaitVersion(ctx, r.MinVersion); err != nil {
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
	if r == nil {
		r = &Request{}
	}
	if r.Syntax == SyntaxSimple {
		if plain := e.plainly(r.Query); plain != r.Query {
			own := *r
			own.Query, r = plain, &own
		}
	}
	if r.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, r.Timeout)
		defer cancel()
	}
	res, err := e.countOfWord(ctx, v, r)
	if res == nil && err == nil {
		s := &searcher{e: e, ctx: ctx, caller: caller, v: v, req: r, start: start, texts: e.rooms.takeTexts()}
		res, err = s.run()
	}
	if err != nil {
		return nil, e.told(err)
	}
	res.Version, res.Took = v.version, time.Since(start)
	return res, nil
}

// searcher carries out one request over any number of indexes.
type searcher struct {
	e        *Engine
	ctx      context.Context // with the request's time
	caller   context.Context // without it
	v        *view
	req      *Request
	start    time.Time
	names    []string       // of the indexes of the search
	tree     query.Node     // what is searched for
	typed    query.Node     // the query as it was parsed
	intent   *understanding // nil: it says nothing about fields
	runs     []*searchRun
	required []restriction        // what the request filters by
	resolved bool                 // it has been resolved in the runs
	joint    bool                 // there are several indexes
	docs     uint64               // over all indexes of the search
	sums     map[string]fieldStat // of text fields by name, over all indexes of the search if there are several
	all      fieldStat            // of all text fields as one
	df       map[string]int64     // by leaf.global, over all indexes of the search; nil: there is one: it is leaf.df
	want     int                  // hits to collect: offset and limit
	pages    []*wordPage          // to be given back
	least    int                  // words of the query that a record has to hold
	top      *reranked            // see ranked
	within   func(*found) bool    // which of top a narrowed query matches; nil: all
	complete *complete            // nil: complete records are ranked as the others are
	whole    bool                 // there are so many of them that no others match

	unseen  map[indexTerm]bool // see findUnseen
	named   bool               // an index holds what the query names; see agreeOnNamed
	repairs map[string]repair  // of the words of the query, by the word as it was typed
	shown   []change           // the same, as records write them
	pins    []pinned           // by place
	like    *found             // the record of Request.Similar

	agreed  map[string]bool // see agrees
	meaning *meaning        // nil until it is needed
	fusion  *fusion         // nil: hits are not ranked by vectors of a field
	mute    bool            // the embedder did not answer

	unmarked bool // there was no time for all highlights

	texts *queryTexts

	unruled, unspelt bool     // no rules apply; words are not repaired
	wordly           bool     // words say nothing about fields
	excluded         []string // what the query denies where no spaces stand between words
	ignored          []string // Request.Intent.Ignore in canonical form
	relaxed          bool     // what they say raises records, and does not restrict
	bare             bool     // see speechless
	ordering         bool     // a superlative needs all words, but for fillers
}

func (s *searcher) run() (*Result, error) {
	res := &Result{Query: QueryInfo{Text: s.req.Query}, TotalExact: !s.req.NoTotal}
	err := s.answer(res)
	s.show(&res.Query)
	res.Query.Semantic = s.semanticInfo()
	s.e.pages.give(s.pages)
	for _, run := range s.runs {
		s.e.bonuses.give(run.bonus)
		run.bonus = nil
	}
	if s.expired(err) {
		res.TimedOut, res.TotalExact, err = true, false, nil
		if res.Hits == nil {
			res.Hits = []Hit{}
		}
	}
	if err != nil {
		return nil, s.allWrong(err)
	}
	res.TimedOut = res.TimedOut || s.unmarked
	s.e.rooms.leave(s.runs)
	s.e.rooms.leaveTexts(s.texts)
	s.texts = nil
	return res, nil
}

// expired tells whether err is that the time of the request is over.
func (s *searcher) expired(err error) bool {
	return s.req.Timeout > 0 && errors.Is(err, context.DeadlineExceeded) && s.caller.Err() == nil
}

// answer carries out the request as far as time allows, and fills in res.
func (s *searcher) answer(res *Result) error {
	if err := s.prepare(res); err != nil {
		return err
	}
	if err := s.approach(res); err != nil {
		return err
	}
	if err := s.collect(res); err != nil {
		return err
	}
	if err := s.used(); err != nil {
		return err
	}
	return s.reconsider(res)
}

// used returns the first error that a filter has met in use.
func (s *searcher) used() error {
	for _, run := range s.runs {
		if err := run.res.failed(); err != nil {
			return err
		}
	}
	return nil
}

// prepare settles which records the request matches, and with what weights.
func (s *searcher) prepare(res *Result) error {
	if err := s.check(); err != nil {
		return err
	}
	names, err := s.v.resolveNames(s.req.Indexes)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := s.v.indexes[name].schema.usable(name); err != nil {
			return err
		}
	}
	s.names = names
	if s.tree, err = s.parse(); err != nil {
		return err
	}
	if s.required, err = s.filters(); err != nil {
		return err
	}
	s.joint = len(names) > 1
	s.sum(names)
	if err := s.begin(); err != nil {
		return err
	}
	if s.tree, err = s.options(s.tree); err != nil {
		return err
	}
	if s.tree, err = s.cut(s.tree); err != nil {
		return err
	}
	s.typed = s.tree
	// What words say about fields changes what there is to resolve, so it is read
	// first, unless it takes filters to know what may be seen.
	if len(s.req.Restrict) == 0 && s.req.Similar == nil {
		if err := s.understand(res); err != nil {
			return err
		}
	}
	if err := s.resolve(); err != nil {
		return err
	}
	if s.req.Similar != nil {
		if err := s.resemble(); err != nil {
			return err
		}
		s.runs = nil
		if err := s.open(); err != nil {
			return err
		}
	}
	if err := s.checkMembers(); err != nil {
		return err
	}
	if err := s.checkHighlight(); err != nil {
		return err
	}
	if err := s.checkWords(); err != nil {
		return err
	}
	if len(s.req.Restrict) > 0 {
		if err := s.understand(res); err != nil {
			return err
		}
	}
	if err := s.spell(res); err != nil {
		return err
	}
	if len(res.Query.Corrections) > 0 {
		if err := s.understand(res); err != nil {
			return err
		}
	}
	if s.speechless() {
		s.bare = true
		if err := s.again(); err != nil {
			return err
		}
	}
	if err := s.settle(len(s.required)); err != nil {
		return err
	}
	if err := s.relax(); err != nil {
		return err
	}
	if err := s.superlative(res); err != nil {
		return err
	}
	if err := s.checkCursor(); err != nil {
		return err
	}
	s.tell(&res.Query)
	return s.understood(res)
}

// settle finishes what was opened with so many filters: it applies pins, and
// fixes the order, the weights and the condition.
func (s *searcher) settle(filters int) (err error) {
	if err := s.arrange(filters); err != nil {
		return err
	}
	for _, run := range s.runs {
		if run.keys, err = s.sortKeys(run); err != nil {
			return err
		}
	}
	if err := s.weigh(); err != nil {
		return err
	}
	return s.match()
}

func (s *searcher) limit() int { return s.want - s.req.Offset }

// parse reads the text of the query; nil stands for every record.
func (s *searcher) parse() (query.Node, error) {
	parse := query.ParseSimple
	if s.req.Syntax == SyntaxQuery {
		parse = query.ParseQuery
	}
	n, err := parse(s.req.Query, s.queryLimits())
	if err != nil {
		return nil, fromQueryError("/q", err)
	}
	if _, all := n.(query.All); all {
		return nil, nil
	}
	return n, nil
}

func (s *searcher) queryLimits() query.Limits {
	return query.Limits{MaxBytes: s.e.opts.Limits.QueryBytes, MaxTerms: s.e.opts.Limits.QueryTerms}
}

// restriction is a filter of the request and the member that it comes from; ""
// for those that are imposed.
type restriction struct {
	node query.Node
	at   string
}

// filters reads the filters of the request.
func (s *searcher) filters() ([]restriction, error) {
	var out []restriction
	if s.req.Filter != "" {
		n, err := s.e.parseFilter(s.req.Filter)
		if err != nil {
			return nil, err
		}
		out = append(out, restriction{n, "/filter"})
	}
	if g := s.req.Geo; g != nil {
		out = append(out, restriction{g.filter(), "/geo/field"})
	}
	for _, f := range s.req.Restrict {
		n, err := s.e.parseFilter(f)
		if err != nil {
			return nil, errImposed()
		}
		out = append(out, restriction{node: n})
	}
	return out, nil
}

// errImposed is all that is told about a filter in Request.Restrict.
func errImposed() error {
	return invalid(CodeInvalidRequest, "", "a filter that is imposed on the request cannot be applied")
}

// filterable is known of what filters may name: also the id.
func (s *searcher) filterable(name string) bool {
	return s.known(name) || slices.ContainsFunc(s.names, func(index string) bool {
		return s.v.indexes[index].schema.primaryKey() == name
	})
}

// known tells whether some index of the search has a field. The records of the
// others are then without a value, as if the indexes were one.
func (s *searcher) known(field string) bool {
	return slices.ContainsFunc(s.names, func(name string) bool {
		_, ok := s.v.indexes[name].schema.byName[field]
		return ok
	})
}

// plainly is what was typed in plain letters (see tokenize.Plain); as it is if it is too long.
func (e *Engine) plainly(query string) string {
	if len(query) > e.opts.Limits.QueryBytes {
		return query
	}
	return tokenize.Plain(query)
}
