package keyring

import (
	"encoding/base64"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestTokens(t *testing.T) {
	r := New(Hash{}, nil, nil)
	text, k := add(t, r, Key{Scopes: All, Indexes: []string{"a*"}, Expires: testNow.Add(2 * time.Hour)})
	claims := Claims{Filters: []string{"tenant = 7"}, Indexes: []string{"ab*", "b"}, Expires: testNow.Add(time.Hour).Unix()}
	token, err := MintToken(text, claims)
	if err != nil {
		t.Fatal(err)
	}
	if server, err := k.Mint(claims); err != nil || server != token {
		t.Errorf("the service makes %q of the claims, %v; its client %q", server, err, token)
	}
	g, err := r.Authenticate(token, testNow)
	if err != nil || !g.Token || g.ID != k.ID || g.Scopes != Search|Read || !slices.Equal(g.Filters, claims.Filters) {
		t.Fatalf("%+v, %v", g, err)
	}
	for index, want := range map[string]bool{"ab": true, "abc": true, "a": false, "b": false, "c": false} {
		if g.Allows(index) != want {
			t.Errorf("%s: %v", index, !want)
		}
	}
	if _, err := r.Authenticate(token, testNow.Add(time.Hour)); !errors.Is(err, ErrExpired) {
		t.Errorf("after its end: %v", err)
	}
	long, _ := MintToken(text, Claims{Expires: testNow.Add(1000 * time.Hour).Unix()})
	if _, err := r.Authenticate(long, testNow.Add(2*time.Hour)); !errors.Is(err, ErrExpired) {
		t.Errorf("after the end of its key: %v", err)
	}
	var rotated string
	if err := r.Change(k.ID, func(k *Key) error { rotated = k.Rotate(testNow, time.Minute); return nil }, done); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Authenticate(token, testNow.Add(time.Minute-1)); err != nil {
		t.Errorf("in the grace of its key: %v", err)
	}
	if _, err := r.Authenticate(token, testNow.Add(time.Minute)); !errors.Is(err, ErrInvalid) {
		t.Errorf("after the grace of its key: %v", err)
	}
	if fresh, _ := MintToken(rotated, claims); fresh == token {
		t.Error("the token of another text is the same")
	} else if _, err := r.Authenticate(fresh, testNow.Add(time.Minute)); err != nil {
		t.Errorf("a token of the new text: %v", err)
	}
	if err := r.Change(k.ID, func(k *Key) error { k.Revoke(testNow); return nil }, done); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Authenticate(token, testNow); !errors.Is(err, ErrInvalid) {
		t.Errorf("of a revoked key: %v", err)
	}
}

func TestTokensDoNoMoreThanTheirKey(t *testing.T) {
	r := New(Hash{}, nil, nil)
	text, _ := add(t, r, Key{Scopes: Search, Filter: "a = 1"})
	for _, scopes := range [][]string{nil, {"*"}, {"search", "read"}, {"search", "keys", "admin", "write"}} {
		token, _ := MintToken(text, Claims{Expires: testNow.Add(time.Hour).Unix(), Scopes: scopes, Filters: []string{"b = 2"}})
		g, err := r.Authenticate(token, testNow)
		if err != nil || g.Scopes != Search || !slices.Equal(g.Filters, []string{"a = 1", "b = 2"}) {
			t.Errorf("%v: %+v, %v", scopes, g, err)
		}
	}
}

// forge signs any payload with a key's text.
func forge(t *testing.T, text, payload string) string {
	h, err := HashOf(text)
	if err != nil {
		t.Fatal(err)
	}
	signed := tokenPrefix + base64.RawURLEncoding.EncodeToString([]byte(payload))
	mac := tokenMAC(&h.Sum, signed)
	return signed + "." + base64.RawURLEncoding.EncodeToString(mac[:])
}

func TestTokensThatCannotBeUnderstoodAreRefused(t *testing.T) {
	r := New(Hash{}, nil, nil)
	text, k := add(t, r, Key{Scopes: Search})
	id := PublicID(k.ID)
	good := `{"k":"` + id + `","e":99999999999}`
	if _, err := r.Authenticate(forge(t, text, good), testNow); err != nil {
		t.Fatal(err)
	}
	for _, payload := range []string{
		"", "null", "[]", "{}", `{"k":"` + id + `"}`, `{"k":"` + id + `","e":0}`, `{"k":"` + id + `","e":-5}`, `{"k":"` + id + `","e":"x"}`,
		`{"k":"` + k.ID + `","e":99999999999}`, `{"e":99999999999}`, good + " ", good + "{}",
		`{"k":"` + id + `","e":99999999999,"x":1}`, `{"k":"` + id + `","e":99999999999,"f":"a = 1"}`, `{"k":"` + id + `","e":99999999999,"f":[""]}`,
		`{"k":"` + id + `","e":99999999999,"i":[]}`, `{"k":"` + id + `","e":99999999999,"i":["A"]}`, `{"k":"` + id + `","e":99999999999,"i":["a",""]}`,
		`{"k":"` + id + `","e":99999999999,"s":[]}`, `{"k":"` + id + `","e":99999999999,"s":["nothing"]}`,
	} {
		if _, err := r.Authenticate(forge(t, text, payload), testNow); !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: %v", payload, err)
		}
	}
	if _, err := MintToken(text, Claims{Expires: 1, Filters: []string{strings.Repeat("x", MaxToken)}}); !errors.Is(err, ErrTokenTooLong) {
		t.Errorf("too long: %v", err)
	}
}

