package httpapi

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/quarry-search/quarry/engine"
)

// stateBody is what tests look at in an index.
type stateBody struct {
	Name, State string
	Visible     bool
	Records     int
	Version     int
	Fields      []struct {
		Name, Type   string
		Filter, Sort bool
		Weight       float64
	}
	Rebuild *struct {
		State       string
		Done, Total int
		Error       *problemBody
	}
}

func (s *service) index(name string) (i stateBody) {
	s.t.Helper()
	s.want(200, "GET", "/v1/indexes/"+name, "").into(s.t, &i)
	return i
}

// heldEngine keeps rebuilds waiting until it is told to let them go.
type heldEngine struct {
	*engine.Engine
	once sync.Once
	held chan struct{}
}

func hold(e *engine.Engine) *heldEngine { return &heldEngine{Engine: e, held: make(chan struct{})} }

func (e *heldEngine) release() { e.once.Do(func() { close(e.held) }) }

func (e *heldEngine) Rebuild(ctx context.Context, name string, finish func(string, error) []engine.Row) (engine.IndexInfo, error) {
	select {
	case <-e.held:
	case <-ctx.Done():
		return engine.IndexInfo{}, ctx.Err()
	}
	return e.Engine.Rebuild(ctx, name, finish)
}

// withHeld is withEngine whose rebuilds wait for release.
func withHeld(t *testing.T, dir string) (*service, *heldEngine) {
	t.Helper()
	e, err := engine.Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	h := hold(e)
	t.Cleanup(func() { e.Close() })
	return newService(t, func(c *Config) { c.Engine = h }), h
}

// rebuilt waits until an index is ready.
func (s *service) rebuilt(name string) {
	s.t.Helper()
	select {
	case <-s.server.startRebuild(name):
	case <-time.After(time.Minute):
		s.t.Fatal("the rebuild takes more than a minute")
	}
}

func TestSmallRebuildIsDoneAtOnce(t *testing.T) {
	s := withEngine(t, "")
	s.want(201, "POST", "/v1/batch", `{"index":"shop","records":[{"id":"a","price":1},{"id":"b","price":2}]}`)
	a := s.want(200, "PATCH", "/v1/indexes/shop", `{"fields":[{"name":"price","sort":false}]}`, "Prefer: wait=60, handling=strict")
	if a.header.Get("Preference-Applied") != "wait=60" {
		t.Errorf("Preference-Applied: %q", a.header.Get("Preference-Applied"))
	}
	var i stateBody
	if a.into(t, &i); i.State != "ready" || i.Rebuild != nil || i.Fields[0].Sort {
		t.Errorf("answer: %s", a.body)
	}
	// A record that does not fit is met before the answer.
	p := s.want(422, "PATCH", "/v1/indexes/shop", `{"fields":[{"name":"price","type":"bool"}]}`, "Prefer: wait=60").problem(t)
	const detail = "at least 2 values in the records do not fit the new schema"
	if p.Code != engine.CodeInvalidFieldType || p.Detail != detail || len(p.Errors) != 2 || !strings.Contains(p.Errors[0].Detail, `record "a"`) {
		t.Errorf("problem: %+v", p)
	}
	i = s.index("shop")
	if i.State != "ready" || i.Rebuild == nil || i.Rebuild.State != "failed" || i.Rebuild.Error.Code != engine.CodeInvalidFieldType || i.Rebuild.Error.Detail != detail || i.Fields[0].Type != "int" {
		t.Errorf("afterwards: %+v", i)
	}
	s.want(204, "DELETE", "/v1/indexes/shop/rebuild", "")
	if i := s.index("shop"); i.Rebuild != nil {
		t.Errorf("still remembered: %+v", i.Rebuild)
	}
	if p := s.want(404, "DELETE", "/v1/indexes/shop/rebuild", "").problem(t); p.Code != codeRebuildNotFound {
		t.Errorf("nothing to cancel: %s", p.Code)
	}
	if p := s.want(404, "DELETE", "/v1/indexes/none/rebuild", "").problem(t); p.Code != engine.CodeIndexNotFound {
		t.Errorf("no index: %s", p.Code)
	}
}

