package engine

import "testing"

func TestSlipsBeforeOtherEdits(t *testing.T) {
	e := titled(t, "en",
		"Radio", "Raid", "Raid", "Raid", "Shoes", "Hose", "Hose", "Hose", "Apple", "Melon", "Phone case", "Bone", "Bone", "Bone",
		"Nephew", "Angle", "Angels", "Grphx",
	)
	for _, c := range []struct{ query, understood string }{
		{"raido", "raido>radio"},    // letters in another order, before one too many
		{"shose", "shose>shoes"},    //
		{"aplep", "aplep>apple"},    // even two edits away, where no other word is near
		{"lemon", ""},               // but not where the first letter is another
		{"fone case", "fone>phone"}, // what sounds the same is one mistake
		{"nefew", "nefew>nephew"},   //
		{"angle", ""},               // what is known is left alone
		{"4raido", ""},              // and what has digits
	} {
		if got := understood(find(t, e, &Request{Query: c.query, Prefix: PrefixOff})); got != c.understood {
			t.Errorf("%q: read as %q, want %q", c.query, got, c.understood)
		}
	}
}

func TestSameLetters(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{{"raido", "radio", true}, {"für", "rüf", true}, {"aab", "abb", false}, {"ab", "abc", false}, {"", "", true}} {
		if got := sameLetters(c.a, c.b); got != c.same {
			t.Errorf("%q and %q: %v", c.a, c.b, got)
		}
	}
}
