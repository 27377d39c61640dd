package keyring

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"hash/crc32"
	"math/big"
	"strings"
)

// The shape of an API key: qk_<id>_<secret>_<sum>. All three parts have fixed
// widths and are written in base 62, digits before capitals before small
// letters. The secret is 256 random bits, which 43 digits hold; sum is the
// CRC-32C of all that stands before its underscore, so that scanners for
// leaked secrets can tell a key from a text that only looks like one.
const (
	textPrefix = "qk_"
	idLen      = 8
	secretLen  = 43
	sumLen     = 6
	sumStart   = textLen - sumLen
	base62     = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

	textLen = len(textPrefix) + idLen + 1 + secretLen + 1 + sumLen

	// hintLen is how much of the end of a key is shown, so that its holder can
	// tell it from others. It lies within the sum.
	hintLen = 4
)

// ErrNotAKey is the error of a text that is not an API key.
var ErrNotAKey = errors.New("not an API key")

// Generate makes a new API key. Whoever holds its text may do what the key may
// do, so it is shown once and kept only as a [Hash].
func Generate() string {
	id, _ := rand.Int(rand.Reader, new(big.Int).Exp(big.NewInt(62), big.NewInt(idLen), nil))
	return GenerateFor(inBase62(id, idLen))
}

// GenerateFor makes a new text of the key with an id, of eight letters and
// digits.
func GenerateFor(id string) string {
	var secret [32]byte
	rand.Read(secret[:]) // never fails, see crypto/rand
	key := textPrefix + id + "_" + inBase62(new(big.Int).SetBytes(secret[:]), secretLen)
	return key + "_" + checksum(key)
}

// Parse checks the shape and the sum of a key and returns its id, the part
// that may be shown. Any other text gives [ErrNotAKey], which does not repeat
// it.
func Parse(key string) (id string, err error) {
	const secretAt = len(textPrefix) + idLen + 1
	if len(key) != textLen || !strings.HasPrefix(key, textPrefix) ||
		key[secretAt-1] != '_' || key[sumStart-1] != '_' {
		return "", ErrNotAKey
	}
	id, secret := key[len(textPrefix):secretAt-1], key[secretAt:sumStart-1]
	if !isBase62(id) || !isBase62(secret) {
		return "", ErrNotAKey
	}
	if key[sumStart:] != checksum(key[:sumStart-1]) {
		return "", ErrNotAKey
	}
	return id, nil
}

func isBase62(s string) bool {
	for _, c := range []byte(s) {
		if strings.IndexByte(base62, c) < 0 {
			return false
		}
	}
	return true
}

func checksum(s string) string {
	sum := crc32.Checksum([]byte(s), crc32.MakeTable(crc32.Castagnoli))
	return inBase62(new(big.Int).SetUint64(uint64(sum)), sumLen)
}

// inBase62 writes n with the given number of digits, of which n needs no more.
func inBase62(n *big.Int, width int) string {
	digits := bytes.Repeat([]byte{'0'}, width)
	n, base, mod := new(big.Int).Set(n), big.NewInt(62), new(big.Int)
	for i := width - 1; i >= 0 && n.Sign() > 0; i-- {
		n.DivMod(n, base, mod)
		digits[i] = base62[mod.Int64()]
	}
	return string(digits)
}

// Hash is what is kept of a key: its id and the SHA-256 of its text. The
// secret has 256 random bits, so a plain hash cannot be searched. The zero
// value belongs to no key.
type Hash struct {
	ID  string
	Sum [sha256.Size]byte
}

// HashOf returns the hash of a key, or [ErrNotAKey].
func HashOf(key string) (Hash, error) {
	id, err := Parse(key)
	if err != nil {
		return Hash{}, err
	}
	return Hash{ID: id, Sum: sha256.Sum256([]byte(key))}, nil
}

// equal compares two sums in constant time.
func equal(a, b *[sha256.Size]byte) bool { return subtle.ConstantTimeCompare(a[:], b[:]) == 1 }

// publicPrefix begins the id of a key as the interface shows it; the part of
// the key's text follows.
const publicPrefix = "key_"

// PublicID returns the id of a key as the interface shows it.
func PublicID(id string) string { return publicPrefix + id }

// ParsePublicID is the inverse of [PublicID]; ok tells whether public has the
// shape of one.
func ParsePublicID(public string) (id string, ok bool) {
	id, ok = strings.CutPrefix(public, publicPrefix)
	if !ok || len(id) != idLen || !isBase62(id) {
		return "", false
	}
	return id, true
}
