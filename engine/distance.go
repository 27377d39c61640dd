package engine

import (
	"fmt"
	"math"

	"github.com/quarry-search/quarry/engine/internal/geo"
	"github.com/quarry-search/quarry/engine/internal/page"
	"github.com/quarry-search/quarry/engine/query"
)

// checkGeo tests the numbers of Request.Geo and of geo sort keys.
func (s *searcher) checkGeo(p *problems) {
	valid := func(from *Point) bool { return geo.Point(*from).Valid() }
	for i, k := range s.req.Sort {
		if k.From != nil && !valid(k.From) {
			p.addf(CodeInvalidSort, fmt.Sprintf("/sort/%d", i), "a latitude lies between -90 and 90, a longitude between -180 and 180")
		}
	}
	g := s.req.Geo
	if g == nil {
		return
	}
	if g.Field == "" {
		p.addf(CodeInvalidRequest, "/geo/field", "geo needs a field")
	}
	switch {
	case g.From == nil && g.Box == nil:
		p.addf(CodeInvalidRequest, "/geo", "geo needs a point (lat and lon) or a box")
	case g.From != nil && !valid(g.From):
		p.addf(CodeInvalidRequest, "/geo/lat", "a latitude lies between -90 and 90, a longitude between -180 and 180")
	case g.From == nil && g.Radius != 0:
		p.addf(CodeInvalidRequest, "/geo/radius", "a radius needs a point (lat and lon)")
	}
	if !(g.Radius >= 0) || math.IsInf(g.Radius, 0) {
		p.addf(CodeInvalidRequest, "/geo/radius", "a radius is a number of meters, 0 or more")
	}
	if b := g.Box; b != nil {
		if !(geo.Point{Lat: b.South, Lon: b.West}).Valid() || !(geo.Point{Lat: b.North, Lon: b.East}).Valid() || b.South > b.North {
			p.addf(CodeInvalidRequest, "/geo/box", "a box is south, west, north, east in degrees, with south up to north")
		}
	}
}

// filter returns what a geo request asks for as a filter. Without radius and
// box it matches everything, but still names a field that has to be of places.
func (g *GeoRequest) filter() query.Node {
	var all []query.Node
	if g.From != nil && g.Radius > 0 {
		all = append(all, query.Geo{Field: g.Field, Lat: g.From.Lat, Lon: g.From.Lon, RadiusMeters: g.Radius})
	}
	if b := g.Box; b != nil {
		all = append(all, query.GeoBox{Field: g.Field, South: b.South, West: b.West, North: b.North, East: b.East})
	}
	if len(all) == 0 {
		anywhere := query.GeoBox{Field: g.Field, South: -90, West: -180, North: 90, East: 180}
		return query.Or{Nodes: []query.Node{anywhere, query.All{}}}
	}
	return query.And{Nodes: all}
}

func wrongGeoSort(f *Field) string {
	if f.Type == Geo {
		return fmt.Sprintf("places have no order; sort by the distance from one, as geo(%s,52.5,13.4)", f.Name)
	}
	return fmt.Sprintf("geo is for fields of places; %q is %s", f.Name, article(f.Type))
}

// nearest measures how far the nearest point of a document is.
func nearest(c *page.Chunk, columns []uint16, from geo.Point, place int) (meters float64, ok bool, err error) {
	for _, number := range columns {
		col, err := c.Column(number)
		if err != nil || col == nil {
			return 0, false, err
		}
		if meters, ok = col.Nearest(from, place); ok {
			return meters, true, nil
		}
	}
	return 0, false, nil
}

// distances measures how far a hit is from the points that the request names.
func (s *searcher) distances(f *found) (out []Distance, err error) {
	if s.req.Geo == nil && len(s.req.Sort) == 0 {
		return nil, nil
	}
	measure := func(field string, from Point) error {
		n, ok := f.run.iv.schema.byName[field]
		if !ok {
			return nil
		}
		meters, ok, err := nearest(f.ref.chunk, f.run.iv.schema.columnsOf(n), geo.Point(from), f.place)
		if ok {
			out = append(out, Distance{field, meters})
		}
		return err
	}
	named := map[string]bool{}
	if g := s.req.Geo; g != nil && g.From != nil {
		named[g.Field] = true
		if err := measure(g.Field, *g.From); err != nil {
			return nil, err
		}
	}
	for _, k := range s.req.Sort {
		if k.From == nil || named[k.Field] {
			continue
		}
		named[k.Field] = true
		if err := measure(k.Field, *k.From); err != nil {
			return nil, err
		}
	}
	return out, nil
}
