package httpapi

import (
	"encoding/binary"
	"math"
	"strconv"

	"github.com/quarry-search/quarry/engine"
)

// semantic reads "auto", "off", false, or an object with the weight of the
// meaning beside the words.
func (p *searchParser) semantic(v value) {
	switch v.raw.Kind() {
	case 'f':
		p.Semantic.Off = true
		return
	case '"':
		p.Semantic.Off = p.oneOf(v, "auto", "off") == 1
		return
	}
	if !p.want(v, `"f{`, `"auto", "off", false or an object`) {
		return
	}
	p.object(v, []member{
		{"weight", func(v value) {
			if w := 0.0; p.number(v, 0, 10, &w) {
				p.Semantic.Off, p.Semantic.Weight = w == 0, w
			}
		}},
		{"field", func(v value) { p.str(v, &p.Semantic.Field) }},
		{"hybrid", func(v value) {
			if h := 0.0; p.number(v, 0, 1, &h) {
				if p.Semantic.Hybrid = h; h == 0 {
					p.Semantic.Hybrid = -1
				}
			}
		}},
		{"nearest", func(v value) {
			if n := int64(0); p.integer(v, 0, maxNearest, engine.CodeLimitExceeded, &n) {
				if p.Semantic.Nearest = int(n); n == 0 {
					p.Semantic.Nearest = -1
				}
			}
		}},
	})
}

// maxNearest is how many of the nearest records a search may ask for.
const maxNearest = 1000

// vector reads the vector of a search.
func (p *searchParser) vector(v value) {
	if !p.want(v, "[", "a list of numbers") {
		return
	}
	i := 0
	v.eachElement(func(e value) {
		if i++; i > maxDimensions {
			return
		}
		if x := 0.0; p.number(e, -math.MaxFloat32, math.MaxFloat32, &x) {
			p.Vector = append(p.Vector, float32(x))
		}
	})
	switch {
	case i == 0:
		p.at(v.at, engine.CodeInvalidRequest, "must have numbers")
	case i > maxDimensions:
		p.at(v.at, engine.CodeLimitExceeded, "has %d numbers; a vector has at most %d", i, maxDimensions)
	}
}

// semanticIdentity is the part of wordIdentity about the meaning.
func (q *searchRequest) semanticIdentity(b []byte) []byte {
	b = strconv.AppendBool(b, q.Semantic.Off)
	b = binary.AppendUvarint(b, math.Float64bits(q.Semantic.Weight))
	b = appendString(b, q.Semantic.Field)
	b = binary.AppendUvarint(b, math.Float64bits(q.Semantic.Hybrid))
	b = binary.AppendVarint(b, int64(q.Semantic.Nearest))
	b = binary.AppendUvarint(b, uint64(len(q.Vector)))
	for _, x := range q.Vector {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

// semantic writes how hits were ranked by meaning, or null.
func (w *jsonWriter) semantic(s *engine.SemanticInfo) {
	w.key("semantic")
	if s == nil {
		w.null()
		return
	}
	w.open('{')
	w.floatAt("weight", s.Weight)
	if s.Field != "" {
		w.textAt("field", s.Field)
		w.floatAt("hybrid", s.Hybrid)
		w.integerAt("nearest", int64(s.Nearest))
	}
	if s.Failed {
		w.booleanAt("failed", true)
	}
	w.close('}')
}
