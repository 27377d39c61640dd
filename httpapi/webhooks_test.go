package httpapi

import (
	"context"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/go-json-experiment/json"
	"github.com/quarry-search/quarry/engine"
	"github.com/quarry-search/quarry/httpapi/internal/usage"
	"github.com/quarry-search/quarry/httpapi/internal/webhook"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// receiver is an HTTPS endpoint with a certificate of its own authority.
type receiver struct {
	t     *testing.T
	url   string
	roots *x509.CertPool
	got   chan received
}

type received struct {
	header http.Header
	body   []byte
}

func newReceiver(t *testing.T, status ...int) *receiver {
	r := &receiver{t: t, got: make(chan received, 1000), roots: x509.NewCertPool()}
	srv := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body)
		if err != nil || req.Method != http.MethodPost || req.URL.Path != "/hook" || req.Header.Get("Content-Type") != mediaJSON {
			t.Errorf("%s %s %v: %v", req.Method, req.URL, req.Header, err)
		}
		if len(status) > 0 {
			w.WriteHeader(status[0])
		}
		r.got <- received{req.Header, body}
	}))
	t.Cleanup(srv.Close)
	r.url = srv.URL + "/hook"
	r.roots.AddCert(srv.Certificate())
	return r
}

// message is the body of a message.
type webhookMessage struct {
	id              string
	Type, Timestamp string
	Seq             int
	Data            struct {
		Batch, Record, Webhook, Reason string
		Snapshot                       string
		Indexes                        []string
		Version                        uint64
		Counts                         map[string]int
		Key                            string
		Percent, Searches, Quota       int
	}
}

// next waits for a message and checks its signatures.
func (r *receiver) next(hook *webhookBody, more ...*webhookBody) webhookMessage {
	r.t.Helper()
	got := <-r.got
	for _, h := range append(more, hook) {
		w, err := standardwebhooks.NewWebhook(h.Secret)
		if err != nil {
			r.t.Fatal(err)
		}
		if err := w.Verify(got.body, got.header); err != nil {
			r.t.Errorf("signature v1: %v", err)
		}
		if !verifyPublic(h.PublicKey, got) {
			r.t.Errorf("no signature v1a in %q fits %s", got.header["Webhook-Signature"], h.PublicKey)
		}
	}
	var v any
	if err := json.Unmarshal(got.body, &v); err != nil {
		r.t.Fatalf("%v: %s", err, got.body)
	}
	for _, w := range conforms(object{"$ref": "#/components/schemas/WebhookMessage"}, v, "") {
		r.t.Errorf("message %s: %s", got.body, w)
	}
	m := webhookMessage{id: got.header.Get("webhook-id")}
	if err := json.Unmarshal(got.body, &m, json.MatchCaseInsensitiveNames(true), json.RejectUnknownMembers(true)); err != nil {
		r.t.Fatalf("%v: %s", err, got.body)
	}
	return m
}

func verifyPublic(publicKey string, got received) bool {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(publicKey, "whpk_"))
	if err != nil || len(key) != ed25519.PublicKeySize {
		return false
	}
	signed := got.header.Get("webhook-id") + "." + got.header.Get("webhook-timestamp") + "." + string(got.body)
	for s := range strings.SplitSeq(got.header.Get("webhook-signature"), " ") {
		sum, ok := strings.CutPrefix(s, "v1a,")
		raw, err := base64.StdEncoding.DecodeString(sum)
		if ok && err == nil && ed25519.Verify(key, []byte(signed), raw) {
			return true
		}
	}
	return false
}

// none fails the test if a message came.
func (r *receiver) none() {
	r.t.Helper()
	select {
	case got := <-r.got:
		r.t.Errorf("a message that nobody asked for: %s", got.body)
	default:
	}
}

type webhookBody struct {
	ID, URL, State, Secret string
	PublicKey              string `json:"public_key"`
	Events, Indexes        []string
	Backlog                int
	DisabledReason         *string `json:"disabled_reason"`
	GraceUntil             *string `json:"grace_until"`
}

