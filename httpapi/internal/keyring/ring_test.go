package keyring

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

var testNow = time.Date(2026, 11, 21, 13, 5, 0, 0, time.UTC)

// add makes a key in a ring and returns its text.
func add(t *testing.T, r *Ring, k Key) (text string, made *Key) {
	t.Helper()
	if k.Rate == (Rate{}) {
		k.Rate = DefaultRate
	}
	k.Created = testNow
	err := r.Add(k, 1000, func(k *Key, s string, _ []byte) error {
		text, made = s, k
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return text, made
}

func done(*Key, []byte) error { return nil }

func TestAuthenticate(t *testing.T) {
	root := Generate()
	rootHash, _ := HashOf(root)
	r := New(rootHash, nil, nil)
	text, k := add(t, r, Key{Name: "shop", Scopes: Search, Indexes: []string{"a*"}, Filter: "x = 1", Expires: testNow.Add(time.Hour)})
	if id, _ := Parse(text); id != k.ID || !strings.HasSuffix(text, k.Hint) {
		t.Fatalf("id %q, hint %q of %s", k.ID, k.Hint, text)
	}
	g, err := r.Authenticate(text, testNow)
	if err != nil || g.ID != k.ID || g.Scopes != Search || g.Token || !g.Allows("abc") || g.Allows("b") || !slices.Equal(g.Filters, []string{"x = 1"}) {
		t.Fatalf("%+v, %v", g, err)
	}
	if g, err := r.Authenticate(root, testNow); err != nil || g.Scopes != All || !g.Key.Root {
		t.Errorf("root: %+v, %v", g, err)
	}
	if _, err := r.Authenticate(text, testNow.Add(time.Hour)); !errors.Is(err, ErrExpired) {
		t.Errorf("at its end: %v", err)
	}
	for _, bad := range []string{"", "x", Generate(), text[:len(text)-1], text + "x", root[:12] + text[12:], "qt_", "qt_.", "qt_e30." + strings.Repeat("A", 43)} {
		if _, err := r.Authenticate(bad, testNow); !errors.Is(err, ErrInvalid) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if err := r.Change(k.ID, func(k *Key) error { k.Revoke(testNow); return nil }, done); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Authenticate(text, testNow); !errors.Is(err, ErrInvalid) {
		t.Errorf("revoked: %v", err)
	}
	if err := r.Change(k.ID, func(*Key) error { return nil }, done); !errors.Is(err, ErrNotFound) {
		t.Errorf("change of a revoked key: %v", err)
	}
	if err := r.Change(rootHash.ID, func(*Key) error { return nil }, done); !errors.Is(err, ErrRoot) {
		t.Errorf("change of the root key: %v", err)
	}
}

func TestFailedCommitsChangeNothing(t *testing.T) {
	r := New(Hash{}, nil, nil)
	failed := errors.New("disk")
	if err := r.Add(Key{Rate: DefaultRate}, 10, func(*Key, string, []byte) error { return failed }); !errors.Is(err, failed) || len(r.Keys()) != 0 {
		t.Errorf("Add: %v, %d keys", err, len(r.Keys()))
	}
	text, k := add(t, r, Key{Scopes: Search})
	revoke := func(k *Key) error { k.Revoke(testNow); k.Indexes = append(k.Indexes, "x"); return nil }
	if err := r.Change(k.ID, revoke, func(*Key, []byte) error { return failed }); !errors.Is(err, failed) {
		t.Errorf("Change: %v", err)
	}
	if _, err := r.Authenticate(text, testNow); err != nil {
		t.Errorf("the key that was not revoked: %v", err)
	}
	if err := r.Add(Key{Rate: DefaultRate}, 1, func(*Key, string, []byte) error { return nil }); !errors.Is(err, ErrTooMany) {
		t.Errorf("one too many: %v", err)
	}
}

func TestRotation(t *testing.T) {
	r := New(Hash{}, nil, nil)
	first, k := add(t, r, Key{Scopes: Search})
	rotate := func(at time.Time, grace time.Duration) (text string) {
		if err := r.Change(k.ID, func(k *Key) error { text = k.Rotate(at, grace); return nil }, done); err != nil {
			t.Fatal(err)
		}
		return text
	}
	valid := func(text string, at time.Time, want bool) {
		t.Helper()
		if _, err := r.Authenticate(text, at); (err == nil) != want {
			t.Errorf("after %v: %v, want valid: %v", at.Sub(testNow), err, want)
		}
	}
	second := rotate(testNow, time.Hour)
	if id, err := Parse(second); err != nil || id != k.ID || second == first {
		t.Fatalf("%s: %v", second, err)
	}
	valid(first, testNow, true)
	valid(first, testNow.Add(time.Hour-1), true)
	valid(first, testNow.Add(time.Hour), false)
	valid(second, testNow.Add(time.Hour), true)

	// A client that saw no answer rotates again: what it has stays valid.
	third := rotate(testNow.Add(time.Minute), 24*time.Hour)
	valid(first, testNow.Add(time.Hour-1), true)
	valid(first, testNow.Add(time.Hour), false) // grace is not made longer
	valid(second, testNow.Add(24*time.Hour), true)
	valid(third, testNow.Add(1000*time.Hour), true)

	fourth := rotate(testNow.Add(2*time.Minute), 0)
	for _, old := range []string{first, second, third} {
		valid(old, testNow.Add(2*time.Minute), false)
	}
	valid(fourth, testNow.Add(2*time.Minute), true)
	var texts []string
	for i := range 6 {
		texts = append(texts, rotate(testNow.Add(time.Duration(i)*time.Minute), time.Hour))
	}
	for i, text := range texts {
		valid(text, testNow.Add(10*time.Minute), i >= 6-maxSecrets)
	}
}

func TestRowsHoldWhatAKeyIs(t *testing.T) {
	k := &Key{
		ID: "0000abcd", Name: "a name", Scopes: Search | Read, Indexes: []string{"a", "b*"}, Filter: `x = "1"`, Expires: testNow.Add(time.Hour),
		Rate: Rate{7, 9}, Quota: 12, Created: testNow, Revoked: testNow.Add(1), Warned: testNow.Add(2),
	}
	text := k.Rotate(testNow, time.Hour)
	k.Rotate(testNow, time.Hour)
	row, err := k.Encode()
	if err != nil {
		t.Fatal(err)
	}
	got, err := Decode(k.ID, row)
	if err != nil {
		t.Fatal(err)
	}
	again, _ := got.Encode()
	if string(again) != string(row) || got.secrets != k.secrets {
		t.Errorf("%s\n%s", row, again)
	}
	if strings.Contains(string(row), text[12:55]) {
		t.Errorf("the secret is in %s", row)
	}
	for _, bad := range []string{"", "{}", "null", `{"scopes":["x"],"rate":{"PerSecond":1,"Burst":1}}`, `{"rate":{"PerSecond":1,"Burst":1},"secrets":[{"sha256":"00"}]}`} {
		if _, err := Decode(k.ID, []byte(bad)); err == nil {
			t.Errorf("%s is taken for a key", bad)
		}
	}
}

func TestForget(t *testing.T) {
	r := New(Hash{}, nil, nil)
	_, a := add(t, r, Key{})
	_, b := add(t, r, Key{})
	for i, k := range []*Key{a, b} {
		if err := r.Change(k.ID, func(k *Key) error { k.Revoke(testNow.Add(time.Duration(i) * time.Hour)); return nil }, done); err != nil {
			t.Fatal(err)
		}
	}
	var gone []string
	if err := r.Forget(testNow.Add(time.Minute), func(ids []string) error { gone = ids; return nil }); err != nil || !slices.Equal(gone, []string{a.ID}) {
		t.Errorf("%v, %v", gone, err)
	}
	if len(r.Keys()) != 1 || r.Keys()[0].ID != b.ID {
		t.Errorf("%d keys are left", len(r.Keys()))
	}
}

func TestDaysOfLastUses(t *testing.T) {
	text, k := "", (*Key)(nil)
	r := New(Hash{}, nil, nil)
	text, k = add(t, r, Key{Scopes: Search})
	if !r.LastDay(k.ID).IsZero() || len(r.Unsaved()) != 0 {
		t.Error("a key that nobody used has a last day")
	}
	r.Authenticate(text, testNow)
	days := r.Unsaved()
	if len(days) != 1 || r.LastDay(k.ID).Format(time.DateOnly) != "2026-11-21" {
		t.Errorf("%v, %v", days, r.LastDay(k.ID))
	}
	r.Saved(days)
	if len(r.Unsaved()) != 0 {
		t.Error("unsaved after Saved")
	}
	if again := New(Hash{}, r.Keys(), days); !again.LastDay(k.ID).Equal(r.LastDay(k.ID)) || len(again.Unsaved()) != 0 {
		t.Error("lost by a restart")
	}
}

// names of which patterns and indexes of the tests are made.
var testNames = []string{"a", "ab", "abc", "abd", "b", "ba", "c", "news_1", "news_2"}

func randomPatterns(rnd *rand.Rand) []string {
	var out []string
	for range rnd.IntN(4) {
		p := testNames[rnd.IntN(len(testNames))]
		switch rnd.IntN(4) {
		case 0:
			p = p[:1+rnd.IntN(len(p))] + "*"
		case 1:
			if rnd.IntN(3) == 0 {
				p = "*"
			}
		}
		out = append(out, p)
	}
	return out
}

// TestPatterns compares what Narrow, Allows and Beyond say with what they mean
// for each name.
func TestPatterns(t *testing.T) {
	seed := rand.Uint64()
	rnd := rand.New(rand.NewPCG(seed, 1))
	matches := func(patterns []string, name string) bool {
		return slices.ContainsFunc(patterns, func(p string) bool {
			begin, open := strings.CutSuffix(p, "*")
			return open && strings.HasPrefix(name, begin) || p == name
		})
	}
	for range 20_000 {
		var r, o Rights
		for _, rights := range []*Rights{&r, &o} {
			for range rnd.IntN(3) {
				if list := randomPatterns(rnd); len(list) > 0 {
					rights.Indexes = append(rights.Indexes, list)
				}
			}
		}
		asked := randomPatterns(rnd)
		narrowed := r.Narrow(asked)
		beyond := r.Beyond(&o)
		for _, name := range append(testNames, "abcd", "news_", "zzz") {
			allowed := true
			for _, list := range r.Indexes {
				allowed = allowed && matches(list, name)
			}
			if r.Allows(name) != allowed {
				t.Fatalf("seed %d: %v allows %s: %v", seed, r.Indexes, name, !allowed)
			}
			if want := allowed && (len(asked) == 0 || matches(asked, name)); matches(narrowed, name) != want {
				t.Fatalf("seed %d: %v narrowed to %v is %v; %s: want %v", seed, asked, r.Indexes, narrowed, name, want)
			}
			if len(beyond.Indexes) == 0 && o.Allows(name) && !allowed {
				t.Fatalf("seed %d: %v is said not to reach beyond %v, but allows %s", seed, o.Indexes, r.Indexes, name)
			}
		}
		if b := r.Beyond(&r); b.Any() {
			t.Fatalf("seed %d: %v reaches beyond itself: %v", seed, r.Indexes, b)
		}
	}
}

func TestValidPattern(t *testing.T) {
	for p, want := range map[string]bool{
		"a": true, "a*": true, "*": true, "0_-": true, strings.Repeat("x", 64): true, strings.Repeat("x", 64) + "*": true,
		"": false, "**": false, "*a": false, "a*b": false, "A": false, "_a": false, "-": false, "-*": false, "a b": false, "ä": false,
		strings.Repeat("x", 65): false, "a\x00": false,
	} {
		if ValidPattern(p) != want {
			t.Errorf("%q: %v", p, !want)
		}
	}
}

func TestBeyond(t *testing.T) {
	soon, late := testNow.Add(time.Hour), testNow.Add(2*time.Hour)
	mine := Rights{Scopes: Search | Keys, Indexes: [][]string{{"a*"}}, Expires: soon}
	for _, c := range []struct {
		other Rights
		want  Beyond
	}{
		{Rights{Scopes: Search, Indexes: [][]string{{"ab"}}, Expires: soon}, Beyond{}},
		{Rights{Scopes: All, Indexes: [][]string{{"ab"}}, Expires: soon}, Beyond{Scopes: All &^ (Search | Keys)}},
		{Rights{Scopes: Search, Indexes: [][]string{{"ab", "b"}}, Expires: soon}, Beyond{Indexes: []string{"b"}}},
		{Rights{Scopes: Search, Expires: soon}, Beyond{Indexes: []string{"*"}}},
		{Rights{Scopes: Search, Indexes: [][]string{{"ab"}}, Expires: late}, Beyond{Expires: true}},
		{Rights{Scopes: Search, Indexes: [][]string{{"ab"}}}, Beyond{Expires: true}},
	} {
		if got := mine.Beyond(&c.other); got.Scopes != c.want.Scopes || !slices.Equal(got.Indexes, c.want.Indexes) || got.Expires != c.want.Expires || got.Filter {
			t.Errorf("%+v: %+v, want %+v", c.other, got, c.want)
		}
	}
	slow := Rights{Rate: Rate{5, 10}, Quota: 100}
	for _, c := range []struct {
		rate        Rate
		quota       int64
		rateBeyond  bool
		quotaBeyond bool
	}{
		{Rate{5, 10}, 100, false, false}, {Rate{1, 1}, 1, false, false}, {Rate{6, 10}, 101, true, true}, {Rate{5, 11}, 100, true, false}, {Rate{}, 0, true, true},
	} {
		other := Rights{Rate: c.rate, Quota: c.quota}
		if b := slow.Beyond(&other); b.Rate != c.rateBeyond || b.Quota != c.quotaBeyond || b.Any() != (b.Rate || b.Quota) {
			t.Errorf("%+v: %+v", other, b)
		}
		if b := new(Rights).Beyond(&other); b.Any() {
			t.Errorf("%+v is beyond no bounds: %+v", other, b)
		}
	}
	filtered := Rights{Scopes: Search, Filters: []string{"x = 1"}}
	if b := filtered.Beyond(&Rights{Scopes: Search}); !b.Filter {
		t.Error("a filter may be left out")
	}
}

func TestBucket(t *testing.T) {
	var b bucket
	rate := Rate{PerSecond: 10, Burst: 20}
	now := testNow
	for i := range 20 {
		if p := b.take(rate, now); !p.OK || p.Left != int64(19-i) {
			t.Fatalf("request %d: %+v", i, p)
		}
	}
	p := b.take(rate, now)
	if p.OK || p.Wait != 100*time.Millisecond || p.Full != 2*time.Second {
		t.Fatalf("after the burst: %+v", p)
	}
	if p := b.take(rate, now.Add(p.Wait-1)); p.OK {
		t.Error("before the time has come")
	}
	if p := b.take(rate, now.Add(p.Wait)); !p.OK {
		t.Error("not when the time has come")
	}
	// A clock that is set forward gives a burst, one that is set back locks
	// nobody out.
	now = now.Add(24 * time.Hour)
	allowed := 0
	for range 100 {
		if b.take(rate, now).OK {
			allowed++
		}
	}
	if allowed != 20 {
		t.Errorf("a day later: %d, want 20", allowed)
	}
	now = now.Add(-48 * time.Hour)
	b.take(rate, now)
	if p := b.take(rate, now.Add(time.Second)); !p.OK {
		t.Errorf("a second after the clock was set back: %+v", p)
	}
	// Requests whose times are a little out of order gain nothing.
	var c bucket
	allowed = 0
	for i := range 1000 {
		if c.take(rate, testNow.Add(time.Duration(i%2)*time.Millisecond)).OK {
			allowed++
		}
	}
	if allowed != 20 {
		t.Errorf("times in disorder: %d, want 20", allowed)
	}
}
