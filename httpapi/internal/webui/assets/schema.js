// What the fields of an index are good for, on a page that knows no index in
// advance.

const NUMBERS = new Set(['int', 'float', 'date']);

/** Schema knows the fields of one index, or of several that are searched together. */
export class Schema {
	constructor(indexes) {
		this.byIndex = new Map(indexes.map((i) => [i.name, i]));
		const fields = new Map();
		for (const { fields: list } of indexes) {
			for (const f of list) {
				const seen = fields.get(f.name);
				if (!seen) fields.set(f.name, { ...f });
				else {
					// What works must work in every index that has the field.
					seen.mixed ||= NUMBERS.has(seen.type) !== NUMBERS.has(f.type) || (seen.type === 'date') !== (f.type === 'date');
					seen.facet &&= f.facet;
					seen.sort &&= f.sort;
				}
			}
		}
		this.fields = [...fields.values()];
		const most = 20; // a search may have 32 facets, a reader fewer
		this.facets = this.fields.filter((f) => f.facet && !f.mixed && f.type !== 'geo').slice(0, most);
		this.sorts = this.fields.filter((f) => f.sort && !f.mixed && f.type !== 'geo');
	}

	/** isRange tells whether a facet is a slider. */
	static isRange = (f) => NUMBERS.has(f.type);

	/**
   * card chooses from a hit's record: the heaviest text field is the title, the
   * first long text the body, and what is left the facts.
   */
	card(hit) {
		const record = hit.record ?? {};
		const index = this.byIndex.get(hit.index);
		const fields = (index?.fields ?? guess(record)).filter((f) => f.type !== 'json').map((f) => ({ ...f, value: at(record, f.name) })).filter((f) => !empty(f.value));
		const key = index?.primary_key ?? 'id';
		const texts = fields.filter((f) => f.search && f.name !== key);
		const title = texts.reduce((best, f) => (!best || (f.weight ?? 1) > (best.weight ?? 1) ? f : best), null);
		const long = (f) => String(f.value).length > 80;
		// A text that can be counted or sorted by is a word or two, others tell more.
		const prose = texts.filter((f) => f !== title && !(f.facet || f.sort || f.filter) && (index || long(f)));
		const body = prose.reduce((best, f) => (!best || String(f.value).length > String(best.value).length ? f : best), null);
		const facts = fields.filter((f) => f !== title && f !== body && f.name !== key && !(f.search && long(f)));
		return { title, body, facts: facts.slice(0, 8) };
	}
}

// guess makes fields of a record, for keys that may search but not read indexes.
function guess(record) {
	return Object.entries(record).map(([name, v]) => {
		const one = Array.isArray(v) ? v[0] : v;
		const text = typeof one === 'string';
		const type = text ? (/^\d{4}-\d\d-\d\d(T|$)/.test(one) ? 'date' : 'text') : typeof one === 'object' ? 'json' : 'float';
		return { name, type, search: type === 'text', weight: /^(title|name|headline|subject|label)$/i.test(name) ? 2 : 1 };
	});
}

const empty = (v) => v === undefined || v === null || v === '' || (Array.isArray(v) && !v.length);

/** at follows a dotted name into a record, through lists to all their elements. */
export function at(record, name) {
	if (record && typeof record === 'object' && Object.hasOwn(record, name)) return record[name];
	let values = [record];
	let many = false;
	for (const part of name.split('.')) {
		const next = [];
		for (const v of values) {
			if (Array.isArray(v)) many = true;
			for (const e of Array.isArray(v) ? v : [v]) if (e && typeof e === 'object' && Object.hasOwn(e, part)) next.push(e[part]);
		}
		values = next;
	}
	return many ? values.flat() : values[0];
}

/** quoted is the name of a field in a filter. */
export const quoted = (name) =>
	/^[A-Za-z][A-Za-z0-9_]*$/.test(name) && !/^(and|or|not|in|exists|empty|starts|geo|true|false|null)$/i.test(name) ? name : '`' + name.replace(/[\\`]/g, '\\$&') + '`';

/** literal is a facet's value in a filter. */
export const literal = (v) => (typeof v === 'string' ? JSON.stringify(v) : String(v));