func TestEveryChangedByteOfATokenIsRefused(t *testing.T) {
	r := New(Hash{}, nil, nil)
	text, _ := add(t, r, Key{Scopes: Search})
	token, _ := MintToken(text, Claims{Expires: testNow.Add(time.Hour).Unix(), Filters: []string{"tenant = 7"}, Indexes: []string{"a"}})
	if _, err := r.Authenticate(token, testNow); err != nil {
		t.Fatal(err)
	}
	for i := range token {
		for bit := range 8 {
			changed := []byte(token)
			changed[i] ^= 1 << bit
			if _, err := r.Authenticate(string(changed), testNow); !errors.Is(err, ErrInvalid) {
				t.Errorf("byte %d, bit %d: %v", i, bit, err)
			}
		}
		for _, c := range []string{"", "\n", "=", "A"} {
			changed := token[:i] + c + token[i+1:]
			if _, err := r.Authenticate(changed, testNow); changed != token && !errors.Is(err, ErrInvalid) {
				t.Errorf("byte %d as %q: %v", i, c, err)
			}
			if _, err := r.Authenticate(token[:i]+c+token[i:], testNow); c != "" && !errors.Is(err, ErrInvalid) {
				t.Errorf("%q put in at %d: %v", c, i, err)
			}
		}
	}
	other, _ := add(t, r, Key{Scopes: Search})
	foreign, _ := MintToken(other, Claims{Expires: testNow.Add(time.Hour).Unix()})
	payload, _, _ := strings.Cut(token, ".")
	_, mac, _ := strings.Cut(foreign, ".")
	if _, err := r.Authenticate(payload+"."+mac, testNow); !errors.Is(err, ErrInvalid) {
		t.Errorf("with the signature of another key's token: %v", err)
	}
}

func FuzzAuthenticate(f *testing.F) {
	k := &Key{ID: "00000000", Scopes: Search, Rate: DefaultRate}
	valid := k.Rotate(testNow, 0)
	r := New(Hash{}, []*Key{k}, nil)
	token, _ := k.Mint(Claims{Expires: testNow.Add(time.Hour).Unix()})
	for _, seed := range []string{"", "qk_", "qk_00000000_0000000000000000000000000000000000000000000_000000", valid, token, "qt_", "qt_.", "qt_e30.", "qt_bnVsbA." + strings.Repeat("A", 43)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		g, err := r.Authenticate(s, testNow)
		if err == nil && s != valid && s != token || err != nil && !errors.Is(err, ErrInvalid) {
			t.Errorf("%q: %+v, %v", s, g, err)
		}
		if c, err := parseClaims(s); err == nil && (c.Expires <= 0) {
			t.Errorf("%q: claims %+v", s, c)
		}
	})
}

func FuzzDecode(f *testing.F) {
	k := &Key{ID: "00000000", Name: "n", Scopes: Search, Indexes: []string{"a"}, Rate: DefaultRate, Created: testNow}
	k.Rotate(testNow, 0)
	row, _ := k.Encode()
	f.Add(row)
	f.Add([]byte("{}"))
	f.Fuzz(func(t *testing.T, row []byte) {
		k, err := Decode("00000000", row)
		if err != nil {
			return
		}
		again, err := k.Encode()
		if err != nil {
			return // a year that JSON has no form for
		}
		if _, err := Decode("00000000", again); err != nil {
			t.Errorf("%s became %s: %v", row, again, err)
		}
	})
}
