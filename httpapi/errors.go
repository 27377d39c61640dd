package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/quarry-search/quarry/engine"
)

// Codes of problems that belong to HTTP and not to the engine. Like the
// engine's they are part of the interface and never change meaning.
const (
	codeMalformedHeader   = "malformed_header"
	codeMalformedEncoding = "malformed_encoding"
	codeInvalidGraphQL    = "invalid_graphql"
	codeGraphQLLimit      = "graphql_limit_exceeded"
	codeMissingKey        = "missing_api_key"
	codeInvalidKey        = "invalid_api_key"
	codeExpiredKey        = "expired_api_key"
	codeForbiddenScope    = "forbidden_scope"
	codeForbiddenIndex    = "forbidden_index"
	codeKeyExpired        = "key_expired"
	codeKeyNotFound       = "key_not_found"
	codeRateLimited       = "rate_limited"
	codeQuotaExhausted    = "quota_exhausted"
	codeRouteNotFound     = "route_not_found"
	codeBatchNotFound     = "batch_not_found"
	codeRebuildNotFound   = "rebuild_not_found"
	codeBatchFinished     = "batch_not_cancellable"
	codeMethod            = "method_not_allowed"
	codeNotAcceptable     = "not_acceptable"
	codeAmbiguousID       = "ambiguous_record_id"
	codeIndexExists       = "index_exists"
	codeIndexStale        = "index_stale"
	codePrecondition      = "precondition_failed"
	codeIdemInProgress    = "idempotency_in_progress"
	codeIdemReused        = "idempotency_key_reused"
	codeGone              = "gone"
	codeBodyTimeout       = "body_timeout"
	codeBodyTooLarge      = "body_too_large"
	codeBatchTooLarge     = "batch_too_large"
	codeMediaType         = "unsupported_media_type"
	codeInternal          = "internal"
	codeCorruption        = "corruption"
	codeUnsettled         = "outcome_unknown"
	codeShuttingDown      = "shutting_down"
	codeOverloaded        = "overloaded"
	codeSearchTimeout     = "search_timeout"
	codeStorageFull       = "storage_full"
)

// codes is the one place where a code gets its status and title.
var codes = map[string]struct {
	status int
	title  string
}{
	engine.CodeMalformedJSON:    {400, "The body is not well-formed JSON"},
	codeMalformedHeader:         {400, "A header is malformed"},
	codeMalformedEncoding:       {400, "The body is not packed as its header says"},
	codeInvalidGraphQL:          {400, "The GraphQL request cannot be run"},
	codeGraphQLLimit:            {400, "The GraphQL request is too large"},
	codeMissingKey:              {401, "The request carries no API key"},
	codeInvalidKey:              {401, "The API key is not valid"},
	codeExpiredKey:              {401, "The API key has expired"},
	codeForbiddenScope:          {403, "The API key may not do this"},
	codeForbiddenIndex:          {403, "The API key may not use an index"},
	codeRouteNotFound:           {404, "There is nothing at this path"},
	engine.CodeIndexNotFound:    {404, "There is no such index"},
	engine.CodeRecordNotFound:   {404, "There is no such record"},
	codeBatchNotFound:           {404, "There is no such batch"},
	codeKeyNotFound:             {404, "There is no such API key"},
	codeKeyExpired:              {409, "The API key has expired"},
	codeWebhookNotFound:         {404, "There is no such webhook"},
	codeDeliveryNotFound:        {404, "There is no such delivery"},
	codeWebhookDisabled:         {409, "The webhook is disabled"},
	codeSnapshotNotFound:        {404, "There is no such snapshot"},
	codeSnapshotRunning:         {409, "A snapshot is being made"},
	codeSnapshotChanged:         {409, "The snapshot has been changed"},
	codeRebuildNotFound:         {404, "The index is not being rebuilt"},
	codeMethod:                  {405, "The method is not allowed here"},
	codeNotAcceptable:           {406, "The answer has no form that the client accepts"},
	codeBodyTimeout:             {408, "The body came too slowly"},
	codeAmbiguousID:             {409, "Several indexes hold a record with this id"},
	engine.CodeRecordExists:     {409, "The record exists"},
	engine.CodeVersionMismatch:  {409, "The record has another version"},
	codeIndexExists:             {409, "The index exists"},
	codeIndexStale:              {503, "The index has to be rebuilt"},
	codeBatchFinished:           {409, "The batch cannot be cancelled any more"},
	codeIdemInProgress:          {409, "A request with this Idempotency-Key is under way"},
	codePrecondition:            {412, "A precondition does not hold"},
	codeGone:                    {410, "This is no longer offered"},
	codeBodyTooLarge:            {413, "The body is too large"},
	engine.CodeRecordTooLarge:   {413, "A record is too large"},
	codeBatchTooLarge:           {413, "The batch has too many operations"},
	codeMediaType:               {415, "The body has a media type that is not supported here"},
	engine.CodeInvalidRequest:   {422, "The request is not valid"},
	engine.CodeUnknownField:     {422, "The request has an unknown field"},
	engine.CodeInvalidFieldType: {422, "A field has a value of the wrong type"},
	engine.CodeInvalidFilter:    {422, "The filter is not valid"},
	engine.CodeInvalidQuery:     {422, "The query is not valid"},
	engine.CodeInvalidSort:      {422, "The sort order is not valid"},
	engine.CodeNotFilterable:    {422, "A field is not filterable"},
	engine.CodeNotSortable:      {422, "A field is not sortable"},
	engine.CodeInvalidCursor:    {422, "The cursor is not valid"},
	codeIdemReused:              {422, "The Idempotency-Key was used for another request"},
	engine.CodeLimitExceeded:    {422, "A limit is exceeded"},
	codeRateLimited:             {429, "The API key makes too many requests"},
	codeQuotaExhausted:          {429, "The API key has used up its quota"},
	codeInternal:                {500, "An error inside the service"},
	codeCorruption:              {500, "Stored data is damaged"},
	codeUnsettled:               {500, "It is not known whether the request took effect"},
	codeShuttingDown:            {503, "The service is shutting down"},
	codeOverloaded:              {503, "The service is overloaded"},
	codeSearchTimeout:           {503, "The search took too long"},
	codeStorageFull:             {507, "The storage is full"},
}

