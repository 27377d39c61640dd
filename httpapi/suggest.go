package httpapi

import (
	"context"
	"errors"
	"fmt"

	"github.com/quarry-search/quarry/engine"
	"github.com/quarry-search/quarry/httpapi/internal/keyring"
)

// suggest answers POST /v1/suggest: what a text that is being typed may become.
func (s *Server) suggest(x *exchange) error {
	if _, err := x.query(); err != nil {
		return err
	}
	body, err := s.jsonBody(x, s.limits.SearchBytes)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(x.r.Context(), s.limits.SearchTimeout)
	defer cancel()
	q, err := s.parseSuggest(x.key, body)
	if err != nil {
		return s.withAlsoWrong(ctx, x, q, err)
	}
	searches, err := s.beginSearches(x, 1)
	if err != nil {
		return err
	}
	defer searches.end()
	var res *engine.SuggestResult
	_, err = s.find(ctx, func(ctx context.Context, r *engine.Request) (_ *engine.Result, err error) {
		res, err = s.engine.Suggest(ctx, &engine.SuggestRequest{
			Indexes: r.Indexes, Query: r.Query, Filter: r.Filter, Restrict: r.Restrict, Limit: r.Limit,
		})
		return nil, err
	}, q)
	if errors.Is(err, context.DeadlineExceeded) {
		return &problem{
			code:   codeSearchTimeout,
			detail: fmt.Sprintf("the suggestions were not found after %d ms", s.limits.SearchTimeout.Milliseconds()),
		}
	}
	if err != nil {
		return s.searchProblem(q, err)
	}
	searches.count(1)
	x.json(200, appendSuggestions(nil, res))
	return nil
}

// parseSuggest reads a request for suggestions, whose members are some of
// those of a search.
func (s *Server) parseSuggest(key *keyring.Grant, body value) (*searchRequest, error) {
	const byDefault, most = 8, 100
	p := searchParser{max: s.engineMax, timeout: s.limits.SearchTimeout}
	p.key, p.limit = key, byDefault
	var members []member
	for _, name := range [...]string{"q", "index", "filter", "limit"} {
		i := searchMember(name)
		read := func(v value) { searchMembers[i].read(&p, v) }
		if name == "limit" {
			read = func(v value) { p.integer(v, 1, most, engine.CodeLimitExceeded, &p.limit) }
		}
		members = append(members, member{name, func(v value) {
			if v.raw.Kind() == 'n' {
				return // it is not given
			}
			p.given.add(i)
			if v.raw.Kind() == '"' {
				p.single.add(i)
			}
			read(v)
		}})
	}
	p.object(body, members)
	p.finish()
	return &p.searchRequest, p.err()
}

func appendSuggestions(dst []byte, res *engine.SuggestResult) []byte {
	w := jsonWriter{buf: dst}
	w.open('{')
	w.key("suggestions")
	w.open('[')
	for _, g := range res.Suggestions {
		w.open('{')
		w.textAt("text", g.Text)
		w.integerAt("count", g.Count)
		w.booleanAt("title", g.Title)
		w.close('}')
	}
	w.close(']')
	w.integerAt("version", int64(res.Version))
	w.key("took_ms")
	w.millis(res.Took)
	w.close('}')
	return w.buf
}
