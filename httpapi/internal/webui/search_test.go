package webui_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/quarry-search/quarry/engine"
)

func TestKeyOfTheAddressIsTakenAndRemoved(t *testing.T) {
	p := shop(t)
	if got := eval[string](p, `location.href`); strings.Contains(got, "key") || strings.Contains(got, p.key) {
		t.Errorf("the address is still %s", got)
	}
	if got := eval[string](p, `sessionStorage.getItem('quarry.key')`); got != p.key {
		t.Errorf("the tab keeps the key %q", got)
	}
	if got := eval[int](p, `localStorage.length + document.cookie.length`); got != 0 {
		t.Error("something is kept beyond the tab")
	}
}

func TestSearchAsYouType(t *testing.T) {
	p := shop(t)
	p.total(60)
	p.typeInto("#q", "red lamp")
	p.until(`document.querySelector('.hit h3 mark') && document.querySelector('.hit h3').innerText.startsWith('Red lamp')`)
	if got := p.text(".hit mark"); got != "Red" {
		t.Errorf("the first mark is %q", got)
	}
	if got := p.text(".took"); !strings.Contains(got, "ms") {
		t.Errorf("times: %q", got)
	}
	p.until(`document.querySelector('#live').innerText.includes(' result')`)
	if got := eval[string](p, `location.href`); strings.Contains(got, "red") || strings.Contains(got, "lamp") {
		t.Errorf("the query stands in the address %s", got)
	}
	// A reload keeps what was asked.
	p.do(chromedp.Reload())
	p.until(`document.querySelector('#q').value === 'red lamp' && document.querySelector('.hit h3')?.innerText.startsWith('Red lamp')`)
}

// Of a long text the hit shows the part that matches, and that it is a part.
func TestFragments(t *testing.T) {
	p := open(t, nil)
	p.load("n", engine.Schema{Fields: []engine.Field{{Name: "title", Type: engine.Text, Search: true, Weight: 2}, {Name: "body", Type: engine.Text, Search: true}}},
		object{"id": 1, "title": "one & <two>", "body": strings.Repeat("words before it ", 30) + "a needle & <b>thread</b> " + strings.Repeat("words after it ", 30)})
	p.goTo("/")
	p.total(1)
	p.typeInto("#q", "needle two")
	p.until(`document.querySelectorAll('.hit mark').length === 2`)
	body := p.text(".hit .body")
	if !strings.HasPrefix(body, "…\u00a0") || !strings.HasSuffix(body, "\u00a0…") || !strings.Contains(body, "needle & <b>thread</b>") {
		t.Errorf("the text reads %q", body)
	}
	if got := p.text(".hit h3"); got != "one & <two>" {
		t.Errorf("the title reads %q", got)
	}
}

// Answers that come back in another order than they were asked for do not
// replace newer ones.
func TestLateAnswersAreDropped(t *testing.T) {
	var held atomic.Bool
	release := make(chan struct{})
	p := open(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/v1/search" && held.CompareAndSwap(true, false) {
				select {
				case <-release:
				case <-r.Context().Done():
				}
			}
			next.ServeHTTP(w, r)
		})
	})
	p.loadShop()
	p.goTo("/")
	p.total(60)
	held.Store(true)
	p.typeInto("#q", "lamp")
	p.until(`true`)
	for held.Load() { // until the search for lamps is on its way
		p.until(`true`)
	}
	p.typeInto("#q", "table")
	p.until(`document.querySelector('.hit h3')?.innerText.includes('table')`)
	close(release)
	p.typeInto("#q", "chair")
	p.until(`document.querySelector('.hit h3')?.innerText.includes('chair')`)
	if got := p.text("#hits"); strings.Contains(got, "lamp") {
		t.Errorf("the hits are those of an older search: %.200s", got)
	}
}

