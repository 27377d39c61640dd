package engine

import (
	"bytes"
	"errors"
	"math/bits"
	"slices"
	"sort"
	"strings"

	"github.com/quarry-search/quarry/engine/internal/page"
	"github.com/quarry-search/quarry/engine/internal/search"
)

// found is a hit before its record is read.
type found struct {
	run   *searchRun
	hit   search.Hit
	ref   *chunkRef
	place int
	keys  []SortValue

	pinned bool
	bonus  []bonusPart // of the score; see rerank.go
	read   bool        // the record may be read for a bonus; see characterDepth
	near   bool        // and for words of families; see contend
	worth  uint16      // of having the name that the query is or begins, as a multiple of the best score, in 1/worthUnit; see findNamed
	lift   uint64      // what that gave
	// complete: it holds all words of the query, and comes first for that.
	complete bool
	// meaning is the part of the score that is for the meaning, not for words.
	meaning uint64
}

func (run *searchRun) found(h search.Hit) found {
	ref := run.iv.chunkOf(h.Doc)
	return found{run: run, hit: h, ref: ref, place: int(h.Doc - ref.base())}
}

// before is the order of hits of equal score within an index: by id.
func (run *searchRun) before(a, b search.Hit) bool {
	ra := run.iv.chunkOf(a.Doc)
	rb := ra
	if b.Doc < ra.base() || b.Doc >= ra.end() {
		rb = run.iv.chunkOf(b.Doc)
	}
	c, err := ra.chunk.CompareID(int(a.Doc-ra.base()), rb.chunk, int(b.Doc-rb.base()))
	if err != nil && run.res.err == nil {
		run.res.err = err
	}
	return c < 0
}

// idKeys sets keys to the first 16 bytes of the ids of hits, which most often
// decide before does.
func (run *searchRun) idKeys(hits []search.Hit, keys []search.Key) {
	var spots [idsAtOnce]page.Spot
	for len(hits) > 0 {
		n := min(len(hits), len(spots))
		for i, h := range hits[:n] {
			ref := run.iv.chunkOf(h.Doc)
			spot, err := ref.chunk.Spot(int(h.Doc - ref.base()))
			if err != nil && run.res.err == nil {
				run.res.err = err
			}
			spots[i] = spot
		}
		for i := range n {
			keys[i] = spots[i].Head()
		}
		hits, keys = hits[n:], keys[n:]
	}
}

// idsAtOnce is how many ids are looked for before the first of them is read. See
// page.Spot.
const idsAtOnce = 32

// collect finds the hits of the page asked for. When time runs out it keeps
// what was found until then.
func (s *searcher) collect(res *Result) error {
	collapse, err := s.collapser()
	if err != nil {
		return err
	}
	k := s.want
	if s.limit() > 0 {
		k++ // to know whether there is a next page
	}
	var hits []found
	if collapse == nil {
		hits, res.Total, err = s.best(stretch{k: k, after: s.after(), count: !s.req.NoTotal})
	} else {
		hits, res.Total, err = collapse.collect(k)
	}
	if err != nil && !s.expired(err) {
		return err
	}
	late := err
	for _, run := range s.runs {
		if run.res.err != nil {
			return run.res.err
		}
	}
	res.Total += int64(len(s.pins))
	hits = s.merge(hits, s.want+1)
	if len(s.req.Facets) > 0 {
		s.withPinned()
		res.Facets, err = s.facets()
		if err != nil && !s.expired(err) {
			return err
		}
		late = errors.Join(late, err)
	}
	more := len(hits) > s.want
	hits = hits[:min(s.want, len(hits))]
	page := hits[min(s.req.Offset, len(hits)):]
	if err := s.fetch(page, res); err != nil {
		return err
	}
	if s.req.Group != nil && late == nil {
		late = collapse.groups(page, res.Hits)
	}
	if more && len(page) > 0 {
		if res.Next, err = s.next(hits); err != nil {
			return err
		}
	}
	return late
}

// stretch is a part of the order of matches.
type stretch struct {
	k     int       // matches wanted
	after *Position // only those behind it; nil: from the first one on
	count bool      // count all matches
}

// best returns the first matches of the request's order and, if asked for, the
// number of all. When time runs out it returns what it found until then with
// the error.
func (s *searcher) best(w stretch) (hits []found, total int64, err error) {
	switch {
	case len(s.req.Sort) > 0:
		return s.sorted(w)
	case s.fusion != nil:
		return s.fused(w)
	case s.tree == nil:
		return s.newest(w)
	}
	return s.completeFirst(w)
}

// maxScore is more than any score by terms.
const maxScore = 1 << 62

func (s *searcher) minScore() uint64 {
	return uint64(min(max(0, s.req.MinScore)*scoreUnit, maxScore))
}

// matchesOf calls f with what a query matches in every slot of an index, those
// below the request's MinScore left out.
func (s *searcher) matchesOf(run *searchRun, q *search.Query, f func(seg, slot int, words *search.Page) error) error {
	least := s.minScore()
	if least == 0 {
		return search.Matches(s.ctx, q, f)
	}
	return search.Matches(s.ctx, q, func(seg, slot int, words *search.Page) error {
		var kept search.Page
		high := uint32(run.segs[seg].Slots[slot].Page) << 16
		if err := eachBit(words, func(place int) error {
			if doc := high | uint32(place); search.Score(q, seg, doc) >= least || slices.Contains(run.pinned, doc) {
				kept[place>>6] |= 1 << (place & 63)
			}
			return nil
		}); err != nil {
			return err
		}
		return f(seg, slot, &kept)
	})
}

