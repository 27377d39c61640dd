package httpapi

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/quarry-search/quarry/engine"
)

type batchBody struct {
	ID, State string
	Atomic    bool
	Version   *int
	Counts    *struct{ Put, Patched, Deleted, Failed int }
	IDs       []*string
	Created   []string `json:"indexes_created"`
	Errors    []struct {
		Position              int
		Code, Pointer, Detail string
	}
}

func TestBatchAnswer(t *testing.T) {
	at := time.Date(2026, 11, 21, 13, 5, 0, 0, time.UTC)
	s := newService(t, func(c *Config) { c.Now = func() time.Time { return at } })
	s.want(201, "POST", "/v1/batch", `{"index":"products","records":[{"id":"sku-43","price":1},{"id":"sku-7"}]}`)
	a := s.want(201, "POST", "/v1/batch", `{"index":"products","operations":[
		{"op":"put","record":{"id":"sku-42","title":"Red running shoes","price":39.9}},
		{"op":"patch","id":"sku-43","record":{"price":10}},
		{"op":"delete","id":"sku-7"},
		{"op":"delete","id":"sku-8"},
		{"op":"put","id":9007199254740993,"record":{}},
		{"op":"put","index":"news","record":{"title":"no id: one is made"}}]}`)
	var got batchBody
	a.into(t, &got)
	id := got.ID
	made := *got.IDs[len(got.IDs)-1]
	if len(made) != 26 {
		t.Errorf("the id that was made is %q", made)
	}
	if a.header.Get("Location") != "/v1/batch/"+id || !strings.HasPrefix(id, "bat_01") {
		t.Errorf("Location %q, id %q", a.header.Get("Location"), id)
	}
	took := a.body[strings.Index(a.body, `"took_ms":`):]
	want := `{"id":"` + id + `","state":"applied","atomic":true,"version":2,"counts":{"put":3,"patched":1,"deleted":1,"failed":0},` +
		`"ids":["sku-42","sku-43","sku-7","sku-8","9007199254740993","` + made + `"],"indexes":["products","news"],"indexes_created":["news"],` +
		took[:strings.IndexByte(took, ',')] + `,"created_at":"2026-11-21T13:05:00Z","applied_at":"2026-11-21T13:05:00Z"}` + "\n"
	if diff := cmp.Diff(want, a.body); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if later := s.want(200, "GET", "/v1/batch/"+id, ""); later.body != a.body {
		t.Errorf("GET shows %s", later.body)
	}
	for _, other := range []string{"bat_", "x", id + "0", id[:len(id)-1] + "~", "..", "%2e%2e"} {
		if a := s.do("GET", "/v1/batch/"+other, ""); a.status != 404 {
			t.Errorf("GET /v1/batch/%s: %d", other, a.status)
		}
	}
}

func TestBatchIsAllOrNothing(t *testing.T) {
	s := newService(t)
	a := s.want(422, "POST", "/v1/batch", `{"index":"shop","operations":[{"op":"put","record":{"id":"a","price":1}},{"op":"put","record":{"id":"b","price":"x"}},{"op":"put","record":{"id":"c","price":true}}]}`)
	p := a.problem(t)
	if p.Code != engine.CodeInvalidFieldType || p.Detail != "2 problems in the request" || len(p.Errors) != 2 ||
		p.Errors[0].Pointer != "/operations/1/record/price" || p.Errors[0].Position != 1 || p.Errors[1].Pointer != "/operations/2/record/price" {
		t.Errorf("%+v", p)
	}
	s.want(404, "GET", "/v1/indexes/shop", "")
	a = s.want(422, "POST", "/v1/batch", `{"index":"shop","records":[{"price":1},{"price":"x"}]}`)
	if p := a.problem(t); p.Errors[0].Pointer != "/records/1/price" {
		t.Errorf("%+v", p)
	}
}

func TestBatchThatIsNotAtomic(t *testing.T) {
	s := newService(t)
	var got batchBody
	s.want(201, "POST", "/v1/batch", `{"atomic":false,"index":"shop","operations":[{"op":"put","record":{"id":"a","price":1}},{"op":"put","record":{"id":"b","price":"x"}},{"op":"patch","id":"n","record":{}}]}`).into(t, &got)
	if got.Atomic || got.Counts.Put != 1 || got.Counts.Failed != 2 || len(got.Errors) != 2 || got.IDs[1] != nil {
		t.Errorf("%+v", got)
	}
	if e := got.Errors; e[0].Position != 1 || e[0].Pointer != "/operations/1/record/price" || e[0].Code != engine.CodeInvalidFieldType ||
		e[1].Position != 2 || e[1].Pointer != "/operations/2/id" || e[1].Code != engine.CodeRecordNotFound {
		t.Errorf("errors %+v", e)
	}
}

