package httpapi

import (
	"strings"
	"testing"
)

// columnService is a service with a small index of shops in and around Berlin.
func columnService(t *testing.T) *service {
	s := withEngine(t, "")
	s.want(201, "PUT", "/v1/indexes/shops", `{"fields":[
		{"name":"name","type":"text"},{"name":"at","type":"geo","filter":true,"sort":true},
		{"name":"brand","type":"keyword","facet":true,"sort":true},{"name":"price","type":"float","filter":true,"facet":true,"sort":true},
		{"name":"opened","type":"date","facet":true},{"name":"n","type":"int","facet":true}]}`)
	s.want(201, "POST", "/v1/batch", `{"index":"shops","records":[
		{"id":"mitte","name":"red shoes","at":{"lat":52.52,"lon":13.405},"brand":"Nike","price":10,"opened":"2020-05-01","n":9007199254740993},
		{"id":"west","name":"red hats","at":"52.505, 13.32","brand":"Nike","price":20,"opened":"2021-05-01T10:00:00Z"},
		{"id":"potsdam","name":"blue shoes","at":[{"lat":52.4,"lon":13.06},{"lat":52.39,"lon":13.07}],"brand":"Émile","price":30},
		{"id":"paris","name":"red shoes","at":{"lat":48.8566,"lon":2.3522},"brand":"New Balance","price":40},
		{"id":"web","name":"red shoes online"}]}`)
	return s
}

func TestSearchesOverColumns(t *testing.T) {
	s := columnService(t)
	type hit struct {
		ID  string
		Geo map[string]struct {
			Distance float64 `json:"distance_m"`
		}
		Group *struct {
			Value any
			Total int
			Hits  []struct{ ID string }
		}
	}
	for _, c := range []struct{ name, body, ids string }{
		{"radius", `{"geo":{"field":"at","lat":52.52,"lon":13.405,"radius":"10km"},"sort":"price"}`, "mitte west"},
		{"radius in meters", `{"geo":{"field":"at","lat":52.52,"lon":13.405,"radius":100}}`, "mitte"},
		{"miles", `{"filter":["geo(at, 52.52, 13.405, \"4mi\")"],"sort":"price"}`, "mitte west"},
		{"box", `{"geo":{"field":"at","box":[52,13,53,14]},"sort":"price"}`, "mitte west potsdam"},
		{"box around the date line", `{"filter":["geo(at, 48, 170, 49, 10)"]}`, "paris"},
		{"by distance", `{"sort":"geo(at,48.85,2.35)"}`, "paris potsdam west mitte web"},
		{"by distance downwards", `{"sort":["geo(at, 48.85, 2.35):desc"]}`, "mitte west potsdam paris web"},
		{"only places", `{"filter":"EXISTS at","sort":"price"}`, "mitte west potsdam paris"},
		{"distinct", `{"distinct":"brand","sort":"price"}`, "mitte potsdam paris web"},
		{"distinct by score", `{"q":"red shoes","match":"any","distinct":"brand","index":"shops"}`, "mitte paris web potsdam"},
		{"groups", `{"group":{"field":"brand","limit":2},"sort":"price:desc","filter":"EXISTS brand"}`, "paris potsdam west"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got struct {
				Total int
				Hits  []hit
			}
			s.want(200, "POST", "/v1/search", c.body).into(t, &got)
			var ids []string
			for _, h := range got.Hits {
				ids = append(ids, h.ID)
				near := strings.Contains(c.body, `"lat"`) || strings.Contains(c.body, `"sort":"geo(`) || strings.Contains(c.body, `"sort":["geo(`)
				if _, ok := h.Geo["at"]; ok != (near && h.ID != "web") {
					t.Errorf("distance of %s: %v", h.ID, h.Geo)
				}
				if h.ID == "paris" && near && (h.Geo["at"].Distance < 700 || h.Geo["at"].Distance > 800) {
					t.Errorf("paris is %v m away", h.Geo["at"].Distance)
				}
				if h.ID == "west" && h.Group != nil && (h.Group.Value != "Nike" || h.Group.Total != 2 || len(h.Group.Hits) != 2 || h.Group.Hits[1].ID != "mitte") {
					t.Errorf("group: %+v", h.Group)
				}
			}
			if got := strings.Join(ids, " "); got != c.ids {
				t.Errorf("hits %s, want %s", got, c.ids)
			}
			if got.Total != len(got.Hits) {
				t.Errorf("total %d of %d hits", got.Total, len(got.Hits))
			}
		})
	}
}

