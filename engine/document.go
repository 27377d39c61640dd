package engine

import (
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/quarry-search/quarry/engine/internal/page"
	"github.com/quarry-search/quarry/engine/internal/segment"
	"github.com/quarry-search/quarry/tokenize"
)

// positionGap separates the values of a list of texts, so that no phrase
// reaches from one into the next.
const positionGap = 100

// maxIDBytes bounds a record id.
const maxIDBytes = 512

// document is a record taken apart.
type document struct {
	id      string
	hasID   bool
	json    []byte // as it will be stored, with its id
	lengths []uint32
	columns []page.ColumnValues
	vectors []fieldVector
	version uint64 // of the batch that wrote it first; 0: the one at hand
}

// analysis turns the records of one batch for one index into postings and
// columns. It is used by one goroutine.
type analysis struct {
	schema  *compiled // grows when the schema is dynamic
	grown   bool
	growing bool // schema is that of the record at hand, which adds fields to it; see ownSchema
	fixed   bool // the schema stays as it is, and only its first known fields are looked at
	known   int
	stored  bool // the records were stored before, perhaps when more was taken
	limits  Limits
	walker  walker
	streams []*tokenize.Stream // by textField.id
	writer  *segment.Writer
	docs    int // documents in writer

	// of the document at hand
	lengths   []uint32
	positions []uint32
	columns   []page.ColumnValues
	columnOf  []int // [2 * field ordinal, + 1 for the second column] = index in columns + 1
	touched   []int
	values    []textValue
	textBytes []byte
	rows      []givenRow // of the vector fields that the record has

	// what documents keep lies in pieces of these, a few allocations a batch
	docRoom    []document
	lengthRoom []uint32
	columnRoom []page.ColumnValues
	valueRoom  []page.Value
	byteRoom   []byte
}

// roomFor is how many values a piece of memory of an analysis is made for, at
// most, and roomBytes how many bytes: pieces grow from firstRoom on, so that one
// record does not pay for many.
const (
	firstRoom = 4
	roomFor   = 256
	roomBytes = 8 << 10
)

// carve copies values into room, which it renews, for at most most of them or
// these, when they do not fit.
func carve[T any](room *[]T, most int, values ...T) []T {
	if len(values) == 0 {
		return nil
	}
	if cap(*room)-len(*room) < len(values) {
		*room = make([]T, 0, max(firstRoom, min(most, 2*cap(*room)), len(values)))
	}
	from := len(*room)
	*room = append(*room, values...)
	return (*room)[from:len(*room):len(*room)]
}

// textValue is a text to be analyzed once the record is known to be valid.
type textValue struct{ field, from, to int }

func (e *Engine) newAnalysis(schema *compiled, l Limits) *analysis {
	return &analysis{schema: schema, limits: l, writer: e.scratch.inverter(len(schema.text))}
}

// add analyzes a record and adds it to the writer as the next local document.
// What is wrong with the record goes to p, with pointers relative to it; the
// record is then not added. id, when not empty, is the id that the caller
// insists on.
func (a *analysis) add(record []byte, id string, p *problems) (*document, bool) {
	if len(record) > a.limits.RecordBytes {
		p.addf(CodeRecordTooLarge, "", "the record has %d bytes; the limit is %d", len(record), a.limits.RecordBytes)
		return nil, false
	}
	schema, grown := a.schema, a.grown
	d, ok := a.read(record, id, p)
	if !ok {
		a.schema, a.grown, a.growing = schema, grown, false // a record that is refused adds no fields
		return nil, false
	}
	a.compile()
	a.writer.Grow(len(a.schema.text))
	a.index()
	d.lengths = carve(&a.lengthRoom, roomFor, a.lengths...)
	d.columns = carve(&a.columnRoom, roomFor, a.columns...)
	a.docs++
	return d, true
}

