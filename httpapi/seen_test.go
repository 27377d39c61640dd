package httpapi

import (
	"context"
	"testing"
)

// TestCountsOfIndexesAreSearches: what a key with filters may know of an index is
// counted as a search is carried out, in a place of the searches and in their time.
func TestCountsOfIndexesAreSearches(t *testing.T) {
	s := newService(t)
	for _, index := range []string{"a", "b"} {
		s.want(201, "PUT", "/v1/indexes/"+index, `{"fields":[{"name":"k","type":"keyword","filter":true}]}`)
		s.want(201, "POST", "/v1/batch", `{"index":"`+index+`","records":[{"k":"x"},{"k":"x"},{"k":"y"}]}`)
	}
	var made struct{ Key string }
	s.want(201, "POST", "/v1/keys", `{"name":"some","scopes":["search","read"],"filter":"k = \"x\""}`).into(t, &made)
	counts := 0
	s.engine.(*memEngine).before = func(ctx context.Context, method string) error {
		if method == "Search" {
			counts++
			if _, ok := ctx.Deadline(); !ok || len(s.server.turns.quick)+len(s.server.turns.slow) != 1 {
				t.Errorf("it is counted in %d places of searches, with a deadline: %t", len(s.server.turns.quick), ok)
			}
		}
		return nil
	}
	var list struct{ Indexes []struct{ Records int } }
	bearer := "Authorization: Bearer " + made.Key
	a := s.want(200, "GET", "/v1/indexes", "", bearer)
	a.into(t, &list)
	if len(list.Indexes) != 2 || list.Indexes[0].Records != 2 || counts != 2 {
		t.Errorf("%d searches: %s", counts, a.body)
	}
	s.engine.(*memEngine).before = func(ctx context.Context, method string) error {
		if method == "Search" {
			return context.DeadlineExceeded
		}
		return nil
	}
	if a := s.do("GET", "/v1/indexes/a", "", bearer); a.status != 503 || a.problem(t).Code != codeSearchTimeout {
		t.Errorf("a count that takes too long: %d %s", a.status, a.body)
	}
}
