package httpapi

import (
	"bytes"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/quarry-search/quarry/engine"
	"github.com/quarry-search/quarry/httpapi/internal/keyring"
)

// This file and wiresearch.go hold the shapes of all answers. Members come in the order of the
// documentation; those that say nothing in a given answer are left out only
// where the documentation says so.

func appendProblem(dst []byte, p *problem, requestID string) []byte {
	w := jsonWriter{buf: dst}
	w.open('{')
	w.textAt("type", p.typeURI())
	w.textAt("title", codes[p.code].title)
	w.integerAt("status", int64(p.status()))
	w.textAt("code", p.code)
	w.textAt("detail", p.detail)
	w.textAt("request_id", requestID)
	if len(p.policies) > 0 {
		w.textsAt("violated-policies", p.policies)
	}
	if len(p.holder) > 0 {
		w.textsAt("indexes", p.holder)
	}
	if p.batch != nil {
		w.key("batch")
		w.raw(appendBatch(nil, p.batch))
	}
	faults := p.faults
	if len(faults) == 0 && p.status() == 422 { // of which clients expect a list
		faults = []fault{{code: p.code, detail: p.detail, position: -1}}
	}
	if len(faults) > 0 {
		w.key("errors")
		w.faults(faults)
	}
	w.close('}')
	return w.buf
}

func (w *jsonWriter) faults(list []fault) {
	w.open('[')
	for _, f := range list {
		w.open('{')
		if f.position >= 0 {
			w.integerAt("position", int64(f.position))
		}
		if f.parameter != "" {
			w.textAt("parameter", f.parameter)
		} else {
			w.textAt("pointer", f.pointer)
		}
		w.textAt("code", f.code)
		w.textAt("detail", f.detail)
		if f.column > 0 {
			w.integerAt("column", int64(f.column))
		}
		if f.graphQL != "" {
			w.graphFault(&f)
		}
		w.close('}')
	}
	w.close(']')
}

func appendIndexes(dst []byte, list []engine.IndexInfo, total int, cursor string) []byte {
	w := jsonWriter{buf: dst}
	w.open('{')
	w.key("indexes")
	w.open('[')
	for i := range list {
		w.index(&list[i])
	}
	w.close(']')
	w.integerAt("total", int64(total))
	w.textOrNullAt("next_cursor", cursor)
	w.close('}')
	return w.buf
}

func appendIndex(dst []byte, info *engine.IndexInfo) []byte {
	w := jsonWriter{buf: dst}
	w.index(info)
	return w.buf
}

func (w *jsonWriter) index(info *engine.IndexInfo) {
	s := &info.Schema
	w.open('{')
	w.textAt("name", info.Name)
	w.booleanAt("visible", !s.Hidden)
	w.integerAt("records", info.Records)
	w.integerAt("bytes", info.Bytes)
	w.textAt("state", info.State)
	w.integerAt("version", int64(info.Version))
	w.textAt("primary_key", primaryKey(s))
	w.textAt("language", language(s))
	w.booleanAt("dynamic", s.Dynamic)
	w.textAt("semantic", s.Semantic.String())
	thesaurus := "on"
	if s.NoThesaurus {
		thesaurus = "off"
	}
	w.textAt("thesaurus", thesaurus)
	w.integerAt("learnt_from", info.LearntFrom)
	if len(info.Embedded) > 0 {
		w.key("embedded")
		w.open('[')
		for _, f := range info.Embedded {
			w.open('{')
			w.textAt("field", f.Field)
			w.integerAt("pending", f.Pending)
			w.close('}')
		}
		w.close(']')
	}
	w.key("created_at")
	w.time(info.CreatedAt)
	w.key("updated_at")
	w.time(info.UpdatedAt)
	w.key("fields")
	w.open('[')
	for i := range s.Fields {
		w.field(&s.Fields[i])
	}
	w.close(']')
	if presets := s.Notes[presetsNote]; presets != "" {
		w.key("presets")
		w.raw([]byte(presets))
	}
	w.words(s)
	w.intentSettings(&s.Intent)
	if info.Rebuild != nil {
		w.key("rebuild")
		w.rebuild(info.Rebuild)
	}
	w.close('}')
}