func TestFacetsOverColumns(t *testing.T) {
	s := columnService(t)
	for _, c := range []struct{ name, body, want string }{
		{
			"disjunctive", `{"filter":"brand = \"Nike\" AND price < 35","facets":[{"field":"brand","disjunctive":true}]}`,
			`{"brand":{"values":[{"value":"Nike","count":2},{"value":"Émile","count":1}],"other":0,"missing":0,"exact":true}}`,
		},
		{
			"search", `{"facets":[{"field":"brand","query":"e"}]}`,
			`{"brand":{"values":[{"value":"Émile","count":1}],"other":0,"missing":1,"exact":true}}`,
		},
		{
			"in later words", `{"facets":[{"field":"brand","query":"BAL"}]}`,
			`{"brand":{"values":[{"value":"New Balance","count":1}],"other":0,"missing":1,"exact":true}}`,
		},
		{
			"by value", `{"facets":[{"field":"brand","sort":"value","limit":2}]}`,
			`{"brand":{"values":[{"value":"New Balance","count":1},{"value":"Nike","count":2}],"other":1,"missing":1,"exact":true}}`,
		},
		{
			"statistics alone", `{"facets":[{"field":"price","stats":true}]}`,
			`{"price":{"missing":1,"stats":{"min":10,"max":40,"avg":25,"sum":100,"count":4},"exact":true}}`,
		},
		{
			"ranges of dates", `{"facets":[{"field":"opened","ranges":[[null,"2021-01-01"],["2021-01-01",1893456000]]}]}`,
			`{"opened":{"ranges":[{"from":null,"to":"2021-01-01","count":1},{"from":"2021-01-01","to":1893456000,"count":1}],"missing":3,` +
				`"stats":{"min":1588291200,"max":1619863200,"avg":1604077200,"sum":3208154400,"count":2},"exact":true}}`,
		},
		{
			"ranges beyond 2^53", `{"facets":[{"field":"n","ranges":[[9007199254740993,null],[null,9007199254740993]]}]}`,
			`{"n":{"ranges":[{"from":9007199254740993,"to":null,"count":1},{"from":null,"to":9007199254740993,"count":0}],"missing":4,` +
				`"stats":{"min":9007199254740993,"max":9007199254740993,"avg":9007199254740993,"sum":9007199254740993,"count":1},"exact":true}}`,
		},
		{
			"distinct leaves facets alone", `{"distinct":"brand","facets":["brand"],"limit":0}`,
			`{"brand":{"values":[{"value":"Nike","count":2},{"value":"New Balance","count":1},{"value":"Émile","count":1}],"other":0,"missing":1,"exact":true}}`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := s.want(200, "POST", "/v1/search", c.body)
			if !strings.Contains(a.body, `"facets":`+c.want) {
				t.Errorf("got %s, want facets %s", a.body, c.want)
			}
		})
	}
}

func TestPagesOverColumns(t *testing.T) {
	s := columnService(t)
	for _, body := range []string{`"distinct":"brand","sort":"price"`, `"distinct":"brand","q":"red shoes","match":"any"`, `"sort":"geo(at,48,2)"`} {
		var ids []string
		cursor := ""
		for range 10 {
			var got struct {
				Hits []struct{ ID string }
				Next *string `json:"next_cursor"`
			}
			s.want(200, "POST", "/v1/search", `{"limit":1,`+body+cursor+`}`).into(t, &got)
			for _, h := range got.Hits {
				ids = append(ids, h.ID)
			}
			if got.Next == nil {
				break
			}
			cursor = `,"cursor":"` + *got.Next + `"`
		}
		var all struct{ Hits []struct{ ID string } }
		s.want(200, "POST", "/v1/search", `{`+body+`}`).into(t, &all)
		var want []string
		for _, h := range all.Hits {
			want = append(want, h.ID)
		}
		if len(want) < 4 || strings.Join(ids, " ") != strings.Join(want, " ") {
			t.Errorf("%s: page by page %v, at once %v", body, ids, want)
		}
		// The cursor is of this order alone.
		if other := strings.NewReplacer("48,2", "48,3", `"brand"`, `"price"`).Replace(body); cursor != "" {
			s.want(422, "POST", "/v1/search", `{"limit":1,`+other+cursor+`}`)
		}
	}
}

func TestPlacesThatAreNone(t *testing.T) {
	s := columnService(t)
	for _, c := range []struct{ at, pointer, detail string }{
		{`[13.4,52.5]`, "/operations/0/record/at/0", "does not tell which"},
		{`7`, "/operations/0/record/at", "a number"},
		{`true`, "/operations/0/record/at", "a boolean"},
		{`{"lat":52.5}`, "/operations/0/record/at", "one coordinate"},
		{`{"lat":52.5,"lng":13}`, "/operations/0/record/at", "other members"},
		{`{"lat":"52.5","lon":13}`, "/operations/0/record/at", "no numbers"},
		{`{"lat":90.01,"lon":13}`, "/operations/0/record/at", "latitude outside"},
		{`[{"lat":0,"lon":0},{"lat":0,"lon":180.5}]`, "/operations/0/record/at/1", "longitude outside"},
		{`"52.5"`, "/operations/0/record/at", "another text"},
		{`"52.5,13,4"`, "/operations/0/record/at", "another text"},
		{`"NaN,0"`, "/operations/0/record/at", "another text"},
		{`{"type":"Point","coordinates":[13,52]}`, "/operations/0/record/at", "other members"},
	} {
		p := s.want(422, "POST", "/v1/batch", `{"index":"shops","operations":[{"op":"put","record":{"id":"x","at":`+c.at+`}}]}`).problem(t)
		if len(p.Errors) == 0 || p.Errors[0].Pointer != c.pointer || !strings.Contains(p.Errors[0].Detail, c.detail) {
			t.Errorf("%s: %+v, want %q at %s", c.at, p.Errors, c.detail, c.pointer)
		}
	}
	for _, body := range []string{
		`{"filter":"at = 5"}`, `{"sort":"at"}`, `{"sort":"geo(price,1,2)"}`, `{"filter":"geo(price,1,2,3)"}`, `{"facets":["at"]}`, `{"distinct":"at"}`,
		`{"distinct":"name"}`, `{"geo":{"field":"price","lat":1,"lon":1}}`, `{"geo":{"field":"nowhere","lat":1,"lon":1}}`, `{"group":{"field":"nothing"}}`,
		`{"distinct":"brand","group":{"field":"price"}}`, `{"group":{"field":"brand","limit":600}}`, `{"facets":[{"field":"brand","stats":true}]}`,
		`{"facets":[{"field":"price","ranges":[["2020-01-01",null]]}]}`,
	} {
		s.want(422, "POST", "/v1/search", body)
	}
}
