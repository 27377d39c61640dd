package main

import (
	"fmt"
	"os"
	"path/filepath"
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

// TestRepairWithoutATable cuts off each table of a directory in turn: the directory
// does not open any more, and repair saves what the others hold and tells the rest.
func TestRepairWithoutATable(t *testing.T) {
	c := newCLI(t)
	c.must("import", c.write("products.ndjson", `{"id":"1","title":"red shoes"}`+"\n"), "--data", "d")
	c.write("d/root.key", "key")
	tables, err := filepath.Glob("d/store/*.sst")
	if err != nil || len(tables) == 0 {
		t.Fatal(tables, err)
	}
	lost, whole := 0, 0
	for i, table := range tables {
		damaged, saved := fmt.Sprint("d", i), fmt.Sprint("new", i)
		if err := os.CopyFS(damaged, os.DirFS("d")); err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(table)
		if err := os.Truncate(filepath.Join(damaged, "store", name), 10); err != nil {
			t.Fatal(err)
		}
		if code, _, stderr := c.run("check", "--data", damaged); code != exitFailed || !strings.Contains(stderr, name) {
			t.Errorf("check: exit code %d, %q", code, stderr)
		}
		c.write(saved+"/QUARRY.repairing", "") // as an interruption leaves it
		if code, _, stderr := c.run("search", "x", "--data", saved); code != exitFailed || !strings.Contains(stderr, "quarry repair is making it") {
			t.Errorf("half made: exit code %d, %q", code, stderr)
		}
		code, out, stderr := c.run("repair", "--data", damaged, saved)
		switch code {
		case exitDone:
			whole++
			if !strings.Contains(out, "products: 1 records, 0 lost") {
				t.Errorf("%s: %q", name, out)
			}
		case exitFailed:
			lost++
			if !strings.Contains(out, "\n"+name+" is left out, which may have held ") || !strings.Contains(stderr, saved+" holds what could be saved") {
				t.Errorf("%s: %q, %q", name, out, stderr)
			}
		default:
			t.Errorf("%s: exit code %d, %q", name, code, stderr)
		}
		if out := c.must("check", "--data", saved); !strings.Contains(out, "all is well") {
			t.Errorf("%s: %q", name, out)
		}
		if key, err := os.ReadFile(saved + "/root.key"); err != nil || string(key) != "key" {
			t.Errorf("%s: root key %q, %v", name, key, err)
		}
	}
	if lost == 0 || whole == 0 {
		t.Errorf("something was lost without %d tables, nothing without %d", lost, whole)
	}
}
