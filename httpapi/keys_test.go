package httpapi

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/quarry-search/quarry/engine"
	"github.com/quarry-search/quarry/httpapi/internal/keyring"
)

// setClock is a Config.Now that tests set.
type setClock struct{ at atomic.Int64 }

func newSetClock() *setClock {
	c := &setClock{}
	c.at.Store(testTime.UnixNano())
	return c
}

func (c *setClock) now() time.Time          { return time.Unix(0, c.at.Load()) }
func (c *setClock) advance(d time.Duration) { c.at.Add(int64(d)) }

// withClock is withEngine at the time of testTime.
func withClock(t *testing.T) (*service, *setClock) {
	t.Helper()
	e, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	c := newSetClock()
	return newService(t, func(conf *Config) { conf.Engine, conf.Now = e, c.now }), c
}

// keyBody is what tests look at in a key.
type keyBody struct {
	ID, Key, Name, Filter, Hint, State string
	Scopes, Indexes                    []string
	ExpiresAt                          string `json:"expires_at"`
	GraceUntil                         string `json:"grace_until"`
	LastDay                            string `json:"last_day"`
	Root                               bool
	Rate                               *struct {
		PerSecond int64 `json:"per_second"`
		Burst     int64
	}
	Quota *struct {
		Searches int64 `json:"searches_per_month"`
	}
}

// makeKey makes a key with a body such as {"scopes":["search"]}.
func (s *service) makeKey(body string) keyBody {
	s.t.Helper()
	var k keyBody
	s.want(201, "POST", "/v1/keys", body).into(s.t, &k)
	return k
}

// as returns the service for the bearer of another key or token.
func (s *service) as(bearer string) *service {
	c := *s
	c.key = bearer
	return &c
}

// restarted returns the service as a new server of the same engine is it.
func (s *service) restarted(now func() time.Time) *service {
	s.t.Helper()
	hash, err := HashKey(s.key)
	if err != nil {
		s.t.Fatal(err)
	}
	server, err := New(Config{Engine: s.engine, RootKey: hash, Now: now})
	if err != nil {
		s.t.Fatal(err)
	}
	c := *s
	c.server = server
	return &c
}

func TestKeyLife(t *testing.T) {
	s, clock := withClock(t)
	a := s.want(201, "POST", "/v1/keys", `{"name":"web shop","scopes":["search"],"indexes":["products","news_*"],"filter":"tenant = 7",
		"expires_at":"2027-01-01T00:00:00Z","rate":{"per_second":5},"quota":{"searches_per_month":1000}}`)
	var k keyBody
	a.into(t, &k)
	if id, err := ParseKey(k.Key); err != nil || k.ID != "key_"+id || a.header.Get("Location") != "/v1/keys/"+k.ID || !strings.HasSuffix(k.Key, strings.TrimPrefix(k.Hint, "…")) {
		t.Fatalf("%+v, Location %q", k, a.header.Get("Location"))
	}
	if k.Rate.PerSecond != 5 || k.Rate.Burst != 10 || k.Quota.Searches != 1000 || k.State != "active" || k.LastDay != "" || k.Root {
		t.Errorf("%+v", k)
	}
	show := func() (shown keyBody) {
		t.Helper()
		a := s.want(200, "GET", "/v1/keys/"+k.ID, "")
		if a.into(t, &shown); strings.Contains(a.body, k.Key) || shown.Key != "" {
			t.Fatalf("the key is shown again: %s", a.body)
		}
		return shown
	}
	s.as(k.Key).do("POST", "/v1/search", "{}")
	if got := show(); got.Name != "web shop" || got.Filter != "tenant = 7" || got.ExpiresAt != "2027-01-01T00:00:00Z" || got.LastDay != "2026-11-21" {
		t.Errorf("shown as %+v", got)
	}
	s.want(200, "PATCH", "/v1/keys/"+k.ID, `{"name":"n","filter":null,"expires_at":null,"rate":null,"quota":null,"indexes":["*"],"scopes":["*"]}`)
	if got := show(); got.Name != "n" || got.Filter != "" || got.ExpiresAt != "" || got.Rate.Burst != 100 || got.Quota != nil || got.Indexes[0] != "*" || got.Scopes[0] != "*" {
		t.Errorf("changed to %+v", got)
	}
	s.want(200, "PATCH", "/v1/keys/"+k.ID, `{"scopes":["read","search"],"expires_at":"2026-11-22T00:00:00Z"}`)
	s.as(k.Key).want(200, "GET", "/v1/indexes", "")
	clock.advance(24 * time.Hour)
	if got := s.as(k.Key).want(401, "GET", "/v1/indexes", "").problem(t); got.Code != codeExpiredKey {
		t.Errorf("code %s", got.Code)
	}
	if got := show(); got.State != "expired" {
		t.Errorf("state %s", got.State)
	}
	s.want(200, "PATCH", "/v1/keys/"+k.ID, `{"expires_at":null}`)
	s.as(k.Key).want(200, "GET", "/v1/indexes", "")

	s.want(204, "DELETE", "/v1/keys/"+k.ID, "")
	if got := s.as(k.Key).want(401, "GET", "/v1/indexes", "").problem(t); got.Code != codeInvalidKey {
		t.Errorf("code %s of a revoked key", got.Code)
	}
	if got := show(); got.State != "revoked" {
		t.Errorf("state %s", got.State)
	}
	s.want(204, "DELETE", "/v1/keys/"+k.ID, "")
	for _, r := range []struct{ method, path, body string }{{"PATCH", "", `{"name":"x"}`}, {"POST", "/rotate", ""}, {"POST", "/token", ""}} {
		if got := s.want(404, r.method, "/v1/keys/"+k.ID+r.path, r.body).problem(t); got.Code != codeKeyNotFound {
			t.Errorf("%s %s of a revoked key: %s", r.method, r.path, got.Code)
		}
	}
	again := s.restarted(clock.now)
	again.as(k.Key).want(401, "GET", "/v1/indexes", "")
	again.want(200, "GET", "/v1/keys/"+k.ID, "")
	for _, path := range []string{"/v1/keys/key_00000000", "/v1/keys/x", "/v1/keys/" + strings.TrimPrefix(k.ID, "key_")} {
		s.want(404, "GET", path, "")
	}
}