// docsURL is what the type of a problem begins with.
const docsURL = "https://quarry-search.github.io/errors#"

// maxFaults bounds the list of a problem.
const maxFaults = 100

// problem is an error with an answer of its own: RFC 9457's problem details.
type problem struct {
	code   string
	detail string // never repeats the contents of a record
	faults []fault
	allow  string   // header Allow, of method_not_allowed
	holder []string // indexes that hold the id, of ambiguous_record_id
	batch  *batchOutcome
	wait   time.Duration // until it is worth trying again, of codes with status 429
	// policies that the request would have broken, of the same
	policies []string
	cause    error // for the log, by its type only
}

// fault is one thing that is wrong with a request.
type fault struct {
	code      string
	pointer   string // JSON pointer into the body
	parameter string // of the URL; excludes pointer
	detail    string
	column    int // in characters from 1; 0 if there is none
	position  int // of the operation in a batch, from 0; -1 if there is none

	// Of a GraphQL document: the line, from 1, that column belongs to, and the
	// code of the problem, which the fault then has as GraphQL wants it, too.
	line    int
	graphQL string
}

func (p *problem) Error() string { return p.code + ": " + p.detail }
func (p *problem) Unwrap() error { return p.cause }
func (p *problem) status() int   { return codes[p.code].status }

// typeURI is the type of the problem. Refusals for what a key has used up have
// the one that is registered for it.
func (p *problem) typeURI() string {
	if p.status() == http.StatusTooManyRequests {
		return "https://iana.org/assignments/http-problem-types#quota-exceeded"
	}
	return docsURL + p.code
}

// retryAfter is the header of that name in seconds, or "".
func (p *problem) retryAfter() string {
	switch p.status() {
	case http.StatusTooManyRequests:
		return strconv.FormatInt(int64((p.wait+time.Second-1)/time.Second), 10)
	case http.StatusServiceUnavailable:
		return "1"
	case http.StatusInsufficientStorage:
		return "5"
	}
	return ""
}

// faults collects what is wrong with a request. The zero value is empty.
type faults struct {
	list  []fault
	total int
	code  string // of all of them; "" if they differ
}

func (f *faults) add(x fault) {
	if f.total == 0 {
		f.code = x.code
	} else if f.code != x.code {
		f.code = ""
	}
	if f.total++; len(f.list) < maxFaults {
		f.list = append(f.list, x)
	}
}

