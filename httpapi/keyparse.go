package httpapi

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/quarry-search/quarry/engine"
	"github.com/quarry-search/quarry/engine/query"
	"github.com/quarry-search/quarry/httpapi/internal/keyring"
)

// Limits of a key.
const (
	maxKeyName     = 200       // characters
	maxKeyPatterns = 100       // of indexes
	maxKeyRate     = 1_000_000 // requests a second, and at once
)

// keyParser reads the body that makes or changes a key.
type keyParser struct {
	reader
	s   *Server
	key *keyring.Key
	own *keyring.Grant // of the request
	now time.Time
}

// parseKey reads the members of a body over a key, and reports all that is
// wrong with them. A new key has to say what it may do.
func (s *Server) parseKey(own *keyring.Grant, body value, k *keyring.Key, fresh bool) error {
	p := keyParser{s: s, key: k, own: own, now: s.now()}
	scopes := false
	if p.object(body, []member{
		{"name", p.name},
		{"scopes", func(v value) { scopes = true; p.key.Scopes = p.scopes(v) }},
		{"indexes", func(v value) { p.indexPatterns(v, &p.key.Indexes) }},
		{"filter", p.filter},
		{"expires_at", p.expires},
		{"rate", p.rate},
		{"quota", p.quota},
	}) {
		if fresh && !scopes {
			p.at("", engine.CodeInvalidRequest, `"scopes" is missing; it lists some of %s`, quotedList(keyring.ScopeNames()))
		}
		if k.Filter != "" && !k.Scopes.Confinable() {
			p.at("/scopes", engine.CodeInvalidRequest, `a key with a filter has no other scopes than "search" and "read", whose results the filter bounds`)
		}
	}
	return p.err()
}

func (p *keyParser) name(v value) {
	var name string
	switch {
	case !p.str(v, &name):
	case utf8.RuneCountInString(name) > maxKeyName:
		p.at(v.at, engine.CodeLimitExceeded, "a name has at most %d characters", maxKeyName)
	case strings.ContainsFunc(name, func(r rune) bool { return r < 0x20 || r >= 0x7f && r < 0xa0 }):
		p.at(v.at, engine.CodeInvalidRequest, "a name has no control characters")
	}
	p.key.Name = name
}

// scopes reads a list of scopes.
func (d *reader) scopes(v value) (scopes keyring.Scope) {
	var names []string
	if !d.strings(v, &names) {
		return 0
	}
	if len(names) == 0 {
		d.at(v.at, engine.CodeInvalidRequest, "names no scope")
	}
	for i, name := range names {
		scope, ok := keyring.ParseScope(name)
		if !ok {
			d.at(element(v, i), engine.CodeInvalidRequest, "must be one of %s", quotedList(keyring.ScopeNames()))
			continue
		}
		scopes |= scope
	}
	return scopes
}

// indexPatterns reads a list of names of indexes and beginnings of names. "*" alone
// stands for all, which a key has as no list at all.
func (d *reader) indexPatterns(v value, to *[]string) {
	var list []string
	if !d.strings(v, &list) {
		return
	}
	if len(list) == 0 {
		d.at(v.at, engine.CodeInvalidRequest, `names no index; "*" stands for all`)
	}
	if len(list) > maxKeyPatterns {
		d.at(v.at, engine.CodeLimitExceeded, "has more than %d names", maxKeyPatterns)
		return
	}
	for i, p := range list {
		if !keyring.ValidPattern(p) {
			d.at(element(v, i), engine.CodeInvalidRequest, notIndexName+"; nor the beginning of one with * after it")
		}
	}
	*to = list
	if slices.Contains(list, "*") {
		*to = nil
	}
}

func (p *keyParser) filter(v value) {
	p.key.Filter = ""
	if v.raw.Kind() == 'n' {
		return
	}
	if !p.want(v, `"`, "a string or null") {
		return
	}
	p.key.Filter = v.text()
	p.s.checkFilter(&p.reader, v.at, p.key.Filter)
}

// checkFilter checks the form of a filter. Whether its fields are there depends
// on the index.
func (s *Server) checkFilter(d *reader, at, text string) {
	if strings.TrimSpace(text) == "" {
		d.at(at, engine.CodeInvalidFilter, "is empty")
		return
	}
	_, err := query.ParseFilter(text, query.Limits{MaxOperators: s.engineMax.FilterOps, MaxDepth: s.engineMax.FilterDepth})
	if e, ok := err.(*query.Error); ok {
		d.add(fault{code: e.Code, pointer: at, detail: e.Detail, column: e.Column, position: -1})
	}
}

