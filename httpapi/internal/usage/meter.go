package usage

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/quarry-search/quarry/engine"
)

// Store keeps rows. [*engine.Engine] is one.
type Store interface {
	// Row returns a row; engine.ErrNotFound if there is none.
	Row(key string) ([]byte, error)
	// Rows yields the rows whose keys begin with prefix, by key.
	Rows(prefix string) iter.Seq2[engine.Row, error]
	// PutRows writes rows in one commit. A nil Value deletes.
	PutRows(ctx context.Context, rows []engine.Row) error
}

// Options sets up a [Meter]. The zero value works.
type Options struct {
	// Now is the clock; default time.Now.
	Now func() time.Time
	// Stored is called once in a flush. It returns how many records and bytes
	// are stored that a key may use. Nil: none.
	Stored func() func(key string) (records, bytes int64)
	// Quota returns how many searches a key may do in a month; 0 stands for no
	// bound. Nil: no key has one.
	Quota func(key string) int64
	// Reached is told when a key reaches 80 or 100 per cent of its quota. It
	// returns rows for the commit that notes this, and what to call with the
	// error of that commit; both may be nil.
	Reached func(Threshold) (rows []engine.Row, done func(error))
	// Off makes a meter that counts nothing and only reads.
	Off bool
}

// Threshold is a part of a quota that a key has used up.
type Threshold struct {
	Key      string
	At       time.Time
	Percent  int   // 80 or 100
	Searches int64 // of the month so far
	Quota    int64 // of the month
}

// Meter counts use. Keys are given by the part of their id that follows "key_".
// It is safe for concurrent use.
type Meter struct {
	store Store
	opts  Options

	// flushing is held while use moves from memory to the store, and while both
	// are read together. It is taken before mu.
	flushing sync.Mutex
	end      head // of the chain; guarded by flushing

	mu      sync.Mutex // guards all below
	seq     uint64     // of the last row for a commit
	open    map[slot]*tally
	month   int              // that inMonth is about
	inMonth map[string]int64 // searches, by key
}

// slot is what a row counts.
type slot struct {
	day Day
	key string
}

// tally is the use of a key on a day that is not closed.
type tally struct {
	kept     Row       // what the store's row of it says; all zero if there is none
	searches int64     // that are not in kept
	commits  []written // that are not in kept
	running  int       // commits under way
}

// written is a commit that is done; its row is still in the store.
type written struct {
	rowKey string
	writes int64
}

const keyPrefix = "key_"

// Open makes a meter over what earlier ones left in a store. It writes nothing.
func Open(s Store, o Options) (*Meter, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	m := &Meter{store: s, opts: o, open: map[slot]*tally{}}
	text, err := s.Row(headRow)
	switch {
	case errors.Is(err, engine.ErrNotFound):
		m.end = head{chain: noLink}
	case err != nil:
		return nil, err
	default:
		if m.end, err = parseHead(text); err != nil {
			return nil, fmt.Errorf("%w: head of the chain: %w", engine.ErrCorrupt, err)
		}
	}
	for row, err := range s.Rows(openRows) {
		if err != nil {
			return nil, err
		}
		r, err := parseRow(row.Value)
		if err != nil {
			return nil, fmt.Errorf("%w: row %s: %w", engine.ErrCorrupt, row.Key, err)
		}
		m.tally(slot{r.Day, strings.TrimPrefix(r.Key, keyPrefix)}).kept = r
	}
	for row, err := range s.Rows(writeRows) {
		if err != nil {
			return nil, err
		}
		if err := m.recall(row); err != nil {
			return nil, fmt.Errorf("%w: row %s: %w", engine.ErrCorrupt, row.Key, err)
		}
	}
	m.flushing.Lock()
	defer m.flushing.Unlock()
	return m, m.inMonthOf(DayOf(o.Now()))
}

// writtenText is the row of a commit.
type writtenText struct {
	Day    string `json:"day"`
	Key    string `json:"key"`
	Writes int64  `json:"writes"`
}

