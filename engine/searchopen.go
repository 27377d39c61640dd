package engine

import (
	"fmt"
	"slices"
)

// open resolves the request in the indexes of the search.
func (s *searcher) open() error {
	if err := s.begin(); err != nil {
		return err
	}
	return s.resolve()
}

// begin is the first half of open: it makes the runs.
func (s *searcher) begin() error {
	s.runs, s.resolved = nil, false
	counts := new(jointCounts)
	for _, name := range s.names {
		iv := s.v.indexes[name]
		if !iv.ix.asked.Load() { // to write it each time would take it from other processors
			iv.ix.asked.Store(true)
		}
		if !iv.ix.awaited.Load() {
			iv.ix.awaited.Store(true)
			s.e.kick() // there may be segments that were not worth merging before
		}
		run := &searchRun{e: s.e, ctx: s.ctx, kv: s.v.kv, iv: iv, name: name}
		room := s.e.rooms.take()
		run.res = &resolver{run: run, s: s, room: room, leaves: room.leaves, asked: room.asked, groups: room.groups, stops: room.stops, related: room.related, req: s.req, filterable: s.filterable, texts: s.texts, repairs: s.repairs, joint: s.joint, tuning: s.req.Tuning.effective(), docs: s.docs, unseen: s.unseen, counts: counts}
		if err := s.rank(run); err != nil {
			return err
		}
		s.runs = append(s.runs, run)
	}
	for _, run := range s.runs {
		run.all = s.runs
	}
	if s.req.Ranking == RankingDefault && len(s.runs) > 0 {
		s.texts.accents.s = s
	}
	return nil
}

// resolve is the second half of open: it resolves the request in the runs, unless
// that has been done.
func (s *searcher) resolve() error {
	if s.resolved {
		return nil
	}
	s.resolved = true
	for _, run := range s.runs {
		if err := s.resolveIn(run); err != nil {
			return err
		}
	}
	if unseen, named := s.findUnseen(), s.agreeOnNamed(); unseen || named {
		return s.again()
	}
	return nil
}

// of names an index in front of what is wrong with the request for it, where it
// is not the only one of the search.
func (s *searcher) of(index string) string {
	if len(s.names) < 2 {
		return ""
	}
	return fmt.Sprintf("in the index %q, ", index)
}

// inIndex puts that before the problems of an error.
func (s *searcher) inIndex(name string, err error) error {
	inv, ok := err.(*InvalidError)
	if !ok || len(s.names) < 2 {
		return err
	}
	c := &InvalidError{Total: inv.Total, Problems: slices.Clone(inv.Problems)}
	for i := range c.Problems {
		if p := &c.Problems[i]; p.Code != CodeUnknownField { // these are in none of the indexes
			p.Detail = s.of(name) + p.Detail
		}
	}
	return c
}

// resolveIn resolves the request in one index.
func (s *searcher) resolveIn(run *searchRun) error {
	run.res.intent = s.intent
	if s.tree != nil {
		run.res.top(s.tree)
	}
	for _, f := range append(s.restrictions(), s.required...) {
		ok := run.res.err == nil
		text := ""
		if f.at == "/filter" {
			text = s.req.Filter
		}
		e := run.res.filterText(f.node, text)
		switch {
		case ok && run.res.err != nil && f.at == "":
			run.res.err = errImposed()
		case ok:
			run.res.err = repoint(run.res.err, f.at)
		}
		if f.at == "/filter" {
			run.own = &ownFilter{f.node, len(run.res.must)}
		}
		run.res.must = append(run.res.must, e)
	}
	if run.res.err != nil {
		return s.inIndex(run.name, run.res.err)
	}
	used := run.res.used
	run.imposed = used[len(used)-len(s.req.Restrict):]
	if eyes := run.res.eyes; eyes != nil {
		for i, set := range run.imposed {
			set.memo, set.err = eyes.sets[i].memo, eyes.sets[i].err // these have been answered in part
		}
	}
	return s.blind(run)
}
