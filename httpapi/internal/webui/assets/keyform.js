// The form that asks for the API key.

import { h } from './dom.js';
import { key, setKey } from './api.js';

const REASONS = {
	missing_api_key: 'Enter an API key to go on.',
	expired_api_key: 'The API key has expired. Enter another one.',
};

/** keyForm makes the form; done is called after the key has changed. */
export function keyForm(problem, done) {
	const input = h('input', { type: 'password', id: 'key', placeholder: 'qk_…', autocomplete: 'off', spellcheck: 'false', 'aria-describedby': 'key-note', required: true });
	const submit = () => {
		if (!input.value.trim()) return input.focus();
		setKey(input.value.trim());
		done();
	};
	return h('form', { class: 'panel keyform', onsubmit: (e) => {
		e.preventDefault();
		submit();
	} },
		h('h2', null, 'API key'),
		h('p', null, problem ? (REASONS[problem.code] ?? (key() ? 'The server does not accept this API key.' : REASONS.missing_api_key)) : 'The key of this tab. Another one takes its place.'),
		h('div', { class: 'row' }, h('label', { class: 'sr', for: 'key' }, 'API key'), input, h('button', { type: 'submit', class: 'primary' }, 'Use key'),
			key() && h('button', { type: 'button', onclick: () => {
				setKey('');
				done();
			} }, 'Forget key')),
		h('p', { class: 'note', id: 'key-note' }, 'It stays in this tab until the tab is closed, and is sent to this server only. quarry serve keeps the first key in the file root.key of its data directory.'));
}
