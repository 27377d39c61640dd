package intent

import (
	"strings"
	"testing"

	"github.com/quarry-search/quarry/engine/query"
)

// Numbers that are several words of a query: each word is a span of its own there.
func TestNumbersOfSeveralWords(t *testing.T) {
	fields := []Field{{Name: "price", Type: Number}, {Name: "storage_gb", Type: Number}}
	for _, tt := range []struct{ language, q, want string }{
		{"fr", "chaussures moins de 1 000 €", "price < 1000"},
		{"fr", "moins de 1 500", "price < 1500"},
		{"fr", "moins de 15 000 euros", "price < 15000"},
		{"fr", "moins de 1 299 €", "price < 1299"},
		{"fr", "moins de 1 000 000 €", "price < 1000000"},
		{"fr", "iphone 13 256 gb", "storage_gb = 256"},
		{"fr", "moins de 12 34", "price < 12"},
		{"ru", "до 5 000 рублей", "price <= 5000"},
		{"sv", "under 1 000 kr", "price < 1000"},
		{"en", "under 1 000 dollars", "price < 1000"},
		{"en", "under 50 256 gb", "price < 50storage_gb = 256"}, // there a space parts numbers
		{"pt", "tênis até R$ 50", "price <= 50"},
		{"pt", "por menos de R$50", "price < 50"},
		{"pt", "até 50 reais", "price <= 50"},
		{"en", "under C$50", "price < 50"},
		{"de", "wohnung", ""},
	} {
		var spans [][2]int
		at := 0
		for word := range strings.FieldsSeq(tt.q) {
			at += strings.Index(tt.q[at:], word)
			spans = append(spans, [2]int{at, at + len(word)})
			at += len(word)
		}
		parts, err := NewDomain(NewCues(tt.language), fields, nil).Understand(tt.q, spans, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, p := range parts {
			got += query.FilterString(p.Filter)
		}
		if got != tt.want {
			t.Errorf("%s: %q: %q, want %q", tt.language, tt.q, got, tt.want)
		}
	}
}
