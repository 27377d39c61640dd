package keyring

import (
	"crypto/sha256"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Errors of a Ring.
var (
	ErrInvalid  = errors.New("not a valid key")       // malformed, unknown, wrong or revoked: nobody is told which
	ErrExpired  = errors.New("the key has expired")   // it was a valid key or token
	ErrNotFound = errors.New("there is no such key")  // unknown or revoked
	ErrRoot     = errors.New("the root key is fixed") // it cannot be changed
	ErrTooMany  = errors.New("too many keys")
)

// Ring is the keys of a service. It is safe for concurrent use.
type Ring struct {
	state  atomic.Pointer[state]
	nobody *entry     // no text fits it
	mu     sync.Mutex // one change at a time
}

// state is all keys at one moment. It never changes.
type state struct {
	byID map[string]*entry
	list []*entry // by compare
}

// entry is a key and what goes on with it, which all its versions share.
type entry struct {
	*Key
	use *use
}

type use struct {
	bucket bucket
	day    atomic.Int64 // of the last use, in days since 1970; 0: never
	saved  atomic.Int64 // day as the caller has stored it
}

// New makes a ring of the root key, unless its hash is zero, and of keys that
// [Decode] has read. days are those of their last uses by id, in days since
// 1970.
func New(root Hash, keys []*Key, days map[string]int64) *Ring {
	s := &state{byID: map[string]*entry{}}
	for _, k := range keys {
		s.byID[k.ID] = &entry{Key: k, use: new(use)}
	}
	if root != (Hash{}) {
		k := &Key{ID: root.ID, Name: "root", Scopes: All, Root: true}
		k.secrets[0] = secret{sum: root.Sum, set: true}
		s.byID[root.ID] = &entry{Key: k, use: new(use)}
	}
	for id, day := range days {
		if e := s.byID[id]; e != nil {
			e.use.day.Store(day)
			e.use.saved.Store(day)
		}
	}
	s.sort()
	r := &Ring{nobody: &entry{Key: new(Key), use: new(use)}}
	r.state.Store(s)
	return r
}

func (s *state) sort() {
	s.list = slices.SortedFunc(maps.Values(s.byID), func(a, b *entry) int { return compare(a.Key, b.Key) })
}

// Grant is what a request may do, by the key or the token that it carries.
type Grant struct {
	ID string // of the key, of a token that of the key it was made of
	Rights
	Key   *Key // as it was when the request came
	Token bool
	use   *use
}

// Take counts a request against the rate of the key; limited is false for a
// key without one.
func (g *Grant) Take(now time.Time) (p Pace, limited bool) {
	if g.Key.Rate == (Rate{}) {
		return Pace{OK: true}, false
	}
	return g.use.bucket.take(g.Key.Rate, now), true
}

// Authenticate finds what the bearer of a text may do. A malformed, an unknown,
// a wrong and a revoked key take the same steps, so that neither the error,
// ErrInvalid, nor its time tells them apart. ErrExpired is only told to those
// who have a key that was valid.
func (r *Ring) Authenticate(text string, now time.Time) (*Grant, error) {
	if strings.HasPrefix(text, tokenPrefix) {
		return r.token(text, now)
	}
	sum := sha256.Sum256([]byte(text))
	id, shape := Parse(text)
	e := r.entryOf(id)
	match := false
	for i := range e.secrets {
		same := equal(&e.secrets[i].sum, &sum)
		match = match || same && e.secrets[i].live(now)
	}
	if !match || shape != nil {
		return nil, ErrInvalid
	}
	return e.grant(e.Rights(), now)
}

// entryOf returns the entry of a key or, where there is none, nobody: so it
// takes the same time to refuse a text with either.
func (r *Ring) entryOf(id string) *entry {
	if e := r.state.Load().byID[id]; e != nil {
		return e
	}
	return r.nobody
}

// grant notes the use of a key whose bearer has shown to have it.
func (e *entry) grant(rights Rights, now time.Time) (*Grant, error) {
	if !rights.Expires.IsZero() && !now.Before(rights.Expires) {
		return nil, ErrExpired
	}
	if day := now.Unix() / secondsPerDay; e.use.day.Load() != day {
		e.use.day.Store(day)
	}
	return &Grant{ID: e.ID, Rights: rights, Key: e.Key, use: e.use}, nil
}

const secondsPerDay = 24 * 60 * 60

// Keys returns all keys, the root key first and then by the time of making,
// revoked ones included.
func (r *Ring) Keys() []*Key {
	s := r.state.Load()
	out := make([]*Key, len(s.list))
	for i, e := range s.list {
		out[i] = e.Key
	}
	return out
}

// Key returns a key, also a revoked one; ErrNotFound if there is none.
func (r *Ring) Key(id string) (*Key, error) {
	e := r.state.Load().byID[id]
	if e == nil {
		return nil, ErrNotFound
	}
	return e.Key, nil
}

// LastDay returns the day of the last use of a key or one of its tokens, at
// 00:00 UTC; zero if it was never used.
func (r *Ring) LastDay(id string) time.Time {
	e := r.state.Load().byID[id]
	if e == nil || e.use.day.Load() == 0 {
		return time.Time{}
	}
	return time.Unix(e.use.day.Load()*secondsPerDay, 0).UTC()
}

// Unsaved returns the days of last uses that [Ring.Saved] was not told of, by
// id.
func (r *Ring) Unsaved() map[string]int64 {
	days := map[string]int64{}
	for id, e := range r.state.Load().byID {
		if day := e.use.day.Load(); day != e.use.saved.Load() {
			days[id] = day
		}
	}
	return days
}

// Saved notes that days are stored.
func (r *Ring) Saved(days map[string]int64) {
	s := r.state.Load()
	for id, day := range days {
		if e := s.byID[id]; e != nil {
			e.use.saved.Store(day)
		}
	}
}

// Add makes a key of k, which gets an id and a text. commit is called with the
// key, its text and its row, and makes the row durable; the key is valid once
// Add has returned without an error. ErrTooMany if there are already most keys
// that are not revoked.
func (r *Ring) Add(k Key, most int, commit func(k *Key, text string, row []byte) error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.state.Load()
	alive := 0
	for _, e := range s.list {
		if e.Key.Revoked.IsZero() && !e.Root {
			alive++
		}
	}
	if alive >= most {
		return ErrTooMany
	}
	text := Generate()
	k.ID, _ = Parse(text)
	for s.byID[k.ID] != nil {
		text = Generate()
		k.ID, _ = Parse(text)
	}
	k.secrets = [maxSecrets]secret{{sum: sha256.Sum256([]byte(text)), set: true}}
	k.Hint = text[len(text)-hintLen:]
	row, err := k.Encode()
	if err != nil {
		return err
	}
	if err := commit(&k, text, row); err != nil {
		return err
	}
	r.replace(s, map[string]*entry{k.ID: {Key: &k, use: new(use)}})
	return nil
}

// Change replaces a key by what edit makes of a copy of it. commit is called
// with the new one and its row, and makes the row durable. From when Change
// returns nil, the old one is good for nothing. ErrNotFound for a key that is
// unknown or revoked, ErrRoot for the root key; errors of edit and commit change
// nothing.
func (r *Ring) Change(id string, edit func(k *Key) error, commit func(k *Key, row []byte) error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.state.Load()
	e := s.byID[id]
	switch {
	case e == nil || !e.Key.Revoked.IsZero():
		return ErrNotFound
	case e.Root:
		return ErrRoot
	}
	k := e.clone()
	if err := edit(k); err != nil {
		return err
	}
	row, err := k.Encode()
	if err != nil {
		return err
	}
	if err := commit(k, row); err != nil {
		return err
	}
	r.replace(s, map[string]*entry{id: {Key: k, use: e.use}})
	return nil
}

// Forget drops the keys that were revoked before a time. commit is called with
// their ids, unless there are none, and deletes their rows.
func (r *Ring) Forget(before time.Time, commit func(ids []string) error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.state.Load()
	gone := map[string]*entry{}
	for id, e := range s.byID {
		if !e.Key.Revoked.IsZero() && e.Key.Revoked.Before(before) {
			gone[id] = nil
		}
	}
	if len(gone) == 0 {
		return nil
	}
	if err := commit(slices.Sorted(maps.Keys(gone))); err != nil {
		return err
	}
	r.replace(s, gone)
	return nil
}

// replace publishes a state with some entries replaced, by nil: without them.
func (r *Ring) replace(s *state, entries map[string]*entry) {
	next := &state{byID: maps.Clone(s.byID)}
	for id, e := range entries {
		if e == nil {
			delete(next.byID, id)
		} else {
			next.byID[id] = e
		}
	}
	next.sort()
	r.state.Store(next)
}
