package httpapi

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/quarry-search/quarry/engine"
)

// conditions are the preconditions of a request about a record, RFC 9110,
// section 13. The entity tag of a record is its version in quotes, a strong
// validator: no two states of a record have the same.
type conditions struct {
	match     *tags // of If-Match; nil: there is none
	noneMatch *tags // of If-None-Match
}

// tags is a list of entity tags.
type tags struct {
	any    bool     // "*": the record, whatever its version
	strong []string // without quotes
	weak   []string // the same of those that are marked as weak
}

// tagOf is the entity tag of a record.
func tagOf(version uint64) string { return `"` + strconv.FormatUint(version, 10) + `"` }

// conditions reads the headers.
func (x *exchange) conditions() (c conditions, err error) {
	for _, h := range []struct {
		name string
		to   **tags
	}{{"If-Match", &c.match}, {"If-None-Match", &c.noneMatch}} {
		values := x.r.Header.Values(h.name)
		if len(values) == 0 {
			continue
		}
		t, ok := parseTags(strings.Join(values, ","))
		if !ok {
			return c, &problem{code: codeMalformedHeader, detail: "the header " + h.name + ` is * or a list of entity tags in quotes, such as "128"`}
		}
		*h.to = t
	}
	return c, nil
}

// parseTags reads "*" or a list of entity tags.
func parseTags(header string) (*tags, bool) {
	rest := strings.Trim(header, " \t")
	if rest == "*" {
		return &tags{any: true}, true
	}
	t := &tags{}
	for rest != "" {
		if rest[0] == ',' || rest[0] == ' ' || rest[0] == '\t' { // lists may have empty elements
			rest = rest[1:]
			continue
		}
		quoted, weak := strings.CutPrefix(rest, "W/")
		inner, opened := strings.CutPrefix(quoted, `"`)
		tag, after, closed := strings.Cut(inner, `"`)
		after = strings.TrimLeft(after, " \t")
		if !opened || !closed || strings.ContainsAny(tag, " \t\x7f") || after != "" && after[0] != ',' {
			return nil, false
		}
		if weak {
			t.weak = append(t.weak, tag)
		} else {
			t.strong = append(t.strong, tag)
		}
		rest = after
	}
	return t, len(t.strong)+len(t.weak) > 0
}

func (t *tags) holds(version uint64, weakly bool) bool {
	if version == 0 {
		return false // there is nothing that could match
	}
	if t.any {
		return true
	}
	tag := strconv.FormatUint(version, 10)
	for _, s := range t.strong {
		if s == tag {
			return true
		}
	}
	for _, w := range t.weak {
		if weakly && w == tag {
			return true
		}
	}
	return false
}

func (c conditions) none() bool { return c.match == nil && c.noneMatch == nil }

// check tells whether a request may go on with a record of this version, 0 if
// there is no such record. unchanged says that it may not because the client has
// what it asks for.
func (c conditions) check(version uint64) (unchanged bool, err error) {
	switch {
	case c.match != nil && !c.match.holds(version, false):
		return false, &problem{code: codePrecondition, detail: "If-Match: " + now(version)}
	case c.noneMatch != nil && c.noneMatch.holds(version, true):
		return true, &problem{code: codePrecondition, detail: "If-None-Match: " + now(version)}
	}
	return false, nil
}

func now(version uint64) string {
	if version == 0 {
		return "there is no such record"
	}
	return "the record has the entity tag " + tagOf(version)
}

// applyIf is applyOne under conditions; fresh tells that there was no such
// record. Where there is none to be changed or deleted, that is the answer,
// whatever the conditions are.
func (s *Server) applyIf(ctx context.Context, x *exchange, c conditions, op engine.Op, event string) (res *engine.BatchResult, fresh bool, err error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, false, err
		}
		rec, err := s.engine.Record(ctx, op.Index, op.ID)
		if err != nil && !errors.Is(err, engine.ErrNotFound) {
			return nil, false, err
		}
		if rec.Version > 0 || op.Kind == engine.OpPut {
			if _, err := c.check(rec.Version); err != nil {
				return nil, false, err
			}
		}
		op.IfVersion = &rec.Version
		res, err := s.applyOne(ctx, x, op, event)
		if errors.Is(err, engine.ErrVersion) {
			continue // it was written meanwhile
		}
		return res, rec.Version == 0, err
	}
}