// read walks the record once: it finds the id, checks every value against the
// schema, collects columns and remembers texts.
func (a *analysis) read(record []byte, id string, p *problems) (*document, bool) {
	before := p.err.Total
	d := &carve(&a.docRoom, roomFor, document{id: id})[0]
	pk := a.schema.primaryKey()
	for _, f := range a.touched {
		a.columnOf[f] = 0
	}
	a.touched, a.values, a.textBytes = a.touched[:0], a.values[:0], a.textBytes[:0]
	a.columns, a.rows = a.columns[:0], a.rows[:0]
	a.walker.whole = a.isPlace
	err := a.walker.walk(record, a.limits, func(path []byte, at pointer, v scalar) error {
		switch {
		case string(path) == pk:
			a.readID(d, at, v, p)
		case v.kind == scalarFloat && math.IsInf(v.f, 0):
			p.addf(CodeInvalidFieldType, at(), "the number is beyond the range of 64-bit floats")
		default:
			a.field(path, at, v, p)
		}
		return nil
	})
	if err != nil {
		code := CodeMalformedJSON
		if err == errNotObject {
			code = CodeInvalidRequest
		}
		p.addf(code, "", "%s", err)
		return nil, false
	}
	d.vectors = a.givenVectors(p)
	a.checkWords(p)
	if p.err.Total == before && !d.hasID {
		noOtherID(record, pk, p)
	}
	if p.err.Total > before {
		return nil, false
	}
	d.json = record
	return d, true
}

// field takes one value of one field.
func (a *analysis) field(path []byte, at pointer, v scalar, p *problems) {
	if v.kind == scalarNull {
		return
	}
	i, ok := a.schema.byName[string(path)]
	if a.fixed && (!ok || i >= a.known) {
		return
	}
	if !ok {
		if !a.schema.Dynamic || inJSONField(a.schema, path) {
			return
		}
		if i, ok = a.grow(inferred(string(path), v), at, p); !ok {
			return
		}
	}
	f := &a.schema.Fields[i]
	if f.Type == Vector {
		a.element(i, at, v, p)
		return
	}
	if f.Type == Geo {
		a.place(i, at, v, p)
		return
	}
	if f.Type == Int && v.kind == scalarFloat && a.schema.Dynamic && a.schema.isInferred(i) {
		a.widen(i)
		f = &a.schema.Fields[i]
	}
	value, ok := convert(f, v)
	if f.Type == Date && !a.fixed && !a.stored {
		if wrong := dateBeyond(v, value, ok); wrong != "" {
			p.addf(CodeInvalidFieldType, at(), "the field %q: %s", f.Name, wrong)
			return
		}
	}
	switch {
	case ok:
	case f.Type == Int && v.kind == scalarFloat:
		p.addf(CodeInvalidFieldType, at(), "the field %q is an int: a whole number of 64 bits", f.Name)
		return
	case f.Type == Date && v.kind != scalarBool:
		p.addf(CodeInvalidFieldType, at(), "the field %q takes %s; this is none of them", f.Name, dateForms)
		return
	default:
		p.addf(CodeInvalidFieldType, at(), "the field %q is %s, not %s", f.Name, article(f.Type), v.kind)
		return
	}
	if f.Type == JSON {
		return
	}
	if a.schema.textOf[i] >= 0 {
		from := len(a.textBytes)
		a.textBytes = append(a.textBytes, value.Str...)
		a.values = append(a.values, textValue{i, from, len(a.textBytes)})
	}
	if !f.exact() {
		return
	}
	if value.Kind == page.KindKeyword {
		if f.Type == Keyword && len(value.Str) > a.limits.KeywordBytes {
			p.addf(CodeLimitExceeded, at(), "the value has %d bytes; a keyword may have %d", len(value.Str), a.limits.KeywordBytes)
			return
		}
		value.Str = carve(&a.byteRoom, roomBytes, exactValue(value.Str)...)
	}
	a.column(i, value)
}

// column adds a value to the document's column of field i.
func (a *analysis) column(i int, v page.Value) {
	for len(a.columnOf) < 2*len(a.schema.Fields) {
		a.columnOf = append(a.columnOf, 0)
	}
	at, number := 2*i, uint16(i)
	if v.Kind == page.KindFloat && a.schema.Fields[i].widened {
		at, number = at+1, number|floatColumns
	}
	if a.columnOf[at] == 0 {
		a.columns = append(a.columns, page.ColumnValues{Field: number, Kind: v.Kind, Values: carve(&a.valueRoom, roomFor, v)})
		a.columnOf[at] = len(a.columns)
		a.touched = append(a.touched, at)
		return
	}
	c := &a.columns[a.columnOf[at]-1]
	c.Values = append(c.Values, v)
}

