package httpapi

import (
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/quarry-search/quarry/engine"
	"github.com/quarry-search/quarry/httpapi/internal/keyring"
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

// keep returns the rows that write an outcome down, whose answer is given, and
// forget the oldest ones when there are too many. They belong into one commit;
// should it fail, undo must be called with them.
func (l *batchLog) keep(out *batchOutcome, answer []byte) []engine.Row {
	if len(out.ids) > keptIDs {
		short := *out
		short.ids = nil
		answer = appendBatch(nil, &short)
	}
	rows := []engine.Row{{Key: batchRows + out.id, Value: answer}}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ids = append(l.ids, out.id)
	for len(l.ids) > l.most {
		rows = append(rows, engine.Row{Key: batchRows + l.ids[0]})
		l.ids = l.ids[1:]
	}
	return rows
}

// undo takes back what keep did besides returning rows; nil stands for a keep
// that was never called.
func (l *batchLog) undo(rows []engine.Row) {
	if rows == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	var ids []string
	for _, forgotten := range rows[1:] {
		ids = append(ids, strings.TrimPrefix(forgotten.Key, batchRows))
	}
	ids = append(ids, l.ids...)
	l.ids = slices.DeleteFunc(ids, func(id string) bool { return batchRows+id == rows[0].Key })
}

// lookup returns the answer about a batch to a key, which must be free to see
// all that the batch may tell of.
func (l *batchLog) lookup(key *keyring.Grant, id string) ([]byte, error) {
	unknown := &problem{code: codeBatchNotFound, detail: "no batch with this id is remembered"}
	if !strings.HasPrefix(id, batchPrefix) || len(id) != len(batchPrefix)+26 {
		return nil, unknown
	}
	answer, err := l.engine.Row(batchRows + id)
	if errors.Is(err, engine.ErrNotFound) {
		return nil, unknown
	}
	if err == nil && !sees(key, answer) {
		return nil, unknown
	}
	return answer, err
}

// sees tells whether a key may see the answer about a batch, which tells ids
// of records in all indexes of the batch, whatever is in the records.
func sees(key *keyring.Grant, answer []byte) bool {
	if len(key.Filters) > 0 {
		return false
	}
	if len(key.Indexes) == 0 {
		return true
	}
	var batch struct {
		Indexes []string `json:"indexes"`
	}
	if json.Unmarshal(answer, &batch) != nil || batch.Indexes == nil {
		return false
	}
	return !slices.ContainsFunc(batch.Indexes, func(name string) bool { return !key.Allows(name) })
}
