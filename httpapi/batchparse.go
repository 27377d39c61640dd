package httpapi

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/quarry-search/quarry/engine"
	"github.com/quarry-search/quarry/engine/query"
	"github.com/quarry-search/quarry/httpapi/internal/keyring"
)

// batchParser reads the JSON body of a batch in one pass: bodies are large,
// and the engine reads the records once more.
type batchParser struct {
	reader
	key *keyring.Grant // whose batch it is; nil: anybody's
	batchRequest
	body  []byte
	dec   *jsontext.Decoder
	index string // for operations that name none
	most  int    // operations
	lists int    // how many of "operations" and "records" there are

	indexGiven bool
}

// parseBatch reads a batch that a key asks for and reports all that is wrong
// with its form.
func (s *Server) parseBatch(key *keyring.Grant, body []byte) (*batchRequest, error) {
	if tooDeep(body) {
		return nil, malformed("arrays and objects are nested deeper than %d", maxJSONDepth)
	}
	p := batchParser{key: key, body: body, most: s.engineMax.BatchOps, dec: jsontext.NewDecoder(bytes.NewBuffer(body))}
	p.atomic = true
	if p.dec.PeekKind() != '{' {
		if err := checkJSON(body); err != nil {
			return nil, err
		}
		return nil, invalidRequest("the body must be an object")
	}
	if err := p.members(p.member); errors.As(err, new(*problem)) {
		return nil, err
	} else if err != nil {
		return nil, syntaxError(err)
	}
	if _, err := p.dec.ReadToken(); err != io.EOF {
		return nil, malformed("there is more after the JSON value, from byte %d on", p.dec.InputOffset())
	}
	p.finish()
	if p.total > 0 {
		p.checkFilters(query.Limits{MaxOperators: s.engineMax.FilterOps, MaxDepth: s.engineMax.FilterDepth})
	}
	return &p.batchRequest, p.err()
}

func batchTooLarge(ops int) error {
	return &problem{code: codeBatchTooLarge, detail: "a batch has at most " + strconv.Itoa(ops) + " operations"}
}

// members reads the object that comes next and calls f with each name. f
// reads the value.
func (p *batchParser) members(f func(name string) error) error {
	if _, err := p.dec.ReadToken(); err != nil {
		return err
	}
	for p.dec.PeekKind() != '}' {
		name, err := p.dec.ReadToken()
		if err != nil {
			return err
		}
		if err := f(name.String()); err != nil {
			return err
		}
	}
	_, err := p.dec.ReadToken()
	return err
}

// value reads the value that comes next.
func (p *batchParser) value(at string) (value, error) {
	raw, err := p.dec.ReadValue()
	end := p.dec.InputOffset()
	return value{p.body[end-int64(len(raw)) : end : end], at}, err
}

func (p *batchParser) member(name string) error {
	at := value{}.child(name)
	switch name {
	case "operations", "records":
		p.lists++
		p.list = name
		if p.dec.PeekKind() == '[' {
			return p.elements(at, name == "records")
		}
	}
	v, err := p.value(at)
	if err != nil {
		return err
	}
	switch name {
	case "operations", "records":
		p.want(v, "[", "a list")
	case "index":
		p.indexGiven = true
		p.indexName(v, &p.index)
	case "atomic":
		p.boolean(v, &p.atomic)
	default:
		p.unknown(at, name, []member{{name: "index"}, {name: "operations"}, {name: "records"}, {name: "atomic"}})
	}
	return nil
}

// notIndexName is what is wrong with what should be the name of an index.
const notIndexName = "is not the name of an index, which has 1 to 64 of the characters a-z, 0-9, _ and -, and begins with a letter or digit"

func (p *batchParser) indexName(v value, to *string) {
	switch {
	case !p.str(v, to):
	case !engine.ValidIndexName(*to):
		p.at(v.at, engine.CodeInvalidRequest, notIndexName)
	case p.key != nil && !p.key.Allows(*to):
		p.at(v.at, codeForbiddenIndex, forbiddenIndex)
	}
}

// elements reads the list of operations or records.
func (p *batchParser) elements(at string, records bool) error {
	if _, err := p.dec.ReadToken(); err != nil {
		return err
	}
	for i := 0; p.dec.PeekKind() != ']'; i++ {
		if len(p.ops) == p.most { // the rest is not worth reading
			return batchTooLarge(p.most)
		}
		at := at + "/" + strconv.Itoa(i)
		if !records && p.dec.PeekKind() == '{' {
			if err := p.operation(at); err != nil {
				return err
			}
			continue
		}
		v, err := p.value(at)
		if err != nil {
			return err
		}
		if p.want(v, "{", "an object") {
			p.ops = append(p.ops, engine.Op{Kind: engine.OpPut, Record: v.raw})
		}
	}
	_, err := p.dec.ReadToken()
	return err
}

