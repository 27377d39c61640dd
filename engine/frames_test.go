package engine

import (
	"fmt"
	"strings"
	"testing"
)

// TestFrames: what people put around what they ask for does not count, and does where it is all
// that is asked for, or stands by itself.
func TestFrames(t *testing.T) {
	e := newEngine(t, nil)
	for _, language := range []string{"en", "de"} {
		create(t, e, language, Schema{Language: language, Fields: []Field{{Name: "title", Type: Text, Search: true, Weight: 5}, {Name: "text", Type: Text, Search: true}}})
	}
	apply(t, e, puts("en",
		`{"id":"pension","title":"Pension","text":"What you get when you are old."}`,
		`{"id":"debt","title":"Debt advice","text":"Help with debts: looking for information in advance helps a lot."}`,
		`{"id":"office","title":"Information desk","text":"Looking for help? Information in advance, with a lot of thanks."}`,
		`{"id":"way","title":"The best way","text":"A song."}`,
	))
	apply(t, e, puts("de",
		`{"id":"rente","title":"Rente","text":"Was man im Alter bekommt."}`,
		`{"id":"hilfe","title":"Hilfe bei Problemen","text":"Ich suche Informationen über Hilfe, vielen Dank im Voraus."}`,
	))
	for _, tt := range []struct{ index, q, want string }{
		{"en", "i am looking for information about pension", "pension"},
		{"en", "I'm looking for information about pension, thanks a lot in advance!", "pension"},
		{"en", "need help with pension asap", "pension"},
		{"en", "what is the best way to deal with debts", "debt"},
		{"en", "help information", "office"},
		{"en", "looking for information", "office"}, // there is nothing else
		{"en", "the best way", "way"},
		{"de", "ich suche informationen über rente", "rente"},
		{"de", "Ich brauche Hilfe bei Rente, vielen Dank", "rente"},
		{"de", "hilfe bei problemen", "hilfe"},
	} {
		if got := idsOf(find(t, e, &Request{Indexes: []string{tt.index}, Query: tt.q, Limit: 1})); got != tt.want {
			t.Errorf("%q: %s, want %s", tt.q, got, tt.want)
		}
	}
	table, cues := frameTable("en"), e.cuesOf("en")
	for q, want := range map[string]string{
		"i am looking for shoes":                   "[[0 16]]",
		"I’m looking for shoes, many thanks":       "[[0 17] [25 36]]",
		"looking glass":                            "[]",
		"thanks a lot":                             "[]",
		"thanks a lot!":                            "[]",
		"thanks a lot: " + strings.Repeat("x", 40): "[[0 12]]",
		"i need help with the":                     "[]",
		"":                                         "[]",
	} {
		if got := fmt.Sprint(table.around(q, cues)); got != want {
			t.Errorf("%q: frames at %s, want %s", q, got, want)
		}
	}
}
