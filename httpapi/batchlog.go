package httpapi

import (
	"context"
	"errors"
	"strings"
	"sync"

	"github.com/quarry-search/quarry/engine"
)

const (
	batchPrefix = "bat_"
	batchRows   = "http/batch/"

	// keptIDs is how many record ids are kept of a batch.
	keptIDs = 1000
)

// batchLog remembers the outcomes of the newest batches, each in a row of the
// engine whose value is the answer of GET /v1/batch/{id}.
type batchLog struct {
	engine Engine
	most   int

	mu  sync.Mutex
	ids []string // in the order of their making
}

func openBatchLog(e Engine, most int) (*batchLog, error) {
	l := &batchLog{engine: e, most: most}
	for row, err := range e.Rows(batchRows) {
		if err != nil {
			return nil, err
		}
		l.ids = append(l.ids, strings.TrimPrefix(row.Key, batchRows))
	}
	return l, nil
}

// keep writes an outcome down, in one commit with rows and with forgetting the
// oldest one when there are too many.
func (l *batchLog) keep(ctx context.Context, out *batchOutcome, rows []engine.Row) error {
	short := *out
	if len(short.ids) > keptIDs {
		short.ids = nil
	}
	rows = append(rows, engine.Row{Key: batchRows + out.id, Value: appendBatch(nil, &short)})
	l.mu.Lock()
	l.ids = append(l.ids, out.id)
	for len(l.ids) > l.most {
		rows = append(rows, engine.Row{Key: batchRows + l.ids[0]})
		l.ids = l.ids[1:]
	}
	l.mu.Unlock()
	return l.engine.PutRows(ctx, rows)
}

// lookup returns the answer about a batch.
func (l *batchLog) lookup(id string) ([]byte, error) {
	unknown := &problem{code: codeBatchNotFound, detail: "no batch with this id is remembered"}
	if !strings.HasPrefix(id, batchPrefix) || len(id) != len(batchPrefix)+26 {
		return nil, unknown
	}
	answer, err := l.engine.Row(batchRows + id)
	if errors.Is(err, engine.ErrNotFound) {
		return nil, unknown
	}
	return answer, err
}