func TestRebuildInTheBackground(t *testing.T) {
	dir := t.TempDir()
	s, held := withHeld(t, dir)
	s.want(201, "POST", "/v1/batch", `{"index":"shop","records":[{"id":"a","price":1},{"id":"b","price":2}]}`)
	a := s.want(200, "PATCH", "/v1/indexes/shop", `{"fields":[{"name":"price","sort":false}]}`, "Prefer: wait=0")
	var i stateBody
	if a.into(t, &i); i.State != "rebuilding" || i.Rebuild == nil || i.Rebuild.State != "running" || !i.Fields[0].Sort {
		t.Fatalf("answer: %s", a.body)
	}
	// Searches and writes go on with the old schema; a second change is made
	// to the schema on its way.
	s.want(201, "POST", "/v1/batch", `{"index":"shop","records":[{"id":"c","price":3}]}`)
	s.want(200, "POST", "/v1/search", `{"sort":"price"}`)
	s.want(200, "PATCH", "/v1/indexes/shop", `{"fields":[{"name":"name","type":"keyword"}]}`, "Prefer: wait=0")
	held.release()
	s.rebuilt("shop")
	if i = s.index("shop"); i.State != "ready" || i.Rebuild != nil || i.Fields[0].Sort || len(i.Fields) != 2 || i.Records != 3 {
		t.Errorf("rebuilt: %+v", i)
	}
	s.want(422, "POST", "/v1/search", `{"sort":"price"}`)
}

// TestRebuildGoesOnAfterRestart: what is noted is carried out by the next
// process.
func TestRebuildGoesOnAfterRestart(t *testing.T) {
	dir := t.TempDir()
	e, err := engine.Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := newService(t, func(c *Config) { c.Engine = hold(e) })
	s.want(201, "POST", "/v1/batch", `{"index":"shop","records":[{"id":"a","price":1}]}`)
	s.want(200, "PATCH", "/v1/indexes/shop", `{"fields":[{"name":"price","sort":false}]}`, "Prefer: wait=0")
	s.server.Close()
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	s, held := withHeld(t, dir)
	if i := s.index("shop"); i.State != "rebuilding" {
		t.Errorf("after the restart: %+v", i)
	}
	held.release()
	s.rebuilt("shop")
	if i := s.index("shop"); i.State != "ready" || i.Fields[0].Sort {
		t.Errorf("in the end: %+v", i)
	}
}

func TestCancelRebuild(t *testing.T) {
	s, held := withHeld(t, "")
	s.want(201, "POST", "/v1/batch", `{"index":"shop","records":[{"id":"a","price":1}]}`)
	s.want(200, "PUT", "/v1/indexes/shop", `{"fields":[{"name":"price","type":"text"}]}`, "Prefer: wait=0")
	s.want(204, "DELETE", "/v1/indexes/shop/rebuild", "")
	s.server.rebuilds.mu.Lock()
	if n := len(s.server.rebuilds.running); n != 0 {
		t.Errorf("%d are at it after the answer", n)
	}
	s.server.rebuilds.mu.Unlock()
	held.release()
	s.rebuilt("shop")
	if i := s.index("shop"); i.State != "ready" || i.Rebuild != nil || i.Fields[0].Type != "int" {
		t.Errorf("after cancelling: %+v", i)
	}
}

// However far a rebuild has come, it is over when the answer says that it is
// cancelled.
func TestCancelledRebuildIsOver(t *testing.T) {
	s := withEngine(t, "")
	var records []string
	for i := range 6000 {
		records = append(records, fmt.Sprintf(`{"id":"r%d","price":%d}`, i, i))
	}
	s.want(201, "POST", "/v1/batch", `{"index":"shop","records":[`+strings.Join(records, ",")+`]}`)
	for round := range 20 {
		s.want(200, "PATCH", "/v1/indexes/shop", `{"fields":[{"name":"price","type":"text"}]}`, "Prefer: wait=0")
		for i := s.index("shop"); i.State == "rebuilding" && i.Rebuild.Total == 0; {
			i = s.index("shop") // until it has begun
		}
		a := s.do("DELETE", "/v1/indexes/shop/rebuild", "")
		i := s.index("shop")
		if a.status == 204 && (i.State != "ready" || i.Rebuild != nil || i.Fields[0].Type != "int") {
			t.Fatalf("round %d: after cancelling: %+v", round, i)
		}
		if a.status != 204 { // it was done first
			s.rebuilt("shop")
			s.want(200, "PATCH", "/v1/indexes/shop", `{"fields":[{"name":"price","type":"int"}]}`, "Prefer: wait=60")
		}
	}
}

// TestPatchesSideBySide: none of several changes of one schema is lost.
func TestPatchesSideBySide(t *testing.T) {
	s := withEngine(t, "")
	s.want(201, "PUT", "/v1/indexes/shop", `{}`)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			s.want(200, "PATCH", "/v1/indexes/shop", fmt.Sprintf(`{"fields":[{"name":"f%d","type":"keyword"}]}`, i))
		})
	}
	all.Wait()
	s.rebuilt("shop")
	var names []string
	for _, f := range s.index("shop").Fields {
		names = append(names, f.Name)
	}
	if slices.Sort(names); len(names) != 8 {
		t.Errorf("fields %v", names)
	}
}

// noteWitness writes down the changes that it is told of.
type noteWitness struct {
	mu   sync.Mutex
	seen []string
}

