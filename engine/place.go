package engine

import (
	"math"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/quarry-search/quarry/engine/internal/geo"
	"github.com/quarry-search/quarry/engine/internal/page"
)

// placeForms is what a place may look like, for errors.
const placeForms = `{"lat":52.5,"lon":13.4} or "52.5,13.4", latitude first`

// isPlace tells whether a path is that of a field of places, whose objects are
// one value each.
func (a *analysis) isPlace(path []byte) bool {
	i, ok := a.schema.byName[string(path)]
	return ok && a.schema.Fields[i].Type == Geo && (!a.fixed || i < a.known)
}

// place takes one value of a field of places.
func (a *analysis) place(field int, at pointer, v scalar, p *problems) {
	name := a.schema.Fields[field].Name
	bad := v.bad
	switch v.kind {
	case scalarPoint:
	case scalarString:
		v.at, bad = placeOfText(string(v.str))
	case scalarInt, scalarFloat:
		// [13.4, 52.5] and [52.5, 13.4] are both in use, and mean two places.
		bad = "a number; a list of two numbers does not tell which of them is the latitude"
	default:
		bad = v.kind.String()
	}
	if bad != "" {
		p.addf(CodeInvalidFieldType, at(), "the field %q takes places as %s, not %s", name, placeForms, bad)
		return
	}
	if f := &a.schema.Fields[field]; f.exact() {
		a.column(field, page.GeoValue(geo.Encode(v.at)))
	}
}

// placeOfText reads "lat,lon"; bad says what is wrong with it.
func placeOfText(s string) (at geo.Point, bad string) {
	lat, lon, ok := strings.Cut(s, ",")
	if at.Lat, ok = degrees(lat, ok); ok {
		at.Lon, ok = degrees(lon, ok)
	}
	if !ok {
		return at, "another text"
	}
	return at, outOfRange(at)
}

// degrees reads a decimal number with white space around it.
func degrees(s string, ok bool) (float64, bool) {
	s = strings.TrimSpace(s)
	if !ok || s == "" || len(s) > maxNumberBytes || strings.Trim(s, "0123456789+-.eE") != "" {
		return 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil
}

func outOfRange(p geo.Point) string {
	switch {
	case !(math.Abs(p.Lat) <= 90):
		return "a latitude outside of -90 to 90"
	case !(math.Abs(p.Lon) <= 180):
		return "a longitude outside of -180 to 180"
	}
	return ""
}

// place reads an object as a place.
func (w *walker) place(f func([]byte, pointer, scalar) error) error {
	raw, err := w.dec.ReadValue()
	if err != nil {
		return malformed(err)
	}
	if w.inner == nil {
		w.inner = jsontext.NewDecoder(&w.object)
	}
	w.object.Reset(raw)
	w.inner.Reset(&w.object)
	v := scalar{kind: scalarPoint}
	v.at, v.bad = placeOfObject(w.inner)
	return f(w.path, w.at, v)
}

// placeOfObject reads {"lat":…,"lon":…} of valid JSON.
func placeOfObject(dec *jsontext.Decoder) (at geo.Point, bad string) {
	if _, err := dec.ReadToken(); err != nil {
		return at, "an object"
	}
	seen := 0
	for dec.PeekKind() == '"' {
		name, err := dec.ReadToken()
		if err != nil {
			return at, "an object"
		}
		var to *float64
		switch name.String() {
		case "lat":
			to = &at.Lat
		case "lon":
			to = &at.Lon
		default:
			return at, "an object with other members"
		}
		v, err := dec.ReadValue()
		if err != nil || v.Kind() != '0' {
			return at, "coordinates that are no numbers"
		}
		var ok bool
		if *to, ok = degrees(string(v), true); !ok {
			return at, "coordinates that are no numbers"
		}
		seen++
	}
	if seen != 2 {
		return at, "one coordinate alone"
	}
	return at, outOfRange(at)
}
