package httpapi

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/quarry-search/quarry/engine"
)

// someRows are rows of each kind that a service keeps, as one with the root key
// has written them.
func someRows(f *testing.F, key string) []engine.Row {
	f.Helper()
	e := newMemEngine(f)
	hash, err := HashKey(key)
	if err != nil {
		f.Fatal(err)
	}
	server, err := New(Config{Engine: e, RootKey: hash})
	if err != nil {
		f.Fatal(err)
	}
	defer server.Close()
	s := &service{t: &testing.T{}, server: server, engine: e, key: key}
	for _, r := range [][]string{
		{"POST", "/v1/keys", `{"name":"a","scopes":["search"],"indexes":["shop"],"expires_at":"2099-01-01T00:00:00Z","quota":{"searches_per_month":5}}`},
		{"POST", "/v1/batch", someRecords, `Idempotency-Key: k`},
		{"POST", "/v1/keys", `{"name":"b","scopes":["search"]}`, `Idempotency-Key: k2`},
		{"POST", "/v1/webhooks", `{"url":"https://shop.example/","events":["*"]}`},
		{"POST", "/v1/batch", moreRecords},
	} {
		if a := s.do(r[0], r[1], r[2], r[3:]...); a.status != 201 {
			f.Fatalf("%v: %d %s", r, a.status, a.body)
		}
	}
	body := []byte(`{"index":"shop","records":[{"id":"queued"}]}`)
	queued := job{ID: newID(batchPrefix, testTime), Seq: 1, Key: "root", Atomic: true, Media: mediaJSON, Size: int64(len(body)), Total: 1, Created: testTime}
	for _, row := range []engine.Row{
		queued.row(), queued.partRows(body)[0],
		{Key: keyDayRows + "abc", Value: []byte("2026-11-22")},
		{Key: snapshotRows + "snp_1", Value: []byte(`{"id":"snp_1","path":"/x","created":"2026-11-22T00:00:00Z","version":1,"files":1,"bytes":1,"sum":"x"}`)},
	} {
		if err := e.PutRows(context.Background(), []engine.Row{row}); err != nil {
			f.Fatal(err)
		}
	}
	var rows []engine.Row
	for row, err := range e.Rows("http/") {
		if err != nil {
			f.Fatal(err)
		}
		rows = append(rows, row)
	}
	return rows
}

// FuzzRows: whatever a row of the service holds, it opens and answers, or says
// that the row is damaged.
func FuzzRows(f *testing.F) {
	key := GenerateKey()
	rows := someRows(f, key)
	for i, row := range rows {
		f.Add(uint8(i), row.Value)
		f.Add(uint8(i), row.Value[:len(row.Value)/2])
		f.Add(uint8(i), []byte(strings.NewReplacer(`"size":`, `"size":-`, `"seq":`, `"seq":9`).Replace(string(row.Value))))
		f.Add(uint8(i), []byte(strings.NewReplacer(`"size":`, `"size":99999999999`, `"2026`, `"9999`).Replace(string(row.Value))))
	}
	hash, err := HashKey(key)
	if err != nil {
		f.Fatal(err)
	}
	e := newMemEngine(f) // one for all inputs; each finds these rows and no others
	f.Fuzz(func(t *testing.T, which uint8, value []byte) {
		at := int(which) % len(rows)
		var changed []engine.Row
		for row, err := range e.Rows("http/") {
			if err != nil {
				t.Fatal(err)
			}
			changed = append(changed, engine.Row{Key: row.Key})
		}
		if len(changed) > 0 {
			if err := e.PutRows(t.Context(), changed); err != nil {
				t.Fatal(err)
			}
		}
		changed = append([]engine.Row(nil), rows...)
		changed[at].Value = append([]byte{}, value...)
		if err := e.PutRows(t.Context(), changed); err != nil {
			t.Fatal(err)
		}
		server, err := New(Config{Engine: e, RootKey: hash, NoPage: true})
		if err != nil {
			if !errors.Is(err, engine.ErrCorrupt) {
				t.Fatalf("%s: %v is not ErrCorrupt", changed[at].Key, err)
			}
			return
		}
		defer server.Close()
		s := &service{t: t, server: server, engine: e, key: key}
		server.queue.mu.Lock() // its worker is at it
		for _, j := range server.queue.jobs {
			if _, err := server.queue.body(j); err != nil && !errors.Is(err, engine.ErrCorrupt) {
				t.Errorf("%s: %v is not ErrCorrupt", changed[at].Key, err)
			}
			j.gone()
		}
		server.queue.mu.Unlock()
		for _, r := range [][]string{
			{"GET", "/v1/keys", ""}, {"GET", "/v1/batch", ""}, {"GET", "/v1/webhooks", ""}, {"GET", "/v1/snapshots", ""}, {"GET", "/v1/usage", ""},
			{"POST", "/v1/batch", someRecords, `Idempotency-Key: k`},
			{"POST", "/v1/keys", `{"name":"b","scopes":["search"]}`, `Idempotency-Key: k2`},
			{"GET", "/v1/records?index=shop&limit=1", ""},
		} {
			if a := s.do(r[0], r[1], r[2], r[3:]...); a.status >= 500 && !strings.Contains(a.body, `"corruption"`) {
				t.Fatalf("%s: %v: %d %s", changed[at].Key, r, a.status, a.body)
			}
		}
		for _, row := range rows {
			if id, ok := strings.CutPrefix(row.Key, batchRows); ok {
				for _, method := range []string{"GET", "DELETE"} {
					if a := s.do(method, "/v1/batch/"+id, ""); a.status >= 500 && !strings.Contains(a.body, `"corruption"`) {
						t.Fatalf("%s: %s: %d %s", changed[at].Key, method, a.status, a.body)
					}
				}
			}
		}
	})
}