// aside calls find, and returns whether the ids that it asked for could be read;
// the search goes on as if it had not asked. It is a search.Aside.
func (run *searchRun) aside(find func()) bool {
	before := run.res.err
	run.res.err = nil
	find()
	told := run.res.err == nil
	run.res.err = before
	return told
}

// scored collects hits by score, without bonuses.
func (s *searcher) scored(w stretch) (all []found, total int64, late error) {
	for _, run := range s.runs {
		o := search.TopOptions{K: w.k, Count: w.count, MinScore: s.minScore()}
		if w.k > 0 {
			o.Order, o.Keys, o.Aside = run.before, run.idKeys, run.aside
		}
		counted := o.Count && o.MinScore == 0 && run.counted.of(run.q) && !s.req.Exhaustive
		if o.Count = o.Count && !counted; counted && o.K == 0 {
			total += run.counted.n
			continue
		}
		if w.after != nil {
			o.After = run.cursor(w.after)
		}
		top := search.Top
		if s.req.Exhaustive {
			top = search.TopExhaustive
		}
		hits, n, err := top(s.ctx, run.q, o)
		if late = err; err != nil {
			break
		}
		if counted {
			n = run.counted.n
		}
		total += n
		if all == nil && len(s.runs) == 1 {
			all = run.res.room.found.cut(len(hits))[:0]
		}
		for _, h := range hits {
			all = append(all, run.found(h))
		}
	}
	if len(s.runs) > 1 {
		sort.SliceStable(all, func(i, j int) bool {
			if all[i].hit.Score != all[j].hit.Score {
				return all[i].hit.Score > all[j].hit.Score
			}
			return all[i].run.name < all[j].run.name
		})
		all = all[:min(w.k, len(all))]
	}
	return all, total, late
}

// cursor is the place of a position in an index's order of hits.
func (run *searchRun) cursor(a *Position) *search.Cursor {
	c := &search.Cursor{Score: a.Score}
	if run.name >= a.Index {
		c.After = func(h search.Hit) bool {
			if run.name > a.Index {
				return true
			}
			f := run.found(h)
			id, err := f.ref.chunk.ID(f.place)
			if err != nil && run.res.err == nil {
				run.res.err = err
			}
			return bytes.Compare(id, []byte(a.ID)) > 0
		}
	}
	return c
}

// fetch reads the records of hits.
func (s *searcher) fetch(hits []found, res *Result) (err error) {
	res.Hits, err = s.read(hits)
	return err
}

// read makes hits of what was found.
func (s *searcher) read(hits []found) ([]Hit, error) {
	out := make([]Hit, len(hits))
	var readers map[*searchRun]*storedReader
	defer func() {
		for _, r := range readers {
			r.Close()
		}
	}()
	ids, err := readIDs(hits)
	if err != nil {
		return nil, err
	}
	var late func() bool
	times := 1 // of the size of a record
	if s.req.Highlight != nil {
		late = s.highlightsUntil()
		times = 2 // its texts may be marked as a whole
	}
	for i := range hits {
		f, h := &hits[i], &out[i]
		h.Index, h.ID, h.Score, h.Pinned = f.run.name, ids[i], float64(f.hit.Score)/scoreUnit, f.pinned
		if !s.req.NoRecord || s.req.Highlight != nil {
			r := readers[f.run]
			if r == nil {
				if readers == nil {
					readers = map[*searchRun]*storedReader{}
				}
				r = s.e.storedReader(s.v.kv, f.run.iv.ix.number)
				readers[f.run] = r
			}
			if h.Record, err = r.recordWithin(f.hit.Doc, s.req.Memory, times); err != nil {
				return nil, err
			}
			if s.req.Highlight != nil {
				ok := true
				h.Highlight, ok = f.run.highlight(s.req.Highlight, h.Record, late)
				s.unmarked = s.unmarked || !ok
			}
		}
		if h.Geo, err = s.distances(f); err != nil {
			return nil, err
		}
		if s.req.Explain {
			if h.Explain, err = s.explain(f); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// readIDs returns the ids of hits. They share memory.
func readIDs(hits []found) ([]string, error) {
	out := make([]string, len(hits))
	var few [idsAtOnce]page.Spot
	var fewEnds [idsAtOnce]int
	spots, ends := few[:], fewEnds[:]
	if len(hits) > len(few) {
		spots, ends = make([]page.Spot, len(hits)), make([]int, len(hits))
	}
	spots, ends = spots[:len(hits)], ends[:len(hits)]
	for i := range hits {
		f := &hits[i]
		spot, err := f.ref.chunk.Spot(f.place)
		if err != nil {
			return nil, err
		}
		spots[i] = spot
	}
	size := 0
	for i := range spots {
		size += spots[i].Len()
	}
	var text strings.Builder
	text.Grow(size)
	var room [512]byte
	for i := range spots {
		text.Write(spots[i].ID(room[:]))
		ends[i] = text.Len()
	}
	all, from := text.String(), 0
	for i, to := range ends {
		out[i], from = all[from:to], to
	}
	return out, nil
}

// explain takes the score of a hit apart.
func (s *searcher) explain(f *found) (*Explanation, error) {
	if s.fusion != nil && s.fusion.pure {
		x := &Explanation{Score: float64(f.hit.Score) / scoreUnit}
		s.explainMeaning(f, x)
		return x, nil
	}
	x, err := f.run.explain(f.hit, f.bonus)
	if err == nil {
		s.explainMeaning(f, x)
		s.explainComplete(f, x)
	}
	return x, err
}

// eachBit calls f for every bit that is set, in order.
func eachBit(words *search.Page, f func(place int) error) error {
	for i, w := range words {
		for ; w != 0; w &= w - 1 {
			if err := f(i<<6 | bits.TrailingZeros64(w)); err != nil {
				return err
			}
		}
	}
	return nil
}