func TestFacets(t *testing.T) {
	p := shop(t)
	p.click(`.facet[data-field=brand] .value:nth-child(1) input`)
	p.total(12)
	p.until(`document.querySelectorAll('.facet[data-field=brand] .value').length > 0`)
	p.until(`document.querySelector('#chips').innerText.includes('brand: Aster')`)
	if !eval[bool](p, `document.activeElement.matches('.facet[data-field=brand] input:checked')`) {
		t.Error("the box that was ticked has lost the focus")
	}
	p.click(`.facet[data-field=in_stock] .value:nth-child(1) input`)
	p.until(`document.querySelectorAll('#chips .chip').length === 2`)
	p.click(`#chips .chip`)
	p.until(`document.querySelectorAll('#chips .chip').length === 1`)
	p.total(45)
	p.click(`#chips .chip`)
	p.total(60)
	if got := eval[string](p, `location.href`); strings.Contains(got, "Aster") {
		t.Errorf("a filter stands in the address %s", got)
	}
}

func TestFacetsOfOneFieldAreAlternatives(t *testing.T) {
	p := shop(t)
	p.click(`.facet[data-field=brand] .value:nth-child(1) input`)
	p.total(12)
	p.click(`.facet[data-field=brand] .value:nth-child(2) input`)
	p.total(24)
}

// A long list of values is searched by the beginnings of their words, and what
// was ticked stays in sight.
func TestFacetSearch(t *testing.T) {
	p := open(t, nil)
	var records []any
	for i := range 30 {
		maker := fmt.Sprintf("Berg %c", 'A'+i%15)
		if i%15 == 14 {
			maker = "Stol & Åkerlund"
		}
		records = append(records, object{"id": i, "title": "lamp", "maker": maker})
	}
	p.load("n", engine.Schema{Fields: []engine.Field{{Name: "title", Type: engine.Text, Search: true}, {Name: "maker", Type: engine.Keyword, Filter: true, Facet: true}}}, records...)
	p.goTo("/")
	p.until(`document.querySelectorAll('.facet .value').length === 8 && document.querySelector('.facet .find').hidden`)
	p.click(".facet > button")
	p.until(`document.querySelectorAll('.facet .value').length === 15 && document.querySelector('.facet > button').innerText === 'Fewer'`)
	p.typeInto(".facet .find", "ake")
	p.until(`document.querySelectorAll('.facet .value').length === 1 && document.activeElement.matches('.find')`)
	if got := p.text(".facet .value"); got != "Stol & Åkerlund\n2" {
		t.Errorf("the value reads %q", got)
	}
	p.click(".facet .value input")
	p.total(2)
	p.typeInto(".facet .find", "zz")
	p.until(`document.querySelectorAll('.facet .value').length === 1 && document.querySelector('.facet .value input:checked') && document.querySelector('#chips').innerText.includes('maker: Stol & Åkerlund')`)
	p.click(".facet > button")
	p.until(`document.querySelectorAll('.facet .value').length >= 8 && document.querySelector('.facet .value input:checked') && document.querySelector('.facet .find').hidden`)
}

func TestSlider(t *testing.T) {
	p := shop(t)
	before := p.text(`.facet[data-field=price] .span`)
	if !strings.HasPrefix(before, "10.00") {
		t.Errorf("the price is %q before anything is chosen", before)
	}
	if got := eval[int](p, `document.querySelectorAll('.facet[data-field=price] rect').length`); got < 10 {
		t.Errorf("the histogram has %d bars", got)
	}
	eval[bool](p, `(document.querySelector('.facet[data-field=price] [data-end=from]').focus(), true)`)
	for range 40 {
		p.press(kb.ArrowRight)
	}
	p.until(`document.querySelector('#chips').innerText.includes('price: from')`)
	// Searches start while the thumb still moves: what counts is where it ends,
	// forty steps of 2 from 10, above 32 of the 60 prices.
	p.total(28)
	low := eval[float64](p, `parseFloat(document.querySelector('.facet[data-field=price] .span').innerText.replace(/[^0-9.]/g, ''))`)
	prices := eval[[]float64](p, `[...document.querySelectorAll('.hit .facts div')].filter(d => d.innerText.startsWith('price')).map(d => parseFloat(d.lastChild.innerText))`)
	if len(prices) != 20 || slices.Min(prices) < low {
		t.Errorf("from %v: prices %v", low, prices)
	}
	if got := eval[string](p, `document.querySelector('.facet[data-field=price] [data-end=from]').getAttribute('aria-valuetext')`); !strings.Contains(got, ".") {
		t.Errorf("a screen reader says %q of the thumb", got)
	}
	// Thumbs do not pass each other.
	eval[bool](p, `(document.querySelector('.facet[data-field=price] [data-end=to]').focus(), true)`)
	p.press(kb.Home)
	p.until(`(([a, b]) => a.value === b.value)(document.querySelectorAll('.facet[data-field=price] input'))`)
	// Days are chosen as days.
	eval[bool](p, `(document.querySelector('.facet[data-field=released] [data-end=to]').focus(), true)`)
	p.press(kb.ArrowLeft, kb.ArrowLeft)
	p.until(`document.querySelector('#chips').innerText.includes('released: up to')`)
}

