// The search page: what the reader wants, the search that asks for it, and the
// answer in its place.

import { $, announce, copyButton, dialog, fill, h, later, refill, tabs } from './dom.js';
import { all, call, fragment, key, Problem } from './api.js';
import { count, json, label, millis, things } from './format.js';
import { Facets } from './facets.js';
import { card, showRecord } from './hits.js';
import { keyForm } from './keyform.js';
import { Schema } from './schema.js';
import { curl, goEngine, goHTTP, graphQL } from './snippets.js';

const PAGE = 20;

// What becomes of a filter that words of the query speak of.
const MEANING = { filter: 'which all results satisfy', boost: 'which comes first', relaxed: 'which no result satisfies' };

// want is what the reader asks for. It is kept in history.state, which is no
// part of the address; the address holds index and order alone.
const want = { q: '', index: '', sort: '', exact: false, alone: false, ignore: [], extra: [], explain: false };
let indexes = []; // those that the key may read
let schema = new Schema([]);
let answer = null; // the last one, with the pages after it
let sent = 0; // number of the newest search; the answers to older ones are dropped
let running = null; // aborts it
let retry = 0; // timer

const facets = new Facets($('facets'), (now) => (now ? searchNow(true) : search()));

// ---- asking

/** body of the search that the reader wants. */
function body() {
	const b = {};
	if (want.q.trim()) b.q = want.q;
	if (want.index) b.index = want.index;
	const filters = [...want.extra, ...facets.filters()];
	if (filters.length) b.filter = filters.length > 1 ? filters : filters[0];
	if (want.sort) b.sort = [want.sort];
	b.limit = PAGE;
	const asked = facets.requests();
	if (asked.length) b.facets = asked;
	if (b.q) b.highlight = { words: 32 };
	if (want.exact) b.typo = 'off';
	if (want.alone) b.thesaurus = 'off';
	if (want.ignore.length) b.intent = { ignore: want.ignore };
	if (want.explain && b.q) b.explain = true;
	return b;
}

const search = later(45, () => searchNow());

/** searchNow asks, and shows the answer unless a newer search has begun. */
async function searchNow(keep) {
	remember(keep);
	const number = ++sent;
	running?.abort();
	clearTimeout(retry);
	running = new AbortController();
	$('results').setAttribute('aria-busy', 'true'); // which shows only if it lasts
	try {
		const { data, ms } = await call('POST', '/v1/search', body(), { signal: running.signal });
		if (number !== sent) return;
		answer = data;
		show(ms);
	} catch (e) {
		if (number === sent && e.name !== 'AbortError') fail(e);
	} finally {
		if (number === sent) $('results').removeAttribute('aria-busy');
	}
}

/** more adds the next page. */
async function more() {
	const number = sent;
	const from = answer.hits.length;
	const b = body();
	delete b.facets;
	b.cursor = answer.next_cursor;
	try {
		const { data } = await call('POST', '/v1/search', b);
		if (number !== sent) return;
		answer.hits.push(...data.hits);
		answer.next_cursor = data.next_cursor;
		showHits();
		$('hits').children[from]?.querySelector('.open').focus();
		announce(`${things(data.hits.length, 'more hit')}, ${answer.hits.length} shown`);
	} catch (e) {
		if (number === sent) fail(e);
	}
}

// ---- showing

function show(ms) {
	const { total, took_ms, query } = answer;
	fill($('notice'));
	fill($('summary'), h('strong', null, `${answer.total_exact ? '' : 'at least '}${things(total, 'result')}`),
		h('span', { class: 'took' }, `${millis(took_ms)} engine · ${millis(ms)} round trip`));
	facets.update(answer.facets);
	showChips(query);
	showHits();
	if (!total) fill($('notice'), nothing());
	announce(`${things(total, 'result')}${query.corrections?.length ? `, ${query.corrections.map((c) => `${c.from} read as ${c.to}`).join(', ')}` : ''}`);
}

