// What the panels of the admin view share: tables, forms, questions, errors.

import { h, announce, copyButton, dialog, fill } from './dom.js';
import { Problem } from './api.js';

/** table makes a table that scrolls sideways where it has to. columns are [title, class] pairs. */
export const table = (caption, columns, rows) =>
	h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption },
		h('table', { class: 'grid' }, h('caption', { class: 'sr' }, caption),
			h('thead', null, h('tr', null, columns.map(([title, cls]) => h('th', { scope: 'col', class: cls }, title || h('span', { class: 'sr' }, 'Actions'))))),
			h('tbody', null, rows)));

/** row makes a row: the first cell names it. */
export const row = (columns, name, ...cells) =>
	h('tr', null, h('th', { scope: 'row' }, name), cells.map((c, i) => h('td', { class: columns[i + 1]?.[1] }, c)));

/** button of a row or a head; what says more than the label to screen readers. */
export const button = (text, onclick, { what, cls = 'small' } = {}) => h('button', { type: 'button', class: cls, onclick, 'aria-label': what }, text);

/** state shows one with a dot: good, bad or neither. */
export const state = (text, kind = '') => h('span', { class: `state ${kind}` }, text);

/** head is the line over a table. */
export const head = (text, ...actions) => h('div', { class: 'head' }, h('h2', null, text), h('div', { class: 'row' }, actions));

/** empty is what stands in place of a table without rows. */
export const empty = (title, text) => h('div', { class: 'panel empty' }, h('h2', null, title), h('p', null, text));

/**
 * explain says what went wrong in words of the panel: what may be missing on
 * purpose is no error.
 */
export function explain(problem, what) {
	if (!(problem instanceof Problem)) throw problem;
	if (problem.code === 'route_not_found' || problem.status === 405) return empty('Not offered by this server', `This server has no ${what}.`);
	if (problem.status === 403) return empty('Not for this key', problem.message);
	return h('div', { class: 'panel error', role: 'alert' }, h('h2', null, problem.title || 'That did not work'), h('ul', null, problem.lines.map((l) => h('li', null, l))));
}

/** field is a labelled control of a form with a note below. */
export const field = (text, control, note) => h('label', null, text, control, note && h('span', { class: 'note' }, note));

/** checks is a group of boxes; values() reads the ticked ones. */
export function checks(text, names, on = []) {
	const boxes = names.map((n) => h('input', { type: 'checkbox', checked: on.includes(n), value: n }));
	return { el: h('fieldset', { class: 'field' }, h('legend', null, text), h('div', { class: 'checks' }, boxes.map((b, i) => h('label', null, b, names[i])))),
		values: () => boxes.filter((b) => b.checked).map((b) => b.value) };
}

/** words splits what was typed at commas and spaces. */
export const words = (text) => text.split(/[\s,]+/).filter(Boolean);

/** ask opens a form. send does the work; what it throws is shown, else the dialog closes. */
export function ask(title, label, parts, send, cls = 'primary') {
	const trouble = h('div');
	const submit = h('button', { type: 'submit', class: cls }, label);
	const d = dialog(title, h('form', { class: 'form', onsubmit: async (e) => {
		e.preventDefault();
		submit.disabled = true;
		try {
			const answer = await send();
			d.close();
			answer?.();
		} catch (problem) {
			fill(trouble, explain(problem, 'such thing'));
		} finally {
			submit.disabled = false;
		}
	} }, parts, trouble, h('div', { class: 'row' }, h('button', { type: 'button', onclick: () => d.close() }, 'Cancel'), submit)));
	d.querySelector('input, select, textarea')?.focus();
	return submit;
}

/** confirm asks before something that cannot be taken back; with a name, that has to be typed. */
export function confirm(title, text, label, name, send) {
	const input = name && h('input', { autocomplete: 'off', spellcheck: 'false', oninput: () => { submit.disabled = input.value !== name; } });
	const submit = ask(title, label, [h('p', null, text), name && field(`Type ${name} to confirm`, input)], send, 'danger');
	submit.disabled = !!name;
}

/** secret shows a text that no one can see again. */
export function secret(title, text, note, ...more) {
	const d = dialog(title, h('p', null, note), h('output', { class: 'secret', 'aria-label': 'Secret' }, text), h('div', { class: 'row' }, copyButton(() => text)), more);
	d.classList.add('keep');
	announce(title);
}
