package httpapi

import (
	"strings"
	"testing"
	"time"
)

// A version that the service does not reach is waited for as long as timeout_ms
// says, and then nothing was searched: the time that a search may take is far
// longer than this test.
func TestWaitForAVersionEndsWithTheTimeout(t *testing.T) {
	e := withEngine(t, "").engine
	s := newService(t, func(c *Config) { c.Engine, c.Limits.SearchTimeout = e, time.Hour })
	s.want(201, "POST", "/v1/batch", someRecords)
	for path, body := range map[string]string{
		"/v1/search":       `{"min_version":1000000000,"timeout_ms":5}`,
		"/v1/multi-search": `{"searches":[{"timeout_ms":1},{"min_version":1000000000},{"min_version":1,"timeout_ms":5},{"min_version":1,"timeout_ms":3600000}]}`,
	} {
		p := s.want(503, "POST", path, body).problem(t)
		if p.Code != codeSearchTimeout || !strings.Contains(p.Detail, "has not reached version 1000000000 within 5 ms") {
			t.Errorf("%s: %+v", path, p)
		}
	}
	s.want(200, "POST", "/v1/search", `{"min_version":1,"timeout_ms":3600000}`)
	s.want(200, "POST", "/v1/multi-search", `{"searches":[{"min_version":1},{"min_version":1,"timeout_ms":3600000}]}`)
}
