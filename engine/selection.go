package engine

import (
	"sort"

	"github.com/quarry-search/quarry/engine/internal/posting"
)

// selection is the documents of an index that a filter and others that are
// imposed match. It evaluates them a page at a time, when the first document
// of the page is asked for. nil stands for all documents.
type selection struct {
	set filterSet
}

// selectIn binds filters to an index of a view. The empty filter matches
// everything.
func (e *Engine) selectIn(v *view, iv *indexView, filter string, restrict []string) (*selection, error) {
	var kids []*condition
	for i, text := range append([]string{filter}, restrict...) {
		imposed := i > 0
		if !imposed && text == "" {
			continue
		}
		node, err := e.parseFilter(text)
		var cond *condition
		if err == nil {
			cond, err = bindText(iv.schema, node, nil, text)
		}
		switch {
		case err != nil && imposed:
			return nil, errImposed()
		case err != nil:
			return nil, repoint(err, "/filter")
		}
		kids = append(kids, cond)
	}
	if len(kids) == 0 {
		return nil, nil
	}
	segs, err := iv.segments()
	if err != nil {
		return nil, err
	}
	run := &searchRun{e: e, kv: v.kv, iv: iv, segs: segs}
	return &selection{set: filterSet{run: run, cond: &condition{op: condAnd, kids: kids}}}, nil
}

// has tells whether a live document belongs to the selection.
func (s *selection) has(doc posting.DocID) (bool, error) {
	if s == nil {
		return true, nil
	}
	iv := s.set.run.iv
	seg := sort.Search(len(iv.segs), func(i int) bool { return iv.segs[i].meta.MaxDoc >= doc })
	if seg == len(iv.segs) {
		return false, corruptf("document %d is in no segment", doc)
	}
	slots := s.set.run.segs[seg].Slots
	slot := sort.Search(len(slots), func(i int) bool { return uint32(slots[i].Page) >= doc>>16 })
	if slot == len(slots) || uint32(slots[slot].Page) != doc>>16 {
		return false, corruptf("document %d is in no page of its segment", doc)
	}
	words := s.set.words(seg, slot)
	if s.set.err != nil {
		return false, s.set.err
	}
	return words[doc&0xffff>>6]&(1<<(doc&63)) != 0, nil
}
