//go:build unix

package httpapi

import (
	"strings"
	"syscall"
	"testing"
	"time"
)

// worked returns the time that processors have spent on this process: other
// than the clock, it does not count what the machine does beside.
func worked(t *testing.T) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// expensiveBodies are bodies of one thing over and over: what takes time that
// grows faster than the body shows here.
var expensiveBodies = []struct{ request, begin, element, separator, end string }{
	{"POST /v1/search", `{`, `"m#":0`, ",", "}"},
	{"POST /v1/search", `{"`, `m`, "", `":0}`},
	{"POST /v1/search", `{"highlight":{`, `"m#":0`, ",", "}}"},
	{"POST /v1/search", `{"highlight":{"fields":[`, `"title"`, ",", "]}}"},
	{"POST /v1/search", `{"highlight":{"pre":"`, "x", "", `"}}`},
	{"POST /v1/search", `{"index":[`, `"i#"`, ",", "]}"},
	{"POST /v1/search", `{"index":[`, `"i#*"`, ",", "]}"},
	{"POST /v1/search", `{"index":[`, `"shop"`, ",", "]}"},
	{"POST /v1/search", `{"filter":[`, `"price = #"`, ",", "]}"},
	{"POST /v1/search", `{"filter":"`, `price = #`, " OR ", `"}`},
	{"POST /v1/search", `{"filter":"brand IN [`, `'v#'`, ",", `]"}`},
	{"POST /v1/search", `{"filter":"`, `(`, "", `"}`},
	{"POST /v1/search", `{"filter":"`, `NOT`, " ", `"}`},
	{"POST /v1/search", `{"filter":"brand STARTS WITH '`, `x`, "", `'"}`},
	{"POST /v1/search", `{"sort":[`, `"f#"`, ",", "]}"},
	{"POST /v1/search", `{"sort":"`, `a:`, "", `"}`},
	{"POST /v1/search", `{"q":"a","fields":[`, `"f#"`, ",", "]}"},
	{"POST /v1/search", `{"return":[`, `"a.b.c#"`, ",", "]}"},
	{"POST /v1/search", `{"return":"`, `a.`, "", `"}`},
	{"POST /v1/search", `{"hide":[`, `"id#"`, ",", "]}"},
	{"POST /v1/search", `{"pin":[`, `"id#"`, ",", "]}"},
	{"POST /v1/search", `{"facets":[`, `"brand"`, ",", "]}"},
	{"POST /v1/search", `{"facets":[`, `"f#"`, ",", "]}"},
	{"POST /v1/search", `{"facets":[{"field":"price","ranges":[`, `[#,null]`, ",", "]}]}"},
	{"POST /v1/search", `{"typo":{"off_fields":[`, `"f#"`, ",", "]}}"},
	{"POST /v1/search", `{"q":"`, `x`, " ", `"}`},
	{"POST /v1/search", `{"q":"`, `\"`, "", `"}`},
	{"POST /v1/search", `{"cursor":"`, `x`, "", `"}`},
	{"POST /v1/search", `{"language":"`, `x`, "", `"}`},
	{"POST /v1/search", `{"limit":`, `9`, "", `}`},
	{"POST /v1/multi-search", `{"searches":[`, `{"f#":1}`, ",", `]}`},
	{"POST /v1/multi-search", `{"searches":[{`, `"m#":0`, ",", `}]}`},
	{"POST /v1/suggest", `{"q":"`, `x`, " ", `"}`},
	{"PUT /v1/indexes/a", `{"fields":[`, `{"name":"f#","type":"int"}`, ",", `]}`},
	{"PUT /v1/indexes/a", `{"fields":[`, `{"name":"f","type":"int"}`, ",", `]}`},
	{"PATCH /v1/indexes/shop", `{"fields":[`, `{"name":"f#","type":"int"}`, ",", `]}`},
	{"PUT /v1/indexes/a", `{"fields":[{"name":"`, `a.`, "", `a","type":"int"}]}`},
	{"PUT /v1/indexes/a", `{"synonyms":[`, `{"words":["a#","b"]}`, ",", `]}`},
	{"PUT /v1/indexes/a", `{"synonyms":[{"words":[`, `"a#"`, ",", `]}]}`},
	{"PUT /v1/indexes/a", `{"rules":[`, `{"id":"a#","when":{"query":"a b #"}}`, ",", `]}`},
	{"PUT /v1/indexes/a", `{"presets":{`, `"p#":{}`, ",", `}}`},
	{"PUT /v1/indexes/a", `{"stop_words":[`, `"a#"`, ",", `]}`},
	{"PUT /v1/record/a?index=shop", `{`, `"m#":0`, ",", `}`},
	{"PUT /v1/record/a?index=shop", `{"x":{`, `"m#":0`, ",", `}}`},
	{"PUT /v1/record/a?index=shop", `{"loc":{`, `"m#":0`, ",", `}}`},
	{"PUT /v1/record/a?index=shop", `{"loc":[`, `0`, ",", `]}`},
	{"PUT /v1/record/a?index=shop", `{"price":[`, `"a"`, ",", `]}`},
	{"PUT /v1/record/a?index=shop", `{"title":"`, `a`, "", `"}`},
	{"PUT /v1/record/a?index=shop", `{"title":"`, `a#`, " ", `"}`},
	{"PUT /v1/record/a?index=shop", `{"title":[`, `"a"`, ",", `]}`},
	{"PUT /v1/record/a?index=shop", `{"title":"`, "\u0301", "", `"}`},
	{"PUT /v1/record/a?index=shop", `{"title":"`, "北", "", `"}`},
	{"PUT /v1/record/a?index=shop", `{"title":"`, "a-", "", `"}`},
	{"PUT /v1/record/a?index=shop", `{"brand":[`, `"a#"`, ",", `]}`},
	{"PUT /v1/record/a?index=shop", `{"z":[`, `{"a":{"b":{"c":{"d":[[[[#]]]]}}}}`, ",", `]}`},
	{"POST /v1/keys", `{`, `"m#":0`, ",", `}`},
	{"POST /v1/keys", `{"scopes":["read"],"indexes":[`, `"a#*"`, ",", `]}`},
	{"POST /v1/keys", `{"scopes":[`, `"rad"`, ",", `]}`},
	{"POST /v1/webhooks", `{"url":"https://a.example","events":["`, `batch.apled`, "", `"]}`},
	{"POST /v1/webhooks", `{"url":"https://a.example","events":[`, `"batch.apled"`, ",", `]}`},
	{"POST /v1/webhooks", `{"url":"https://a.example/`, `x`, "", `"}`},
	{"POST /v1/graphql", `{"query":"{`, `a `, "", `}"}`},
	{"POST /v1/graphql", `{"query":"query($q:String){search(q:$q){total}}","variables":{`, `"m#":0`, ",", `}}`},
	{"POST /v1/batch", `{"index":"shop","operations":[`, `{"op":"pt"}`, ",", `]}`},
	{"POST /v1/batch", `{"index":"shop","operations":[{`, `"m#":0`, ",", `}]}`},
	{"POST /v1/batch", `{"index":"shop","operations":[`, `{"op":"delete_where","filter":"price = #"}`, ",", `]}`},
	{"POST /v1/batch", `{"index":"shop","operations":[`, `{"op":"patch","id":"r1","record":{"price":#}}`, ",", `]}`},
	{"POST /v1/batch", `{"index":"shop","operations":[`, `{"op":"patch_where","filter":"stock = 1","record":{"more":{"n":#}}}`, ",", `]}`},
	{"POST /v1/batch", `{"operations":[`, `{"op":"put","index":"n#","record":{}}`, ",", `]}`},
	{"POST /v1/batch", `{"index":"wide","records":[`, `{"f#":1}`, ",", `]}`},
	{"POST /v1/batch", `{"index":"shop","records":[`, `{"price":"x"}`, ",", `]}`},
	{"POST /v1/indexes/swap", `{`, `"m#":0`, ",", `}`},
}

