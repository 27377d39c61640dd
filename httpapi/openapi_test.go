package httpapi

import (
	"fmt"
	"maps"
	"math"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
)

type object = map[string]any

// document returns the OpenAPI document as it is served.
var document = sync.OnceValue(func() object {
	var doc object
	text, err := openAPIDocument("test")
	if err != nil {
		panic(err)
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		panic(err)
	}
	return doc
})

// resolve follows a reference.
func resolve(v any) object {
	o, _ := v.(object)
	ref, ok := o["$ref"].(string)
	if !ok {
		return o
	}
	var at any = document()
	for name := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
		at = at.(object)[name]
	}
	target, ok := at.(object)
	if !ok {
		panic("reference to nothing: " + ref)
	}
	return target
}

// conforms returns what is wrong with v as a value of a JSON schema, of which
// it knows what the document uses. Members that a schema does not list are
// wrong.
func conforms(schema any, v any, at string) []string {
	s := resolve(schema)
	var wrong []string
	bad := func(format string, args ...any) { wrong = append(wrong, at+": "+fmt.Sprintf(format, args...)) }
	if any, ok := s["anyOf"].([]any); ok {
		for _, alternative := range any {
			if conforms(alternative, v, at) == nil {
				return nil
			}
		}
		bad("fits no alternative")
	}
	if enum, ok := s["enum"].([]any); ok && !slices.Contains(enum, v) {
		bad("%v is none of %v", v, enum)
	}
	if types := s["type"]; types != nil {
		list, ok := types.([]any)
		if !ok {
			list = []any{types}
		}
		if !slices.ContainsFunc(list, func(t any) bool { return hasType(v, t.(string)) }) {
			bad("%v is not of type %v", v, types)
			return wrong
		}
	}
	if all, ok := s["allOf"].([]any); ok {
		wrong = append(wrong, conforms(joined(all), v, at)...)
	}
	wrong = append(wrong, bounds(s, v, at)...)
	switch v := v.(type) {
	case object:
		if s["allOf"] != nil {
			break
		}
		props, _ := s["properties"].(object)
		required, _ := s["required"].([]any)
		for _, name := range required {
			if _, ok := v[name.(string)]; !ok {
				bad("%s is missing", name)
			}
		}
		for name, member := range v {
			switch p, listed := props[name]; {
			case listed:
				wrong = append(wrong, conforms(p, member, at+"/"+name)...)
			case s["additionalProperties"] == nil && props == nil: // any object
			default:
				if more, ok := s["additionalProperties"].(object); ok {
					wrong = append(wrong, conforms(more, member, at+"/"+name)...)
				} else if s["additionalProperties"] != true {
					bad("%s is not in the schema", name)
				}
			}
		}
	case []any:
		for i, e := range v {
			wrong = append(wrong, conforms(s["items"], e, at+"/"+strconv.Itoa(i))...)
		}
	}
	return wrong
}

// bounds returns which bounds of a schema a value is outside of.
func bounds(s object, v any, at string) (wrong []string) {
	test := func(keyword string, broken func(limit float64) bool) {
		if limit, ok := s[keyword].(float64); ok && broken(limit) {
			wrong = append(wrong, fmt.Sprintf("%s: %s is %v", at, keyword, limit))
		}
	}
	switch v := v.(type) {
	case float64:
		test("minimum", func(l float64) bool { return v < l })
		test("maximum", func(l float64) bool { return v > l })
		test("exclusiveMinimum", func(l float64) bool { return v <= l })
	case string:
		n := float64(utf8.RuneCountInString(v))
		test("minLength", func(l float64) bool { return n < l })
		test("maxLength", func(l float64) bool { return n > l })
		if pattern, ok := s["pattern"].(string); ok && !patternOf(pattern).MatchString(v) {
			wrong = append(wrong, at+": does not match "+pattern)
		}
	case []any:
		test("minItems", func(l float64) bool { return float64(len(v)) < l })
		test("maxItems", func(l float64) bool { return float64(len(v)) > l })
	}
	return wrong
}