type deliveryBody struct {
	ID, Event, State string
	Seq, Attempts    int
	ResponseStatus   *int    `json:"response_status"`
	Error            *string `json:"error"`
	NextAttemptAt    *string `json:"next_attempt_at"`
}

type deliveriesBody struct {
	Deliveries []deliveryBody
	NextCursor *string `json:"next_cursor"`
}

// withWebhooks is a service over the real engine that may send to loopback
// addresses, r's authority trusted.
func withWebhooks(t *testing.T, dir string, r *receiver) *service {
	t.Helper()
	e, err := engine.Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return newService(t, func(c *Config) {
		c.Engine = e
		c.WebhookAllow = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}
		if r != nil {
			c.WebhookRootCAs = r.roots
		}
	})
}

// deliver has the service deliver until the end of the test.
func (s *service) deliver() {
	end := s.server.serving.begin(s.server.outbox.Run)
	s.t.Cleanup(func() { end() })
}

func (s *service) hook(url, rest string) *webhookBody {
	s.t.Helper()
	h := &webhookBody{}
	s.want(201, "POST", "/v1/webhooks", fmt.Sprintf(`{"url":%q%s}`, url, rest)).into(s.t, h)
	return h
}

func TestWebhooksTellOfChanges(t *testing.T) {
	r := newReceiver(t)
	s := withWebhooks(t, "", r)
	s.deliver()
	hook := s.hook(r.url, `,"events":["batch.*","record.*","index.*"],"indexes":["prod*"]`)

	s.want(201, "PUT", "/v1/indexes/products", productSchema)
	if m := r.next(hook); m.Type != "index.created" || !slices.Equal(m.Data.Indexes, []string{"products"}) {
		t.Errorf("%+v", m)
	}
	var batch struct {
		ID      string
		Version uint64
	}
	s.want(201, "POST", "/v1/batch", `{"index":"products","operations":[{"op":"put","record":{"id":"a","title":"x"}},{"op":"put","record":{"id":"b"}},{"op":"delete","id":"b"}]}`).into(t, &batch)
	before := r.next(hook)
	if before.Type != "batch.applied" || before.Data.Batch != batch.ID || before.Data.Version != batch.Version ||
		!slices.Equal(before.Data.Indexes, []string{"products"}) || before.Data.Counts["put"] != 2 || before.Data.Counts["deleted"] != 1 {
		t.Errorf("%+v of batch %+v", before, batch)
	}

	// What is of other indexes, fails or changes nothing makes no message.
	s.want(201, "POST", "/v1/batch", `{"index":"news","records":[{"id":"a"}]}`)
	s.want(422, "POST", "/v1/batch", `{"index":"products","records":[{"id":"c","price":"much"}]}`)
	s.want(404, "DELETE", "/v1/record/nothing?index=products", "")
	s.want(409, "POST", "/v1/batch", `{"index":"products","operations":[{"op":"put_new","record":{"id":"a"}}]}`)
	s.want(204, "DELETE", "/v1/record/a?index=products", "")
	m := r.next(hook)
	if m.Type != "record.deleted" || m.Data.Record != "a" || m.Seq <= before.Seq || m.id == before.id {
		t.Errorf("%+v after %+v", m, before)
	}
	s.want(201, "PUT", "/v1/record/a?index=products", `{"title":"y"}`)
	if m := r.next(hook); m.Type != "record.written" || m.Data.Record != "a" {
		t.Errorf("%+v", m)
	}
	s.want(200, "PATCH", "/v1/indexes/products", `{"visible":false}`)
	if m := r.next(hook); m.Type != "index.updated" {
		t.Errorf("%+v", m)
	}
	s.want(204, "DELETE", "/v1/indexes/products", "")
	if m := r.next(hook); m.Type != "index.deleted" {
		t.Errorf("%+v", m)
	}
	r.none()
}