func TestMistakesOfKeys(t *testing.T) {
	s, _ := withClock(t)
	for _, c := range []struct {
		body, code string
		pointers   []string
	}{
		{`{}`, engine.CodeInvalidRequest, []string{""}},
		{`[]`, engine.CodeInvalidRequest, []string{""}},
		{`{"scopes":[]}`, engine.CodeInvalidRequest, []string{"/scopes"}},
		{`{"scopes":["serch"]}`, engine.CodeInvalidRequest, []string{"/scopes/0"}},
		{`{"scopes":["search"],"scope":1}`, engine.CodeUnknownField, []string{"/scope"}},
		{`{"scopes":["search"],"indexes":[]}`, engine.CodeInvalidRequest, []string{"/indexes"}},
		{`{"scopes":["search"],"indexes":["A","b","*c"]}`, engine.CodeInvalidRequest, []string{"/indexes/0", "/indexes/2"}},
		{`{"scopes":["search"],"filter":"a ="}`, engine.CodeInvalidFilter, []string{"/filter"}},
		{`{"scopes":["search"],"filter":" "}`, engine.CodeInvalidFilter, []string{"/filter"}},
		{`{"scopes":["search"],"expires_at":"tomorrow"}`, engine.CodeInvalidRequest, []string{"/expires_at"}},
		{`{"scopes":["search"],"expires_at":"2026-11-21T13:05:00Z"}`, engine.CodeInvalidRequest, []string{"/expires_at"}},
		{`{"scopes":["search"],"rate":{}}`, engine.CodeInvalidRequest, []string{"/rate"}},
		{`{"scopes":["search"],"rate":{"per_second":0,"burst":1.5,"x":1}}`, "", []string{"/rate/per_second", "/rate/burst", "/rate/x"}},
		{`{"scopes":["search"],"quota":{}}`, engine.CodeInvalidRequest, []string{"/quota"}},
		{`{"scopes":["search"],"name":"a\u0000"}`, engine.CodeInvalidRequest, []string{"/name"}},
		{`{"scopes":["search"],"name":"` + strings.Repeat("ä", 201) + `"}`, engine.CodeLimitExceeded, []string{"/name"}},
		{`{"scopes":["search","write"],"filter":"a = 1"}`, engine.CodeInvalidRequest, []string{"/scopes"}},
		{`{"scopes":["*"],"filter":"a = 1"}`, engine.CodeInvalidRequest, []string{"/scopes"}},
	} {
		p := s.want(422, "POST", "/v1/keys", c.body).problem(t)
		var at []string
		for _, e := range p.Errors {
			at = append(at, e.Pointer)
		}
		if c.code == "" {
			c.code = engine.CodeInvalidRequest
		}
		if len(at) == 0 {
			at = []string{""}
		}
		if p.Code != c.code || !slices.Equal(at, c.pointers) {
			t.Errorf("%s: %s at %q, want %s at %q", c.body, p.Code, at, c.code, c.pointers)
		}
	}
	if list := s.want(200, "GET", "/v1/keys", ""); !strings.Contains(list.body, `"total":1,`) {
		t.Errorf("a key was made by mistake: %s", list.body)
	}
	k := s.makeKey(`{"scopes":["search"],"filter":"a = 1"}`)
	for _, body := range []string{`{"scopes":["write"]}`, `{"filter":"a ="}`, `{"id":"x"}`, `{"key":"x"}`, `null`} {
		s.want(422, "PATCH", "/v1/keys/"+k.ID, body)
	}
	for _, body := range []string{`{"grace_seconds":-1}`, `{"grace_seconds":2592001}`, `{"grace":1}`, `[]`} {
		s.want(422, "POST", "/v1/keys/"+k.ID+"/rotate", body)
	}
	for _, body := range []string{`{"filter":"a ="}`, `{"indexes":[]}`, `{"scopes":["write"]}`, `{"expires_at":"2020-01-01T00:00:00Z"}`, `{"x":1}`, `[]`} {
		s.want(422, "POST", "/v1/keys/"+k.ID+"/token", body)
	}
}

