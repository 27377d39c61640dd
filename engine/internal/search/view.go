package search

import (
	"encoding/binary"
	"math/bits"
	"sort"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/score"
)

// A page is worked on by windows of 4,096 places. Smaller ones cost more in
// bookkeeping than they save in unions of several terms, and the 64 words of a
// window, times a dozen, stay in the first-level cache.
const (
	windowShift = 12
	windowWords = 1 << windowShift / 64
	windows     = posting.PageSize >> windowShift
)

// window is the set of documents of one window.
type window [windowWords]uint64

// view is one leaf of the query in the slot at hand.
type view struct {
	list     *posting.List // of the segment; nil if it lacks the term
	leaf     int           // in Query.Leaves
	phrase   *phraseView   // in place of list
	next     int           // list.Containers before it lie in earlier pages
	c        *posting.Container
	weight   uint64
	constant bool // each posting has impact MaxImpact
	scores   bool // weight > 0
	required bool // every document that matches is in the list

	// upper bounds weight*impact by window, max in the whole slot. They are
	// computed by measure and limit.
	upper [windows]uint64
	max   uint64

	codes posting.CodeReader // of list
	pos   int                // cursor of place, for arrays: elements before it are lower than all places asked for
	start int                // the same as pos, for load
	first int                // the same as pos, for word
	at    int                // window that words belongs to, -1 for none
	empty bool
	words *window     // the documents of it, in place where the container has a bitmap
	own   window      // memory for words
	spare *phraseView // memory for phrase
}

// enter points v at list, of the segment that comes next.
func (v *view) enter(list *posting.List, leaf *Leaf) {
	v.list, v.phrase, v.next, v.c = list, nil, 0, nil
	if list != nil {
		v.codes = list.Codes()
	}
	v.weight = uint64(leaf.Weight)
	v.constant = leaf.Constant || list != nil && !list.HasFreqs
}

// bind moves v on to a page of the segment.
func (v *view) bind(page uint16) {
	v.c = nil
	if v.phrase != nil {
		v.c = v.phrase.bind(page)
		v.pos, v.start, v.first, v.at = 0, 0, 0, -1
		return
	}
	if v.list == nil {
		return
	}
	cs := v.list.Containers
	for v.next < len(cs) && cs[v.next].Page < page {
		v.next++
	}
	if v.next < len(cs) && cs[v.next].Page == page {
		v.c = &cs[v.next]
		v.pos, v.start, v.first, v.at = 0, 0, 0, -1
	}
}

// limit computes max and returns it.
func (v *view) limit(bounds *[256]uint16) uint64 {
	switch {
	case v.constant:
		v.max = v.weight * score.MaxImpact
	case v.phrase != nil:
		v.max = v.phrase.limit(v, bounds)
	default:
		v.max = v.weight * uint64(bounds[v.c.Max])
	}
	return v.max
}

// least returns the smallest byte of Container.Bounds that stands for a
// weight*impact of need or more, 256 if there is none. v is not a phrase.
func (v *view) least(need uint64, bounds *[256]uint16) int {
	if v.constant {
		return 0
	}
	return sort.Search(len(bounds), func(b int) bool { return v.weight*uint64(bounds[b]) >= need })
}

// measure computes upper for the windows from first to end-1. max has been computed.
func (v *view) measure(bounds *[256]uint16, first, end int) {
	if v.constant {
		for w := first; w < end; w++ {
			v.upper[w] = v.max
		}
		return
	}
	if v.phrase != nil {
		v.phrase.measure(v, bounds, first, end)
		return
	}
	if v.c.Coarse != nil {
		for w := first; w < end; w++ {
			v.upper[w] = v.weight * uint64(bounds[v.c.Coarse[w]])
		}
		return
	}
	blocks, shift := v.c.Bounds, v.c.Shift
	if shift >= windowShift {
		for w := first; w < end; w++ {
			v.upper[w] = v.weight * uint64(bounds[blocks[w>>(shift-windowShift)]])
		}
		return
	}
	per := 1 << (windowShift - shift)
	for w := first; w < end; w++ {
		top := byte(0)
		for _, b := range blocks[w*per : w*per+per] {
			top = max(top, b)
		}
		v.upper[w] = v.weight * uint64(bounds[top])
	}
}

