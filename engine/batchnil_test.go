package engine

import (
	"context"
	"testing"
)

// TestApplyNil: no batch is a batch without operations.
func TestApplyNil(t *testing.T) {
	e := newEngine(t, nil)
	empty, err := e.Apply(context.Background(), &Batch{})
	none, errNone := e.Apply(context.Background(), nil)
	if (err == nil) != (errNone == nil) || (empty == nil) != (none == nil) {
		t.Errorf("nil: %v, %v; without operations: %v, %v", none, errNone, empty, err)
	}
}