func TestSort(t *testing.T) {
	p := shop(t)
	eval[bool](p, `(s => { s.value = 'price:desc'; s.dispatchEvent(new Event('change')); return true })(document.querySelector('#sort'))`)
	p.until(`document.querySelector('.hit .facts').innerText.includes('157.50')`)
	p.until(`location.hash === '#index=shop&sort=price%%3Adesc'`)
	p.do(chromedp.Reload())
	p.until(`document.querySelector('.hit .facts')?.innerText.includes('157.50') && document.querySelector('#sort').value === 'price:desc'`)
}

func TestExplain(t *testing.T) {
	p := shop(t)
	p.typeInto("#q", "red lamps")
	p.until(`document.querySelector('#hits mark')`)
	p.click("#explain")
	p.until(`document.querySelectorAll('.hit .explain').length === document.querySelectorAll('.hit').length`)
	if got := eval[string](p, `document.querySelector('#explain').getAttribute('aria-pressed')`); got != "true" {
		t.Errorf("aria-pressed is %q", got)
	}
	rows := eval[[]float64](p, `[...document.querySelectorAll('.hit:first-child .explain tbody .score')].map(e => parseFloat(e.innerText))`)
	sum := 0.0
	for _, r := range rows {
		sum += r
	}
	score := eval[float64](p, `parseFloat(document.querySelector('.hit .explain caption').innerText.split(' ')[1])`)
	if len(rows) == 0 || sum < score-0.1 || sum > score+0.1 {
		t.Errorf("the parts %v do not add up to %v", rows, score)
	}
	widths := eval[[]float64](p, `[...document.querySelectorAll('.hit:first-child .explain .bar')].map(e => e.getBoundingClientRect().width)`)
	if !slices.IsSortedFunc(widths, func(a, b float64) int { return int(b - a) }) || widths[0] < 50 {
		t.Errorf("the bars are %v wide", widths)
	}
}

func TestMorePages(t *testing.T) {
	p := shop(t)
	p.click("#more")
	p.until(`document.querySelectorAll('.hit').length === 40`)
	p.until(`document.activeElement.dataset.key === document.querySelectorAll('.hit .open')[20].dataset.key`)
	p.click("#more")
	p.until(`document.querySelectorAll('.hit').length === 60 && document.querySelector('#more').hidden`)
	if got := eval[int](p, `new Set([...document.querySelectorAll('.open')].map(e => e.dataset.key)).size`); got != 60 {
		t.Errorf("60 hits are %d records", got)
	}
}

// The whole way without a mouse: to the box, a search, through the hits, into a
// record and back.
func TestKeyboardAlone(t *testing.T) {
	p := shop(t)
	eval[bool](p, `(document.activeElement.blur(), true)`)
	p.do(command(input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: "/", Text: "/"}))
	p.until(`document.activeElement.id === 'q' && document.activeElement.value === ''`)
	p.press("green", " chair")
	p.until(`document.querySelector('.hit h3')?.innerText.startsWith('Green chair')`)
	p.press(kb.Enter) // closes suggestions where there are any
	p.answered("green chair")
	p.press(kb.ArrowDown)
	p.until(`document.activeElement === document.querySelectorAll('.hit .open')[0]`)
	p.press(kb.ArrowDown, kb.ArrowDown, kb.ArrowUp)
	p.until(`document.activeElement === document.querySelectorAll('.hit .open')[1]`)
	title := eval[string](p, `document.activeElement.innerText`)
	p.press(kb.Enter)
	p.until(`document.querySelector('dialog[open] h2')?.innerText === %s`, title)
	if got := p.text("dialog pre"); !strings.Contains(got, `"in_stock": `) {
		t.Errorf("the record reads %q", got)
	}
	p.press(kb.Escape)
	p.until(`!document.querySelector('dialog') && document.activeElement.innerText === %s`, title)
	p.press(kb.Escape)
	p.until(`document.activeElement.id === 'q'`)
	// Every control can be reached by Tab, and shows that it has the focus.
	for range 60 {
		p.press(kb.Tab)
		if got := eval[string](p, `(e => e === document.body || e.matches(':focus-visible') ? '' : e.outerHTML)(document.activeElement)`); got != "" {
			t.Fatalf("%s has the focus and does not show it", got)
		}
	}
}

