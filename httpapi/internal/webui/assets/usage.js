// Usage by day and key, and whether the chain of days still holds.

import { fill, h, svg } from './dom.js';
import { call } from './api.js';
import { bytes, count } from './format.js';
import { empty, explain, field, head, row, state, table } from './panels.js';

const iso = (d) => d.toISOString().slice(0, 10);
const before = (days) => new Date(Date.now() - days * 86400000);

export async function usage(panel) {
	const from = h('input', { type: 'date', value: iso(before(29)) });
	const to = h('input', { type: 'date', value: iso(before(0)) });
	const body = h('div', { class: 'tabpanel' });
	const load = async () => {
		const end = new Date(`${to.value}T00:00:00Z`);
		end.setUTCDate(end.getUTCDate() + 1); // the end is not part of it
		const { data } = await call('GET', `/v1/usage?from=${from.value}&to=${iso(end)}&group=key,day&limit=100000`);
		fill(body, content(data, from.value, to.value, await verify(data)));
	};
	for (const input of [from, to]) input.addEventListener('change', () => from.value && to.value && load().catch((e) => fill(body, explain(e, 'usage'))));
	await load();
	fill(panel, head('Usage', h('div', { class: 'row form' }, field('From', from), field('To', to))), body);
}

/**
 * verify recomputes the chain of the rows, as the documentation of GET /v1/usage
 * tells: the hash of a row covers the hash before and the row.
 */
async function verify({ rows, base }) {
	const links = rows.filter((r) => r.chain).sort((a, b) => Number(a.seq) - Number(b.seq));
	if (!links.length) return ['No day of these is over and chained yet', ''];
	let hash = base;
	for (const r of links) {
		const members = ['seq', 'day', 'key', 'searches', 'writes', 'records_max', 'bytes_max'].map((m) => `"${m}":${typeof r[m] === 'string' ? JSON.stringify(r[m]) : r[m]}`);
		const sum = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${hash}\n{${members}}\n`));
		hash = 'sha256:' + [...new Uint8Array(sum)].map((b) => b.toString(16).padStart(2, '0')).join('');
		if (hash !== r.chain) return [`The chain breaks at row ${r.seq}, of ${r.day}`, 'bad'];
	}
	return [`The chain of ${links.length === 1 ? 'one row' : `${links.length} rows`} holds`, 'good'];
}

// content is the charts, the state of the chain and the rows.
function content(data, from, to, [holds, kind]) {
	const rows = data.rows;
	const days = [];
	for (let d = new Date(from); iso(d) <= to && days.length < 400; d.setUTCDate(d.getUTCDate() + 1)) days.push(iso(d));
	const columns = [['Day'], ['Key'], ['Searches', 'n'], ['Writes', 'n'], ['Records', 'n'], ['Size', 'n']];
	return [
		h('div', { class: 'charts' },
			chart('Searches', days, (d) => sum(rows.filter((r) => r.day === d), 'searches')),
			chart('Records written', days, (d) => sum(rows.filter((r) => r.day === d), 'writes'))),
		h('p', null, state(holds, kind), h('span', { class: 'note break' }, ` ${data.head ?? ''}`)),
		rows.length ? table('Usage by day and key', columns, [...rows].sort((a, b) => (a.day < b.day ? 1 : a.day > b.day ? -1 : 0)).map((r) =>
			row(columns, r.day, r.key, count(r.searches), count(r.writes), count(r.records_max), bytes(r.bytes_max))))
			: empty('No use in this time', 'Searches and writes show here by day and key.'),
	];
}

const sum = (rows, member) => rows.reduce((n, r) => n + Number(r[member] ?? 0), 0);

// chart draws a bar for each day.
function chart(title, days, of) {
	const values = days.map(of);
	const most = Math.max(1, ...values);
	const total = values.reduce((a, b) => a + b, 0);
	return h('figure', null,
		h('figcaption', null, h('strong', null, count(total)), title),
		svg('svg', { viewBox: `0 0 ${days.length} 40`, preserveAspectRatio: 'none', role: 'img', 'aria-label': `${title} by day, at most ${count(most)}` },
			values.map((v, i) => svg('rect', { x: i + 0.1, width: 0.8, y: v ? 40 - Math.max(1, (38 * v) / most) : 39.5, height: v ? Math.max(1, (38 * v) / most) : 0.5 }, svg('title', null, `${days[i]}: ${count(v)}`)))),
		h('p', { class: 'note ends' }, h('span', null, days[0]), h('span', null, days.at(-1))));
}
