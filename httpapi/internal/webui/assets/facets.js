// What narrows a search: lists of values with counts, and sliders over
// histograms for numbers and dates.

import { h, svg, fill, refill, later } from './dom.js';
import { count, date, label, number, value } from './format.js';
import { Schema, literal, quoted } from './schema.js';

const FEW = 8; // values of a list before "more"
const MANY = 100;
const BARS = 24; // of a histogram
const STEPS = 120; // of a slider
const DAY = 86400;

// nice rounds a step up to 1, 2 or 5 times a power of ten.
function nice(step) {
	const power = 10 ** Math.floor(Math.log10(step));
	return power * [1, 2, 5, 10].find((m) => m * power >= step * 0.999);
}

const tidy = (x) => Number(x.toPrecision(12));

/**
 * scale chooses the stops of a slider, and the bars above it, for a field with
 * these statistics. Where most values crowd at the low end, as prices do, the
 * stops there are closer together.
 */
export function scale(type, stats) {
	const [min, max, avg] = [Number(stats.min), Number(stats.max), Number(stats.avg)];
	if (!(max > min)) return null;
	let unit = nice((max - min) / STEPS);
	if (type === 'int') unit = Math.max(1, unit);
	if (type === 'date' && max - min > 5 * DAY) unit = Math.max(DAY, nice(unit / DAY) * DAY);
	const low = tidy(Math.floor(min / unit) * unit);
	const steps = Math.ceil((max - low) / unit);
	// With this power the mean would stand in the middle.
	const power = type === 'date' ? 1 : Math.min(3, Math.log((avg - min) / (max - min)) / Math.log(0.5));
	let stops = Array.from({ length: steps + 1 }, (_, i) => tidy(low + i * unit));
	if (power > 1.4) {
		const top = stops[steps];
		const at = (i) => (top - low) * (i / STEPS) ** power;
		stops = Array.from({ length: STEPS + 1 }, (_, i) => {
			const gap = Math.max(nice((at(i + 1) - at(i)) / 2), type === 'int' ? 1 : 0);
			return i === STEPS ? top : tidy(low + Math.floor(at(i) / gap) * gap);
		});
		stops = [...new Set(stops)].sort((x, y) => x - y);
	}
	const per = Math.ceil((stops.length - 1) / BARS); // steps to a bar
	const single = type === 'int' && unit === 1 && per === 1 && power <= 1.4; // a bar for each value, the last one included
	const edges = stops.slice(0, single ? undefined : -1).filter((_, i) => i % per === 0);
	return { stops, single, steps: stops.length - 1, per, ranges: edges.map((e, i) => [e, edges[i + 1] ?? null]) };
}

// same tells whether two facet values are one: 1 and "1" are not.
const same = (a, b) => a === b;

/** List is the values of a field with boxes to tick. */
class List {
	constructor(field, changed) {
		this.field = field;
		this.changed = changed;
		this.chosen = [];
		this.limit = FEW;
		this.find = '';
		this.items = h('div', { class: 'values' });
		this.more = h('button', { type: 'button', class: 'quiet small', onclick: () => {
			this.limit = this.limit === FEW ? MANY : FEW;
			if (this.limit === FEW) this.find = this.search.value = '';
			changed();
		} });
		this.search = h('input', { type: 'search', class: 'find', placeholder: `Find in ${label(field.name)}`, 'aria-label': `Find in ${label(field.name)}`,
			oninput: later(120, () => {
				this.find = this.search.value;
				changed();
			}) });
		this.el = h('fieldset', { class: 'facet', 'data-field': field.name, hidden: true }, h('legend', null, label(field.name)), this.search, this.items, this.more);
	}

	get active() { return this.chosen.length > 0; }

	request() {
		const r = { field: this.field.name, limit: this.limit };
		if (this.active) r.disjunctive = true;
		if (this.find.trim()) r.query = this.find.trim();
		return r;
	}

	filter() {
		const name = quoted(this.field.name);
		return this.chosen.length > 1 ? `${name} IN [${this.chosen.map(literal).join(', ')}]` : `${name} = ${literal(this.chosen[0])}`;
	}

	chips() {
		return this.chosen.map((v) => ({ text: `${label(this.field.name)}: ${value(this.field, v)}`, remove: () => this.toggle(v) }));
	}

	toggle(v) {
		this.chosen = this.chosen.some((c) => same(c, v)) ? this.chosen.filter((c) => !same(c, v)) : [...this.chosen, v];
		this.changed(true);
	}

	update(facet) {
		const listed = facet?.values ?? [];
		// What is chosen stays in sight, also when nothing matches it any more.
		const absent = this.chosen.filter((c) => !listed.some((v) => same(v.value, c))).map((c) => ({ value: c, count: this.find ? null : 0 }));
		const values = [...absent, ...listed];
		// Where every record has a value of its own there is nothing to choose from.
		const unique = listed.length === FEW && listed.every((v) => v.count === 1);
		this.el.hidden = this.limit === FEW && !this.active && (!values.length || unique);
		this.search.hidden = this.limit === FEW;
		refill(this.items, values.map((v) => {
			const on = this.chosen.some((c) => same(c, v.value));
			return h('label', { class: 'value' },
				h('input', { type: 'checkbox', checked: on, 'data-key': `${typeof v.value}:${v.value}`, onchange: () => this.toggle(v.value) }),
				h('span', { class: 'name' }, value(this.field, v.value)), v.count === null ? null : h('span', { class: 'count' }, count(v.count)));
		}), !values.length && h('p', { class: 'note' }, 'No such value.'));
		const rest = (facet?.other ?? 0) > 0;
		this.more.hidden = this.limit === FEW ? !rest : false;
		fill(this.more, this.limit === FEW ? 'More…' : 'Fewer');
	}