func TestListOfKeys(t *testing.T) {
	s, clock := withClock(t)
	var want []string
	for i := range 7 {
		want = append(want, s.makeKey(fmt.Sprintf(`{"name":"%d","scopes":["search"],"indexes":["a%d"]}`, i, i)).ID)
		if i%2 == 0 {
			clock.advance(time.Millisecond)
		}
	}
	var got []string
	for path := "/v1/keys?limit=3"; path != ""; {
		var page struct {
			Keys  []keyBody
			Total int
			Next  string `json:"next_cursor"`
		}
		s.want(200, "GET", path, "").into(t, &page)
		for _, k := range page.Keys {
			got = append(got, k.ID)
		}
		if page.Total != 8 || len(page.Keys) > 3 {
			t.Errorf("%d of %d keys", len(page.Keys), page.Total)
		}
		if path = ""; page.Next != "" {
			path = "/v1/keys?limit=3&cursor=" + page.Next
		}
	}
	root, _ := ParseKey(s.key)
	first := want[0]
	slices.Sort(want)
	if got[0] != "key_"+root || !slices.Equal(slices.Sorted(slices.Values(got[1:])), want) {
		t.Errorf("%v, want the root key and %v", got, want)
	}
	// Who may use some indexes sees the keys for no more than these.
	some := s.makeKey(`{"scopes":["keys"],"indexes":["a1","a2","b*"]}`)
	var page struct{ Keys []keyBody }
	s.as(some.Key).want(200, "GET", "/v1/keys", "").into(t, &page)
	slices.SortFunc(page.Keys, func(a, b keyBody) int { return strings.Compare(a.Name, b.Name) })
	if len(page.Keys) != 3 || page.Keys[0].ID != some.ID || page.Keys[1].Name != "1" || page.Keys[2].Name != "2" {
		t.Errorf("%+v", page.Keys)
	}
	cursor := strings.Split(s.want(200, "GET", "/v1/keys?limit=1", "").body, `"next_cursor":"`)[1]
	cursor = cursor[:strings.IndexByte(cursor, '"')]
	s.want(200, "GET", "/v1/keys?cursor="+cursor, "")
	s.as(some.Key).want(422, "GET", "/v1/keys?cursor="+cursor, "")
	s.as(some.Key).want(404, "GET", "/v1/keys/"+first, "") // of a0
}

func TestTheRootKeyIsFixed(t *testing.T) {
	s, _ := withClock(t)
	id, _ := ParseKey(s.key)
	a := s.want(200, "GET", "/v1/keys/key_"+id, "")
	var k keyBody
	if a.into(t, &k); !k.Root || k.Scopes[0] != "*" || k.Rate != nil || k.Hint != "" {
		t.Errorf("%s", a.body)
	}
	for _, r := range []struct{ method, path, body string }{{"PATCH", "", `{"name":"mine"}`}, {"DELETE", "", ""}, {"POST", "/rotate", ""}} {
		if got := s.want(403, r.method, "/v1/keys/key_"+id+r.path, r.body).problem(t); got.Code != codeForbiddenScope {
			t.Errorf("%s %s: %s", r.method, r.path, got.Code)
		}
	}
	if a := s.want(200, "GET", "/v1/indexes", ""); a.header.Get("RateLimit") != "" {
		t.Errorf("the root key has a rate: %v", a.header)
	}
}