func TestCorrectionsAreChips(t *testing.T) {
	p := shop(t)
	p.typeInto("#q", "green chaair")
	p.until(`document.querySelector('#chips .correction')?.innerText.startsWith('chaair → chair')`)
	p.until(`document.querySelector('.hit h3').innerText.startsWith('Green chair')`)
	p.until(`document.querySelector('#live').innerText.includes('chaair read as chair')`)
	corrected := p.text("#summary strong")
	p.press(kb.Enter) // the suggestions, which are over the chips, go
	p.until(`document.querySelector('#suggestions').hidden`)
	p.click("#chips .correction")
	p.until(`document.querySelector('#chips .mean')?.innerText === 'Did you mean green chair?' && !document.querySelector('#chips .correction')`)
	if list := p.bodies(); !strings.Contains(list[len(list)-1], `"q":"green chaair"`) || !strings.Contains(list[len(list)-1], `"typo":"off"`) {
		t.Errorf("a click on the correction asks %s", list[len(list)-1])
	}
	if got := p.text("#hits mark"); strings.EqualFold(got, "chair") {
		t.Errorf("the search for the exact words marks %q", got)
	}
	p.click(`#chips [aria-label^="Correct spelling"]`)
	p.until(`document.querySelector('#chips .correction') && document.querySelector('#summary strong').innerText === %s`, corrected)
	p.click("#chips .correction")
	p.until(`document.querySelector('#chips .mean')`)
	p.click("#chips .mean button")
	p.until(`document.querySelector('#q').value === 'green chair' && !document.querySelector('#chips *') && document.querySelector('#summary strong').innerText === %s`, corrected)
}

// What is also searched in place of a word that no record holds stands in a chip, which
// takes it back.
func TestOtherWordsAreChips(t *testing.T) {
	p := shop(t)
	p.typeInto("#q", "furniture")
	p.until(`document.querySelector('#chips .correction')?.innerText.startsWith('furniture or ')`)
	p.total(20)
	p.click("#chips .correction")
	p.total(0)
	if list := p.bodies(); !strings.Contains(list[len(list)-1], `"thesaurus":"off"`) {
		t.Errorf("a click on the chip asks %s", list[len(list)-1])
	}
	p.click(`#chips [aria-label^="Search other words"]`)
	p.total(20)
}

// What words of the query say about fields stands in chips, each of which can
// be taken back.
func TestIntentIsChips(t *testing.T) {
	p := shop(t)
	p.typeInto("#q", "norvik lamp under $50")
	p.until(`document.querySelectorAll('#chips .intent').length === 2`)
	if got := p.text("#chips"); !strings.Contains(got, `more like brand = "Norvik"`) || !strings.Contains(got, "price < 50") {
		t.Errorf("chips: %q", got)
	}
	p.until(`document.querySelector('.hit h3').innerText === 'Red lamp no. 0'`)
	narrow := p.text("#summary strong")
	// One taken back: its words stand as they are, the other one stays.
	p.click(`#chips .intent:nth-of-type(2)`)
	p.until(`document.querySelector('#chips').innerText.includes('words as they stand') && document.querySelectorAll('#chips .intent').length === 1`)
	if wide := p.text("#summary strong"); wide == narrow {
		t.Errorf("with the filter and without it there are %s", wide)
	}
	bodies := p.bodies()
	if last := bodies[len(bodies)-1]; !strings.Contains(last, `"intent":{"ignore":["price < 50"]}`) {
		t.Errorf("taking a filter back asks %s", last)
	}
	p.click(`#chips [aria-label^="Understand"]`)
	p.until(`document.querySelectorAll('#chips .intent').length === 2 && document.querySelector('#summary strong').innerText === %s`, narrow)
	// A superlative is an order, and can be taken back, too.
	p.typeInto("#q", "most expensive lamp")
	p.until(`document.querySelector('#chips .intent')?.innerText.startsWith('price:desc') && document.querySelector('.hit') !== null`)
	p.click(`#chips .intent`)
	p.until(`document.querySelectorAll('#chips .intent').length === 0`)
}

