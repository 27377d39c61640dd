package httpapi

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/quarry-search/quarry/engine"
)

// TestCursorsAreOfOneKind: a cursor of one list is none of another, even if the
// requests say the same.
func TestCursorsAreOfOneKind(t *testing.T) {
	kinds := map[byte]string{ // a letter that is used twice does not compile
		cursorSearch: "search", cursorIndexes: "indexes", cursorRecords: "records", cursorKeys: "keys", cursorBatches: "batches",
		cursorUsage: "usage", cursorSnapshots: "snapshots", cursorWebhooks: "webhooks", cursorDeliveries: "deliveries",
	}
	c := newService(t).server.cursors
	for made := range kinds {
		cursor := c.sign(made, []byte("query"), []byte("position"))
		for kind, name := range kinds {
			if _, err := c.verify(cursor, kind, []byte("query")); (err == nil) != (kind == made) {
				t.Errorf("a cursor of %s as one of %s: %v", kinds[made], name, err)
			}
		}
	}
}

// TestOutcomeUnknown: a write that may have happened has a code of its own,
// whatever kept it from being seen.
func TestOutcomeUnknown(t *testing.T) {
	s := newService(t)
	e := s.engine.(*memEngine)
	e.before = failAfter("committed", 0, fmt.Errorf("%w: %w", engine.ErrUnsettled, engine.ErrCorrupt))
	for _, r := range [][3]string{
		{"POST", "/v1/batch", `{"index":"a","records":[{"id":"1"}]}`}, {"PUT", "/v1/record/1?index=a", `{"n":1}`},
	} {
		a := s.do(r[0], r[1], r[2])
		if a.status != 500 || a.problem(t).Code != codeUnsettled || strings.Contains(a.body, "corrupt") {
			t.Errorf("%s %s: %d %s", r[0], r[1], a.status, a.body)
		}
	}
	e.before = nil
	if err := problemOf(errors.Join(errors.New("x"), engine.ErrUnsettled), nil); err.code != codeUnsettled {
		t.Errorf("code %s", err.code)
	}
}
