package engine

import (
	"context"
	"fmt"
	"testing"
)

// A field that is declared an int takes an integer however it is written, and
// holds just this one. The record keeps what was written.
func TestIntegersHoweverTheyAreWritten(t *testing.T) {
	d := newDisk(t, Options{FlushRecords: 7})
	create(t, d.e, "k", Schema{Dynamic: true, Fields: []Field{{Name: "n", Type: Int, Filter: true, Sort: true, Facet: true}}})
	for i, text := range []string{"1.0", "1e3", "1000", "-0.0", "12.50e1", "9223372036854775807.0", "9223372036854775806", "-9223372036854775808.000",
		"922337203685477580.7e1", "9007199254740993.0", "[2.0,3,4e0]", "0e-99", "100e-2"} {
		apply(t, d.e, puts("k", fmt.Sprintf(`{"id":"%02d","n":%s}`, i, text)))
	}
	d.states("k", func(t *testing.T, e *Engine) {
		for filter, want := range map[string]string{
			"n = 1":                    "00 12",
			"n = 1000":                 "01 02",
			"n = 0":                    "03 11",
			"n = 125":                  "04",
			"n = 9223372036854775807":  "05 08",
			"n = 9223372036854775806":  "06",
			"n = -9223372036854775808": "07",
			"n = 9007199254740993":     "09",
			"n = 9007199254740992":     "",
			"n IN [2, 4]":              "10",
			"n > 999 AND n < 1001":     "01 02",
		} {
			if got := filtered(t, e, "k", filter); got != want {
				t.Errorf("%s: %q, want %q", filter, got, want)
			}
		}
		res := find(t, e, &Request{Sort: []SortKey{{Field: "n"}}, Limit: 2})
		if got := idsOf(res); got != "07 11" && got != "07 03" {
			t.Errorf("sorted: %q", got)
		}
		if rec, err := e.Record(context.Background(), "k", "01"); err != nil || string(rec.JSON) != `{"id":"01","n":1e3}` {
			t.Errorf("%s, %v", rec.JSON, err)
		}
	})
}

// A field whose type was inferred is no int any more with a number that has a
// point: who writes one may write 1.5 next.
func TestInferredIntegersWidenAsBefore(t *testing.T) {
	e := newEngine(t, nil)
	apply(t, e, puts("k", `{"id":"a","n":1}`))
	apply(t, e, puts("k", `{"id":"b","n":1.0}`))
	apply(t, e, puts("k", `{"id":"c","n":1.5}`))
	if info, _ := e.Index("k"); info.Schema.Fields[0].Type != Float {
		t.Errorf("%+v", info.Schema.Fields)
	}
	if got := filtered(t, e, "k", "n = 1"); got != "a b" {
		t.Errorf("%q", got)
	}
}
