package engine

import (
	"fmt"
	"slices"
	"testing"
)

// TestCompoundsOfLettersAndDigits: a model is found however its letters and digits are
// written, and nothing is found for a code that no record has apart.
func TestCompoundsOfLettersAndDigits(t *testing.T) {
	e := titled(t, "en", "MX-5 roadster", "MX 5 roadster", "RAV4", "XPS 13", "RTX 4070", "iPhone 15", "Galaxy S24", "Catch-22",
		"Model 3", "SSD 16 GB", "Memory of 32GB", "RTX4070Ti", "RTX 4070 Ti", "GTX 16 with 60 fans", "order mx", "5 hats",
		"Sony WH-1000XM5", "Nail gun TM-CD18Z", "Drill HD12-15", "Gel-Nimbus 25")
	for _, c := range []struct {
		query, ids string
		want       []Correction
	}{
		{"mx5", "1 2", []Correction{{"mx5", "mx 5"}}},
		{"rav 4", "3", []Correction{{"rav 4", "rav4"}}},
		{"rav-4", "3", []Correction{{"rav 4", "rav4"}}},
		{"xps13", "4", []Correction{{"xps13", "xps 13"}}},
		{"rtx4070", "13 5", []Correction{{"rtx4070", "rtx 4070"}}},
		{"iphone15", "6", []Correction{{"iphone15", "iphone 15"}}},
		{"galaxys24", "7", []Correction{{"galaxys24", "galaxy s24"}}},
		{"catch22", "8", []Correction{{"catch22", "catch 22"}}},
		{"catch 22", "8", nil},
		{"model3", "9", []Correction{{"model3", "model 3"}}},
		{"16gb ssd", "10", []Correction{{"16gb", "16 gb"}}},
		{"32 gb", "11", []Correction{{"32 gb", "32gb"}}},
		{"rtx4070ti", "12 13", []Correction{{"rtx4070ti", "rtx 4070 ti"}}},
		{"rtx 4070 ti", "12 13", []Correction{{"rtx 4070 ti", "rtx4070ti"}}},
		{"wh1000xm5", "17", []Correction{{"wh1000xm5", "wh 1000xm5"}}},
		{"tmcd18z", "18", []Correction{{"tmcd18z", "tm cd18z"}}},
		{"hd1215", "19", []Correction{{"hd1215", "hd12 15"}}},
		{"gelnimbus25", "20", []Correction{{"gelnimbus25", "gel nimbus 25"}}},
		{"gtx1660", "", nil},
		{"mx6", "", nil},
		{"m1x5", "", nil},
		{"x5p", "", nil},
	} {
		res := find(t, e, &Request{Query: c.query, Match: MatchAll, Prefix: PrefixOff})
		if got := sortWords(idsOf(res)); got != c.ids || !slices.Equal(res.Query.Compounds, c.want) {
			t.Errorf("%q: %q by %v, want %q by %v", c.query, got, res.Query.Compounds, c.ids, c.want)
		}
		if len(res.Query.Corrections) > 0 || res.Query.DidYouMean != "" {
			t.Errorf("%q was repaired: %v, %q", c.query, res.Query.Corrections, res.Query.DidYouMean)
		}
	}
}

// TestCompoundsWithFillerWords: a filler word may be a part of a word, but what it is joined
// to is none.
func TestCompoundsWithFillerWords(t *testing.T) {
	e := titled(t, "en", "Checkout", "Overtime pay", "Login page", "Signup page", "Outage", "Preorder", "Pre-order", "Reorder", "re-order now",
		"Log in here", "Sign up here", "Tents without poles", "Apart from that", "Island")
	for _, c := range []struct{ query, ids, want string }{
		{"check out", "1", "[{check out checkout}]"},
		{"check-out", "1", "[{check out checkout}]"},
		{"over time pay", "2", "[{over time overtime}]"},
		{"log in", "10 3", "[{log in login}]"},
		{"sign up", "11 4", "[{sign up signup}]"},
		{"sign-up", "11 4", "[{sign up signup}]"},
		{"out age", "5", "[{out age outage}]"},
		{"pre-order", "6 7", "[{pre order preorder}]"},
		{"pre order", "6 7", "[{pre order preorder}]"},
		{"preorder", "6 7", "[{preorder pre order}]"},
		{"re-order", "8 9", "[{re order reorder}]"},
		{"is land", "", "[]"},
		{"with out poles", "", "[]"},
		{"a part", "", "[]"},
	} {
		res := find(t, e, &Request{Query: c.query, Match: MatchAll, Prefix: PrefixOff, Typo: Typo{Off: true}})
		if got := sortWords(idsOf(res)); got != c.ids || fmt.Sprint(res.Query.Compounds) != c.want {
			t.Errorf("%q: %q by %v, want %q by %s", c.query, got, res.Query.Compounds, c.ids, c.want)
		}
	}
	e = titled(t, "en", "Log in here", "Sign up here", "Backup", "Back up")
	for _, c := range []struct{ query, ids string }{{"signup", "2"}, {"backup", "3 4"}, {"login", "1"}} {
		res := find(t, e, &Request{Query: c.query, Match: MatchAll, Prefix: PrefixOff, Typo: Typo{Off: true}})
		if got := sortWords(idsOf(res)); got != c.ids {
			t.Errorf("%q: %q by %v, want %q", c.query, got, res.Query.Compounds, c.ids)
		}
	}
}
