package httpapi

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
	graphql "github.com/graph-gophers/graphql-go"
	"github.com/quarry-search/quarry/engine"
)

// graphRoot leads the executor to the resolvers.
type graphRoot struct{ s *Server }

// Query returns the resolvers of queries.
func (r *graphRoot) Query() *graphQuery { return &graphQuery{r.s} }

// Mutation returns the resolvers of mutations.
func (r *graphRoot) Mutation() *graphMutation { return &graphMutation{r.s} }

type graphQuery struct{ s *Server }
type graphMutation struct{ s *Server }

// graphCall is a request of a route within a GraphQL request.
type graphCall struct {
	method, pattern string
	name            string     // what stands for {name} or {id} in the pattern
	params          url.Values // of the URL
	body            []byte
	idempotencyKey  graphJSON
	// at finds the argument that a fault is about; nil stands for pointers that
	// are the same.
	at func(*fault) string
}

// do answers a field by the handler of a route, and decodes its answer into v
// unless that is nil.
func (s *Server) do(ctx context.Context, c graphCall, v any) error {
	outer := exchangeOf(ctx)
	x := &exchange{r: outer.r, id: outer.id, begin: time.Now(), pace: outer.pace, key: outer.key, media: mediaJSON, route: s.graph.routes[c.method+" "+c.pattern]}
	failed := func(err error) error {
		return &graphFieldError{problem: s.settle(x, err), id: outer.id, at: c.at}
	}
	if x.route == nil {
		return failed(&problem{code: codeRouteNotFound, detail: "this version does not offer it"})
	}
	if err := x.mayUse(x.route); err != nil {
		return failed(err)
	}
	// The handlers look at the path only through its values.
	target := url.URL{Path: "/v1/", RawQuery: c.params.Encode()}
	r, err := http.NewRequestWithContext(ctx, c.method, target.String(), bytes.NewReader(c.body))
	if err != nil {
		return failed(err)
	}
	r.SetPathValue("name", c.name)
	r.SetPathValue("id", c.name)
	if c.idempotencyKey.given() {
		r.Header.Set("Idempotency-Key", c.idempotencyKey.text())
	}
	w := &innerWriter{outer: outer.w, header: http.Header{}}
	x.w, x.r = w, r
	defer func() { s.budget.giveBack(x.hold) }()
	if err := x.route.handle(s, x); err != nil {
		return failed(err)
	}
	if v == nil {
		return nil
	}
	if err := json.Unmarshal(w.body, v); err != nil {
		return failed(fmt.Errorf("answer of %s: %w", x.pattern(), err))
	}
	return nil
}

// innerWriter collects the answer of a route.
type innerWriter struct {
	outer  http.ResponseWriter
	header http.Header
	body   []byte
}

func (w *innerWriter) Header() http.Header { return w.header }
func (w *innerWriter) WriteHeader(int)     {}

func (w *innerWriter) Write(b []byte) (int, error) {
	w.body = append(w.body, b...)
	return len(b), nil
}

// SetWriteDeadline gives the answer to the whole request more time.
func (w *innerWriter) SetWriteDeadline(t time.Time) error {
	return http.NewResponseController(w.outer).SetWriteDeadline(t)
}

// inArgument places pointers below one argument, and parameters in those of
// their names.
func inArgument(name string) func(*fault) string {
	return func(f *fault) string {
		if f.parameter != "" {
			return "/" + f.parameter
		}
		return "/" + name + camel(f.pointer)
	}
}

// parameters places the parameters of a URL in the arguments of other names.
func parameters(names map[string]string) func(*fault) string {
	return func(f *fault) string {
		if name := names[f.parameter]; name != "" {
			return "/" + name
		}
		if f.parameter != "" {
			return "/" + f.parameter
		}
		return f.pointer
	}
}

type graphSearchArgs struct {
	Q, Index, Filter, Sort, Limit, Offset, Cursor, Facets, Highlight, Vector, Semantic, Explain graphJSON
}

// Search answers a search.
func (q *graphQuery) Search(ctx context.Context, a graphSearchArgs) (*graphSearch, error) {
	var w jsonWriter
	w.open('{')
	for _, m := range [...]struct {
		name  string
		value graphJSON
		shape inputShape
	}{
		{"q", a.Q, nil}, {"index", a.Index, nil}, {"filter", a.Filter, nil}, {"sort", a.Sort, nil},
		{"limit", a.Limit, nil}, {"offset", a.Offset, nil}, {"cursor", a.Cursor, nil},
		{"facets", a.Facets.list(), facetShape}, {"highlight", a.Highlight, highlightShape}, {"vector", a.Vector.list(), nil}, {"semantic", a.Semantic, inputShape{}}, {"explain", a.Explain, nil},
	} {
		if m.value.given() {
			w.key(m.name)
			w.shaped(m.value.raw, m.shape)
		}
	}
	if !graphql.HasSelectedField(ctx, "hits.record") {
		w.key("return")
		w.raw([]byte("[]"))
	}
	w.close('}')
	res := &graphSearch{}
	return res, q.s.do(ctx, graphCall{method: "POST", pattern: "/v1/search", body: w.buf}, res)
}

