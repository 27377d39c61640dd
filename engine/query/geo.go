package query

import "strings"

// ParseGeoKey reads "geo(field, lat, lon)", by which sort keys name a point
// that distances are measured from. ok is false, and err nil, if text does not
// begin with "geo(". Errors are of type [*Error] with code "invalid_filter".
func ParseGeoKey(text string) (key Geo, ok bool, err error) {
	p := newFilterParser(Limits{})
	if err := p.begin(text); err != nil {
		return Geo{}, false, err
	}
	if p.skipSpace(); !p.keyword("geo") {
		return Geo{}, false, nil
	}
	if p.skipSpace(); !p.accept('(') {
		return Geo{}, false, nil
	}
	if key.Field, key.Lat, key.Lon, err = p.place(); err != nil {
		return Geo{}, true, err
	}
	if err := p.close("the longitude"); err != nil {
		return Geo{}, true, err
	}
	if p.skipSpace(); !p.atEnd() {
		return Geo{}, true, p.fail(p.pos, `expected nothing after ")"`)
	}
	return key, true, nil
}

// ParseLength reads a length such as 500, 500m, 5km or 3mi, in meters. ok is
// false if text is none, or is negative.
func ParseLength(text string) (meters float64, ok bool) { return radius(strings.TrimSpace(text)) }

// geo reads the arguments of geo, the word of which began at byte offset start.
func (p *filterParser) geo(start int) (Node, error) {
	if err := p.countOperator(start); err != nil {
		return nil, err
	}
	p.pos++
	field, lat, lon, err := p.place()
	if err != nil {
		return nil, err
	}
	at, text, err := p.argument()
	if err != nil {
		return nil, err
	}
	if p.at(',') {
		north, ok := plainNumber(text)
		if !ok || north < lat || north > 90 {
			return nil, p.fail(at, "expected the northern latitude of a box, from the southern one to 90")
		}
		east, err := p.coordinate("a longitude from -180 to 180", 180)
		if err != nil {
			return nil, err
		}
		return GeoBox{Field: field, South: lat, West: lon, North: north, East: east}, p.close("the box")
	}
	if n := len(text); n >= 2 && (text[0] == '"' || text[0] == '\'') && text[n-1] == text[0] {
		text = text[1 : n-1]
	}
	meters, ok := ParseLength(text)
	if !ok {
		return nil, p.fail(at, "expected a radius such as 500, 500m, 5km or 3mi")
	}
	return Geo{Field: field, Lat: lat, Lon: lon, RadiusMeters: meters}, p.close("the radius")
}

// place reads a field, a latitude and a longitude.
func (p *filterParser) place() (field string, lat, lon float64, err error) {
	p.skipSpace()
	if field, err = p.field(); err != nil {
		return "", 0, 0, err
	}
	if lat, err = p.coordinate("a latitude from -90 to 90", 90); err != nil {
		return "", 0, 0, err
	}
	lon, err = p.coordinate("a longitude from -180 to 180", 180)
	return field, lat, lon, err
}

func (p *filterParser) close(after string) error {
	if !p.accept(')') {
		return p.fail(p.pos, `expected ")" after %s`, after)
	}
	return nil
}

func (p *filterParser) coordinate(what string, limit float64) (float64, error) {
	at, text, err := p.argument()
	if err != nil {
		return 0, err
	}
	degrees, ok := plainNumber(text)
	if !ok || degrees < -limit || degrees > limit {
		return 0, p.fail(at, "expected %s", what)
	}
	return degrees, nil
}

// argument reads a comma and the number behind it, which may have a unit.
func (p *filterParser) argument() (at int, text string, err error) {
	if p.skipSpace(); !p.accept(',') {
		return 0, "", p.fail(p.pos, `expected ","`)
	}
	p.skipSpace()
	at = p.pos
	text = p.skipTo(func(r rune) bool { return r == ',' || r == ')' })
	return at, strings.TrimSpace(text), nil
}
