package httpapi

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// TestConditions: a write happens only if the record is as the client says, and
// what a client has is not sent again.
func TestConditions(t *testing.T) {
	s := newService(t)
	const path = "/v1/record/a?index=i"
	s.want(412, "PUT", path, `{"n":1}`, "If-Match: *")
	s.want(412, "PUT", path, `{"n":1}`, `If-Match: "1"`)
	s.want(201, "PUT", path, `{"n":1}`, "If-None-Match: *")
	if a := s.want(412, "PUT", path, `{"n":2}`, "If-None-Match: *"); a.problem(t).Code != "precondition_failed" || !strings.Contains(a.body, `entity tag \"1\"`) {
		t.Errorf("it exists: %s", a.body)
	}
	a := s.want(200, "GET", path, "")
	tag := a.header.Get("ETag")
	if tag != `"1"` {
		t.Fatalf("ETag %s", tag)
	}
	for header, status := range map[string]int{
		"If-None-Match: " + tag:           304,
		"If-None-Match: W/" + tag:         304,
		`If-None-Match: "x", ` + tag:      304,
		"If-None-Match: *":                304,
		`If-None-Match: "2"`:              200,
		"If-Match: " + tag:                200,
		"If-Match: *":                     200,
		`If-Match: "2"`:                   412,
		"If-Match: W/" + tag:              412, // strong comparison
		"If-Match: 1":                     400,
		`If-Match: "1`:                    400,
		`If-Match: "1" "2"`:               400,
		`If-Match: *, "1"`:                400,
		"If-Match:  , ":                   400,
		"If-None-Match: one":              400,
		`If-Match: , "0" ,` + tag + ` , `: 200,
	} {
		a := s.want(status, "GET", path, "", header)
		if (a.header.Get("ETag") == tag) != (status < 400) || status == 304 && a.body != "" {
			t.Errorf("%s: %v %s", header, a.header, a.body)
		}
	}
	s.want(412, "PATCH", path, `{"n":2}`, `If-Match: "7"`)
	s.want(412, "DELETE", path, "", `If-Match: "7"`)
	s.want(412, "DELETE", path, "", "If-None-Match: "+tag)
	s.want(400, "DELETE", path, "", "If-Match: 7")
	if a := s.want(200, "GET", path, ""); a.header.Get("ETag") != tag || !strings.Contains(a.body, `"n":1`) {
		t.Errorf("nothing was to be changed: %s", a.body)
	}
	s.want(200, "PATCH", path, `{"n":2}`, "If-Match: "+tag)
	s.want(412, "PUT", path, `{"n":3}`, "If-Match: "+tag)
	tag = s.want(200, "GET", path, "").header.Get("ETag")
	s.want(200, "PUT", path, `{"n":3}`, `If-Match: "1", `+tag)
	s.want(204, "DELETE", path, "", "If-Match: *")
	for _, method := range []string{"GET", "PATCH", "DELETE"} { // as without conditions
		body := ""
		if method == "PATCH" {
			body = "{}"
		}
		s.want(404, method, path, body, "If-Match: *")
	}
}

// TestNoLostUpdates: clients that read, add one and write with If-Match count
// right, however they meet.
func TestNoLostUpdates(t *testing.T) {
	s := newService(t)
	const path, clients, each = "/v1/record/a?index=i", 4, 10
	s.want(201, "PUT", path, `{"n":0}`)
	var work sync.WaitGroup
	var refused atomic.Int64
	for range clients {
		work.Go(func() {
			for done := 0; done < each; {
				a := s.do("GET", path, "")
				n := 0
				if _, err := fmt.Sscanf(a.body[strings.Index(a.body, `"n":`):], `"n":%d`, &n); err != nil {
					t.Errorf("%s: %v", a.body, err)
					return
				}
				switch a := s.do("PUT", path, fmt.Sprintf(`{"n":%d}`, n+1), "If-Match: "+a.header.Get("ETag")); a.status {
				case 200:
					done++
				case 412:
					refused.Add(1)
				default:
					t.Errorf("status %d: %s", a.status, a.body)
					return
				}
			}
		})
	}
	work.Wait()
	if a := s.want(200, "GET", path, ""); !strings.Contains(a.body, fmt.Sprintf(`"n":%d}`, clients*each)) {
		t.Errorf("%s, want n = %d", a.body, clients*each)
	}
	t.Logf("%d writes were refused", refused.Load())
}