// The errors of a batch are its first hundred, in the order of its operations,
// though some are found only when others have been.
func TestBatchTellsTheFirstErrors(t *testing.T) {
	s := withEngine(t, "")
	s.want(201, "POST", "/v1/batch", `{"index":"a","records":[{"id":"1","n":1}]}`)
	const missing, wrong = `{"op":"patch","id":"none","record":{"n":2}}`, `{"op":"put","record":{"id":"2","n":"two"}}`
	positions := func(body string) (at []int) {
		t.Helper()
		var b struct {
			Failed int
			Errors []struct{ Position int }
		}
		s.want(201, "POST", "/v1/batch", body).into(t, &b)
		for _, e := range b.Errors {
			at = append(at, e.Position)
		}
		return at
	}
	var ops []string
	for i := range 250 {
		ops = append(ops, missing)
		if i >= 100 {
			ops[i] = wrong
		}
	}
	var want []int
	for i := range 100 {
		want = append(want, i)
	}
	if at := positions(`{"index":"a","atomic":false,"operations":[` + strings.Join(ops, ",") + `]}`); !slices.Equal(at, want) {
		t.Errorf("errors at %v", at)
	}
	slices.Reverse(ops)
	if at := positions(`{"index":"a","atomic":false,"operations":[` + strings.Join(ops, ",") + `]}`); !slices.Equal(at, want) {
		t.Errorf("errors of the other order at %v", at)
	}
	if at := positions(`{"index":"a","atomic":false,"operations":[` + strings.Join([]string{missing, wrong, missing, wrong, missing}, ",") + `]}`); !slices.Equal(at, []int{0, 1, 2, 3, 4}) {
		t.Errorf("errors of a small batch at %v", at)
	}
}

func TestBatchConflicts(t *testing.T) {
	s := newService(t)
	s.want(201, "POST", "/v1/batch", `{"index":"shop","operations":[{"op":"put_new","record":{"id":"a"}}]}`)
	for _, c := range []struct{ op, code, pointer string }{
		{`{"op":"put_new","record":{"id":"a"}}`, engine.CodeRecordExists, "/operations/0"},
		{`{"op":"put","record":{"id":"a"},"if_version":7}`, engine.CodeVersionMismatch, "/operations/0/if_version"},
		{`{"op":"delete","id":"a","if_version":0}`, engine.CodeVersionMismatch, "/operations/0/if_version"},
	} {
		p := s.want(409, "POST", "/v1/batch", `{"index":"shop","operations":[`+c.op+`]}`).problem(t)
		if p.Code != c.code || p.Errors[0].Pointer != c.pointer {
			t.Errorf("%s: %+v", c.op, p)
		}
	}
	s.want(201, "POST", "/v1/batch", `{"index":"shop","operations":[{"op":"put","record":{"id":"a"},"if_version":1}]}`)
	p := s.want(422, "POST", "/v1/batch", `{"index":"shop","operations":[{"op":"delete_where","filter":"price <"}]}`).problem(t)
	if p.Code != engine.CodeInvalidFilter || p.Errors[0].Pointer != "/operations/0/filter" || p.Errors[0].Column == 0 {
		t.Errorf("%+v", p)
	}
}

func TestBatchWithTooManyOperations(t *testing.T) {
	s := newService(t)
	s.server.engineMax.BatchOps = 3
	list := func(n int) string { return "[" + strings.TrimSuffix(strings.Repeat("{},", n), ",") + "]" }
	s.want(201, "POST", "/v1/batch", `{"index":"shop","records":`+list(3)+`}`)
	p := s.want(413, "POST", "/v1/batch", `{"index":"shop","records":`+list(4)+`}`).problem(t)
	if p.Code != codeBatchTooLarge {
		t.Errorf("%+v", p)
	}
	s.want(413, "POST", "/v1/batch?index=shop", strings.Repeat("{}\n", 4), "Content-Type: application/x-ndjson")
	s.want(201, "POST", "/v1/batch?index=shop&atomic=false", strings.Repeat("{}\n", 10), "Content-Type: application/x-ndjson")
}

