package keyring

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// Key is one API key as the service knows it. A Key of a [Ring] never changes:
// it is replaced by another.
type Key struct {
	ID      string // the part of the text that may be shown; see PublicID
	Name    string // for people
	Scopes  Scope
	Indexes []string  // patterns, see Rights.Indexes; empty: every index
	Filter  string    // that records have to match to be seen; "": every record
	Expires time.Time // zero: never
	Rate    Rate      // zero for the root key alone
	Quota   int64     // searches in a month of UTC; 0: no bound
	Hint    string    // the end of the text; "" for the root key
	Created time.Time // zero for the root key
	Rotated time.Time // the last time; zero: never
	Revoked time.Time // zero: it is not
	Warned  time.Time // the end that was warned of; zero: none
	Root    bool      // it comes from the server's settings and never changes

	secrets [maxSecrets]secret // the newest first
}

// maxSecrets is how many texts of a key may be valid at a time.
const maxSecrets = 4

// secret is the hash of one text of a key. The zero value is that of none.
type secret struct {
	sum   [sha256.Size]byte
	set   bool
	until time.Time // the end of grace; zero for the newest
}

func (s *secret) live(now time.Time) bool { return s.set && (s.until.IsZero() || now.Before(s.until)) }

// State is a word for what can be done with a key.
type State string

// States of keys.
const (
	Active  State = "active"
	Expired State = "expired"
	Revoked State = "revoked"
)

// State returns the state of a key at a time.
func (k *Key) State(now time.Time) State {
	switch {
	case !k.Revoked.IsZero():
		return Revoked
	case !k.Expires.IsZero() && !now.Before(k.Expires):
		return Expired
	}
	return Active
}

// Rights returns what the bearer of the key may do.
func (k *Key) Rights() Rights {
	r := Rights{Scopes: k.Scopes, Expires: k.Expires, Rate: k.Rate, Quota: k.Quota}
	if len(k.Indexes) > 0 {
		r.Indexes = [][]string{k.Indexes}
	}
	if k.Filter != "" {
		r.Filters = []string{k.Filter}
	}
	return r
}

// Grace returns when the last of the earlier texts of the key ends to be
// valid; zero if none is valid at the given time.
func (k *Key) Grace(now time.Time) (until time.Time) {
	for _, s := range k.secrets[1:] {
		if s.live(now) && s.until.After(until) {
			until = s.until
		}
	}
	return until
}

// Rotate gives the key a new text, and returns it. Those that are valid stay so
// for the time of grace, or to the end of an earlier and shorter one; where
// there are too many, that which would end first ends now.
func (k *Key) Rotate(now time.Time, grace time.Duration) (text string) {
	var old []secret
	for _, s := range k.secrets {
		if !s.live(now) || grace <= 0 {
			continue
		}
		if until := now.Add(grace); s.until.IsZero() || s.until.After(until) {
			s.until = until
		}
		old = append(old, s)
	}
	slices.SortStableFunc(old, func(a, b secret) int { return b.until.Compare(a.until) })
	text = GenerateFor(k.ID)
	k.secrets = [maxSecrets]secret{{sum: sha256.Sum256([]byte(text)), set: true}}
	copy(k.secrets[1:], old)
	k.Hint, k.Rotated = text[len(text)-hintLen:], now
	return text
}

// Revoke ends the key for good. What is left of it tells that it has been, and
// for whom.
func (k *Key) Revoke(now time.Time) {
	k.Revoked = now
	k.secrets = [maxSecrets]secret{}
}

// clone returns a copy that shares nothing with k.
func (k *Key) clone() *Key {
	c := *k
	c.Indexes = slices.Clone(k.Indexes)
	return &c
}

// compare orders keys: the root key, then by the time of making.
func compare(a, b *Key) int {
	if a.Root != b.Root {
		if a.Root {
			return -1
		}
		return 1
	}
	return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.ID, b.ID))
}

// storedKey is a Key in its row: JSON, times to the microsecond.
type storedKey struct {
	Name    string         `json:"name"`
	Scopes  []string       `json:"scopes"`
	Indexes []string       `json:"indexes,omitempty"`
	Filter  string         `json:"filter,omitempty"`
	Expires time.Time      `json:"expires,omitzero"`
	Rate    Rate           `json:"rate"`
	Quota   int64          `json:"quota,omitempty"`
	Hint    string         `json:"hint"`
	Created time.Time      `json:"created"`
	Rotated time.Time      `json:"rotated,omitzero"`
	Revoked time.Time      `json:"revoked,omitzero"`
	Warned  time.Time      `json:"warned,omitzero"`
	Secrets []storedSecret `json:"secrets,omitempty"`
}

type storedSecret struct {
	Sum   string    `json:"sha256"` // hex
	Until time.Time `json:"until,omitzero"`
}

// Encode returns the row of a key. It holds hashes of the key's texts and no
// text.
func (k *Key) Encode() ([]byte, error) {
	s := storedKey{
		Name: k.Name, Scopes: k.Scopes.Names(), Indexes: k.Indexes, Filter: k.Filter, Expires: k.Expires, Rate: k.Rate,
		Quota: k.Quota, Hint: k.Hint, Created: k.Created, Rotated: k.Rotated, Revoked: k.Revoked, Warned: k.Warned,
	}
	for _, x := range k.secrets {
		if x.set {
			s.Secrets = append(s.Secrets, storedSecret{hex.EncodeToString(x.sum[:]), x.until})
		}
	}
	return json.Marshal(s)
}

// Decode reads the row of the key with an id. A row that does not hold a key is
// an error: it is better not to start than to do without the limits of a key.
func Decode(id string, row []byte) (*Key, error) {
	var s storedKey
	if err := json.Unmarshal(row, &s); err != nil {
		return nil, fmt.Errorf("key %s: %w", id, err)
	}
	if len(id) != idLen || !isBase62(id) {
		return nil, fmt.Errorf("key %q: the id is none", id)
	}
	k := &Key{
		ID: id, Name: s.Name, Indexes: s.Indexes, Filter: s.Filter, Expires: s.Expires, Rate: s.Rate,
		Quota: s.Quota, Hint: s.Hint, Created: s.Created, Rotated: s.Rotated, Revoked: s.Revoked, Warned: s.Warned,
	}
	for _, name := range s.Scopes {
		scope, ok := ParseScope(name)
		if !ok {
			return nil, fmt.Errorf("key %s: unknown scope %q", id, name)
		}
		k.Scopes |= scope
	}
	if k.Rate.PerSecond < 1 || k.Rate.Burst < 1 {
		return nil, fmt.Errorf("key %s: no rate", id)
	}
	if len(s.Secrets) > maxSecrets {
		return nil, fmt.Errorf("key %s: %d secrets", id, len(s.Secrets))
	}
	for i, x := range s.Secrets {
		sum, err := hex.DecodeString(x.Sum)
		if err != nil || len(sum) != sha256.Size {
			return nil, fmt.Errorf("key %s: secret %d is not a SHA-256", id, i)
		}
		k.secrets[i] = secret{sum: [sha256.Size]byte(sum), set: true, until: x.Until}
	}
	return k, nil
}