// TestBodiesCostNoMoreThanTheirSize: four times the body takes four times as
// long, not sixteen times, which it takes where each element is compared with
// all the others.
func TestBodiesCostNoMoreThanTheirSize(t *testing.T) {
	const size, growth = 128 << 10, 12
	s := withEngine(t, "")
	s.want(201, "PUT", "/v1/indexes/shop", `{"fields":[{"name":"title","type":"text"},{"name":"price","type":"float","filter":true,"sort":true,"facet":true},
		{"name":"brand","type":"keyword","filter":true,"facet":true},{"name":"stock","type":"int","filter":true},{"name":"loc","type":"geo","filter":true}]}`)
	s.want(201, "POST", "/v1/batch", `{"index":"shop","records":[{"id":"r1","title":"red","price":1,"brand":"v1","stock":1},{"id":"r2","stock":1}]}`)
	for _, c := range expensiveBodies {
		method, path, _ := strings.Cut(c.request, " ")
		send := func(size int) time.Duration {
			body := filled(size, c.begin, c.element, c.separator, c.end)
			begin := worked(t)
			a := s.do(method, path, body)
			took := worked(t) - begin
			if a.status >= 500 || len(a.body) > 4*size {
				t.Errorf("%s %s%s%s%s…: %d with %d bytes: %.300s", c.request, c.begin, c.element, c.separator, c.element, a.status, len(a.body), a.body)
			}
			return took
		}
		took := send(size)
		if took < time.Second/2 {
			continue // nobody minds how it grows
		}
		took = min(took, send(size), send(size)) // a collection of garbage may fall into one
		if less := min(send(size/4), send(size/4), send(size/4)); took > growth*less && took > time.Second/2 {
			t.Errorf("%s %s%s%s%s… takes %v, a quarter of it %v", c.request, c.begin, c.element, c.separator, c.element, took, less)
		}
	}
}