	get state() { return this.active ? { values: this.chosen } : null; }
	set state(s) { this.chosen = s?.values ?? []; }
}

/** Range is a slider with two thumbs over a histogram. */
class Range {
	constructor(field, changed, scale) {
		this.field = field;
		this.scale = scale;
		const { steps, ranges } = this.scale;
		const thumb = (end, at) => h('input', { type: 'range', min: 0, max: steps, step: 1, value: at, 'aria-label': `${label(field.name)}, ${end}`, 'data-end': end,
			oninput: (e) => {
				const [a, b] = [Number(this.from.value), Number(this.to.value)];
				if (a > b) e.target.value = e.target === this.from ? b : a; // thumbs do not pass each other
				this.paint();
				changed();
			} });
		this.from = thumb('from', 0);
		this.to = thumb('to', steps);
		this.text = h('output', { class: 'span' });
		this.bars = svg('svg', { class: 'histogram', viewBox: `0 0 ${ranges.length} 30`, preserveAspectRatio: 'none', 'aria-hidden': 'true' });
		this.el = h('fieldset', { class: 'facet range', 'data-field': field.name }, h('legend', null, label(field.name)), this.text, this.bars,
			h('div', { class: 'slider' }, this.from, this.to));
		this.paint();
	}

	get low() { return Number(this.from.value); }
	get high() { return Number(this.to.value); }
	get active() { return this.low > 0 || this.high < this.scale.steps; }

	write(i) {
		const v = this.scale.stops[i];
		return this.field.type === 'date' ? date(v) : number(this.field.name, v);
	}

	paint() {
		const { steps, per, single } = this.scale;
		this.from.setAttribute('aria-valuetext', this.low ? this.write(this.low) : 'any');
		this.to.setAttribute('aria-valuetext', this.high < steps ? this.write(this.high) : 'any');
		fill(this.text, this.describe());
		this.el.style.setProperty('--from', this.low / steps);
		this.el.style.setProperty('--to', this.high / steps);
		for (const [i, bar] of [...this.bars.children].entries()) bar.classList.toggle('off', single ? i < this.low || i > this.high : (i + 1) * per <= this.low || i * per >= this.high);
	}

	describe() {
		const { steps } = this.scale;
		if (!this.active) return `${this.write(0)} – ${this.write(steps)}`;
		if (!this.low) return `up to ${this.write(this.high)}`;
		return this.high < steps ? `${this.write(this.low)} – ${this.write(this.high)}` : `from ${this.write(this.low)}`;
	}

	request() {
		const r = { field: this.field.name, ranges: this.scale.ranges };
		if (this.active) r.disjunctive = true;
		return r;
	}

	// literal of a step: days as days, other times to the second.
	literal(i) {
		const v = this.scale.stops[i];
		if (this.field.type !== 'date') return String(v);
		const t = new Date(v * 1000).toISOString();
		return v % DAY === 0 ? t.slice(0, 10) : t.replace(/\.\d+/, '');
	}

	filter() {
		const name = quoted(this.field.name);
		const parts = [];
		if (this.low) parts.push(`${name} >= ${this.literal(this.low)}`);
		if (this.high < this.scale.steps) parts.push(`${name} <= ${this.literal(this.high)}`);
		return parts.join(' AND ');
	}

	chips() {
		return this.active ? [{ text: `${label(this.field.name)}: ${this.describe()}`, remove: () => this.reset() }] : [];
	}

	reset() {
		this.state = null;
		this.changed();
	}

	update(facet) {
		const counts = facet?.ranges?.map((r) => r.count) ?? [];
		const most = Math.max(1, ...counts);
		this.el.hidden = !this.active && !counts.some((n) => n > 0);
		fill(this.bars, counts.map((n, i) => {
			const height = n ? Math.max(1.5, (n / most) * 30) : 0;
			return svg('rect', { x: i + 0.08, y: 30 - height, width: 0.84, height });
		}));
		this.paint();
	}

	get state() { return this.active ? { from: this.low, to: this.high } : null; }
	set state(s) {
		this.from.value = s?.from ?? 0;
		this.to.value = s?.to ?? this.scale.steps;
		this.paint();
	}
}

/** Facets is all of them. changed(now) is called when a search is due. */
export class Facets {
	constructor(root, changed) {
		this.root = root;
		this.changed = changed;
		this.list = [];
	}

	/** show makes the facets of a schema; stats are those of all records. */
	show(schema, stats) {
		const slide = later(90, () => this.changed());
		this.list = schema.facets.flatMap((f) => {
			if (!Schema.isRange(f)) return [new List(f, (now) => this.changed(now))];
			const s = stats[f.name]?.stats;
			const fits = s && scale(f.type, s);
			return fits ? [new Range(f, slide, fits)] : [];
		});
		fill(this.root, this.list.map((f) => f.el));
	}

	get active() { return this.list.filter((f) => f.active); }

	requests() { return this.list.map((f) => f.request()); }
	filters() { return this.active.map((f) => f.filter()); }
	chips() { return this.active.flatMap((f) => f.chips()); }
	update(facets) { for (const f of this.list) f.update(facets?.[f.field.name]); }

	get state() { return Object.fromEntries(this.active.map((f) => [f.field.name, f.state])); }
	set state(s) { for (const f of this.list) f.state = s?.[f.field.name] ?? null; }
}
