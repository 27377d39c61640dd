package engine

import (
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// readID takes the record's own id, which must agree with one that the caller
// gave.
func (a *analysis) readID(d *document, at pointer, v scalar, p *problems) {
	var own string
	switch v.kind {
	case scalarString:
		own = string(v.str)
	case scalarInt:
		own = strconv.FormatInt(v.i, 10)
	case scalarNull:
		return
	case scalarFloat:
		p.addf(CodeInvalidFieldType, at(), "an id is a string or an integer of 64 bits, not another number; in quotes any number can be one")
		return
	default:
		p.addf(CodeInvalidFieldType, at(), "an id is a string or an integer, not %s", v.kind)
		return
	}
	if dec := a.walker.dec; d.hasID || inArray(dec) {
		p.addf(CodeInvalidFieldType, at(), "an id is one value, not a list")
		return
	}
	if problem := idProblem(own); problem != "" {
		p.addf(CodeInvalidRequest, at(), "%s", problem)
		return
	}
	if d.id != "" && d.id != own {
		p.addf(CodeInvalidRequest, at(), "the record's id differs from the id that it is written under")
		return
	}
	d.id, d.hasID = own, true
}

func inArray(d *jsontext.Decoder) bool {
	kind, _ := d.StackIndex(d.StackDepth())
	return kind == '['
}

// noOtherID reports an id that is an object or an empty list. The record holds
// no id otherwise.
func noOtherID(record []byte, primaryKey string, p *problems) {
	members, err := splitObject(record)
	if err != nil {
		return
	}
	for _, m := range members {
		if m.name == primaryKey && string(m.value) != "null" {
			at := jsontext.Pointer("").AppendToken(m.name)
			p.addf(CodeInvalidFieldType, string(at), "an id is a string or an integer, not an object or a list")
		}
	}
}

// idProblem says why a string cannot be a record id, or "".
func idProblem(id string) string {
	switch {
	case id == "":
		return "an id has at least one character"
	case len(id) > maxIDBytes:
		return fmt.Sprintf("the id has %d bytes; the limit is %d", len(id), maxIDBytes)
	case id == "." || id == "..":
		return `"." and ".." cannot be ids`
	case !utf8.ValidString(id):
		return "an id is valid UTF-8"
	}
	for _, r := range id {
		if r < 0x20 || r == 0x7f || (r >= 0x80 && r < 0xa0) {
			return "an id has no control characters"
		}
	}
	return ""
}
