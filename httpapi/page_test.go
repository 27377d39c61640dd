package httpapi

import (
	"strings"
	"testing"
)

func TestPagesNeedNoKeyAndHoldNone(t *testing.T) {
	s := newService(t)
	s.check = false // the pages are no part of the OpenAPI document
	for _, path := range []string{"/", "/admin", "/assets/app.js", "/assets/style.css"} {
		a := s.want(200, "GET", path, "", "Authorization: -")
		if a.header.Get("Content-Security-Policy") == "" || a.header.Get("Request-Id") == "" || strings.Contains(a.body, "qk_p") {
			t.Errorf("%s: header %v", path, a.header)
		}
		s.want(200, "HEAD", path, "", "Authorization: -")
		if a := s.want(405, "POST", path, "{}", "Authorization: -"); a.header.Get("Allow") != "GET, HEAD" {
			t.Errorf("POST %s: Allow %q", path, a.header.Get("Allow"))
		}
		if with := s.want(200, "GET", path, ""); with.body != a.body {
			t.Errorf("%s differs with a key", path)
		}
		tag := a.header.Get("ETag")
		s.want(304, "GET", path, "", "Authorization: -", "If-None-Match: "+tag)
	}
	for _, path := range []string{"/assets/nothing", "/assets/", "/assets", "/admin/", "/index.html", "/assets/%2e%2e/doc.go"} {
		s.want(404, "GET", path, "")
	}
}

func TestPagesCanBeLeftOut(t *testing.T) {
	s := newService(t, func(c *Config) { c.NoPage = true })
	for _, path := range []string{"/", "/admin", "/assets/app.js"} {
		if a := s.want(404, "GET", path, ""); a.problem(t).Code != codeRouteNotFound || a.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %s, header %v", path, a.body, a.header)
		}
	}
}
