package httpapi

import (
	"errors"
	"slices"
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

	mu     sync.Mutex
	ids    []string        // in the order of their making
	queued map[string]bool // those in the queue, which are not forgotten
}

func openBatchLog(e Engine, most int) (*batchLog, error) {
	l := &batchLog{engine: e, most: most, queued: map[string]bool{}}
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
	rows := []engine.Row{outcomeRow(out, answer)}
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := 0; i < len(l.ids) && len(l.ids) >= l.most; {
		if l.queued[l.ids[i]] {
			i++
			continue
		}
		rows = append(rows, engine.Row{Key: batchRows + l.ids[i]})
		if i == 0 { // nearly always
			l.ids = l.ids[1:]
		} else {
			l.ids = slices.Delete(l.ids, i, i+1)
		}
	}
	l.ids = append(l.ids, out.id)
	if out.state == stateQueued {
		l.queued[out.id] = true
	}
	return rows
}

// outcomeRow is the row that writes an outcome down, whose answer is given.
func outcomeRow(out *batchOutcome, answer []byte) engine.Row {
	if len(out.ids) > keptIDs {
		short := *out
		short.ids = nil
		answer = appendBatch(nil, &short)
	}
	return engine.Row{Key: batchRows + out.id, Value: answer}
}

// setQueued notes whether a batch that is remembered is in the queue.
func (l *batchLog) setQueued(id string, queued bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if queued {
		l.queued[id] = true
	} else {
		delete(l.queued, id)
	}
}

// before returns the ids of the newest batches whose ids sort before the given
// one, "" for all, newest first; and how many are remembered in all.
func (l *batchLog) before(id string, most int) (ids []string, more bool, total int) {
	l.mu.Lock()
	all := slices.Clone(l.ids)
	l.mu.Unlock()
	slices.Sort(all)
	end := len(all)
	if id != "" {
		end, _ = slices.BinarySearch(all, id)
	}
	ids = all[max(0, end-most):end]
	slices.Reverse(ids)
	return ids, end > most, len(all)
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
	delete(l.queued, strings.TrimPrefix(rows[0].Key, batchRows))
	l.ids = slices.DeleteFunc(ids, func(id string) bool { return batchRows+id == rows[0].Key })
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