// dateBeyond tells what is wrong with a date that is outside the years 0 to
// 9999. value is what convert made of v, if ok.
func dateBeyond(v scalar, value page.Value, ok bool) string {
	switch {
	case v.kind == scalarInt || v.kind == scalarFloat:
		return beyondSeconds(v.f)
	case ok:
		return beyondDates(value.Int, false)
	}
	return ""
}

// convert makes a column value of a JSON value, if the field's type takes it.
func convert(f *Field, v scalar) (page.Value, bool) {
	switch f.Type {
	case Text, Keyword:
		switch v.kind {
		case scalarString:
			return page.Value{Kind: page.KindKeyword, Str: v.str}, true
		case scalarInt:
			return page.Value{Kind: page.KindKeyword, Str: strconv.AppendInt(nil, v.i, 10)}, true
		case scalarFloat:
			return page.Value{Kind: page.KindKeyword, Str: strconv.AppendFloat(nil, v.f, 'g', -1, 64)}, true
		case scalarBool:
			return page.Value{Kind: page.KindKeyword, Str: strconv.AppendBool(nil, v.b)}, true
		}
	case Int:
		if n, ok := v.integer(); ok {
			return page.Value{Kind: page.KindInt, Int: n}, true
		}
	case Float:
		if v.kind == scalarInt && f.widened {
			return page.Value{Kind: page.KindInt, Int: v.i}, true
		}
		if v.kind == scalarInt || v.kind == scalarFloat {
			return page.Value{Kind: page.KindFloat, Float: v.f}, true
		}
	case Bool:
		if v.kind == scalarBool {
			n := int64(0)
			if v.b {
				n = 1
			}
			return page.Value{Kind: page.KindBool, Int: n}, true
		}
	case Date:
		switch v.kind {
		case scalarString:
			if t, ok := parseDate(string(v.str)); ok {
				return page.Value{Kind: page.KindDate, Int: t}, true
			}
		case scalarInt:
			if v.i > -1<<43 && v.i < 1<<43 {
				return page.Value{Kind: page.KindDate, Int: v.i * 1e6}, true
			}
		case scalarFloat:
			if v.f > -1<<43 && v.f < 1<<43 {
				return page.Value{Kind: page.KindDate, Int: int64(math.Round(v.f * 1e6))}, true
			}
		}
	case JSON:
		return page.Value{}, true
	}
	return page.Value{}, false
}

func article(t Type) string {
	if t == Vector {
		return "a list of numbers"
	}
	return articled(t.String())
}

func articled(noun string) string {
	if noun == "int" {
		return "an " + noun
	}
	return "a " + noun
}

// inJSONField tells whether a path lies within a field that is only stored.
func inJSONField(c *compiled, path []byte) bool {
	for i, b := range path {
		if b == '.' {
			if f, ok := c.byName[string(path[:i])]; ok && c.Fields[f].Type == JSON {
				return true
			}
		}
	}
	return false
}

// grow appends a field to the schema.
func (a *analysis) grow(f Field, at pointer, p *problems) (int, bool) {
	if len(a.schema.Fields) >= a.limits.IndexFields {
		p.addf(CodeLimitExceeded, at(), "an index may have %d fields; what need not be searched can be in one of type json, or the schema not dynamic", a.limits.IndexFields)
		return 0, false
	}
	if f.Search && len(a.schema.text) >= segment.MaxTextFields {
		p.addf(CodeLimitExceeded, at(), "an index may have %d fields that are searched; what need not be can be in one of type json, or the schema not dynamic", segment.MaxTextFields)
		return 0, false
	}
	if !validFieldName(f.Name) {
		p.addf(CodeInvalidRequest, at(), "a field name is 1 to 256 bytes of valid UTF-8 without control characters")
		return 0, false
	}
	s := a.ownSchema()
	f.inferred, f.rules = true, s.rulesOf(&f, nil)
	if err := s.add(f); err != nil { // an inferred field names no language or analyzer of its own
		return 0, false
	}
	return len(s.Fields) - 1, true
}

