package webhook

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/quarry-search/quarry/engine"
)

// job is an attempt to make.
type job struct {
	mailbox *mailbox
	seq     uint64
	Endpoint
}

// Run delivers messages until ctx ends. Attempts under way are broken off then,
// and count as not made. It must not be called while another Run of the same
// outbox is under way.
func (o *Outbox) Run(ctx context.Context) {
	defer o.hangUp()
	var attempts sync.WaitGroup
	defer attempts.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	workers := make(chan struct{}, o.config.Workers)
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-o.wake:
		case <-timer.C:
		}
		o.announceDisabled()
		wait := o.dispatch(workers, func(j job) {
			attempts.Go(func() {
				o.attempt(ctx, &j)
				<-workers
				o.nudge()
			})
		})
		if wait >= 0 {
			timer.Reset(wait)
		} else {
			timer.Stop()
		}
	}
}

// dispatch starts what may be attempted now and returns how long there will be
// nothing else, negative if only a nudge can change that.
func (o *Outbox) dispatch(workers chan struct{}, start func(job)) time.Duration {
	o.mu.Lock()
	defer o.mu.Unlock()
	now := o.config.Now()
	var next time.Time
	sooner := func(at time.Time) {
		if !at.IsZero() && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
	ailing := 0 // attempts under way at endpoints that fail
	for _, m := range o.mailboxes {
		if m.State != Active {
			continue
		}
		sooner(m.ripen(now))
		if m.ready.Len() > 0 && now.Before(m.pausedUntil) {
			sooner(m.pausedUntil)
		}
		if !m.FailingSince.IsZero() {
			ailing += len(m.flying)
		}
	}
	for idle := 0; idle < len(o.turn); {
		m := o.mailboxes[o.turn[0]]
		o.turn = append(o.turn[1:], o.turn[0])
		failing := !m.FailingSince.IsZero()
		if failing && ailing >= max(o.config.Workers/2, 1) { // the others keep half of the workers
			idle++
			continue
		}
		select {
		case workers <- struct{}{}:
		default:
			return -1 // a worker that ends nudges
		}
		seq, ok := m.take(now)
		if !ok {
			<-workers
			idle++
			continue
		}
		if idle = 0; failing {
			ailing++
		}
		start(job{mailbox: m, seq: seq, Endpoint: m.Endpoint})
	}
	if next.IsZero() {
		return -1
	}
	return max(next.Sub(now), 0)
}

// attempt makes an attempt and notes what came of it.
func (o *Outbox) attempt(ctx context.Context, j *job) {
	d, err := o.delivery(j.ID, j.seq)
	var body []byte
	if err == nil {
		body, err = o.config.Store.Row(eventKey(j.seq))
	}
	switch {
	case errors.Is(err, ErrNotFound), errors.Is(err, engine.ErrNotFound):
		o.dropLost(j)
		return
	case err != nil:
		o.config.Failed(err)
		o.giveBack(j, o.config.Now().Add(time.Minute))
		return
	}
	begin := o.config.Now()
	res := o.post(ctx, &message{url: j.URL, id: d.ID, at: begin, body: body, secrets: j.secrets(begin)})
	if ctx.Err() != nil && res.status == 0 {
		o.giveBack(j, d.NextAttempt)
		return
	}
	o.record(j, d, begin, res)
}

// giveBack puts a delivery back that was not attempted.
func (o *Outbox) giveBack(j *job, at time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(j.mailbox.flying, j.seq)
	j.mailbox.wait(j.seq, at)
}

// dropLost forgets a delivery that has no rows. Nearly always its endpoint was
// deleted while it was about to be attempted, and Delete sees to the rest;
// otherwise the store did not take the rows of an event of the outbox's own.
func (o *Outbox) dropLost(j *job) {
	o.mu.Lock()
	defer o.mu.Unlock()
	m := j.mailbox
	delete(m.flying, j.seq)
	if o.mailboxes[j.ID] == m && !m.leaving {
		m.forget(j.seq)
		o.unref(j.seq)
	}
}

// record notes the result of an attempt. Should the store fail, the outbox goes
// on as if it had not, and writes later.
func (o *Outbox) record(j *job, d Delivery, begin time.Time, res result) {
	o.writing.Lock()
	defer o.writing.Unlock()
	o.mu.Lock()
	m, now := j.mailbox, o.config.Now()
	delete(m.flying, j.seq)
	o.stats.Attempts++
	if o.mailboxes[j.ID] != m {
		o.mu.Unlock()
		return // deleted meanwhile, with its rows
	}
	d.Attempts++
	d.Round++
	d.Status, d.Fault, d.AttemptedAt = res.status, res.fault, begin
	before := m.Endpoint
	if res.fault == "" {
		m.FailingSince, m.pausedUntil = time.Time{}, time.Time{}
		d.State, d.NextAttempt = Delivered, time.Time{}
		o.stats.Delivered++
	} else {
		o.fail(m, &d, now, res)
	}
	rows := []engine.Row{deliveryRow(m.ID, &d)}
	if d.State == Pending {
		m.wait(d.Seq, d.NextAttempt)
	} else {
		m.finished = append(m.finished, d.Seq)
		rows = append(rows, o.prune(m)...)
	}
	if before.State != m.State || before.FailingSince != m.FailingSince {
		rows = append(rows, endpointRow(&m.Endpoint))
	}
	o.mu.Unlock()
	o.save(rows)
}

// fail decides what follows from a failed attempt. The caller holds mu.
func (o *Outbox) fail(m *mailbox, d *Delivery, now time.Time, res result) {
	if m.FailingSince.IsZero() {
		m.FailingSince = now
	}
	if res.retryAfter > 0 {
		m.pausedUntil = now.Add(res.retryAfter)
	}
	if d.Round >= len(o.schedule) {
		d.State, d.NextAttempt = Failed, time.Time{}
		o.stats.Failed++
	} else {
		wait := o.schedule[d.Round]
		wait = max(wait+o.config.Jitter(wait), res.retryAfter)
		d.NextAttempt = now.Add(wait)
	}
	if m.State != Active {
		return
	}
	switch {
	case res.status == http.StatusGone:
		m.disable(ReasonGone)
		m.announce = true
	case now.Sub(m.FailingSince) >= FailingTime:
		m.disable(ReasonFailing)
		m.announce = true
	}
}

func (m *mailbox) disable(why Reason) { m.State, m.Reason = Disabled, why }

// prune forgets the finished deliveries that are too many. The caller holds mu.
func (o *Outbox) prune(m *mailbox) (rows []engine.Row) {
	for len(m.finished) > o.config.History {
		seq := m.finished[0]
		m.finished = m.finished[1:]
		m.forget(seq)
		rows = append(rows, engine.Row{Key: deliveryKey(m.ID, seq)})
		if o.unref(seq) {
			rows = append(rows, engine.Row{Key: eventKey(seq)})
		}
	}
	return rows
}

// save writes rows in the background's name; those that cannot be written are
// left for the next write. The caller holds writing.
func (o *Outbox) save(rows []engine.Row) {
	err := o.write(context.Background(), rows)
	if err == nil {
		return
	}
	o.config.Failed(err)
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, row := range rows {
		o.unsaved[row.Key] = row
	}
}

// announceDisabled writes down which endpoints the service has disabled, and
// tells the others.
func (o *Outbox) announceDisabled() {
	o.mu.Lock()
	some := false
	for _, m := range o.mailboxes {
		some = some || m.announce
	}
	o.mu.Unlock()
	if !some {
		return // without having to wait for a write under way
	}
	o.writing.Lock()
	defer o.writing.Unlock()
	o.mu.Lock()
	var rows []engine.Row
	var dones []func(error)
	for _, id := range slices.Clone(o.turn) {
		m := o.mailboxes[id]
		if !m.announce {
			continue
		}
		m.announce = false
		rows = append(rows, endpointRow(&m.Endpoint))
		e := aboutEndpoint(TypeDisabled, &m.Endpoint, o.config.Now())
		noted, done := o.note(e, o.takers(&e))
		if rows = append(rows, noted...); done != nil {
			dones = append(dones, done)
		}
	}
	o.mu.Unlock()
	if rows == nil {
		return
	}
	o.save(rows)
	for _, done := range dones {
		done(nil) // what is not written yet will be
	}
}