// Suggest answers with suggestions.
func (q *graphQuery) Suggest(ctx context.Context, a struct{ Q, Index, Filter, Limit graphJSON }) (*graphSuggest, error) {
	var w jsonWriter
	w.open('{')
	for _, m := range [...]struct {
		name  string
		value graphJSON
	}{{"q", a.Q}, {"index", a.Index}, {"filter", a.Filter}, {"limit", a.Limit}} {
		if m.value.given() {
			w.key(m.name)
			w.raw(m.value.raw)
		}
	}
	w.close('}')
	res := &graphSuggest{}
	return res, q.s.do(ctx, graphCall{method: "POST", pattern: "/v1/suggest", body: w.buf}, res)
}

// Indexes answers with a page of indexes.
func (q *graphQuery) Indexes(ctx context.Context, a struct{ First, After graphJSON }) (*graphIndexes, error) {
	params := url.Values{}
	if a.First.given() {
		params.Set("limit", a.First.param())
	}
	if a.After.given() {
		params.Set("cursor", a.After.text())
	}
	page := &graphIndexes{}
	at := parameters(map[string]string{"limit": "first", "cursor": "after"})
	return page, q.s.do(ctx, graphCall{method: "GET", pattern: "/v1/indexes", params: params, at: at}, page)
}

// Index answers with an index.
func (q *graphQuery) Index(ctx context.Context, a struct{ Name graphJSON }) (*graphIndex, error) {
	index := &graphIndex{}
	return index, q.s.do(ctx, graphCall{method: "GET", pattern: "/v1/indexes/{name}", name: a.Name.text()}, index)
}

type graphRecordArgs struct{ ID, Index graphJSON }

func (a *graphRecordArgs) params() url.Values {
	params := url.Values{}
	if a.Index.given() {
		params.Set("index", a.Index.text())
	}
	return params
}

// Record answers with a record.
func (q *graphQuery) Record(ctx context.Context, a graphRecordArgs) (*graphRecord, error) {
	record := &graphRecord{}
	c := graphCall{method: "GET", pattern: "/v1/record/{id}", name: a.ID.text(), params: a.params(), at: parameters(nil)}
	return record, q.s.do(ctx, c, record)
}

// Batch answers with what a batch did.
func (q *graphQuery) Batch(ctx context.Context, a struct{ ID graphJSON }) (*graphBatch, error) {
	batch := &graphBatch{}
	return batch, q.s.do(ctx, graphCall{method: "GET", pattern: "/v1/batch/{id}", name: a.ID.text()}, batch)
}

// Usage answers with the usage of some days.
func (q *graphQuery) Usage(ctx context.Context, a struct{ From, To graphJSON }) ([]*graphUsageRow, error) {
	var usage struct {
		Rows []*graphUsageRow `json:"rows"`
		Next *string          `json:"next_cursor"`
	}
	params := url.Values{"from": {a.From.text()}, "to": {a.To.text()}, "group": {"key,day"}, "limit": {strconv.Itoa(maxUsagePage)}}
	err := q.s.do(ctx, graphCall{method: "GET", pattern: "/v1/usage", params: params, at: parameters(nil)}, &usage)
	if err == nil && usage.Next != nil {
		detail := fmt.Sprintf("there are more than %d rows; ask for fewer days at a time, or GET /v1/usage, which has pages", maxUsagePage)
		err = &graphFieldError{problem: &problem{code: engine.CodeLimitExceeded, detail: detail}, id: exchangeOf(ctx).id}
	}
	return usage.Rows, err
}

// Batch applies a batch.
func (m *graphMutation) Batch(ctx context.Context, a struct{ Input, IdempotencyKey graphJSON }) (*graphBatch, error) {
	var w jsonWriter
	w.shaped(a.Input.raw, batchShape)
	batch := &graphBatch{}
	c := graphCall{method: "POST", pattern: "/v1/batch", body: w.buf, idempotencyKey: a.IdempotencyKey, at: inArgument("input")}
	return batch, m.s.do(ctx, c, batch)
}

// DeleteRecord deletes a record.
func (m *graphMutation) DeleteRecord(ctx context.Context, a graphRecordArgs) (bool, error) {
	c := graphCall{method: "DELETE", pattern: "/v1/record/{id}", name: a.ID.text(), params: a.params(), at: parameters(nil)}
	return true, m.s.do(ctx, c, nil)
}

// PutIndex makes an index or changes its schema.
func (m *graphMutation) PutIndex(ctx context.Context, a struct{ Name, Schema graphJSON }) (*graphIndex, error) {
	var w jsonWriter
	w.shaped(a.Schema.raw, indexShape)
	index := &graphIndex{}
	c := graphCall{method: "PUT", pattern: "/v1/indexes/{name}", name: a.Name.text(), body: w.buf, at: inArgument("schema")}
	return index, m.s.do(ctx, c, index)
}

// DeleteIndex deletes an index.
func (m *graphMutation) DeleteIndex(ctx context.Context, a struct{ Name graphJSON }) (bool, error) {
	return true, m.s.do(ctx, graphCall{method: "DELETE", pattern: "/v1/indexes/{name}", name: a.Name.text()}, nil)
}

// SwapIndexes exchanges the names of two indexes.
func (m *graphMutation) SwapIndexes(ctx context.Context, args struct{ A, B graphJSON }) (bool, error) {
	var w jsonWriter
	w.open('{')
	w.key("a")
	w.raw(args.A.raw)
	w.key("b")
	w.raw(args.B.raw)
	w.close('}')
	return true, m.s.do(ctx, graphCall{method: "POST", pattern: "/v1/indexes/swap", body: w.buf}, nil)
}