func TestSuggestions(t *testing.T) {
	p := shop(t)
	p.typeInto("#q", "red l")
	// Those of what was typed so far may come before them.
	p.until(`document.querySelector('#suggestion-0')?.innerText.startsWith('red l') && document.querySelector('#q').getAttribute('aria-expanded') === 'true'`)
	if got := p.text("#suggestion-0"); got != "red lamp\n5" {
		t.Errorf("the first suggestion reads %q", got)
	}
	p.press(kb.ArrowDown)
	p.until(`document.querySelector('#q').getAttribute('aria-activedescendant') === 'suggestion-0' && document.querySelector('#suggestion-0').getAttribute('aria-selected') === 'true'`)
	p.press(kb.ArrowUp) // the box itself
	p.until(`!document.querySelector('#q').hasAttribute('aria-activedescendant')`)
	p.press(kb.ArrowDown, kb.Enter)
	p.until(`document.querySelector('#q').value === 'red lamp' && document.querySelector('#suggestions').hidden`)
	p.until(`document.querySelector('.hit h3')?.innerText.startsWith('Red lamp')`)
	p.typeInto("#q", "bl")
	p.until(`[...document.querySelectorAll('#suggestions li')].some(li => li.dataset.text === 'blue')`)
	p.click(`#suggestions li[data-text="blue"]`)
	p.until(`document.querySelector('#q').value === 'blue' && document.querySelector('#suggestions').hidden && document.activeElement.id === 'q'`)
}

// Who presses Enter at once has no list opened over the results.
func TestEnterBeforeSuggestions(t *testing.T) {
	p := shop(t)
	eval[bool](p, `(q => {
		window.asked = 0;
		const real = window.fetch;
		window.fetch = (url, ...rest) => { window.asked += String(url).endsWith('/v1/suggest'); return real(url, ...rest); };
		q.value = 'red l';
		q.dispatchEvent(new Event('input'));
		q.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', cancelable: true }));
		return new Promise(done => setTimeout(() => done(true), 60)); // twice as long as suggestions wait
	})(document.querySelector('#q'))`)
	if asked := eval[int](p, `window.asked`); asked != 0 {
		t.Error("suggestions are asked for after Enter")
	}
}

// A key that is refused late does not lock the page that another one has opened.
func TestLateRefusalIsDropped(t *testing.T) {
	held, release := make(chan struct{}), make(chan struct{})
	var refused atomic.Bool
	p := open(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/v1/indexes" && r.Header.Get("Authorization") == "Bearer qk_wrong" && refused.CompareAndSwap(false, true) {
				close(held)
				<-release
			}
			next.ServeHTTP(w, r)
		})
	})
	p.excused = func(f string) bool { return strings.Contains(f, "401") }
	p.loadShop()
	p.do(chromedp.Navigate(p.url + "/#key=qk_wrong"))
	<-held
	p.goTo("/") // the same document
	p.total(60)
	late := `performance.getEntriesByType('resource').filter(e => e.name.includes('/v1/indexes')).length`
	close(release)
	p.until(late + ` === 2`)
	p.typeInto("#q", "lamp")
	p.total(20)
	if eval[bool](p, `document.querySelector('#page').classList.contains('locked') || document.querySelector('.keyform') !== null`) {
		t.Error("the page asks for a key again")
	}
}

