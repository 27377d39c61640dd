package engine

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/quarry-search/quarry/engine/internal/page"
	"github.com/quarry-search/quarry/engine/internal/search"
	"github.com/quarry-search/quarry/engine/internal/segment"
)

// How many records hold the words of a query says whether what stands for them is looked for. Only
// those count that the caller may see (Request.Restrict): what becomes of a query must not depend on others.

// jointCounts is what the indexes of a search hold together: each of them asks for the same.
type jointCounts struct {
	holders map[string]int64 // by term
	inSetup map[heldTerm]int64
	inSight map[spaceTerm]int64
	seen    map[indexTerm]bool // whether a record of an index that the caller may see holds a term
	docs    uint64             // see resolver.seenDocs: as many there are at least
	beside  map[string]bool    // whether any has the words of a text side by side
	indexes map[string]int     // by phrase: how many indexes hold all of its terms
}

// heldTerm is a term in the fields that are read in one way, or in those of them in which words
// are repaired.
type heldTerm struct {
	setup    setup
	repaired bool
	term     string
}

// spaceTerm is a term of a space.
type spaceTerm struct {
	space uint16
	term  string
}

// once returns what is known of a key, which count finds out if it is not.
func once[K comparable, V any](known *map[K]V, key K, count func() V) V {
	if v, ok := (*known)[key]; ok {
		return v
	}
	v := count()
	if *known == nil {
		*known = map[K]V{}
	}
	(*known)[key] = v
	return v
}

// holders is how many records of all indexes of the search hold a term.
func (r *resolver) holders(term string) int64 {
	if !r.joint && len(r.unseen) == 0 && len(r.req.Restrict) == 0 {
		if l := r.leafOf(term, nil); l != nil {
			return l.df
		}
	}
	return once(&r.counts.holders, term, func() (n int64) {
		for _, run := range r.run.all {
			if r.unseen[indexTerm{run.name, term}] {
				continue
			}
			n += r.heldIn(run, term, nil)
		}
		return n
	})
}

// leafOf returns the leaf of a term of texts in fields, nil if there is none.
func (r *resolver) leafOf(term string, fields []bool) *leaf {
	for i := range r.leaves {
		if l := &r.leaves[i]; l.text && !l.flat && l.term == term && slices.Equal(l.fields, fields) {
			return l
		}
	}
	return nil
}

// anyHolds tells whether each term of a phrase is in a record of an index of the search, and not only
// of those out of sight.
func (r *resolver) anyHolds(phrase string) bool {
	if !r.joint {
		return r.holdsAll(r.run, phrase)
	}
	for term := range strings.SplitSeq(phrase, " ") {
		if r.holders(term) == 0 {
			return false
		}
	}
	return true
}

// rareAtMost is how many records of all indexes of the search hold a rare word at most.
func (r *resolver) rareAtMost() int64 {
	return max(2, min(rareRecords, int64(r.seenDocs(rareRecords*rareShare)/rareShare)))
}

// seenDocs is how many records with texts all indexes of the search have that the caller may see; once it
// has come to most, it may be less than that.
func (r *resolver) seenDocs(most uint64) (n uint64) {
	if len(r.req.Restrict) == 0 {
		return r.docs
	}
	if r.counts.docs >= most {
		return r.counts.docs
	}
	for _, run := range r.run.all {
		if n >= most {
			break
		}
		more, err := run.res.seenHere(most - n)
		if err != nil {
			r.fail(err)
			return n
		}
		n += more
	}
	r.counts.docs = n
	return n
}

// seenHere is seenDocs of the index, which is remembered by view.
func (r *resolver) seenHere(most uint64) (n uint64, err error) {
	facts := r.run.e.facts
	key := facts.key(r.run.iv, factSeen, r.sightKey())
	if f := facts.find(&key); f != nil {
		return uint64(f.n), nil
	}
	seen, err := r.sight()
	if err != nil {
		return 0, err
	}
	for seg := range r.run.segs {
		for slot := range r.run.segs[seg].Slots {
			sl := &r.run.segs[seg].Slots[slot]
			ref := r.run.iv.chunkOf(uint32(sl.Page)<<16 | uint32(sl.First))
			if ref == nil {
				continue
			}
			norms, err := ref.chunk.Norms(page.AllFields)
			if err != nil {
				return 0, err
			}
			if norms == nil {
				continue
			}
			words, err := seen.page(seg, slot)
			if err != nil {
				return 0, err
			}
			base := int(uint16(ref.base()))
			for i, w := range words {
				if n >= most {
					return n, nil
				}
				for ; w != 0; w &= w - 1 {
					if at := i<<6 + bits.TrailingZeros64(w) - base; at >= 0 && at < len(norms) && norms[at] != 0 {
						n++
					}
				}
			}
		}
	}
	facts.add(&wordFact{key: key, n: int64(n)})
	return n, nil
}

// isRare tells whether so few records hold a word of a span, in the fields of a group,
// that those are wanted, too, that hold something else for it.
func (r *resolver) isRare(span []item, g analyzerGroup) bool {
	most := r.rareAtMost()
	part := r.joint || g.fields != nil
	for i := range span {
		if it := &span[i]; !it.filler && (r.holders(it.term) <= most || part && r.holdersIn(it, g) <= most) {
			return true
		}
	}
	return false
}

// isMissing tells whether no record holds any word of a span that is no filler. A word that is
// pairs of characters is missing where one of them is.
func (r *resolver) isMissing(span []item) bool {
	if slices.ContainsFunc(span, func(it item) bool { return it.pair && r.holders(it.term) == 0 }) {
		return true
	}
	return !slices.ContainsFunc(span, func(it item) bool { return !it.filler && r.holders(it.term) > 0 })
}

