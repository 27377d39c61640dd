// Values as a reader wants to see them, in the reader's language.

const whole = new Intl.NumberFormat();
const money = new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const decimal = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 6 });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

const PRICE = /(^|[._-])(price|cost|amount|msrp|total|fee)s?($|[._-])/i;
const PLAIN = /(^|[._-])(year|yr|discovered|founded|born|id|number|no|zip|code|isbn|ean)($|[._-])/i;

/** count writes a number of things. */
export const count = (n) => whole.format(n);

/** things writes a number with its noun. */
export const things = (n, one, many = one + 's') => `${count(n)} ${Number(n) === 1 ? one : many}`;

/** label turns the name of a field into words: in_stock -> in stock. */
export const label = (name) => name.replace(/[_.]+/g, ' ').replace(/([a-z])([A-Z])/g, '$1 $2').trim() || name;

/** number writes the value of a number field. */
export function number(name, v) {
	if (PRICE.test(name)) return money.format(v);
	if (PLAIN.test(name)) return String(v);
	return typeof v === 'bigint' || Number.isInteger(v) ? whole.format(v) : decimal.format(v);
}

/** date writes an RFC 3339 time or seconds since 1970; days without their midnight. */
export function date(v) {
	const d = new Date(typeof v === 'number' ? v * 1000 : v);
	if (Number.isNaN(d.getTime())) return String(v);
	return d.getTime() % 86400000 === 0 ? day.format(d) : moment.format(d);
}

/** currency writes an amount in the currency that the record names. */
function currency(v, code) {
	try {
		return new Intl.NumberFormat(undefined, { style: 'currency', currency: code }).format(v);
	} catch {
		return money.format(v);
	}
}

/** value writes one value of a field of a record. */
export function value(field, v, record) {
	if (v === null || v === undefined) return '';
	if (Array.isArray(v)) {
		const most = 6;
		return v.slice(0, most).map((e) => value(field, e, record)).join(', ') + (v.length > most ? ` and ${v.length - most} more` : '');
	}
	switch (typeof v) {
		case 'boolean': return v ? 'yes' : 'no';
		case 'number': case 'bigint':
			if (field.type === 'date') return date(Number(v));
			if (PRICE.test(field.name) && /^[A-Z]{3}$/.test(record?.currency ?? '')) return currency(v, record.currency);
			return number(field.name, v);
		case 'object':
			return 'lat' in v && 'lon' in v ? `${decimal.format(v.lat)}, ${decimal.format(v.lon)}` : json(v);
	}
	return field.type === 'date' ? date(v) : v;
}

/** bytes writes a size. */
export function bytes(n) {
	const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
	let i = 0;
	for (n = Number(n); n >= 1024 && i < units.length - 1; i++) n /= 1024;
	return `${i && n < 10 ? n.toFixed(1) : Math.round(n)} ${units[i]}`;
}

/** millis writes a time in milliseconds. */
export const millis = (n) => `${n < 10 ? Number(n.toFixed(2)) : count(Math.round(n))} ms`;

/** score writes a score or a part of it. */
export const score = (n) => Number(n).toFixed(2);

/** time writes an RFC 3339 time of the server. */
export const time = (t) => (t ? moment.format(new Date(t)) : '–');

/** json writes JSON, integers beyond 53 bits included, with two spaces of indentation. */
export function json(v, indent = '') {
	if (typeof v === 'bigint') return String(v);
	if (v === null || typeof v !== 'object') return JSON.stringify(v);
	const list = Array.isArray(v);
	const inner = indent + '  ';
	const parts = list ? v.map((e) => json(e, inner)) : Object.entries(v).filter(([, e]) => e !== undefined).map(([k, e]) => `${JSON.stringify(k)}: ${json(e, inner)}`);
	const [open, close] = list ? '[]' : '{}';
	if (!parts.length) return open + close;
	const line = open + parts.join(', ') + close;
	const flat = list && v.every((e) => e === null || typeof e !== 'object' || (Array.isArray(e) && e.length <= 2));
	if ((line.length < 96 || flat) && !line.includes('\n')) return line;
	return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${indent}${close}`;
}
