package httpapi

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// deprecation announces the end of a route or of one of its parameters. Every
// answer that it concerns says so in headers: Deprecation (RFC 9745), Sunset
// (RFC 8594) and Link.
type deprecation struct {
	method, pattern string    // of the route, as in the table of routes
	parameter       string    // of the URL, or member of a body that jsonBody reads; "": all of the route
	since           time.Time // from then on nobody should use it any more
	sunset          time.Time // from then on it is gone; at least 12 months after since
	about           string    // URL of the text that says what to do instead
	successor       string    // path of the route that takes its place; "" if there is none
}

// deprecationTable returns everything that is deprecated. The OpenAPI document
// must say the same.
func deprecationTable() []deprecation { return nil }

// byRoute orders deprecations by method and pattern.
func byRoute(table []deprecation) map[string][]deprecation {
	out := map[string][]deprecation{}
	for _, d := range table {
		name := d.method + " " + d.pattern
		out[name] = append(out[name], d)
	}
	return out
}

// announce deals with what is deprecated of a request, so far as its URL tells.
func (s *Server) announce(x *exchange) error {
	if len(s.retiring) == 0 {
		return nil
	}
	list := s.retiring[x.pattern()]
	for i := range list {
		if p := list[i].parameter; p == "" || x.r.URL.Query().Has(p) {
			if err := s.announceOne(x, &list[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// announceMembers deals with the members of a body that are deprecated.
func (s *Server) announceMembers(x *exchange, body value) (err error) {
	if len(s.retiring) == 0 || body.raw.Kind() != '{' {
		return nil
	}
	list := s.retiring[x.pattern()]
	eachMember(body.raw, func(name string, _ jsontext.Value) {
		for i := range list {
			if list[i].parameter == name && err == nil {
				err = s.announceOne(x, &list[i])
			}
		}
	})
	return err
}

// announceOne sets the headers, or says that the time is over. Of several
// deprecations in a request the earliest dates count.
func (s *Server) announceOne(x *exchange, d *deprecation) error {
	h := x.w.Header()
	if old, err := strconv.ParseInt(trimAt(h.Get("Deprecation")), 10, 64); err != nil || d.since.Unix() < old {
		h.Set("Deprecation", "@"+strconv.FormatInt(d.since.Unix(), 10))
	}
	if old, err := http.ParseTime(h.Get("Sunset")); err != nil || d.sunset.Before(old) {
		h.Set("Sunset", d.sunset.UTC().Format(http.TimeFormat))
	}
	h.Add("Link", fmt.Sprintf(`<%s>; rel="deprecation"; type="text/html"`, d.about))
	if d.successor != "" {
		h.Add("Link", fmt.Sprintf(`<%s>; rel="successor-version"`, d.successor))
	}
	if s.now().Before(d.sunset) {
		return nil
	}
	what := "this route"
	if d.parameter != "" {
		what = "the parameter " + strconv.Quote(d.parameter)
	}
	return &problem{code: codeGone, detail: what + " is no longer offered; the header Link leads to what to do instead"}
}

// trimAt takes the @ off a date of RFC 9745.
func trimAt(date string) string {
	if date == "" {
		return ""
	}
	return date[1:]
}
