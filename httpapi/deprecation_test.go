package httpapi

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
)

// wrong says what a table of deprecations must not have, by the table of routes
// and the document.
func (d *deprecation) wrong(table []route, paths object) error {
	switch about, err := url.Parse(d.about); {
	case !slices.ContainsFunc(table, func(r route) bool { return r.method == d.method && r.pattern == d.pattern }):
		return errors.New("there is no such route")
	case d.sunset.Before(d.since):
		return errors.New("Sunset lies before Deprecation")
	case d.sunset.Before(d.since.AddDate(1, 0, 0)):
		return errors.New("there are 12 months from Deprecation to Sunset")
	case err != nil || about.Scheme != "https":
		return errors.New("about is an https URL")
	case d.successor != "" && !strings.HasPrefix(d.successor, "/v"):
		return errors.New("successor is a path")
	}
	item, _ := paths[d.pattern].(object)
	op, _ := item[strings.ToLower(d.method)].(object)
	if d.parameter == "" && op["deprecated"] != true {
		return errors.New("the OpenAPI document does not say so")
	}
	return nil
}

func TestDeprecationTable(t *testing.T) {
	paths := document()["paths"].(object)
	for _, d := range deprecationTable() {
		if err := d.wrong(routeTable(), paths); err != nil {
			t.Errorf("%s %s %s: %v", d.method, d.pattern, d.parameter, err)
		}
	}
	since := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	good := deprecation{"GET", "/v1/indexes", "cursor", since, since.AddDate(1, 0, 0), "https://example.com/", "/v2/indexes"}
	if err := good.wrong(routeTable(), paths); err != nil {
		t.Errorf("a good one: %v", err)
	}
	for name, change := range map[string]func(*deprecation){
		"route":     func(d *deprecation) { d.pattern = "/v1/nothing" },
		"backwards": func(d *deprecation) { d.sunset = since.Add(-time.Second) },
		"too soon":  func(d *deprecation) { d.sunset = d.sunset.Add(-time.Second) },
		"about":     func(d *deprecation) { d.about = "soon" },
		"document":  func(d *deprecation) { d.parameter = "" },
	} {
		d := good
		change(&d)
		if d.wrong(routeTable(), paths) == nil {
			t.Errorf("%s: nothing is found wrong with %+v", name, d)
		}
	}
}

func TestDeprecationHeaders(t *testing.T) {
	since := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	later := since.AddDate(0, 6, 0)
	sunset := time.Date(2026, 12, 31, 23, 59, 59, 0, time.UTC)
	now := sunset.Add(-time.Second)
	s := newService(t, func(c *Config) { c.Now = func() time.Time { return now } })
	s.check = false // the document knows nothing of this table
	s.server.retiring = byRoute([]deprecation{
		{"GET", "/v1/limits", "", since, sunset, "https://example.com/limits", "/v2/limits"},
		{"GET", "/v1/indexes", "cursor", later, sunset.AddDate(1, 0, 0), "https://example.com/cursor", ""},
		{"GET", "/v1/indexes", "limit", since, sunset, "https://example.com/limit", ""},
		{"POST", "/v1/search", "offset", since, sunset, "https://example.com/offset", ""},
	})
	const link = `; rel="deprecation"; type="text/html"`
	headers := func(a answer) string {
		return fmt.Sprint(a.status, " ", a.header.Get("Deprecation"), " ", a.header.Get("Sunset"), " ", a.header["Link"])
	}
	const dates = " @1735689600 Thu, 31 Dec 2026 23:59:59 GMT "
	cases := []struct{ method, path, body, before, after string }{
		{"GET", "/v1/limits", "",
			"200" + dates + `[<https://example.com/limits>` + link + ` </v2/limits>; rel="successor-version"]`,
			"410" + dates + `[<https://example.com/limits>` + link + ` </v2/limits>; rel="successor-version"]`},
		{"GET", "/v1/indexes", "", "200   []", "200   []"},
		{"GET", "/v1/indexes?limit=5", "", "200" + dates + `[<https://example.com/limit>` + link + `]`, "410" + dates + `[<https://example.com/limit>` + link + `]`},
		{"GET", "/v1/indexes?limit=5&cursor=x", "",
			"422" + dates + `[<https://example.com/cursor>` + link + ` <https://example.com/limit>` + link + `]`,
			"410" + dates + `[<https://example.com/cursor>` + link + ` <https://example.com/limit>` + link + `]`},
		{"POST", "/v1/search", `{"q":"offset"}`, "200   []", "200   []"},
		{"POST", "/v1/search", `{"offset":0}`, "200" + dates + `[<https://example.com/offset>` + link + `]`, "410" + dates + `[<https://example.com/offset>` + link + `]`},
		{"POST", "/v1/search", `["offset"]`, "422   []", "422   []"},
		{"GET", "/v1/usage", "", "200   []", "200   []"},
	}
	for _, c := range cases {
		if got := headers(s.do(c.method, c.path, c.body)); got != c.before {
			t.Errorf("before: %s %s %s: %s, want %s", c.method, c.path, c.body, got, c.before)
		}
	}
	now = sunset
	for _, c := range cases {
		a := s.do(c.method, c.path, c.body)
		if got := headers(a); got != c.after {
			t.Errorf("after: %s %s %s: %s, want %s", c.method, c.path, c.body, got, c.after)
		}
		if a.status == 410 && a.problem(t).Code != codeGone {
			t.Errorf("after: %s %s: %s", c.method, c.path, a.body)
		}
	}
	if a := s.do("GET", "/v1/limits", "", "Authorization: -"); a.status != 401 || a.header.Get("Sunset") != "" {
		t.Errorf("without a key: %d %v", a.status, a.header)
	}
}
