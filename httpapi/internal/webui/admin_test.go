package webui_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// markup is what an attacker would write into a name.
const markup = `"><img src=/x onerror="window.hacked=1">`

// withFakes answers for keys, usage and webhooks in the shapes of the
// documentation, so that the admin view can be tested without waiting for days
// to end and deliveries to fail.
func withFakes(next http.Handler) http.Handler {
	f := &fakes{}
	mux := http.NewServeMux()
	mux.Handle("/", next)
	mux.HandleFunc("GET /v1/keys", f.listKeys)
	mux.HandleFunc("POST /v1/keys", f.makeKey)
	mux.HandleFunc("POST /v1/keys/{id}/rotate", f.rotateKey)
	mux.HandleFunc("DELETE /v1/keys/{id}", f.revokeKey)
	mux.HandleFunc("GET /v1/usage", f.usage)
	mux.HandleFunc("GET /v1/webhooks", f.listWebhooks)
	mux.HandleFunc("POST /v1/webhooks", f.makeWebhook)
	mux.HandleFunc("DELETE /v1/webhooks/{id}", f.deleteWebhook)
	mux.HandleFunc("POST /v1/webhooks/{id}/test", f.testWebhook)
	mux.HandleFunc("GET /v1/webhooks/{id}/deliveries", f.deliveries)
	mux.HandleFunc("POST /v1/webhooks/{id}/deliveries/{delivery}/replay", f.replay)
	return mux
}

type fakes struct {
	mu       sync.Mutex
	keys     []object
	webhooks []object
	sent     []object
	asked    []object // bodies of POST requests
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(body)
}

func (f *fakes) body(r *http.Request) object {
	var b object
	json.NewDecoder(r.Body).Decode(&b)
	f.asked = append(f.asked, b)
	return b
}

func (f *fakes) listKeys(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	list := append([]object{{
		"id": "key_root", "name": "root" + markup, "root": true, "scopes": []string{"*"}, "indexes": []string{"*"}, "filter": nil, "expires_at": nil, "rate": nil, "quota": nil,
		"hint": "…x9Qf", "created_at": nil, "rotated_at": nil, "grace_until": nil, "last_day": "2026-11-21", "state": "active",
	}}, f.keys...)
	answer(w, 200, object{"keys": list, "total": len(list), "next_cursor": nil})
}

func (f *fakes) makeKey(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	b := f.body(r)
	k := object{
		"id": fmt.Sprintf("key_%d", len(f.keys)), "root": false, "filter": b["filter"], "expires_at": b["expires_at"], "rate": object{"per_second": 50, "burst": 100}, "quota": nil,
		"hint": "…a1B2", "created_at": "2026-11-21T13:00:00Z", "rotated_at": nil, "grace_until": nil, "last_day": nil, "state": "active", "indexes": []string{"*"},
	}
	for name, v := range b {
		k[name] = v
	}
	f.keys = append(f.keys, k)
	with := object{"key": "qk_secret-of-" + k["id"].(string)}
	for name, v := range k {
		with[name] = v
	}
	answer(w, 201, with)
}

func (f *fakes) key(id string) object {
	i := slices.IndexFunc(f.keys, func(k object) bool { return k["id"] == id })
	return f.keys[i]
}

func (f *fakes) rotateKey(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.body(r)
	f.key(r.PathValue("id"))["grace_until"] = "2099-01-01T00:00:00Z"
	answer(w, 200, object{"id": r.PathValue("id"), "key": "qk_another-secret"})
}

func (f *fakes) revokeKey(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.key(r.PathValue("id"))["state"] = "revoked"
	w.WriteHeader(204)
}

