// Indexes: what there is, what it holds, swapping and deleting.

import { h, dialog, fill } from './dom.js';
import { all, call } from './api.js';
import { bytes, count, json, things, time } from './format.js';
import { ask, button, confirm, empty, explain, field, head, row, state, table } from './panels.js';

export async function indexes(panel, reload) {
	const list = await all('/v1/indexes?limit=1000', 'indexes');
	const columns = [['Index'], ['State'], ['Records', 'n'], ['Size', 'n'], ['Fields', 'n'], ['Changed'], ['', 'acts']];
	const total = list.reduce((n, i) => n + Number(i.records), 0);
	fill(panel, head(list.length ? `${things(list.length, 'index', 'indexes')}, ${things(total, 'record')}` : 'Indexes',
		list.length > 1 && button('Swap two', () => swap(list, reload))),
	list.length ? table('Indexes', columns, list.map((i) => row(columns,
		h('button', { type: 'button', class: 'open', 'aria-haspopup': 'dialog', onclick: () => show(i) }, i.name),
		stateOf(i), count(i.records), bytes(i.bytes), count(i.fields.length), time(i.updated_at),
		button('Delete', () => remove(i, reload), { what: `Delete ${i.name}`, cls: 'small danger' })))) : empty('No index yet', 'The first record written makes one: quarry import FILE, or POST /v1/batch.'));
}

function stateOf(i) {
	const r = i.rebuild;
	if (r?.error) return state('rebuild failed', 'bad');
	if (i.state === 'rebuilding') return state(r?.total ? `rebuilding, ${Math.floor((100 * r.done) / r.total)} %` : 'rebuilding');
	return state(i.visible ? i.state : `${i.state}, hidden`, i.state === 'ready' ? 'good' : '');
}

function show(i) {
	const columns = [['Field'], ['Type'], ['Used for'], ['Weight', 'n']];
	const uses = (f) => ['search', 'filter', 'facet', 'sort'].filter((u) => f[u]).join(', ') || 'stored only';
	const rest = Object.fromEntries(['synonyms', 'stop_words', 'rules', 'presets'].filter((k) => i[k] && Object.keys(i[k]).length).map((k) => [k, i[k]]));
	dialog(i.name,
		h('dl', { class: 'facts' }, [['records', count(i.records)], ['size', bytes(i.bytes)], ['id field', i.primary_key], ['language', i.language], ['new fields', i.dynamic ? 'added' : 'refused'], ['made', time(i.created_at)], ['changed', time(i.updated_at)], ['version', i.version]]
			.map(([k, v]) => h('div', null, h('dt', null, k), h('dd', null, v)))),
		i.rebuild?.error && explainRebuild(i.rebuild.error),
		i.fields.length ? table('Fields', columns, i.fields.map((f) => row(columns, f.name, f.type, uses(f), f.weight ?? ''))) : h('p', { class: 'note' }, 'No fields yet.'),
		Object.keys(rest).length > 0 && h('div', { class: 'code' }, h('pre', { tabindex: '0', 'aria-label': 'Settings' }, json(rest))));
}

const explainRebuild = (e) => h('p', { class: 'panel error' }, `The last rebuild failed: ${e.detail ?? e.title ?? 'see the log of the server'}`);

function remove(i, reload) {
	confirm(`Delete ${i.name}?`, `The index and ${things(i.records, 'record')} are gone for good.`, 'Delete index', i.name, async () => {
		await call('DELETE', `/v1/indexes/${encodeURIComponent(i.name)}`);
		return reload;
	});
}

function swap(list, reload) {
	const choice = (selected) => h('select', null, list.map((i, n) => h('option', { value: i.name, selected: n === selected }, i.name)));
	const [a, b] = [choice(0), choice(1)];
	ask('Swap two indexes', 'Swap', [h('p', null, 'Each takes the name of the other, for all readers at the same moment.'), h('div', { class: 'pair' }, field('Index', a), field('With', b))], async () => {
		await call('POST', '/v1/indexes/swap', { a: a.value, b: b.value });
		return reload;
	});
}
