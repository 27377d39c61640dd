package webui_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// inspection returns what is wrong with the page for those who cannot see it
// well or at all: controls without names, roles without what they need, images
// and headings out of order, text of too little contrast.
const inspection = `(() => {
	const wrong = [];
	const shown = e => e.checkVisibility({ checkVisibilityCSS: true, checkOpacity: true }) && e.getBoundingClientRect().width > 1;
	const say = (what, e) => wrong.push(what + ': ' + e.outerHTML.slice(0, 160));
	const name = e => (e.getAttribute('aria-label') ?? e.getAttribute('aria-labelledby')?.split(' ').map(i => document.getElementById(i)?.innerText ?? '').join(' ')
		?? ([...(e.labels ?? [])].map(l => l.innerText).join(' ') || e.innerText || e.getAttribute('title') || e.querySelector?.('title')?.textContent) ?? '').trim();
	const top = document.querySelector('dialog[open]') ?? document.body;

	// Names and roles.
	for (const e of top.querySelectorAll('button, a, input, select, textarea, dialog, fieldset, [role]'))
		if (shown(e) && !name(e) && !(e.tagName === 'FIELDSET' && e.querySelector('legend')?.innerText)) say('no name', e);
	const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
	for (const i of new Set(ids)) if (ids.filter(o => o === i).length > 1) wrong.push('id ' + i + ' is there twice');
	for (const a of ['aria-controls', 'aria-labelledby', 'aria-describedby', 'aria-activedescendant'])
		for (const e of document.querySelectorAll('[' + a + ']')) for (const i of e.getAttribute(a).split(' ')) if (!document.getElementById(i)) say(a + ' leads nowhere', e);
	for (const e of document.querySelectorAll('[role=option]')) if (!e.closest('[role=listbox]')) say('option without listbox', e);
	for (const e of document.querySelectorAll('[role=tab]')) if (!e.closest('[role=tablist]') || !e.hasAttribute('aria-selected')) say('tab', e);
	for (const e of document.querySelectorAll('svg')) if (!e.closest('[aria-hidden=true]') && e.getAttribute('role') !== 'img') say('picture for nobody', e);
	for (const e of document.querySelectorAll('table')) if (!e.caption || !e.querySelector('th[scope=col]')) say('table without caption or heads', e);
	if (!document.documentElement.lang || !document.title || document.querySelectorAll('main').length !== 1 || !document.querySelector('[aria-live]')) wrong.push('the frame of the page');
	for (const e of document.querySelectorAll('[tabindex]')) if (e.tabIndex > 0) say('tabindex', e);
	for (const e of top.querySelectorAll('button, select, input[type=checkbox], .value')) {
		const r = e.getBoundingClientRect();
		if (shown(e) && e.tagName !== 'INPUT' && !e.matches('.link, .open') && (r.width < 24 || r.height < 24)) say('too small to hit', e);
	}

	// Contrast of computed colours, of texts and of the edges of controls.
	const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
	const rgb = c => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = c; canvas.fillRect(0, 0, 1, 1); const d = canvas.getImageData(0, 0, 1, 1).data; return [d[0], d[1], d[2], d[3] / 255]; };
	const over = (a, b) => [0, 1, 2].map(i => a[i] * a[3] + b[i] * (1 - a[3])).concat(1);
	const ground = e => { if (!e) return rgb(getComputedStyle(document.documentElement).colorScheme.includes('dark') && matchMedia('(prefers-color-scheme: dark)').matches ? '#000' : '#fff');
		const c = rgb(getComputedStyle(e).backgroundColor); return c[3] === 1 ? c : over(c, ground(e.parentElement)); };
	const light = c => { const [r, g, b] = c.map(v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
	const contrast = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
	const walk = document.createTreeWalker(top, NodeFilter.SHOW_TEXT);
	for (let n; n = walk.nextNode();) {
		const e = n.parentElement;
		if (!n.data.trim() || !shown(e) || e.closest('.sr, :disabled, option, script, noscript')) continue;
		const s = getComputedStyle(e), g = ground(e), c = contrast(over(rgb(s.color), g), g);
		const big = parseFloat(s.fontSize) >= 24 || parseFloat(s.fontSize) >= 18.66 && s.fontWeight >= 700;
		if (c < (big ? 3 : 4.5)) say('contrast ' + c.toFixed(2), e);
	}
	for (const e of top.querySelectorAll('input:not([type=range]):not([type=checkbox]), select, button:not(.quiet):not(.link):not(.open):not(.chip):not([role=tab])')) {
		if (!shown(e) || e.disabled) continue;
		const s = getComputedStyle(e), g = ground(e.parentElement), c = Math.max(contrast(over(rgb(s.borderTopColor), g), g), contrast(ground(e), g));
		if (c < 3 && e !== document.activeElement) say('edge ' + c.toFixed(2), e);
	}
	if (document.documentElement.scrollWidth > innerWidth) wrong.push('the page is ' + document.documentElement.scrollWidth + ' wide, the window ' + innerWidth);
	return [...new Set(wrong)];
})()`

