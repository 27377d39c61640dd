package httpapi

import (
	"bufio"
	"crypto/tls"
	"fmt"
	"io"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
)

// step is a request and the answer that the interface promises, both as text:
// a first line, headers, an empty line, a body.
//
// The answer is a pattern. Its status is exact; each of its headers must match
// a regular expression as a whole; its body, if it is JSON, may have more
// members than are given. In the place of a value may stand a text that begins
// with "~":
//
//	~            anything but null
//	~number      a number
//	~time        a moment
//	~=NAME EXPR  a text that matches the regular expression EXPR; what its first
//	             group matched replaces {{NAME}} in later requests and answers
//
// The value of a list [..., "~more"] may go on.
type step struct{ name, request, answer string }

const (
	batchID    = `~=batch (bat_[0-9A-HJKMNP-TV-Z]{26})`
	requestID  = `req_[0-9A-HJKMNP-TV-Z]{26}`
	problemTop = `"type":"~","title":"~","request_id":"~=request (req_.{26})",`
)

func TestContract(t *testing.T) {
	r := serve(t)
	client := r.client(nil)
	known := map[string]string{}
	for _, s := range contract {
		ok := t.Run(s.name, func(t *testing.T) {
			req := r.parseRequest(t, fill(s.request, known))
			res, err := client.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(res.Body)
			res.Body.Close()
			if err != nil {
				t.Fatal(err)
			}
			if res.TLS == nil || res.TLS.Version != tls.VersionTLS13 {
				t.Error("the connection is not TLS 1.3")
			}
			compareAnswer(t, res, string(body), fill(s.answer, known), known)
			res.Header.Del("Date")
			checkAnswer(t, req, answer{res.StatusCode, res.Header, string(body)})
		})
		if !ok {
			break // later steps build on this one
		}
	}
}

func fill(text string, known map[string]string) string {
	for name, v := range known {
		text = strings.ReplaceAll(text, "{{"+name+"}}", v)
	}
	return text
}

// cut takes a text apart into its first line, headers and body.
func cutMessage(text string) (first string, headers []string, body string) {
	head, body, _ := strings.Cut(text, "\n\n")
	lines := bufio.NewScanner(strings.NewReader(head))
	for lines.Scan() {
		headers = append(headers, lines.Text())
	}
	return headers[0], headers[1:], body
}

func (r *running) parseRequest(t *testing.T, text string) *http.Request {
	first, headers, body := cutMessage(text)
	method, path, _ := strings.Cut(first, " ")
	req := r.request(method, path, body)
	for _, h := range headers {
		name, v, ok := strings.Cut(h, ": ")
		if !ok {
			t.Fatalf("header %q", h)
		}
		if req.Header.Del(name); v != "-" {
			req.Header.Set(name, v)
		}
	}
	return req
}

func compareAnswer(t *testing.T, res *http.Response, body, pattern string, known map[string]string) {
	first, headers, want := cutMessage(pattern)
	if fmt.Sprint(res.StatusCode) != first {
		t.Fatalf("status %d, want %s: %s", res.StatusCode, first, body)
	}
	for _, h := range headers {
		name, expr, _ := strings.Cut(h, ":")
		if v := res.Header.Get(name); !regexp.MustCompile(`^(?:` + strings.TrimSpace(expr) + `)$`).MatchString(v) {
			t.Errorf("header %s is %q, want %s", name, v, expr)
		}
	}
	if res.StatusCode == 204 {
		if body != "" {
			t.Errorf("a body: %q", body)
		}
		return
	}
	var got, pat any
	if err := json.Unmarshal([]byte(body), &got); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	if err := json.Unmarshal([]byte(want), &pat); err != nil {
		t.Fatalf("the pattern: %v: %s", err, want)
	}
	for _, d := range matches(pat, got, "", known) {
		t.Errorf("%s\nin %s", d, body)
	}
}

var moment = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$`)

// matches returns where a value is not as its pattern says, and notes what the
// pattern names.
func matches(pattern, v any, at string, known map[string]string) (wrong []string) {
	bad := func(format string, args ...any) { wrong = append(wrong, at+": "+fmt.Sprintf(format, args...)) }
	switch p := pattern.(type) {
	case object:
		o, ok := v.(object)
		if !ok {
			bad("is %v, want an object", v)
			return wrong
		}
		for _, name := range slices.Sorted(maps.Keys(p)) {
			member, ok := o[name]
			if !ok {
				bad("%s is missing", name)
				continue
			}
			wrong = append(wrong, matches(p[name], member, at+"/"+name, known)...)
		}
	case []any:
		list, ok := v.([]any)
		if n := len(p); ok && n > 0 && p[n-1] == "~more" && len(list) >= n-1 {
			p, list = p[:n-1], list[:n-1]
		}
		if !ok || len(list) != len(p) {
			bad("is %v, want a list of %d", v, len(p))
			return wrong
		}
		for i := range p {
			wrong = append(wrong, matches(p[i], list[i], fmt.Sprint(at, "/", i), known)...)
		}
	case string:
		text, _ := v.(string)
		switch named, is := strings.CutPrefix(p, "~="); {
		case is:
			name, expr, _ := strings.Cut(named, " ")
			m := regexp.MustCompile(`^(?:` + expr + `)$`).FindStringSubmatch(text)
			if m == nil {
				bad("is %v, want %s", v, expr)
				break
			}
			known[name] = m[1]
		case p == "~":
			if v == nil {
				bad("is null")
			}
		case p == "~number":
			if _, ok := v.(float64); !ok {
				bad("is %v, want a number", v)
			}
		case p == "~time":
			if !moment.MatchString(text) {
				bad("is %v, want a moment", v)
			}
		case v != p:
			bad("is %v, want %q", v, p)
		}
	default:
		if v != p {
			bad("is %v, want %v", v, p)
		}
	}
	return wrong
}
