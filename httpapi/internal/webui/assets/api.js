// The key of this tab, and requests to the server that the page came from.

const STORE = 'quarry.key';

export const key = () => sessionStorage.getItem(STORE) ?? '';
export const setKey = (k) => (k ? sessionStorage.setItem(STORE, k) : sessionStorage.removeItem(STORE));

/**
 * fragment reads the address's fragment as parameters. A key in it is taken and
 * removed from the address and the tab's history before anything else happens.
 */
export function fragment() {
	const params = new URLSearchParams(location.hash.slice(1));
	const k = params.get('key');
	if (k !== null) {
		params.delete('key');
		setKey(k.trim());
		history.replaceState(history.state, '', location.pathname + (params.size ? '#' + params : ''));
	}
	return params;
}

/** Problem is an answer that is no success, or none at all (status 0). */
export class Problem extends Error {
	constructor(status, body, after) {
		super(body.detail ?? 'The server cannot be reached.');
		Object.assign(this, { status, code: body.code ?? '', title: body.title ?? '', errors: body.errors ?? [], requestId: body.request_id, after });
	}

	/** lines says what is wrong, a line for each mistake. */
	get lines() {
		if (!this.errors.length) return [this.message];
		return this.errors.map((e) => `${e.pointer ?? e.parameter ?? ''}${e.column ? ` (column ${e.column})` : ''}: ${e.detail}`);
	}
}

// Integers have 64 bits, numbers of JavaScript 53: greater ones become BigInt,
// where the browser tells their text.
const exact = (_, v, context) =>
	typeof v === 'number' && Number.isInteger(v) && !Number.isSafeInteger(v) && /^-?\d+$/.test(context?.source ?? '') ? BigInt(context.source) : v;

/**
 * call sends a request and returns {data, ms}: the answer's body and the time of
 * the round trip. Anything but a success is thrown as a Problem; an abort as it is.
 */
export async function call(method, path, body, options = {}) {
	const begin = performance.now();
	const headers = { Accept: 'application/json', ...options.headers };
	if (key()) headers.Authorization = `Bearer ${key()}`;
	if (body !== undefined) headers['Content-Type'] = 'application/json';
	let response, text;
	try {
		response = await fetch(path, {
			method, headers, signal: options.signal, body: body === undefined ? undefined : JSON.stringify(body),
			cache: 'no-store', credentials: 'omit', redirect: 'error', referrerPolicy: 'no-referrer',
		});
		text = await response.text();
	} catch (e) {
		if (e.name === 'AbortError') throw e;
		throw new Problem(0, {});
	}
	const ms = performance.now() - begin;
	let data = null;
	try {
		if (text) data = JSON.parse(text, exact);
	} catch {
		throw new Problem(response.status, { detail: 'The answer of the server is not JSON.' });
	}
	if (!response.ok) throw new Problem(response.status, data ?? {}, Number(response.headers.get('Retry-After')) || 0);
	return { data, ms };
}

/** all collects the pages of a list: GET path?cursor= until there is no more. */
export async function all(path, member, most = 1000) {
	const list = [];
	let cursor = '';
	do {
		const url = path + (cursor ? `${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}` : '');
		const { data } = await call('GET', url);
		list.push(...(data[member] ?? []));
		cursor = data.next_cursor;
	} while (cursor && list.length < most);
	return list;
}