// The events of the document are those that can be asked for, and the test.
func TestDocumentListsTheEvents(t *testing.T) {
	props := resolve(object{"$ref": "#/components/schemas/WebhookMessage"})["properties"].(object)
	var listed []string
	for _, e := range props["type"].(object)["enum"].([]any) {
		listed = append(listed, e.(string))
	}
	if want := append(webhookEvents(), webhook.TypeTest); !slices.Equal(listed, want) {
		t.Errorf("the document lists %v, want %v", listed, want)
	}
}

// The bodies of messages hold ids and counts, and no contents of records.
func TestWebhookMessagesHoldNoContents(t *testing.T) {
	r := newReceiver(t)
	s := withWebhooks(t, "", r)
	s.deliver()
	s.hook(r.url, "")
	const canary = "f00dcafe"
	s.want(201, "POST", "/v1/batch", `{"index":"products","records":[{"id":"a","title":"`+canary+`"}]}`)
	s.want(200, "PUT", "/v1/record/a?index=products", `{"title":"`+canary+` 2"}`)
	s.want(201, "POST", "/v1/batch", `{"index":"products","operations":[{"op":"delete_where","filter":"title = \"`+canary+`\""}]}`)
	for range 3 {
		got := <-r.got
		if strings.Contains(string(got.body), canary) || len(got.body) > webhook.MaxPayload {
			t.Errorf("%s", got.body)
		}
		for name, v := range got.header {
			if strings.Contains(strings.Join(v, " "), s.key) {
				t.Errorf("header %s: %s", name, v)
			}
		}
	}
}

func TestWebhooksTellOfStreamsThatBreakOff(t *testing.T) {
	r := newReceiver(t)
	s := withWebhooks(t, "", r)
	s.server.limits.ChunkBytes = 1
	s.deliver()
	hook := s.hook(r.url, `,"events":["batch.*"]`)
	body := io.MultiReader(strings.NewReader(ndjson(`{"id":"a"}`, `{"id":"b"}`)), iotest.ErrReader(io.ErrUnexpectedEOF))
	req := httptest.NewRequest("POST", "/v1/batch?index=products&atomic=false", body)
	req.Header.Set("Authorization", "Bearer "+s.key)
	req.Header.Set("Content-Type", mediaNDJSON)
	if a := s.send(req); a.status != 400 {
		t.Fatalf("%d %s", a.status, a.body)
	}
	if m := r.next(hook); m.Type != "batch.failed" || m.Data.Counts["put"] != 2 || m.Data.Version == 0 || !slices.Equal(m.Data.Indexes, []string{"products"}) {
		t.Errorf("%+v", m)
	}
	r.none()
}

