package httpapi

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/quarry-search/quarry/engine"
	"github.com/quarry-search/quarry/httpapi/internal/usage"
)

// usageBody is what tests look at in an answer of GET /v1/usage.
type usageBody struct {
	Rows []struct {
		Day, Key         string
		Searches, Writes int64
		RecordsMax       int64 `json:"records_max"`
		BytesMax         int64 `json:"bytes_max"`
		Seq              *int64
		Chain            *string
	} `json:"rows"`
	Base, Head  *string
	ChainLength int64   `json:"chain_length"`
	NextCursor  *string `json:"next_cursor"`
}

func (s *service) usage(params string) (u usageBody) {
	s.t.Helper()
	s.want(200, "GET", "/v1/usage"+params, "").into(s.t, &u)
	return u
}

// counted returns searches and writes of the only row there is.
func (s *service) counted() string {
	s.t.Helper()
	u := s.usage("")
	if len(u.Rows) == 0 {
		return "nothing"
	}
	if len(u.Rows) > 1 {
		s.t.Fatalf("%d rows: %+v", len(u.Rows), u.Rows)
	}
	return fmt.Sprint(u.Rows[0].Searches, " searches ", u.Rows[0].Writes, " writes")
}

func TestUsageCountsWhatIsAnsweredWell(t *testing.T) {
	s := withEngine(t, "")
	steps := []struct {
		status             int
		method, path, body string
		headers            []string
		want               string
	}{
		{200, "GET", "/v1/indexes", "", nil, "nothing"},
		{422, "POST", "/v1/search", `{"limt":1}`, nil, "nothing"},
		{200, "POST", "/v1/search", `{"q":"x"}`, nil, "1 searches 0 writes"},
		{404, "POST", "/v1/search", `{"q":"x","index":"nothing"}`, nil, "1 searches 0 writes"},
		{400, "POST", "/v1/search", `{`, nil, "1 searches 0 writes"},
		{201, "PUT", "/v1/indexes/products", productSchema, nil, "1 searches 0 writes"},
		{201, "POST", "/v1/batch", products, []string{"Idempotency-Key: one"}, "1 searches 4 writes"},
		{201, "POST", "/v1/batch", products, []string{"Idempotency-Key: one"}, "1 searches 4 writes"}, // given again
		{422, "POST", "/v1/batch", `{"index":"products","records":[{"id":"a"},{"id":"b","price":"x"}]}`, nil, "1 searches 4 writes"},
		{201, "POST", "/v1/batch", `{"index":"products","atomic":false,"records":[{"id":"a"},{"id":"b","price":"x"}]}`, nil, "1 searches 5 writes"},
		{201, "PUT", "/v1/record/c?index=products", `{"title":"c"}`, nil, "1 searches 6 writes"},
		{200, "PUT", "/v1/record/c?index=products", `{"title":"c"}`, nil, "1 searches 7 writes"},
		{200, "PATCH", "/v1/record/c", `{"title":"d"}`, nil, "1 searches 8 writes"},
		{204, "DELETE", "/v1/record/c", "", nil, "1 searches 9 writes"},
		{404, "DELETE", "/v1/record/c?index=products", "", nil, "1 searches 9 writes"},
		{201, "POST", "/v1/batch", `{"index":"products","operations":[{"op":"delete","id":"nobody"}]}`, nil, "1 searches 9 writes"},
		{201, "POST", "/v1/batch", `{"index":"products","operations":[{"op":"patch_where","filter":"brand = \"Nike\"","record":{"stock":0}}]}`, nil, "1 searches 11 writes"},
		{201, "POST", "/v1/batch", `{"index":"products","operations":[{"op":"delete_where","filter":"brand = \"Nike\""}]}`, nil, "1 searches 13 writes"},
		{201, "POST", "/v1/batch?index=products&atomic=false", "{\"id\":1}\nnonsense\n{\"id\":2}\n", []string{"Content-Type: " + mediaNDJSON}, "1 searches 15 writes"},
		{200, "GET", "/v1/record/1", "", nil, "1 searches 15 writes"},
		{200, "POST", "/v1/search", `{}`, nil, "2 searches 15 writes"},
		{204, "DELETE", "/v1/indexes/products", "", nil, "2 searches 15 writes"},
	}
	for _, step := range steps {
		s.want(step.status, step.method, step.path, step.body, step.headers...)
		if got := s.counted(); got != step.want {
			t.Errorf("after %s %s %.60s: %s, want %s", step.method, step.path, step.body, got, step.want)
		}
	}
	row := s.usage("").Rows[0]
	if id, err := ParseKey(s.key); err != nil || row.Key != "key_"+id || row.Seq != nil || row.Chain != nil {
		t.Errorf("row %+v of key %s", row, id)
	}
}

