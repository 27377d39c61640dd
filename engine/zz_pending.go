package engine

import (
	"context"
	"errors"
)

var errPending = errors.New("pending")

// UpdateIndex replaces the schema.
func (e *Engine) UpdateIndex(ctx context.Context, name string, s Schema) (IndexInfo, error) {
	return IndexInfo{}, errPending
}

// Check verifies everything.
func (e *Engine) Check(ctx context.Context) error { return errPending }

// Stats sums up.
func (e *Engine) Stats() Stats { return Stats{} }

// Stats is figures.
type Stats struct {
	Indexes  int
	Records  int64
	Segments int
}
