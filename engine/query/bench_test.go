package query

import (
	"strings"
	"testing"
)

func BenchmarkParse(b *testing.B) {
	for _, bench := range []struct {
		name, text string
		parse      func(string, Limits) (Node, error)
	}{
		{"simple", `red OR blue "running shoes" under 50 -used`, ParseSimple},
		{"query", `title:(red OR blue) AND "running shoes"~2^2.5 price:[10 TO 50] -used`, ParseQuery},
		{"filter", `in_stock = true AND (brand IN ["Nike","Asics"] OR rating >= 4.5) AND price 10..50`, ParseFilter},
		{"filter of 10000 values", "id IN [" + strings.Repeat("1234567, ", 9999) + "1]", ParseFilter},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(bench.text)))
			for b.Loop() {
				if _, err := bench.parse(bench.text, Limits{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