// patterns are the regular expressions of the document.
var patterns sync.Map

func patternOf(text string) *regexp.Regexp {
	if re, ok := patterns.Load(text); ok {
		return re.(*regexp.Regexp)
	}
	re := regexp.MustCompile(text)
	patterns.Store(text, re)
	return re
}

func appendAny(list, more any) []any {
	a, _ := list.([]any)
	b, _ := more.([]any)
	return slices.Concat(a, b)
}

func hasType(v any, name string) bool {
	switch v := v.(type) {
	case nil:
		return name == "null"
	case bool:
		return name == "boolean"
	case string:
		return name == "string"
	case float64:
		return name == "number" || name == "integer" && v == math.Trunc(v)
	case []any:
		return name == "array"
	}
	return name == "object"
}

// pathOf finds the path of the document that a URL path belongs to.
func pathOf(path string) (pattern string, item object) {
	segments := strings.Split(path, "/")
	paths := document()["paths"].(object)
	if p, ok := paths[path].(object); ok {
		return path, p
	}
	for pattern, p := range paths {
		if slices.EqualFunc(strings.Split(pattern, "/"), segments, func(a, b string) bool {
			return a == b || strings.HasPrefix(a, "{") && b != ""
		}) {
			return pattern, p.(object)
		}
	}
	return "", nil
}

// checkAnswer fails the test if the document does not allow an answer.
func checkAnswer(t *testing.T, r *http.Request, a answer) {
	t.Helper()
	holdToDocument(t, r, a, true)
}

// holdToDocument is checkAnswer; kin has another library look at it as well,
// which takes its time.
func holdToDocument(t *testing.T, r *http.Request, a answer, kin bool) {
	t.Helper()
	if id := a.header.Get("Request-Id"); len(id) != 30 || !strings.HasPrefix(id, "req_") {
		t.Errorf("%s %s: Request-Id is %q", r.Method, r.URL.Path, a.header.Get("Request-Id"))
	}
	var v any
	media := a.header.Get("Content-Type")
	if media == mediaJSON || media == mediaProblem || media == mediaGraphQL {
		if err := json.Unmarshal([]byte(a.body), &v); err != nil {
			t.Errorf("%s %s: %v: %q", r.Method, r.URL.Path, err, a.body)
			return
		}
	}
	if a.status >= 400 && media == mediaProblem {
		schema := document()["components"].(object)["schemas"].(object)["Problem"]
		for _, w := range conforms(schema, v, "") {
			t.Errorf("%s %s: problem: %s", r.Method, r.URL.Path, w)
		}
		if status := v.(object)["status"]; status != float64(a.status) {
			t.Errorf("%s %s: status %d with a problem that says %v", r.Method, r.URL.Path, a.status, status)
		}
	}
	method := strings.ToLower(r.Method)
	if method == "head" {
		method = "get"
	}
	pattern, path := pathOf(r.URL.EscapedPath())
	op, ok := path[method].(object)
	if !ok && r.URL.Path == "/v1/indexes/swap" { // the name of an index, too
		pattern, path = pathOf("/v1/indexes/{name}")
		op, ok = path[method].(object)
	}
	if !ok {
		if a.status != 401 && a.status != 404 && a.status != 405 && a.status != 422 {
			t.Errorf("%s %s: status %d of something that is not in the document", r.Method, r.URL.Path, a.status)
		}
		return
	}
	res, ok := op["responses"].(object)[strconv.Itoa(a.status)]
	if !ok {
		t.Errorf("%s %s: status %d is not in the document: %s", r.Method, r.URL.Path, a.status, a.body)
		return
	}
	response := resolve(res)
	content, _ := response["content"].(object)
	if content == nil {
		if a.body != "" || media != "" {
			t.Errorf("%s %s: %d has a body of %q: %q", r.Method, r.URL.Path, a.status, media, a.body)
		}
		return
	}
	form, ok := content[media].(object)
	if !ok {
		t.Errorf("%s %s: media type %q is not in the document", r.Method, r.URL.Path, media)
		return
	}
	if v != nil {
		for _, w := range conforms(form["schema"], v, "") {
			t.Errorf("%s %s: %s", r.Method, r.URL.Path, w)
		}
	}
	if kin {
		kinCheck(t, pattern, r, a, v)
	}
	for name := range a.header {
		switch name {
		case "Content-Type", "Content-Length", "Cache-Control", "X-Content-Type-Options", "Connection":
		default:
			if !hasHeader(response["headers"].(object), name) {
				t.Errorf("%s %s: header %s of %d is not in the document", r.Method, r.URL.Path, name, a.status)
			}
		}
	}
}