func (w *noteWitness) witness(c *change) (rows []engine.Row, done func(error)) {
	return []engine.Row{{Key: "noted/" + c.event, Value: []byte(strings.Join(c.indexes, " "))}}, func(err error) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.seen = append(w.seen, fmt.Sprint(c.event, " ", err))
	}
}

func TestSwap(t *testing.T) {
	s, held := withHeld(t, "")
	var note noteWitness
	s.server.witnesses = append(s.server.witnesses, &note)
	s.want(201, "POST", "/v1/batch", `{"index":"shop","records":[{"id":"a","price":1}]}`)
	s.want(201, "PUT", "/v1/indexes/shop_v2", `{"visible":false}`)
	s.want(201, "POST", "/v1/batch", `{"index":"shop_v2","records":[{"id":"a","price":2},{"id":"b","price":3}]}`)
	s.want(200, "PATCH", "/v1/indexes/shop", `{"fields":[{"name":"price","sort":false}]}`, "Prefer: wait=0")
	var got struct {
		Swapped []string
		Version uint64
	}
	s.want(200, "POST", "/v1/indexes/swap", `{"a":"shop","b":"shop_v2"}`).into(t, &got)
	if !slices.Equal(got.Swapped, []string{"shop", "shop_v2"}) || got.Version == 0 {
		t.Errorf("answer: %+v", got)
	}
	shop, v2 := s.index("shop"), s.index("shop_v2")
	if shop.Records != 2 || !shop.Visible || shop.State != "ready" || v2.Records != 1 || v2.Visible || v2.State != "rebuilding" {
		t.Errorf("swapped: %+v, %+v", shop, v2)
	}
	if row, err := s.engine.Row("noted/index.swapped"); err != nil || string(row) != "shop shop_v2" {
		t.Errorf("witness: %q, %v", row, err)
	}
	held.release()
	s.rebuilt("shop_v2")
	if v2 := s.index("shop_v2"); v2.State != "ready" || v2.Fields[0].Sort || v2.Visible {
		t.Errorf("rebuilt under its new name: %+v", v2)
	}
	if row, err := s.engine.Row("noted/index.rebuilt"); err != nil || string(row) != "shop_v2" {
		t.Errorf("witness: %q, %v", row, err)
	}
	if !slices.Contains(note.seen, "index.rebuilt <nil>") || !slices.Contains(note.seen, "index.updated <nil>") {
		t.Errorf("told of %q", note.seen)
	}
	testBadRequestsOf(t, s, "POST", "/v1/indexes/swap", []badSwap{
		{`{"a":"shop"}`, 422, engine.CodeInvalidRequest, ""},
		{`{"a":"shop","b":7}`, 422, engine.CodeInvalidRequest, "/b"},
		{`{"a":"shop","b":"Shop"}`, 422, engine.CodeInvalidRequest, "/b"},
		{`{"a":"shop","b":"shop"}`, 422, engine.CodeInvalidRequest, "/b"},
		{`{"a":"shop","b":"none"}`, 404, engine.CodeIndexNotFound, "/b"},
		{`{"a":"shop","c":"none"}`, 422, engine.CodeUnknownField, "/c"},
		{`[]`, 422, engine.CodeInvalidRequest, ""},
	})
	if p := s.want(422, "POST", "/v1/indexes/swap", `{}`).problem(t); len(p.Errors) != 2 {
		t.Errorf("both names are missing: %+v", p.Errors)
	}
	// "swap" is the name of an index, too.
	s.want(201, "PUT", "/v1/indexes/swap", `{}`)
	if i := s.index("swap"); i.Name != "swap" {
		t.Errorf("index swap: %+v", i)
	}
	s.want(204, "DELETE", "/v1/indexes/swap", "")
}

type badSwap struct {
	body          string
	status        int
	code, pointer string
}

func testBadRequestsOf(t *testing.T, s *service, method, path string, list []badSwap) {
	t.Helper()
	for _, c := range list {
		a := s.do(method, path, c.body)
		p := a.problem(t)
		if a.status != c.status || p.Code != c.code || len(p.Errors) == 0 || p.Errors[0].Pointer != c.pointer {
			t.Errorf("%s: %s, want %d %s at %q", c.body, a.body, c.status, c.code, c.pointer)
		}
	}
}

func TestPreferences(t *testing.T) {
	for header, want := range map[string]preferences{
		"":                                     {},
		"respond-async":                        {async: true},
		`Respond-Async; x=y, wait=10`:          {async: true, wait: 10 * time.Second, hasWait: true},
		`wait="0"`:                             {hasWait: true},
		"wait=99999999":                        {wait: mostWait, hasWait: true},
		"wait=1, wait=2":                       {wait: time.Second, hasWait: true},
		"wait=-1, wait=x, handling=lenient, =": {},
	} {
		if got := preferred([]string{header}); got != want {
			t.Errorf("%q: %+v, want %+v", header, got, want)
		}
	}
}
