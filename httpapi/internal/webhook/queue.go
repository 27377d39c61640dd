package webhook

import (
	"container/heap"
	"slices"
	"time"
)

// entry is a delivery that waits for its next attempt.
type entry struct {
	seq uint64
	at  time.Time
}

// entries is a heap of entries in an order of its own.
type entries struct {
	list []entry
	less func(a, b entry) bool
}

func (q *entries) Len() int           { return len(q.list) }
func (q *entries) Less(i, j int) bool { return q.less(q.list[i], q.list[j]) }
func (q *entries) Swap(i, j int)      { q.list[i], q.list[j] = q.list[j], q.list[i] }
func (q *entries) Push(x any)         { q.list = append(q.list, x.(entry)) }
func (q *entries) Pop() any {
	last := q.list[len(q.list)-1]
	q.list = q.list[:len(q.list)-1]
	return last
}

// mailbox is an endpoint with its deliveries. Each of these is in exactly one
// of ready, waiting, flying and finished, and in order.
type mailbox struct {
	Endpoint

	ready    entries             // due, by seq
	waiting  entries             // not due yet, by time
	flying   map[uint64]struct{} // attempts under way
	finished []uint64            // delivered and failed ones, in the order in which they ended
	order    []uint64            // all, ascending

	pausedUntil time.Time // as the receiver asked with Retry-After
	announce    bool      // that it was disabled is yet to be written and told
	leaving     bool      // its rows are being deleted
}

func newMailbox(e Endpoint) *mailbox {
	return &mailbox{
		Endpoint: e,
		ready:    entries{less: func(a, b entry) bool { return a.seq < b.seq }},
		waiting:  entries{less: func(a, b entry) bool { return a.at.Before(b.at) }},
		flying:   map[uint64]struct{}{},
	}
}

// backlog is how many deliveries are pending.
func (m *mailbox) backlog() int { return m.ready.Len() + m.waiting.Len() + len(m.flying) }

// add takes a new delivery over.
func (m *mailbox) add(seq uint64, at time.Time) {
	i, _ := slices.BinarySearch(m.order, seq) // commits may end in another order than they began
	m.order = slices.Insert(m.order, i, seq)
	m.wait(seq, at)
}

// wait puts a delivery among those that wait until at.
func (m *mailbox) wait(seq uint64, at time.Time) { heap.Push(&m.waiting, entry{seq, at}) }

// ripen moves the deliveries that are due by now to ready, and returns when the
// next one is, zero if none waits.
func (m *mailbox) ripen(now time.Time) time.Time {
	for m.waiting.Len() > 0 {
		if next := m.waiting.list[0]; next.at.After(now) {
			return next.at
		}
		heap.Push(&m.ready, heap.Pop(&m.waiting))
	}
	return time.Time{}
}

// hurry makes all deliveries that wait due at once.
func (m *mailbox) hurry() {
	for m.waiting.Len() > 0 {
		heap.Push(&m.ready, heap.Pop(&m.waiting))
	}
	m.pausedUntil = time.Time{}
}

// hurryOne makes one delivery due at once, if it waits.
func (m *mailbox) hurryOne(seq uint64) {
	i := slices.IndexFunc(m.waiting.list, func(e entry) bool { return e.seq == seq })
	if i >= 0 {
		heap.Push(&m.ready, heap.Remove(&m.waiting, i))
	}
}

// width is how many attempts may be under way at a time: one while the endpoint
// keeps up, so that messages come in order; more of them when there is a backlog,
// but never at an endpoint that fails.
func (m *mailbox) width() int {
	if !m.FailingSince.IsZero() {
		return 1
	}
	return min(1+m.ready.Len()/64, 8)
}

// take returns the next delivery to attempt, if one may be attempted now.
func (m *mailbox) take(now time.Time) (seq uint64, ok bool) {
	if m.State != Active || m.leaving || now.Before(m.pausedUntil) || m.ready.Len() == 0 || len(m.flying) >= m.width() {
		return 0, false
	}
	seq = heap.Pop(&m.ready).(entry).seq
	m.flying[seq] = struct{}{}
	return seq, true
}

// forget drops a finished delivery.
func (m *mailbox) forget(seq uint64) {
	if i, found := slices.BinarySearch(m.order, seq); found {
		m.order = slices.Delete(m.order, i, i+1)
	}
}