func TestWebhooksOfAReadOnlyEngine(t *testing.T) {
	dir := t.TempDir()
	s := withWebhooks(t, dir, nil)
	path := "/v1/webhooks/" + s.hook("https://shop.example/", "").ID
	if err := s.engine.(*engine.Engine).Close(); err != nil {
		t.Fatal(err)
	}
	e, err := engine.Open(dir, &engine.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	again := newService(t, func(c *Config) { c.Engine = e })
	again.want(200, "GET", path, "")
	for _, c := range []struct{ method, path, body string }{
		{"POST", "/v1/webhooks", `{"url":"https://shop.example/"}`}, {"PATCH", path, `{"state":"disabled"}`},
		{"DELETE", path, ""}, {"POST", path + "/rotate", ""}, {"POST", path + "/test", ""},
	} {
		again.want(507, c.method, c.path, c.body)
	}
	again.want(200, "GET", path, "")
}

func TestWebhookResource(t *testing.T) {
	s := withWebhooks(t, "", nil)
	hook := s.hook("https://shop.example/hook?shop=1", "")
	if !strings.HasPrefix(hook.ID, "whk_") || !strings.HasPrefix(hook.Secret, "whsec_") || hook.State != "active" || !slices.Equal(hook.Events, []string{"*"}) || len(hook.Indexes) != 0 {
		t.Errorf("%+v", hook)
	}
	if key, err := base64.StdEncoding.DecodeString(hook.Secret[len("whsec_"):]); err != nil || len(key) != 32 {
		t.Errorf("secret %q: %d bytes, %v", hook.Secret, len(key), err)
	}
	path := "/v1/webhooks/" + hook.ID
	for _, a := range []answer{
		s.want(200, "GET", path, ""),
		s.want(200, "GET", "/v1/webhooks", ""),
		s.want(200, "PATCH", path, `{"events":"index.*","indexes":["a","b*"]}`),
	} {
		if strings.Contains(a.body, "whsec_") || !strings.Contains(a.body, hook.PublicKey) {
			t.Errorf("the secret is shown again, or the public key is not: %s", a.body)
		}
	}
	var got webhookBody
	s.want(200, "PATCH", path, `{"url":"https://shop.example/other","state":"disabled"}`).into(t, &got)
	if got.URL != "https://shop.example/other" || got.State != "disabled" || *got.DisabledReason != "request" ||
		!slices.Equal(got.Events, []string{"index.*"}) || !slices.Equal(got.Indexes, []string{"a", "b*"}) {
		t.Errorf("%+v", got)
	}
	if a := s.want(409, "POST", path+"/test", ""); a.problem(t).Code != codeWebhookDisabled {
		t.Error(a.body)
	}
	s.want(200, "PATCH", path, `{"state":"active","indexes":[]}`).into(t, &got)
	if got.State != "active" || got.DisabledReason != nil || len(got.Indexes) != 0 {
		t.Errorf("%+v", got)
	}

	var rotated webhookBody
	s.want(200, "POST", path+"/rotate", "").into(t, &rotated)
	if rotated.Secret == hook.Secret || rotated.PublicKey == hook.PublicKey || rotated.GraceUntil == nil {
		t.Errorf("%+v", rotated)
	}
	rotated = webhookBody{}
	s.want(200, "POST", path+"/rotate", `{"grace_seconds":0}`).into(t, &rotated)
	if rotated.GraceUntil != nil {
		t.Errorf("%+v", rotated)
	}
	s.want(204, "DELETE", path, "")
	for _, c := range []struct{ method, path, body string }{
		{"GET", path, ""}, {"PATCH", path, "{}"}, {"DELETE", path, ""}, {"POST", path + "/test", ""},
		{"POST", path + "/rotate", ""}, {"GET", path + "/deliveries", ""}, {"POST", path + "/deliveries/msg_1/replay", ""},
	} {
		if a := s.want(404, c.method, c.path, c.body); a.problem(t).Code != codeWebhookNotFound {
			t.Errorf("%s %s: %s", c.method, c.path, a.body)
		}
	}
}

func TestWebhookPages(t *testing.T) {
	s := withWebhooks(t, "", nil)
	want := map[string]bool{}
	for range 7 {
		want[s.hook("https://shop.example/hook", "").ID] = true
	}
	cursor := ""
	for range 3 {
		var page struct {
			Webhooks   []webhookBody
			Total      int
			NextCursor *string `json:"next_cursor"`
		}
		s.want(200, "GET", "/v1/webhooks?limit=3"+cursor, "").into(t, &page)
		for _, h := range page.Webhooks {
			if !want[h.ID] {
				t.Errorf("%s twice", h.ID)
			}
			delete(want, h.ID)
		}
		if page.Total != 7 || (page.NextCursor == nil) != (len(want) == 0) {
			t.Errorf("%d are missing, page %+v", len(want), page)
		}
		if page.NextCursor != nil {
			cursor = "&cursor=" + *page.NextCursor
		}
	}
	s.want(422, "GET", "/v1/webhooks?cursor=x", "")
	s.want(422, "GET", "/v1/webhooks?limit=1001", "")
}

func TestWebhookMistakesHavePlaces(t *testing.T) {
	s := withEngine(t, "") // no network is allowed
	for _, c := range []struct{ body, code, pointer string }{
		{`{}`, engine.CodeInvalidRequest, "/url"},
		{`{"url":7}`, engine.CodeInvalidRequest, "/url"},
		{`{"url":""}`, engine.CodeInvalidRequest, "/url"},
		{`{"url":"http://shop.example/"}`, engine.CodeInvalidRequest, "/url"},
		{`{"url":"https://127.0.0.1/"}`, engine.CodeInvalidRequest, "/url"},
		{`{"url":"https://shop.example:22/"}`, engine.CodeInvalidRequest, "/url"},
		{`{"url":"https://shop.example/","evnts":[]}`, engine.CodeUnknownField, "/evnts"},
		{`{"url":"https://shop.example/","state":"disabled"}`, engine.CodeUnknownField, "/state"},
		{`{"url":"https://shop.example/","events":["batch.*","batch.aplied"]}`, engine.CodeInvalidRequest, "/events/1"},
		{`{"url":"https://shop.example/","events":"batch*"}`, engine.CodeInvalidRequest, "/events"},
		{`{"url":"https://shop.example/","events":["x.*"]}`, engine.CodeInvalidRequest, "/events/0"},
		{`{"url":"https://shop.example/","events":[7]}`, engine.CodeInvalidRequest, "/events/0"},
		{`{"url":"https://shop.example/","indexes":["a","No Name"]}`, engine.CodeInvalidRequest, "/indexes/1"},
		{`{"url":"https://shop.example/","indexes":[` + strings.Repeat(`"a",`, 100) + `"a"]}`, engine.CodeLimitExceeded, "/indexes"},
		{`[]`, engine.CodeInvalidRequest, ""},
	} {
		p := s.want(422, "POST", "/v1/webhooks", c.body).problem(t)
		if len(p.Errors) != 1 || p.Errors[0].Code != c.code || p.Errors[0].Pointer != c.pointer {
			t.Errorf("%s: %+v", c.body, p)
		}
	}
	p := s.want(422, "POST", "/v1/webhooks", `{"url":"ftp://x","events":["y"],"indexes":["Z"],"more":1}`).problem(t)
	if len(p.Errors) != 4 {
		t.Errorf("%+v, want all four mistakes", p)
	}
	if !strings.Contains(s.want(422, "POST", "/v1/webhooks", `{"url":"https://a.example","events":"batch.aplied"}`).body, `did you mean \"batch.applied\"`) {
		t.Error("no suggestion for batch.aplied")
	}
	s.want(400, "POST", "/v1/webhooks", `{"url":`)
	id := s.hook("https://shop.example/", "").ID
	s.want(422, "PATCH", "/v1/webhooks/"+id, `{"state":"gone"}`)
	s.want(422, "PATCH", "/v1/webhooks/"+id, `{"url":""}`)
	s.want(422, "POST", "/v1/webhooks/"+id+"/rotate", `{"grace_seconds":604801}`)
	s.want(422, "GET", "/v1/webhooks/"+id+"/deliveries?cursor=x", "")
	for range 99 {
		s.hook("https://shop.example/", "")
	}
	if p := s.want(422, "POST", "/v1/webhooks", `{"url":"https://shop.example/"}`).problem(t); p.Code != engine.CodeLimitExceeded {
		t.Errorf("%+v", p)
	}
}

func TestWebhookIsMadeOnceForAnIdempotencyKey(t *testing.T) {
	s := withWebhooks(t, "", nil)
	const body = `{"url":"https://shop.example/hook"}`
	first := s.want(201, "POST", "/v1/webhooks", body, "Idempotency-Key: k")
	again := s.want(201, "POST", "/v1/webhooks", body, "Idempotency-Key: k")
	if again.body != first.body || again.header.Get("Idempotency-Replayed") != "true" || again.header.Get("Location") != first.header.Get("Location") {
		t.Errorf("%v %s\nafter %v %s", again.header, again.body, first.header, first.body)
	}
	s.want(200, "GET", again.header.Get("Location"), "")
	if n := len(s.server.outbox.Endpoints()); n != 1 {
		t.Errorf("%d webhooks", n)
	}
	s.want(422, "POST", "/v1/webhooks", `{"url":"https://shop.example/other"}`, "Idempotency-Key: k")
}

func TestWebhookRotationSignsWithBoth(t *testing.T) {
	r := newReceiver(t)
	s := withWebhooks(t, "", r)
	s.deliver()
	old := s.hook(r.url, "")
	var young webhookBody
	s.want(200, "POST", "/v1/webhooks/"+old.ID+"/rotate", `{"grace_seconds":3600}`).into(t, &young)
	s.want(201, "POST", "/v1/batch", `{"index":"a","records":[{}]}`)
	r.next(old, &young)
}

func TestWebhookDeliveries(t *testing.T) {
	r := newReceiver(t)
	s := withWebhooks(t, "", r)
	hook := s.hook(r.url, `,"events":["batch.*"]`)
	path := "/v1/webhooks/" + hook.ID
	for i := range 5 {
		s.want(201, "POST", "/v1/batch", fmt.Sprintf(`{"index":"a","records":[{"id":"%d"}]}`, i))
	}
	var test deliveryBody
	s.want(202, "POST", path+"/test", "").into(t, &test)
	if test.Event != "webhook.test" || test.State != "pending" || test.Attempts != 0 || test.NextAttemptAt == nil {
		t.Errorf("%+v", test)
	}
	if stats := s.server.outbox.Stats(); stats.Backlog != 6 || stats.Endpoints != 1 {
		t.Errorf("%+v", stats)
	}
	s.deliver()
	var ids []string
	for i := range 6 {
		m := r.next(hook)
		ids = append([]string{m.id}, ids...)
		if i == 5 && (m.Type != "webhook.test" || m.Data.Webhook != hook.ID || m.id != test.ID) {
			t.Errorf("%+v", m)
		}
	}
	s.settled(6)
	var got []string
	cursor := ""
	for range 3 {
		var page deliveriesBody
		s.want(200, "GET", path+"/deliveries?limit=2"+cursor, "").into(t, &page)
		for _, d := range page.Deliveries {
			if d.State != "delivered" || d.Attempts != 1 || *d.ResponseStatus != 200 || d.Error != nil || d.NextAttemptAt != nil {
				t.Errorf("%+v", d)
			}
			got = append(got, d.ID)
		}
		if page.NextCursor == nil {
			break
		}
		cursor = "&cursor=" + *page.NextCursor
	}
	if !slices.Equal(got, ids) {
		t.Errorf("deliveries %v, want the newest first: %v", got, ids)
	}
	s.want(422, "GET", "/v1/webhooks/"+s.hook(r.url, "").ID+"/deliveries?limit=2"+cursor, "") // another's cursor

	s.want(202, "POST", path+"/deliveries/"+ids[3]+"/replay", "")
	if m := r.next(hook); m.id != ids[3] {
		t.Errorf("replay of %s sent %+v", ids[3], m)
	}
	if a := s.want(404, "POST", path+"/deliveries/msg_1/replay", ""); a.problem(t).Code != codeDeliveryNotFound {
		t.Error(a.body)
	}
}

// settled waits until so many messages have been delivered and that is written
// down.
func (s *service) settled(messages int) {
	s.t.Helper()
	for s.server.outbox.Stats().Delivered < uint64(messages) {
		if s.t.Context().Err() != nil {
			s.t.FailNow()
		}
		runtime.Gosched()
	}
	s.server.outbox.Delete(context.Background(), "nothing") // has to wait for the write
}

// However the process ends, all events of what was committed are delivered by the
// next one, and no others.
func TestWebhooksSurviveAKill(t *testing.T) {
	r := newReceiver(t)
	dir, killed := t.TempDir(), filepath.Join(t.TempDir(), "killed")
	s := withWebhooks(t, dir, r)
	hook := s.hook(r.url, `,"events":"batch.applied"`)
	var want []string
	for i := range 20 {
		var b struct{ ID string }
		s.want(201, "POST", "/v1/batch", fmt.Sprintf(`{"index":"a","records":[{"id":"%d"}]}`, i)).into(t, &b)
		want = append(want, b.ID)
		s.want(422, "POST", "/v1/batch", `{"index":"a","records":[{"id":{}}]}`)
	}
	if err := os.CopyFS(killed, os.DirFS(dir)); err != nil { // what a kill at this moment leaves
		t.Fatal(err)
	}
	again := withWebhooks(t, killed, r)
	again.deliver()
	var got []string
	last := 0
	for range want {
		m := r.next(hook)
		got = append(got, m.Data.Batch)
		if m.Seq <= last {
			t.Errorf("seq %d after %d", m.Seq, last)
		}
		last = m.Seq
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("messages about %v, want %v", got, want)
	}
	var b struct{ ID string }
	again.want(201, "POST", "/v1/batch", `{"index":"a","records":[{"id":"x"}]}`).into(t, &b)
	if m := r.next(hook); m.Data.Batch != b.ID || m.Seq <= last {
		t.Errorf("%+v after seq %d, want one about %s", m, last, b.ID)
	}
	r.none()
}

func TestServeDelivers(t *testing.T) {
	r := newReceiver(t)
	s := withWebhooks(t, "", r)
	hook := s.hook(r.url, `,"events":["batch.*"]`)
	s.want(201, "POST", "/v1/batch", `{"index":"a","records":[{}]}`)
	var stops []func()
	for range 2 { // on two listeners, which end one after the other
		ln, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan error, 1)
		go func() { done <- s.server.Serve(ctx, ln) }()
		stops = append(stops, func() {
			cancel()
			if err := <-done; err != nil {
				t.Error(err)
			}
		})
	}
	r.next(hook)
	stops[0]()
	s.want(201, "POST", "/v1/batch", `{"index":"a","records":[{}]}`)
	r.next(hook)
	stops[1]()
	s.want(201, "POST", "/v1/batch", `{"index":"a","records":[{}]}`)
	if backlog := s.server.outbox.Stats().Backlog; backlog < 1 {
		t.Errorf("backlog %d after the last Serve ended", backlog)
	}
	r.none()
}