// field writes a field so that reading it as a schema gives the same field:
// what is left out is the default.
func (w *jsonWriter) field(f *engine.Field) {
	w.open('{')
	w.textAt("name", f.Name)
	w.textAt("type", f.Type.String())
	if f.Type == engine.Text {
		w.booleanAt("search", f.Search)
	}
	for _, on := range [...]struct {
		name string
		set  bool
	}{{"filter", f.Filter}, {"facet", f.Facet}, {"sort", f.Sort}} {
		if on.set {
			w.booleanAt(on.name, true)
		}
	}
	if f.Weight != 0 {
		w.floatAt("weight", f.Weight)
	}
	if f.B != nil {
		w.floatAt("b", *f.B)
	}
	if f.Language != "" {
		w.textAt("language", f.Language)
	}
	if f.Analyzer != "" {
		w.textAt("analyzer", f.Analyzer)
	}
	if f.Type == engine.Vector {
		w.integerAt("dimensions", int64(f.Dimensions))
		w.textAt("metric", f.Metric.String())
	}
	if f.Embedder != "" {
		w.textAt("embedder", f.Embedder)
	}
	if len(f.From) > 0 {
		w.key("from")
		w.open('[')
		for _, name := range f.From {
			w.text(name)
		}
		w.close(']')
	}
	w.close('}')
}

func primaryKey(s *engine.Schema) string {
	if s.PrimaryKey == "" {
		return "id"
	}
	return s.PrimaryKey
}

func language(s *engine.Schema) string {
	if s.Language == "" {
		return "en"
	}
	return s.Language
}

// batchOutcome is what a batch did: the answer to it and what is kept of it.
type batchOutcome struct {
	id        string
	key       string // id of the API key that sent it; not in answers
	state     string // see states
	atomic    bool
	version   uint64 // 0 as long as nothing is applied
	put       int
	patched   int
	deleted   int
	failed    int
	ids       []string        // by operation; nil where there were too many
	created   []string        // indexes
	indexes   []string        // written to
	wrote     map[string]bool // the same; see wroteTo
	faults    []fault         // of the operations that failed
	took      time.Duration
	createdAt time.Time
	appliedAt time.Time // zero as long as it is queued
	progress  *batchProgress
}

// States of a batch.
const (
	stateQueued    = "queued"
	stateRunning   = "running"
	stateApplied   = "applied"
	stateFailed    = "failed" // also of a streamed batch that broke off
	stateCancelled = "cancelled"
)

// batchProgress counts the operations of a batch that went through the queue.
type batchProgress struct{ done, total int }

func appendBatch(dst []byte, b *batchOutcome) []byte {
	w := jsonWriter{buf: dst}
	w.open('{')
	w.textAt("id", b.id)
	w.textAt("state", b.state)
	w.booleanAt("atomic", b.atomic)
	w.integerAt("version", int64(b.version))
	w.key("counts")
	w.open('{')
	w.integerAt("put", int64(b.put))
	w.integerAt("patched", int64(b.patched))
	w.integerAt("deleted", int64(b.deleted))
	w.integerAt("failed", int64(b.failed))
	w.close('}')
	w.key("ids")
	if b.ids == nil {
		w.null()
	} else {
		w.open('[')
		for _, id := range b.ids {
			if id == "" {
				w.null()
			} else {
				w.text(id)
			}
		}
		w.close(']')
	}
	w.textsAt("indexes", b.indexes)
	w.textsAt("indexes_created", b.created)
	if len(b.faults) > 0 {
		w.key("errors")
		w.faults(b.faults)
	}
	w.key("took_ms")
	w.millis(b.took)
	w.key("created_at")
	w.time(b.createdAt)
	w.key("applied_at")
	if b.appliedAt.IsZero() {
		w.null()
	} else {
		w.time(b.appliedAt)
	}
	if p := b.progress; p != nil {
		w.key("progress")
		w.open('{')
		w.integerAt("done", int64(p.done))
		w.integerAt("total", int64(p.total))
		w.close('}')
	}
	w.close('}')
	return w.buf
}

