// A search as it is written elsewhere: curl, Go and GraphQL. The key is never
// part of it.

import { json } from './format.js';

const shell = (s) => `'${s.replaceAll("'", `'\\''`)}'`;

/** curl writes the request for a shell. */
export function curl(origin, body, path = '/v1/search') {
	return `curl ${origin}${path} \\
  -H "Authorization: Bearer $QUARRY_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d ${shell(json(body))}`;
}

// go quotes a text: JSON's escapes are Go's, but for halves of surrogate pairs.
const go = (s) => JSON.stringify(s.toWellFormed?.() ?? s);
const list = (v) => (v === undefined ? [] : Array.isArray(v) ? v : [v]);
const raw = (s) => (s.includes('`') || /[\r\0\ufeff]/.test(s) ? go(s) : '`' + s + '`');

/** goHTTP writes a program that asks the service. */
export function goHTTP(origin, body) {
	return `package main

import (
	"io"
	"log"
	"net/http"
	"os"
	"strings"
)

func main() {
	body := strings.NewReader(${raw(json(body))})
	req, err := http.NewRequest("POST", ${go(`${origin}/v1/search`)}, body)
	if err != nil {
		log.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+os.Getenv("QUARRY_API_KEY"))
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		log.Fatal(err)
	}
	defer res.Body.Close()
	if _, err := io.Copy(os.Stdout, res.Body); err != nil {
		log.Fatal(err)
	}
}
`;
}

const joined = (filters) => (filters.length > 1 ? filters.map((f) => `(${f})`).join(' AND ') : filters[0]);

/** goEngine writes a program that has the engine inside. */
export function goEngine(body) {
	const lines = [];
	const put = (name, text) => lines.push(`\t\t${name}: ${text},`);
	if (list(body.index).length) put('Indexes', `[]string{${list(body.index).map(go).join(', ')}}`);
	if (body.q) put('Query', go(body.q));
	if (list(body.filter).length) put('Filter', raw(joined(list(body.filter))));
	if (list(body.sort).length) {
		put('Sort', `[]engine.SortKey{${list(body.sort).map((s) => {
			const [, field, direction] = /^(.*?)(?::(asc|desc))?$/s.exec(s);
			return `{Field: ${go(field)}${direction === 'desc' ? ', Desc: true' : ''}}`;
		}).join(', ')}}`);
	}
	put('Limit', body.limit);
	if (body.facets?.length) {
		lines.push('\t\tFacets: []engine.FacetRequest{');
		const end = (v) => (v === null ? 'nil' : `new(float64(${v}))`);
		for (const f of body.facets) {
			const parts = [`Field: ${go(f.field)}`];
			if (f.limit) parts.push(`Limit: ${f.limit}`);
			if (f.disjunctive) parts.push('Disjunctive: true');
			if (f.query) parts.push(`Query: ${go(f.query)}`);
			if (f.ranges) parts.push(`Ranges: []engine.FacetRange{${f.ranges.map(([a, b]) => `{From: ${end(a)}, To: ${end(b)}}`).join(', ')}}`);
			lines.push(`\t\t\t{${parts.join(', ')}},`);
		}
		lines.push('\t\t},');
	}
	if (body.highlight) put('Highlight', `&engine.HighlightRequest{Words: ${body.highlight.words}}`);
	if (body.typo === 'off') put('Typo', 'engine.Typo{Off: true}');
	if (body.explain) put('Explain', 'true');
	return `package main

import (
	"context"
	"fmt"
	"log"

	"github.com/quarry-search/quarry/engine"
)

func main() {
	e, err := engine.Open("quarry-data", nil)
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	res, err := e.Search(context.Background(), &engine.Request{
${lines.join('\n')}
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Total, "records")
	for _, hit := range res.Hits {
		fmt.Printf("%.2f %s %s\\n", hit.Score, hit.ID, hit.Record)
	}
}
`;
}

/** graphQL writes the query and its variables. */
export function graphQL(body) {
	const types = { q: 'String', index: '[String!]', filter: 'String', sort: '[String!]', limit: 'Int', facets: '[FacetInput!]', highlight: 'HighlightInput', explain: 'Boolean' };
	const variables = {};
	for (const name of Object.keys(types)) {
		const v = body[name];
		if (v === undefined) continue;
		variables[name] = v;
		if (name === 'filter') variables.filter = joined(list(v));
		if (name === 'index' || name === 'sort') variables[name] = list(v);
		if (name === 'facets') variables.facets = v.map(({ field, limit, ranges }) => ({ field, limit, ranges }));
	}
	const names = Object.keys(variables);
	const query = `query Search(${names.map((n) => `$${n}: ${types[n]}`).join(', ')}) {
	search(${names.map((n) => `${n}: $${n}`).join(', ')}) {
		total
		tookMs
		hits { id index score record highlight { field text matches }${body.explain ? ' explain' : ''} }
		nextCursor
	}
}`;
	return { query, variables };
}
