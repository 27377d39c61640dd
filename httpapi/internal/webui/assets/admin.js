// The admin view: one panel at a time, each filled from the v1 interface.

import { $, announce, dialog, fill, h, tabs } from './dom.js';
import { Problem, fragment } from './api.js';
import { indexes } from './indexes.js';
import { keyForm } from './keyform.js';
import { keys } from './keys.js';
import { explain } from './panels.js';
import { usage } from './usage.js';
import { webhooks } from './webhooks.js';

const PANELS = { indexes, keys, usage, webhooks };
const LABELS = [['indexes', 'Indexes'], ['keys', 'Keys'], ['usage', 'Usage'], ['webhooks', 'Webhooks']];

/** show fills a panel; an older one that is still loading is left alone. */
async function show(name, panel) {
	history.replaceState(history.state, '', `#tab=${name}`);
	const body = h('div', { class: 'tabpanel' });
	const slow = setTimeout(() => fill(panel, h('p', { class: 'note' }, 'Loading…')), 300);
	panel.current = body;
	try {
		await PANELS[name](body, () => show(name, panel));
	} catch (e) {
		if (!(e instanceof Problem)) throw e;
		if (e.status === 401) return panel.current === body && locked(e);
		fill(body, explain(e, LABELS.find(([n]) => n === name)[1].toLowerCase()));
	} finally {
		clearTimeout(slow);
	}
	if (panel.current !== body) return;
	fill(panel, body);
	announce(body.querySelector('h2')?.textContent ?? '');
}

function locked(problem) {
	fill($('admin'), h('h1', null, 'Admin'), keyForm(problem, start));
	$('key').focus();
}

function start() {
	const t = tabs('admin', LABELS, show, fragment().get('tab'));
	fill($('admin'), h('h1', null, 'Admin'), t.list, t.panel);
}

$('key-button').addEventListener('click', () => {
	const d = dialog('Key', keyForm(null, () => {
		d.close();
		start();
	}));
});
// A key in an address that is opened over this page.
addEventListener('hashchange', () => location.hash.includes('key=') && start());

start();
