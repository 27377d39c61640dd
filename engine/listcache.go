package engine

import (
	"hash/maphash"
	"math"
	"math/bits"
	"slices"
	"sync/atomic"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/search"
)

// listCache keeps posting lists that were read from segments, and those that
// were made of them for the beginnings of words. Lists own their
// bytes, so they outlive the segment that they came from. It also knows terms
// that a segment does not have. The lists that the segments of an index have of a
// term are together, since searches ask for all of them. It is divided, so that searches
// seldom wait for each other; of the divisions together, what is least recently used goes
// first. Large lists, which are those of the most frequent words
// with their positions, have a division of their own, which is only asked about
// what the others lack: up to half of the budget, they are not pushed out by
// small ones, which have all that is left.
//
// What was found lately is found again without a lock, in near and nearLarge. The divisions are not told
// of that: when one looks for what to forget, it asks (listGroup.used).
type listCache struct {
	budget    int64
	shared    sharedBudget
	seed      maphash.Seed
	divisions [16]*listDivision
	large     *listDivision
	near      [1 << nearBits]atomic.Pointer[listGroup] // of the divisions, by hash
	nearLarge [1 << 10]atomic.Pointer[listGroup]       // the same of large
}

// nearBits is the logarithm of how many terms may be in listCache.near. Untouched, it takes
// no memory.
const nearBits = 15

// listDivision has the lists of terms by a hash of their keys, which a search makes once
// and without a string of its own. Of two terms with one hash, it has at most one.
type listDivision = lru[uint64, *listGroup]

// listKey is a term of an index.
type listKey struct {
	index uint32 // index.number
	kind  listKind
	key   string // space and term
}

// listKind says which of the lists of a key.
type listKind uint8

const (
	listPlain    listKind = iota
	listPlaced            // with positions
	listPrefix            // key is the beginning of words, see searchRun.expansion
	listPhrase            // key is words that stand together, see resolver.listed
	listCompound          // key is parts of compounds, see decompounder.found
)

// listGroup is the lists of a term. It is read without a lock.
type listGroup struct {
	key   listKey
	hash  uint64
	large bool                          // it is of listCache.large
	used  atomic.Bool                   // found in near, since its division asked
	gone  atomic.Bool                   // forgotten by its division
	lists atomic.Pointer[[]segmentList] // which do not change
	row   atomic.Pointer[listRow]       // of the view that was searched last, if all of it is in lists
	more  int                           // bytes kept with row; the lock of the division is held
}

// is tells whether a group is that of a key.
func (g *listGroup) is(index uint32, kind listKind, key []byte) bool {
	return g.key.key == string(key) && g.key.index == index && g.key.kind == kind
}

// size is what a group takes in memory. The caller holds the lock of the division.
func (g *listGroup) size() int { return g.bytes() + g.more + groupOverhead + len(g.key.key) }

// use is find for a search that knows the group from the last time; nil also if the group was
// forgotten since.
func (g *listGroup) use(segment uint64) *listEntry {
	if g == nil || g.gone.Load() {
		return nil
	}
	if !g.used.Load() {
		g.used.Store(true)
	}
	return g.find(segment)
}

// segmentList is what a segment has of a term.
type segmentList struct {
	segment uint64 // segmentRef.uid
	entry   *listEntry
	size    int // bytes
}

// find returns the entry of a segment, nil if there is none, or no group.
func (g *listGroup) find(segment uint64) *listEntry {
	if g == nil {
		return nil
	}
	for _, s := range *g.lists.Load() {
		if s.segment == segment {
			return s.entry
		}
	}
	return nil
}

// listOverhead is about what a list takes in a group beside its own bytes, and
// groupOverhead what a group does.
const (
	listOverhead  = 160
	groupOverhead = 128
)

// add adds an entry, unless there is one of its segment or all would take more than
// most bytes. It returns the entry that is there, else the one given. The caller holds the
// lock of the division.
func (g *listGroup) add(s segmentList, now []*segmentRef, most int64) *listEntry {
	lists, bytes := g.of(now)
	if at := slices.IndexFunc(lists, func(o segmentList) bool { return o.segment == s.segment }); at >= 0 {
		s = lists[at]
	} else if int64(bytes+s.size) <= most {
		lists = append(lists, s)
	}
	g.set(lists)
	return s.entry
}

// prune lets go of what of does not return.
func (g *listGroup) prune(now []*segmentRef) {
	lists, _ := g.of(now)
	g.set(lists)
}

// set gives a group its lists, of which there is no row yet.
func (g *listGroup) set(lists []segmentList) {
	g.lists.Store(&lists)
	g.row.Store(nil)
	g.more = 0
}

