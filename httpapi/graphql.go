package httpapi

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	graphql "github.com/graph-gophers/graphql-go"
	gqlerrors "github.com/graph-gophers/graphql-go/errors"
	"github.com/quarry-search/quarry/engine"
	"github.com/quarry-search/quarry/httpapi/internal/gqldoc"
)

// mediaGraphQL is the media type of answers of the GraphQL over HTTP draft.
// Clients that do not insist on it get application/json.
const mediaGraphQL = "application/graphql-response+json"

// graphLimits bound GraphQL requests. The depth below __schema is that of the
// usual introspection query and a little more.
var graphLimits = gqldoc.Limits{
	Bytes: 16 << 10, Tokens: 2000, Depth: 12, Aliases: 20, RootFields: 10, Selections: 2000, Cost: 1000, MetaDepth: 20,
}

// overlapPairs bounds how many pairs of fields the validation compares, in case
// they are to have the same name in the answer.
const overlapPairs = 20_000

//go:embed schema.graphql
var graphSDL string

// graphService answers GraphQL requests. A field of Query or Mutation is
// answered by the handler of its REST route: scopes, limits, errors, cursors,
// commits and their witnesses are the same by construction.
type graphService struct {
	schema *graphql.Schema
	routes map[string]*route // by method and pattern
}

func newGraphService(s *Server, table []route) (*graphService, error) {
	g := &graphService{routes: map[string]*route{}}
	for i := range table {
		g.routes[table[i].method+" "+table[i].pattern] = &table[i]
	}
	panics := graphPanics{s}
	var err error
	g.schema, err = graphql.ParseSchema(graphSDL, &graphRoot{s},
		graphql.UseStringDescriptions(), graphql.UseFieldResolvers(), graphql.MaxParallelism(4),
		graphql.OverlapValidationLimit(overlapPairs), graphql.Logger(panics), graphql.PanicHandler(panics))
	if err != nil {
		return nil, err
	}
	return g, extendIntrospection(g.schema.AST())
}

// graphPanics logs panics of resolvers as Server.serve does, without values.
type graphPanics struct{ s *Server }

func (g graphPanics) LogPanic(ctx context.Context, _ any) {
	g.s.log.Error("panic", "request_id", exchangeOf(ctx).id, "route", exchangeOf(ctx).pattern(), "stack", string(debug.Stack()))
}

func (g graphPanics) MakePanicError(ctx context.Context, _ any) *gqlerrors.QueryError {
	e := &graphFieldError{problem: internalProblem(), id: exchangeOf(ctx).id}
	return &gqlerrors.QueryError{Message: e.Error(), ResolverError: e}
}

func internalProblem() *problem {
	return &problem{code: codeInternal, detail: "an error inside the service; the request id names it in the log"}
}

type exchangeKey struct{}

// exchangeOf returns the GraphQL request that a resolver works for.
func exchangeOf(ctx context.Context) *exchange { return ctx.Value(exchangeKey{}).(*exchange) }

// graphQL answers POST /v1/graphql: 200 once the operation runs, whatever its
// fields come to, and 400 for what cannot be run.
func (s *Server) graphQL(x *exchange) error {
	if _, err := x.query(); err != nil {
		return err
	}
	media := mediaJSON
	if accept := x.r.Header["Accept"]; !accepts(accept, mediaJSON) {
		if media = mediaGraphQL; !accepts(accept, mediaGraphQL) {
			return &problem{code: codeNotAcceptable, detail: "the answer is " + mediaJSON + " or " + mediaGraphQL}
		}
	}
	body, err := s.jsonBody(x, s.limits.SchemaBytes)
	if err != nil {
		return err
	}
	req, err := parseGraphRequest(body)
	if err != nil {
		return err
	}
	doc, err := gqldoc.Parse(req.query, graphLimits)
	if err != nil {
		return graphDocumentError(err)
	}
	op, err := doc.Operation(req.operation)
	if err != nil {
		return graphDocumentError(err)
	}
	if op.Kind == "subscription" {
		var f faults
		f.at("/query", codeInvalidGraphQL, "there are no subscriptions; webhooks tell of what happens")
		return graphFaults(f)
	}
	vars, whole, err := s.graph.variables(op, req.variables)
	if err != nil {
		return err
	}
	if err := doc.Check(op, graphLimits, graphCost, whole); err != nil {
		return graphDocumentError(err)
	}
	ctx := context.WithValue(x.r.Context(), exchangeKey{}, x)
	res := s.graph.run(ctx, doc, op, vars)
	if err := graphRefusal(res); err != nil {
		return err
	}
	x.send(http.StatusOK, media, append(appendGraphResponse(nil, res), '\n'))
	return nil
}

