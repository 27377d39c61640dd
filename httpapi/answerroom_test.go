package httpapi

import (
	"fmt"
	"strings"
	"testing"

	"github.com/quarry-search/quarry/engine"
)

// TestAnswersTakeMemoryFromTheBudget: large records are found as long as there is
// memory for the answer, and refused before they are read where there is not.
func TestAnswersTakeMemoryFromTheBudget(t *testing.T) {
	const limit = 4 << 20
	s := newService(t, func(c *Config) { c.Limits.InFlightBytes = limit })
	big := strings.Repeat("x", 300<<10)
	for i := range 10 {
		s.want(201, "PUT", fmt.Sprintf("/v1/record/r%d?index=i", i), fmt.Sprintf(`{"t":"red","b":{"v":"%s"}}`, big))
	}
	free := func() {
		t.Helper()
		if used := s.server.budget.used.Load(); used != 0 {
			t.Errorf("%d bytes are still counted", used)
		}
	}
	multi := func(search string, n int) string {
		return `{"searches":[` + strings.Repeat(search+",", n-1) + search + `]}`
	}
	for _, c := range []struct {
		path, body string
		others     int64 // bytes that others hold
		code       string
	}{
		{"/v1/search", `{"q":"red","limit":5}`, 0, ""},
		{"/v1/search", `{"q":"red","limit":10}`, 0, engine.CodeLimitExceeded},
		{"/v1/search", `{"limit":10}`, 0, engine.CodeLimitExceeded},
		{"/v1/search", `{"q":"red","limit":10,"return":[]}`, 0, ""},
		{"/v1/search", `{"q":"red","limit":5}`, limit - 1<<20, codeOverloaded},
		{"/v1/search", `{"q":"red","limit":1,"return":[]}`, limit - 1<<20, ""},
		{"/v1/multi-search", multi(`{"q":"red","limit":1}`, 4), 0, ""},
		{"/v1/multi-search", multi(`{"q":"red","limit":1}`, 6), 0, engine.CodeLimitExceeded},
		{"/v1/multi-search", multi(`{"q":"red","limit":1}`, 4), limit - 1<<20, codeOverloaded},
	} {
		s.server.budget.take(c.others)
		a := s.do("POST", c.path, c.body)
		s.server.budget.giveBack(c.others)
		if c.code == "" {
			if a.status != 200 {
				t.Errorf("%s: %d %.300s", c.body, a.status, a.body)
			}
		} else if a.status != codes[c.code].status || a.problem(t).Code != c.code {
			t.Errorf("%s: %d %.300s, want %s", c.body, a.status, a.body, c.code)
		}
		free()
	}
	a := s.do("POST", "/v1/graphql", `{"query":"{ search(q: \"red\", limit: 10) { total hits { record } } }"}`)
	if !strings.Contains(a.body, engine.CodeLimitExceeded) {
		t.Errorf("GraphQL: %d %.300s", a.status, a.body)
	}
	free()
}