// of returns the lists of a group without those of segments that an index no longer
// has, and their bytes. Segments younger than those of now are not known to a search that
// began before they were made.
func (g *listGroup) of(now []*segmentRef) (lists []segmentList, bytes int) {
	youngest := uint64(0)
	for _, r := range now {
		youngest = max(youngest, r.uid)
	}
	if old := g.lists.Load(); old != nil {
		for _, o := range *old {
			if o.segment > youngest || slices.ContainsFunc(now, func(r *segmentRef) bool { return r.uid == o.segment }) {
				lists = append(lists, o)
				bytes += o.size
			}
		}
	}
	return lists, bytes
}

// bytes is what the lists of a group take.
func (g *listGroup) bytes() (n int) {
	for _, s := range *g.lists.Load() {
		n += s.size
	}
	return n
}

type listEntry struct {
	list    *posting.List // nil: the segment has no such term
	dead    atomic.Pointer[deadCount]
	leaders search.Leaders // of list
}

// deadCount is how many documents of a list are deleted in one generation of
// deleted documents.
type deadCount struct {
	gen uint64
	n   int
}

func newListCache(budget int64) *listCache {
	c := &listCache{budget: budget, seed: maphash.MakeSeed()}
	c.large = newSharingLRU[uint64, *listGroup](budget/2, &c.shared)
	for i := range c.divisions {
		c.divisions[i] = newSharingLRU[uint64, *listGroup](budget, &c.shared)
	}
	for _, d := range append(c.divisions[:], c.large) {
		d.spare = func(g *listGroup) bool { return g.used.Swap(false) }
		d.forgot = c.forget
	}
	return c
}

// place is where a group may be found without a lock.
func (c *listCache) place(hash uint64, large bool) *atomic.Pointer[listGroup] {
	if large {
		return &c.nearLarge[hash>>(64-10)]
	}
	return &c.near[hash>>(64-nearBits)]
}

// keep has a group of a division found without a lock.
func (c *listCache) keep(g *listGroup) {
	at := c.place(g.hash, g.large)
	at.Store(g)
	if g.gone.Load() { // since it was found, and perhaps before it was here
		at.CompareAndSwap(g, nil)
	}
}

// forget ends that: the division of the group has forgotten it. Whoever still knows the
// group keeps no lists by it.
func (c *listCache) forget(g *listGroup) {
	g.gone.Store(true)
	c.place(g.hash, g.large).CompareAndSwap(g, nil)
	g.set(nil)
}

// join makes the cache one of those that share m, sure of so many bytes.
func (c *listCache) join(m *cacheMemory, sure int64) {
	share := m.join(sure, c.shrink)
	for _, d := range append(c.divisions[:], c.large) {
		d.memory = share
	}
}

// termLists is the lists of a term for one search.
type termLists struct {
	cache        *listCache
	key          listKey
	hash         uint64
	division     *listDivision
	small, large *listGroup // nil: none

	askedSmall, askedLarge bool
}

// of returns the lists of a key of an index.
func (c *listCache) of(index uint32, kind listKind, key []byte) termLists {
	h := maphash.Bytes(c.seed, key) ^ (uint64(index)<<2|uint64(kind))*0x9e3779b97f4a7c15
	t := termLists{cache: c, hash: h, division: c.divisions[bits.RotateLeft64(h, 17)&15]}
	for _, large := range [...]bool{false, true} {
		g := c.place(h, large).Load()
		if g == nil || g.hash != h || !g.is(index, kind, key) {
			continue
		}
		if !g.used.Load() {
			g.used.Store(true)
		}
		if t.key = g.key; !large {
			t.small, t.askedSmall = g, true
			return t
		}
		t.large, t.askedLarge = g, true
	}
	if !t.askedLarge {
		t.key = listKey{index, kind, ""}
		if g, ok := t.division.find(h); ok && g.is(index, kind, key) {
			t.small, t.key = g, g.key
			c.keep(g)
		} else {
			t.key.key = string(key)
		}
		t.askedSmall = true
	}
	return t
}

