package httpapi

import (
	"slices"
	"strings"
)

// otherNames are what members are called elsewhere.
var otherNames = map[string]string{
	"query": "q", "text": "q", "search": "q", "term": "q", "keywords": "q", "size": "limit", "count": "limit", "hits": "limit", "top": "limit",
	"per_page": "limit", "page_size": "limit", "hitsperpage": "limit", "page": "offset", "from": "offset", "skip": "offset", "start": "offset",
	"indices": "index", "indexes": "index", "collection": "index", "where": "filter", "filters": "filter", "filter_by": "filter",
	"order": "sort", "order_by": "sort", "sort_by": "sort", "facet_by": "facets", "aggs": "facets", "aggregations": "facets",
	"queries": "searches", "requests": "searches", "documents": "records", "docs": "records", "objects": "records", "items": "records",
	"actions": "operations", "ops": "operations", "document": "record", "doc": "record",
}

// meant returns the member that an unknown one is most likely meant for: the same
// in another letter case, what is called so elsewhere, or the nearest. "" means
// that there is none.
func meant(name string, known []string) string {
	for _, w := range known {
		if strings.EqualFold(w, name) {
			return w
		}
	}
	if other := otherNames[strings.ToLower(name)]; slices.Contains(known, other) {
		return other
	}
	return nearest(name, known)
}

// nearest returns the word that name is most likely a misspelling of: the one
// with the fewest edits, at most two and fewer than half of the name. "" means
// that there is none.
func nearest(name string, words []string) string {
	best, like := min(2, (len(name)-1)/2)+1, ""
	for _, w := range words {
		if len(name)-len(w) >= best || len(w)-len(name) >= best {
			continue // as many edits are needed at least, and the name may be a book
		}
		if d := editDistance(name, w); d < best {
			best, like = d, w
		}
	}
	return like
}

// editDistance counts the insertions, deletions, replacements and swaps of
// neighbours that lead from a to b, in bytes, no place being changed twice
// (optimal string alignment).
func editDistance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
