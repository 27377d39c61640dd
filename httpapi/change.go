package httpapi

import (
	"context"
	"time"

	"github.com/quarry-search/quarry/engine"
	"github.com/quarry-search/quarry/httpapi/internal/usage"
)

// change is something that a request is about to commit.
type change struct {
	event   string // its name as an event, such as "batch.applied"; "" if there is no such event
	key     string // id of the API key that asked for it
	at      time.Time
	version uint64   // 0 where the engine gives it out later
	indexes []string // that it concerns
	record  string   // id, of an event about one record
	keyID   string   // as the interface shows it, of an event about a key
	batch   *batchOutcome

	snapshot string // id, of an event about a snapshot
	writes   int64  // records put, patched and deleted by this very commit

	threshold *usage.Threshold // of usage.threshold; key is the one that reached it
}

// Names of events.
const (
	eventIndexCreated  = "index.created"
	eventIndexUpdated  = "index.updated"
	eventIndexRebuilt  = "index.rebuilt"
	eventIndexSwapped  = "index.swapped"
	eventIndexDeleted  = "index.deleted"
	eventBatchQueued   = "batch.queued"
	eventBatchApplied  = "batch.applied"
	eventBatchFailed   = "batch.failed"
	eventBatchCanceled = "batch.cancelled"
	eventRecordWritten = "record.written" // by PUT or PATCH of the one record
	eventKeyCreated    = "key.created"
	eventKeyRotated    = "key.rotated"
	eventKeyExpiring   = "key.expiring" // within a day
	eventKeyRevoked    = "key.revoked"
	eventRecordDeleted = "record.deleted" // by DELETE of the one record

	eventSnapshotCreated = "snapshot.created"
	eventSnapshotFailed  = "snapshot.failed"

	eventUsageThreshold = "usage.threshold"
)

// witness is told of every change before it is committed, and adds what it
// notes of it to the same commit: however the process ends, there is both or
// neither.
type witness interface {
	// witness returns the rows to commit with a change. It must not call the
	// engine. For batches it is called one at a time, in the order of their
	// commits; for other changes at any time. done, unless nil, is called once
	// with the error of the commit, nil if it went through.
	witness(c *change) (rows []engine.Row, done func(error))
}

// witnessed collects what all witnesses note of a change.
func (s *Server) witnessed(c *change) (rows []engine.Row, done func(error)) {
	var dones []func(error)
	for _, w := range s.witnesses {
		noted, done := w.witness(c)
		rows = append(rows, noted...)
		if done != nil {
			dones = append(dones, done)
		}
	}
	return rows, func(err error) {
		for _, done := range dones {
			done(err)
		}
	}
}

// apply commits a batch with what the witnesses note of it. describe makes the
// change of the engine's result; it runs within Batch.Finish.
func (s *Server) apply(ctx context.Context, x *exchange, b *engine.Batch, describe func(*engine.BatchResult) *change) (*engine.BatchResult, error) {
	return s.applyFor(ctx, x.key.ID, b, describe)
}

// applyFor is apply on behalf of a key, by its id, whose request is over.
func (s *Server) applyFor(ctx context.Context, key string, b *engine.Batch, describe func(*engine.BatchResult) *change) (*engine.BatchResult, error) {
	var dones []func(error)
	finish := b.Finish
	b.Finish = func(res *engine.BatchResult) []engine.Row {
		var rows []engine.Row
		if finish != nil {
			rows = finish(res)
		}
		now := s.now()
		note := func(c *change) {
			c.key, c.at, c.version = key, now, res.Version
			noted, done := s.witnessed(c)
			rows, dones = append(rows, noted...), append(dones, done)
		}
		for _, name := range res.IndexesCreated {
			note(&change{event: eventIndexCreated, indexes: []string{name}})
		}
		c := describe(res)
		c.writes = int64(res.Put + res.Patched + res.Deleted)
		note(c)
		return rows
	}
	res, err := s.engine.Apply(ctx, b)
	for _, done := range dones {
		done(err)
	}
	return res, err
}

// indexChange begins a change of indexes: the rows to commit with it, and what
// to call with the outcome.
func (s *Server) indexChange(x *exchange, event string, indexes ...string) (rows []engine.Row, done func(error)) {
	return s.witnessed(&change{event: event, key: x.key.ID, at: s.now(), indexes: indexes})
}

// indexesOf returns the names of the indexes that a batch writes to, each once,
// in the order of their first operations.
func indexesOf(b *engine.Batch) []string {
	var names []string
	known := map[string]bool{}
	for i := range b.Ops {
		if name := b.Ops[i].Index; !known[name] {
			known[name] = true
			names = append(names, name)
		}
	}
	return names
}