// load returns the entry of a segment, which read reads if it is not here. now are
// the segments of the index.
func (t *termLists) load(segment uint64, now []*segmentRef, read func() (*posting.List, int, error)) (*listEntry, error) {
	if en := t.askSmall().find(segment); en != nil {
		return en, nil
	}
	if en := t.askLarge().find(segment); en != nil {
		return en, nil
	}
	list, size, err := read()
	if err != nil {
		return nil, err
	}
	if list != nil {
		size += search.LeadersSize(list.DF)
	}
	c := t.cache
	d, group, other, left := t.division, &t.small, c.large, t.large
	if size += listOverhead; int64(size) > c.budget/128 {
		d, group, other, left = c.large, &t.large, t.division, t.small
	}
	en := &listEntry{list: list}
	if int64(size) > d.largest {
		return en, nil // it would push too much out
	}
	d.update(t.hash, func(g *listGroup, ok bool) (*listGroup, int) {
		if !ok || g.key != t.key {
			if ok {
				c.forget(g)
			}
			g = &listGroup{key: t.key, hash: t.hash, large: d == c.large}
		}
		*group = g
		en = g.add(segmentList{segment, en, size}, now, d.budget*3/4)
		return g, g.size()
	})
	if left != nil { // of segments that may have been merged into this one
		other.revise(t.hash, func(g *listGroup) int {
			if g.key == t.key {
				g.prune(now)
			}
			return g.size()
		})
	}
	c.trim()
	return en, nil
}

// grow makes room for what is kept with the row of the term in a division, and tells
// whether there is any. It counts with the lists of the term, and is forgotten with them.
func (t *termLists) grow(d *listDivision, bytes int) bool {
	if t.cache.crowded() || int64(bytes) > d.largest/4 {
		return false
	}
	t.resize(d, bytes)
	t.cache.trim()
	return true
}

// resize counts the lists of the term in a division, and so many bytes besides.
func (t *termLists) resize(d *listDivision, bytes int) {
	d.revise(t.hash, func(g *listGroup) int {
		if g.key == t.key {
			g.more = bytes
		}
		return g.size()
	})
}

// askLarge returns the group of large lists, nil if there is none.
func (t *termLists) askLarge() *listGroup {
	if !t.askedLarge {
		t.askedLarge, t.large = true, t.ask(t.cache.large)
	}
	return t.large
}

// askSmall is the same for the others.
func (t *termLists) askSmall() *listGroup {
	if !t.askedSmall {
		t.askedSmall, t.small = true, t.ask(t.division)
	}
	return t.small
}

// ask returns the group that a division has of the term, nil if there is none.
func (t *termLists) ask(d *listDivision) *listGroup {
	g, ok := d.find(t.hash)
	if !ok || g.key != t.key {
		return nil
	}
	t.cache.keep(g)
	return g
}

// crowded tells whether lists had better take little room: soon others will have to go
// for them.
func (c *listCache) crowded() bool {
	return c.shared.bytes.Load() > c.budget/2 || c.large.memory.crowded()
}

// trim forgets small lists, the least recently used first, until all keep to the
// budget. Large ones do on their own.
func (c *listCache) trim() {
	for c.shared.bytes.Load() > c.budget && dropOldestOf(c.divisions[:]) {
	}
}

// shrink forgets lists, small and large, of so many bytes or more.
func (c *listCache) shrink(bytes int64) {
	all := append(c.divisions[:], c.large)
	for to := c.shared.bytes.Load() - bytes; c.shared.bytes.Load() > to && dropOldestOf(all); {
	}
}

// dropOldestOf forgets what is least recently used in all of the divisions, false
// if there is nothing.
func dropOldestOf(divisions []*listDivision) bool {
	for try := 0; ; try++ {
		victim := divisions[0]
		for _, d := range divisions[1:] {
			if d.oldest.Load() < victim.oldest.Load() {
				victim = d
			}
		}
		switch {
		case victim.oldest.Load() == math.MaxInt64:
			return false
		case victim.dropOldest():
			return true
		case try == len(divisions): // all are in use, and go on being
			victim.dropAny()
			return true
		}
	}
}

// liveDF is the number of live documents of the entry's list in a view.
func (en *listEntry) liveDF(iv *indexView) int {
	if en.list == nil {
		return 0
	}
	if len(iv.dead) == 0 {
		return en.list.DF
	}
	if d := en.dead.Load(); d != nil && d.gen == iv.deadGen {
		return en.list.DF - d.n
	}
	n := 0
	for i := range en.list.Containers {
		c := &en.list.Containers[i]
		if words := iv.deadWords(c.Page); words != nil {
			n += c.AndCount(words)
		}
	}
	en.dead.Store(&deadCount{iv.deadGen, n})
	return en.list.DF - n
}

// size returns the number of lists and their bytes.
func (c *listCache) size() (lists int, bytes int64) {
	for _, d := range append(c.divisions[:], c.large) {
		d.each(func(g *listGroup) { lists += len(*g.lists.Load()) })
		_, size := d.size()
		bytes += size
	}
	return lists, bytes
}
