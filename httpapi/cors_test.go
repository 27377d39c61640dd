package httpapi

import (
	"slices"
	"strings"
	"testing"
)

// cors tells what an answer allows.
func (a answer) cors() string {
	var out []string
	for name := range a.header {
		if strings.HasPrefix(name, "Access-Control-") {
			out = append(out, strings.TrimPrefix(name, "Access-Control-"))
		}
	}
	slices.Sort(out)
	return a.header.Get("Access-Control-Allow-Origin") + " " + strings.Join(out, " ")
}

// TestPagesOfOtherOrigins: browsers let a page call the interface if, and only
// if, the operator has named its origin.
func TestPagesOfOtherOrigins(t *testing.T) {
	const shop, other = "https://shop.example", "https://evil.example"
	const preflight, actual = "Allow-Headers Allow-Methods Allow-Origin Max-Age", "Allow-Origin Expose-Headers"
	for _, c := range []struct {
		name      string
		allowed   []string
		method    string
		path      string
		origin    string
		status    int
		want      string // see cors
		varied    bool   // the answer depends on Origin
		preflight bool
	}{
		{"off", nil, "POST", "/v1/search", shop, 200, " ", false, false},
		{"off, asked before", nil, "OPTIONS", "/v1/search", shop, 401, " ", false, true},
		{"allowed", []string{shop}, "POST", "/v1/search", shop, 200, shop + " " + actual, true, false},
		{"asked before", []string{"http://localhost:3000", shop}, "OPTIONS", "/v1/search", shop, 204, shop + " " + preflight, true, true},
		{"another", []string{shop}, "POST", "/v1/search", other, 200, " ", true, false},
		{"another, asked before", []string{shop}, "OPTIONS", "/v1/search", other, 401, " ", true, true},
		{"like it", []string{shop}, "POST", "/v1/search", shop + ".evil.example", 200, " ", true, false},
		{"no page", []string{shop}, "POST", "/v1/search", "", 200, " ", true, false},
		{"a file", []string{shop}, "POST", "/v1/search", "null", 200, " ", true, false},
		{"any", []string{"*"}, "POST", "/v1/search", other, 200, "* " + actual, false, false},
		{"any, asked before", []string{"*"}, "OPTIONS", "/v1/record/1", other, 204, "* " + preflight, false, true},
		{"OPTIONS for itself", []string{"*"}, "OPTIONS", "/v1/search", other, 405, "* " + actual, false, false},
		{"an error", []string{shop}, "GET", "/v1/record/none", shop, 404, shop + " " + actual, true, false},
		{"a page of the service", []string{"*"}, "GET", "/", other, 200, " ", false, false},
	} {
		s := newService(t, func(o *Config) { o.CORSOrigins = c.allowed })
		s.check = false // the document is about the interface, not about browsers
		headers := []string{"Origin: -"}
		if c.origin != "" {
			headers = []string{"Origin: " + c.origin}
		}
		body := ""
		if c.method == "POST" {
			body = "{}"
		}
		if c.preflight {
			headers = append(headers, "Authorization: -", "Access-Control-Request-Method: POST", "Access-Control-Request-Headers: authorization,content-type")
		}
		a := s.want(c.status, c.method, c.path, body, headers...)
		if got := a.cors(); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if varied := slices.Contains(a.header.Values("Vary"), "Origin"); varied != c.varied {
			t.Errorf("%s: Vary is %q", c.name, a.header.Values("Vary"))
		}
		if !strings.HasPrefix(a.header.Get("Request-Id"), "req_") {
			t.Errorf("%s: Request-Id %q", c.name, a.header.Get("Request-Id"))
		}
		if c.status == 204 && (a.body != "" || !strings.Contains(a.header.Get("Access-Control-Allow-Headers"), "Authorization")) {
			t.Errorf("%s: %v %q", c.name, a.header, a.body)
		}
	}
	s := newService(t, func(o *Config) { o.CORSOrigins = []string{"*"} })
	s.check = false
	s.want(401, "POST", "/v1/search", "{}", "Origin: "+shop, "Authorization: -")
}

func TestOriginsAreAsBrowsersWriteThem(t *testing.T) {
	for origin, ok := range map[string]bool{
		"*": true, "https://shop.example": true, "http://localhost:3000": true, "https://[::1]:8443": true,
		"https://shop.example/": false, "shop.example": false, "https://*.example": false, "https://Shop.example": false, "https://shop.example:443": false,
		"http://shop.example:80": false, "null": false, "": false, "https://user@shop.example": false, "ftp://shop.example": false, "https://shop.example?q": false,
	} {
		if err := CheckOrigin(origin); (err == nil) != ok {
			t.Errorf("%q: %v", origin, err)
		}
	}
}