// near returns an upper bound of weight*impact for the block around a place.
func (v *view) near(place int, bounds *[256]uint16) uint64 {
	if v.constant {
		return v.max
	}
	if v.phrase != nil {
		return v.phrase.near(place, bounds)
	}
	return v.weight * uint64(bounds[v.c.Bounds[place>>v.c.Shift]])
}

// vague tells whether v is a phrase in a page where it is not yet known which
// of its candidates hold it.
func (v *view) vague() bool { return v.phrase != nil && v.phrase.page == nil }

// load returns the documents of window w, of a vague phrase its candidates, or
// nil if there are none. The result is valid until another window is asked for.
// Between two calls of bind, windows are asked for in ascending order.
func (v *view) load(w int) *window {
	if v.at != w {
		v.at, v.empty = w, !v.fill(w)
	}
	if v.empty {
		return nil
	}
	return v.words
}

// fill points words at window w and tells whether there is any document.
func (v *view) fill(w int) bool {
	if v.c.Words != nil && !v.vague() {
		v.words = windowOf(v.c.Words, w)
		return true
	}
	v.words = &v.own
	if v.vague() {
		return v.phrase.fill(w, v.words)
	}
	a, end := v.c.Array, (w+1)<<windowShift
	v.start = seek(a, v.start, w<<windowShift)
	if v.start*2 >= len(a) || element(a, v.start) >= end {
		return false
	}
	v.own = window{}
	for i := v.start; i*2 < len(a); i++ {
		p := element(a, i)
		if p >= end {
			break
		}
		v.own[p>>6&(windowWords-1)] |= 1 << (p & 63)
	}
	return true
}

// windowOf returns window w of a page.
func windowOf(p *Page, w int) *window { return (*window)(p[w*windowWords:]) }

// addTo adds the documents of window w to a set. It does in one step what load and
// a union of its result do. v is not vague.
func (v *view) addTo(set *window, w int) {
	if v.c.Words != nil {
		or(set, set, windowOf(v.c.Words, w))
		return
	}
	a, end := v.c.Array, (w+1)<<windowShift
	v.start = seek(a, v.start, w<<windowShift)
	for i := v.start; i*2 < len(a); i++ {
		p := element(a, i)
		if p >= end {
			break
		}
		set[p>>6&(windowWords-1)] |= 1 << (p & 63)
	}
}

// refine takes out of the words of window w, which are loaded, the documents in
// blocks of the list whose bound is below need.
func (v *view) refine(w int, need uint64, bounds *[256]uint16) {
	if v.words != &v.own {
		v.own = *v.words
		v.words = &v.own
	}
	v.refineSet(v.words, w, need, bounds)
}

// refineSet is refine for words that are the caller's.
func (v *view) refineSet(words *window, w int, need uint64, bounds *[256]uint16) {
	if v.phrase != nil {
		if v.phrase.slop == 0 { // else no word's bound is the phrase's
			for i := range v.phrase.lists {
				v.phrase.lists[i].refineSet(words, w, need, bounds)
			}
		}
		return
	}
	if v.constant || v.c.Shift >= windowShift {
		return
	}
	perBlock := 1 << v.c.Shift / 64
	first := w << (windowShift - v.c.Shift)
	for i := 0; i < windowWords; i += perBlock {
		if v.weight*uint64(bounds[v.c.Bounds[first]]) < need {
			clear(words[i : i+perBlock])
		}
		first++
	}
}

// few tells whether v has few documents in window w, which is loaded.
func (v *view) few(w int) bool {
	if v.vague() {
		return v.phrase.lists[v.phrase.order[0]].few(w)
	}
	return v.c.Words == nil && (v.start+fewInWindow >= len(v.c.Array)/2 || element(v.c.Array, v.start+fewInWindow) >= (w+1)<<windowShift)
}

// find returns the rank of a place in the list, and whether the list holds it.
// Vague phrases have no ranks. Between two calls of bind, places are asked for
// in ascending order.
func (v *view) find(place int) (rank int, ok bool) {
	if v.vague() {
		return 0, v.phrase.confirm(place)
	}
	return v.findPosting(place)
}