// A killed server has counted every write, and of the searches those that were
// written down.
func TestUsageAfterAKill(t *testing.T) {
	s := withEngine(t, "")
	s.want(200, "POST", "/v1/search", `{}`)
	if err := s.server.meter.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.want(200, "POST", "/v1/search", `{}`)
	s.want(201, "POST", "/v1/batch", products)
	killed := newService(t, func(c *Config) { c.Engine = s.engine })
	if got := killed.counted(); got != "1 searches 4 writes" {
		t.Errorf("counted %s", got)
	}
}

func TestUsageIsWrittenDownWhileServing(t *testing.T) {
	s := withEngine(t, "")
	ctx, stop := context.WithCancel(t.Context())
	var done []chan error
	for range 2 {
		ln, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		end := make(chan error, 1)
		done = append(done, end)
		go func() { end <- s.server.Serve(ctx, ln) }()
		req, _ := http.NewRequest("POST", "http://"+ln.Addr().String()+"/v1/search", strings.NewReader("{}"))
		req.Header.Set("Authorization", "Bearer "+s.key)
		res, err := http.DefaultClient.Do(req)
		if err != nil || res.StatusCode != 200 {
			t.Fatal(res, err)
		}
		res.Body.Close()
	}
	stop()
	for _, end := range done {
		if err := <-end; err != nil {
			t.Error(err)
		}
	}
	if got := newService(t, func(c *Config) { c.Engine = s.engine }).counted(); got != "2 searches 0 writes" {
		t.Errorf("after the end: %s", got)
	}
}

func TestUnmetered(t *testing.T) {
	s := withEngine(t, "")
	s = newService(t, func(c *Config) { c.Engine, c.Unmetered = s.engine, true })
	s.want(201, "POST", "/v1/batch", products)
	s.want(200, "POST", "/v1/search", "{}")
	if got := s.counted(); got != "nothing" {
		t.Errorf("counted %s", got)
	}
}

