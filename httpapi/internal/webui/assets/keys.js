// API keys: what they may do, and making, rotating and revoking them.

import { fill, h } from './dom.js';
import { all, call } from './api.js';
import { count, things, time } from './format.js';
import { ask, button, checks, confirm, empty, field, head, row, secret, state, table, words } from './panels.js';

const SCOPES = ['search', 'read', 'write', 'admin', 'keys', 'webhooks', 'usage', '*'];
const ONCE = 'This is the only time that the key is shown. The server keeps no more of it than a hash.';

export async function keys(panel, reload) {
	const list = await all('/v1/keys?limit=100', 'keys');
	const columns = [['Key'], ['State'], ['May'], ['Indexes'], ['Rate', 'n'], ['Last used'], ['Expires'], ['', 'acts']];
	fill(panel, head(things(list.length, 'key'), button('New key', () => make(reload), { cls: 'primary small' })),
		list.length ? table('Keys', columns, list.map((k) => row(columns,
			[k.name || k.id, h('div', { class: 'note' }, k.root ? 'root key' : `${k.id} ${k.hint ?? ''}`)],
			[state(k.state, k.state === 'active' ? 'good' : 'bad'), new Date(k.grace_until ?? 0) > Date.now() && h('div', { class: 'note' }, `older text until ${time(k.grace_until)}`)],
			k.scopes.join(', '), [k.indexes.join(', '), k.filter && h('div', { class: 'note' }, k.filter)], k.rate ? `${count(k.rate.per_second)}/s` : 'no limit', k.last_day ?? '–', k.expires_at ? time(k.expires_at) : 'never',
			k.root || k.state === 'revoked' ? '' : [button('Rotate', () => rotate(k, reload), { what: `Rotate ${k.name || k.id}` }), button('Revoke', () => revoke(k, reload), { what: `Revoke ${k.name || k.id}`, cls: 'small danger' })])))
			: empty('No keys', 'Only the root key is there.'));
}

function make(reload) {
	const name = h('input', { required: true, maxlength: 200, autocomplete: 'off' });
	const scopes = checks('May', SCOPES, ['search']);
	const indexes = h('input', { placeholder: 'all', autocomplete: 'off', spellcheck: 'false' });
	const filter = h('input', { placeholder: 'none', autocomplete: 'off', spellcheck: 'false' });
	const expires = h('input', { type: 'date' });
	const rate = h('input', { type: 'number', min: 1, placeholder: '50' });
	const quota = h('input', { type: 'number', min: 1, placeholder: 'no limit' });
	ask('New key', 'Make key', [
		field('Name', name), scopes.el,
		field('Indexes', indexes, 'Names, or beginnings of names with * after them: products, news_*'),
		field('Filter', filter, 'Holds for every search and record of this key, such as tenant = 7. Goes with search and read only.'),
		h('div', { class: 'pair' }, field('Expires', expires), field('Requests per second', rate)), field('Searches per month', quota),
	], async () => {
		const body = { name: name.value, scopes: scopes.values() };
		if (words(indexes.value).length) body.indexes = words(indexes.value);
		if (filter.value.trim()) body.filter = filter.value.trim();
		if (expires.value) body.expires_at = `${expires.value}T00:00:00Z`;
		if (rate.value) body.rate = { per_second: Number(rate.value), burst: 2 * Number(rate.value) };
		if (quota.value) body.quota = { searches_per_month: Number(quota.value) };
		const { data } = await call('POST', '/v1/keys', body);
		return () => {
			secret('The new key', data.key, ONCE);
			reload();
		};
	});
}

function rotate(k, reload) {
	const grace = h('select', null, [[0, 'at once'], [3600, 'after an hour'], [86400, 'after a day'], [604800, 'after a week']].map(([v, t]) => h('option', { value: v, selected: v === 86400 }, t)));
	ask(`Rotate ${k.name || k.id}`, 'Rotate', [h('p', null, 'A new secret takes the place of the old one.'), field('The old secret stops working', grace)], async () => {
		const { data } = await call('POST', `/v1/keys/${encodeURIComponent(k.id)}/rotate`, { grace_seconds: Number(grace.value) });
		return () => {
			secret('The new secret', data.key, ONCE);
			reload();
		};
	});
}

function revoke(k, reload) {
	confirm(`Revoke ${k.name || k.id}?`, 'Requests with this key are refused from now on. It cannot be taken back.', 'Revoke key', '', async () => {
		await call('DELETE', `/v1/keys/${encodeURIComponent(k.id)}`);
		return reload;
	});
}
