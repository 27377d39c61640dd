package usage

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/quarry-search/quarry/engine"
)

const (
	// FlushEvery is how often Run writes down what is counted. Half of the
	// second that a process may lose when it is killed; the rest is for the
	// commit.
	FlushEvery = 500 * time.Millisecond

	// settle is how long after its end a day is closed, so that what was under
	// way at midnight has its row in the one that it belongs to.
	settle = time.Minute
)

// percents of a quota that are told of.
var percents = [...]int{80, 100}

// Run flushes at once, every [FlushEvery] and for a last time when ctx ends;
// then it returns. report, which may be nil, is called with the error of each
// flush, nil for most.
func (m *Meter) Run(ctx context.Context, report func(error)) {
	tick := time.NewTicker(FlushEvery)
	defer tick.Stop()
	for {
		last := ctx.Err() != nil
		err := m.Flush(context.WithoutCancel(ctx))
		if report != nil {
			report(err)
		}
		if last {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
}

// Flush writes down what was counted since the last one, durably, and closes
// the days that are over. After an error nothing is lost: the next flush tries
// again.
func (m *Meter) Flush(ctx context.Context) error {
	if m.opts.Off {
		return nil
	}
	m.flushing.Lock()
	defer m.flushing.Unlock()
	now := m.opts.Now()
	if err := m.inMonthOf(DayOf(now)); err != nil {
		return err
	}
	if err := m.keep(ctx); err != nil {
		return err
	}
	today := DayOf(now.Add(-settle))
	for _, day := range m.over(today) {
		if err := m.closeDay(ctx, day); err != nil {
			return err
		}
	}
	return nil
}

// kept is a tally on its way into its row.
type kept struct {
	tally    *tally
	row      Row
	searches int64 // of the tally that are in the row
	commits  int   // of the tally's that are in the row
}

// keep writes the rows of the tallies that have changed.
func (m *Meter) keep(ctx context.Context) error {
	var used []slot
	m.mu.Lock()
	for at, t := range m.open {
		if t.searches > 0 || len(t.commits) > 0 {
			used = append(used, at)
		}
	}
	m.mu.Unlock()
	if len(used) == 0 {
		return nil
	}
	stored := func(string) (records, bytes int64) { return 0, 0 }
	if m.opts.Stored != nil {
		stored = m.opts.Stored()
	}
	var list []kept
	var rows []engine.Row
	m.mu.Lock()
	for _, at := range used {
		t := m.open[at]
		k := kept{tally: t, row: t.sum(), searches: t.searches, commits: len(t.commits)}
		for _, c := range t.commits {
			rows = append(rows, engine.Row{Key: c.rowKey})
		}
		list = append(list, k)
	}
	reached := m.reached(list)
	m.mu.Unlock()
	for i := range list {
		r := &list[i].row
		records, bytes := stored(r.Key[len(keyPrefix):])
		r.RecordsMax, r.BytesMax = max(r.RecordsMax, records), max(r.BytesMax, bytes)
		rows = append(rows, engine.Row{Key: openKey(r.Day, r.Key), Value: r.appendText(nil)})
	}
	var dones []func(error)
	for _, t := range reached {
		noted, done := m.opts.Reached(t)
		rows = append(rows, noted...)
		if done != nil {
			dones = append(dones, done)
		}
	}
	err := m.store.PutRows(ctx, rows)
	for _, done := range dones {
		done(err)
	}
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, k := range list {
		k.tally.kept = k.row
		k.tally.searches -= k.searches
		k.tally.commits = slices.Delete(k.tally.commits, 0, k.commits)
	}
	return nil
}

// reached finds the thresholds that searches not yet kept have crossed. As
// they are kept in the commit that notes this, each crossing is found once. mu
// is held.
func (m *Meter) reached(list []kept) []Threshold {
	if m.opts.Quota == nil || m.opts.Reached == nil {
		return nil
	}
	fresh := map[string]int64{}
	for _, k := range list {
		if k.searches > 0 && k.row.Day.month() == m.month {
			fresh[k.row.Key[len(keyPrefix):]] += k.searches
		}
	}
	var out []Threshold
	for _, key := range slices.Sorted(maps.Keys(fresh)) {
		quota, now := m.opts.Quota(key), m.inMonth[key]
		before := now - fresh[key]
		for _, p := range percents {
			mark := float64(quota) / 100 * float64(p)
			if quota > 0 && float64(before) < mark && float64(now) >= mark {
				out = append(out, Threshold{Key: key, At: m.opts.Now(), Percent: p, Searches: now, Quota: quota})
			}
		}
	}
	return out
}

// over returns the open days before today, in order.
func (m *Meter) over(today Day) []Day {
	m.mu.Lock()
	defer m.mu.Unlock()
	days := map[Day]bool{}
	for at := range m.open {
		if at.day < today {
			days[at.day] = true
		}
	}
	return slices.Sorted(maps.Keys(days))
}

// closeDay makes the rows of a day the next links of the chain, unless use of
// it is not kept yet or under way.
func (m *Meter) closeDay(ctx context.Context, day Day) error {
	var links []storedLink
	end := m.end
	m.mu.Lock()
	for at, t := range m.open {
		switch {
		case at.day != day:
		case t.running > 0 || t.searches > 0 || len(t.commits) > 0:
			m.mu.Unlock()
			return nil // the next flush closes it
		case t.kept.Searches == 0 && t.kept.Writes == 0:
			delete(m.open, at) // of a commit that failed
		default:
			links = append(links, storedLink{Row: t.kept})
		}
	}
	m.mu.Unlock()
	if len(links) == 0 {
		return nil
	}
	slices.SortFunc(links, func(a, b storedLink) int { return cmp.Compare(a.Key, b.Key) })
	var rows []engine.Row
	for i := range links {
		l := &links[i]
		l.before = end.chain
		l.Seq = end.seq + 1
		l.Chain = link(l.before, &l.Row)
		end = head{seq: l.Seq, chain: l.Chain}
		rows = append(rows,
			engine.Row{Key: openKey(day, l.Key)},
			engine.Row{Key: linkKey(day, l.Seq), Value: appendLink(nil, l)})
	}
	rows = append(rows, engine.Row{Key: headRow, Value: appendHead(nil, end)})
	if err := m.store.PutRows(ctx, rows); err != nil {
		return err
	}
	m.end = end
	m.mu.Lock()
	defer m.mu.Unlock()
	for i := range links {
		at := slot{day, links[i].Key[len(keyPrefix):]}
		t := m.open[at]
		if t.running == 0 && t.searches == 0 && len(t.commits) == 0 {
			delete(m.open, at)
			continue
		}
		t.kept = Row{Day: day, Key: links[i].Key} // used again since: a second row
	}
	return nil
}
