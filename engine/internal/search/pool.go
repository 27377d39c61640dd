package search

import (
	"sync"

	"github.com/quarry-search/quarry/engine/internal/collect"
	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/score"
)

// Pool keeps the working memory of queries that have ended for those that
// come. The zero value is ready, and it is safe for concurrent use. It must
// not be copied.
type Pool struct{ free sync.Pool }

// take returns working memory for one query. A nil Pool makes it anew.
func (p *Pool) take() *run {
	if p != nil {
		if r, ok := p.free.Get().(*run); ok {
			return r
		}
	}
	r := new(run)
	for i := range r.ones {
		r.ones[i] = ^uint64(0)
	}
	return r
}

// give takes back what take returned, and lets go of all that belongs to the
// query.
func (p *Pool) give(r *run) {
	if p == nil {
		return
	}
	for i := range r.leaves {
		v := &r.leaves[i]
		v.list, v.phrase, v.c, v.words, v.codes = nil, nil, nil, nil, posting.CodeReader{}
		if v.spare != nil {
			v.spare.release()
		}
	}
	for i := range r.nodes {
		r.nodes[i].set = nil
	}
	r.q, r.seg, r.slot, r.after = nil, nil, nil, nil
	clear(r.reach.words[:cap(r.reach.words)])
	clear(r.parts[:cap(r.parts)])
	clear(r.flat[:cap(r.flat)])
	clear(r.arrays[:cap(r.arrays)])
	clear(r.joined[:cap(r.joined)])
	r.top.Reset(0, nil, nil)
	p.free.Put(r)
}

// run is one query while it runs, with all the memory it needs. It is bound to
// one slot at a time (bind) and walks the slots in order.
type run struct {
	q      *Query
	leaves []view  // by leaf
	nodes  []node  // the condition, operands before what they are operands of
	kids   []int32 // operands of all nodes
	root   int32

	// The slot at hand.
	seg       *Segment
	slot      *Slot
	segIndex  int
	slotIndex int
	whole     bool // the slot covers the page and no document is dead

	// What is looked for.
	top      collect.TopK
	after    *Cursor
	floor    uint64 // scores below it are not looked for, whatever is in top
	need     uint64 // scores below it are not looked for
	k        int    // how many hits are looked for
	counting bool   // hits are counted instead of put into top
	counted  int64
	implied  bool // every document of a scoring leaf matches
	ranked   bool // what is settled will be scored
	loose    bool // conditions may be taken for satisfied by the candidates of phrases
	single   bool // offer takes one document at a time

	scorers    []scorer        // the scoring leaves of the documents at hand, strongest first
	upper      [windows]uint64 // what their scores may come to, by window
	reach      reach
	lead       pageBits
	sums       [64]uint64         // scores so far, of the documents of a word
	vector     score.Vector       // memory for one that no code stands for
	unseen     []unseen           // see strongest
	champions  []posting.Champion // the same
	parts      []ledPart          // see led
	contenders []contender        // see kthChampion
	planes     []window           // memory of the counters of nodes
	mask       window             // see alive
	ones       window
	page       Page                  // see matches, unite, countUnion and countArrays
	flat       []*posting.Container  // see flatten
	arrays     []*posting.Container  // see countUnion
	marked     posting.Container     // r.page as one, see countUnion
	joined     [][]posting.Container // see countLiving
	common     []uint16              // see countArrays

	// See gather.
	gathered [1 << windowShift]uint64 // scores so far, of the documents of a window
	highest  collect.Scores           // of them
	left     [1 << windowShift]uint16 // places of the documents that may come to need
	held     [1 << windowShift]byte   // by place of left: see keepUnion
	places   [1 << windowShift]uint16 // memory of placesOf
	codes    [128]uint8               // memory of pile
}