// usage answers two days that are chained and one that is not.
func (f *fakes) usage(w http.ResponseWriter, r *http.Request) {
	var rows []object
	chain := "sha256:" + strings.Repeat("0", 64)
	base := chain
	for i, day := range []string{"2026-11-01", "2026-11-02"} {
		row := fmt.Sprintf(`{"seq":%d,"day":%q,"key":"key_a","searches":%d,"writes":31,"records_max":19547,"bytes_max":8123456}`, i+1, day, 1200*(i+1))
		chain = fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(chain+"\n"+row+"\n")))
		var o object
		json.Unmarshal([]byte(row), &o)
		o["chain"] = chain
		rows = append(rows, o)
	}
	head := chain
	if r.URL.Query().Get("from") == "2026-11-02" { // an altered row
		rows[1]["searches"] = 1
	}
	rows = append(rows, object{"seq": nil, "chain": nil, "day": "2026-11-03", "key": "key_a", "searches": 7, "writes": 1, "records_max": 2, "bytes_max": 3})
	answer(w, 200, object{"rows": rows, "base": base, "head": head, "chain_length": 2, "next_cursor": nil})
}

func (f *fakes) listWebhooks(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	list := append([]object{{
		"id": "whk_0", "url": "https://shop.example/hook?" + markup, "events": []string{"batch.*"}, "indexes": []string{}, "state": "disabled", "disabled_reason": "gone", "backlog": 3,
	}}, f.webhooks...)
	answer(w, 200, object{"webhooks": list, "total": len(list), "next_cursor": nil})
}

func (f *fakes) makeWebhook(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	b := f.body(r)
	if !strings.HasPrefix(b["url"].(string), "https://") {
		w.Header().Set("Content-Type", "application/problem+json")
		w.WriteHeader(422)
		fmt.Fprint(w, `{"title":"The request is not valid","status":422,"code":"invalid_request","detail":"x","errors":[{"pointer":"/url","code":"invalid_request","detail":"must begin with https:// <b>"}]}`)
		return
	}
	b["id"], b["state"], b["backlog"] = "whk_1", "active", 0
	f.webhooks = append(f.webhooks, b)
	answer(w, 201, object{"id": "whk_1", "secret": "whsec_abc", "public_key": "whpk_def"})
}

func (f *fakes) deleteWebhook(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.webhooks = nil
	w.WriteHeader(204)
}

func (f *fakes) testWebhook(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.sent = append(f.sent, object{"id": "msg_1", "event": "webhook.test" + markup, "seq": 1, "state": "failed", "attempts": 10, "response_status": nil, "error": "timeout", "created_at": "2026-11-21T13:00:00Z", "attempted_at": nil, "next_attempt_at": nil})
	answer(w, 202, f.sent[0])
}

func (f *fakes) deliveries(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	answer(w, 200, object{"deliveries": append([]object{}, f.sent...), "next_cursor": nil})
}

func (f *fakes) replay(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	again := object{}
	for name, v := range f.sent[0] {
		again[name] = v
	}
	again["state"], again["response_status"], again["error"] = "delivered", 204, nil
	f.sent = append([]object{again}, f.sent...)
	answer(w, 202, again)
}

// admin opens the admin view at a tab.
func admin(t *testing.T, tab string, wrap func(http.Handler) http.Handler) *page {
	t.Helper()
	p := open(t, wrap)
	p.loadShop()
	p.do(chromedp.Navigate(p.url + "/admin#tab=" + tab + "&key=" + p.key))
	p.until(`document.querySelector('[role=tabpanel] h2')`)
	if got := eval[string](p, `location.hash`); got != "#tab="+tab {
		t.Errorf("the address ends with %q", got)
	}
	return p
}

func (p *page) unharmed() {
	p.t.Helper()
	if eval[bool](p, `'hacked' in window || document.querySelector('img') !== null`) {
		p.t.Error("a name has become markup")
	}
}