function showHits() {
	const several = !want.index && indexes.length > 1;
	const top = Math.max(0, ...answer.hits.flatMap((x) => (x.explain?.parts ?? []).map((p) => p.score)));
	refill($('hits'), answer.hits.map((x) => card(x, schema, { top, several, open: (hit) => showRecord(hit, schema) })));
	$('more').hidden = !answer.next_cursor;
}

const chip = (text, what, remove, kind = '') =>
	h('button', { type: 'button', class: `chip ${kind}`, 'data-key': `chip:${what}`, 'aria-label': what, onclick: remove }, h('span', null, text), h('span', { 'aria-hidden': 'true', class: 'x' }, '×'));

/** others puts together what each word is also searched as, three at most. */
function others(list) {
	const words = new Map();
	for (const { from, to } of list) words.set(from, [...(words.get(from) ?? []), to]);
	return [...words].map(([from, to]) => [from, to.slice(0, 3).join(', ') + (to.length > 3 ? ' …' : '')]);
}

/** showChips lists how the query was read and what narrows it. */
function showChips(query) {
	const set = (change) => () => {
		Object.assign(want, change);
		searchNow(true);
	};
	const intent = (query.intent ?? []).filter((u) => u.used !== 'ignored');
	refill($('chips'),
		(query.corrections ?? []).map((c) => chip([h('s', null, c.from), ' → ', c.to], `Search exactly “${c.from}” instead of “${c.to}”`, set({ exact: true }), 'correction')),
		others(query.thesaurus ?? []).map(([from, to]) => chip([from, h('span', { class: 'soft' }, ' or '), to], `“${from}” is also searched as ${to}. Search the word alone`, set({ alone: true }), 'correction')),
		intent.map((u) => chip([u.used === 'filter' ? '' : h('span', { class: 'soft' }, u.used === 'relaxed' ? 'none with ' : 'more like '), /^EXISTS/.test(u.filter) && query.sort_from_intent?.[0] || u.filter],
			`“${u.words}” is understood as ${u.filter}, ${MEANING[u.used]}. Take it back`, set({ ignore: [...want.ignore, u.filter] }), 'intent')),
		want.exact && chip('exact spelling', 'Correct spelling again', set({ exact: false })),
		want.alone && chip('words alone', 'Search other words for them again', set({ alone: false })),
		want.ignore.length > 0 && chip('words as they stand', 'Understand filters in words again', set({ ignore: [] })),
		want.extra.map((f) => chip(f, `Remove the filter ${f}`, set({ extra: want.extra.filter((o) => o !== f) }))),
		facets.chips().map((c) => chip(c.text, `Remove the filter ${c.text}`, c.remove)),
		facets.active.length + want.extra.length > 1 && h('button', { type: 'button', class: 'quiet small', 'data-key': 'clear', onclick: clear }, 'Clear all'),
		query.did_you_mean && h('p', { class: 'mean' }, 'Did you mean ', h('button', { type: 'button', class: 'link', onclick: () => ask(query.did_you_mean, { exact: false }) }, query.did_you_mean), '?'));
	const n = facets.active.length;
	fill($('filters-button'), n ? `Filters (${n})` : 'Filters');
}

function nothing() {
	const narrowed = facets.active.length + want.extra.length > 0;
	return h('div', { class: 'panel empty' },
		h('h2', null, want.q.trim() || narrowed ? 'Nothing matches' : 'Nothing here yet'),
		h('p', null, narrowed ? 'No record matches all of the words and filters.' : want.q.trim() ? 'No record holds these words. Fewer or more general words may find more.'
			: 'Add records with quarry import, or with POST /v1/batch.'),
		narrowed && h('button', { type: 'button', onclick: clear }, 'Remove all filters'));
}

function clear() {
	facets.state = {};
	want.extra = [];
	searchNow(true);
}

