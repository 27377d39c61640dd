package engine

import (
	"fmt"
	"iter"
	"math"
	"strings"

	"github.com/quarry-search/quarry/engine/internal/vector"
)

// Metric is what makes two vectors near.
type Metric uint8

// Metrics.
const (
	Cosine Metric = iota // of the angle between them; lengths do not matter
	Dot                  // their inner product
)

var metricNames = [...]string{Cosine: "cosine", Dot: "dot"}

// String is the name of the metric in schemas: "cosine" or "dot".
func (m Metric) String() string {
	if int(m) < len(metricNames) {
		return metricNames[m]
	}
	return fmt.Sprintf("metric(%d)", uint8(m))
}

const (
	// maxDimensions bounds a vector: the largest that embedding models in common
	// use give.
	maxDimensions = 4096
	// maxVectorFields bounds the fields of an index that are vectors.
	maxVectorFields = 8
	// maxFrom bounds Field.From.
	maxFrom = 32
)

// vectorFields yields the ordinals of the Vector fields.
func (s *Schema) vectorFields() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range s.Fields {
			if s.Fields[i].Type == Vector && !yield(i) {
				return
			}
		}
	}
}

// embedder returns the ordinal of the first Vector field with an embedder, or -1.
func (s *Schema) embedder() int {
	for i := range s.vectorFields() {
		if s.Fields[i].Embedder != "" {
			return i
		}
	}
	return -1
}

// embeds tells whether the engine makes the vectors of records itself.
func (f *Field) embeds() bool { return f.Type == Vector && len(f.From) > 0 }

func (s *Schema) countVectors(p *problems) {
	n := 0
	for range s.vectorFields() {
		n++
	}
	if n > maxVectorFields {
		p.addf(CodeLimitExceeded, "/fields", "%d vector fields; an index may have %d", n, maxVectorFields)
	}
}

// validateVector reports what is wrong with what a field says about vectors.
func (s *Schema) validateVector(f *Field, at func(string) string, p *problems) {
	if f.Type != Vector {
		for _, c := range [...]struct {
			name string
			set  bool
		}{{"dimensions", f.Dimensions != 0}, {"metric", f.Metric != Cosine}, {"embedder", f.Embedder != ""}, {"from", len(f.From) > 0}} {
			if c.set {
				p.addf(CodeInvalidRequest, at(c.name), "only vector fields have this")
			}
		}
		return
	}
	if f.Dimensions < 1 || f.Dimensions > maxDimensions {
		p.addf(CodeInvalidRequest, at("dimensions"), "a vector field has 1 to %d dimensions", maxDimensions)
	}
	if f.Metric > Dot {
		p.addf(CodeInvalidRequest, at("metric"), "unknown metric; known are cosine, dot")
	}
	if f.exact() {
		p.addf(CodeInvalidRequest, at("filter"), "a vector is searched by nearness, and has no filter, facet or sort")
	}
	if len(f.From) > 0 && f.Embedder == "" {
		p.addf(CodeInvalidRequest, at("embedder"), "from needs an embedder that makes vectors of its fields")
	}
	if len(f.From) > maxFrom {
		p.addf(CodeLimitExceeded, at("from"), "%d fields; a vector may be of %d", len(f.From), maxFrom)
		return
	}
	for j, name := range f.From {
		i := s.Field(name)
		switch {
		case i < 0:
			p.addf(CodeUnknownField, fmt.Sprintf("%s/%d", at("from"), j), "there is no field %q", name)
		case s.Fields[i].Type != Text && s.Fields[i].Type != Keyword:
			p.addf(CodeInvalidRequest, fmt.Sprintf("%s/%d", at("from"), j), "vectors are made of text and keyword fields; %q is %s", name, article(s.Fields[i].Type))
		}
	}
}

// fieldVector is the vector of a field as it is stored.
type fieldVector struct {
	field int
	data  vector.Vector
}

// givenRow is a vector of a record while it is being read. Only as many numbers
// are kept as there may be.
type givenRow struct {
	field int
	list  string // pointer to the list
	count int
	row   []float32
	bad   bool // there is a problem already
}

