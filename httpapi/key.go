package httpapi

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"strings"
)

// The shape of an API key: qk_<id>_<secret>_<sum>. All three parts have fixed
// widths and are written in base 62, digits before capitals before small
// letters. The secret is 256 random bits, which 43 digits hold; sum is the
// CRC-32C of all that stands before its underscore, so that scanners for
// leaked secrets can tell a key from a text that only looks like one.
const (
	keyPrefix   = "qk_"
	keyIDLen    = 8
	keySecret   = 43
	keySumLen   = 6
	keyLen      = len(keyPrefix) + keyIDLen + 1 + keySecret + 1 + keySumLen
	base62      = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	keySumStart = keyLen - keySumLen
)

// ErrNotAKey is the error of a text that is not an API key.
var ErrNotAKey = errors.New("not an API key")

// GenerateKey makes a new API key. Whoever holds its text may do what the key
// may do, so it is shown once and kept only as a [KeyHash].
func GenerateKey() string {
	var secret [32]byte
	rand.Read(secret[:]) // never fails, see crypto/rand
	id, _ := rand.Int(rand.Reader, new(big.Int).Exp(big.NewInt(62), big.NewInt(keyIDLen), nil))
	key := keyPrefix + inBase62(id, keyIDLen) + "_" + inBase62(new(big.Int).SetBytes(secret[:]), keySecret)
	return key + "_" + keySum(key)
}

// ParseKey checks the shape and the sum of a key and returns its id, the part
// that may be shown. Any other text gives [ErrNotAKey], which does not repeat
// it.
func ParseKey(key string) (id string, err error) {
	const secretAt = len(keyPrefix) + keyIDLen + 1
	if len(key) != keyLen || !strings.HasPrefix(key, keyPrefix) ||
		key[secretAt-1] != '_' || key[keySumStart-1] != '_' {
		return "", ErrNotAKey
	}
	id, secret := key[len(keyPrefix):secretAt-1], key[secretAt:keySumStart-1]
	for _, c := range []byte(id + secret) {
		if strings.IndexByte(base62, c) < 0 {
			return "", ErrNotAKey
		}
	}
	if key[keySumStart:] != keySum(key[:keySumStart-1]) {
		return "", ErrNotAKey
	}
	return id, nil
}

func keySum(s string) string {
	sum := crc32.Checksum([]byte(s), crc32.MakeTable(crc32.Castagnoli))
	return inBase62(new(big.Int).SetUint64(uint64(sum)), keySumLen)
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

// KeyHash is what is kept of a key: its id and the SHA-256 of its text. The
// secret has 256 random bits, so a plain hash cannot be searched. The zero
// value belongs to no key.
type KeyHash struct {
	ID  string
	Sum [sha256.Size]byte
}

// HashKey returns the hash of a key, or [ErrNotAKey].
func HashKey(key string) (KeyHash, error) {
	id, err := ParseKey(key)
	if err != nil {
		return KeyHash{}, err
	}
	return KeyHash{ID: id, Sum: sha256.Sum256([]byte(key))}, nil
}

// matches tells in constant time whether sum is the hash's.
func (h *KeyHash) matches(sum *[sha256.Size]byte) bool {
	return subtle.ConstantTimeCompare(h.Sum[:], sum[:]) == 1
}

// RootKeyFile reads the root key of a service from a file. If there is no such
// file it makes a key and writes it, with mode 0600 and durably before it
// returns; made tells so.
func RootKeyFile(path string) (key string, made bool, err error) {
	text, err := os.ReadFile(path)
	switch {
	case err == nil:
		key = strings.TrimSpace(string(text))
		if _, err := ParseKey(key); err != nil {
			return "", false, fmt.Errorf("root key file %s: %w; remove the file to have a key made", path, err)
		}
		return key, false, nil
	case !errors.Is(err, fs.ErrNotExist):
		return "", false, fmt.Errorf("root key file: %w", err)
	}
	key = GenerateKey()
	if err := writeFile(path, []byte(key+"\n")); err != nil {
		return "", false, fmt.Errorf("root key file: %w", err)
	}
	return key, true, nil
}

// writeFile writes a file with mode 0600 so that after a crash at any moment
// path holds either what it held before or all of data.
func writeFile(path string, data []byte) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".new-*") // mode 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	_, err = f.Write(data)
	err = errors.Join(err, f.Sync(), f.Close())
	if err != nil {
		return err
	}
	if err = os.Rename(f.Name(), path); err != nil {
		return err
	}
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
