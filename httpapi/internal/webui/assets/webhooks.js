// Webhooks: endpoints, and what became of the deliveries to them.

import { announce, dialog, fill, h } from './dom.js';
import { all, call } from './api.js';
import { things, time } from './format.js';
import { ask, button, checks, confirm, empty, explain, field, head, row, secret, state, table, words } from './panels.js';

const EVENTS = ['*', 'batch.*', 'index.*', 'record.*', 'key.*', 'usage.*', 'webhook.*'];
const dot = (s) => state(s, { active: 'good', delivered: 'good', disabled: 'bad', failed: 'bad' }[s]);
const path = (w, more = '') => `/v1/webhooks/${encodeURIComponent(w.id)}${more}`;

export async function webhooks(panel, reload) {
	const list = await all('/v1/webhooks?limit=100', 'webhooks');
	const columns = [['Endpoint'], ['State'], ['Events'], ['Indexes'], ['', 'acts']];
	fill(panel, head(things(list.length, 'webhook'), button('New webhook', () => make(reload), { cls: 'primary small' })),
		list.length ? table('Webhooks', columns, list.map((w) => row(columns,
			[h('span', { class: 'break' }, w.url), h('div', { class: 'note' }, w.id)], [dot(w.state), w.disabled_reason && h('div', { class: 'note' }, w.disabled_reason), w.backlog > 0 && h('div', { class: 'note' }, `${w.backlog} waiting`)], (w.events ?? []).join(', '), (w.indexes ?? []).join(', ') || 'all',
			[button('Deliveries', () => deliveries(w), { what: `Deliveries to ${w.url}` }),
				button('Test', async () => {
					try {
						await call('POST', path(w, '/test'));
						announce('A test event is on its way');
						deliveries(w);
					} catch (e) {
						dialog('Test', explain(e, 'test of webhooks'));
					}
				}, { what: `Send a test event to ${w.url}` }),
				button('Delete', () => confirm('Delete this webhook?', `Nothing more is delivered to ${w.url}.`, 'Delete webhook', '', async () => {
					await call('DELETE', path(w));
					return reload;
				}), { what: `Delete ${w.url}`, cls: 'small danger' })])))
			: empty('No webhooks', 'A webhook tells an address of yours what has happened: batches, indexes, keys.'));
}

function make(reload) {
	const url = h('input', { type: 'url', required: true, placeholder: 'https://', autocomplete: 'off' });
	const events = checks('Events', EVENTS, ['*']);
	const indexes = h('input', { placeholder: 'all', autocomplete: 'off', spellcheck: 'false' });
	ask('New webhook', 'Make webhook', [field('Address', url, 'https only; private addresses must be allowed by the server.'), events.el, field('Indexes', indexes)], async () => {
		const body = { url: url.value, events: events.values() };
		if (words(indexes.value).length) body.indexes = words(indexes.value);
		const { data } = await call('POST', '/v1/webhooks', body);
		return () => {
			secret('The signing secret', data.secret, 'It is shown only now. Deliveries are signed with it (Standard Webhooks).',
				data.public_key && h('p', { class: 'note break' }, `Public key: ${data.public_key}`));
			reload();
		};
	});
}

/** deliveries lists the newest; each can be sent again. */
async function deliveries(w) {
	const body = h('div', { class: 'tabpanel' });
	const d = dialog('Deliveries', h('p', { class: 'note break' }, w.url), body);
	const columns = [['Event'], ['State'], ['Answer', 'n'], ['Attempts', 'n'], ['Next'], ['', 'acts']];
	const load = async () => {
		try {
			const list = await all(path(w, '/deliveries?limit=50'), 'deliveries', 50);
			if (!d.isConnected) return;
			fill(body, h('div', { class: 'row' }, button('Refresh', load)),
				list.length ? table('Deliveries', columns, list.map((x) => row(columns,
					[x.event, h('div', { class: 'note' }, time(x.created_at))], dot(x.state), x.response_status ?? x.error ?? '–', x.attempts, time(x.next_attempt_at),
					button('Send again', async () => {
						try {
							await call('POST', path(w, `/deliveries/${encodeURIComponent(x.id)}/replay`));
							announce('It is sent again');
							load();
						} catch (e) {
							fill(body, explain(e, 'replay'));
						}
					}, { what: `Send ${x.event} again` })))) : empty('Nothing yet', 'Deliveries show here, the newest first.'));
		} catch (e) {
			fill(body, explain(e, 'deliveries'));
		}
	};
	load();
}