// element takes one number of a Vector field.
func (a *analysis) element(field int, at pointer, v scalar, p *problems) {
	f := &a.schema.Fields[field]
	row := a.rowOf(field)
	if row.bad {
		return
	}
	problem := func(code, pointer, format string, args ...any) {
		row.bad = true
		p.addf(code, pointer, format, args...)
	}
	if f.embeds() {
		problem(CodeInvalidFieldType, listOf(at()), "the vectors of %q are made of other fields of the record; leave it out", f.Name)
		return
	}
	dec := a.walker.dec
	kind, n := dec.StackIndex(dec.StackDepth())
	outer, _ := dec.StackIndex(dec.StackDepth() - 1)
	switch {
	case v.kind != scalarInt && v.kind != scalarFloat:
		problem(CodeInvalidFieldType, at(), "the field %q is a list of %d numbers, and %s is none", f.Name, f.Dimensions, v.kind)
		return
	case kind != '[' || outer == '[' || int(n) != row.count+1:
		problem(CodeInvalidFieldType, at(), "the field %q is one list of %d numbers", f.Name, f.Dimensions)
		return
	case math.Abs(v.f) > math.MaxFloat32:
		problem(CodeInvalidFieldType, at(), "numbers of vectors are between -3.4e38 and 3.4e38")
		return
	}
	if row.count == 0 {
		row.list = listOf(at())
	}
	if row.count++; row.count <= f.Dimensions {
		row.row = append(row.row, float32(v.f))
	}
}

// listOf is the pointer to the list that an element is in.
func listOf(element string) string {
	parent := element[:max(0, strings.LastIndexByte(element, '/'))]
	if last := element[len(parent):]; strings.Trim(last, "/0123456789") != "" {
		return element // it is in none
	}
	return parent
}

func (a *analysis) rowOf(field int) *givenRow {
	for i := range a.rows {
		if a.rows[i].field == field {
			return &a.rows[i]
		}
	}
	if len(a.rows) < cap(a.rows) {
		a.rows = a.rows[:len(a.rows)+1]
	} else {
		a.rows = append(a.rows, givenRow{})
	}
	r := &a.rows[len(a.rows)-1]
	*r = givenRow{field: field, row: r.row[:0]}
	return r
}

// givenVectors checks the vectors of a record that was read, and returns them
// as they are stored.
func (a *analysis) givenVectors(p *problems) (out []fieldVector) {
	for i := range a.rows {
		r := &a.rows[i]
		f := &a.schema.Fields[r.field]
		switch {
		case r.bad:
			continue
		case r.count != f.Dimensions:
			p.addf(CodeInvalidFieldType, r.list, "the vector has %d numbers; %q takes %d", r.count, f.Name, f.Dimensions)
			continue
		}
		if problem := f.rowProblem(r.row); problem != "" {
			p.addf(CodeInvalidFieldType, r.list, "%s", problem)
			continue
		}
		out = append(out, fieldVector{r.field, f.quantize(r.row)})
	}
	return out
}

// rowProblem says why a row of the right length is no vector of the field, or
// "".
func (f *Field) rowProblem(row []float32) string {
	zero := true
	for _, x := range row {
		if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
			return "numbers of vectors are finite"
		}
		zero = zero && x == 0
	}
	if zero && f.Metric == Cosine {
		return "a vector of zeros has no direction to compare"
	}
	return ""
}

func (f *Field) quantize(row []float32) vector.Vector {
	return vector.AppendRow(make([]byte, 0, vector.RowSize(len(row))), row, f.Metric == Cosine)
}

// vectorsIn returns the vectors that a stored record gives, for checking.
func vectorsIn(record []byte, c *compiled) ([]fieldVector, error) {
	a := &analysis{schema: c, limits: Limits{}.orDefaults().forStored(), fixed: true, known: len(c.Fields)}
	var p problems
	err := a.walker.walk(record, a.limits, func(path []byte, at pointer, v scalar) error {
		if i, ok := c.byName[string(path)]; ok && c.Fields[i].Type == Vector && v.kind != scalarNull {
			a.element(i, at, v, &p)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	out := a.givenVectors(&p)
	return out, p.orNil()
}
