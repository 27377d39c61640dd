package query

import (
	"strings"
	"testing"
)

func TestPlacesInFilters(t *testing.T) {
	for _, c := range []struct {
		text string
		want Node
	}{
		{`geo(at, 52.5, 13.4, 500)`, Geo{"at", 52.5, 13.4, 500}},
		{`geo(at,52.5,13.4,"5km")`, Geo{"at", 52.5, 13.4, 5000}},
		{`geo(at,52.5,13.4,'2 mi')`, Geo{"at", 52.5, 13.4, 2 * 1609.344}},
		{`GEO (at, -90, -180, 0)`, Geo{"at", -90, -180, 0}},
		{`geo(at, 50, 10, 60, 20)`, GeoBox{"at", 50, 10, 60, 20}},
		{`geo(at, -10, 170, 10, -170)`, GeoBox{"at", -10, 170, 10, -170}},
		{"geo(`my place`, 50, 10, 50, 10)", GeoBox{"my place", 50, 10, 50, 10}},
	} {
		got, err := ParseFilter(c.text, Limits{})
		if err != nil || !Equal(got, c.want) {
			t.Errorf("%s: %#v, %v; want %#v", c.text, got, err, c.want)
			continue
		}
		if again, err := ParseFilter(String(got), Limits{}); err != nil || !Equal(again, got) {
			t.Errorf("%s is printed as %s, which is %#v, %v", c.text, String(got), again, err)
		}
	}
	for _, c := range []struct {
		text   string
		detail string
	}{
		{`geo(at, 52.5, 13.4)`, `expected ","`},
		{`geo(at, 91, 13.4, 5)`, "latitude"},
		{`geo(at, 9, 181, 5)`, "longitude"},
		{`geo(at, 9, 18, -5)`, "radius"},
		{`geo(at, 9, 18, 5 feet)`, "radius"},
		{`geo(at, 9, 18, "")`, "radius"},
		{`geo(at, 60, 10, 50, 20)`, "northern latitude"},
		{`geo(at, 60, 10, 70, 200)`, "longitude"},
		{`geo(at, 60, 10, 70)extra`, "end of the filter"},
		{`geo(at, 60, 10, 70, 20, 1)`, `expected ")"`},
	} {
		_, err := ParseFilter(c.text, Limits{})
		if e, ok := err.(*Error); !ok || !strings.Contains(e.Detail, c.detail) {
			t.Errorf("%s: %v, want %q", c.text, err, c.detail)
		}
	}
}

func TestParseGeoKey(t *testing.T) {
	for _, c := range []struct {
		text string
		ok   bool
		want Geo
		bad  bool
	}{
		{"geo(at,52.5,13.4)", true, Geo{Field: "at", Lat: 52.5, Lon: 13.4}, false},
		{" Geo( at , -90 , 180 ) ", true, Geo{Field: "at", Lat: -90, Lon: 180}, false},
		{"price", false, Geo{}, false},
		{"geo", false, Geo{}, false},
		{"geography", false, Geo{}, false},
		{"geo(at)", true, Geo{}, true},
		{"geo(at,1,2,3)", true, Geo{}, true},
		{"geo(at,1,2) x", true, Geo{}, true},
		{"geo(at,91,2)", true, Geo{}, true},
	} {
		got, ok, err := ParseGeoKey(c.text)
		if ok != c.ok || (err != nil) != c.bad || err == nil && got != c.want {
			t.Errorf("%q: %+v, %v, %v", c.text, got, ok, err)
		}
	}
}

func FuzzParseGeoKey(f *testing.F) {
	for _, s := range []string{"geo(at,52.5,13.4)", "geo(`a b`, 1, -2)", "geo(at,1,2,3)", "price", "geo("} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		key, ok, err := ParseGeoKey(text)
		if err == nil && ok && (key.Field == "" || key.Lat < -90 || key.Lat > 90 || key.Lon < -180 || key.Lon > 180) {
			t.Fatalf("%q gives %+v", text, key)
		}
	})
}