func TestAdminIndexes(t *testing.T) {
	p := admin(t, "indexes", nil)
	if got := p.text(".grid tbody tr"); !strings.Contains(got, "shop") || !strings.Contains(got, "60") || !strings.Contains(got, "ready") || !strings.Contains(got, "KiB") {
		t.Errorf("the index reads %q", got)
	}
	p.click(".grid .open")
	p.until(`document.querySelector('dialog .grid')?.innerText.includes('released')`)
	p.press(kb.Escape)
	p.until(`!document.querySelector('dialog')`)
	p.click(".acts .danger")
	p.until(`document.querySelector('dialog [type=submit]').disabled && document.activeElement.matches('dialog input')`)
	p.press("sho", kb.Enter)
	p.until(`document.querySelector('dialog [type=submit]').disabled`)
	p.press("p")
	p.until(`!document.querySelector('dialog [type=submit]').disabled`)
	p.press(kb.Enter)
	p.until(`document.querySelector('.empty h2')?.innerText === 'No index yet' && !document.querySelector('dialog')`)
	if got := len(p.engine.Indexes()); got != 0 {
		t.Errorf("%d indexes are left", got)
	}
}

func TestAdminTabsByKeyboard(t *testing.T) {
	p := admin(t, "indexes", withFakes)
	eval[bool](p, `(document.querySelector('[role=tab][aria-selected=true]').focus(), true)`)
	for _, want := range []string{"keys", "usage", "webhooks", "indexes"} {
		p.press(kb.ArrowRight)
		p.until(`document.activeElement.id === 'admin-tab-' + %s && location.hash === '#tab=' + %s && document.querySelectorAll('[role=tab][tabindex="0"]').length === 1`, want, want)
	}
	p.press(kb.End)
	p.until(`location.hash === '#tab=webhooks'`)
}

func TestAdminKeys(t *testing.T) {
	p := admin(t, "keys", withFakes)
	p.until(`document.querySelector('.grid tbody').innerText.includes('root"><img')`)
	p.click(".head .primary")
	p.until(`document.activeElement.matches('dialog input')`)
	p.press("web shop")
	p.typeInto(`dialog input[placeholder="all"]`, "products, news_*")
	p.press(kb.Enter)
	p.until(`document.querySelector('.secret')?.innerText === 'qk_secret-of-key_0'`)
	p.press(kb.Escape)
	p.until(`document.querySelectorAll('.grid tbody tr').length === 2 && !document.body.innerText.includes('secret-of')`)
	if got := p.text(".grid tbody tr:nth-child(2)"); !strings.Contains(got, "web shop") || !strings.Contains(got, "news_*") || !strings.Contains(got, "search") {
		t.Errorf("the key reads %q", got)
	}
	p.click(`[aria-label="Rotate web shop"]`)
	p.until(`document.querySelector('dialog select')`)
	p.click("dialog [type=submit]")
	p.until(`document.querySelector('.secret')?.innerText === 'qk_another-secret'`)
	p.press(kb.Escape)
	p.until(`document.querySelector('.grid').innerText.includes('older text until')`)
	p.click(`[aria-label="Revoke web shop"]`)
	p.until(`document.querySelector('dialog')`)
	p.click("dialog [type=submit]")
	p.until(`document.querySelector('.state.bad')?.innerText === 'revoked'`)
	p.unharmed()
}

func TestAdminUsage(t *testing.T) {
	p := admin(t, "usage", withFakes)
	if got := p.text(".state"); got != "The chain of 2 rows holds" {
		t.Errorf("of the chain it says %q", got)
	}
	eval[bool](p, `(([a, b]) => { a.value = '2026-11-01'; b.value = '2026-11-03'; b.dispatchEvent(new Event('change')); return true })(document.querySelectorAll('input[type=date]'))`)
	p.until(`document.querySelector('.charts strong')?.innerText === '3,607' && document.querySelectorAll('.charts svg:first-of-type rect').length === 6`)
	eval[bool](p, `(([a]) => { a.value = '2026-11-02'; a.dispatchEvent(new Event('change')); return true })(document.querySelectorAll('input[type=date]'))`)
	p.until(`document.querySelector('.state.bad')?.innerText === 'The chain breaks at row 2, of 2026-11-02'`)
}

