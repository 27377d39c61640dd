package usage

import (
	"cmp"
	"slices"
)

// Query says what a [Report] is about.
type Query struct {
	From, To     Day  // To is not part of it, and at most LastDay+1
	ByDay, ByKey bool // at least one; what is not set is taken together
	After        *Row // the last row of the page before; only Day, Key and Seq count
	Limit        int  // rows of a page; 0: no bound
}

// Report is use that was counted up to now.
type Report struct {
	// Rows by day and key, those of days that are not closed after those that
	// are. They have Seq and Chain only if they are by day and by key.
	Rows   []Row
	More   bool   // there are rows after the last one
	Base   string // the chain before the link in Rows with the least Seq; "" if there is none
	Head   string // the chain of the last link of all; "" if there is none
	Length int64  // number of links of all
}

// Report reads what was counted.
func (m *Meter) Report(q Query) (*Report, error) {
	m.flushing.Lock()
	defer m.flushing.Unlock()
	out := &Report{Length: m.end.seq}
	if m.end.seq > 0 {
		out.Head = m.end.chain
	}
	before := map[int64]string{}
	var rows []Row
	for l, err := range m.links(commonPrefix(q.From.String(), (q.To - 1).String())) {
		if err != nil {
			return nil, err
		}
		if l.Day >= q.To {
			break
		}
		if l.Day >= q.From {
			rows = append(rows, l.Row)
			before[l.Seq] = l.before
		}
	}
	m.mu.Lock()
	for at, t := range m.open {
		if r := t.sum(); at.day >= q.From && at.day < q.To && r.Searches+r.Writes > 0 {
			rows = append(rows, r)
		}
	}
	m.mu.Unlock()
	if !q.ByDay || !q.ByKey {
		rows = grouped(rows, q)
	}
	slices.SortFunc(rows, compareRows)
	if q.After != nil {
		i, found := slices.BinarySearchFunc(rows, *q.After, compareRows)
		if found {
			i++
		}
		rows = rows[i:]
	}
	if out.More = q.Limit > 0 && len(rows) > q.Limit; out.More {
		rows = rows[:q.Limit]
	}
	out.Rows = rows
	first := int64(0)
	for _, r := range rows {
		if r.Seq > 0 && (first == 0 || r.Seq < first) {
			first = r.Seq
		}
	}
	out.Base = before[first]
	return out, nil
}

// compareRows orders rows by day, key and place in the chain; an open one comes
// after all that are closed.
func compareRows(a, b Row) int {
	const openSeq = 1<<63 - 1
	seq := func(r Row) int64 {
		if r.Seq == 0 {
			return openSeq
		}
		return r.Seq
	}
	return cmp.Or(cmp.Compare(a.Day, b.Day), cmp.Compare(a.Key, b.Key), cmp.Compare(seq(a), seq(b)))
}

// grouped takes the rows of a day or of a key together.
func grouped(rows []Row, q Query) []Row {
	sums := map[slot]*Row{}
	for i := range rows {
		var at slot
		if q.ByDay {
			at.day = rows[i].Day
		}
		if q.ByKey {
			at.key = rows[i].Key
		}
		if sums[at] == nil {
			sums[at] = &Row{Day: at.day, Key: at.key}
		}
		sums[at].add(&rows[i])
	}
	out := make([]Row, 0, len(sums))
	for _, r := range sums {
		out = append(out, *r)
	}
	return out
}

func commonPrefix(a, b string) string {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return a[:n]
}