func TestEmptyAndErrorStates(t *testing.T) {
	var mode atomic.Value
	mode.Store("")
	p := open(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			answer := func(status int, code, detail string) {
				w.Header().Set("Content-Type", "application/problem+json")
				w.Header().Set("Retry-After", "1")
				w.WriteHeader(status)
				fmt.Fprintf(w, `{"title":"T","status":%d,"code":%q,"detail":%q,"request_id":"req_1","errors":[{"pointer":"/filter","code":%q,"detail":%q,"column":3}]}`, status, code, detail, code, detail)
			}
			switch m := mode.Load(); {
			case r.URL.Path != "/v1/search" || m == "":
				next.ServeHTTP(w, r)
			case m == "429":
				mode.Store("")
				answer(429, "rate_limited", "too many")
			case m == "422":
				answer(422, "invalid_filter", "<img src=x onerror=alert(1)>")
			case m == "500":
				answer(500, "internal", "an error inside the service")
			}
		})
	})
	p.excused = func(f string) bool { return strings.Contains(f, "Failed to load resource") }
	p.loadShop()
	p.goTo("/")
	p.total(60)
	p.typeInto("#q", "zeppelin")
	p.until(`document.querySelector('.empty h2')?.innerText === 'Nothing matches'`)
	mode.Store("429")
	p.typeInto("#q", "lamp")
	p.until(`document.querySelector('[role=alert]')?.innerText.includes('Too many requests')`)
	p.until(`document.querySelector('.hit') && !document.querySelector('[role=alert]')`) // it goes on by itself
	mode.Store("422")
	p.typeInto("#q", "lamp red")
	p.until(`document.querySelector('[role=alert] li')?.innerText.includes('/filter (column 3): <img src=x')`)
	mode.Store("500")
	p.typeInto("#q", "lamp blue")
	p.until(`document.querySelector('[role=alert]')?.innerText.includes('req_1')`)
	mode.Store("")
	p.click("[role=alert] button")
	p.until(`document.querySelector('.hit')`)
}

func TestKeyIsAskedFor(t *testing.T) {
	p := open(t, nil)
	p.excused = func(f string) bool { return strings.Contains(f, "401") }
	p.loadShop()
	p.do(chromedp.Navigate(p.url + "/"))
	p.until(`document.activeElement.id === 'key'`)
	p.press("qk_wrong", kb.Enter)
	p.until(`document.querySelector('.keyform')?.innerText.includes('does not accept')`)
	p.typeInto("#key", p.key)
	p.press(kb.Enter)
	p.total(60)
	p.click("#key-button")
	p.until(`document.querySelector('dialog #key')`)
	p.click("dialog form button[type=button]") // forget it
	p.until(`document.querySelector('main .keyform') && sessionStorage.getItem('quarry.key') === null`)
	if got := p.text("#hits"); got != "" {
		t.Errorf("without a key the page still shows %q", got)
	}
}