func TestAdminWebhooks(t *testing.T) {
	p := admin(t, "webhooks", withFakes)
	p.excused = func(f string) bool { return strings.Contains(f, "422") }
	if got := p.text(".grid tbody tr"); !strings.Contains(got, "gone") || !strings.Contains(got, "3 waiting") {
		t.Errorf("the webhook reads %q", got)
	}
	p.click(".head .primary")
	p.until(`document.activeElement.matches('dialog input')`)
	p.press("http://x.example", kb.Enter)
	p.until(`document.querySelector('dialog [role=alert]')?.innerText.includes('/url: must begin with https:// <b>')`)
	p.typeInto("dialog input", "https://x.example/")
	p.press(kb.Enter)
	p.until(`document.querySelector('.secret')?.innerText === 'whsec_abc'`)
	p.press(kb.Escape)
	p.until(`document.querySelectorAll('.grid tbody tr').length === 2`)
	p.click(`[aria-label="Send a test event to https://x.example/"]`)
	p.until(`document.querySelector('dialog .grid')?.innerText.includes('timeout')`)
	p.click("dialog .acts button")
	p.until(`document.querySelectorAll('dialog .grid tbody tr').length === 2 && document.querySelector('dialog .state.good')`)
	p.press(kb.Escape)
	p.click(`[aria-label="Delete https://x.example/"]`)
	p.until(`document.querySelector('dialog [type=submit]')`)
	p.click("dialog [type=submit]")
	p.until(`document.querySelectorAll('.grid tbody tr').length === 1`)
	p.unharmed()
}

// A server without some routes says so quietly.
func TestAdminWithoutRoutes(t *testing.T) {
	p := admin(t, "keys", func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/v1/keys" {
				r.URL.Path = "/v1/nothing"
			}
			next.ServeHTTP(w, r)
		})
	})
	p.excused = func(f string) bool { return strings.Contains(f, "404") }
	if got := p.text("[role=tabpanel]"); !strings.Contains(got, "Not offered by this server") {
		t.Errorf("it says %q", got)
	}
}

// The real routes answer in the shapes that the stand-ins above have.
func TestAdminOverTheRealRoutes(t *testing.T) {
	p := admin(t, "usage", nil)
	p.until(`document.querySelector('.charts') && document.querySelector('.state').innerText === 'No day of these is over and chained yet'`)
	p.post("/v1/search", []byte(`{"q":"lamp"}`))
	p.do(chromedp.Reload())
	p.until(`document.querySelector('.charts strong')?.innerText === '1' && document.querySelector('.grid tbody')?.innerText.includes('key_')`)

	p.click("#admin-tab-webhooks")
	p.until(`document.querySelector('.empty h2')?.innerText === 'No webhooks'`)
	p.click(".head .primary")
	p.until(`document.activeElement.matches('dialog input')`)
	p.press("https://shop.invalid/hook", kb.Enter)
	p.until(`document.querySelector('.secret')?.innerText.startsWith('whsec_')`)
	p.press(kb.Escape)
	p.until(`document.querySelector('.grid tbody')?.innerText.includes('shop.invalid')`)
	p.click(`.acts button`)
	p.until(`document.querySelector('dialog .empty h2')?.innerText === 'Nothing yet'`)
	p.press(kb.Escape)
	p.click(`.acts .danger`)
	p.until(`document.querySelector('dialog [type=submit]')`)
	p.click("dialog [type=submit]")
	p.until(`document.querySelector('.empty h2')?.innerText === 'No webhooks'`)
}

func TestAdminSwap(t *testing.T) {
	p := admin(t, "indexes", nil)
	p.load("shop_v2", shopSchema(), object{"id": "a", "title": "one"})
	p.do(chromedp.Reload())
	p.until(`document.querySelectorAll('.grid tbody tr').length === 2`)
	p.click(".head button")
	p.until(`document.querySelector('dialog select')`)
	p.click("dialog [type=submit]")
	p.until(`!document.querySelector('dialog') && document.querySelector('.grid tbody tr .n').innerText === '1'`)
}
