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
	p.object(v, []member{{"weight", func(v value) {
		if w := 0.0; p.number(v, 0, 10, &w) {
			p.Semantic = engine.SemanticRequest{Off: w == 0, Weight: w}
		}
	}}})
}

// semanticIdentity is the part of wordIdentity about the meaning.
func (q *searchRequest) semanticIdentity(b []byte) []byte {
	b = strconv.AppendBool(b, q.Semantic.Off)
	return binary.AppendUvarint(b, math.Float64bits(q.Semantic.Weight))
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
	w.close('}')
}
