package webui_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/quarry-search/quarry/engine"
	"github.com/quarry-search/quarry/httpapi"
)

// patience is how long a page may take for one thing, on a machine that is busy
// with other tests.
const patience = 30 * time.Second

// browser is the one Chromium of all tests; each test has a profile of its own
// in it.
var browser struct {
	once sync.Once
	ctx  context.Context
	stop func()
	err  error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if browser.stop != nil {
		browser.stop()
	}
	os.Exit(code)
}

// chromium starts the browser, or skips the test where there is none.
func chromium(t *testing.T) context.Context {
	t.Helper()
	program := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); err == nil {
			program = path
			break
		}
	}
	if program == "" {
		t.Skip("no Chromium on this machine: the pages are not tested in a browser")
	}
	browser.once.Do(func() {
		dir, err := os.MkdirTemp("", "quarry-browser-")
		if err != nil {
			browser.err = err
			return
		}
		ctx, cancel := chromedp.NewExecAllocator(context.Background(),
			chromedp.ExecPath(program), chromedp.UserDataDir(dir), chromedp.WSURLReadTimeout(2*patience),
			chromedp.Flag("headless", true), chromedp.Flag("no-sandbox", true), chromedp.Flag("disable-gpu", true), chromedp.Flag("disable-quic", true),
			chromedp.Flag("no-first-run", true), chromedp.Flag("disable-background-networking", true),
			chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
			chromedp.Flag("disable-dev-shm-usage", true), chromedp.Flag("disable-background-timer-throttling", true),
			chromedp.Flag("disable-backgrounding-occluded-windows", true), chromedp.Flag("disable-renderer-backgrounding", true),
			chromedp.Flag("ignore-certificate-errors", true), chromedp.Flag("lang", "en-US"))
		browser.ctx, _ = chromedp.NewContext(ctx)
		browser.err = chromedp.Do(browser.ctx)
		browser.stop = func() {
			chromedp.Cancel(browser.ctx)
			cancel()
			os.RemoveAll(dir)
		}
	})
	if browser.err != nil {
		t.Fatalf("start of %s: %v", program, browser.err)
	}
	return browser.ctx
}

// page is a tab on a service of its own.
type page struct {
	t      *testing.T
	ctx    context.Context
	url    string // of the service
	key    string
	engine *engine.Engine
	ca     string // file of the authority

	mu       sync.Mutex
	requests []*network.Request
	faults   []string // what the console complains about
	excused  func(fault string) bool
}

// open starts a service and a tab. wrap, which may be nil, may answer in place of
// the service.
func open(t *testing.T, wrap func(http.Handler) http.Handler) *page {
	t.Helper()
	parent := chromium(t)
	p := &page{t: t, key: httpapi.GenerateKey(), excused: func(string) bool { return false }}
	p.serve(wrap)
	ctx, cancel := chromedp.NewContext(parent, chromedp.WithNewBrowserContext(), chromedp.WithListener(p.listen))
	t.Cleanup(cancel)
	p.ctx = ctx
	if err := chromedp.Do(ctx); err != nil { // the first one makes the tab, which lives as long as its context
		t.Fatal(err)
	}
	p.do(command(network.Enable, network.EnableParams{}), chromedp.EmulateViewport(1280, 900))
	t.Cleanup(p.checkTraces)
	return p
}

// serve answers on a loopback address with the certificate of a local authority.
func (p *page) serve(wrap func(http.Handler) http.Handler) {
	p.t.Helper()
	must := func(err error) {
		if err != nil {
			p.t.Helper()
			p.t.Fatal(err)
		}
	}
	var err error
	p.engine, err = engine.Open("", nil)
	must(err)
	hash, err := httpapi.HashKey(p.key)
	must(err)
	dir := p.t.TempDir()
	cert, err := httpapi.LocalCertificates(dir, []string{"127.0.0.1"}, nil)
	must(err)
	p.ca = filepath.Join(dir, "ca.pem")
	server, err := httpapi.New(httpapi.Config{Engine: p.engine, RootKey: hash, TLS: cert.Config()})
	must(err)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	must(err)
	p.url = "https://" + ln.Addr().String()
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	if wrap == nil {
		go func() { ended <- server.Serve(ctx, ln) }()
	} else {
		srv := &http.Server{Handler: wrap(server.Handler()), TLSConfig: cert.Config()}
		context.AfterFunc(ctx, func() { srv.Close() })
		go func() {
			srv.ServeTLS(ln, "", "") // ends by Close
			ended <- nil
		}()
	}
	p.t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			p.t.Error(err)
		}
		if err := p.engine.Close(); err != nil {
			p.t.Error(err)
		}
	})
}