func TestNobodyGivesMoreThanTheyHave(t *testing.T) {
	s, _ := withClock(t)
	mine := s.makeKey(`{"scopes":["keys","search"],"indexes":["a*"],"expires_at":"2027-01-01T00:00:00Z"}`)
	admin := s.makeKey(`{"scopes":["*"]}`)
	abroad := s.makeKey(`{"scopes":["search"],"indexes":["a*","b"],"expires_at":"2026-12-01T00:00:00Z"}`)
	above := s.makeKey(`{"scopes":["search","write"],"indexes":["ab"]}`)
	below := s.makeKey(`{"scopes":["search"],"indexes":["ab"],"expires_at":"2026-12-01T00:00:00Z"}`)
	m := s.as(mine.Key)
	for body, code := range map[string]string{
		`{"scopes":["*"]}`:                                                                         codeForbiddenScope,
		`{"scopes":["search","write"]}`:                                                            codeForbiddenScope,
		`{"scopes":["search"],"indexes":["*"]}`:                                                    codeForbiddenIndex,
		`{"scopes":["search"],"indexes":["ab","b"]}`:                                               codeForbiddenIndex,
		`{"scopes":["search"],"expires_at":null}`:                                                  codeForbiddenScope,
		`{"scopes":["search"],"expires_at":"2027-01-01T00:00:01Z"}`:                                codeForbiddenScope,
		`{"scopes":["admin"],"indexes":["b"],"expires_at":null}`:                                   codeForbiddenScope,
		`{"scopes":["search"],"indexes":["*"],"filter":"a = 1"}`:                                   codeForbiddenIndex,
		`{"scopes":["search","keys","usage"],"indexes":["a"],"expires_at":"2026-12-01T00:00:00Z"}`: codeForbiddenScope,
	} {
		if p := m.want(403, "POST", "/v1/keys", body).problem(t); p.Code != code {
			t.Errorf("%s: %s, want %s", body, p.Code, code)
		}
		for _, k := range []keyBody{mine, below} {
			m.want(403, "PATCH", "/v1/keys/"+k.ID, body)
		}
	}
	var child keyBody
	m.want(201, "POST", "/v1/keys", `{"scopes":["search"]}`).into(t, &child)
	if !slices.Equal(child.Indexes, []string{"a*"}) || child.ExpiresAt != "2027-01-01T00:00:00Z" {
		t.Errorf("what is left out is %+v", child)
	}
	for _, k := range []keyBody{admin, abroad} {
		for _, r := range []struct{ method, path, body string }{{"GET", "", ""}, {"PATCH", "", `{"name":"x"}`}, {"DELETE", "", ""}, {"POST", "/rotate", ""}, {"POST", "/token", ""}} {
			if got := m.want(404, r.method, "/v1/keys/"+k.ID+r.path, r.body).problem(t); got.Code != codeKeyNotFound {
				t.Errorf("%s %s: %s", r.method, r.path, got.Code)
			}
		}
	}
	m.want(200, "GET", "/v1/keys/"+above.ID, "")
	m.want(403, "POST", "/v1/keys/"+above.ID+"/rotate", "")
	m.want(403, "POST", "/v1/keys/"+above.ID+"/token", "")
	m.want(403, "PATCH", "/v1/keys/"+above.ID, `{"name":"x"}`)
	m.want(200, "PATCH", "/v1/keys/"+below.ID, `{"name":"x"}`)
	m.want(200, "POST", "/v1/keys/"+below.ID+"/rotate", "")
	m.want(201, "POST", "/v1/keys/"+below.ID+"/token", "")
	// Nor may who lacks scopes of a key take them, or all of it.
	for _, body := range []string{`{"scopes":["search"]}`, `{"scopes":["search"],"indexes":["ab"]}`, `{"expires_at":"2026-11-22T00:00:00Z"}`} {
		if p := m.want(403, "PATCH", "/v1/keys/"+above.ID, body).problem(t); p.Code != codeForbiddenScope || !strings.Contains(p.Detail, "write") {
			t.Errorf("%s: %+v", body, p)
		}
	}
	m.want(403, "DELETE", "/v1/keys/"+above.ID, "")
	s.as(above.Key).want(201, "POST", "/v1/batch", `{"index":"ab","records":[{"id":"1"}]}`)
	m.want(204, "DELETE", "/v1/keys/"+below.ID, "")
	m.want(204, "DELETE", "/v1/keys/"+mine.ID, "")
	m.want(401, "GET", "/v1/keys", "")
}