func hasHeader(described object, name string) bool {
	for h := range described {
		if http.CanonicalHeaderKey(h) == name {
			return true
		}
	}
	return false
}

func TestDocumentListsTheRoutes(t *testing.T) {
	inDocument := map[string]bool{}
	for pattern, p := range document()["paths"].(object) {
		for method := range p.(object) {
			if method != "parameters" {
				inDocument[strings.ToUpper(method)+" "+pattern] = true
			}
		}
	}
	inTable := map[string]bool{}
	for _, r := range routeTable() {
		inTable[r.method+" "+r.pattern] = true
	}
	if !maps.Equal(inDocument, inTable) {
		t.Errorf("the document has %v, the routes are %v", slices.Sorted(maps.Keys(inDocument)), slices.Sorted(maps.Keys(inTable)))
	}
}

func TestDocumentIsWhole(t *testing.T) {
	ids := map[string]bool{}
	var walk func(at string, v any)
	walk = func(at string, v any) {
		switch v := v.(type) {
		case object:
			if v["$ref"] != nil {
				resolve(v) // panics if it leads nowhere
			}
			if id, ok := v["operationId"].(string); ok {
				if ids[id] {
					t.Errorf("%s: operationId %s twice", at, id)
				}
				ids[id] = true
			}
			for name, m := range v {
				walk(at+"/"+name, m)
			}
		case []any:
			for _, e := range v {
				walk(at, e)
			}
		}
	}
	walk("", document())
	for pattern, p := range document()["paths"].(object) {
		for _, name := range regexp.MustCompile(`\{([a-z]+)\}`).FindAllStringSubmatch(pattern, -1) {
			for method, op := range p.(object) {
				if method == "parameters" {
					continue
				}
				params, _ := op.(object)["parameters"].([]any)
				shared, _ := p.(object)["parameters"].([]any)
				if !slices.ContainsFunc(slices.Concat(params, shared), func(v any) bool { return resolve(v)["name"] == name[1] }) {
					t.Errorf("%s %s: the path parameter %s is not described", method, pattern, name[1])
				}
			}
		}
	}
}

func TestDocumentListsTheCodes(t *testing.T) {
	enum := resolve(object{"$ref": "#/components/schemas/Problem"})["properties"].(object)["code"].(object)["enum"].([]any)
	listed := map[string]bool{}
	for _, c := range enum {
		listed[c.(string)] = true
	}
	for c := range codes {
		if !listed[c] {
			t.Errorf("code %s is not in the document", c)
		}
	}
	if len(listed) != len(codes) {
		t.Errorf("the document has %d codes, the table %d", len(listed), len(codes))
	}
}

// Every member that is read is described, and the other way round.
func TestDocumentListsTheParametersOfSearch(t *testing.T) {
	props := resolve(object{"$ref": "#/components/schemas/SearchRequest"})["properties"].(object)
	known := map[string]bool{}
	for _, m := range searchMembers {
		known[m.name] = true
	}
	for name := range props {
		if !known[name] {
			t.Errorf("the document describes %s, which is not read", name)
		}
		delete(known, name)
	}
	if len(known) > 0 {
		t.Errorf("read but not described: %v", slices.Sorted(maps.Keys(known)))
	}
}
