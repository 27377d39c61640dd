package engine

import (
	"context"
	"math"
	"strings"
	"testing"
)

func placeSchema() Schema {
	return Schema{Dynamic: true, Fields: []Field{
		{Name: "at", Type: Geo, Filter: true, Sort: true}, {Name: "spots", Type: Geo, Filter: true}, {Name: "shop.at", Type: Geo, Sort: true},
		{Name: "kept", Type: Geo},
	}}
}

// Places stay what they are through flushes, merges, cleanups, crashes and
// rebuilds.
func TestPlacesInAllStates(t *testing.T) {
	d := newDisk(t, Options{})
	create(t, d.e, "i", placeSchema())
	apply(t, d.e, puts("i",
		`{"id":"berlin","at":{"lat":52.52,"lon":13.405},"shop":{"at":"52.52,13.405"},"kept":{"lat":1,"lon":2}}`,
		`{"id":"paris","at":"48.8566, 2.3522","spots":[{"lat":0,"lon":0},"48.85,2.35"]}`,
		`{"id":"fiji","at":{"lon":178.065,"lat":-17.7134},"spots":{"lat":-17.7,"lon":-179.99}}`,
		`{"id":"none","spots":[]}`,
		`{"id":"gone","at":"52.52,13.405"}`,
	))
	var gone Batch
	gone.Delete("i", "gone")
	apply(t, d.e, &gone)
	check := func(t *testing.T, e *Engine) {
		for filter, want := range map[string]string{
			"geo(at, 52.5, 13.4, 10km)":            "berlin",
			"geo(at, 50, 5, 900km)":                "berlin paris",
			"geo(at, -20, 170, -10, -170)":         "fiji",
			"geo(spots, -18, 179, -17, -179)":      "fiji",
			"geo(spots, 48, 2, 49, 3)":             "paris",
			"NOT geo(at, 50, 5, 900km)":            "fiji none",
			"EXISTS at":                            "berlin fiji paris",
			"EMPTY spots":                          "berlin none",
			"geo(spots, 0, 0, 1) OR at = null":     "none paris",
			"geo(at, -90, 0, 21000km)":             "berlin fiji paris",
			"EXISTS at AND NOT geo(spots,0,0,1km)": "berlin fiji",
		} {
			if got := filtered(t, e, "i", filter); got != want {
				t.Errorf("%s: %s, want %s", filter, got, want)
			}
		}
		berlin := &Point{52.52, 13.405}
		res := find(t, e, &Request{Indexes: []string{"i"}, Sort: []SortKey{{Field: "at", From: berlin}}})
		if got := idsOf(res); got != "berlin paris fiji none" {
			t.Errorf("by distance: %s", got)
		}
		if g := res.Hits[1].Geo; len(g) != 1 || g[0].Field != "at" || math.Abs(g[0].Meters-877_464) > 10 {
			t.Errorf("distance of paris: %v", g)
		}
		if g := res.Hits[3].Geo; g != nil {
			t.Errorf("distance of a record without place: %v", g)
		}
		res = find(t, e, &Request{Indexes: []string{"i"}, Sort: []SortKey{{Field: "shop.at", From: berlin}}, Limit: 1})
		if got := idsOf(res); got != "berlin" {
			t.Errorf("nested place: %s", got)
		}
	}
	d.states("i", check)
	schema := placeSchema()
	schema.Fields[3].Filter = true
	if _, err := d.e.UpdateIndex(context.Background(), "i", schema); err != nil {
		t.Fatal(err)
	}
	t.Run("rebuilt", func(t *testing.T) {
		check(t, d.e)
		if got := filtered(t, d.e, "i", "geo(kept, 1, 2, 1)"); got != "berlin" {
			t.Errorf("a place that was only stored: %q", got)
		}
	})
}

func TestPlacesThatAreRefused(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "i", placeSchema())
	for _, c := range []struct{ value, pointer, detail string }{
		{`[13.4,52.5]`, "/record/at/0", "does not tell which"},
		{`{"lat":1,"lon":2,"alt":3}`, "/record/at", "other members"},
		{`{}`, "/record/at", "one coordinate"},
		{`{"lat":-90.5,"lon":2}`, "/record/at", "latitude outside"},
		{`[[{"lat":0,"lon":-180.1}]]`, "/record/at/0/0", "longitude outside"},
		{`"Berlin"`, "/record/at", "another text"},
		{`"0x1,2"`, "/record/at", "another text"},
		{`false`, "/record/at", "a boolean"},
	} {
		_, err := e.Apply(context.Background(), puts("i", `{"id":"1","at":`+c.value+`}`))
		inv := wantProblem(t, err, CodeInvalidFieldType, c.pointer)
		if inv != nil && !strings.Contains(inv.Problems[0].Detail, c.detail) {
			t.Errorf("%s: %s, want %q", c.value, inv.Problems[0].Detail, c.detail)
		}
	}
	for _, f := range []Field{{Name: "a", Type: Geo, Facet: true}, {Name: "a", Type: Geo, Search: true}} {
		if _, err := e.CreateIndex(context.Background(), "j", Schema{Fields: []Field{f}}); err == nil {
			t.Errorf("%+v was accepted", f)
		}
	}
}

func FuzzPlaceOfText(f *testing.F) {
	for _, s := range []string{"52.5,13.4", " -90 , 180 ", "1e1,2", "1,2,3", "NaN,1", "", ","} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if at, bad := placeOfText(s); bad == "" && !at.Valid() {
			t.Fatalf("%q is %v", s, at)
		}
	})
}