// A rate and a quota bind what a key gives to others, and to itself.
func TestNobodyGivesMoreRequestsThanTheyHave(t *testing.T) {
	s, clock := withClock(t)
	mine := s.makeKey(`{"scopes":["keys","search"],"rate":{"per_second":5,"burst":8},"quota":{"searches_per_month":100}}`)
	below := s.makeKey(`{"scopes":["search"],"rate":{"per_second":2,"burst":3},"quota":{"searches_per_month":10}}`)
	fast := s.makeKey(`{"scopes":["search"],"rate":{"per_second":6,"burst":8},"quota":{"searches_per_month":10}}`)
	much := s.makeKey(`{"scopes":["search"],"rate":{"per_second":2,"burst":3}}`)
	m := s.as(mine.Key)
	for body, pointers := range map[string][]string{
		`{"quota":null}`:                              {"/quota"},
		`{"quota":{"searches_per_month":101}}`:        {"/quota"},
		`{"rate":null}`:                               {"/rate"},
		`{"rate":{"per_second":6}}`:                   {"/rate"},
		`{"rate":{"burst":9}}`:                        {"/rate"},
		`{"rate":{"per_second":5000},"quota":null}`:   {"/rate", "/quota"},
		`{"rate":{"per_second":1,"burst":1000000}}`:   {"/rate"},
		`{"rate":{"per_second":5,"burst":9}}`:         {"/rate"},
		`{"quota":{"searches_per_month":9999999999}}`: {"/quota"},
	} {
		clock.advance(2 * time.Second) // a burst of requests
		for _, r := range []answer{
			m.want(403, "POST", "/v1/keys", `{"scopes":["search"],`+body[1:]),
			m.want(403, "PATCH", "/v1/keys/"+mine.ID, body),
			m.want(403, "PATCH", "/v1/keys/"+below.ID, body),
		} {
			p := r.problem(t)
			var at []string
			for _, e := range p.Errors {
				at = append(at, e.Pointer)
			}
			if p.Code != codeForbiddenScope || !slices.Equal(at, pointers) {
				t.Errorf("%s: %s", body, r.body)
			}
		}
	}
	clock.advance(2 * time.Second)
	for body, want := range map[string][3]int64{
		`{"scopes":["search"]}`:                                {5, 8, 100},
		`{"scopes":["search"],"rate":{"per_second":5}}`:        {5, 8, 100},
		`{"scopes":["search"],"rate":{"per_second":2}}`:        {2, 4, 100},
		`{"scopes":["search"],"rate":{"burst":2}}`:             {5, 2, 100},
		`{"scopes":["keys"],"quota":{"searches_per_month":7}}`: {5, 8, 7},
	} {
		k := m.makeKey(body)
		if got := [3]int64{k.Rate.PerSecond, k.Rate.Burst, k.Quota.Searches}; got != want {
			t.Errorf("%s: %v, want %v", body, got, want)
		}
	}
	// The text and the tokens of a key are good for all that it may.
	clock.advance(2 * time.Second)
	m.want(200, "POST", "/v1/keys/"+below.ID+"/rotate", "")
	m.want(201, "POST", "/v1/keys/"+below.ID+"/token", "")
	for _, k := range []keyBody{fast, much} {
		m.want(403, "POST", "/v1/keys/"+k.ID+"/rotate", "")
		m.want(403, "POST", "/v1/keys/"+k.ID+"/token", "")
	}
	clock.advance(2 * time.Second)
	m.want(403, "PATCH", "/v1/keys/"+much.ID, `{"name":"x"}`)
	m.want(200, "PATCH", "/v1/keys/"+much.ID, `{"quota":{"searches_per_month":1}}`)
	m.want(204, "DELETE", "/v1/keys/"+fast.ID, "") // it may have leaked

	// Of the rate by default, too; the root key has none.
	plain := s.makeKey(`{"scopes":["*"]}`)
	s.as(plain.Key).want(403, "POST", "/v1/keys", `{"scopes":["search"],"rate":{"per_second":51}}`)
	s.as(plain.Key).want(201, "POST", "/v1/keys", `{"scopes":["search"],"rate":{"per_second":50}}`)
	s.makeKey(`{"scopes":["search"],"rate":{"per_second":1000000}}`)
}

// A text or a token of a key that has expired would be good for nothing.
func TestExpiredKeysGetNoTexts(t *testing.T) {
	s, clock := withClock(t)
	k := s.makeKey(`{"scopes":["search"],"expires_at":"2026-11-22T00:00:00Z"}`)
	clock.advance(24 * time.Hour)
	for _, path := range []string{"/rotate", "/token"} {
		if p := s.want(409, "POST", "/v1/keys/"+k.ID+path, "").problem(t); p.Code != codeKeyExpired || !strings.Contains(p.Detail, "2026-11-22T00:00:00Z") {
			t.Errorf("%s: %+v", path, p)
		}
	}
	s.want(200, "PATCH", "/v1/keys/"+k.ID, `{"expires_at":null}`)
	s.want(200, "POST", "/v1/keys/"+k.ID+"/rotate", "")
	s.want(201, "POST", "/v1/keys/"+k.ID+"/token", "")
}

func TestRotatedKeys(t *testing.T) {
	s, clock := withClock(t)
	k := s.makeKey(`{"scopes":["read"]}`)
	var r keyBody
	s.want(200, "POST", "/v1/keys/"+k.ID+"/rotate", `{"grace_seconds":3600}`).into(t, &r)
	if r.ID != k.ID || r.Key == k.Key || r.GraceUntil != "2026-11-21T14:05:00Z" {
		t.Fatalf("%+v", r)
	}
	check := func(s *service, text string, status int) {
		t.Helper()
		s.as(text).want(status, "GET", "/v1/indexes", "")
	}
	check(s, k.Key, 200)
	check(s, r.Key, 200)
	clock.advance(time.Hour - time.Nanosecond)
	check(s.restarted(clock.now), k.Key, 200)
	clock.advance(time.Nanosecond)
	for _, s := range []*service{s, s.restarted(clock.now)} {
		check(s, k.Key, 401)
		check(s, r.Key, 200)
	}
	var again keyBody
	s.want(200, "POST", "/v1/keys/"+k.ID+"/rotate", `{"grace_seconds":0}`).into(t, &again)
	check(s, r.Key, 401)
	check(s, again.Key, 200)
	s.want(200, "POST", "/v1/keys/"+k.ID+"/rotate", "").into(t, &r)
	if r.GraceUntil != "2026-11-22T14:05:00Z" {
		t.Errorf("grace by default ends at %s", r.GraceUntil)
	}
}

