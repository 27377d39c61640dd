// Package demo is the sample data of quarry demo: a shop and the chemical
// elements. [Indexes] returns both, with schemas that show what fields can do.
//
// The shop is invented. Its records are put together from tables in data/*.toml,
// always in the same way:
//
//	brands           for all categories of the file
//	[[category]]
//	name             of the category
//	code             first part of the ids
//	count            how many products
//	price            lowest and highest
//	kinds, models, materials, colors, tags   what a product is made of
//	opening, detail, closing                 sentences for the description
//
// A title is brand, model, kind and color. A description is one opening, two
// details and perhaps a closing; {brand}, {model}, {kind}, {color} and
// {material} stand for what the product has. No two products of a category
// have the same title.
//
// The elements are facts: data/elements.tsv has a line for each. Elements that
// were known in antiquity have no year of discovery, and those without stable
// or long-lived isotopes no standard atomic weight.
package demo