// graphCost counts the results that a root field may list.
func graphCost(field string, arg func(string) (int64, bool)) int {
	cost := func(name string, byDefault int64) int {
		n, ok := arg(name)
		if !ok {
			n = byDefault
		}
		return int(min(max(n, 0), 1<<20))
	}
	switch field {
	case "search":
		return cost("limit", 20)
	case "suggest":
		return cost("limit", 8)
	case "indexes":
		return cost("first", 100)
	}
	return 0
}

// graphRequest is the body of a GraphQL request.
type graphRequest struct {
	query     string
	operation string
	variables value // an object, null or nothing
}

func parseGraphRequest(body value) (*graphRequest, error) {
	var d reader
	req := &graphRequest{}
	given := false
	if body.raw.Kind() == '[' {
		d.at("", engine.CodeInvalidRequest, "must be one request, not a list of them")
	} else {
		d.object(body, []member{
			{"query", func(v value) { given = true; d.str(v, &req.query) }},
			{"operationName", func(v value) {
				if v.raw.Kind() != 'n' {
					d.str(v, &req.operation)
				}
			}},
			{"variables", func(v value) { d.want(v, "{n", "an object"); req.variables = v }},
			{"extensions", func(v value) { d.want(v, "{n", "an object") }},
		})
		if !given && d.total == 0 {
			d.at("", engine.CodeInvalidRequest, `"query" is missing`)
		}
	}
	return req, graphFaults(d.faults)
}

// graphFaults makes the answer to a request that cannot be run.
func graphFaults(f faults) error {
	if f.total == 0 {
		return nil
	}
	p := &problem{code: codeInvalidGraphQL, detail: f.list[0].sentence(), faults: f.list}
	if f.total > 1 {
		p.detail = f.err().(*problem).detail
	}
	for i := range p.faults {
		p.faults[i].graphQL = codeInvalidGraphQL
	}
	return p
}

// graphDocumentError is the answer to a document that is malformed or too
// large.
func graphDocumentError(err error) error {
	var e *gqldoc.Error
	if !errors.As(err, &e) {
		return err
	}
	code := codeInvalidGraphQL
	if e.Limit {
		code = codeGraphQLLimit
	}
	at := fault{code: code, pointer: "/query", detail: e.Detail, position: -1, line: e.Line, column: e.Column, graphQL: code}
	return &problem{code: code, detail: e.Error(), faults: []fault{at}}
}

// graphRefusal returns the answer to a request that the executor has refused to
// run: nothing was run if an error belongs to no field.
func graphRefusal(res *graphql.Response) error {
	var f faults
	for _, e := range res.Errors {
		var field *graphFieldError
		switch {
		case e.Path != nil:
		case errors.As(e.ResolverError, &field):
			return field.problem
		default:
			at := fault{code: codeInvalidGraphQL, pointer: "/query", detail: graphMessage(e), position: -1, graphQL: codeInvalidGraphQL}
			if len(e.Locations) > 0 {
				at.line, at.column = e.Locations[0].Line, e.Locations[0].Column
			}
			f.add(at)
		}
	}
	return graphFaults(f)
}

// graphMessage is what an executor's error says, in one line and without the
// values of arguments: those may be anything.
func graphMessage(e *gqlerrors.QueryError) string {
	message := strings.ReplaceAll(strings.TrimSpace(e.Message), "\n", " ")
	switch e.Rule {
	case "ValuesOfCorrectTypeRule", "DefaultValuesOfCorrectType":
		for _, before := range [...]string{": ", ", found "} {
			message, _, _ = strings.Cut(message, before)
		}
	}
	return message
}