// TestRevokedKeysAreRefusedAtOnce: of the requests that begin after the answer
// to the revocation, none is let in.
func TestRevokedKeysAreRefusedAtOnce(t *testing.T) {
	s := withEngine(t, "")
	k := s.makeKey(`{"scopes":["read"],"rate":{"per_second":1000000,"burst":1000000}}`)
	const clients, each = 32, 5
	var revoked atomic.Bool
	var busy, done sync.WaitGroup
	busy.Add(clients)
	for range clients {
		done.Go(func() {
			refused := 0
			for i := 0; refused < each; i++ {
				if i == each {
					busy.Done()
				}
				late := revoked.Load()
				r := httptest.NewRequest("GET", "/v1/indexes", nil)
				r.Header.Set("Authorization", "Bearer "+k.Key)
				w := httptest.NewRecorder()
				s.server.Handler().ServeHTTP(w, r)
				if late {
					refused++
				}
				if w.Code != 401 && (late || w.Code != 200) {
					t.Errorf("status %d, begun after the revocation: %v", w.Code, late)
				}
			}
		})
	}
	busy.Wait()
	s.want(204, "DELETE", "/v1/keys/"+k.ID, "")
	revoked.Store(true)
	done.Wait()
}

// recorder is a witness that notes key events.
type recorder struct {
	mu     sync.Mutex
	events []string
}

func (r *recorder) witness(c *change) ([]engine.Row, func(error)) {
	return nil, func(err error) {
		r.mu.Lock()
		defer r.mu.Unlock()
		if err == nil && c.event != "" {
			r.events = append(r.events, c.event+" "+c.keyID+" by "+c.key)
		}
	}
}

func TestEventsOfKeys(t *testing.T) {
	s, clock := withClock(t)
	var seen recorder
	s.server.witnesses = append(s.server.witnesses, &seen)
	root, _ := ParseKey(s.key)
	k := s.makeKey(`{"scopes":["search"],"expires_at":"2026-11-23T13:05:00Z"}`)
	s.makeKey(`{"scopes":["search"]}`)
	s.server.tendKeysOnce(t.Context())
	clock.advance(24 * time.Hour)
	s.server.tendKeysOnce(t.Context())
	s.server.tendKeysOnce(t.Context())
	s.restarted(clock.now).server.tendKeysOnce(t.Context())
	s.want(200, "PATCH", "/v1/keys/"+k.ID, `{"expires_at":"2026-11-23T13:00:00Z"}`)
	s.server.tendKeysOnce(t.Context())
	s.want(200, "POST", "/v1/keys/"+k.ID+"/rotate", "")
	s.want(204, "DELETE", "/v1/keys/"+k.ID, "")
	s.server.tendKeysOnce(t.Context())
	want := []string{
		"key.created " + k.ID + " by " + root, "", "key.expiring " + k.ID + " by ", "key.expiring " + k.ID + " by ",
		"key.rotated " + k.ID + " by " + root, "key.revoked " + k.ID + " by " + root,
	}
	if len(seen.events) == len(want) {
		want[1] = seen.events[1]
	}
	if !slices.Equal(seen.events, want) {
		t.Errorf("%q, want %q", seen.events, want)
	}
	clock.advance(91 * 24 * time.Hour)
	s.server.tendKeysOnce(t.Context())
	s.want(404, "GET", "/v1/keys/"+k.ID, "")
	s.restarted(clock.now).want(404, "GET", "/v1/keys/"+k.ID, "")
}

func TestLastDaysSurvive(t *testing.T) {
	s, clock := withClock(t)
	k := s.makeKey(`{"scopes":["search"]}`)
	s.as(k.Key).want(200, "POST", "/v1/search", "{}")
	s.server.tendKeysOnce(t.Context())
	clock.advance(48 * time.Hour)
	var got keyBody
	s.restarted(clock.now).want(200, "GET", "/v1/keys/"+k.ID, "").into(t, &got)
	if got.LastDay != "2026-11-21" {
		t.Errorf("last day %q", got.LastDay)
	}
}

