package engine

import (
	"fmt"
	"sync"
	"testing"

	"github.com/quarry-search/quarry/engine/internal/posting"
)

// TestListCacheKeepsLargeLists checks that a list which takes a large part of
// the budget, as that of a frequent word with its positions does, is read once,
// and that many small ones do not push it out.
func TestListCacheKeepsLargeLists(t *testing.T) {
	const budget = 64 << 20
	c := newListCache(budget)
	reads := 0
	load := func(key string, size int) {
		t.Helper()
		lists := c.of(0, listPlain, []byte(key))
		_, err := lists.load(1, nil, func() (*posting.List, int, error) {
			reads++
			return &posting.List{}, size, nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	load("the", budget/8)
	load("of", budget/16)
	for i := range 10_000 {
		load(fmt.Sprint(i), 10_000)
	}
	before := reads
	load("the", budget/8)
	load("of", budget/16)
	if reads != before {
		t.Errorf("%d of 2 large lists were read twice", reads-before)
	}
	load("all", budget)
	if _, bytes := c.size(); bytes > budget {
		t.Errorf("%d bytes are kept, the budget is %d", bytes, budget)
	}
}

// TestListCacheGivesSmallListsWhatLargeOnesLeave: without large lists, small ones
// have all of the budget, and what was used last stays, whatever division it is in.
func TestListCacheGivesSmallListsWhatLargeOnesLeave(t *testing.T) {
	const budget, size = 64 << 20, 100_000
	c := newListCache(budget)
	reads := 0
	load := func(i, size int) {
		t.Helper()
		lists := c.of(0, listPlain, fmt.Append(nil, i))
		_, err := lists.load(1, nil, func() (*posting.List, int, error) {
			reads++
			return &posting.List{}, size, nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for i := range 1000 {
		load(i, size)
	}
	lists, bytes := c.size()
	if bytes > budget || bytes < budget-2*size {
		t.Errorf("%d bytes are kept, the budget is %d", bytes, budget)
	}
	reads = 0
	for i := 999; i > 1000-lists; i-- {
		load(i, size)
	}
	if reads != 0 {
		t.Errorf("%d of the last %d lists were read twice", reads, lists)
	}
	load(-1, budget/8) // a large one
	if _, bytes := c.size(); bytes > budget || bytes < budget-2*size {
		t.Errorf("with a large one %d bytes are kept, the budget is %d", bytes, budget)
	}
	reads = 0
	load(-1, budget/8)
	if reads != 0 {
		t.Error("the large one was pushed out")
	}
}

// TestListsAreCompactWhereRoomIsShort: a cache tells when half of its own budget is
// taken, and when next to all of the memory is that it shares with other caches.
func TestListsAreCompactWhereRoomIsShort(t *testing.T) {
	const budget = 64 << 20
	fill := func(c *listCache, bytes int) {
		t.Helper()
		for i := 0; i < bytes; i += 100_000 {
			lists := c.of(0, listPlain, fmt.Append(nil, i))
			_, err := lists.load(1, nil, func() (*posting.List, int, error) { return &posting.List{}, 100_000, nil })
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	c := newListCache(budget)
	if fill(c, budget/3); c.crowded() {
		t.Error("a third of the budget is taken, and the cache is crowded")
	}
	if fill(c, budget*2/3); !c.crowded() {
		t.Error("two thirds of the budget are taken, and the cache is not crowded")
	}
	m := &cacheMemory{limit: budget}
	c = newListCache(budget)
	c.join(m, budget/2)
	other := m.join(budget, func(int64) {})
	if c.crowded() {
		t.Error("the memory is empty, and the cache is crowded")
	}
	if other.count(budget - budget/32); !c.crowded() {
		t.Error("the memory is full, and the cache is not crowded")
	}
}

// TestListsOfATermAreTogether: what segments have of a term is found once it has been
// read, by searches at the same time too, and goes when the segment is no longer one of
// the index.
func TestListsOfATermAreTogether(t *testing.T) {
	c := newListCache(64 << 20)
	want := map[uint64]*posting.List{}
	var all []*segmentRef
	for uid := range uint64(12) {
		want[uid] = &posting.List{DF: int(uid) + 1}
		all = append(all, &segmentRef{uid: uid})
	}
	size := func(uid uint64) int {
		if uid == 5 {
			return 4 << 20 // a large one
		}
		return 100
	}
	get := func(lists *termLists, uid uint64, now []*segmentRef) (read bool) {
		en, err := lists.load(uid, now, func() (*posting.List, int, error) {
			read = true
			return want[uid], size(uid), nil
		})
		if err != nil || en.list != want[uid] {
			t.Errorf("segment %d: %v, %v", uid, en.list, err)
		}
		return read
	}
	var searches sync.WaitGroup
	for range 4 {
		searches.Go(func() {
			for range 50 {
				lists := c.of(1, listPlain, []byte("word"))
				for uid := range uint64(8) {
					get(&lists, uid, all[:8])
				}
			}
		})
	}
	searches.Wait()
	if n, _ := c.size(); n != 8 {
		t.Errorf("%d lists of 8 segments are kept", n)
	}
	for _, other := range []listKey{{2, listPlain, "word"}, {1, listPlaced, "word"}, {1, listPrefix, "word"}, {1, listPlain, "words"}} {
		if lists := c.of(other.index, other.kind, []byte(other.key)); lists.small != nil {
			t.Errorf("%+v has the lists of another key", other)
		}
	}
	now := all[4:9] // segments 0 to 3 have been merged into 8
	lists := c.of(1, listPlain, []byte("word"))
	for uid := uint64(4); uid < 9; uid++ {
		if read := get(&lists, uid, now); read != (uid == 8) {
			t.Errorf("segment %d: read %t", uid, read)
		}
	}
	if n, bytes := c.size(); n != 5 || bytes > 5<<20 {
		t.Errorf("%d lists of 5 segments are kept, %d bytes", n, bytes)
	}
	lists = c.of(1, listPlain, []byte("word"))
	for uid := uint64(4); uid < 9; uid++ {
		if get(&lists, uid, now) {
			t.Errorf("segment %d was read twice", uid)
		}
	}
	// A search that began before segment 8 was made leaves what it does not know.
	lists = c.of(1, listPlain, []byte("word"))
	get(&lists, 2, all[:8])
	if get(&lists, 8, all[:8]) {
		t.Error("an old search made away with the newest list")
	}
}

// TestLargeListsPutSmallOnesOut: where small lists of a term have become a large one,
// by a merge, they go, however often the term is asked for; and lists of a term that
// together do not fit do not put each other out, nor those of other terms.
func TestLargeListsPutSmallOnesOut(t *testing.T) {
	const budget = 64 << 20
	c := newListCache(budget)
	reads := 0
	get := func(key string, uid uint64, size int, now ...uint64) {
		t.Helper()
		var segs []*segmentRef
		for _, uid := range now {
			segs = append(segs, &segmentRef{uid: uid})
		}
		lists := c.of(0, listPlain, []byte(key))
		_, err := lists.load(uid, segs, func() (*posting.List, int, error) {
			reads++
			return &posting.List{}, size, nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for uid := range uint64(8) {
		get("word", uid, budget/150, 0, 1, 2, 3, 4, 5, 6, 7)
	}
	get("word", 8, budget/20, 8)
	if n, bytes := c.size(); n != 1 || bytes > budget/19 {
		t.Errorf("%d lists of one segment are kept, %d bytes", n, bytes)
	}
	all := []uint64{10, 11, 12, 13, 14, 15}
	for range 3 {
		for _, uid := range all {
			get("the", uid, budget/10, all...)
		}
	}
	if n, bytes := c.size(); n < 4 || bytes > budget {
		t.Errorf("%d lists are kept, %d bytes", n, bytes)
	}
	reads = 0
	get("word", 8, budget/20, 8)
	if reads != 0 {
		t.Error("lists of another term were put out")
	}
}

// A group that no division keeps, because it is too large, has no lists that somebody who
// still knows it could go on keeping uncounted.
func TestGroupsThatAreTooLargeKeepNothing(t *testing.T) {
	for spare := range 1000 {
		c := newListCache(1 << 20)
		lists := c.of(1, listPlaced, []byte("word"))
		list := &posting.List{}
		size := int(c.large.largest) - listOverhead - spare
		en, err := lists.load(7, nil, func() (*posting.List, int, error) { return list, size, nil })
		if err != nil || en.list != list {
			t.Fatalf("%d bytes: entry %+v, error %v", size, en, err)
		}
		_, bytes := c.size()
		for _, g := range []*listGroup{lists.small, lists.large} {
			if kept := g.use(7) == en; kept && bytes == 0 {
				t.Fatalf("a list of %d bytes is kept by a group that does not count", size)
			} else if g != nil && !kept && bytes > 0 {
				t.Fatalf("a list of %d bytes counts, and its group does not have it", size)
			}
		}
	}
}