// full tells whether faults are only counted from now on, so that finding out
// more about them, such as what may be meant, would be for nothing.
func (f *faults) full() bool { return len(f.list) == maxFaults }

// at reports a fault of the part of the body that pointer names.
func (f *faults) at(pointer, code, format string, args ...any) {
	f.add(fault{code: code, pointer: pointer, position: -1, detail: fmt.Sprintf(format, args...)})
}

// param reports a fault of a parameter of the URL.
func (f *faults) param(name, code, format string, args ...any) {
	f.add(fault{code: code, parameter: name, position: -1, detail: fmt.Sprintf(format, args...)})
}

// err returns nil if nothing is wrong. Faults that share a code give it to the
// problem; otherwise the request as a whole is invalid.
func (f *faults) err() error {
	if f.total == 0 {
		return nil
	}
	p := &problem{code: f.code, detail: f.list[0].sentence(), faults: f.list}
	switch codes[f.code].status {
	case http.StatusBadRequest, http.StatusForbidden, http.StatusNotFound, http.StatusConflict, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
	default: // different codes
		p.code = engine.CodeInvalidRequest
	}
	if f.total > 1 {
		p.detail = strconv.Itoa(f.total) + " problems in the request"
	}
	return p
}

// problemOf finds the answer to an error of a handler. place tells where in
// the request a problem that the engine reports lies; nil stands for places as
// the engine gives them.
func problemOf(err error, place func(engine.Problem) fault) *problem {
	var p *problem
	if errors.As(err, &p) {
		return p
	}
	var invalid *engine.InvalidError
	if errors.As(err, &invalid) {
		if place == nil {
			place = faultOf
		}
		var f faults
		for _, x := range invalid.Problems {
			f.add(place(x))
		}
		f.total = max(f.total, invalid.Total)
		errors.As(f.err(), &p)
		return p
	}
	code, detail := codeInternal, "an error inside the service; the request id names it in the log"
	switch {
	case errors.Is(err, engine.ErrUnsettled):
		code, detail = codeUnsettled, "the request is in the log but could not be carried out to the end; whether it took effect is known when the service has been started again, and nothing is written until then"
	case errors.Is(err, engine.ErrCorrupt):
		code, detail = codeCorruption, "stored data that the request needs is damaged"
	case errors.Is(err, engine.ErrStorageFull):
		code, detail = codeStorageFull, "there is too little free space to write; nothing was changed"
	case errors.Is(err, engine.ErrClosed):
		code, detail = codeShuttingDown, "the service is shutting down"
	case errors.Is(err, engine.ErrOtherAnalyzer):
		code, detail = codeIndexStale, err.Error()
	case errors.Is(err, engine.ErrIndexExists):
		code, detail = codeIndexExists, "there is an index with this name"
	case errors.Is(err, engine.ErrTooLarge):
		code, detail = engine.CodeLimitExceeded, "a limit is exceeded"
	case errors.Is(err, engine.ErrReadOnly):
		code, detail = codeStorageFull, "the server is read-only: its data directory was opened, or is mounted, for reading; nothing was changed"
	case errors.Is(err, errors.ErrUnsupported):
		code, detail = engine.CodeInvalidRequest, "the service keeps its data in memory, where this is not possible"
	case errors.Is(err, engine.ErrNotFound):
		code, detail = engine.CodeRecordNotFound, "there is no such record"
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		code, detail = codeOverloaded, "the request was not finished in time"
	}
	return &problem{code: code, detail: detail, cause: err}
}

// faultOf takes over a problem of the engine as it stands.
func faultOf(p engine.Problem) fault {
	return fault{code: p.Code, pointer: p.Pointer, detail: p.Detail, column: p.Column, position: p.Position}
}

// invalidRequest is a problem of the request that no single place of it has.
func invalidRequest(format string, args ...any) error {
	return &problem{code: engine.CodeInvalidRequest, detail: fmt.Sprintf(format, args...)}
}

func indexNotFound() error {
	return &problem{code: engine.CodeIndexNotFound, detail: "there is no index with this name"}
}

func recordNotFound() error {
	return &problem{code: engine.CodeRecordNotFound, detail: "there is no record with this id"}
}
