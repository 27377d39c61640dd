package httpapi

import (
	"encoding/binary"
	"math"
	"strconv"
	"strings"

	"github.com/quarry-search/quarry/engine"
	"github.com/quarry-search/quarry/engine/query"
)

// geo reads nearness to a point, or a box, or both.
func (p *searchParser) geo(v value) {
	g := &engine.GeoRequest{}
	var lat, lon *float64
	degrees := func(to **float64, most float64) func(value) {
		return func(v value) {
			var f float64
			if p.number(v, -most, most, &f) {
				*to = &f
			}
		}
	}
	before := p.total
	if !p.object(v, []member{
		{"field", func(v value) { p.str(v, &g.Field) }},
		{"lat", degrees(&lat, 90)},
		{"lon", degrees(&lon, 180)},
		{"radius", func(v value) { p.length(v, &g.Radius) }},
		{"box", func(v value) { g.Box = p.box(v) }},
	}) {
		return
	}
	switch {
	case p.total > before:
	case g.Field == "":
		p.at(v.at, engine.CodeInvalidRequest, "needs the field of places")
	case (lat == nil) != (lon == nil):
		p.at(v.at, engine.CodeInvalidRequest, "a point has lat and lon")
	case lat == nil && g.Box == nil:
		p.at(v.at, engine.CodeInvalidRequest, "needs a point, lat and lon, or a box")
	case lat == nil && g.Radius > 0:
		p.at(v.child("radius"), engine.CodeInvalidRequest, "a radius needs lat and lon")
	}
	if lat != nil && lon != nil {
		g.From = &engine.Point{Lat: *lat, Lon: *lon}
	}
	p.Geo = g
}

// length reads a number of meters, or a text such as "5km".
func (p *searchParser) length(v value, to *float64) {
	text := string(v.raw)
	if v.raw.Kind() == '"' {
		text = v.text()
	}
	meters, ok := query.ParseLength(text)
	if kind := v.raw.Kind(); kind != '"' && kind != '0' || !ok || meters == 0 {
		p.at(v.at, engine.CodeInvalidRequest, `must be a length above 0: a number of meters, or a text such as "500m", "5km" or "3mi"`)
		return
	}
	*to = meters
}

// box reads [south, west, north, east].
func (p *searchParser) box(v value) *engine.Box {
	const what = "a list of four numbers: south, west, north, east"
	if !p.want(v, "[", what) {
		return nil
	}
	var b engine.Box
	ends := [...]struct {
		to   *float64
		most float64
	}{{&b.South, 90}, {&b.West, 180}, {&b.North, 90}, {&b.East, 180}}
	n, before := 0, p.total
	v.eachElement(func(e value) {
		if n < len(ends) {
			p.number(e, -ends[n].most, ends[n].most, ends[n].to)
		}
		n++
	})
	switch {
	case p.total > before:
		return nil
	case n != len(ends):
		p.at(v.at, engine.CodeInvalidRequest, "must be %s", what)
		return nil
	case b.South > b.North:
		p.at(v.at, engine.CodeInvalidRequest, "the south of a box, its first number, is above its north, the third")
		return nil
	}
	return &b
}

// geoSortKey reads "geo(field,lat,lon)" as the field of a sort key; ok is false
// if text is no such thing.
func geoSortKey(text string) (key engine.SortKey, ok bool, wrong string) {
	g, ok, err := query.ParseGeoKey(text)
	if e, is := err.(*query.Error); is {
		return engine.SortKey{Field: text}, true, e.Detail + ", as in geo(location,52.5,13.4)"
	}
	return engine.SortKey{Field: g.Field, From: &engine.Point{Lat: g.Lat, Lon: g.Lon}}, ok, ""
}

// distinct reads the field of which each value gives one hit.
func (p *searchParser) distinct(v value) {
	if p.str(v, &p.Distinct) && p.Distinct == "" {
		p.at(v.at, engine.CodeInvalidRequest, "names no field")
	}
}

// group reads the field of which each value gives a group.
func (p *searchParser) group(v value) {
	g := &engine.GroupRequest{}
	var limit int64
	if !p.object(v, []member{
		{"field", func(v value) { p.str(v, &g.Field) }},
		{"limit", func(v value) { p.integer(v, 1, int64(p.max.Hits), engine.CodeLimitExceeded, &limit) }},
	}) {
		return
	}
	if g.Field == "" {
		p.at(v.at, engine.CodeInvalidRequest, "a group needs a field")
	}
	g.Limit = int(limit)
	p.Group = g
}

// appendColumns appends what of the request concerns columns to its identity.
func (q *searchRequest) appendColumns(b []byte) []byte {
	number := func(f float64) { b = binary.BigEndian.AppendUint64(b, math.Float64bits(f)) }
	for _, k := range q.Sort {
		if b = strconv.AppendBool(b, k.From != nil); k.From != nil {
			number(k.From.Lat)
			number(k.From.Lon)
		}
	}
	b = appendString(b, q.Distinct)
	if g := q.Group; g != nil {
		b = appendString(append(b, 'g'), g.Field)
	}
	if g := q.Geo; g != nil {
		b = appendString(append(b, 'p'), g.Field)
		number(g.Radius)
		if g.From != nil {
			number(g.From.Lat)
			number(g.From.Lon)
		}
		if x := g.Box; x != nil {
			for _, f := range []float64{x.South, x.West, x.North, x.East} {
				number(f)
			}
		}
	}
	return b
}

// distances writes how far a hit is away.
func (w *jsonWriter) distances(list []engine.Distance) {
	if len(list) == 0 {
		return
	}
	w.key("geo")
	w.open('{')
	for _, d := range list {
		w.keyText(d.Field)
		w.open('{')
		w.floatAt("distance_m", d.Meters)
		w.close('}')
	}
	w.close('}')
}

// group writes the group that a hit is the best of.
func (w *jsonWriter) group(q *searchRequest, g *engine.Group) {
	w.key("group")
	w.open('{')
	w.key("value")
	w.any(g.Value)
	w.integerAt("total", g.Total)
	w.key("hits")
	w.open('[')
	for i := range g.Hits {
		w.hit(q, &g.Hits[i])
	}
	w.close(']')
	w.close('}')
}

// rangeEnd reads one end of a range of a facet. Integers beyond 2^53, which
// floats do not tell apart, and dates as text go into exact.
func (p *searchParser) rangeEnd(v value, plain **float64, exact *query.Value) bool {
	switch v.raw.Kind() {
	case 'n':
		return true
	case '"':
		*exact = query.Value{Kind: query.KindString, Str: v.text()}
		return true
	}
	if !p.want(v, "0", "a number, a date as text, or null for an open end") {
		return false
	}
	text := string(v.raw)
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && (n > 1<<53 || n < -1<<53) {
		*exact = query.Value{Kind: query.KindInt, Int: n}
		return true
	}
	var f float64
	if !p.number(v, -math.MaxFloat64, math.MaxFloat64, &f) {
		return false
	}
	*plain = &f
	return true
}

// facetSearch reads the text that values of a facet are to have.
func (p *searchParser) facetSearch(v value, to *string) {
	if p.str(v, to) && len(*to) > p.max.QueryBytes {
		p.at(v.at, engine.CodeLimitExceeded, "a query has at most %d bytes", p.max.QueryBytes)
	} else if strings.TrimSpace(*to) == "" {
		*to = ""
	}
}