func (p *keyParser) expires(v value) {
	p.key.Expires = time.Time{}
	if v.raw.Kind() != 'n' {
		p.time(v, p.now, &p.key.Expires)
	}
}

// time reads a time to come, in RFC 3339.
func (d *reader) time(v value, now time.Time, to *time.Time) {
	if !d.want(v, `"`, "a time in RFC 3339 or null") {
		return
	}
	t, err := time.Parse(time.RFC3339, v.text())
	switch {
	case err != nil:
		d.at(v.at, engine.CodeInvalidRequest, `must be a time in RFC 3339, such as "2027-01-01T00:00:00Z"`)
	case !t.After(now):
		d.at(v.at, engine.CodeInvalidRequest, "has passed")
	default:
		*to = t.UTC().Truncate(time.Microsecond)
	}
}

func (p *keyParser) rate(v value) {
	p.key.Rate = keyring.DefaultRate
	if v.raw.Kind() == 'n' {
		return
	}
	var rate keyring.Rate
	given := false
	number := func(to *int64) func(value) {
		return func(v value) {
			given = true
			p.integer(v, 1, maxKeyRate, engine.CodeLimitExceeded, to)
		}
	}
	if !p.object(v, []member{{"per_second", number(&rate.PerSecond)}, {"burst", number(&rate.Burst)}}) {
		return
	}
	switch {
	case !given:
		p.at(v.at, engine.CodeInvalidRequest, `has "per_second", "burst" or both`)
	case rate.Burst == 0:
		rate.Burst = keyring.Rate{Burst: min(2*rate.PerSecond, maxKeyRate)}.Within(p.own.Rate).Burst
	case rate.PerSecond == 0:
		rate.PerSecond = keyring.DefaultRate.Within(p.own.Rate).PerSecond
	}
	p.key.Rate = rate
}

func (p *keyParser) quota(v value) {
	p.key.Quota = 0
	if v.raw.Kind() == 'n' {
		return
	}
	const most = 1 << 53
	given := false
	if p.object(v, []member{{"searches_per_month", func(v value) {
		given = true
		p.integer(v, 1, most, engine.CodeLimitExceeded, &p.key.Quota)
	}}}) && !given {
		p.at(v.at, engine.CodeInvalidRequest, `"searches_per_month" is missing`)
	}
}

// defaultTokenTime is how long a token is good for which names no end.
const defaultTokenTime = time.Hour

// parseClaims reads the body that asks for a token of a key; without one it is
// a token for all that a token of the key may do.
func (s *Server) parseClaims(body value, k *keyring.Key) (keyring.Claims, error) {
	now, rights := s.now(), k.Rights()
	expires := now.Add(defaultTokenTime)
	if !k.Expires.IsZero() && k.Expires.Before(expires) {
		expires = k.Expires
	}
	const most = keyring.Search | keyring.Read
	var c keyring.Claims
	var d reader
	scopes := most & k.Scopes
	if body.raw != nil {
		d.object(body, []member{
			{"filter", func(v value) {
				if d.strings(v, &c.Filters) {
					for i, text := range c.Filters {
						s.checkFilter(&d, element(v, i), text)
					}
				}
			}},
			{"indexes", func(v value) {
				d.indexPatterns(v, &c.Indexes)
				for i, p := range c.Indexes { // a pattern may reach further than the key, and then does not count
					if !strings.HasSuffix(p, "*") && !rights.Allows(p) {
						d.at(element(v, i), codeForbiddenIndex, "the key itself may not use this index")
					}
				}
			}},
			{"scopes", func(v value) {
				scopes = d.scopes(v)
				if !scopes.Confinable() {
					d.at(v.at, engine.CodeInvalidRequest, `a token has no other scopes than "search" and "read"`)
				} else if lacks := scopes &^ k.Scopes; lacks != 0 {
					d.at(v.at, codeForbiddenScope, "the key itself lacks the scopes %s", lacks.String())
				}
			}},
			{"expires_at", func(v value) {
				if d.time(v, now, &expires); !k.Expires.IsZero() && expires.After(k.Expires) {
					d.at(v.at, codeForbiddenScope, "the key itself ends earlier")
				}
			}},
		})
	}
	if d.total == 0 && scopes == 0 {
		d.at("", codeForbiddenScope, `the key has neither the scope "search" nor "read", which are all that a token may have`)
	}
	c.Key, c.Expires = keyring.PublicID(k.ID), expires.Unix()
	if scopes != most {
		c.Scopes = scopes.Names()
	}
	return c, d.err()
}