func TestBatchOfManyRecords(t *testing.T) {
	s := newService(t)
	body := `{"index":"shop","records":[` + strings.Repeat("{},", keptIDs) + `{}]}`
	first := s.want(201, "POST", "/v1/batch", body, "Idempotency-Key: k")
	var got, kept batchBody
	first.into(t, &got)
	s.want(200, "GET", "/v1/batch/"+got.ID, "").into(t, &kept)
	if len(got.IDs) != keptIDs+1 || kept.IDs != nil || kept.Counts.Put != keptIDs+1 {
		t.Errorf("%d ids, %d remembered, %+v", len(got.IDs), len(kept.IDs), kept.Counts)
	}
	if again := s.want(201, "POST", "/v1/batch", body, "Idempotency-Key: k"); again.body != first.body {
		t.Errorf("replayed: %.200s", again.body)
	}
}

func TestOldBatchesAreForgotten(t *testing.T) {
	s := newService(t, func(c *Config) { c.Limits.BatchesKept = 3 })
	var ids []string
	at := time.Now()
	s.server.now = func() time.Time { at = at.Add(time.Millisecond); return at }
	for range 5 {
		var b batchBody
		s.want(201, "POST", "/v1/batch", `{"index":"shop","records":[{}]}`).into(t, &b)
		ids = append(ids, b.ID)
	}
	if !slices.IsSorted(ids) {
		t.Errorf("ids do not sort by time: %v", ids)
	}
	again := newService(t, func(c *Config) { c.Engine = s.engine; c.Limits.BatchesKept = 3 })
	for i, id := range ids {
		status := 404
		if i >= 2 {
			status = 200
		}
		s.want(status, "GET", "/v1/batch/"+id, "")
		again.want(status, "GET", "/v1/batch/"+id, "")
	}
	again.server.now = s.server.now
	again.want(201, "POST", "/v1/batch", `{"index":"shop","records":[{}]}`)
	again.want(404, "GET", "/v1/batch/"+ids[2], "")
}

// A batch that fails pushes no other one out.
func TestFailedBatchForgetsNothing(t *testing.T) {
	s := newService(t, func(c *Config) { c.Limits.BatchesKept = 2 })
	e := s.engine.(*memEngine)
	var want []string
	for range 3 {
		var b batchBody
		s.want(201, "POST", "/v1/batch", `{"index":"shop","records":[{}]}`).into(t, &b)
		want = append(want, batchRows+b.ID)
		for _, point := range []string{"Apply", "commit"} {
			e.before = failAfter(point, 0, engine.ErrStorageFull)
			s.want(507, "POST", "/v1/batch", `{"index":"shop","records":[{}]}`)
			e.before = nil
		}
		want = want[max(0, len(want)-2):]
		// Ids of one millisecond are in no order.
		if got := rowKeys(t, e, batchRows); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
			t.Errorf("rows %v, want %v", got, want)
		}
		if got := len(s.server.batches.ids); got != len(want) {
			t.Errorf("%d ids for %d rows", got, len(want))
		}
	}
}

func TestBatchesAtATime(t *testing.T) {
	const clients, batches, kept = 8, 25, 10
	s := newService(t, func(c *Config) { c.Limits.BatchesKept = kept })
	e := s.engine.(*memEngine)
	var calls atomic.Int64
	e.before = func(_ context.Context, m string) error {
		if m == "commit" && calls.Add(1)%5 == 0 {
			return engine.ErrStorageFull
		}
		return nil
	}
	var wait sync.WaitGroup
	for i := range clients {
		wait.Go(func() {
			for j := range batches {
				s.do("POST", "/v1/batch", `{"index":"shop","records":[{}]}`, fmt.Sprintf("Idempotency-Key: %d-%d", i, j))
			}
		})
	}
	wait.Wait()
	rows := rowKeys(t, e, batchRows)
	if len(rows) != kept || len(s.server.batches.ids) != kept {
		t.Errorf("%d rows, %d ids, want %d", len(rows), len(s.server.batches.ids), kept)
	}
	for _, id := range s.server.batches.ids {
		s.want(200, "GET", "/v1/batch/"+id, "")
	}
	if got, want := len(rowKeys(t, e, replayRows)), clients*batches*4/5; got != want || len(s.server.replays.expiry) != want {
		t.Errorf("%d rows and %d times of answers, want %d", got, len(s.server.replays.expiry), want)
	}
}

