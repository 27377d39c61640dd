package keyring

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
	"time"
)

const (
	tokenPrefix = "qt_"
	// MaxToken is the length of the longest token, in bytes.
	MaxToken = 4096
	// tokenLabel keeps the signing of tokens apart from any other use of a
	// key's hash.
	tokenLabel = "quarry-tenant-token\n"
)

// Claims is what a token says: what its bearer may do of what the bearer of its
// key may.
type Claims struct {
	Key     string   `json:"k"`           // its PublicID
	Filters []string `json:"f,omitempty"` // added to those of the key
	Indexes []string `json:"i,omitempty"` // patterns, added to those of the key
	Expires int64    `json:"e"`           // in seconds since 1970
	Scopes  []string `json:"s,omitempty"` // those of the key that are left; empty: search and read
}

// ErrTokenTooLong is the error of claims that make a token of more than
// MaxToken bytes.
var ErrTokenTooLong = errors.New("the token would be too long")

// MintToken makes a token of a key's text, as its holder can. Key is filled in.
func MintToken(key string, c Claims) (string, error) {
	h, err := HashOf(key)
	if err != nil {
		return "", err
	}
	c.Key = PublicID(h.ID)
	return mint(&h.Sum, c)
}

// Mint makes a token of the newest text of a key. Key is filled in.
func (k *Key) Mint(c Claims) (string, error) {
	if !k.secrets[0].set {
		return "", ErrNotFound
	}
	c.Key = PublicID(k.ID)
	return mint(&k.secrets[0].sum, c)
}

func mint(sum *[sha256.Size]byte, c Claims) (string, error) {
	payload, err := json.Marshal(c)
	if err != nil {
		return "", err
	}
	text := tokenPrefix + base64.RawURLEncoding.EncodeToString(payload)
	mac := tokenMAC(sum, text)
	text += "." + base64.RawURLEncoding.EncodeToString(mac[:])
	if len(text) > MaxToken {
		return "", ErrTokenTooLong
	}
	return text, nil
}

// tokenMAC signs a token up to its point.
func tokenMAC(sum *[sha256.Size]byte, text string) (mac [sha256.Size]byte) {
	secret := sha256.Sum256(append([]byte(tokenLabel), sum[:]...))
	h := hmac.New(sha256.New, secret[:])
	h.Write([]byte(text))
	return [sha256.Size]byte(h.Sum(mac[:0]))
}

// token is Authenticate for tokens. A malformed one takes the steps of one that
// is not.
func (r *Ring) token(text string, now time.Time) (*Grant, error) {
	if len(text) > MaxToken {
		return nil, ErrInvalid
	}
	signed, mac64, _ := strings.Cut(text, ".")
	claims, shape := parseClaims(strings.TrimPrefix(signed, tokenPrefix))
	mac, err := decode64(mac64)
	wellFormed := shape == nil && err == nil && len(mac) == sha256.Size
	var given [sha256.Size]byte
	copy(given[:], mac)

	id, _ := ParsePublicID(claims.Key)
	e := r.entryOf(id)
	match := false
	for i := range e.secrets {
		want := tokenMAC(&e.secrets[i].sum, signed)
		same := equal(&want, &given)
		match = match || same && e.secrets[i].live(now)
	}
	if !match || !wellFormed {
		return nil, ErrInvalid
	}
	rights, ok := claims.narrow(e.Rights())
	if !ok {
		return nil, ErrInvalid
	}
	g, err := e.grant(rights, now)
	if err == nil {
		g.Token = true
	}
	return g, err
}

// decode64 reads base64url in its one and only form.
func decode64(s string) ([]byte, error) {
	if strings.ContainsAny(s, "\r\n") { // the decoder skips them
		return nil, ErrInvalid
	}
	return base64.RawURLEncoding.Strict().DecodeString(s)
}

// parseClaims reads the payload of a token.
func parseClaims(payload64 string) (c Claims, err error) {
	payload, err := decode64(payload64)
	if err != nil {
		return Claims{}, err
	}
	d := json.NewDecoder(bytes.NewReader(payload))
	d.DisallowUnknownFields() // what is not understood may be a limit
	if err := d.Decode(&c); err != nil {
		return Claims{}, err
	}
	if d.InputOffset() != int64(len(payload)) || c.Expires <= 0 {
		return Claims{}, ErrInvalid
	}
	return c, nil
}

// narrow returns the rights of a token of a key with the given ones; ok is
// false if the claims cannot be understood.
func (c *Claims) narrow(r Rights) (_ Rights, ok bool) {
	// A list that is there and empty may be meant to let nothing through.
	if c.Scopes != nil && len(c.Scopes) == 0 || c.Indexes != nil && len(c.Indexes) == 0 {
		return r, false
	}
	scopes := confinable
	if len(c.Scopes) > 0 {
		scopes = 0
		for _, name := range c.Scopes {
			s, ok := ParseScope(name)
			if !ok {
				return r, false
			}
			scopes |= s
		}
	}
	r.Scopes &= scopes & confinable
	for _, p := range c.Indexes {
		if !ValidPattern(p) {
			return r, false
		}
	}
	if len(c.Indexes) > 0 {
		r.Indexes = append(r.Indexes, c.Indexes)
	}
	for _, f := range c.Filters {
		if strings.TrimSpace(f) == "" {
			return r, false
		}
		r.Filters = append(r.Filters, f)
	}
	if end := time.Unix(c.Expires, 0); r.Expires.IsZero() || end.Before(r.Expires) {
		r.Expires = end
	}
	return r, true
}
