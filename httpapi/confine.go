package httpapi

import (
	"context"
	"errors"
	"strings"

	"github.com/quarry-search/quarry/engine"
	"github.com/quarry-search/quarry/httpapi/internal/keyring"
)

// noIndexes is a pattern that stands for no index: no name begins so.
const noIndexes = "-*"

// confine returns what some names and patterns of indexes, none for all visible
// ones, stand for with a key: the names as they are, for those that the key may
// not use have been refused before, and of the patterns only what the key may
// use. The result is for the engine, and never empty for a key that is
// restricted to some indexes.
func (s *Server) confine(key *keyring.Grant, indexes []string) []string {
	if len(key.Indexes) == 0 {
		return indexes
	}
	named := map[string]bool{}
	for _, name := range indexes {
		named[name] = true
	}
	var out []string
	for _, p := range key.Narrow(indexes) {
		if !strings.HasSuffix(p, "*") && !named[p] {
			// It comes from the key, whose names stand for no more than a
			// pattern would: for visible indexes, if they are there.
			info, err := s.engine.Index(p)
			if err != nil || info.Schema.Hidden {
				continue
			}
		}
		out = append(out, p)
	}
	if len(out) == 0 {
		return []string{noIndexes}
	}
	return out
}

// confined returns a search as the engine is to carry it out for a key: over the
// indexes that the key may use, and with the filters that it imposes.
func (s *Server) confined(key *keyring.Grant, r *engine.Request) *engine.Request {
	if len(key.Indexes) == 0 && len(key.Filters) == 0 {
		return r
	}
	c := *r
	c.Indexes = s.confine(key, r.Indexes)
	c.Restrict = append(c.Restrict[:len(c.Restrict):len(c.Restrict)], key.Filters...)
	return &c
}

// confined tells whether the key of a search imposes filters.
func (q *searchRequest) confined() bool { return q.key != nil && len(q.key.Filters) > 0 }

// asSeen makes of the description of an index what a key may know: with filters
// it counts the records that they admit, and tells no size, nor what names or
// counts other records: rules with their pins, and how a rebuild goes.
func (s *Server) asSeen(ctx context.Context, key *keyring.Grant, info *engine.IndexInfo) error {
	if len(key.Filters) == 0 {
		return nil
	}
	info.Records, info.Bytes, info.LearntFrom, info.Embedded = 0, 0, 0, nil
	info.Schema.Rules, info.Rebuild = nil, nil
	ctx, cancel := context.WithTimeout(ctx, s.limits.SearchTimeout)
	defer cancel()
	q := &searchRequest{Request: engine.Request{Indexes: []string{info.Name}, Limit: -1}, key: key}
	res, err := s.find(ctx, s.engine.Search, q)
	if errors.Is(err, engine.ErrInvalid) || errors.Is(err, engine.ErrNotFound) {
		return nil // it has no such field, so the key sees nothing of it; or it has just gone
	}
	if err != nil {
		return s.searchProblem(q, err)
	}
	info.Records = res.Total
	return nil
}

// find carries out a search for the key that asks for it, by the search of the
// engine or of one of its snapshots. An index that only the key names may be
// deleted while it is on its way to the engine: then the search begins again.
func (s *Server) find(ctx context.Context, search func(context.Context, *engine.Request) (*engine.Result, error), q *searchRequest) (*engine.Result, error) {
	turn, err := s.turns.take(ctx)
	if err != nil {
		return nil, err
	}
	defer turn.giveBack()
	for {
		c := s.confined(q.key, &q.Request)
		res, err := search(ctx, c)
		if !errors.Is(err, engine.ErrNotFound) || errors.Is(err, engine.ErrInvalid) || !s.gone(c.Indexes, q.Indexes) {
			return res, err
		}
	}
}

// gone tells whether all names that were asked for are those of indexes, but
// one that confine added is not.
func (s *Server) gone(confined, asked []string) bool {
	named := map[string]bool{}
	for _, name := range asked {
		named[name] = true
		if !strings.HasSuffix(name, "*") && !s.there(name) {
			return false
		}
	}
	for _, name := range confined {
		if !strings.HasSuffix(name, "*") && !named[name] && !s.there(name) {
			return true
		}
	}
	return false
}

func (s *Server) there(index string) bool {
	_, err := s.engine.Index(index)
	return err == nil
}

// holders returns the indexes that the key may use, that are not hidden, and
// that hold a record with an id which the key may see.
func (s *Server) holders(x *exchange, id string) ([]string, error) {
	for {
		among := s.confine(x.key, nil)
		holders, err := s.engine.Holders(x.r.Context(), id, among, x.key.Filters...)
		if !errors.Is(err, engine.ErrNotFound) || !s.gone(among, nil) {
			return holders, err
		}
	}
}
