package search

import "sync/atomic"

// Live is where it is kept how many documents of some lists live, for searches of the
// same segments with the same documents dead. The zero value knows nothing. It is safe
// for concurrent use and must not be copied.
type Live struct{ cards atomic.Pointer[[]int32] }

// liveCards returns how many documents of a leaf, which is no phrase, live, by slot, the
// slots of all segments in order; nil: it is not kept.
//
// It is together in one place, since what is asked about each of a dozen segments apart
// is mostly in no cache of the processor.
func (r *run) liveCards(leaf int) []int32 {
	at := r.q.Leaves[leaf].Live
	if at == nil {
		return nil
	}
	if known := at.cards.Load(); known != nil {
		return *known
	}
	var cards []int32
	for i := range r.q.Segments {
		list := r.q.list(leaf, i)
		for j := range r.q.Segments[i].Slots {
			n, slot := 0, &r.q.Segments[i].Slots[j]
			if list != nil {
				if c := list.Container(slot.Page); c != nil {
					if n = c.Card; slot.Dead != nil {
						n -= c.AndCount(slot.Dead)
					}
				}
			}
			cards = append(cards, int32(n))
		}
	}
	at.cards.Store(&cards)
	return cards
}
