package page

import "sort"

// A range over a column of one value a document goes through all values, at
// two nanoseconds each, the first times. A column that is asked more often is
// sorted once: then a range is two binary searches and a bit for each document
// inside, or outside if those are fewer.
const (
	scansBeforeSorting = 2
	sortedFrom         = 4096 // documents; fewer are scanned as fast
)

// byValue returns the documents with a value in the order of their values, nil
// if ranges are to go through the values.
func (col *Column) byValue() []uint16 {
	if col.ends != nil || col.docs < sortedFrom {
		return nil
	}
	if sorted := col.sorted.Load(); sorted != nil {
		return *sorted
	}
	if col.scans.Add(1) <= scansBeforeSorting {
		return nil
	}
	col.sorting.Do(func() {
		sorted := col.sortDocs()
		col.sorted.Store(&sorted)
	})
	return *col.sorted.Load()
}

// sortDocs sorts the documents by value, by place among equals: a radix sort
// by bytes, from the lowest up to the highest in use.
func (col *Column) sortDocs() []uint16 {
	docs, keys := make([]uint16, 0, col.docs), make([]uint64, 0, col.docs)
	for i := range col.n {
		if col.Has(i) {
			docs = append(docs, uint16(i))
		}
	}
	col.vals.each(func(values []uint64) bool {
		keys = append(keys, values...)
		return true
	})
	docs2, keys2 := make([]uint16, len(docs)), make([]uint64, len(keys))
	for shift := uint(0); shift < 64 && col.vals.max>>shift != 0; shift += 8 {
		var ends [257]int
		for _, k := range keys {
			ends[k>>shift&0xff+1]++
		}
		for i := range 256 {
			ends[i+1] += ends[i]
		}
		for i, k := range keys {
			at := &ends[k>>shift&0xff]
			docs2[*at], keys2[*at] = docs[i], k
			*at++
		}
		docs, docs2, keys, keys2 = docs2, docs, keys2, keys
	}
	return docs
}

// matchSorted is matchValues by the sorted documents.
func (col *Column) matchSorted(docs []uint16, first, last uint64, words *[Size / 64]uint64, base int) {
	entry := func(i int) uint64 {
		from, _ := col.span(int(docs[i]))
		return col.vals.at(from)
	}
	lo := sort.Search(len(docs), func(i int) bool { return entry(i) >= first })
	hi := lo + sort.Search(len(docs)-lo, func(i int) bool { return entry(lo+i) > last })
	if 2*(hi-lo) <= len(docs) {
		for _, doc := range docs[lo:hi] {
			at := base + int(doc)
			words[at>>6] |= 1 << (at & 63)
		}
		return
	}
	var in [Size / 64]uint64
	col.Present(&in, base)
	for _, outside := range [...][]uint16{docs[:lo], docs[hi:]} {
		for _, doc := range outside {
			at := base + int(doc)
			in[at>>6] &^= 1 << (at & 63)
		}
	}
	for i, w := range in {
		words[i] |= w
	}
}
