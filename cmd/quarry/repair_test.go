package main

import (
	"os"
	"strings"
	"testing"
)

func TestRepair(t *testing.T) {
	c := newCLI(t)
	c.must("import", c.write("products.ndjson", `{"id":"1","title":"red shoes"}`+"\n"), "--data", "d")
	for name, text := range map[string]string{"d/root.key": "key", "d/tls/ca.pem": "pem"} {
		c.write(name, text)
	}
	if out := c.must("repair", "--data", "d", "new"); !strings.Contains(out, "products: 1 records, 0 lost") {
		t.Errorf("%q", out)
	}
	if out := c.must("check", "--data", "new"); !strings.Contains(out, "all is well") {
		t.Errorf("%q", out)
	}
	if key, err := os.ReadFile("new/root.key"); err != nil || string(key) != "key" {
		t.Errorf("root key %q, %v", key, err)
	}
	if pem, err := os.ReadFile("new/tls/ca.pem"); err != nil || string(pem) != "pem" {
		t.Errorf("certificate %q, %v", pem, err)
	}
	for _, args := range [][]string{{"repair", "--data", "d", "new"}, {"repair", "--data", "nowhere", "x"}, {"repair", "--data", "d"}, {"repair", "--data", "d", "d/new"}, {"repair", "--data", "d", "d"}} {
		if code, _, stderr := c.run(args...); code == exitDone || strings.Count(stderr, "\n") != 1 {
			t.Errorf("quarry %v: exit code %d, %q", args, code, stderr)
		}
	}
	if _, err := os.Stat("d/new"); err == nil {
		t.Error("the damaged directory has changed")
	}
}