// listen notes what the tab asks for and complains about.
func (p *page) listen(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		p.requests = append(p.requests, e.Request)
	case *runtime.EventExceptionThrown:
		p.faults = append(p.faults, fmt.Sprintf("%s %+v", e.ExceptionDetails.Text, e.ExceptionDetails.Exception))
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning {
			var texts []string
			for _, a := range e.Args {
				texts = append(texts, string(a.Value)+a.Description)
			}
			p.faults = append(p.faults, strings.Join(texts, " "))
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning {
			p.faults = append(p.faults, e.Entry.Text+" "+e.Entry.URL)
		}
	}
}

// checkTraces: every request went to the service, no address held a key or a
// query, and the console is empty.
func (p *page) checkTraces() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, r := range p.requests {
		if !strings.HasPrefix(r.URL, p.url+"/") && !strings.HasPrefix(r.URL, "data:") { // icons of the browser's own
			p.t.Errorf("the page asked for %s", r.URL)
		}
		if strings.Contains(r.URL, p.key) {
			p.t.Error("an address holds the key")
		}
	}
	for _, f := range p.faults {
		if !p.excused(f) {
			p.t.Errorf("console: %s", f)
		}
	}
}

// command is a command of the protocol as a step.
func command[P, R any](c cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, c, params)
		return err
	})
}

// do carries out steps.
func (p *page) do(steps ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		p.t.Fatal(err)
	}
}

// goTo opens a path with the key in the fragment and waits for the first answer.
func (p *page) goTo(path string) {
	p.t.Helper()
	p.do(chromedp.Navigate(p.url + path + "#key=" + p.key))
}

// eval returns the value of an expression in the page. It is not subject to the
// page's policy.
func eval[T any](p *page, format string, args ...any) T {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](script(format, args), chromedp.EvalAwaitPromise))
	if err != nil {
		p.t.Fatalf("%s: %v", script(format, args), err)
	}
	return v
}

// verbatim is an argument of eval that is an expression itself.
type verbatim string

// script puts arguments into an expression as JSON.
func script(format string, args []any) string {
	args = slices.Clone(args)
	for i, a := range args {
		if v, ok := a.(verbatim); ok {
			args[i] = string(v)
			continue
		}
		text, err := json.Marshal(a)
		if err != nil {
			panic(err)
		}
		args[i] = string(text)
	}
	return fmt.Sprintf(format, args...)
}

// until waits until an expression is true in the page.
func (p *page) until(format string, args ...any) {
	p.t.Helper()
	condition := script(format, args)
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	_, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`new Promise(done => {
		const look = () => { try { if (`+condition+`) return done(true) } catch {} setTimeout(look, 10) };
		look();
	})`, chromedp.EvalAwaitPromise))
	if err != nil {
		p.t.Fatalf("%s does not become true: %v\nthe page: %.1500s", condition, err, p.text("body"))
	}
}

// text is what can be read in the first element that a selector finds.
func (p *page) text(selector string) string {
	p.t.Helper()
	return eval[string](p, `document.querySelector(%s)?.innerText ?? ''`, selector)
}

// press sends keys to whatever has the focus.
func (p *page) press(keys ...string) {
	p.t.Helper()
	for _, k := range keys {
		p.do(chromedp.KeyEvent(k))
	}
}

