package webhook

import (
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"strconv"
	"strings"
	"time"
)

// Secret is what messages to an endpoint are signed with: a symmetric key that
// the receiver knows as well, and the seed of an Ed25519 key of which it knows
// the public half. The two are independent of each other, so that whoever can
// verify with one cannot sign with the other.
type Secret struct {
	Key  []byte `json:"key"`  // 32 bytes, of HMAC-SHA256
	Seed []byte `json:"seed"` // 32 bytes, of Ed25519
}

// newSecret makes a secret.
func newSecret() Secret {
	s := Secret{Key: make([]byte, 32), Seed: make([]byte, ed25519.SeedSize)}
	rand.Read(s.Key) // never fails, see crypto/rand
	rand.Read(s.Seed)
	return s
}

// zero tells whether there is no secret.
func (s Secret) zero() bool { return len(s.Key) == 0 || len(s.Seed) != ed25519.SeedSize }

// Text is the symmetric key as receivers configure it: whsec_ and base64.
func (s Secret) Text() string { return "whsec_" + base64.StdEncoding.EncodeToString(s.Key) }

// PublicKey is the public half of the Ed25519 key: whpk_ and base64.
func (s Secret) PublicKey() string {
	public := ed25519.NewKeyFromSeed(s.Seed).Public().(ed25519.PublicKey)
	return "whpk_" + base64.StdEncoding.EncodeToString(public)
}

// signature is the header webhook-signature of a message: for each secret its
// HMAC as v1, then for each its Ed25519 signature as v1a, of
// "<id>.<seconds since 1970>.<body>".
func signature(secrets []Secret, id string, at time.Time, body []byte) string {
	signed := append([]byte(id+"."+strconv.FormatInt(at.Unix(), 10)+"."), body...)
	var list []string
	for _, s := range secrets {
		h := hmac.New(sha256.New, s.Key)
		h.Write(signed)
		list = append(list, "v1,"+base64.StdEncoding.EncodeToString(h.Sum(nil)))
	}
	for _, s := range secrets {
		sum := ed25519.Sign(ed25519.NewKeyFromSeed(s.Seed), signed)
		list = append(list, "v1a,"+base64.StdEncoding.EncodeToString(sum))
	}
	return strings.Join(list, " ")
}
