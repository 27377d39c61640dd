package httpapi

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/quarry-search/quarry/engine"
)

// failAfter lets the first n calls of a method pass and fails the others.
func failAfter(method string, n int, err error) func(context.Context, string) error {
	var calls atomic.Int64
	return func(_ context.Context, m string) error {
		if m == method && calls.Add(1) > int64(n) {
			return err
		}
		return nil
	}
}

// blockOnce tells over inside that a method is called for the first time, and
// holds that call until finish is closed.
func blockOnce(method string, inside, finish chan bool) func(context.Context, string) error {
	var once sync.Once
	return func(ctx context.Context, m string) error {
		first := false
		if m == method {
			once.Do(func() { first = true })
		}
		if first {
			close(inside)
			<-finish
		}
		return nil
	}
}

// crashAt ends everything with the n-th call at a point, from 1: that call
// fails and so does all that follows, as if the process had been killed.
func crashAt(point string, n int) func(context.Context, string) error {
	var calls atomic.Int64
	return func(_ context.Context, m string) error {
		if m == point {
			calls.Add(1)
		}
		if calls.Load() >= int64(n) {
			return errors.New("killed")
		}
		return nil
	}
}

// Whenever the process is killed, the outcome of a batch and the answer to its
// Idempotency-Key are there if and only if all of the batch is.
func TestCrashAroundACommit(t *testing.T) {
	records := ndjson(`{"id":"a","t":"0123456789"}`, `{"id":"b","t":"0123456789"}`, `{"id":"c","t":"0123456789"}`)
	for _, c := range []struct {
		name, path, body, media, key string
		chunk                        int64
		commits                      int
	}{
		{name: "JSON", path: "/v1/batch", body: `{"index":"shop","records":[{"id":"a"},{"id":"b"},{"id":"c"}]}`, media: mediaJSON, commits: 1},
		{name: "JSON with a key", path: "/v1/batch", body: `{"index":"shop","records":[{"id":"a"},{"id":"b"},{"id":"c"}]}`, media: mediaJSON, key: "k", commits: 1},
		{name: "NDJSON with a key", path: "/v1/batch?index=shop", body: records, media: mediaNDJSON, key: "k", commits: 1},
		{name: "CSV with a key", path: "/v1/batch?index=shop", body: "id\na\nb\nc\n", media: mediaCSV, key: "k", commits: 1},
		{name: "stream of one chunk", path: "/v1/batch?index=shop&atomic=false", body: records, media: mediaNDJSON, chunk: 1000, commits: 1},
		{name: "stream of two chunks", path: "/v1/batch?index=shop&atomic=false", body: records, media: mediaNDJSON, chunk: 50, commits: 2},
		{name: "stream whose last chunk is full", path: "/v1/batch?index=shop&atomic=false", body: records, media: mediaNDJSON, chunk: 1, commits: 4},
	} {
		for _, point := range []string{"Apply", "commit", "committed"} {
			for n := 1; n <= c.commits; n++ {
				t.Run(fmt.Sprintf("%s/%s %d", c.name, point, n), func(t *testing.T) {
					s := newService(t, func(conf *Config) { conf.Limits.ChunkBytes = c.chunk })
					e := s.engine.(*memEngine)
					headers := []string{"Content-Type: " + c.media}
					if c.key != "" {
						headers = append(headers, "Idempotency-Key: "+c.key)
					}
					e.before = crashAt(point, n)
					s.want(500, "POST", c.path, c.body, headers...)
					e.before = nil

					done := n - 1
					if point == "committed" {
						done = n
					}
					if e.Version() != uint64(done) {
						t.Errorf("%d commits, want %d", e.Version(), done)
					}
					outcomes, want := rowKeys(t, e, batchRows), 0
					if done == c.commits {
						want = 1
					}
					if len(outcomes) != want {
						t.Fatalf("%d outcomes after %d of %d commits", len(outcomes), done, c.commits)
					}
					again := newService(t, func(conf *Config) { conf.Engine = e })
					again.key, again.server.keys = s.key, s.server.keys
					var kept answer
					if want == 1 {
						kept = again.want(200, "GET", "/v1/batch/"+strings.TrimPrefix(outcomes[0], batchRows), "")
						var got batchBody
						kept.into(t, &got)
						if info, _ := e.Index("shop"); got.State != "applied" || got.Counts.Put != 3 || info.Records != 3 || *got.Version != c.commits {
							t.Errorf("%d records, outcome %s", info.Records, kept.body)
						}
					}
					if c.key == "" {
						return
					}
					if got := len(rowKeys(t, e, replayRows)); got != want {
						t.Errorf("%d answers for %d outcomes", got, want)
					}
					second := again.want(201, "POST", c.path, c.body, headers...)
					if replayed(second) != (want == 1) || want == 1 && second.body != kept.body {
						t.Errorf("the second time: %s\nremembered: %s", second.body, kept.body)
					}
					if info, _ := e.Index("shop"); info.Records != 3 || e.Version() != 1 {
						t.Errorf("%d records, version %d", info.Records, e.Version())
					}
				})
			}
		}
	}
}

// Nothing but the commit of the batch itself is needed.
func TestBatchIsOneCommit(t *testing.T) {
	s := newService(t, func(c *Config) { c.Limits.ChunkBytes = 10 })
	s.engine.(*memEngine).before = failAfter("PutRows", 0, engine.ErrStorageFull)
	const key = "Idempotency-Key: k"
	for _, c := range []struct{ path, body, media, key string }{
		{"/v1/batch", `{"index":"shop","records":[{"id":"a"}]}`, mediaJSON, key},
		{"/v1/batch?index=shop", ndjson(`{"id":"a"}`), mediaNDJSON, key + "2"},
		{"/v1/batch?index=shop&atomic=false", ndjson(`{"id":"a"}`, `{"id":"b"}`), mediaNDJSON, "Accept: */*"},
		{"/v1/batch?index=shop&atomic=false", "\n", mediaNDJSON, "Accept: */*"},
	} {
		a := s.want(201, "POST", c.path, c.body, "Content-Type: "+c.media, c.key)
		if kept := s.want(200, "GET", a.header.Get("Location"), ""); kept.body != a.body {
			t.Errorf("%s: answered %s, remembered %s", c.path, a.body, kept.body)
		}
		if !strings.HasPrefix(c.key, key) {
			continue
		}
		if second := s.want(201, "POST", c.path, c.body, "Content-Type: "+c.media, c.key); second.body != a.body || !replayed(second) {
			t.Errorf("%s: answered %s, then %s", c.path, a.body, second.body)
		}
	}
}
