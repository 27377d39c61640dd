package httpapi

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestGeneratedKeys(t *testing.T) {
	shape := regexp.MustCompile(`^qk_[0-9A-Za-z]{8}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$`)
	seen := map[string]bool{}
	for range 200 {
		key := GenerateKey()
		id, err := ParseKey(key)
		if err != nil || !shape.MatchString(key) || id != key[3:11] {
			t.Fatalf("%s: id %q, %v", key, id, err)
		}
		if seen[id] || seen[key] {
			t.Fatalf("%s was made before", key)
		}
		seen[id], seen[key] = true, true
	}
}

func TestParseKeyRefusesEveryChangedByte(t *testing.T) {
	key := GenerateKey()
	for i := range key {
		for _, c := range []byte("0aZ_ \x00\xff") {
			if key[i] == c {
				continue
			}
			changed := key[:i] + string([]byte{c}) + key[i+1:]
			if _, err := ParseKey(changed); !errors.Is(err, ErrNotAKey) {
				t.Errorf("byte %d changed to %q: %v", i, c, err)
			}
		}
	}
}

func TestHashKey(t *testing.T) {
	key := GenerateKey()
	h, err := HashKey(key)
	if err != nil || h.ID != key[3:11] {
		t.Fatalf("%+v, %v", h, err)
	}
	if again, _ := HashKey(key); again != h {
		t.Error("a key has two hashes")
	}
	if _, err := HashKey("qk_"); !errors.Is(err, ErrNotAKey) {
		t.Errorf("got %v", err)
	}
}

func TestRootKeyFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "root.key")
	key, made, err := RootKeyFile(path)
	if err != nil || !made {
		t.Fatalf("made %v, %v", made, err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	again, made, err := RootKeyFile(path)
	if err != nil || made || again != key {
		t.Errorf("second call: made %v, %v", made, err)
	}
	if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 1 {
		t.Errorf("files left: %v", entries)
	}
	for _, text := range []string{"", "secret", key + key} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, _, err := RootKeyFile(path)
		if !errors.Is(err, ErrNotAKey) {
			t.Errorf("%q: %v", text, err)
		} else if text != "" && strings.Contains(err.Error(), text) {
			t.Errorf("the error repeats the file: %v", err)
		}
	}
	if _, _, err := RootKeyFile(filepath.Join(path, "below")); err == nil {
		t.Error("a key below a file")
	}
}

func FuzzParseKey(f *testing.F) {
	f.Add(GenerateKey())
	f.Add("qk_00000000_0000000000000000000000000000000000000000000_000000")
	f.Add("")
	f.Add("qk_")
	f.Fuzz(func(t *testing.T, key string) {
		id, err := ParseKey(key)
		if err != nil {
			if !errors.Is(err, ErrNotAKey) || id != "" {
				t.Errorf("%q: %q, %v", key, id, err)
			}
			return
		}
		if len(key) != 62 || key[3:11] != id {
			t.Errorf("%q: id %q", key, id)
		}
	})
}

func TestIDsSortByTime(t *testing.T) {
	if len(newID("req_", testTime)) != 30 {
		t.Errorf("got %s", newID("req_", testTime))
	}
	for i := range 40 {
		a, b := newID("", testTime), newID("", testTime.Add(1<<i*1e6))
		if a >= b || a[:10] == b[:10] {
			t.Errorf("%s before %s, %d ms later", a, b, 1<<i)
		}
	}
}
