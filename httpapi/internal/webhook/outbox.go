package webhook

import (
	"cmp"
	"context"
	"crypto/x509"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/quarry-search/quarry/engine"
)

// Store keeps rows, as [engine.Engine] does.
type Store interface {
	// Row returns a row, or engine.ErrNotFound.
	Row(key string) ([]byte, error)
	// Rows yields the rows whose keys begin with prefix, by key.
	Rows(prefix string) iter.Seq2[engine.Row, error]
	// PutRows writes rows, all or none, durably; a nil Value deletes.
	PutRows(ctx context.Context, rows []engine.Row) error
}

// Config sets up an [Outbox]. Store and NewID are required.
type Config struct {
	Store Store
	// NewID makes an id that begins with prefix; ids sort by the times of their
	// making.
	NewID func(prefix string) string
	// Now is the clock; default time.Now.
	Now func() time.Time
	// Jitter returns what is added to a wait; default up to a tenth at random.
	Jitter func(wait time.Duration) time.Duration
	// Allow lists networks that are not public, or not to be spoken to over
	// TLS, and that messages may go to nevertheless, at any port.
	Allow []netip.Prefix
	// RootCAs verify the endpoints' certificates; nil are those of the system.
	RootCAs *x509.CertPool
	// Lookup resolves the name of a host; default the system's resolver.
	Lookup func(ctx context.Context, host string) ([]netip.Addr, error)
	// Failed is told of errors of the store while messages are delivered; what
	// could not be written is written with the next change. May be nil.
	Failed func(error)

	Workers   int // attempts at a time; default 32
	Endpoints int // default 100
	Backlog   int // messages that may wait for an endpoint; default 100,000
	History   int // deliveries that are remembered of an endpoint when they are over; default 1,000
}

func (c Config) withDefaults() Config {
	c.Workers = cmp.Or(c.Workers, 32)
	c.Endpoints = cmp.Or(c.Endpoints, 100)
	c.Backlog = cmp.Or(c.Backlog, 100_000)
	c.History = cmp.Or(c.History, 1000)
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Jitter == nil {
		c.Jitter = jitter
	}
	if c.Lookup == nil {
		c.Lookup = lookupHost
	}
	if c.Failed == nil {
		c.Failed = func(error) {}
	}
	return c
}

// Errors of an [Outbox].
var (
	ErrNotFound = errors.New("webhook: not found")
	ErrDisabled = errors.New("webhook: the endpoint is disabled")
	ErrTooMany  = errors.New("webhook: too many endpoints")
)

// Outbox holds endpoints and the messages to them. It is safe for concurrent
// use.
type Outbox struct {
	config   Config
	guard    *guard
	schedule []time.Duration
	post     func(context.Context, *message) result
	hangUp   func()        // ends idle connections
	wake     chan struct{} // something may be due; holds one

	// writing is held by whoever writes rows outside of the commits of events,
	// from before the look at the state to be changed until it has changed, so
	// that rows are written in the order of the changes. Locked before mu.
	writing sync.Mutex

	mu        sync.Mutex // guards what follows
	mailboxes map[string]*mailbox
	turn      []string // ids of the mailboxes in the order in which they get their turns
	seq       uint64
	refs      map[uint64]int        // by event: deliveries that there are of it
	unsaved   map[string]engine.Row // to be written with the next change
	stats     Stats
}

// Stats counts what an [Outbox] does, since it was opened.
type Stats struct {
	Endpoints int    // now, disabled ones included
	Backlog   int    // deliveries that are pending now
	Delivered uint64 // messages that were accepted
	Failed    uint64 // messages that were given up
	Attempts  uint64 // in all
}

// seqSlack is how many numbers are left out when an outbox is opened: commits
// that are under way at a time may end in any order, so that the last number
// written need not be the greatest.
const seqSlack = 1024

// Open loads what earlier outboxes left in the store.
func Open(c Config) (*Outbox, error) {
	if c.Store == nil || c.NewID == nil {
		return nil, errors.New("webhook: a Config needs Store and NewID")
	}
	c = c.withDefaults()
	g := &guard{allow: c.Allow, lookup: c.Lookup}
	p := newPoster(g, c.RootCAs)
	o := &Outbox{
		config: c, guard: g, schedule: Schedule(), post: p.post, hangUp: p.hangUp, wake: make(chan struct{}, 1),
		mailboxes: map[string]*mailbox{}, refs: map[uint64]int{}, unsaved: map[string]engine.Row{},
	}
	if err := o.load(); err != nil {
		return nil, fmt.Errorf("webhook: %w", err)
	}
	return o, nil
}