// rowKeys lists the keys with a prefix.
func rowKeys(t *testing.T, e Engine, prefix string) (keys []string) {
	t.Helper()
	for row, err := range e.Rows(prefix) {
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, row.Key)
	}
	return keys
}

func ndjson(lines ...string) string { return strings.Join(lines, "\n") + "\n" }

func TestNDJSON(t *testing.T) {
	s := newService(t)
	const media = "Content-Type: application/x-ndjson"
	var got batchBody
	s.want(201, "POST", "/v1/batch?index=shop", "\r\n"+`{"id":"a"}`+"\r\n\n"+`  {"id":"b","t":"é"}`+"\n"+`{"id":"c"}`, media).into(t, &got)
	if got.Counts.Put != 3 || len(got.IDs) != 3 {
		t.Errorf("%+v", got)
	}
	s.want(409, "POST", "/v1/batch?index=shop&op=put_new", ndjson(`{"id":"x"}`, `{"id":"a"}`), media)
	s.want(404, "GET", "/v1/record/x", "")
	s.want(201, "POST", "/v1/batch?index=shop&op=patch", ndjson(`{"id":"a","n":1}`, `{"n":2,"id":"b"}`), media).into(t, &got)
	if got.Counts.Patched != 2 {
		t.Errorf("%+v", got)
	}
	s.want(201, "POST", "/v1/batch?index=shop&op=delete", ndjson(`{"id":"a"}`, `"b"`, `12`, `"nobody"`), media).into(t, &got)
	if got.Counts.Deleted != 2 {
		t.Errorf("%+v", got)
	}
	for _, path := range []string{"/v1/batch", "/v1/batch?index=A", "/v1/batch?index=shop&op=upsert", "/v1/batch?index=shop&op=delete_where",
		"/v1/batch?index=shop&atomic=no", "/v1/batch?index=shop&atomic=", "/v1/batch?index=shop&op=", "/v1/batch?index=shop&index=news", "/v1/batch?indx=shop"} {
		s.want(422, "POST", path, "{}\n", media)
	}
	s.want(422, "POST", "/v1/batch?index=shop", someRecords) // a JSON body has these as members
}

// statusOfLine is that of a request all of whose problems have the code.
func statusOfLine(code string) int {
	switch code {
	case engine.CodeMalformedJSON:
		return 400
	case engine.CodeRecordTooLarge:
		return 413
	}
	return 422
}

var badLines = []struct{ name, line, code string }{
	{"no JSON", `{"id":`, engine.CodeMalformedJSON},
	{"two values", `{"id":"x"} {"id":"y"}`, engine.CodeMalformedJSON},
	{"a name twice", `{"id":"x","id":"y"}`, engine.CodeMalformedJSON},
	{"bad UTF-8", "{\"id\":\"\xff\"}", engine.CodeMalformedJSON},
	{"too deep", strings.Repeat(`{"a":`, 33) + "1" + strings.Repeat("}", 33), engine.CodeMalformedJSON},
	{"an array", `[{"id":"x"}]`, engine.CodeInvalidRequest},
	{"null", `null`, engine.CodeInvalidRequest},
	{"refused by the engine", `{"id":"x","price":"y"}`, engine.CodeInvalidFieldType},
	{"too long", `{"id":"x","t":"` + strings.Repeat("x", 1<<20) + `"}`, engine.CodeRecordTooLarge},
}

func TestBadLineInTheMiddle(t *testing.T) {
	const media = "Content-Type: application/x-ndjson"
	for _, c := range badLines {
		t.Run(c.name, func(t *testing.T) {
			s := newService(t)
			body := ndjson(`{"id":"a","price":1}`, "", c.line, `{"id":"b"}`)
			p := s.want(statusOfLine(c.code), "POST", "/v1/batch?index=shop", body, media).problem(t)
			if len(p.Errors) != 1 || p.Errors[0].Code != c.code || p.Errors[0].Position != 1 || !strings.HasPrefix(p.Errors[0].Detail, "line 3: ") {
				t.Errorf("%+v", p)
			}
			s.want(404, "GET", "/v1/indexes/shop", "")

			var got batchBody
			s.want(201, "POST", "/v1/batch?index=shop&atomic=false", body, media).into(t, &got)
			if got.Counts.Put != 2 || got.Counts.Failed != 1 || len(got.IDs) != 3 || got.IDs[1] != nil || *got.IDs[2] != "b" {
				t.Errorf("not atomic: %+v", got)
			}
			if e := got.Errors; len(e) != 1 || e[0].Code != c.code || e[0].Position != 1 || !strings.HasPrefix(e[0].Detail, "line 3: ") {
				t.Errorf("not atomic: %+v", e)
			}
		})
	}
}