// widen turns an inferred int field into a float field.
func (a *analysis) widen(i int) {
	f := &a.ownSchema().Fields[i]
	f.Type, f.widened = Float, true
}

// ownSchema returns the schema to be changed for the record at hand. What is made of all fields is
// not until all of them are there, since a record may have hundreds.
func (a *analysis) ownSchema() *compiled {
	if !a.growing {
		c := *a.schema
		c.Schema = *a.schema.Schema.clone()
		c.byName, c.text, c.textOf = maps.Clone(c.byName), slices.Clone(c.text), slices.Clone(c.textOf)
		a.schema, a.grown, a.growing = &c, true, true
	}
	return a.schema
}

// compile makes of a schema that the record at hand has changed one that others may have.
func (a *analysis) compile() {
	if !a.growing {
		return
	}
	if c, err := compile(&a.schema.Schema, a.schema, nil); err == nil { // it has all analyzers
		a.schema = c
	}
	a.growing = false
}

func (s *Schema) isInferred(i int) bool { return s.Fields[i].inferred }

// longValue is the length from which a value of a filtered field is kept as
// its beginning and a hash, which is enough to compare it with another.
const longValue = 1024

// orderedValue is the longest text that values are compared with by order or by
// their beginning: what stands behind it in a long value is not kept.
const orderedValue = longValue - 2*hashBytes

// hashBytes is how much of the hash of a long value is kept, in hexadecimal.
const hashBytes = 16

// exactValue is the form of a string that filters compare: it, where it is short.
func exactValue(s []byte) []byte {
	if len(s) <= longValue {
		return s
	}
	return hashedValue(s)
}

// index passes the texts and exact values of the document to the writer.
func (a *analysis) index() {
	doc, terms := uint32(a.docs), 0
	n := len(a.schema.text)
	a.lengths = append(a.lengths[:0], make([]uint32, n)...)
	a.positions = append(a.positions[:0], make([]uint32, n)...)
	for _, v := range a.values {
		t := a.schema.textOf[v.field]
		stream := a.stream(&a.schema.text[t])
		stream.Reset(a.textBytes[v.from:v.to])
		base, last := a.positions[t], -1
		for {
			tok, ok := stream.Next()
			if !ok {
				break
			}
			a.writer.Text(doc, tok.Term, t, base+uint32(tok.Position))
			terms++
			if string(tok.Word) != string(tok.Term) {
				a.writer.Word(doc, tok.Word, t)
			}
			if tok.Position != last {
				last = tok.Position
				if !tok.Stop {
					a.lengths[t]++ // filler does not make a text longer
				}
			}
		}
		if last >= 0 {
			a.lengths[t] = max(a.lengths[t], 1)
		}
		a.positions[t] = base + uint32(last+1) + positionGap
	}
	for _, c := range a.columns {
		if c.Kind != page.KindKeyword {
			continue
		}
		if f := &a.schema.Fields[c.Field]; !f.Filter && !f.Facet {
			continue
		}
		for _, v := range c.Values {
			a.writer.Value(doc, int(c.Field), v.Str)
			terms++
		}
	}
	if terms == 0 {
		// A segment's documents are those that hold a term.
		a.writer.Value(doc, emptyField, nil)
	}
}

// emptyField is the number of no field: its one value, the empty string,
// belongs to the documents without any term.
const emptyField = 1<<16 - 3

// versionField is the number of no field: its column holds the versions of the
// documents' records.
const versionField = 1<<16 - 4

func (a *analysis) stream(t *textField) *tokenize.Stream {
	for len(a.streams) <= t.id {
		a.streams = append(a.streams, nil)
	}
	if a.streams[t.id] == nil {
		a.streams[t.id] = t.analyzer.TakeStream()
	}
	return a.streams[t.id]
}

// rest gives back what only the analysis of further records needs.
func (a *analysis) rest() {
	for i, s := range a.streams {
		if s != nil {
			a.streams[i] = nil
			s.GiveBack()
		}
	}
}
