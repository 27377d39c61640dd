package httpapi

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/quarry-search/quarry/engine"
)

// listIndexes answers GET /v1/indexes. A page begins after the name that its
// cursor holds.
func (s *Server) listIndexes(x *exchange) error {
	params, err := x.query("limit", "cursor")
	if err != nil {
		return err
	}
	var f faults
	limit := pageLimit(&f, params, 100, 1000)
	after := s.pageStart(&f, params, cursorIndexes, x.key.Identity())
	if err := f.err(); err != nil {
		return err
	}
	all := slices.DeleteFunc(s.engine.Indexes(), func(info engine.IndexInfo) bool { return !x.key.Allows(info.Name) })
	begin, found := slices.BinarySearchFunc(all, after, func(info engine.IndexInfo, name string) int {
		switch {
		case info.Name < name:
			return -1
		case info.Name > name:
			return 1
		}
		return 0
	})
	if found {
		begin++
	}
	page, next := all[begin:], ""
	if len(page) > limit {
		page = page[:limit]
		next = s.cursors.sign(cursorIndexes, x.key.Identity(), []byte(page[limit-1].Name))
	}
	ctx, cancel := context.WithTimeout(x.r.Context(), searchesTime)
	defer cancel()
	for i := range page {
		if err := s.asSeen(ctx, x.key, &page[i]); err != nil {
			return err
		}
	}
	x.json(200, appendIndexes(nil, page, len(all), next))
	return nil
}

// pageLimit reads the parameter limit.
func pageLimit(f *faults, params map[string][]string, byDefault, most int) int {
	text, given := params["limit"]
	if !given {
		return byDefault
	}
	n, err := strconv.Atoi(text[0])
	switch {
	case err != nil || n < 1:
		f.param("limit", engine.CodeInvalidRequest, "must be a whole number above 0")
	case n > most:
		f.param("limit", engine.CodeLimitExceeded, "must be at most %d", most)
	}
	return n
}

// pageStart reads the parameter cursor, whose position is a text; "" without
// one.
func (s *Server) pageStart(f *faults, params map[string][]string, kind byte, query []byte) string {
	text, given := params["cursor"]
	if !given {
		return ""
	}
	position, err := s.cursors.verify(text[0], kind, query)
	if err != nil {
		f.param("cursor", engine.CodeInvalidCursor, invalidCursor)
	}
	return string(position)
}

// showIndex answers GET /v1/indexes/{name}.
func (s *Server) showIndex(x *exchange) error {
	if _, err := x.query(); err != nil {
		return err
	}
	name := x.r.PathValue("name")
	if err := x.mayUseIndex(name); err != nil {
		return err
	}
	info, err := s.engine.Index(name)
	if err != nil {
		return indexError(err)
	}
	if err := s.asSeen(x.r.Context(), x.key, &info); err != nil {
		return err
	}
	x.json(200, appendIndex(nil, &info))
	return nil
}

// indexError is the answer to an error about the one index of a request.
func indexError(err error) error {
	if errors.Is(err, engine.ErrNotFound) && !errors.Is(err, engine.ErrInvalid) {
		return indexNotFound()
	}
	return err
}

// putIndex answers PUT /v1/indexes/{name}: the index has the schema of the
// body afterwards, whatever it had before.
func (s *Server) putIndex(x *exchange) error {
	name := x.r.PathValue("name")
	if err := x.mayUseIndex(name); err != nil {
		return err
	}
	body, err := s.schemaBody(x)
	if err != nil {
		return err
	}
	schema, err := s.parseSchema(body, engine.Schema{Dynamic: true}, false)
	if err != nil {
		return err
	}
	if !engine.ValidIndexName(name) {
		var f faults
		f.param("name", engine.CodeInvalidRequest, "the name of an index has 1 to 64 small letters, digits, _ and -, and begins with a letter or digit")
		return f.err()
	}
	c, err := x.conditions()
	if err != nil {
		return err
	}
	ctx, cancel := s.writeContext(x)
	defer cancel()
	if c.match != nil { // that an index is there, is all that can be asked of it: it has no entity tag
		if _, err := s.engine.Index(name); err != nil || !c.match.any {
			return &problem{code: codePrecondition, detail: "If-Match: there is no such index, or it is not given as *, as indexes have no entity tags"}
		}
		if c.noneMatch != nil && c.noneMatch.any {
			return engine.ErrIndexExists
		}
		return s.updateIndex(ctx, x, name, func() (engine.Schema, error) { return schema, nil })
	}
	for {
		rows, done := s.indexChange(x, eventIndexCreated, name)
		info, err := s.engine.CreateIndex(ctx, name, schema, rows...)
		if done(err); err == nil {
			x.w.Header().Set("Location", "/v1/indexes/"+name)
			x.json(201, appendIndex(nil, &info))
			return nil
		}
		if errors.Is(err, engine.ErrNotFound) && ctx.Err() == nil {
			continue // made, and deleted before it could be looked at
		}
		if !errors.Is(err, engine.ErrIndexExists) || c.noneMatch != nil && c.noneMatch.any {
			return err
		}
		// Who deletes the index meanwhile makes one of it that is not there again.
		err = s.updateIndex(ctx, x, name, func() (engine.Schema, error) { return schema, nil })
		if p := new(problem); !errors.As(err, &p) || p.code != engine.CodeIndexNotFound || ctx.Err() != nil {
			return err
		}
	}
}

// patchIndex answers PATCH /v1/indexes/{name}: members of the body replace
// those of the schema, and fields those of the same name, member by member.
func (s *Server) patchIndex(x *exchange) error {
	name := x.r.PathValue("name")
	if err := x.mayUseIndex(name); err != nil {
		return err
	}
	body, err := s.schemaBody(x)
	if err != nil {
		return err
	}
	ctx, cancel := s.writeContext(x)
	defer cancel()
	return s.updateIndex(ctx, x, name, func() (engine.Schema, error) {
		info, err := s.engine.Index(name)
		if err != nil {
			return engine.Schema{}, err
		}
		base := info.Schema
		if info.State == stateRebuilding {
			base = info.Rebuild.Schema // which this one is to take the place of
		}
		base.Fields = slices.Clone(base.Fields)
		return s.parseSchema(body, base, true)
	})
}

func (s *Server) schemaBody(x *exchange) (value, error) {
	if _, err := x.query(); err != nil {
		return value{}, err
	}
	return s.jsonBody(x, s.limits.SchemaBytes)
}

// deleteIndex answers DELETE /v1/indexes/{name}.
func (s *Server) deleteIndex(x *exchange) error {
	if _, err := x.query(); err != nil {
		return err
	}
	name := x.r.PathValue("name")
	if err := x.mayUseIndex(name); err != nil {
		return err
	}
	ctx, cancel := s.writeContext(x)
	defer cancel()
	rows, done := s.indexChange(x, eventIndexDeleted, name)
	err := s.engine.DeleteIndex(ctx, name, rows...)
	if done(err); err != nil {
		return indexError(err)
	}
	x.head(204)
	return nil
}