func TestWebhooksTellOfThresholds(t *testing.T) {
	r := newReceiver(t)
	s := withWebhooks(t, "", r)
	s.deliver()
	hook := s.hook(r.url, `,"events":"usage.*"`)
	rows, done := s.server.reached(usage.Threshold{Key: "abc", At: testTime, Percent: 80, Searches: 800, Quota: 1000})
	err := s.engine.PutRows(t.Context(), rows)
	if done(err); err != nil {
		t.Fatal(err)
	}
	if d := r.next(hook).Data; d.Key != "key_abc" || d.Percent != 80 || d.Searches != 800 || d.Quota != 1000 {
		t.Errorf("%+v", d)
	}
}

func TestWebhookPayloadsAreSmall(t *testing.T) {
	c := &change{event: eventBatchApplied, version: 1 << 62, record: strings.Repeat(`"`, maxRecordID),
		batch: &batchOutcome{id: newID(batchPrefix, testTime), put: 1 << 60, patched: 1 << 60, deleted: 1 << 60, failed: 1 << 60}}
	for i := range 1000 {
		c.indexes = append(c.indexes, fmt.Sprintf("%064d", i))
	}
	data := appendEventData(nil, c)
	if len(data) > webhook.MaxPayload-1024 || !strings.Contains(string(data), `"more_indexes":900`) {
		t.Errorf("%d bytes: %.200s", len(data), data)
	}
}
