// Making elements. Text becomes text nodes: nothing here parses HTML.

const SVG = 'http://www.w3.org/2000/svg';

function build(el, props, children) {
	for (const [name, value] of Object.entries(props ?? {})) {
		if (value == null || value === false) continue;
		if (name.startsWith('on')) el.addEventListener(name.slice(2), value);
		else if (name === 'css') for (const [p, v] of Object.entries(value)) el.style.setProperty(p, v);
		else if (name === 'value' || name === 'checked' || name === 'selected') el[name] = value;
		else el.setAttribute(name, value === true ? '' : value);
	}
	el.append(...nodes(children));
	return el;
}

// nodes flattens children and drops those that are not there.
function nodes(children) {
	return children.flat(Infinity).filter((c) => c != null && c !== false && c !== '').map((c) => (c instanceof Node ? c : String(c)));
}

/** h makes an HTML element: attributes, on<event> listeners, css properties. */
export const h = (tag, props, ...children) => build(document.createElement(tag), props, children);

/** svg makes an SVG element. */
export const svg = (tag, props, ...children) => build(document.createElementNS(SVG, tag), props, children);

/** fill replaces what an element holds. */
export const fill = (el, ...children) => (el.replaceChildren(...nodes(children)), el);

/** $ finds the element with an id. */
export const $ = (id) => document.getElementById(id);

/** refill is fill that keeps the focus on the element with the same data-key, or on the first. */
export function refill(el, ...children) {
	const key = el.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
	fill(el, ...children);
	if (key === undefined) return;
	const keyed = [...el.querySelectorAll('[data-key]')];
	(keyed.find((e) => e.dataset.key === key) ?? keyed[0])?.focus({ preventScroll: true });
}

/** later calls f once, ms after the last of a row of calls. */
export function later(ms, f) {
	let timer;
	return (...args) => {
		clearTimeout(timer);
		timer = setTimeout(f, ms, ...args);
	};
}

/** announce tells users of screen readers. */
export const announce = later(400, (text) => fill($('live'), text));

/** copyButton copies what text() returns and says so. */
export function copyButton(text, label = 'Copy') {
	const b = h('button', { type: 'button', class: 'small', onclick: async () => {
		let done = 'Copied';
		try {
			await navigator.clipboard.writeText(text());
		} catch {
			done = 'Select and copy by hand';
		}
		fill(b, done);
		announce(done);
		setTimeout(() => fill(b, label), 1600);
	} }, label);
	return b;
}

/** dialog shows a modal dialog that is removed when it closes. */
export function dialog(title, ...children) {
	const id = 'dialog-title';
	const d = h('dialog', { 'aria-labelledby': id, onclick: (e) => e.target === d && d.close() },
		h('div', { class: 'dialog' },
			h('header', null, h('h2', { id }, title),
				h('button', { type: 'button', class: 'quiet close', 'aria-label': 'Close', onclick: () => d.close() }, '×')),
			children));
	const back = document.activeElement;
	d.addEventListener('close', () => {
		d.remove();
		back?.isConnected && back.focus();
	});
	document.body.append(d);
	d.showModal();
	return d;
}

/**
 * tabs makes a list of tabs with one panel, by the ARIA pattern: arrows move,
 * show(name, panel) fills the panel. names are [name, label] pairs.
 */
export function tabs(label, names, show, first) {
	const panel = h('div', { role: 'tabpanel', tabindex: '0', id: `${label}-panel`, class: 'tabpanel' });
	const choose = (name, focus) => {
		for (const t of list.children) {
			const on = t.dataset.name === name;
			t.setAttribute('aria-selected', on);
			t.tabIndex = on ? 0 : -1;
			if (on) {
				panel.setAttribute('aria-labelledby', t.id);
				if (focus) t.focus();
			}
		}
		show(name, panel);
	};
	const list = h('div', { role: 'tablist', 'aria-label': label, class: 'tabs', onkeydown: (e) => {
		const step = { ArrowRight: 1, ArrowLeft: -1, Home: -names.length, End: names.length }[e.key];
		if (!step) return;
		e.preventDefault();
		const at = names.findIndex(([n]) => n === document.activeElement.dataset.name);
		const to = Math.abs(step) > 1 ? (step < 0 ? 0 : names.length - 1) : (at + step + names.length) % names.length;
		choose(names[to][0], true);
	} }, names.map(([name, text]) =>
		h('button', { type: 'button', role: 'tab', id: `${label}-tab-${name}`, 'aria-controls': panel.id, 'data-name': name, onclick: () => choose(name) }, text)));
	choose(names.some(([n]) => n === first) ? first : names[0][0]);
	return { list, panel, choose };
}