// holdersIn is how many records of all indexes of the search hold the term of an item in
// the fields that are read as those of a group are.
func (r *resolver) holdersIn(it *item, g analyzerGroup) int64 {
	if !r.joint && len(r.unseen) == 0 && len(r.req.Restrict) == 0 {
		if l := r.leafOf(it.term, g.fields); l != nil {
			return l.df
		}
	}
	return once(&r.counts.inSetup, heldTerm{g.setup, it.repaired, it.term}, func() (n int64) {
		for _, run := range r.run.all {
			if r.unseen[indexTerm{run.name, it.term}] {
				continue
			}
			for _, other := range run.res.analyzers(run.res.mask) {
				if other.setup == g.setup {
					n += r.heldIn(run, it.term, run.res.within(other, []item{*it}).fields)
				}
			}
		}
		return n
	})
}

// heldIn is how many records of an index hold a term in text fields, nil being all.
func (r *resolver) heldIn(run *searchRun, term string, fields []bool) (n int64) {
	if len(r.req.Restrict) > 0 {
		return r.inSight(run, segment.SpaceText, []byte(term), fields)
	}
	row := r.rowOf(run, term)
	switch {
	case row == nil:
		return 0
	case fields == nil:
		return row.df
	}
	facts := r.run.e.facts
	key := facts.key(run.iv, factHeld, run.iv.schema.maskKey(fields)+":"+term)
	if f := facts.find(&key); f != nil {
		return f.n
	}
	for i, list := range row.lists {
		list, err := search.Restrict(&run.segs[i], list, fields)
		if err != nil {
			r.fail(err)
			return 0
		}
		if list != nil {
			n += int64(run.live(list))
		}
	}
	facts.add(&wordFact{key: key, n: n})
	return n
}

// inSight is how many records of an index that the caller may see hold a term or a word, in text
// fields, nil being all.
func (r *resolver) inSight(run *searchRun, space uint16, term []byte, fields []bool) int64 {
	if len(r.req.Restrict) == 0 && fields == nil {
		lists := run.term(space, term, false)
		n, err := lists.df()
		if err != nil {
			r.fail(err)
		}
		return n
	}
	v, err := run.res.sight()
	if err == nil {
		var n int64
		if n, err = (&sight{run: run, sets: v.sets, fields: fields, own: v.own}).df(space, term); err == nil {
			return n
		}
	}
	r.fail(err)
	return 0
}

// inAllSight is how many records of all indexes of the search that the caller may see hold a term or
// a word.
func (r *resolver) inAllSight(space uint16, term []byte) int64 {
	if !r.joint {
		return r.inSight(r.run, space, term, nil)
	}
	return once(&r.counts.inSight, spaceTerm{space, string(term)}, func() (n int64) {
		for _, run := range r.run.all {
			n += r.inSight(run, space, term, nil)
		}
		return n
	})
}

// sight is what the caller may see of the index, also before what is imposed has been bound to it for
// the search (searchRun.imposed).
func (r *resolver) sight() (*sight, error) {
	if r.eyes != nil {
		return r.eyes, nil
	}
	out := &sight{run: r.run}
	for _, f := range r.req.Restrict {
		n, err := r.run.e.parseFilter(f)
		if err != nil {
			return nil, errImposed()
		}
		cond, err := bindFilter(r.run.iv.schema, n, r.filterable)
		if err != nil {
			return nil, errImposed()
		}
		out.sets = append(out.sets, &filterSet{run: r.run, cond: cond})
	}
	r.eyes = out
	return out, nil
}

// sightKey names what the caller may see, in front of what is remembered of it by view: "" is all.
func (r *resolver) sightKey() string {
	if len(r.req.Restrict) == 0 {
		return ""
	}
	return fmt.Sprintf("%q:", r.req.Restrict)
}

// isSeenIn tells whether a record of an index of the search that the caller may see holds a term.
func (r *resolver) isSeenIn(run *searchRun, term string) bool {
	row := r.rowOf(run, term)
	if row == nil || row.df == 0 || len(r.req.Restrict) == 0 {
		return row != nil && row.df > 0
	}
	return once(&r.counts.seen, indexTerm{run.name, term}, func() bool {
		v, err := run.res.sight()
		if err == nil {
			var seen bool
			if seen, err = v.any(row.lists); err == nil {
				return seen
			}
		}
		r.fail(err)
		return false
	})
}

// seesNone tells whether it is known, without a search, that no record which the caller may see
// satisfies a condition on words.
func (r *resolver) seesNone(e *search.Expr) bool {
	switch e.Op {
	case search.OpLeaf:
		l := &r.leaves[e.Leaf]
		return (l.phrase == nil || l.phrase.listed) && !r.isSeen(l)
	case search.OpOr:
		return !slices.ContainsFunc(e.Kids, func(k *search.Expr) bool { return !r.seesNone(k) })
	}
	return false
}

// isSeen tells whether a record that the caller may see is found by a leaf.
func (r *resolver) isSeen(l *leaf) bool {
	if l.df == 0 && (l.phrase == nil || l.phrase.listed || l.phrase.counted) || len(r.req.Restrict) == 0 {
		return l.df > 0
	}
	v, err := r.sight()
	if err == nil && l.phrase != nil && !l.phrase.listed {
		var n int64
		if n, err = r.run.holding(l.phrase, 1, v.sets...); err == nil {
			return n > 0
		}
	}
	if err == nil {
		var seen bool
		if seen, err = v.any(l.lists); err == nil {
			return seen
		}
	}
	r.fail(err)
	return false
}
