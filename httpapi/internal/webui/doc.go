// Package webui holds the search page and the admin view of a service: HTML,
// style and scripts that are part of the program.
//
// The pages are clients of the v1 interface like any other. They hold no data
// and know no key: the reader enters one, the scripts keep it in the tab's
// session storage and send it as a bearer token to the server that the page came
// from. No request goes anywhere else, which the Content-Security-Policy that
// comes with every file enforces. Queries travel in bodies only; neither they nor
// the key ever stand in an address. A key in the fragment of an address
// (#key=...), which browsers do not send, is taken and removed at once.
//
// What a record holds is put into the page as text, never as HTML: the policy
// forbids the functions that would parse it (Trusted Types), so a mistake here
// is an error and no hole.
//
// The scripts are plain modules, without a build step and without libraries:
//
//	dom.js       makes elements
//	api.js       the key, requests and their errors
//	format.js    values as a reader wants to see them
//	schema.js    what the fields of an index are good for
//	facets.js    lists, histograms and sliders that narrow a search
//	hits.js      cards, explanations, a record in full
//	snippets.js  a search as curl, Go and GraphQL
//	app.js       the search page
//	panels.js, indexes.js, keys.js, usage.js, webhooks.js, admin.js
//	             the admin view
package webui
