package httpapi

import (
	"math/big"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/quarry-search/quarry/engine"
	"github.com/quarry-search/quarry/engine/query"
)

func appendSearch(dst []byte, q *searchRequest, res *engine.Result, cursor string) []byte {
	w := jsonWriter{buf: dst}
	w.open('{')
	w.key("hits")
	w.open('[')
	for i := range res.Hits {
		w.hit(q, &res.Hits[i])
	}
	w.close(']')
	w.integerAt("total", res.Total)
	w.booleanAt("total_exact", res.TotalExact)
	if res.TimedOut {
		w.booleanAt("timed_out", true)
	}
	w.integerAt("limit", q.limit)
	w.integerAt("offset", int64(q.Offset))
	w.textOrNullAt("next_cursor", cursor)
	if len(q.Facets) > 0 {
		w.key("facets")
		w.open('{')
		for _, f := range q.Facets {
			if facet, ok := res.Facets[f.Field]; ok {
				w.facet(f, &facet)
			}
		}
		w.close('}')
	}
	w.queryInfo(&res.Query)
	w.integerAt("version", int64(res.Version))
	w.key("took_ms")
	w.millis(res.Took)
	w.close('}')
	return w.buf
}

func (w *jsonWriter) hit(q *searchRequest, h *engine.Hit) {
	w.open('{')
	w.textAt("id", h.ID)
	w.textAt("index", h.Index)
	w.floatAt("score", h.Score)
	if !q.NoRecord {
		w.key("record")
		if q.Members == nil {
			w.raw(h.Record)
		} else {
			w.project(h.Record, q.Members)
		}
	}
	if q.Highlight != nil {
		w.key("highlight")
		w.open('{')
		for _, m := range h.Highlight {
			w.keyText(m.Field)
			w.highlight(&m)
		}
		w.close('}')
	}
	if h.Pinned {
		w.booleanAt("pinned", true)
	}
	if h.Explain != nil {
		w.explanation(h.Explain, q.confined())
	}
	w.distances(h.Geo)
	if h.Group != nil {
		w.group(q, h.Group)
	}
	w.close('}')
}

func (w *jsonWriter) highlight(m *engine.Highlight) {
	w.open('{')
	w.textAt("text", m.Text)
	w.integerAt("start", int64(m.Start))
	w.integerAt("item", int64(m.Item))
	w.key("matches")
	w.open('[')
	for _, at := range m.Matches {
		w.open('[')
		w.integer(int64(at[0]))
		w.integer(int64(at[1]))
		w.close(']')
	}
	w.close(']')
	if len(m.More) > 0 {
		w.key("more")
		w.open('[')
		for i := range m.More {
			w.highlight(&m.More[i])
		}
		w.close(']')
	}
	w.close('}')
}

// explanation writes how a score came about. How many records hold a term is
// left out where some of them must not be known of.
func (w *jsonWriter) explanation(e *engine.Explanation, confined bool) {
	w.key("explain")
	w.open('{')
	w.floatAt("score", e.Score)
	w.textAt("formula", "sum")
	w.key("parts")
	w.open('[')
	for _, p := range e.Parts {
		w.open('{')
		if p.Stage != "" {
			w.textAt("stage", p.Stage)
		}
		if p.Similarity != nil {
			w.floatAt("similarity", *p.Similarity)
		} else if p.Stage == engine.StageVector {
			w.key("similarity")
			w.null()
		}
		w.textAt("field", p.Field)
		w.textAt("term", p.Term)
		if p.From != "" {
			w.textAt("from", p.From)
		}
		if p.Edits > 0 {
			w.integerAt("edits", int64(p.Edits))
		}
		w.integerAt("tf", int64(p.TF))
		if !confined && p.Stage == "" {
			w.integerAt("df", p.DF)
			w.floatAt("idf", p.IDF)
		}
		w.floatAt("norm", p.Norm)
		w.floatAt("weight", p.Weight)
		if p.Penalty != 1 {
			w.floatAt("penalty", p.Penalty)
		}
		w.floatAt("score", p.Score)
		w.close('}')
	}
	w.close(']')
	w.close('}')
}

func (w *jsonWriter) facet(req engine.FacetRequest, f *engine.Facet) {
	w.keyText(req.Field)
	w.open('{')
	if len(req.Ranges) > 0 {
		w.key("ranges")
		w.open('[')
		for _, r := range f.Ranges {
			w.open('{')
			w.bound("from", r.From, r.FromValue)
			w.bound("to", r.To, r.ToValue)
			w.integerAt("count", r.Count)
			w.close('}')
		}
		w.close(']')
	} else if !req.Stats {
		w.key("values")
		w.open('[')
		for _, v := range f.Values {
			w.open('{')
			w.key("value")
			w.any(v.Value)
			w.integerAt("count", v.Count)
			w.close('}')
		}
		w.close(']')
		w.integerAt("other", f.Other)
	}
	w.integerAt("missing", f.Missing)
	if s := f.Stats; s != nil {
		w.key("stats")
		w.facetStats(s)
	}
	w.booleanAt("exact", f.Exact)
	w.close('}')
}

