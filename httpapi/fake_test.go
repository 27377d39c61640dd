package httpapi

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/quarry-search/quarry/engine"
	"github.com/quarry-search/quarry/engine/query"
)

// memEngine is an Engine that keeps records in maps. A search finds the
// records that hold the text of the query anywhere, ordered by index and id.
// It checks records as far as the tests need: the value of a field "price" must
// be a number.
type memEngine struct {
	mu      sync.Mutex
	version uint64
	indexes map[string]*memIndex
	rows    map[string][]byte
	sick    error
	// before, when not nil, is called before every method with its name, and by
	// Apply also as "commit" when everything is prepared and as "committed"
	// when it is done; its error is the method's.
	before func(ctx context.Context, method string) error
}

type memIndex struct {
	info    engine.IndexInfo
	records map[string]engine.Record
}

var testLimits = engine.Limits{
	RecordBytes: 1 << 20, RecordDepth: 32, BatchOps: 100_000, BatchBytes: 64 << 20, IndexFields: 1000, Indexes: 1000,
	QueryBytes: 4096, QueryTerms: 64, FilterOps: 1000, FilterDepth: 64, Hits: 1000, Window: 10_000, Facets: 32,
	FacetValues: 1000, PrefixTerms: 65_536, KeywordBytes: 32_766,
}

func newMemEngine() *memEngine {
	return &memEngine{indexes: map[string]*memIndex{}, rows: map[string][]byte{}}
}

func (e *memEngine) enter(ctx context.Context, method string) error {
	if e.before == nil {
		return nil
	}
	return e.before(ctx, method)
}

func (e *memEngine) Limits() engine.Limits { return testLimits }

func (e *memEngine) Healthy() error { return e.sick }

func problems(list ...engine.Problem) error {
	return &engine.InvalidError{Problems: list, Total: len(list)}
}