func TestRepeatedRequestsForAKey(t *testing.T) {
	s, clock := withClock(t)
	manager := s.makeKey(`{"scopes":["*"]}`)
	m := s.as(manager.Key)
	const body = `{"name":"once","scopes":["search"]}`
	first := m.want(201, "POST", "/v1/keys", body, "Idempotency-Key: k1")
	var k keyBody
	first.into(t, &k)
	for _, s := range []*service{m, m.restartedAs(s.key, clock.now)} {
		again := s.want(201, "POST", "/v1/keys", body, "Idempotency-Key: k1")
		if again.body != first.body || again.header.Get("Idempotency-Replayed") != "true" || again.header.Get("Location") != first.header.Get("Location") {
			t.Errorf("%v %s, want %s", again.header, again.body, first.body)
		}
	}
	if p := m.want(422, "POST", "/v1/keys", `{"name":"x","scopes":["search"]}`, "Idempotency-Key: k1").problem(t); p.Code != codeIdemReused {
		t.Errorf("code %s", p.Code)
	}
	var other keyBody
	m.want(201, "POST", "/v1/keys", body, "Idempotency-Key: k2").into(t, &other)
	s.want(201, "POST", "/v1/keys", body, "Idempotency-Key: k1").into(t, &other) // keys do not share them
	if other.ID == k.ID {
		t.Error("the answer to another key")
	}
	// Nobody opens the answer without the text of the key, not even who has its
	// next one.
	var next keyBody
	m.want(200, "POST", "/v1/keys/"+manager.ID+"/rotate", "").into(t, &next)
	if p := s.as(next.Key).want(422, "POST", "/v1/keys", body, "Idempotency-Key: k1").problem(t); p.Code != codeIdemReused {
		t.Errorf("code %s", p.Code)
	}
	m.want(201, "POST", "/v1/keys", body, "Idempotency-Key: k1")
	noSecret(t, s, manager.Key, k.Key, other.Key, next.Key)
	if total := s.want(200, "GET", "/v1/keys?limit=1", ""); !strings.Contains(total.body, `"total":5,`) {
		t.Errorf("%s", total.body)
	}
}

// restartedAs is restarted for a service whose root key has another text.
func (s *service) restartedAs(root string, now func() time.Time) *service {
	return s.as(root).restarted(now).as(s.key)
}

// noSecret fails the test if a secret is in any row of the engine.
func noSecret(t *testing.T, s *service, texts ...string) {
	t.Helper()
	rows := 0
	for row, err := range s.engine.Rows("") {
		if err != nil {
			t.Fatal(err)
		}
		rows++
		for _, text := range texts {
			parts := []string{text}
			if _, err := ParseKey(text); err == nil {
				parts = append(parts, text[12:55], text[12:33], text[33:55])
			}
			for _, part := range parts {
				if strings.Contains(row.Key, part) || strings.Contains(string(row.Value), part) {
					t.Errorf("a secret is in row %q", row.Key)
				}
			}
		}
	}
	if rows == 0 {
		t.Error("there are no rows to look at")
	}
}

func TestSecretsAreInNoRow(t *testing.T) {
	s, _ := withClock(t)
	k := s.makeKey(`{"name":"a name to be found","scopes":["*"]}`)
	var r keyBody
	s.want(200, "POST", "/v1/keys/"+k.ID+"/rotate", "").into(t, &r)
	var token struct{ Token string }
	s.want(201, "POST", "/v1/keys/"+k.ID+"/token", "").into(t, &token)
	s.as(token.Token).want(200, "POST", "/v1/search", "{}")
	s.as(r.Key).want(201, "POST", "/v1/batch", `{"index":"a","records":[{"id":"1"}]}`, "Idempotency-Key: x")
	s.server.tendKeysOnce(t.Context())
	noSecret(t, s, s.key, k.Key, r.Key, token.Token)
	found := false
	for row := range s.engine.Rows("") {
		found = found || strings.Contains(string(row.Value), "a name to be found")
	}
	if !found {
		t.Error("what is in a row was not found either")
	}
}

func TestTooManyKeys(t *testing.T) {
	s := newService(t, func(c *Config) { c.Limits.Keys = 2 })
	k := s.makeKey(`{"scopes":["search"]}`)
	s.makeKey(`{"scopes":["search"]}`)
	if p := s.want(422, "POST", "/v1/keys", `{"scopes":["search"]}`).problem(t); p.Code != engine.CodeLimitExceeded {
		t.Errorf("code %s", p.Code)
	}
	s.want(204, "DELETE", "/v1/keys/"+k.ID, "")
	s.makeKey(`{"scopes":["search"]}`)
}

// What is left of a policy is never more than it allows, whatever the burst.
func TestRateLimitIsWithinItsPolicy(t *testing.T) {
	s, _ := withClock(t)
	k := s.makeKey(`{"scopes":["search"],"rate":{"per_second":3,"burst":7}}`)
	for i, left := range []int{3, 3, 3, 3, 2, 1, 0} {
		a := s.as(k.Key).want(200, "POST", "/v1/search", "{}")
		if got := a.header.Get("RateLimit"); !strings.HasPrefix(got, fmt.Sprintf(`"key";r=%d;t=`, left)) || a.header.Get("RateLimit-Policy") != `"key";q=3;w=1` {
			t.Errorf("request %d: %s", i, got)
		}
	}
}