// typeInto replaces the text of the search box as a reader does.
func (p *page) typeInto(selector, text string) {
	p.t.Helper()
	eval[bool](p, `(e => { e.focus(); e.select(); return true })(document.querySelector(%s))`, selector)
	p.press(text)
}

// click clicks where the first element is that a selector finds, and again if
// the page was drawing it anew in that moment.
func (p *page) click(selector string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	err := chromedp.Do(ctx, chromedp.Click(chromedp.CSS(selector)))
	for err != nil && ctx.Err() == nil && strings.Contains(err.Error(), "Could not find node with given id") {
		err = chromedp.Do(ctx, chromedp.Click(chromedp.CSS(selector)))
	}
	if err != nil {
		p.t.Fatal(err)
	}
}

// load puts records into an index of the schema given.
func (p *page) load(index string, schema engine.Schema, records ...any) {
	p.t.Helper()
	ctx := p.t.Context()
	if _, err := p.engine.CreateIndex(ctx, index, schema); err != nil {
		p.t.Fatal(err)
	}
	var b engine.Batch
	for _, r := range records {
		text, err := json.Marshal(r)
		if err != nil {
			p.t.Fatal(err)
		}
		b.Put(index, text)
	}
	if _, err := p.engine.Apply(ctx, &b); err != nil {
		p.t.Fatal(err)
	}
}

type object = map[string]any

// shopSchema has a field of every kind that the page treats in its own way.
func shopSchema() engine.Schema {
	exact := func(name string, t engine.Type) engine.Field {
		return engine.Field{Name: name, Type: t, Filter: true, Facet: true, Sort: true}
	}
	return engine.Schema{Fields: []engine.Field{
		{Name: "title", Type: engine.Text, Search: true, Weight: 3},
		{Name: "description", Type: engine.Text, Search: true},
		exact("brand", engine.Keyword), exact("price", engine.Float), exact("stock", engine.Int),
		exact("in_stock", engine.Bool), exact("released", engine.Date),
	}}
}

// loadShop fills an index with 60 products: 20 each of lamps, chairs and tables.
func (p *page) loadShop() {
	var records []any
	for i := range 60 {
		kind := []string{"lamp", "chair", "table"}[i%3]
		color := []string{"red", "green", "blue", "black"}[i/3%4]
		records = append(records, object{
			"id": fmt.Sprintf("sku-%02d", i), "title": fmt.Sprintf("%s %s no. %d", strings.ToUpper(color[:1])+color[1:], kind, i),
			"description": fmt.Sprintf("A %s made of oak and steel for rooms in which people read in the evening, in a %s that does not fade in the sun.", kind, color),
			"brand":       []string{"Norvik", "Aster", "Holm", "Lind", "Berg"}[i%5], "price": 10 + float64(i)*2.5, "stock": i * 3, "in_stock": i%4 != 0,
			"released": fmt.Sprintf("2025-%02d-%02d", 1+i%12, 1+i%28),
		})
	}
	p.load("shop", shopSchema(), records...)
}

// shop opens the search page over the index of products.
func shop(t *testing.T) *page {
	t.Helper()
	p := open(t, nil)
	p.loadShop()
	p.goTo("/")
	p.until(`document.querySelectorAll('.hit').length === 20`)
	return p
}

// answered waits until the page shows the answer to a query.
func (p *page) answered(q string) {
	p.t.Helper()
	p.until(`history.state?.q === %s && !document.querySelector('#results').hasAttribute('aria-busy')`, q)
}

// total is the number of results that the page names.
func (p *page) total(want int) {
	p.t.Helper()
	p.until(`document.querySelector('#summary strong')?.innerText.startsWith(%s + ' result')`, fmt.Sprint(want))
}

// bodies returns the bodies of the searches that the page sent.
func (p *page) bodies() (list []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, r := range p.requests {
		u, err := url.Parse(r.URL)
		if err == nil && u.Path == "/v1/search" && len(r.PostDataEntries) > 0 {
			list = append(list, string(r.PostDataEntries[0].Bytes))
		}
	}
	return slices.Clip(list)
}
