package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestIndexes(t *testing.T) {
	c := shop(t)
	if out := c.must("indexes", "list"); !regexp.MustCompile(`(?m)^shop +3 +\S+ \S+ +3 +ready +\d`).MatchString(out) {
		t.Errorf("list prints\n%s", out)
	}
	if out := c.must("indexes", "list", "--json"); !strings.Contains(out, `"name":"shop"`) {
		t.Errorf("list --json prints %s", out)
	}
	out := c.must("indexes", "show", "shop")
	for _, line := range []string{`records +3`, `id field +id`, `new fields +become searchable`, `title +text +5 +search, filter, facet, sort`, `price +float +filter, facet, sort`} {
		if !regexp.MustCompile(`(?m)^` + line + `$`).MatchString(out) {
			t.Errorf("show prints\n%s\nwithout a line %q", out, line)
		}
	}
	for _, args := range [][]string{{"show", "shoop"}, {"delete", "shoop"}, {"show", "../keys"}} {
		if code, _, stderr := c.run(append([]string{"indexes"}, args...)...); code != exitFailed || !strings.Contains(stderr, "there is no index") {
			t.Errorf("indexes %v: exit code %d, %q", args, code, stderr)
		}
	}
	if out := c.must("indexes", "delete", "shop"); out != "deleted shop\n" {
		t.Errorf("delete prints %q", out)
	}
	if out := c.must("indexes", "list"); strings.Contains(out, "shop") {
		t.Errorf("after delete, list prints\n%s", out)
	}
}

func TestCheckAndInspect(t *testing.T) {
	c := shop(t)
	if out := c.must("check"); !strings.HasPrefix(out, "d: all is well: 1 indexes, 3 records") {
		t.Errorf("check prints %q", out)
	}
	out := c.must("inspect")
	for _, part := range []string{"d  version ", "\nshop  3 records, 0 deleted\n", "segment"} {
		if !strings.Contains(out, part) {
			t.Errorf("inspect prints\n%s\nwithout %q", out, part)
		}
	}
	if again := c.must("inspect", "shop"); again != out {
		t.Errorf("inspect shop prints\n%s", again)
	}
	for _, sub := range []string{"check", "inspect"} {
		var got struct {
			Data    string
			Indexes any
		}
		if err := json.Unmarshal([]byte(c.must(sub, "--json")), &got); err != nil || got.Data != "d" || got.Indexes == nil {
			t.Errorf("%s --json: %v, %v", sub, got, err)
		}
	}
	if code, _, stderr := c.run("inspect", "shoop"); code != exitFailed || !strings.Contains(stderr, `did you mean "shop"?`) {
		t.Errorf("inspect shoop: exit code %d, %q", code, stderr)
	}

	tables, err := filepath.Glob("d/store/*.sst")
	if err != nil || len(tables) == 0 {
		t.Fatalf("no tables to damage: %v", err)
	}
	for _, name := range tables {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for i := range b[:len(b)/2] {
			b[i] ^= 0x55
		}
		if err := os.WriteFile(name, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if code, _, stderr := c.run("check"); code != exitFailed || strings.Count(stderr, "\n") != 1 {
		t.Errorf("check of a damaged directory: exit code %d, %q", code, stderr)
	}
}
