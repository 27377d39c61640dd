package webui

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"net/http/httptest"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func newSite(t *testing.T) *Site {
	t.Helper()
	s, err := New()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// get asks for a path. Headers are "Name: value".
func get(t *testing.T, s *Site, method, path string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(method, path, nil)
	for _, h := range headers {
		name, v, _ := strings.Cut(h, ": ")
		r.Header.Add(name, v)
	}
	w := httptest.NewRecorder()
	if status := s.Serve(w, r); status != w.Code {
		t.Fatalf("%s %s: Serve returns %d and answers %d", method, path, status, w.Code)
	}
	return w
}

func TestWeight(t *testing.T) {
	sum := 0
	for _, f := range newSite(t).files {
		sum += len(f.plain)
	}
	const most = 100_000 // bytes of both pages together, as they are embedded
	if sum >= most {
		t.Errorf("the pages have %d bytes, want less than %d", sum, most)
	}
	t.Logf("%d bytes", sum)
}

func TestEveryFileIsServed(t *testing.T) {
	s := newSite(t)
	entries, err := fs.ReadDir(assets, "assets")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		want, err := assets.ReadFile("assets/" + e.Name())
		if err != nil {
			t.Fatal(err)
		}
		at := address(e.Name())
		w := get(t, s, "GET", at)
		if !bytes.Equal(w.Body.Bytes(), want) || w.Code != 200 || w.Header().Get("Content-Type") != mediaTypes[path.Ext(e.Name())] {
			t.Errorf("%s: %d, %s, %d bytes", at, w.Code, w.Header().Get("Content-Type"), w.Body.Len())
		}
		packed := get(t, s, "GET", at, "Accept-Encoding: br, gzip")
		in, err := gzip.NewReader(packed.Body)
		if err != nil {
			t.Fatalf("%s: %v", at, err)
		}
		if got, err := io.ReadAll(in); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s, unpacked: %d bytes, %v", at, len(got), err)
		}
		if head := get(t, s, "HEAD", at); head.Body.Len() != 0 || head.Header().Get("Content-Length") != w.Header().Get("Content-Length") {
			t.Errorf("HEAD %s: %d bytes, header %v", at, head.Body.Len(), head.Header())
		}
	}
	for _, at := range []string{"/assets/", "/assets/nothing.js", "/index.html", "/assets/index.html", "/admin/", "/assets/../site.go", ""} {
		r := httptest.NewRequest("GET", "/", nil)
		r.URL.Path = at
		if w := httptest.NewRecorder(); s.Serve(w, r) != 0 {
			t.Errorf("%q is served: %d", at, w.Code)
		}
	}
}

func TestHeaders(t *testing.T) {
	s := newSite(t)
	for at := range s.files {
		h := get(t, s, "GET", at).Header()
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cross-Origin-Opener-Policy": "same-origin",
			"Cross-Origin-Resource-Policy": "same-origin", "Cache-Control": "no-cache", "Vary": "Accept-Encoding",
		} {
			if got := h.Get(name); got != want {
				t.Errorf("%s: %s: %q, want %q", at, name, got, want)
			}
		}
		csp := h.Get("Content-Security-Policy")
		for _, want := range []string{"default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src 'self' data:", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"} {
			if !slices.Contains(strings.Split(csp, "; "), want) {
				t.Errorf("%s: the policy %q lacks %s", at, csp, want)
			}
		}
		if strings.Contains(csp, "unsafe") {
			t.Errorf("%s: the policy %q", at, csp)
		}
	}
}

func TestTags(t *testing.T) {
	s := newSite(t)
	plain, packed := get(t, s, "GET", "/").Header().Get("ETag"), get(t, s, "GET", "/", "Accept-Encoding: gzip").Header().Get("ETag")
	if plain == packed || !regexp.MustCompile(`^"[\w-]+"$`).MatchString(plain) {
		t.Errorf("tags %s and %s", plain, packed)
	}
	for _, c := range []struct {
		header string
		status int
	}{{plain, 304}, {"W/" + plain, 304}, {`"x", ` + plain, 304}, {"*", 304}, {packed, 200}, {`"x"`, 200}, {strings.Trim(plain, `"`), 200}, {"", 200}} {
		w := get(t, s, "GET", "/", "If-None-Match: "+c.header)
		if w.Code != c.status || (w.Code == 304) != (w.Body.Len() == 0) || w.Header().Get("ETag") != plain {
			t.Errorf("If-None-Match: %s: %d with %d bytes, want %d", c.header, w.Code, w.Body.Len(), c.status)
		}
	}
	if w := get(t, s, "GET", "/", "Accept-Encoding: gzip", "If-None-Match: "+packed); w.Code != 304 || w.Header().Get("Content-Encoding") != "" {
		t.Errorf("packed: %d %v", w.Code, w.Header())
	}
}

func TestAcceptsGzip(t *testing.T) {
	for header, want := range map[string]bool{
		"": false, "gzip": true, "GZIP": true, "br, gzip;q=0.5": true, "gzip;q=0": false, "gzip; q=0.0": false, "identity": false, "x-gzip": false, "gzip;q=x": false, "*": false,
	} {
		if got := acceptsGzip([]string{header}); got != want {
			t.Errorf("Accept-Encoding: %s: %v, want %v", header, got, want)
		}
	}
}

// The files keep to what the policy allows, and to what the package comment
// promises: no markup from text, nothing from elsewhere.
func TestSources(t *testing.T) {
	forbidden := regexp.MustCompile(`innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment|setHTML|\beval\(|new Function|localStorage|document\.cookie|sendBeacon|XMLHttpRequest|WebSocket|EventSource|import\(|console\.`)
	foreign := regexp.MustCompile(`(https?:)?//[a-z0-9.-]+\.[a-z]{2,}|@import|\burl\(`)
	inline := regexp.MustCompile(`<style|\sstyle=|<script>|\son[a-z]+=|javascript:`)
	for at, f := range newSite(t).files {
		text := strings.ReplaceAll(string(f.plain), "http://www.w3.org/2000/svg", "")
		if strings.HasSuffix(at, ".js") {
			if m := forbidden.FindString(text); m != "" {
				t.Errorf("%s uses %s", at, m)
			}
		}
		if m := foreign.FindString(text); m != "" {
			t.Errorf("%s speaks of %s", at, m)
		}
		if f.media == mediaTypes[".html"] {
			if m := inline.FindString(text); m != "" {
				t.Errorf("%s has inline %s", at, m)
			}
		}
	}
}

// All that a page or a script names is there.
func TestReferences(t *testing.T) {
	s := newSite(t)
	used := map[string]bool{"/": true, "/admin": true}
	reference := regexp.MustCompile(`(?:href|src)="(/[^"#]*)"|from '\./([\w.]+)'`)
	for at, f := range s.files {
		for _, m := range reference.FindAllStringSubmatch(string(f.plain), -1) {
			to := m[1]
			if to == "" {
				to = "/assets/" + m[2]
			}
			used[to] = true
			if s.files[to] == nil {
				t.Errorf("%s refers to %s, which is not there", at, to)
			}
		}
	}
	for at := range s.files {
		if !used[at] {
			t.Errorf("nothing refers to %s", at)
		}
	}
}