// Members of an operation, as bits.
const (
	hasID = 1 << iota
	hasRecord
	hasFilter
	hasVersion
)

// operations are the names of what an operation can do, in the order of
// engine.OpKind, with the members that each needs and may have.
var operations = [...]struct {
	name        string
	needs, mays int
}{
	engine.OpPut:         {"put", hasRecord, hasRecord | hasID | hasVersion},
	engine.OpPutNew:      {"put_new", hasRecord, hasRecord | hasID},
	engine.OpPatch:       {"patch", hasID | hasRecord, hasID | hasRecord | hasVersion},
	engine.OpDelete:      {"delete", hasID, hasID | hasVersion},
	engine.OpDeleteWhere: {"delete_where", hasFilter, hasFilter},
	engine.OpPatchWhere:  {"patch_where", hasFilter | hasRecord, hasFilter | hasRecord},
}

func operationNames() []string {
	names := make([]string, len(operations))
	for i, op := range operations {
		names[i] = op.name
	}
	return names
}

// operation reads one operation.
func (p *batchParser) operation(at string) error {
	var op engine.Op
	kind, has := -1, 0
	kindGiven := false
	err := p.members(func(name string) error {
		v, err := p.value(at + "/" + name)
		if err != nil {
			return err
		}
		switch name {
		case "op":
			kindGiven = true
			kind = p.oneOf(v, operationNames()...)
		case "index":
			p.indexName(v, &op.Index)
		case "id":
			has |= hasID
			p.recordID(v, &op.ID)
		case "record":
			has |= hasRecord
			p.want(v, "{", "an object")
			op.Record = v.raw
		case "filter":
			has |= hasFilter
			if p.str(v, &op.Filter) && op.Filter == "" {
				p.at(v.at, engine.CodeInvalidFilter, "is empty")
			}
		case "if_version":
			has |= hasVersion
			var n int64
			if p.integer(v, 0, math.MaxInt64, engine.CodeInvalidRequest, &n) {
				version := uint64(n)
				op.IfVersion = &version
			}
		default:
			v.at = value{at: at}.child(name)
			p.unknown(v.at, name, []member{{name: "op"}, {name: "index"}, {name: "id"}, {name: "record"}, {name: "filter"}, {name: "if_version"}})
		}
		return nil
	})
	if err != nil {
		return err
	}
	p.ops = append(p.ops, op)
	if kind < 0 {
		if !kindGiven {
			p.at(at, engine.CodeInvalidRequest, `"op" is missing; it is one of %s`, quotedList(operationNames()))
		}
		return nil
	}
	p.ops[len(p.ops)-1].Kind = engine.OpKind(kind)
	for i, member := range [...]string{"id", "record", "filter", "if_version"} {
		switch bit := 1 << i; {
		case has&bit == 0 && operations[kind].needs&bit != 0:
			p.at(at, engine.CodeInvalidRequest, "%q is missing in an operation %q", member, operations[kind].name)
		case has&bit != 0 && operations[kind].mays&bit == 0:
			p.at(at+"/"+member, engine.CodeInvalidRequest, "does not belong to an operation %q", operations[kind].name)
		}
	}
	return nil
}

// finish checks what concerns several members.
func (p *batchParser) finish() {
	switch p.lists {
	case 0:
		p.at("", engine.CodeInvalidRequest, `a batch has "operations" or "records"`)
	case 2:
		p.at("/records", engine.CodeInvalidRequest, `a batch has either "operations" or "records"`)
		return
	}
	if !p.indexGiven && p.list == "records" {
		p.at("", engine.CodeInvalidRequest, `"index" is missing`)
		return
	}
	for i := range p.ops {
		if op := &p.ops[i]; op.Index == "" {
			if op.Index = p.index; !p.indexGiven {
				p.at("/operations/"+strconv.Itoa(i), engine.CodeInvalidRequest, `"index" is missing, here and in the batch`)
			}
		}
	}
}

// checkFilters reports what is wrong with the form of filters in a batch that
// the engine does not get to see, as it has other faults.
func (p *batchParser) checkFilters(lim query.Limits) {
	for i := range p.ops {
		op := &p.ops[i]
		if op.Filter == "" || op.Kind != engine.OpDeleteWhere && op.Kind != engine.OpPatchWhere {
			continue
		}
		_, err := query.ParseFilter(op.Filter, lim)
		if e, ok := err.(*query.Error); ok {
			p.add(fault{code: e.Code, pointer: "/operations/" + strconv.Itoa(i) + "/filter", detail: e.Detail, column: e.Column, position: -1})
		}
	}
}
