package httpapi

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
)

// kinDocument is the OpenAPI document as somebody else's library reads it.
var kinDocument = sync.OnceValues(func() (*openapi3.T, error) {
	text, err := openAPIDocument("test")
	if err != nil {
		return nil, err
	}
	return openapi3.NewLoader().LoadFromData(text)
})

func TestDocumentIsValidOpenAPI(t *testing.T) {
	doc, err := kinDocument()
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context(), openapi3.EnableExamplesValidation()); err != nil {
		t.Error(err)
	}
}

// kinSeen holds the shapes of answers that were held to the document.
var kinSeen sync.Map

// kinCheck holds an answer to the document a second time, by a library that
// knows all of OpenAPI 3.1, where checkAnswer knows members that should not be
// there. It compiles a schema for each answer, so answers of the same shape are
// looked at once. v is the decoded body.
func kinCheck(t *testing.T, pattern string, r *http.Request, a answer, v any) {
	t.Helper()
	doc, err := kinDocument()
	if err != nil {
		t.Fatal(err)
	}
	media := a.header.Get("Content-Type")
	item := doc.Paths.Value(pattern)
	op := item.GetOperation(r.Method)
	if op == nil || media != mediaJSON && media != mediaProblem && media != mediaGraphQL {
		return
	}
	if _, seen := kinSeen.LoadOrStore(fmt.Sprint(r.Method, pattern, a.status, media, shape(v)), true); seen {
		return
	}
	input := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{
			Request: r,
			Route:   &routers.Route{Spec: doc, Path: pattern, PathItem: item, Method: r.Method, Operation: op},
		},
		Status: a.status, Header: a.header, Body: io.NopCloser(strings.NewReader(a.body)),
		Options: &openapi3filter.Options{IncludeResponseStatus: true, MultiError: true},
	}
	if err := openapi3filter.ValidateResponse(t.Context(), input); err != nil {
		t.Errorf("%s %s: %v", r.Method, pattern, err)
	}
}

// shape describes a JSON value by its structure: texts and numbers only by
// their kinds, but for words that may be one of an enumeration; of lists which
// shapes of elements they have.
func shape(v any) string {
	switch v := v.(type) {
	case object:
		var b strings.Builder
		for _, name := range slices.Sorted(maps.Keys(v)) {
			fmt.Fprintf(&b, "%q:%s,", name, shape(v[name]))
		}
		return "{" + b.String() + "}"
	case []any:
		shapes := map[string]bool{}
		for _, e := range v {
			shapes[shape(e)] = true
		}
		return fmt.Sprint(slices.Sorted(maps.Keys(shapes)))
	case string:
		if len(v) < 24 && !strings.ContainsAny(v, "0123456789 ") {
			return v
		}
		return "text"
	case float64:
		if v == float64(int64(v)) {
			return "whole"
		}
		return "number"
	}
	return fmt.Sprint(v)
}