// What other people wrote into records, field names and ids is text, wherever
// it shows.
func TestNothingInRecordsIsMarkup(t *testing.T) {
	const canary = `"><img src=/x onerror="window.hacked=1"><script>window.hacked=1</script><svg onload=window.hacked=1>&lt;b&gt;`
	evil := "f" + canary
	p := open(t, nil)
	exact := engine.Field{Filter: true, Facet: true, Sort: true}
	field := func(name string, typ engine.Type) engine.Field {
		f := exact
		f.Name, f.Type = name, typ
		return f
	}
	f := field(evil, engine.Keyword)
	p.load("shop", engine.Schema{Fields: []engine.Field{
		{Name: "title", Type: engine.Text, Search: true, Weight: 3}, {Name: "body", Type: engine.Text, Search: true},
		f, field("n`\\"+canary, engine.Float), field("tag", engine.Keyword),
	}}, object{
		"id": canary, "title": "lamp " + canary, "body": "lamp lamp " + canary + strings.Repeat(" and more of it", 10), evil: canary, "n`\\" + canary: 1, "tag": []any{canary, "<mark>x</mark>"},
		"nested": object{canary: canary},
	}, object{"id": "javascript:alert(1)", "title": "lamp two", evil: "b", "n`\\" + canary: 9, "tag": "c"})
	p.goTo("/")
	p.until(`document.querySelectorAll('.hit').length === 2`)
	p.typeInto("#q", "lamp")
	p.until(`document.querySelector('#hits mark')`)
	p.click("#explain")
	p.until(`document.querySelector('.explain')`)
	if got := eval[string](p, `[...document.querySelectorAll('.hit h3')].map(e => e.innerText).join('\n')`); !strings.Contains(got, `lamp "><img src=/x onerror="window.hacked=1"><script>`) {
		t.Errorf("the title reads %q", got)
	}
	for i := range eval[int](p, `document.querySelectorAll('.facet:not([hidden]) .value input').length`) {
		eval[bool](p, `(document.querySelectorAll('.facet:not([hidden]) .value input')[%s]?.click(), true)`, i)
		p.until(`document.querySelector('.chip') && document.querySelector('#summary strong').innerText.length > 0`)
		if got := p.text("#notice"); strings.Contains(got, "not valid") {
			t.Fatalf("a filter of facet %d is refused: %s", i, got)
		}
		eval[bool](p, `(document.querySelector('#chips .chip').click(), true)`)
		p.until(`!document.querySelector('.chip') && document.querySelectorAll('.hit').length === 2`)
	}
	eval[bool](p, `(document.querySelector('.range [data-end=from]').focus(), true)`)
	p.press(kb.ArrowRight)
	p.total(1)
	p.press(kb.Home)
	p.total(2)
	for i := range 2 {
		eval[bool](p, `(document.querySelectorAll('.hit .open')[%s].click(), true)`, i)
		p.until(`document.querySelector('dialog pre')`)
		p.press(kb.Escape)
		p.until(`!document.querySelector('dialog')`)
	}
	p.click("#copy")
	for _, tab := range []string{"curl", "go", "http", "graphql"} {
		p.click("#code-tab-" + tab)
		p.until(`document.querySelector('#snippet').innerText.includes('lamp')`)
	}
	if eval[bool](p, `'hacked' in window || document.querySelector('main img, main script, dialog img, dialog script') !== null`) {
		t.Error("what a record holds has become markup")
	}
}

// Integers beyond 2^53 show as they are stored.
func TestExactIntegers(t *testing.T) {
	p := open(t, nil)
	p.load("n", engine.Schema{Fields: []engine.Field{{Name: "title", Type: engine.Text, Search: true}, {Name: "serial", Type: engine.Int, Filter: true, Facet: true}}},
		object{"id": "a", "title": "one", "serial": int64(9007199254740993)}, object{"id": "b", "title": "two", "serial": int64(-9223372036854775808)})
	p.goTo("/")
	p.until(`document.querySelectorAll('.hit').length === 2`)
	text := strings.ReplaceAll(p.text("#hits"), ",", "")
	for _, want := range []string{"9007199254740993", "9223372036854775808"} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is not in %q", want, text)
		}
	}
	p.click(".hit .open")
	p.until(`/"serial": (9007199254740993|-9223372036854775808)/.test(document.querySelector('dialog pre').innerText)`)
}

func TestSeveralIndexes(t *testing.T) {
	p := open(t, nil)
	p.loadShop()
	p.load("news", engine.Schema{Fields: []engine.Field{{Name: "headline", Type: engine.Text, Search: true}, {Name: "desk", Type: engine.Keyword, Filter: true, Facet: true}}},
		object{"id": 1, "headline": "A lamp for the moon", "desk": "science"})
	p.goTo("/")
	p.total(61)
	p.typeInto("#q", "moon")
	p.answered("moon")
	p.until(`document.querySelector('.hit')?.innerText.includes('A lamp for the moon') && document.querySelector('.hit .tag').innerText === 'news'`)
	eval[bool](p, `(s => { s.value = 'news'; s.dispatchEvent(new Event('change')); return true })(document.querySelector('#index'))`)
	p.until(`location.hash === '#index=news' && !document.querySelector('.facet[data-field=brand]')`)
	eval[bool](p, `(history.back(), true)`)
	p.until(`location.hash === '' && document.querySelector('.facet[data-field=brand]')`)
	p.until(`document.querySelector('#q').value === 'moon' && document.querySelector('#index').value === ''`)
	p.typeInto("#q", "lamp")
	p.total(21)
	p.click(`.facet[data-field=desk] .value input`)
	p.total(1)
}
