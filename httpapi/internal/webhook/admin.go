package webhook

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/quarry-search/quarry/engine"
)

// CheckURL says what is wrong with the URL of an endpoint, in words that go on
// after its name; "" means nothing. Names of hosts are not resolved.
func (o *Outbox) CheckURL(url string) string { return o.guard.checkURL(url) }

// Endpoints returns all endpoints in the order of their ids.
func (o *Outbox) Endpoints() []Endpoint {
	o.mu.Lock()
	defer o.mu.Unlock()
	list := make([]Endpoint, 0, len(o.mailboxes))
	for _, m := range o.mailboxes {
		list = append(list, m.Endpoint)
	}
	slices.SortFunc(list, func(a, b Endpoint) int { return strings.Compare(a.ID, b.ID) })
	return list
}

// Endpoint returns an endpoint and how many messages wait for it, or
// [ErrNotFound].
func (o *Outbox) Endpoint(id string) (Endpoint, int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	m := o.mailboxes[id]
	if m == nil {
		return Endpoint{}, 0, ErrNotFound
	}
	return m.Endpoint, m.backlog(), nil
}

// Create makes an active endpoint with a new secret. commit, unless nil, writes
// its rows, with others if it likes. The URL has been checked. [ErrTooMany] if
// there are as many endpoints as there may be.
func (o *Outbox) Create(ctx context.Context, spec Spec, commit func(Endpoint, []engine.Row) error) (Endpoint, error) {
	o.writing.Lock()
	defer o.writing.Unlock()
	now := o.config.Now()
	e := Endpoint{Spec: spec, ID: o.config.NewID("whk_"), State: Active, CreatedAt: now, Secret: newSecret()}
	o.mu.Lock()
	many := len(o.mailboxes) >= o.config.Endpoints
	o.mu.Unlock()
	if many {
		return Endpoint{}, ErrTooMany
	}
	if commit == nil {
		commit = func(_ Endpoint, rows []engine.Row) error { return o.config.Store.PutRows(ctx, rows) }
	}
	rows := []engine.Row{endpointRow(&e)}
	if err := o.writeBy(rows, func(rows []engine.Row) error { return commit(e, rows) }); err != nil {
		return Endpoint{}, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.mailboxes[e.ID] = newMailbox(e)
	o.turn = append(o.turn, e.ID)
	return e, nil
}

// change writes an endpoint as edit makes it of the one there is.
func (o *Outbox) change(ctx context.Context, id string, edit func(*Endpoint)) (Endpoint, error) {
	o.writing.Lock()
	defer o.writing.Unlock()
	o.mu.Lock()
	m := o.mailboxes[id]
	if m == nil {
		o.mu.Unlock()
		return Endpoint{}, ErrNotFound
	}
	e := m.Endpoint
	o.mu.Unlock()
	edit(&e)
	if err := o.write(ctx, []engine.Row{endpointRow(&e)}); err != nil {
		return Endpoint{}, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	m.announce = false // if it was disabled meanwhile, this change is the later word
	if m.Endpoint = e; e.State == Active {
		m.hurry()
	}
	o.nudge()
	return e, nil
}

// Update changes what the owner decides, and whether the endpoint is active: its
// backlog is attempted at once then. edit gets a copy.
func (o *Outbox) Update(ctx context.Context, id string, edit func(*Spec, *State)) (Endpoint, error) {
	return o.change(ctx, id, func(e *Endpoint) {
		state := e.State
		edit(&e.Spec, &state)
		switch {
		case state == e.State:
		case state == Active:
			e.State, e.Reason, e.FailingSince = Active, "", time.Time{}
		default:
			e.State, e.Reason = Disabled, ReasonRequest
		}
	})
}

// Rotate gives an endpoint a new secret. Messages are signed with the one before,
// too, for as long as grace lasts.
func (o *Outbox) Rotate(ctx context.Context, id string, grace time.Duration) (Endpoint, error) {
	return o.change(ctx, id, func(e *Endpoint) {
		now := o.config.Now()
		e.Previous, e.Secret = e.Secret, newSecret()
		e.RotatedAt, e.GraceUntil = now, now.Add(grace)
		if grace <= 0 {
			e.Previous, e.GraceUntil = Secret{}, time.Time{}
		}
	})
}

// Delete removes an endpoint with its deliveries.
func (o *Outbox) Delete(ctx context.Context, id string) error {
	o.writing.Lock()
	defer o.writing.Unlock()
	o.mu.Lock()
	m := o.mailboxes[id]
	if m == nil {
		o.mu.Unlock()
		return ErrNotFound
	}
	rows := []engine.Row{{Key: endpointRows + id}}
	order := slices.Clone(m.order)
	m.leaving = true
	for _, seq := range order {
		rows = append(rows, engine.Row{Key: deliveryKey(id, seq)})
		if o.refs[seq] == 1 {
			rows = append(rows, engine.Row{Key: eventKey(seq)})
		}
	}
	o.mu.Unlock()
	err := o.write(ctx, rows)
	o.mu.Lock()
	defer o.mu.Unlock()
	if err != nil {
		m.leaving = false
		o.nudge()
		return err
	}
	delete(o.mailboxes, id)
	o.turn = slices.DeleteFunc(o.turn, func(x string) bool { return x == id })
	for _, seq := range order {
		o.unref(seq)
	}
	for _, seq := range m.order { // what was committed meanwhile
		if _, found := slices.BinarySearch(order, seq); !found {
			o.unsaved[deliveryKey(id, seq)] = engine.Row{Key: deliveryKey(id, seq)}
			if o.unref(seq) {
				o.unsaved[eventKey(seq)] = engine.Row{Key: eventKey(seq)}
			}
		}
	}
	return nil
}

// unref notes that there is a delivery less of an event, and tells whether it
// was the last. The caller holds mu.
func (o *Outbox) unref(seq uint64) bool {
	if o.refs[seq]--; o.refs[seq] > 0 {
		return false
	}
	delete(o.refs, seq)
	return true
}

// Test sends an event of type [TypeTest] to one endpoint, whatever events it
// asked for. [ErrDisabled] if it is not active.
func (o *Outbox) Test(ctx context.Context, id string) (Delivery, error) {
	o.writing.Lock()
	defer o.writing.Unlock()
	o.mu.Lock()
	m := o.mailboxes[id]
	if m == nil || m.State != Active {
		o.mu.Unlock()
		if m == nil {
			return Delivery{}, ErrNotFound
		}
		return Delivery{}, ErrDisabled
	}
	rows, done := o.note(aboutEndpoint(TypeTest, &m.Endpoint, o.config.Now()), []*mailbox{m})
	seq := o.seq
	o.mu.Unlock()
	err := o.write(ctx, rows)
	done(err)
	if err != nil {
		return Delivery{}, err
	}
	return o.delivery(id, seq)
}