func TestStreamIsCommittedInChunks(t *testing.T) {
	s := newService(t, func(c *Config) { c.Limits.ChunkBytes = 100 })
	var lines []string
	for i := range 50 {
		line := fmt.Sprintf(`{"id":"%03d","price":123456789}`, i)
		if i%10 == 7 {
			line = fmt.Sprintf(`{"id":"%03d","price":""}`, i)
		}
		lines = append(lines, line)
	}
	var got batchBody
	s.want(201, "POST", "/v1/batch?index=shop&atomic=false", ndjson(lines...), "Content-Type: application/x-ndjson").into(t, &got)
	if got.Counts.Put != 45 || got.Counts.Failed != 5 || *got.Version < 10 || len(got.IDs) != 50 {
		t.Errorf("%+v %+v", got.Counts, got)
	}
	for i, e := range got.Errors {
		if want := 10*i + 7; e.Position != want || !strings.HasPrefix(e.Detail, fmt.Sprintf("line %d: ", want+1)) || e.Pointer != "/price" {
			t.Errorf("error %d: %+v", i, e)
		}
	}
	for i, id := range got.IDs {
		if (id == nil) != (i%10 == 7) || id != nil && *id != fmt.Sprintf("%03d", i) {
			t.Errorf("ids[%d] is wrong", i)
		}
	}
}

func TestStreamThatBreaksOff(t *testing.T) {
	s := newService(t, func(c *Config) { c.Limits.ChunkBytes = 100; c.Limits.StreamBytes = 1000 })
	line := `{"t":"0123456789012345678901234567890123456789012345678901234567890123456789012345678"}` // 87 bytes
	a := s.want(413, "POST", "/v1/batch?index=shop&atomic=false", strings.Repeat(line+"\n", 20), "Content-Type: application/x-ndjson")
	if p := a.problem(t); p.Code != codeBodyTooLarge {
		t.Errorf("%+v", p)
	}
	s.want(404, "GET", "/v1/indexes/shop", "") // its length was known beforehand

	for _, c := range []struct {
		point        string
		works, lines int
		put          int
	}{
		{"Apply", 3, 10, 6},
		{"commit", 3, 10, 6},
		{"commit", 1, 3, 2}, // the last chunk, whose outcome was made
		{"Apply", 0, 10, 0},
	} {
		s.engine.(*memEngine).before = failAfter(c.point, c.works, engine.ErrStorageFull)
		var got struct {
			Code  string
			Batch *batchBody
		}
		a = s.want(507, "POST", "/v1/batch?index=shop&atomic=false", strings.Repeat(line+"\n", c.lines), "Content-Type: application/x-ndjson")
		a.into(t, &got)
		if got.Code != codeStorageFull || (got.Batch != nil) != (c.put > 0) {
			t.Errorf("%+v: %s", c, a.body)
		}
		if got.Batch == nil {
			continue
		}
		var kept batchBody
		s.want(200, "GET", "/v1/batch/"+got.Batch.ID, "").into(t, &kept)
		if !cmp.Equal(*got.Batch, kept) || kept.State != "failed" || kept.Counts.Put != c.put || len(kept.IDs) != c.put {
			t.Errorf("%+v: answered %+v, remembered %+v", c, *got.Batch, kept)
		}
	}
}

