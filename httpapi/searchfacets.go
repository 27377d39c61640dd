package httpapi

import (
	"slices"

	"github.com/quarry-search/quarry/engine"
)

func (p *searchParser) facets(v value) {
	if !p.want(v, `"[`, "a field or a list of fields and objects") {
		return
	}
	n := 0
	each := func(v value) {
		if n++; n <= p.max.Facets { // each is compared with all before it
			p.facet(v)
		}
	}
	if v.raw.Kind() == '"' {
		each(v)
	} else {
		v.eachElement(each)
	}
	if n > p.max.Facets {
		p.at(v.at, engine.CodeLimitExceeded, "a search has at most %d facets", p.max.Facets)
	}
}

func (p *searchParser) facet(v value) {
	var f engine.FacetRequest
	var limit int64
	switch {
	case v.raw.Kind() == '"':
		f.Field = v.text()
	case !p.want(v, `"{`, "a field or an object"):
		p.Facets = append(p.Facets, f) // so that those after it keep their places
		return
	default:
		p.object(v, []member{
			{"field", func(v value) { p.str(v, &f.Field) }},
			{"limit", func(v value) { p.integer(v, 1, int64(p.max.FacetValues), engine.CodeLimitExceeded, &limit) }},
			{"ranges", func(v value) { f.Ranges = p.ranges(v) }},
			{"disjunctive", func(v value) { p.boolean(v, &f.Disjunctive) }},
			{"query", func(v value) { p.facetSearch(v, &f.Query) }},
			{"sort", func(v value) { f.Sort = choice[engine.FacetSort](p, v, "count", "value") }},
			{"stats", func(v value) { p.boolean(v, &f.Stats) }},
		})
		f.Limit = int(limit)
	}
	switch {
	case f.Field == "":
		p.at(v.at, engine.CodeInvalidRequest, "a facet needs a field")
	case slices.ContainsFunc(p.Facets, func(o engine.FacetRequest) bool { return o.Field == f.Field }):
		p.at(v.at, engine.CodeInvalidRequest, "the facets of this field are asked for twice")
	}
	p.Facets = append(p.Facets, f)
}

// ranges reads a list of pairs of numbers or dates, in which null is an open
// end.
func (p *searchParser) ranges(v value) (list []engine.FacetRange) {
	if !p.want(v, "[", "a list of pairs of numbers or dates") {
		return nil
	}
	n := 0
	v.eachElement(func(pair value) {
		n++
		if !p.want(pair, "[", "a pair of numbers, null for an open end") {
			return
		}
		var r engine.FacetRange
		ends := 0
		pair.eachElement(func(end value) {
			switch ends++; ends {
			case 1:
				p.rangeEnd(end, &r.From, &r.FromValue)
			case 2:
				p.rangeEnd(end, &r.To, &r.ToValue)
			}
		})
		switch {
		case ends != 2:
			p.at(pair.at, engine.CodeInvalidRequest, "a range has two ends")
		case r.From != nil && r.To != nil && *r.From > *r.To:
			p.at(pair.at, engine.CodeInvalidRequest, "a range ends before it begins")
		default:
			list = append(list, r)
		}
	})
	switch {
	case n == 0:
		p.at(v.at, engine.CodeInvalidRequest, "names no range")
	case n > p.max.FacetValues:
		p.at(v.at, engine.CodeLimitExceeded, "a facet has at most %d ranges", p.max.FacetValues)
	}
	return list
}

func (p *searchParser) highlight(v value) {
	switch {
	case v.raw.Kind() == 't':
		p.Highlight = &engine.HighlightRequest{}
		return // with the engine's own marks, which are those below
	case v.raw.Kind() == 'f', !p.want(v, "{", "an object, true or false"):
		return
	}
	h := &engine.HighlightRequest{Pre: "<mark>", Post: "</mark>"}
	var words int64
	mark := func(to *string) func(value) {
		const maxMark = 256
		return func(v value) {
			if p.str(v, to) && len(*to) > maxMark {
				p.at(v.at, engine.CodeLimitExceeded, "has at most %d bytes", maxMark)
			}
		}
	}
	p.object(v, []member{
		{"fields", func(v value) { p.strings(v, &h.Fields) }},
		{"pre", mark(&h.Pre)},
		{"post", mark(&h.Post)},
		{"escape", func(v value) { h.Escape = engine.Escape(max(p.oneOf(v, "html", "none"), 0)) }},
		{"words", func(v value) { p.integer(v, 0, 1000, engine.CodeLimitExceeded, &words) }},
	})
	h.Words = int(words)
	p.Highlight = h
}