// findPosting is find for views that are not vague.
func (v *view) findPosting(place int) (rank int, ok bool) {
	c := v.c
	if c.Words == nil {
		v.pos = seek(c.Array, v.pos, place)
		return c.First + v.pos, v.pos*2 < len(c.Array) && element(c.Array, v.pos) == place
	}
	at := place >> 6
	x := c.Words[at]
	if x>>(place&63)&1 == 0 {
		return 0, false
	}
	return c.First + int(c.Ranks[at]) + bits.OnesCount64(x&(1<<(place&63)-1)), true
}

// word returns the documents of word at of the page that the list holds, and the
// rank of the first of them. If none of them is in x, it may return nothing. v is
// not a phrase. Between two calls of bind, words are asked for in ascending order.
func (v *view) word(at int, x uint64) (has uint64, rank int) {
	c := v.c
	if c.Words != nil {
		if has = c.Words[at]; has&x == 0 {
			return 0, 0
		}
		return has, c.First + int(c.Ranks[at])
	}
	loaded := v.at == at/windowWords
	if loaded {
		// refine may have emptied the word, but never a part of it.
		if v.empty || v.words[at%windowWords]&x == 0 {
			return 0, 0
		}
		has = v.words[at%windowWords]
	}
	v.first = seek(c.Array, v.first, at<<wordShift)
	for i, end := v.first, (at+1)<<wordShift; !loaded && i*2 < len(c.Array); i++ {
		place := element(c.Array, i)
		if place >= end {
			break
		}
		has |= 1 << (place & 63)
	}
	return has, c.First + v.first
}

// holds is find without the rank.
func (v *view) holds(place int) bool {
	c := v.c
	if c == nil {
		return false
	}
	if v.vague() {
		return v.phrase.confirm(place)
	}
	if c.Words == nil {
		v.pos = seek(c.Array, v.pos, place)
		return v.pos*2 < len(c.Array) && element(c.Array, v.pos) == place
	}
	return c.Words[place>>6]>>(place&63)&1 != 0
}

// impact returns the impact of the posting of rank and place.
func (r *run) impact(v *view, rank, place int) uint64 {
	if v.constant {
		return score.MaxImpact
	}
	if p := v.phrase; p != nil {
		if p.page != nil && p.page.impacts != nil {
			return uint64(p.page.impacts[rank])
		}
		p.confirm(place) // it is, but for a page that is settled nothing was read
		return r.impactOf(v, score.Escape, p.matcher.freqs, place)
	}
	code := v.codes.At(rank)
	if x, ok := r.seg.Table.Quick(code, r.slot.Norms, place-int(r.slot.NormBase)); ok {
		return uint64(x)
	}
	var vector score.Vector
	if code == score.Escape {
		vector = v.codes.Escaped(&r.vector, rank, r.seg.Table.Book())
	}
	return r.impactOf(v, code, vector, place)
}

// impactOf returns the impact of a vector of v at a place. The vector is given
// by its code, and as it is if that is Escape.
func (r *run) impactOf(v *view, code uint8, vector score.Vector, place int) uint64 {
	if v.constant {
		return score.MaxImpact
	}
	at := place - int(r.slot.NormBase)
	if code == score.Escape {
		if len(vector) == 1 { // of a phrase: the impacts of most frequencies need no division
			if code := r.seg.Table.Book().Code(vector); code != score.Escape {
				return uint64(r.seg.Table.Impact(code, r.slot.Norms, at))
			}
		}
		return uint64(r.seg.Table.ImpactOf(vector, r.slot.Norms, at))
	}
	return uint64(r.seg.Table.Impact(code, r.slot.Norms, at))
}

// element returns the i-th place of an array container.
func element(a []byte, i int) int { return int(binary.LittleEndian.Uint16(a[i*2:])) }

// seek returns the index of the first element of a that is not below place,
// at from or behind it. It gallops: O(log of the distance).
func seek(a []byte, from, place int) int {
	n := len(a) / 2
	if from >= n || element(a, from) >= place {
		return from
	}
	step := 1
	for from+step < n && element(a, from+step) < place {
		from += step
		step *= 2
	}
	lo, hi := from+1, min(from+step, n) // element(from) < place, and hi == n or element(hi) >= place
	for lo < hi {
		mid := int(uint(lo+hi) / 2)
		if element(a, mid) < place {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}
