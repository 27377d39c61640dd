package webhook

import (
	"context"
	"errors"
	"slices"

	"github.com/quarry-search/quarry/engine"
)

// delivery reads a delivery from the store.
func (o *Outbox) delivery(endpoint string, seq uint64) (Delivery, error) {
	key := deliveryKey(endpoint, seq)
	value, err := o.config.Store.Row(key)
	if errors.Is(err, engine.ErrNotFound) {
		return Delivery{}, ErrNotFound
	}
	if err != nil {
		return Delivery{}, err
	}
	return decodeDelivery(engine.Row{Key: key, Value: value})
}

// Deliveries returns up to limit deliveries of an endpoint, the newest first,
// from the one before seq on; 0 stands for the newest. more tells whether there
// are others after them.
func (o *Outbox) Deliveries(endpoint string, seq uint64, limit int) (list []Delivery, more bool, err error) {
	o.mu.Lock()
	m := o.mailboxes[endpoint]
	if m == nil {
		o.mu.Unlock()
		return nil, false, ErrNotFound
	}
	end := len(m.order)
	if seq > 0 {
		end, _ = slices.BinarySearch(m.order, seq)
	}
	begin := max(end-limit, 0)
	page, more := slices.Clone(m.order[begin:end]), begin > 0
	o.mu.Unlock()
	slices.Reverse(page)
	for _, seq := range page {
		d, err := o.delivery(endpoint, seq)
		if errors.Is(err, ErrNotFound) {
			continue // pruned since
		}
		if err != nil {
			return nil, false, err
		}
		list = append(list, d)
	}
	return list, more, nil
}

// Replay has a message delivered again, from the beginning of the schedule; one
// that waits is attempted at once. It reads the endpoint's deliveries to find
// it. [ErrDisabled] if the endpoint is not active.
func (o *Outbox) Replay(ctx context.Context, endpoint, id string) (Delivery, error) {
	o.writing.Lock() // so that no attempt changes the delivery meanwhile
	defer o.writing.Unlock()
	for before := uint64(0); ; {
		page, more, err := o.Deliveries(endpoint, before, 100)
		if err != nil {
			return Delivery{}, err
		}
		for _, d := range page {
			if d.ID == id {
				return o.replay(ctx, endpoint, d)
			}
			before = d.Seq
		}
		if !more || len(page) == 0 {
			return Delivery{}, ErrNotFound
		}
	}
}

func (o *Outbox) replay(ctx context.Context, endpoint string, d Delivery) (Delivery, error) {
	o.mu.Lock()
	m := o.mailboxes[endpoint]
	active := m.State == Active // it is there: writing is held
	_, flying := m.flying[d.Seq]
	o.mu.Unlock()
	if !active {
		return Delivery{}, ErrDisabled
	}
	if flying {
		return d, nil
	}
	finished := d.State != Pending
	d.State, d.Round, d.NextAttempt = Pending, 0, o.config.Now()
	if err := o.write(ctx, []engine.Row{deliveryRow(endpoint, &d)}); err != nil {
		return Delivery{}, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if finished {
		m.finished = slices.DeleteFunc(m.finished, func(seq uint64) bool { return seq == d.Seq })
		m.wait(d.Seq, d.NextAttempt)
	} else {
		m.hurryOne(d.Seq)
	}
	o.nudge()
	return d, nil
}