// recall takes over the row of a commit that an earlier meter did not add up.
func (m *Meter) recall(row engine.Row) error {
	var t writtenText
	if err := json.Unmarshal(row.Value, &t, json.RejectUnknownMembers(true)); err != nil {
		return err
	}
	day, err := ParseDay(t.Day)
	if err != nil {
		return err
	}
	seq, err := strconv.ParseUint(strings.TrimPrefix(row.Key, writeRows), 16, 64)
	if err != nil {
		return err
	}
	m.seq = max(m.seq, seq)
	c := m.tally(slot{day, strings.TrimPrefix(t.Key, keyPrefix)})
	c.commits = append(c.commits, written{row.Key, t.Writes})
	return nil
}

// tally returns the tally of a slot, a new one if there is none. mu is held.
func (m *Meter) tally(at slot) *tally {
	t := m.open[at]
	if t == nil {
		t = &tally{kept: Row{Day: at.day, Key: keyPrefix + at.key}}
		m.open[at] = t
	}
	return t
}

// sum is the tally's row as of now.
func (t *tally) sum() Row {
	r := t.kept
	r.Searches += t.searches
	for _, c := range t.commits {
		r.Writes += c.writes
	}
	return r
}

// Search counts searches that are about to be answered well.
func (m *Meter) Search(key string, n int64) {
	if m.opts.Off || n == 0 {
		return
	}
	day := DayOf(m.opts.Now())
	m.mu.Lock()
	defer m.mu.Unlock()
	m.tally(slot{day, key}).searches += n
	if day.month() == m.month {
		m.inMonth[key] += n
	}
}

// Written counts records that a commit is about to write. It returns the row
// that belongs into this commit, and what must be called with its error, once.
func (m *Meter) Written(key string, at time.Time, n int64) (rows []engine.Row, done func(error)) {
	if m.opts.Off || n == 0 {
		return nil, nil
	}
	day := DayOf(at)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.seq++
	w := written{rowKey: fmt.Sprintf("%s%016x", writeRows, m.seq), writes: n}
	t := m.tally(slot{day, key})
	t.running++
	text, err := json.Marshal(writtenText{day.String(), keyPrefix + key, n})
	if err != nil {
		panic(err) // strings and a number can be written
	}
	return []engine.Row{{Key: w.rowKey, Value: text}}, func(err error) {
		m.mu.Lock()
		defer m.mu.Unlock()
		t.running--
		if err == nil {
			t.commits = append(t.commits, w)
		}
	}
}

// MonthSearches returns how many searches a key has done in the month of now.
func (m *Meter) MonthSearches(key string) (int64, error) {
	today := DayOf(m.opts.Now())
	m.mu.Lock()
	n, same := m.inMonth[key], m.month == today.month()
	m.mu.Unlock()
	if same {
		return n, nil
	}
	m.flushing.Lock()
	defer m.flushing.Unlock()
	if err := m.inMonthOf(today); err != nil {
		return 0, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.inMonth[key], nil
}

// inMonthOf makes inMonth be about the month of a day. flushing is held.
func (m *Meter) inMonthOf(day Day) error {
	month := day.month()
	m.mu.Lock()
	same := m.month == month
	m.mu.Unlock()
	if same {
		return nil
	}
	of := map[string]int64{}
	for r, err := range m.links(day.String()[:len("2006-01-")]) {
		if err != nil {
			return err
		}
		of[strings.TrimPrefix(r.Key, keyPrefix)] += r.Searches
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for at, t := range m.open {
		if at.day.month() == month {
			of[at.key] += t.kept.Searches + t.searches
		}
	}
	m.month, m.inMonth = month, of
	return nil
}

// links yields the links of the days that begin with prefix, by day.
func (m *Meter) links(prefix string) iter.Seq2[storedLink, error] {
	return func(yield func(storedLink, error) bool) {
		for row, err := range m.store.Rows(dayRows + prefix) {
			if err != nil {
				yield(storedLink{}, err)
				return
			}
			l, err := parseLink(row.Value)
			if err != nil {
				err = fmt.Errorf("%w: row %s: %w", engine.ErrCorrupt, row.Key, err)
			}
			if !yield(l, err) || err != nil {
				return
			}
		}
	}
}