// months makes a service that was used on every day of October and November
// 2026.
func months(t *testing.T) *service {
	t.Helper()
	e, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	now := time.Date(2026, 10, 1, 12, 0, 0, 0, time.UTC)
	s := newService(t, func(c *Config) { c.Engine, c.Now = e, func() time.Time { return now } })
	s.want(201, "POST", "/v1/batch", products)
	for ; now.Month() < 12; now = now.AddDate(0, 0, 1) {
		s.want(200, "POST", "/v1/search", "{}")
		if err := s.server.meter.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func TestUsageRangesGroupsAndPages(t *testing.T) {
	s := months(t)
	all := s.usage("")
	if len(all.Rows) != 61 || all.ChainLength != 60 || all.Rows[0].Writes != 4 || all.Rows[5].RecordsMax != 4 || all.Rows[5].BytesMax == 0 {
		t.Fatalf("%d rows, %d in the chain, the first and sixth are %+v", len(all.Rows), all.ChainLength, all.Rows[:6])
	}
	for params, want := range map[string]string{
		"?from=2026-11-01&to=2026-12-01":                                      "30 rows 2026-11-01 to 2026-11-30",
		"?to=2026-10-03":                                                      "2 rows 2026-10-01 to 2026-10-02",
		"?from=2026-11-30":                                                    "1 rows 2026-11-30 to 2026-11-30",
		"?from=2026-11-30T00:00:00Z&group=key,day":                            "1 rows 2026-11-30 to 2026-11-30",
		"?from=2026-11-01&to=2026-12-01&group=day":                            "30 rows 2026-11-01 to 2026-11-30",
		"?from=2026-11-01&to=2026-12-01&group=key":                            "1 rows  to ",
		"?from=2026-11-29T01%3A00%3A00%2B01%3A00&to=2026-11-30&group=day,key": "1 rows 2026-11-29 to 2026-11-29",
	} {
		u := s.usage(params)
		if got := fmt.Sprintf("%d rows %s to %s", len(u.Rows), u.Rows[0].Day, u.Rows[len(u.Rows)-1].Day); got != want {
			t.Errorf("%s: %s, want %s", params, got, want)
		}
	}
	if u := s.usage("?group=key"); u.Rows[0].Searches != 61 || u.Rows[0].Writes != 4 || u.Rows[0].Chain != nil {
		t.Errorf("by key: %+v", u.Rows)
	}
	if u := s.usage("?from=2030-01-01"); len(u.Rows) != 0 || u.Head == nil || u.Base != nil {
		t.Errorf("of a time to come: %+v", u)
	}
	var days []string
	for params := "?limit=7&from=2026-10-02"; ; {
		u := s.usage(params)
		for _, r := range u.Rows {
			days = append(days, r.Day)
		}
		if u.NextCursor == nil {
			break
		}
		params = "?limit=7&from=2026-10-02&cursor=" + url.QueryEscape(*u.NextCursor)
		if a := s.do("GET", "/v1/usage"+strings.Replace(params, "10-02", "10-03", 1), ""); a.status != 422 || a.problem(t).Code != engine.CodeInvalidCursor {
			t.Errorf("a cursor of another range: %d %s", a.status, a.body)
		}
	}
	if len(days) != 60 || days[0] != "2026-10-02" || days[59] != "2026-11-30" {
		t.Errorf("in pages: %v", days)
	}
}

func TestUsageMistakes(t *testing.T) {
	s := withEngine(t, "")
	for params, parameter := range map[string]string{
		"?from=yesterday":                "from",
		"?from=2026-02-30":               "from",
		"?from=2026-11-01T12:00:00Z":     "from",
		"?to=1":                          "to",
		"?from=2026-11-02&to=2026-11-02": "to",
		"?group=index":                   "group",
		"?group=":                        "group",
		"?group=key,day,key":             "group",
		"?limit=0":                       "limit",
		"?limit=100001":                  "limit",
		"?cursor=x":                      "cursor",
		"?form=2026-11-01":               "form",
	} {
		p := s.want(422, "GET", "/v1/usage"+params, "").problem(t)
		if len(p.Errors) != 1 || p.Errors[0].Parameter != parameter {
			t.Errorf("%s: %+v", params, p)
		}
	}
	if p := s.want(422, "GET", "/v1/usage?from=x&to=y&group=z&limit=-1&cursor=c", "").problem(t); len(p.Errors) != 5 {
		t.Errorf("%d mistakes found, want 5: %+v", len(p.Errors), p)
	}
}

func TestVerifyUsage(t *testing.T) {
	s := months(t)
	body := s.want(200, "GET", "/v1/usage", "").body
	part := s.want(200, "GET", "/v1/usage?from=2026-10-20&to=2026-11-01", "").body
	var u usageBody
	if err := json.Unmarshal([]byte(body), &u); err != nil {
		t.Fatal(err)
	}
	noted := *u.Rows[17].Chain
	if v, err := VerifyUsage([]byte(body), noted); err != nil || len(v.Flaws) > 0 || v.Links != 60 || v.Open != 1 || !v.Whole || v.Head != *u.Head {
		t.Errorf("verdict %+v, error %v", v, err)
	}
	if v, err := VerifyUsage([]byte(part)); err != nil || len(v.Flaws) > 0 || v.Links != 12 || v.Whole {
		t.Errorf("verdict on a part %+v, error %v", v, err)
	}
	altered := strings.Replace(body, `"day":"2026-10-09","key"`, `"day":"2026-10-08","key"`, 1)
	if v, err := VerifyUsage([]byte(altered)); err != nil || len(v.Flaws) != 1 || !strings.Contains(v.Flaws[0], "row 9 (2026-10-08, key_") {
		t.Errorf("verdict on an altered answer %+v, error %v", v, err)
	}
	for _, bad := range []string{"", "{}", "[]", `{"rows":[]}`, s.want(200, "GET", "/v1/usage?group=day", "").body} {
		if v, err := VerifyUsage([]byte(bad)); err == nil {
			t.Errorf("%.80s is verified: %+v", bad, v)
		}
	}
}

// Each search of a GraphQL request counts, and what it writes; a field that
// fails does not.
func TestUsageOfGraphQL(t *testing.T) {
	s := withEngine(t, "")
	s.want(201, "POST", "/v1/batch", products)
	got := s.run(`{ a: search(q: "red") { total } b: search(q: "hat") { total } c: search(filter: "price <") { total } }`, "")
	if len(got.Errors) != 1 {
		t.Fatalf("errors %+v", got.Errors)
	}
	if got := s.run(`mutation { deleteRecord(id: "sku-1") }`, ""); got.Errors != nil {
		t.Fatalf("errors %+v", got.Errors)
	}
	if got := s.counted(); got != "2 searches 5 writes" {
		t.Errorf("counted %s", got)
	}
	got = s.run(`{ usage(from: "2020-01-01T00:00:00Z", to: "2999-01-01T00:00:00Z") { day key searches writes recordsMax chain } }`, "")
	row := memberAt(got.Data, "usage", 0)
	if got.Errors != nil || memberAt(row, "searches") != "2" || memberAt(row, "writes") != "5" || memberAt(row, "chain") != nil {
		t.Errorf("%+v", got)
	}
	got = s.run(`{ usage(from: "2020-01-01T00:00:00Z", to: "2020-01-01T00:00:00Z") { day } }`, "")
	if len(got.Errors) != 1 || got.Errors[0].Extensions.Pointer != "/to" {
		t.Errorf("%+v", got)
	}
}

// noting is a witness that keeps the changes it is told of and notes each.
type noting struct{ changes []*change }

func (n *noting) witness(c *change) ([]engine.Row, func(error)) {
	n.changes = append(n.changes, c)
	return []engine.Row{{Key: fmt.Sprintf("noted/%d", len(n.changes)), Value: []byte(c.event)}}, nil
}

// A threshold is noted in the commit that keeps the searches which reached it.
func TestUsageThresholdIsAnEvent(t *testing.T) {
	s := withEngine(t, "")
	var n noting
	s.server.witnesses = append(s.server.witnesses, &n)
	meter, err := usage.Open(s.engine, usage.Options{
		Quota: func(string) int64 { return 5 }, Reached: s.server.reached,
	})
	if err != nil {
		t.Fatal(err)
	}
	s.server.meter = meter
	for range 4 {
		s.want(200, "POST", "/v1/search", "{}")
	}
	if err := meter.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	id, err := ParseKey(s.key)
	if err != nil {
		t.Fatal(err)
	}
	if len(n.changes) != 1 || n.changes[0].event != eventUsageThreshold || n.changes[0].key != id ||
		n.changes[0].threshold.Percent != 80 || n.changes[0].threshold.Searches != 4 || n.changes[0].threshold.Quota != 5 {
		t.Errorf("changes %+v", n.changes)
	}
	if row, err := s.engine.Row("noted/1"); err != nil || string(row) != eventUsageThreshold {
		t.Errorf("the row is %q (error %v)", row, err)
	}
}
