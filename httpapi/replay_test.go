package httpapi

import (
	"strings"
	"testing"
	"time"

	"github.com/quarry-search/quarry/engine"
)

func TestIdempotencyKey(t *testing.T) {
	at := time.Date(2026, 11, 21, 13, 5, 0, 0, time.UTC)
	s := newService(t, func(c *Config) { c.Now = func() time.Time { return at } })
	const body = `{"index":"shop","records":[{"title":"x"}]}`
	first := s.want(201, "POST", "/v1/batch", body, `Idempotency-Key: "k-1"`)
	for _, header := range []string{`"k-1"`, "k-1"} {
		again := s.want(201, "POST", "/v1/batch", body, "Idempotency-Key: "+header)
		if again.body != first.body || again.header.Get("Idempotency-Replayed") != "true" || again.header.Get("Location") != first.header.Get("Location") {
			t.Errorf("%s: replayed %q: %s", header, again.header.Get("Idempotency-Replayed"), again.body)
		}
	}
	for _, c := range []struct{ path, body, media string }{
		{"/v1/batch", body + " ", mediaJSON},
		{"/v1/batch?index=shop", `{"title":"x"}`, mediaNDJSON},
	} {
		if p := s.want(422, "POST", c.path, c.body, "Idempotency-Key: k-1", "Content-Type: "+c.media).problem(t); p.Code != codeIdemReused {
			t.Errorf("%+v", p)
		}
	}
	for _, same := range []string{`"k-1";a=1`, ` "k-1" `} {
		if again := s.want(201, "POST", "/v1/batch", body, "Idempotency-Key: "+same); again.body != first.body {
			t.Errorf("%s is another key", same)
		}
	}
	for _, other := range []string{`"k 1"`, `"k-\"1"`, `"k-\\1"`, `" k-1"`, `k\1`} {
		first := s.want(201, "POST", "/v1/batch", body, "Idempotency-Key: "+other)
		if again := s.want(201, "POST", "/v1/batch", body, "Idempotency-Key: "+other); again.body != first.body {
			t.Errorf("%s is not known again", other)
		}
	}
	for _, bad := range []string{"", `""`, "a b", "ä", strings.Repeat("x", 256), `a"b`, `"a`, `"`, `"a\`, `"a\b"`, `"a"b`, `"a""b"`, `"a" b`, `"ä"`, "\"a\tb\""} {
		if p := s.want(400, "POST", "/v1/batch", body, "Idempotency-Key: "+bad).problem(t); p.Code != codeMalformedHeader {
			t.Errorf("%q: %+v", bad, p)
		}
		// A stream of lines takes no key, and still says what is wrong with one.
		if p := s.want(400, "POST", "/v1/batch?atomic=false&index=shop", "id,title\nr3,red\n", "Idempotency-Key: "+bad, "Content-Type: text/csv").problem(t); p.Code != codeMalformedHeader {
			t.Errorf("%q with lines: %+v", bad, p)
		}
	}
	s.want(422, "POST", "/v1/batch?atomic=false&index=shop", "id,title\nr3,red\n", "Idempotency-Key: k-3", "Content-Type: text/csv")
	// Failures are not remembered.
	s.want(422, "POST", "/v1/batch", `{"index":"shop","records":[{"price":1},{"price":"x"}]}`, "Idempotency-Key: k-2")
	s.want(201, "POST", "/v1/batch", body, "Idempotency-Key: k-2")

	// Answers outlive the server, but not a day.
	again := newService(t, func(c *Config) { c.Engine = s.engine; c.Now = func() time.Time { return at } })
	again.key, again.server.keys = s.key, s.server.keys
	if a := again.want(201, "POST", "/v1/batch", body, "Idempotency-Key: k-1"); a.body != first.body {
		t.Errorf("after a restart: %s", a.body)
	}
	at = at.Add(replayTime)
	if a := again.want(201, "POST", "/v1/batch", body, "Idempotency-Key: k-1"); a.header.Get("Idempotency-Replayed") != "" {
		t.Error("replayed after a day")
	}
	if rows := rowKeys(t, s.engine, replayRows); len(rows) != 1 {
		t.Errorf("%d rows are left, want that of the last request", len(rows))
	}
}

func TestIdempotencyKeyUnderWay(t *testing.T) {
	s := newService(t)
	const body = `{"index":"shop","records":[{"title":"x"}]}`
	inside, finish := make(chan bool), make(chan bool)
	s.engine.(*memEngine).before = blockOnce("Apply", inside, finish)
	done := make(chan answer)
	go func() { done <- s.do("POST", "/v1/batch", body, "Idempotency-Key: k") }()
	<-inside
	if p := s.want(409, "POST", "/v1/batch", body, "Idempotency-Key: k").problem(t); p.Code != codeIdemInProgress {
		t.Errorf("%+v", p)
	}
	s.want(201, "POST", "/v1/batch", body, "Idempotency-Key: other")
	close(finish)
	if a := <-done; a.status != 201 {
		t.Errorf("the first: %d", a.status)
	}
}

// keyed is a service whose clock stands still until a test moves it.
func keyed(t *testing.T) (s *service, at *time.Time, send func(key string) answer) {
	now := time.Date(2026, 11, 21, 13, 5, 0, 0, time.UTC)
	at = &now
	s = newService(t, func(c *Config) { c.Now = func() time.Time { return *at } })
	return s, at, func(key string) answer {
		return s.do("POST", "/v1/batch", `{"index":"shop","records":[{"title":"x"}]}`, "Idempotency-Key: "+key)
	}
}

func replayed(a answer) bool {
	return a.status == 201 && a.header.Get("Idempotency-Replayed") == "true"
}

// The time of a key begins with the request that succeeds, and a request that
// fails leaves answers whose time is over for the next one to delete.
func TestIdempotencyKeyAfterAFailure(t *testing.T) {
	s, at, send := keyed(t)
	e := s.engine.(*memEngine)
	rows := func(want int) {
		t.Helper()
		if got := len(rowKeys(t, e, replayRows)); got != want || len(s.server.replays.expiry) != want {
			t.Errorf("%d rows and %d times, want %d", got, len(s.server.replays.expiry), want)
		}
	}
	fail := func(key string) {
		t.Helper()
		e.before = failAfter("commit", 0, engine.ErrStorageFull)
		if a := send(key); a.status != 507 {
			t.Errorf("%s: %d %s", key, a.status, a.body)
		}
		e.before = nil
	}
	fail("a")
	rows(0)
	*at = at.Add(time.Hour)
	send("a")
	rows(1)
	*at = at.Add(replayTime - time.Hour) // a day after the failure
	send("b")
	if !replayed(send("a")) {
		t.Error("the answer was deleted with the time of the request that failed")
	}
	rows(2)
	*at = at.Add(time.Hour)
	fail("a") // its own time is over, too
	fail("c")
	rows(2)
	if a := send("c"); a.status != 201 || replayed(a) {
		t.Errorf("c: %d %s", a.status, a.body)
	}
	rows(2) // b and c
}

// A request that takes longer than a later one keeps its place in the order in
// which answers end, so that its key can be used anew.
func TestIdempotencyKeyOvertaken(t *testing.T) {
	s, at, send := keyed(t)
	e := s.engine.(*memEngine)
	inside, finish := make(chan bool), make(chan bool)
	e.before = blockOnce("Apply", inside, finish)
	done := make(chan answer)
	go func() { done <- send("slow") }()
	<-inside
	begun := *at
	*at = begun.Add(10 * time.Second)
	send("quick")
	close(finish)
	<-done
	*at = begun.Add(replayTime)
	if a := send("slow"); a.status != 201 || replayed(a) {
		t.Errorf("a day later: %d %s", a.status, a.body)
	}
	*at = begun.Add(replayTime + 20*time.Second)
	send("other")
	if !replayed(send("slow")) {
		t.Error("the new answer was deleted as the old one")
	}
}

// A commit that fails after another request has used a key anew leaves that
// one's answer alone.
func TestUndoLeavesNewerAnswers(t *testing.T) {
	s, at, send := keyed(t)
	send("k")
	l := s.server.replays
	row := l.expiry[0].key
	*at = at.Add(replayTime)
	failing := &claim{log: l, row: "other", now: *at}
	rows := failing.answered("id", nil)
	if len(rows) != 2 || rows[0].Key != row || rows[0].Value != nil {
		t.Fatalf("rows %v", rows)
	}
	send("k")
	failing.undo(rows)
	send("third")
	if !replayed(send("k")) {
		t.Error("the newer answer was deleted")
	}
}
