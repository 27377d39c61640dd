// Cards of hits, what their scores are made of, and a record in full.

import { h, copyButton, dialog } from './dom.js';
import { json, label, score, value } from './format.js';

const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"', '#34': '"', '#39': "'" };

/**
 * marked turns a highlight into nodes. Its text is escaped but for the marks;
 * everything that is not exactly a mark or an entity is text.
 */
export function marked(highlight) {
	const out = [];
	let into = out;
	let text = '';
	const flush = () => {
		if (text) into.push(text);
		text = '';
	};
	for (const part of highlight.text.split(/(<mark>|<\/mark>|&(?:amp|lt|gt|quot|#34|#39);)/)) {
		if (part === '<mark>') {
			flush();
			into = [];
		} else if (part === '</mark>') {
			flush();
			if (into !== out) out.push(h('mark', null, into));
			into = out;
		} else {
			text += ENTITIES[part.slice(1, -1)] !== undefined && part[0] === '&' ? ENTITIES[part.slice(1, -1)] : part;
		}
	}
	flush();
	if (into !== out) out.push(...into);
	return highlight.start > 0 ? ['… ', out] : out;
}

// shown is a field's text, with marks where there are any.
function shown(hit, field) {
	const m = hit.highlight?.[field.name];
	return m && !(Array.isArray(field.value) && field.value.length > 1) ? marked(m) : value(field, field.value, hit.record);
}

/** card makes the list item of a hit. top is the best score of the page. */
export function card(hit, schema, { top, several, open }) {
	const { title, body, facts } = schema.card(hit);
	const distance = Object.values(hit.geo ?? {})[0]?.distance_m;
	return h('li', { class: 'hit' },
		h('article', null,
			h('header', null,
				h('h3', null, h('button', { type: 'button', class: 'open', 'data-key': `${hit.index}/${hit.id}`, 'aria-haspopup': 'dialog', onclick: () => open(hit) },
					title ? shown(hit, title) : hit.id)),
				hit.pinned && h('span', { class: 'tag' }, 'pinned'),
				several && h('span', { class: 'tag' }, hit.index)),
			body && h('p', { class: 'body' }, shown(hit, body)),
			h('dl', { class: 'facts' },
				facts.map((f) => h('div', null, h('dt', null, label(f.name)), h('dd', null, shown(hit, f)))),
				distance !== undefined && h('div', null, h('dt', null, 'distance'), h('dd', null, distance < 1000 ? `${Math.round(distance)} m` : `${(distance / 1000).toFixed(1)} km`))),
			hit.explain && explanation(hit.explain, top)));
}

/** explanation draws the parts of a score as bars on the scale of the best hit. */
function explanation(e, top) {
	const parts = [...e.parts].sort((a, b) => b.score - a.score);
	if (!parts.length) return h('p', { class: 'note' }, 'Every record matches; there is nothing to score.');
	const numbers = (p) => [p.tf && `${p.tf}× here`, `in ${p.df} records`, `rarity ${score(p.idf)}`, `length ${score(p.norm)}`, p.weight !== 1 && `weight ${p.weight}`, p.penalty && `factor ${score(p.penalty)}`].filter(Boolean).join(' · ');
	return h('table', { class: 'explain' },
		h('caption', null, `Score ${score(e.score)}, the sum of ${parts.length === 1 ? 'one part' : `${parts.length} parts`}`),
		h('thead', { class: 'sr' }, h('tr', null, ['Field', 'Word', 'Share', 'Score'].map((t) => h('th', { scope: 'col' }, t)))),
		h('tbody', null, parts.map((p) => h('tr', null,
			h('th', { scope: 'row' }, p.field ? label(p.field) : 'anywhere'),
			h('td', { class: 'term' }, p.from && p.from !== p.term && [h('span', { class: p.edits ? 'from typo' : 'from' }, p.from), ' → '], p.term),
			h('td', { class: 'share' }, h('span', { class: 'bar', css: { width: `${Math.max(1, (100 * p.score) / (top || 1))}%` } }), h('span', { class: 'numbers' }, numbers(p))),
			h('td', { class: 'score' }, score(p.score))))));
}

/** showRecord opens a record in full. */
export function showRecord(hit, schema) {
	const { title } = schema.card(hit);
	const text = json(hit.record ?? {});
	const d = dialog(title ? value(title, title.value) : hit.id,
		h('dl', { class: 'facts' },
			[['id', hit.id], ['index', hit.index], ['score', score(hit.score)]].map(([k, v]) => h('div', null, h('dt', null, k), h('dd', null, v)))),
		h('div', { class: 'code' }, copyButton(() => text, 'Copy JSON'), h('pre', { tabindex: '0', 'aria-label': 'Record as JSON' }, coloured(text))));
	d.classList.add('record');
}

// coloured sets off names, texts and other values in JSON.
function coloured(text) {
	return text.split(/("(?:[^"\\]|\\.)*"(?:: )?)/).map((part) => {
		if (part[0] !== '"') return part;
		return part.endsWith(': ') ? [h('span', { class: 'name' }, part.slice(0, -2)), ': '] : h('span', { class: 'text' }, part);
	});
}
