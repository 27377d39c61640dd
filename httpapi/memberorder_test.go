package httpapi

import (
	stdjson "encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/quarry-search/quarry/engine"
)

// shuffled writes a value with the members of its objects in any order.
func shuffled(r *rand.Rand, v any) string {
	var parts []string
	switch v := v.(type) {
	case map[string]any:
		names := slices.Sorted(maps.Keys(v))
		r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		for _, name := range names {
			parts = append(parts, strconv.Quote(name)+":"+shuffled(r, v[name]))
		}
		return "{" + strings.Join(parts, ",") + "}"
	case []any:
		for _, e := range v {
			parts = append(parts, shuffled(r, e))
		}
		return "[" + strings.Join(parts, ",") + "]"
	}
	text, err := stdjson.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// TestOrderOfMembers: a body says the same in whatever order its members stand.
func TestOrderOfMembers(t *testing.T) {
	s := newService(t)
	read := map[string]func(value) any{
		"search": func(v value) any {
			q, err := s.server.parseSearch(nil, v)
			if err != nil {
				return err.Error()
			}
			return q.Request
		},
		"schema": func(v value) any {
			schema, err := s.server.parseSchema(v, engine.Schema{Dynamic: true}, false)
			if err != nil {
				return err.Error()
			}
			return schema
		},
	}
	const seed = 7
	r := rand.New(rand.NewPCG(seed, 1))
	for _, c := range []struct{ what, body string }{
		{"search", `{"semantic":{"weight":0.5,"hybrid":0}}`},
		{"search", `{"semantic":{"weight":0,"hybrid":0.5}}`},
		{"search", `{"vector":[1,2],"semantic":{"field":"v","nearest":0,"hybrid":1}}`},
		{"search", `{"q":"a","limit":5,"offset":3,"sort":["n:desc","_score"],"filter":["a=1","b=2"],"facets":[{"field":"k","limit":3,"sort":"value","query":"x"},{"field":"n","ranges":[{"from":1,"to":2}]}],"explain":true,"timeout_ms":100,"min_version":1}`},
		{"search", `{"highlight":{"fields":["t"],"pre":"<","post":">","words":3},"typo":{"min1":5,"min2":9,"off_fields":["t"]},"intent":{"mode":"boost"},"distinct":"k","match":"all"}`},
		{"search", `{"typo":{"off_fields":["t"],"min1":9,"min2":4},"pin":[{"id":"x","position":1}],"hide":["y"],"synonyms":false,"stop_words":false}`},
		{"search", `{"similar":{"id":"x","index":"i","fields":["t"]},"limit":3}`},
		{"schema", `{"language":"de","primary_key":"pk","dynamic":true,"visible":false,"fields":[{"name":"t","type":"text","search":true,"filter":true,"weight":2,"b":0.4,"language":"fr"},{"name":"v","type":"vector","dimensions":3,"metric":"dot"}],"stop_words":["x"],"semantic":"on"}`},
		{"schema", `{"fields":[{"name":"n","type":"int","filter":false,"sort":true,"facet":false},{"name":"w","type":"text","search":false,"weight":5}]}`},
	} {
		var body any
		if err := stdjson.Unmarshal([]byte(c.body), &body); err != nil {
			t.Fatal(err)
		}
		want, err := stdjson.Marshal(read[c.what](value{raw: []byte(c.body)}))
		if err != nil {
			t.Fatal(err)
		}
		for range 40 {
			text := shuffled(r, body)
			got, err := stdjson.Marshal(read[c.what](value{raw: []byte(text)}))
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != string(want) {
				t.Errorf("seed %d: %s is read as %s, %s as %s", seed, text, got, c.body, want)
			}
		}
	}
}