func (e *memEngine) Apply(ctx context.Context, b *engine.Batch) (*engine.BatchResult, error) {
	if err := e.enter(ctx, "Apply"); err != nil {
		return nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	next := map[string]*memIndex{}
	for name, x := range e.indexes {
		next[name] = &memIndex{info: x.info, records: maps.Clone(x.records)}
	}
	res := &engine.BatchResult{Version: e.version + 1}
	for i, op := range b.Ops {
		id, p := e.applyOp(next, &op, res)
		if p != nil {
			p.Position = i
			res.Failed++
			res.Errors = append(res.Errors, *p)
			id = ""
		}
		res.IDs = append(res.IDs, id)
	}
	if len(res.Errors) > 0 && !b.Partial {
		return nil, problems(res.Errors...)
	}
	rows := b.Rows
	if b.Finish != nil {
		rows = slices.Concat(rows, b.Finish(res))
	}
	if err := e.enter(ctx, "commit"); err != nil {
		return nil, err
	}
	for _, row := range rows {
		e.putRow(row)
	}
	e.version++
	e.indexes = next
	if err := e.enter(ctx, "committed"); err != nil {
		return nil, err
	}
	return res, nil
}

func (e *memEngine) applyOp(next map[string]*memIndex, op *engine.Op, res *engine.BatchResult) (string, *engine.Problem) {
	x := next[op.Index]
	if x == nil {
		if op.Kind == engine.OpPatch {
			return "", &engine.Problem{Code: engine.CodeIndexNotFound, Pointer: "/index", Detail: "there is no such index"}
		}
		if op.Kind == engine.OpDelete || op.Kind == engine.OpDeleteWhere {
			return op.ID, nil
		}
		x = e.newIndex(op.Index, engine.Schema{Dynamic: true})
		next[op.Index] = x
		res.IndexesCreated = append(res.IndexesCreated, op.Index)
	}
	members := map[string]jsontext.Value{}
	if op.Record != nil {
		if err := json.Unmarshal(op.Record, &members); err != nil {
			return "", &engine.Problem{Code: engine.CodeMalformedJSON, Detail: "not JSON"}
		}
	}
	if price, ok := members["price"]; ok && price.Kind() != '0' {
		return "", &engine.Problem{Code: engine.CodeInvalidFieldType, Pointer: "/record/price", Detail: "must be a number"}
	}
	key := primaryKey(&x.info.Schema)
	id := op.ID
	if own, ok := members[key]; ok {
		if text := strings.Trim(string(own), `"`); id != "" && id != text {
			return "", &engine.Problem{Code: engine.CodeInvalidRequest, Pointer: "/record/" + key, Detail: "the record's id differs"}
		} else {
			id = text
		}
	}
	if id == "" && op.Kind != engine.OpDeleteWhere {
		id = fmt.Sprintf("made-%d", len(x.records)+1)
	}
	old, exists := x.records[id]
	if op.IfVersion != nil && *op.IfVersion != old.Version {
		return "", &engine.Problem{Code: engine.CodeVersionMismatch, Pointer: "/if_version", Detail: "has another version"}
	}
	switch op.Kind {
	case engine.OpPutNew:
		if exists {
			return "", &engine.Problem{Code: engine.CodeRecordExists, Detail: "the record exists"}
		}
		fallthrough
	case engine.OpPut:
		res.Put++
		x.records[id] = engine.Record{Index: op.Index, ID: id, JSON: bytes.Clone(op.Record), Version: res.Version}
	case engine.OpPatch:
		if !exists {
			return "", &engine.Problem{Code: engine.CodeRecordNotFound, Pointer: "/id", Detail: "there is no such record"}
		}
		merged := map[string]jsontext.Value{}
		json.Unmarshal(old.JSON, &merged)
		maps.Copy(merged, members)
		old.JSON, _ = json.Marshal(merged, json.Deterministic(true))
		old.Version = res.Version
		x.records[id] = old
		res.Patched++
	case engine.OpDelete:
		if exists {
			delete(x.records, id)
			res.Deleted++
		}
	case engine.OpDeleteWhere:
		if _, err := query.ParseFilter(op.Filter, query.Limits{}); err != nil {
			q := err.(*query.Error)
			return "", &engine.Problem{Code: q.Code, Pointer: "/filter", Column: q.Column, Detail: q.Detail}
		}
		res.Deleted += len(x.records)
		clear(x.records)
	}
	x.info.Records = int64(len(x.records))
	x.info.Version = res.Version
	return id, nil
}

func (e *memEngine) newIndex(name string, s engine.Schema) *memIndex {
	at := time.Date(2026, 11, 21, 13, 0, 0, 0, time.UTC)
	info := engine.IndexInfo{Name: name, State: "ready", CreatedAt: at, UpdatedAt: at, Schema: s}
	return &memIndex{info: info, records: map[string]engine.Record{}}
}

func (e *memEngine) Search(ctx context.Context, r *engine.Request) (*engine.Result, error) {
	if err := e.enter(ctx, "Search"); err != nil {
		return nil, err
	}
	if _, err := query.ParseFilter(r.Filter, query.Limits{}); r.Filter != "" && err != nil {
		q := err.(*query.Error)
		return nil, problems(engine.Problem{Code: q.Code, Pointer: "/filter", Position: -1, Column: q.Column, Detail: q.Detail})
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, name := range r.Indexes {
		if e.indexes[name] == nil && !strings.Contains(name, "*") {
			return nil, fmt.Errorf("index %q: %w", name, engine.ErrNotFound)
		}
	}
	res := &engine.Result{TotalExact: true, Version: e.version, Took: 1234567, Query: engine.QueryInfo{Text: r.Query}}
	var all []engine.Hit
	for name, x := range e.indexes {
		if len(r.Indexes) > 0 && !slices.Contains(r.Indexes, name) || len(r.Indexes) == 0 && x.info.Schema.Hidden {
			continue
		}
		for _, rec := range x.records {
			if strings.Contains(string(rec.JSON), r.Query) {
				all = append(all, engine.Hit{Index: name, ID: rec.ID, Score: 1.5, Record: rec.JSON, Version: rec.Version})
			}
		}
	}
	slices.SortFunc(all, func(a, b engine.Hit) int {
		return cmp.Or(cmp.Compare(a.Index, b.Index), cmp.Compare(a.ID, b.ID))
	})
	res.Total = int64(len(all))
	limit := r.Limit
	if limit == 0 {
		limit = 20
	}
	for i, h := range all {
		if r.After != nil && cmp.Or(cmp.Compare(h.Index, r.After.Index), cmp.Compare(h.ID, r.After.ID)) <= 0 || i < r.Offset {
			continue
		}
		if len(res.Hits) >= limit {
			if limit > 0 {
				last := res.Hits[len(res.Hits)-1]
				res.Next = &engine.Position{Index: last.Index, ID: last.ID, Score: 7}
			}
			break
		}
		if r.Highlight != nil {
			h.Highlight = []engine.Highlight{{Field: "title", Text: "<mark>a</mark>", Matches: [][2]int{{0, 1}}}}
		}
		if r.Explain {
			h.Explain = &engine.Explanation{Score: 1.5, Parts: []engine.ScorePart{{Field: "title", Term: "a", From: "A", TF: 1, DF: 2, IDF: 0.5, Norm: 1, Weight: 1, Penalty: 0.5, Score: 1.5}}}
		}
		res.Hits = append(res.Hits, h)
	}
	res.Facets = map[string]engine.Facet{}
	for _, f := range r.Facets {
		facet := engine.Facet{Exact: true, Values: []engine.FacetValue{{Value: "x", Count: 2}, {Value: int64(3), Count: 1}}}
		for _, r := range f.Ranges {
			facet.Ranges = append(facet.Ranges, engine.RangeCount{FacetRange: r, Count: 1})
			facet.Stats = &engine.FacetStats{Min: 1, Max: 2, Avg: 1.5, Sum: 3, Count: 2}
		}
		res.Facets[f.Field] = facet
	}
	return res, nil
}

func (e *memEngine) Indexes() []engine.IndexInfo {
	e.mu.Lock()
	defer e.mu.Unlock()
	var list []engine.IndexInfo
	for _, name := range slices.Sorted(maps.Keys(e.indexes)) {
		list = append(list, e.indexes[name].info)
	}
	return list
}

func (e *memEngine) Index(name string) (engine.IndexInfo, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if x := e.indexes[name]; x != nil {
		return x.info, nil
	}
	return engine.IndexInfo{}, engine.ErrNotFound
}

func (e *memEngine) CreateIndex(ctx context.Context, name string, s engine.Schema, rows ...engine.Row) (engine.IndexInfo, error) {
	if err := e.enter(ctx, "CreateIndex"); err != nil {
		return engine.IndexInfo{}, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.indexes[name] != nil {
		return engine.IndexInfo{}, engine.ErrIndexExists
	}
	e.version++
	e.indexes[name] = e.newIndex(name, s)
	return e.indexes[name].info, nil
}

func (e *memEngine) StartUpdate(ctx context.Context, name string, s engine.Schema, rows ...engine.Row) (engine.IndexInfo, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	x := e.indexes[name]
	if x == nil {
		return engine.IndexInfo{}, engine.ErrNotFound
	}
	x.info.Schema = s
	return x.info, nil
}

func (e *memEngine) CancelUpdate(ctx context.Context, name string, rows ...engine.Row) (bool, error) {
	return false, errors.ErrUnsupported
}

func (e *memEngine) Rebuild(ctx context.Context, name string, finish func(string, error) []engine.Row) (engine.IndexInfo, error) {
	return e.Index(name)
}

func (e *memEngine) SwapIndexes(ctx context.Context, a, b string, rows ...engine.Row) (uint64, error) {
	return 0, errors.ErrUnsupported
}

func (e *memEngine) Snapshot() (*engine.Snapshot, error) { return nil, errors.ErrUnsupported }

func (e *memEngine) WaitVersion(ctx context.Context, version uint64) error { return nil }

func (e *memEngine) DeleteIndex(ctx context.Context, name string, rows ...engine.Row) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.indexes[name] == nil {
		return engine.ErrNotFound
	}
	delete(e.indexes, name)
	return nil
}

func (e *memEngine) Record(ctx context.Context, index, id string, restrict ...string) (engine.Record, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if x := e.indexes[index]; x != nil {
		if rec, ok := x.records[id]; ok {
			return rec, nil
		}
	}
	return engine.Record{}, engine.ErrNotFound
}

func (e *memEngine) Records(ctx context.Context, index string, o engine.RecordsOptions) iter.Seq2[engine.Record, error] {
	e.mu.Lock()
	defer e.mu.Unlock()
	var list []engine.Record
	if x := e.indexes[index]; x != nil {
		for _, id := range slices.Sorted(maps.Keys(x.records)) {
			if id > o.After {
				list = append(list, x.records[id])
			}
		}
	}
	return func(yield func(engine.Record, error) bool) {
		for _, rec := range list {
			if err := e.enter(ctx, "Records"); err != nil {
				yield(engine.Record{}, err)
				return
			}
			if !yield(rec, nil) {
				return
			}
		}
	}
}

func (e *memEngine) Holders(ctx context.Context, id string, indexes []string, restrict ...string) ([]string, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	var names []string
	for _, name := range slices.Sorted(maps.Keys(e.indexes)) {
		x := e.indexes[name]
		if _, ok := x.records[id]; ok && (slices.Contains(indexes, name) || indexes == nil && !x.info.Schema.Hidden) {
			names = append(names, name)
		}
	}
	return names, nil
}

func (e *memEngine) Row(key string) ([]byte, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if v, ok := e.rows[key]; ok {
		return v, nil
	}
	return nil, engine.ErrNotFound
}

func (e *memEngine) Rows(prefix string) iter.Seq2[engine.Row, error] {
	e.mu.Lock()
	defer e.mu.Unlock()
	var list []engine.Row
	for _, key := range slices.Sorted(maps.Keys(e.rows)) {
		if strings.HasPrefix(key, prefix) {
			list = append(list, engine.Row{Key: key, Value: e.rows[key]})
		}
	}
	return func(yield func(engine.Row, error) bool) {
		for _, row := range list {
			if !yield(row, nil) {
				return
			}
		}
	}
}

func (e *memEngine) PutRows(ctx context.Context, rows []engine.Row) error {
	if err := e.enter(ctx, "PutRows"); err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, row := range rows {
		e.putRow(row)
	}
	return nil
}

func (e *memEngine) putRow(row engine.Row) {
	if row.Value == nil {
		delete(e.rows, row.Key)
		return
	}
	e.rows[row.Key] = bytes.Clone(row.Value)
}