// media sets what the reader's system prefers.
func (p *page) media(features ...string) {
	p.t.Helper()
	var list []*emulation.MediaFeature
	for _, f := range features {
		name, v, _ := strings.Cut(f, ": ")
		list = append(list, &emulation.MediaFeature{Name: name, Value: v})
	}
	p.do(command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: list}))
}

func (p *page) inspect(what string) {
	p.t.Helper()
	for _, wrong := range eval[[]string](p, "%s", verbatim(inspection)) {
		p.t.Errorf("%s: %s", what, wrong)
	}
}

// The inspection finds what it is made to find.
func TestInspection(t *testing.T) {
	p := shop(t)
	p.inspect("as it is")
	eval[bool](p, `(() => {
		const add = (tag, text, set) => { const e = document.createElement(tag); e.textContent = text; set?.(e); document.querySelector('main').append(e); };
		add('p', 'pale', e => { e.style.color = '#999' });
		add('button', '');
		add('input', '', e => { e.style.border = '1px solid #ddd'; e.style.background = 'var(--ground)' });
		add('div', 'x', e => { e.setAttribute('role', 'tab') });
		add('div', 'wide', e => { e.style.width = '3000px' });
		return true;
	})()`)
	found := strings.Join(eval[[]string](p, "%s", verbatim(inspection)), "\n")
	for _, want := range []string{"contrast 2.", "no name: <button", "no name: <input", "edge 1.", "tab: <div", "the page is"} {
		if !strings.Contains(found, want) {
			t.Errorf("%q is not in:\n%s", want, found)
		}
	}
}

func TestAccess(t *testing.T) {
	p := open(t, withFakes)
	p.loadShop()
	p.goTo("/")
	p.total(60)
	p.typeInto("#q", "red lamp")
	p.answered("red lamp")
	p.click(`.facet[data-field=in_stock] .value input`)
	p.until(`document.querySelector('.chip')`)
	p.click("#explain")
	p.until(`document.querySelector('.explain')`)
	for _, scheme := range []string{"light", "dark"} {
		for _, width := range []int64{1280, 390} {
			p.media("prefers-color-scheme: "+scheme, "prefers-reduced-motion: reduce")
			p.do(chromedp.EmulateViewport(width, 844))
			what := fmt.Sprintf("%s, %d wide", scheme, width)
			p.inspect(what)
			if width == 390 {
				p.click("#filters-button")
				p.inspect(what + ", filters")
				p.click("#filters-button")
			}
			for _, open := range []string{"#copy", ".hit .open", "#key-button"} {
				p.click(open)
				p.until(`document.querySelector('dialog[open]')`)
				p.inspect(what + ", " + open)
				p.press("\x1b")
				p.until(`!document.querySelector('dialog')`)
			}
		}
	}
	p.do(chromedp.Navigate(p.url + "/admin"))
	for _, scheme := range []string{"dark", "light"} {
		p.media("prefers-color-scheme: " + scheme)
		for _, width := range []int64{390, 1280} {
			p.do(chromedp.EmulateViewport(width, 844))
			for _, tab := range []string{"indexes", "keys", "usage", "webhooks"} {
				p.click("#admin-tab-" + tab)
				p.until(`document.querySelector('#admin-panel').getAttribute('aria-labelledby') === %s && document.querySelector('.grid')`, "admin-tab-"+tab)
				p.inspect(fmt.Sprintf("admin, %s, %s, %d wide", tab, scheme, width))
			}
		}
	}
}

// A narrow screen shows everything without scrolling sideways; the filters come
// when they are asked for.
func TestNarrowScreen(t *testing.T) {
	p := open(t, nil)
	p.loadShop()
	p.do(chromedp.EmulateViewport(320, 640, chromedp.EmulateMobile))
	p.goTo("/")
	p.total(60)
	if eval[bool](p, `document.querySelector('#side').checkVisibility()`) {
		t.Error("the filters are in the way")
	}
	p.click("#filters-button")
	p.until(`document.querySelector('#side').checkVisibility() && document.querySelector('#filters-button').getAttribute('aria-expanded') === 'true' && document.activeElement.closest('#side')`)
	p.click(`.facet[data-field=brand] .value input`)
	p.until(`document.querySelector('#filters-button').innerText === 'Filters (1)'`)
	p.press("\x1b")
	p.until(`!document.querySelector('#side').checkVisibility() && document.activeElement.id === 'q'`)
	p.inspect("320 wide")
}

func TestDarkMode(t *testing.T) {
	p := shop(t)
	brightness := func() float64 {
		return eval[float64](p, `getComputedStyle(document.body).backgroundColor.match(/\d+/g).slice(0, 3).reduce((a, b) => a + Number(b), 0) / 3`)
	}
	p.media("prefers-color-scheme: light")
	bright := brightness()
	p.media("prefers-color-scheme: dark")
	if dark := brightness(); bright < 200 || dark > 60 {
		t.Errorf("the page is %v bright by day and %v by night", bright, dark)
	}
}

func TestReducedMotion(t *testing.T) {
	p := shop(t)
	p.media("prefers-reduced-motion: reduce")
	if got := eval[int](p, `[...document.querySelectorAll('*')].filter(e => getComputedStyle(e).transitionProperty !== 'none' && getComputedStyle(e).transitionDuration !== '0s').length`); got != 0 {
		t.Errorf("%d elements move", got)
	}
}
