package httpapi

import (
	"encoding/binary"
	"math"
	"strconv"

	"github.com/quarry-search/quarry/engine"
)

// typo reads "auto", "off", or an object with the letters that words need and
// the fields that are left alone.
func (p *searchParser) typo(v value) {
	if v.raw.Kind() == '"' {
		p.Typo.Off = p.oneOf(v, "auto", "off") == 1
		return
	}
	if !p.want(v, `"{`, `"auto", "off" or an object`) {
		return
	}
	letters := func(to *int) func(value) {
		return func(v value) {
			var n int64
			if p.integer(v, 1, math.MaxInt32, engine.CodeInvalidRequest, &n) {
				*to = int(n)
			}
		}
	}
	p.object(v, []member{
		{"min1", letters(&p.Typo.Min1)},
		{"min2", letters(&p.Typo.Min2)},
		{"off_fields", func(v value) { p.strings(v, &p.Typo.OffFields) }},
	})
}

// off reads a switch: true or false, or one of two words of which the second
// is off.
func (p *searchParser) off(on string, to *bool) func(value) {
	return func(v value) {
		switch v.raw.Kind() {
		case 't', 'f':
			*to = v.raw.Kind() == 'f'
		default:
			*to = p.oneOf(v, on, "off") == 1
		}
	}
}

// stage reads the switch of a stage of the ranking: true or false, on or off.
func (p *searchParser) stage(v value, to *float64) {
	var off bool
	if p.off("on", &off)(v); off {
		*to = -1
	}
}

// pin reads a list of record ids and of objects with one.
func (p *searchParser) pin(v value) {
	if !p.want(v, "[", "a list of record ids and objects") {
		return
	}
	v.eachElement(func(e value) {
		p.Pin = append(p.Pin, p.onePin(e, p.oneIndex))
	})
	if len(p.Pin) > maxPins {
		p.at(v.at, engine.CodeLimitExceeded, "there may be %d pins", maxPins)
	}
}

// The limits of the engine for a search. They are applied here, too, so that a
// preset beyond them is refused when it is set and not when it is used.
const (
	maxPins   = 100
	maxHidden = 1_000
)

// hide reads the ids of records to leave out.
func (p *searchParser) hide(v value) {
	p.recordIDs(v, &p.Hide)
	if len(p.Hide) > maxHidden {
		p.at(v.at, engine.CodeLimitExceeded, "there may be %d hidden records", maxHidden)
	}
}

// oneIndex reads the name of an index, which the key has to be allowed to use.
func (p *searchParser) oneIndex(v value, to *string) {
	if p.str(v, to) && p.key != nil && !p.key.Allows(*to) {
		p.at(v.at, codeForbiddenIndex, forbiddenIndex)
	}
}

// onePin reads a record id, or an object with an id, a position, and an index
// if index, which reads it, is not nil.
func (d *reader) onePin(v value, index func(value, *string)) (pin engine.Pin) {
	if v.raw.Kind() != '{' {
		if d.want(v, `"0{`, "a record id or an object") {
			d.recordID(v, &pin.ID)
		}
		return pin
	}
	before := d.total
	members := []member{
		{"id", func(v value) { d.recordID(v, &pin.ID) }},
		{"position", func(v value) {
			var n int64
			if d.integer(v, 1, math.MaxInt32, engine.CodeInvalidRequest, &n) {
				pin.Position = int(n)
			}
		}},
	}
	if index != nil {
		members = append(members, member{"index", func(v value) { index(v, &pin.Index) }})
	}
	d.object(v, members)
	if pin.ID == "" && d.total == before {
		d.at(v.at, engine.CodeInvalidRequest, "a pin needs an id")
	}
	return pin
}

// recordIDs reads a list of record ids.
func (d *reader) recordIDs(v value, to *[]string) {
	if !d.want(v, "[", "a list of record ids") {
		return
	}
	v.eachElement(func(e value) {
		id := ""
		d.recordID(e, &id)
		*to = append(*to, id)
	})
}

func (p *searchParser) similar(v value) {
	like := &engine.Similar{}
	before := p.total
	if p.object(v, []member{
		{"id", func(v value) { p.recordID(v, &like.ID) }},
		{"index", func(v value) { p.oneIndex(v, &like.Index) }},
	}) && like.ID == "" && p.total == before {
		p.at(v.at, engine.CodeInvalidRequest, "names no record")
	}
	p.Similar = like
}

// wordIdentity is what of the request's words decides which records match and
// in which order.
func (q *searchRequest) wordIdentity(b []byte) []byte {
	for _, on := range [...]bool{q.Typo.Off, q.NoSynonyms, q.NoStopWords, q.Similar != nil} {
		b = strconv.AppendBool(b, on)
	}
	for _, stage := range [...]float64{q.Tuning.Compound, q.Tuning.Negation, q.Tuning.Title, q.Tuning.Proximity, q.Tuning.Passage, q.Tuning.Coverage, q.Tuning.Character, q.Tuning.Answer, q.Tuning.Family, q.Tuning.Thesaurus} {
		b = strconv.AppendBool(b, stage < 0)
	}
	b = binary.AppendUvarint(b, uint64(q.Typo.Min1))
	b = binary.AppendUvarint(b, uint64(q.Typo.Min2))
	b = appendStrings(b, q.Typo.OffFields)
	b = appendString(b, q.Language)
	b = q.semanticIdentity(b)
	if q.Similar != nil {
		b = appendStrings(b, []string{q.Similar.ID, q.Similar.Index})
	}
	b = binary.AppendUvarint(b, uint64(len(q.Pin)))
	for _, pin := range q.Pin {
		b = appendStrings(b, []string{pin.ID, pin.Index})
		b = binary.AppendUvarint(b, uint64(pin.Position))
	}
	return appendStrings(b, q.Hide)
}

func appendStrings(b []byte, list []string) []byte {
	b = binary.AppendUvarint(b, uint64(len(list)))
	for _, s := range list {
		b = appendString(b, s)
	}
	return b
}