/** fail says what went wrong, and what can be done about it. */
function fail(problem) {
	if (!(problem instanceof Problem)) throw problem;
	if (problem.status === 401) return askKey(problem);
	const wait = problem.status === 429 || problem.status === 503 ? Math.max(1, problem.after) : 0;
	const words = {
		0: ['The server cannot be reached', 'It may be starting, or the connection is down.'],
		403: ['This key may not do this', problem.message],
		422: ['The search is not valid', null],
		429: ['Too many requests', `The key has used up its rate. The search goes on by itself in ${things(wait, 'second')}.`],
		503: ['The server is busy', `${problem.message}. Next try in ${things(wait, 'second')}.`],
	}[problem.status] ?? [problem.title || 'The search failed', problem.message];
	fill($('notice'), h('div', { class: 'panel error', role: 'alert' }, h('h2', null, words[0]),
		words[1] ? h('p', null, words[1]) : h('ul', null, problem.lines.map((l) => h('li', null, l))),
		problem.requestId && problem.status >= 500 && h('p', { class: 'note' }, `Request ${problem.requestId}`),
		!wait && h('button', { type: 'button', onclick: () => start() }, 'Try again')));
	if (wait) retry = setTimeout(searchNow, wait * 1000);
}

function askKey(problem) {
	answer = null;
	fill($('summary'));
	fill($('chips'));
	fill($('hits'));
	fill($('facets'));
	$('more').hidden = true;
	$('page').classList.add('locked');
	fill($('notice'), keyForm(problem, start));
	$('key').focus();
}

// ---- suggestions

const box = $('q');
const suggestions = $('suggestions');
let offered = 0; // number of the newest request, or of the moment that made it needless
let chosen = -1;

const suggest = later(30, async (number) => {
	if (number !== offered) return;
	const q = box.value;
	if (!q.trim()) return hideSuggestions();
	try {
		const b = { q, limit: 8 };
		if (want.index) b.index = want.index;
		const { data } = await call('POST', '/v1/suggest', b);
		if (number !== offered || document.activeElement !== box) return;
		const list = data.suggestions.filter((s) => s.text !== q.trim());
		const kept = suggestions.children[chosen]?.dataset.text;
		fill(suggestions, list.map((s, i) => h('li', { role: 'option', id: `suggestion-${i}`, 'aria-selected': 'false', 'data-text': s.text,
			onmousedown: (e) => { e.preventDefault(); ask(s.text); } }, typed(s.text, q), h('span', { class: 'count' }, count(s.count)))));
		suggestions.hidden = !list.length;
		box.setAttribute('aria-expanded', list.length > 0);
		choose(list.findIndex((s) => s.text === kept));
	} catch {
		if (number === offered) hideSuggestions(); // the search says what is wrong
	}
});

// typed sets off what is added.
const typed = (text, q, n = text.toLowerCase().startsWith(q.toLowerCase()) ? q.length : 999) => h('span', null, text.slice(0, n), h('b', null, text.slice(n)));

function hideSuggestions() {
	offered++;
	chosen = -1;
	suggestions.hidden = true;
	box.setAttribute('aria-expanded', 'false');
	box.removeAttribute('aria-activedescendant');
}

// choose sets off a suggestion; -1 is the box itself.
function choose(i) {
	chosen = i;
	for (const [i, li] of [...suggestions.children].entries()) li.setAttribute('aria-selected', i === chosen);
	if (chosen < 0) return box.removeAttribute('aria-activedescendant');
	box.setAttribute('aria-activedescendant', `suggestion-${chosen}`);
	suggestions.children[chosen].scrollIntoView({ block: 'nearest' });
}

/** ask searches for a text that was not typed. */
function ask(q, change) {
	Object.assign(want, { q }, change);
	box.value = q;
	hideSuggestions();
	searchNow(true);
	box.focus();
}

// ---- the reader

