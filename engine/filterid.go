package engine

import (
	"strconv"

	"github.com/quarry-search/quarry/engine/internal/search"
	"github.com/quarry-search/quarry/engine/query"
)

// The id is no field: no column and no posting list has it. Conditions on it,
// which name it as the primary key does, are answered by the map of ids.

// id binds a node that is about the ids of records; ok is false for others.
func (b *binder) id(n query.Node) (c *condition, ok bool) {
	if !b.isID(fieldOf(n)) {
		return nil, false
	}
	switch n := n.(type) {
	case query.Compare:
		switch n.Op {
		case query.OpEqual:
			return b.ids(n.Value), true
		case query.OpNotEqual:
			return &condition{op: condNot, kids: []*condition{b.ids(n.Value)}}, true
		}
	case query.In:
		return b.ids(n.Values...), true
	case query.Exists:
		return &condition{op: condAll}, true
	}
	b.fail(CodeInvalidFilter, "%q is the id of records, which is compared by =, != and IN, and not by order, beginning or place", fieldOf(n))
	return nil, true
}

// isID tells whether a name stands for the id. No field has the same one.
func (b *binder) isID(name string) bool { return name != "" && name == b.schema.primaryKey() }

// ids is the condition of having one of some ids. What cannot be an id is none.
func (b *binder) ids(values ...query.Value) *condition {
	c := &condition{op: condID}
	for _, v := range values {
		id := v.Str
		switch {
		case v.Kind == query.KindInt:
			id = strconv.FormatInt(v.Int, 10)
		case v.Kind == query.KindBool, v.Kind == query.KindFloat && !v.BeyondInt():
			b.fail(CodeInvalidFilter, "%q is the id of records, a text or an integer, and cannot be compared with %s", b.schema.primaryKey(), articled(v.Kind.String()))
			continue
		}
		if idProblem(id) == "" {
			c.ids = append(c.ids, id)
		}
	}
	return c
}

// withIDs returns the documents, among others of other slots, whose ids a
// condition names; nil for none.
func (s *filterSet) withIDs(c *condition, seg, slot int) (*search.Page, error) {
	set := s.ids[c]
	if set == nil {
		var docs []uint32
		for _, id := range c.ids {
			doc, ok, err := s.run.docOf(s.run.kv, id)
			if err != nil {
				return nil, err
			}
			if ok {
				docs = append(docs, doc)
			}
		}
		set = s.run.documentSet(docs)
		if s.ids == nil {
			s.ids = map[*condition]func(seg, slot int) *search.Page{}
		}
		s.ids[c] = set
	}
	return set(seg, slot), nil
}