func TestRates(t *testing.T) {
	s, clock := withClock(t)
	k := s.makeKey(`{"scopes":["search"],"rate":{"per_second":2,"burst":3}}`)
	token, err := keyring.MintToken(k.Key, keyring.Claims{Expires: testTime.Add(time.Hour).Unix()})
	if err != nil {
		t.Fatal(err)
	}
	for i, bearer := range []string{k.Key, token, k.Key} { // a token counts for its key
		status := []int{200, 200, 403}[i]
		path := []string{"/v1/search", "/v1/search", "/v1/batch"}[i]
		a := s.as(bearer).want(status, "POST", path, "{}")
		if want := fmt.Sprintf(`"key";r=%d;t=1`, 2-i); a.header.Get("RateLimit") != want && i != 1 || a.header.Get("RateLimit-Policy") != `"key";q=2;w=1` {
			t.Errorf("request %d: %v, want RateLimit %s", i, a.header, want)
		}
	}
	a := s.as(k.Key).want(429, "POST", "/v1/search", "{}")
	var p struct {
		Type, Code string
		Policies   []string `json:"violated-policies"`
	}
	if err := json.Unmarshal([]byte(a.body), &p); err != nil {
		t.Fatal(err)
	}
	if p.Code != codeRateLimited || p.Type != "https://iana.org/assignments/http-problem-types#quota-exceeded" || !slices.Equal(p.Policies, []string{"key"}) ||
		a.header.Get("Retry-After") != "1" || a.header.Get("RateLimit") != `"key";r=0;t=1` {
		t.Errorf("%v %s", a.header, a.body)
	}
	other := s.makeKey(`{"scopes":["search"]}`)
	s.as(other.Key).want(200, "POST", "/v1/search", "{}")
	clock.advance(499 * time.Millisecond)
	s.as(token).want(429, "POST", "/v1/search", "{}")
	clock.advance(time.Millisecond)
	s.as(token).want(200, "POST", "/v1/search", "{}")
	for _, step := range []time.Duration{24 * time.Hour, -48 * time.Hour} { // the clock is set
		clock.advance(step)
		for range 5 {
			s.as(k.Key).do("POST", "/v1/search", "{}")
		}
		s.as(k.Key).want(429, "POST", "/v1/search", "{}")
		clock.advance(time.Second)
		s.as(k.Key).want(200, "POST", "/v1/search", "{}")
	}
}

func TestQuotas(t *testing.T) {
	s, clock := withClock(t)
	k := s.makeKey(`{"scopes":["*"],"quota":{"searches_per_month":5}}`)
	for range 3 {
		s.as(k.Key).want(422, "POST", "/v1/search", `{"limit":-1}`) // not answered, not counted
		s.as(k.Key).want(404, "POST", "/v1/search", `{"index":"nothing"}`)
	}
	var answered atomic.Int64
	var clients sync.WaitGroup
	for range 16 {
		clients.Go(func() {
			switch a := s.as(k.Key).do("POST", "/v1/search", "{}"); a.status {
			case 200:
				answered.Add(1)
			case 429:
			default:
				t.Errorf("status %d", a.status)
			}
		})
	}
	clients.Wait()
	if answered.Load() > 5 {
		t.Errorf("%d searches were answered", answered.Load())
	}
	for range 5 - answered.Load() { // those that were refused for what others had reserved
		s.as(k.Key).want(200, "POST", "/v1/search", "{}")
	}
	a := s.as(k.Key).want(429, "POST", "/v1/search", "{}")
	left := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC).Sub(testTime)
	if p := a.problem(t); p.Code != codeQuotaExhausted || a.header.Get("Retry-After") != fmt.Sprint(int64(left/time.Second)) {
		t.Errorf("%v %s", a.header, a.body)
	}
	s.as(k.Key).want(200, "GET", "/v1/indexes", "")
	clock.advance(left)
	s.as(k.Key).want(200, "POST", "/v1/search", "{}")
}

// TestQuotasHoldOverRestarts: what was counted counts for the next server.
func TestQuotasHoldOverRestarts(t *testing.T) {
	s, clock := withClock(t)
	k := s.makeKey(`{"scopes":["search"],"quota":{"searches_per_month":5}}`)
	for i := range 5 {
		s.as(k.Key).want(200, "POST", "/v1/search", "{}")
		if i%2 == 1 {
			if err := s.server.meter.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
			s = s.restarted(clock.now)
			clock.advance(24 * time.Hour)
		}
	}
	s.as(k.Key).want(429, "POST", "/v1/search", "{}")
	clock.advance(10 * 24 * time.Hour)
	s.as(k.Key).want(200, "POST", "/v1/search", "{}")
}

func TestServeTendsKeys(t *testing.T) {
	e, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	s := newService(t, func(c *Config) { c.Engine = e })
	k := s.makeKey(`{"scopes":["read"]}`)
	s.as(k.Key).want(200, "GET", "/v1/indexes", "")
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { ended <- s.server.Serve(ctx, ln) }()
	cancel()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if _, err := e.Row(keyDayRows + strings.TrimPrefix(k.ID, "key_")); err != nil {
		t.Errorf("the day of the last use was not written: %v", err)
	}
}