// facetStats writes the figures of integers as they are, and those of other
// numbers as the nearest floats.
func (w *jsonWriter) facetStats(s *engine.FacetStats) {
	w.open('{')
	switch {
	case s.Count == 0:
		for _, name := range [...]string{"min", "max", "avg"} {
			w.key(name)
			w.null()
		}
		w.integerAt("sum", 0)
	case s.Ints != nil:
		w.integerAt("min", s.Ints.Min)
		w.integerAt("max", s.Ints.Max)
		w.key("avg")
		if avg, rest := new(big.Int).QuoRem(s.Ints.Sum, big.NewInt(s.Count), new(big.Int)); rest.Sign() == 0 {
			w.raw(avg.Append(nil, 10))
		} else {
			w.float(s.Avg)
		}
		w.key("sum")
		w.raw(s.Ints.Sum.Append(nil, 10))
	default:
		w.floatAt("min", s.Min)
		w.floatAt("max", s.Max)
		w.floatAt("avg", s.Avg)
		w.floatAt("sum", s.Sum)
	}
	w.integerAt("count", s.Count)
	w.close('}')
}

// bound writes an end of a range as it was given.
func (w *jsonWriter) bound(name string, b *float64, exact query.Value) {
	w.key(name)
	switch {
	case exact.Kind == query.KindInt:
		w.integer(exact.Int)
	case exact.Kind != query.KindNull:
		w.text(exact.Str)
	case b == nil:
		w.null()
	default:
		w.float(*b)
	}
}

// any writes the value of a facet.
func (w *jsonWriter) any(v any) {
	switch v := v.(type) {
	case string:
		w.text(v)
	case int64:
		w.integer(v)
	case float64:
		w.float(v)
	case bool:
		w.boolean(v)
	default:
		w.null()
	}
}

func (w *jsonWriter) queryInfo(q *engine.QueryInfo) {
	w.key("query")
	w.open('{')
	w.textAt("text", q.Text)
	w.textsAt("filters_from_intent", q.FiltersFromIntent)
	w.understood(q.Intent)
	if len(q.SortFromIntent) > 0 {
		var keys []string
		for _, k := range q.SortFromIntent {
			direction := ":asc"
			if k.Desc {
				direction = ":desc"
			}
			keys = append(keys, k.Field+direction)
		}
		w.textsAt("sort_from_intent", keys)
	}
	w.key("corrections")
	w.corrections(q.Corrections)
	w.textOrNullAt("did_you_mean", q.DidYouMean)
	w.semantic(q.Semantic)
	for _, also := range [...]struct {
		name string
		list []engine.Correction
	}{{"compounds", q.Compounds}, {"thesaurus", q.Thesaurus}} {
		if len(also.list) > 0 {
			w.key(also.name)
			w.corrections(also.list)
		}
	}
	if len(q.Without) > 0 {
		w.textsAt("without", q.Without)
	}
	w.close('}')
}

// corrections writes words that were read as others.
func (w *jsonWriter) corrections(list []engine.Correction) {
	w.open('[')
	for _, c := range list {
		w.open('{')
		w.textAt("from", c.From)
		w.textAt("to", c.To)
		w.close('}')
	}
	w.close(']')
}

// project writes the parts of a record that paths lead to. A path leads
// through objects by dots, and through lists to all their elements.
func (w *jsonWriter) project(record []byte, paths []string) {
	w.open('{')
	eachMember(record, func(name string, raw jsontext.Value) {
		var below []string
		for _, p := range paths {
			if p == name {
				w.keyText(name)
				w.raw(raw)
				return
			}
			if len(p) > len(name) && p[len(name)] == '.' && p[:len(name)] == name {
				below = append(below, p[len(name)+1:])
			}
		}
		if kind := raw.Kind(); below != nil && (kind == '{' || kind == '[') {
			w.keyText(name)
			w.projectValue(raw, below)
		}
	})
	w.close('}')
}

func (w *jsonWriter) projectValue(raw jsontext.Value, paths []string) {
	if raw.Kind() == '{' {
		w.project(raw, paths)
		return
	}
	w.open('[')
	value{raw: raw}.eachElement(func(e value) {
		if kind := e.raw.Kind(); kind == '{' || kind == '[' {
			w.projectValue(e.raw, paths)
		}
	})
	w.close(']')
}