func TestCSV(t *testing.T) {
	const media = "Content-Type: text/csv"
	for _, c := range []struct{ name, schema, body, want string }{
		{"types are inferred", "", "id,n,f,b,s,m\n1,1,1,true,a,1\n02,-5,2.5,FALSE,\"x, \"\"y\"\"\n z\",x\n3,,,,,\n",
			`{"id":"02","n":-5,"f":2.5,"b":false,"s":"x, \"y\"\n z","m":"x"}` + "\n" + `{"id":"1","n":1,"f":1,"b":true,"s":"a","m":"1"}` + "\n" + `{"id":"3"}` + "\n"},
		{"types of the schema", `{"primary_key":"sku","fields":[{"name":"zip","type":"keyword"},{"name":"n","type":"int"},{"name":"f","type":"float"},{"name":"on","type":"bool"},{"name":"j","type":"json"},{"name":"d","type":"date"}]}`,
			"\ufeffsku,zip,n,f,on,j,d,x\r\na,01234,7,7,True,\"{\"\"a\"\":[1]}\",0,5\r\nb,1,007,1e3,FALSE,oops,2020-01-01,6\r\nc,1,7.0,,,,,\r\n",
			`{"sku":"a","zip":"01234","n":7,"f":7,"on":true,"j":{"a":[1]},"d":0,"x":5}` + "\n" + `{"sku":"b","zip":"1","n":7,"f":1e3,"on":false,"j":"oops","d":"2020-01-01","x":6}` + "\n" + `{"sku":"c","zip":"1","n":7.0}` + "\n"},
		{"leading zeros and long numbers are texts", "", "id,a,b\nx,007,12345678901234567890\n", `{"id":"x","a":"007","b":"12345678901234567890"}` + "\n"},
		{"blanks around names and cells", "", "id, n ,t,e\na, 5, x,  \nb,6,y,1e400\n", `{"id":"a","n":5,"t":" x"}` + "\n" + `{"id":"b","n":6,"t":"y","e":"1e400"}` + "\n"},
		{"ids of any form", "", "id,n\n1.10,1\n1e3,2\ntrue,3\n", `{"id":"1.10","n":1}` + "\n" + `{"id":"1e3","n":2}` + "\n" + `{"id":"true","n":3}` + "\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newService(t)
			if c.schema != "" {
				s.want(201, "PUT", "/v1/indexes/shop", c.schema)
			}
			for _, atomic := range []string{"true", "false"} {
				s.want(201, "POST", "/v1/batch?index=shop&atomic="+atomic, c.body, media)
				if got := s.want(200, "GET", "/v1/records?index=shop", "").body; got != c.want {
					t.Errorf("atomic=%s\ngot  %s\nwant %s", atomic, got, c.want)
				}
			}
		})
	}
}

func TestCSVWithFaults(t *testing.T) {
	const media = "Content-Type: text/csv"
	s := newService(t)
	for _, body := range []string{"\n", "id,\n1,2\n", "id,id\n1,2\n", "a,\"b\nc", "\xff\n1\n"} {
		s.want(422, "POST", "/v1/batch?index=shop", body, media)
		s.want(422, "POST", "/v1/batch?index=shop&atomic=false", body, media)
	}
	s.want(422, "POST", "/v1/batch?index=shop&op=delete", "x\n1\n", media)
	s.want(201, "PUT", "/v1/indexes/typed", `{"fields":[{"name":"on","type":"bool"}]}`)
	p := s.want(422, "POST", "/v1/batch?index=typed", "id,on\na,true\nb,no\n", media).problem(t)
	if len(p.Errors) != 1 || p.Errors[0].Code != engine.CodeInvalidFieldType || p.Errors[0].Pointer != "/on" || !strings.HasPrefix(p.Errors[0].Detail, "line 3: ") {
		t.Errorf("%+v", p)
	}
	for _, c := range []struct{ name, line string }{
		{"too few cells", "b"}, {"too many cells", "b,1,2"}, {"a quote inside", `b,x"y`}, {"bad UTF-8", "b,\xff"},
		{"an id with a control character", "b\x01,1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newService(t)
			body := "id,n\na,1\n" + c.line + "\nc,3\n"
			p := s.want(422, "POST", "/v1/batch?index=shop", body, media).problem(t)
			if len(p.Errors) != 1 || !strings.HasPrefix(p.Errors[0].Detail, "line 3: ") || p.Errors[0].Position != 1 {
				t.Errorf("%+v", p)
			}
			s.want(404, "GET", "/v1/indexes/shop", "")
			var got batchBody
			s.want(201, "POST", "/v1/batch?index=shop&atomic=false", body, media).into(t, &got)
			if got.Counts.Put != 2 || got.Counts.Failed != 1 || got.Errors[0].Position != 1 {
				t.Errorf("%+v", got)
			}
		})
	}
	s.want(201, "POST", "/v1/batch?index=shop", "id,t\na,x\nb,y\n", media)
	var got batchBody
	s.want(201, "POST", "/v1/batch?index=shop&op=delete", "id\na\nz\n", media).into(t, &got)
	if got.Counts.Deleted != 1 {
		t.Errorf("%+v", got)
	}
	s.server.engineMax.RecordBytes = 1000
	unclosed := "id,t\na,\"" + strings.Repeat("x\n", 200_000)
	s.want(413, "POST", "/v1/batch?index=shop&atomic=false", unclosed, media)
}