box.addEventListener('input', () => {
	Object.assign(want, { q: box.value, exact: false, alone: false, ignore: [] });
	search();
	suggest(++offered);
});
box.addEventListener('blur', hideSuggestions);
box.addEventListener('keydown', (e) => {
	const open = !suggestions.hidden;
	if (e.key === 'ArrowDown' || e.key === 'ArrowUp') {
		e.preventDefault();
		const n = suggestions.children.length;
		if (open) choose(e.key === 'ArrowDown' ? ((chosen + 2) % (n + 1)) - 1 : chosen < 0 ? n - 1 : chosen - 1);
		else if (e.key === 'ArrowDown') move(1);
	} else if (e.key === 'Enter' && !e.isComposing) {
		e.preventDefault();
		if (open && chosen >= 0) ask(suggestions.children[chosen].dataset.text);
		else {
			hideSuggestions();
			searchNow(true);
		}
	} else if (e.key === 'Escape') {
		e.preventDefault(); // type=search would also clear the box
		if (open) hideSuggestions();
		else if (box.value) ask('');
	}
});

/** move leads the focus through the hits; before the first is the box. */
function move(step) {
	const hits = [...document.querySelectorAll('.hit .open')];
	const to = hits.indexOf(document.activeElement) + step;
	if (to < 0) box.focus();
	else if (to < hits.length) {
		hits[to].focus();
		hits[to].closest('.hit').scrollIntoView({ block: 'nearest' });
	} else if (!$('more').hidden) $('more').focus();
}

document.addEventListener('keydown', (e) => {
	if (e.defaultPrevented || e.ctrlKey || e.metaKey || e.altKey || document.querySelector('dialog[open]')) return;
	const at = document.activeElement;
	const typing = at.matches('input:not([type=checkbox]):not([type=range]), select, textarea');
	if (e.key === '/' && !typing) {
		e.preventDefault();
		box.focus();
		box.select();
	} else if (e.key === 'Escape' && at !== box && !at.closest('.keyform')) {
		$('page').classList.remove('filtering');
		$('filters-button').setAttribute('aria-expanded', 'false');
		box.focus();
	} else if ((e.key === 'ArrowDown' || e.key === 'ArrowUp') && at.closest('#hits, .more')) {
		e.preventDefault();
		if (at === $('more')) document.querySelector('.hit:last-child .open')?.focus();
		else move(e.key === 'ArrowDown' ? 1 : -1);
	}
});

$('index').addEventListener('change', async () => {
	Object.assign(want, { index: $('index').value, sort: '', extra: [], ignore: [] });
	await pick();
	searchNow(true);
});
$('sort').addEventListener('change', () => {
	want.sort = $('sort').value;
	searchNow(true);
});
$('explain').addEventListener('click', () => {
	want.explain = !want.explain;
	$('explain').setAttribute('aria-pressed', want.explain);
	searchNow();
});
$('filters-button').addEventListener('click', () => {
	const open = $('page').classList.toggle('filtering');
	$('filters-button').setAttribute('aria-expanded', open);
	if (open) [...$('facets').querySelectorAll('input')].find((e) => e.checkVisibility())?.focus();
});
$('more').addEventListener('click', more);
$('key-button').addEventListener('click', () => {
	const d = dialog('Key', keyForm(null, () => {
		d.close();
		start();
	}));
});

$('copy').addEventListener('click', () => {
	const b = body();
	const origin = location.origin;
	const g = graphQL(b);
	const texts = {
		curl: curl(origin, b),
		go: goEngine(b),
		http: goHTTP(origin, b),
		graphql: `${g.query}\n\n# variables\n${json(g.variables)}`,
	};
	const notes = {
		curl: 'The key is read from the environment. A server with its own authority needs --cacert and the file that it named when it started.',
		go: 'The engine inside a program of yours, on a data directory that no server holds.',
		http: 'A program that asks this server.',
		graphql: 'For POST /v1/graphql.',
	};
	const t = tabs('code', [['curl', 'curl'], ['go', 'Go engine'], ['http', 'Go net/http'], ['graphql', 'GraphQL']], (name, panel) => {
		fill(panel, h('p', { class: 'note' }, notes[name]), h('div', { class: 'code' }, copyButton(() => texts[name]), h('pre', { id: 'snippet', tabindex: '0', 'aria-label': 'Code' }, texts[name])));
	});
	dialog('This search elsewhere', t.list, t.panel);
});