// appendWritten is the answer to a put or patch of one record.
func appendWritten(dst []byte, index, id string, version uint64) []byte {
	w := jsonWriter{buf: dst}
	w.open('{')
	w.textAt("id", id)
	w.textAt("index", index)
	w.integerAt("version", int64(version))
	w.close('}')
	return w.buf
}

func appendRecord(dst []byte, r *engine.Record) []byte {
	w := jsonWriter{buf: dst}
	w.open('{')
	w.textAt("id", r.ID)
	w.textAt("index", r.Index)
	w.integerAt("version", int64(r.Version))
	w.key("record")
	w.raw(r.JSON)
	w.close('}')
	return w.buf
}

// appendLine writes a record in one line of NDJSON.
func appendLine(dst []byte, record []byte) []byte {
	if bytes.ContainsAny(record, "\n\r") {
		line := jsontext.Value(bytes.Clone(record))
		if line.Compact() == nil {
			record = line
		}
	}
	return append(append(dst, record...), '\n')
}

func appendLimits(dst []byte, l *Limits, e *engine.Limits) []byte {
	w := jsonWriter{buf: dst}
	w.open('{')
	for _, limit := range [...]struct {
		name  string
		value int64
	}{
		{"query_bytes", int64(e.QueryBytes)},
		{"query_terms", int64(e.QueryTerms)},
		{"filter_operators", int64(e.FilterOps)},
		{"filter_depth", int64(e.FilterDepth)},
		{"hits", int64(e.Hits)},
		{"window", int64(e.Window)},
		{"facets", int64(e.Facets)},
		{"facet_values", int64(e.FacetValues)},
		{"prefix_terms", int64(e.PrefixTerms)},
		{"record_bytes", int64(e.RecordBytes)},
		{"record_depth", int64(e.RecordDepth)},
		{"record_id_bytes", maxRecordID},
		{"keyword_bytes", int64(e.KeywordBytes)},
		{"batch_operations", int64(e.BatchOps)},
		{"indexes", int64(e.Indexes)},
		{"index_fields", int64(e.IndexFields)},
		{"json_depth", maxJSONDepth},
		{"search_body_bytes", l.SearchBytes},
		{"settings_body_bytes", l.SchemaBytes},
		{"body_bytes", l.BodyBytes},
		{"stream_bytes", l.StreamBytes},
		{"chunk_bytes", l.ChunkBytes},
		{"bodies_in_memory_bytes", l.InFlightBytes},
		{"connections", int64(l.Connections)},
		{"searches_at_a_time", int64(l.Searches)},
		{"keys", int64(l.Keys)},
		{"key_requests_per_second", keyring.DefaultRate.PerSecond},
		{"key_burst", keyring.DefaultRate.Burst},
		{"tenant_token_bytes", keyring.MaxToken},
		{"batches_kept", int64(l.BatchesKept)},
		{"queued_batches", int64(l.QueuedBatches)},
		{"queued_bytes", l.QueuedBytes},
		{"webhooks", int64(l.Webhooks)},
		{"webhook_backlog", int64(l.WebhookBacklog)},
		{"webhook_history", int64(l.WebhookHistory)},
		{"body_timeout_ms", l.BodyTimeout.Milliseconds()},
		{"body_bytes_per_second", l.BodyRate},
		{"search_timeout_ms", l.SearchTimeout.Milliseconds()},
		{"write_timeout_ms", l.WriteTimeout.Milliseconds()},
		{"graphql_bytes", int64(graphLimits.Bytes)},
		{"graphql_tokens", int64(graphLimits.Tokens)},
		{"graphql_depth", int64(graphLimits.Depth)},
		{"graphql_aliases", int64(graphLimits.Aliases)},
		{"graphql_root_fields", int64(graphLimits.RootFields)},
		{"graphql_fields", int64(graphLimits.Selections)},
		{"graphql_cost", int64(graphLimits.Cost)},
	} {
		w.integerAt(limit.name, limit.value)
	}
	w.close('}')
	return w.buf
}