// graphFieldError is an error of a field: the problem that its route answers
// with.
type graphFieldError struct {
	problem *problem
	id      string // of the request
	at      func(*fault) string
}

func (e *graphFieldError) Error() string { return e.problem.detail }

// appendGraphResponse writes the answer to an operation that was run.
func appendGraphResponse(dst []byte, res *graphql.Response) []byte {
	w := jsonWriter{buf: dst}
	w.open('{')
	if len(res.Errors) > 0 {
		w.key("errors")
		w.open('[')
		for _, e := range res.Errors {
			w.graphError(e)
		}
		w.close(']')
	}
	w.key("data")
	data := jsontext.Value(res.Data)
	if len(data) == 0 || data.Format() != nil { // without encoding/json's escapes
		w.null()
	} else {
		w.raw(data)
	}
	w.close('}')
	return w.buf
}

func (w *jsonWriter) graphError(e *gqlerrors.QueryError) {
	field, ok := e.ResolverError.(*graphFieldError)
	if !ok { // a promise of the schema that a resolver does not keep
		field = &graphFieldError{problem: internalProblem()}
	}
	w.open('{')
	w.textAt("message", field.problem.detail)
	w.key("path")
	w.open('[')
	for _, step := range e.Path {
		switch step := step.(type) {
		case int:
			w.integer(int64(step))
		default:
			w.text(fmt.Sprint(step))
		}
	}
	w.close(']')
	w.graphExtensions(field)
	w.close('}')
}

// graphExtensions writes what clients decide by.
func (w *jsonWriter) graphExtensions(e *graphFieldError) {
	p := e.problem
	w.key("extensions")
	w.open('{')
	w.textAt("code", p.code)
	w.integerAt("status", int64(p.status()))
	faults := make([]fault, len(p.faults))
	for i, f := range p.faults {
		if e.at != nil {
			f.pointer, f.parameter = e.at(&f), ""
		}
		faults[i] = f
	}
	if len(faults) > 0 {
		w.textAt("pointer", faults[0].pointer)
	}
	if e.id != "" {
		w.textAt("request_id", e.id)
	}
	if len(p.holder) > 0 {
		w.textsAt("indexes", p.holder)
	}
	if len(faults) > 0 {
		w.key("errors")
		w.faults(faults)
	}
	w.close('}')
}

// graphFault writes the members that GraphQL clients look for in an error, in
// addition to those of a problem.
func (w *jsonWriter) graphFault(f *fault) {
	w.textAt("message", f.detail)
	if f.line > 0 {
		w.key("locations")
		w.open('[')
		w.open('{')
		w.integerAt("line", int64(f.line))
		w.integerAt("column", int64(f.column))
		w.close('}')
		w.close(']')
	}
	w.key("extensions")
	w.open('{')
	w.textAt("code", f.graphQL)
	w.integerAt("status", int64(codes[f.graphQL].status))
	w.textAt("pointer", f.pointer)
	w.close('}')
}

// showGraphSchema answers GET /v1/graphql/schema.graphql.
func (s *Server) showGraphSchema(x *exchange) error {
	if _, err := x.query(); err != nil {
		return err
	}
	x.send(http.StatusOK, mediaText, []byte(graphSDL))
	return nil
}

// graphJSON is a JSON value that passes through the executor as it is.
type graphJSON struct{ raw jsontext.Value }

// ImplementsGraphQLType tells that any type will do: what a value must be is
// for its route to say.
func (graphJSON) ImplementsGraphQLType(string) bool { return true }

// Nullable tells that null is a value, too.
func (graphJSON) Nullable() {}

// UnmarshalGraphQL takes over an argument.
func (v *graphJSON) UnmarshalGraphQL(input any) error {
	v.raw = appendGraphInput(nil, input)
	return nil
}

// MarshalJSON returns the value.
func (v graphJSON) MarshalJSON() ([]byte, error) {
	if v.raw == nil {
		return []byte("null"), nil
	}
	return v.raw, nil
}

// UnmarshalJSON takes over a part of an answer.
func (v *graphJSON) UnmarshalJSON(raw []byte) error {
	v.raw = append(v.raw[:0], raw...)
	return nil
}
