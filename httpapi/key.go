package httpapi

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/quarry-search/quarry/httpapi/internal/keyring"
)

// ErrNotAKey is the error of a text that is not an API key.
var ErrNotAKey = keyring.ErrNotAKey

// KeyHash is what is kept of a key: its id and the SHA-256 of its text. The
// secret has 256 random bits, so a plain hash cannot be searched. The zero
// value belongs to no key.
type KeyHash = keyring.Hash

// GenerateKey makes a new API key, qk_<id>_<secret>_<sum>. Whoever holds its
// text may do what the key may do, so it is shown once and kept only as a
// [KeyHash].
func GenerateKey() string { return keyring.Generate() }

// GenerateKeyFor makes a new text of the API key with an id, eight letters and
// digits: for a root key whose text nobody keeps, but under which requests with
// an Idempotency-Key are known again.
func GenerateKeyFor(id string) string { return keyring.GenerateFor(id) }

// ParseKey checks the shape and the sum of a key and returns its id, the part
// that may be shown. Any other text gives [ErrNotAKey], which does not repeat
// it.
func ParseKey(key string) (id string, err error) { return keyring.Parse(key) }

// HashKey returns the hash of a key, or [ErrNotAKey].
func HashKey(key string) (KeyHash, error) { return keyring.HashOf(key) }

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