func (o *Outbox) load() error {
	for row, err := range o.config.Store.Rows(endpointRows) {
		if err != nil {
			return err
		}
		var e Endpoint
		if err := json.Unmarshal(row.Value, &e); err != nil || endpointRows+e.ID != row.Key || e.Secret.zero() {
			return fmt.Errorf("row %s: %w", row.Key, engine.ErrCorrupt)
		}
		o.mailboxes[e.ID] = newMailbox(e)
		o.turn = append(o.turn, e.ID)
	}
	type end struct {
		seq uint64
		at  time.Time
	}
	ends := map[string][]end{}
	for row, err := range o.config.Store.Rows(deliveryRows) {
		if err != nil {
			return err
		}
		id, _, _ := strings.Cut(strings.TrimPrefix(row.Key, deliveryRows), "/")
		m := o.mailboxes[id]
		if m == nil { // the endpoint was deleted while the event was being committed
			o.unsaved[row.Key] = engine.Row{Key: row.Key}
			continue
		}
		d, err := decodeDelivery(row)
		if err != nil {
			return err
		}
		o.refs[d.Seq]++
		if d.State == Pending {
			m.add(d.Seq, d.NextAttempt)
			continue
		}
		m.order = append(m.order, d.Seq) // rows come in their order
		ends[id] = append(ends[id], end{d.Seq, d.AttemptedAt})
	}
	for id, list := range ends {
		slices.SortStableFunc(list, func(a, b end) int { return a.at.Compare(b.at) })
		for _, e := range list {
			o.mailboxes[id].finished = append(o.mailboxes[id].finished, e.seq)
		}
	}
	for row, err := range o.config.Store.Rows(eventRows) {
		if err != nil {
			return err
		}
		seq, err := parseSeq(row.Key)
		if err != nil {
			return fmt.Errorf("row %s: %w", row.Key, engine.ErrCorrupt)
		}
		o.seq = max(o.seq, seq)
		if o.refs[seq] == 0 {
			o.unsaved[row.Key] = engine.Row{Key: row.Key}
		}
	}
	switch last, err := o.config.Store.Row(seqRow); {
	case errors.Is(err, engine.ErrNotFound):
		return nil
	case err != nil:
		return err
	case len(last) != 8:
		return fmt.Errorf("row %s: %w", seqRow, engine.ErrCorrupt)
	default:
		o.seq = max(o.seq, binary.BigEndian.Uint64(last)) + seqSlack
	}
	return nil
}

// Note makes the rows of an event, which belong into the commit that it is
// about; none if no endpoint wants it. done must be called with the error of
// that commit when it is over, nil if it went through; it is nil if there are
// no rows. Note does not call the store. Events get their numbers in the order
// of the calls.
func (o *Outbox) Note(e Event) (rows []engine.Row, done func(error)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.note(e, o.takers(&e))
}

// takers returns the mailboxes that an event is for. Endpoints for which too
// much waits are disabled instead. The caller holds mu.
func (o *Outbox) takers(e *Event) []*mailbox {
	var to []*mailbox
	for _, id := range o.turn {
		m := o.mailboxes[id]
		switch {
		case !m.wants(e):
		case m.backlog() >= o.config.Backlog:
			m.disable(ReasonBacklog)
			m.announce = true
			o.nudge()
		default:
			to = append(to, m)
		}
	}
	slices.SortFunc(to, func(a, b *mailbox) int { return strings.Compare(a.ID, b.ID) })
	return to
}

// note is Note for the given mailboxes. The caller holds mu.
func (o *Outbox) note(e Event, to []*mailbox) (rows []engine.Row, done func(error)) {
	if len(to) == 0 {
		return nil, nil
	}
	body, err := e.body(o.seq + 1)
	if err != nil {
		o.config.Failed(fmt.Errorf("webhook: body of an event %s: %w", e.Type, err))
		return nil, nil
	}
	o.seq++
	seq, now := o.seq, o.config.Now()
	d := Delivery{ID: o.config.NewID("msg_"), Seq: seq, Type: e.Type, State: Pending, CreatedAt: e.At, NextAttempt: now}
	rows = append(rows, engine.Row{Key: eventKey(seq), Value: body}, seqValue(seq))
	for _, m := range to {
		rows = append(rows, deliveryRow(m.ID, &d))
	}
	return rows, func(err error) {
		if err == nil {
			o.mu.Lock()
			defer o.mu.Unlock()
			o.queue(seq, now, to)
		}
	}
}

// queue takes over an event whose rows are written. The caller holds mu.
func (o *Outbox) queue(seq uint64, at time.Time, to []*mailbox) {
	for _, m := range to {
		if o.mailboxes[m.ID] != m { // deleted meanwhile
			key := deliveryKey(m.ID, seq)
			o.unsaved[key] = engine.Row{Key: key}
			continue
		}
		o.refs[seq]++
		m.add(seq, at)
	}
	if o.refs[seq] == 0 {
		o.unsaved[eventKey(seq)] = engine.Row{Key: eventKey(seq)}
	}
	o.nudge()
}

// Send notes an event that has no commit of its own.
func (o *Outbox) Send(ctx context.Context, e Event) error {
	o.writing.Lock()
	defer o.writing.Unlock()
	rows, done := o.Note(e)
	if rows == nil {
		return nil
	}
	err := o.write(ctx, rows)
	done(err)
	return err
}

// write puts rows and what earlier writes left over into the store. The caller
// holds writing.
func (o *Outbox) write(ctx context.Context, rows []engine.Row) error {
	return o.writeBy(rows, func(rows []engine.Row) error { return o.config.Store.PutRows(ctx, rows) })
}

func (o *Outbox) writeBy(rows []engine.Row, commit func([]engine.Row) error) error {
	o.mu.Lock()
	left := o.unsaved
	o.unsaved = map[string]engine.Row{}
	o.mu.Unlock()
	all := make([]engine.Row, 0, len(left)+len(rows))
	for _, row := range left {
		all = append(all, row)
	}
	all = append(all, rows...) // these are newer
	err := commit(all)
	if err != nil {
		o.mu.Lock()
		for key, row := range left {
			if _, newer := o.unsaved[key]; !newer {
				o.unsaved[key] = row
			}
		}
		o.mu.Unlock()
	}
	return err
}

// nudge makes Run look for something to do.
func (o *Outbox) nudge() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// Stats returns the counters as of now.
func (o *Outbox) Stats() Stats {
	o.mu.Lock()
	defer o.mu.Unlock()
	s := o.stats
	s.Endpoints = len(o.mailboxes)
	for _, m := range o.mailboxes {
		s.Backlog += m.backlog()
	}
	return s
}