// ---- beginning, and going back

/** remember puts what is wanted into the tab's history, as a new entry or in place. */
function remember(entry) {
	const address = new URLSearchParams();
	if (want.index) address.set('index', want.index);
	if (want.sort) address.set('sort', want.sort);
	const url = location.pathname + (address.size ? `#${address}` : '');
	history[entry === true ? 'pushState' : 'replaceState']({ ...want, facets: facets.state }, '', url);
}

async function restore(state) {
	const index = want.index;
	const known = new URLSearchParams(location.hash.slice(1));
	Object.assign(want, { q: '', exact: false, alone: false, ignore: [], extra: [] }, state ?? {}, { index: known.get('index') ?? '', sort: known.get('sort') ?? '' });
	delete want.facets;
	if (want.index && !indexes.some((i) => i.name === want.index) && indexes.length) want.index = '';
	box.value = want.q;
	$('explain').setAttribute('aria-pressed', want.explain);
	if (want.index !== index || !facets.list.length) await pick();
	facets.state = state?.facets;
}
addEventListener('popstate', async (e) => {
	fragment();
	if (!indexes.length) return start();
	await restore(e.state);
	searchNow();
});

/** pick prepares the page for the chosen index, or for all of them. */
async function pick() {
	const several = indexes.filter((i) => i.visible);
	schema = new Schema(want.index ? indexes.filter((i) => i.name === want.index) : several);
	fill($('sort'), h('option', { value: '' }, 'Best first'), schema.sorts.flatMap((f) => {
		const ends = f.type === 'date' ? ['newest first', 'oldest first'] : f.type === 'bool' ? ['yes first', 'no first'] : f.type === 'int' || f.type === 'float' ? ['highest first', 'lowest first'] : ['Z to A', 'A to Z'];
		return [h('option', { value: `${f.name}:asc` }, `${label(f.name)}, ${ends[1]}`), h('option', { value: `${f.name}:desc` }, `${label(f.name)}, ${ends[0]}`)];
	}));
	if (!schema.sorts.some((f) => want.sort === `${f.name}:asc` || want.sort === `${f.name}:desc`)) want.sort = '';
	$('sort').value = want.sort;
	$('index').value = want.index;
	// The sliders' ends are those of all records, so that they stay put.
	const ranges = schema.facets.filter(Schema.isRange);
	let stats = {};
	if (ranges.length) {
		const b = { limit: 0, facets: ranges.map((f) => ({ field: f.name, ranges: [[null, null]] })) };
		if (want.index) b.index = want.index;
		stats = (await call('POST', '/v1/search', b)).data.facets;
	}
	facets.show(schema, stats);
}

let starts = 0; // number of the newest; what becomes of older ones, with another key, is dropped

/** start reads the indexes and searches. A key that may not read them still searches. */
async function start() {
	const number = ++starts;
	fragment();
	$('page').classList.remove('locked');
	fill($('notice'));
	try {
		const list = await all('/v1/indexes?limit=1000', 'indexes').catch((e) => {
			if (e.status !== 403) throw e;
			return [];
		});
		if (number !== starts) return;
		indexes = list;
		const total = indexes.filter((i) => i.visible).reduce((n, i) => n + Number(i.records), 0);
		fill($('index'), h('option', { value: '' }, indexes.length ? `All indexes (${count(total)})` : 'All indexes'),
			indexes.map((i) => h('option', { value: i.name }, `${i.name} (${count(i.records)})`)));
		if (indexes.length === 1 && !location.hash) history.replaceState(history.state, '', `#index=${indexes[0].name}`);
		await restore(history.state);
	} catch (e) {
		if (number === starts) fail(e);
		return;
	}
	await searchNow();
	if (key() && document.activeElement === document.body) box.focus();
}

start();
