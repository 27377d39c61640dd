package main

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
)

func TestBatchCommands(t *testing.T) {
	c := shop(t)
	out := c.must("batch", "list")
	m := regexp.MustCompile(`(?m)^(bat_\S+) +applied +3 +0 +0 +0 `).FindStringSubmatch(out)
	if m == nil {
		t.Fatalf("list prints\n%s", out)
	}
	var list struct{ Batches []batchInfo }
	if err := json.Unmarshal([]byte(c.must("batch", "list", "--json")), &list); err != nil || len(list.Batches) == 0 || list.Batches[0].ID != m[1] {
		t.Errorf("list --json: %+v, %v", list, err)
	}
	out = c.must("batch", "show", m[1])
	for _, line := range []string{`batch +` + m[1], `state +applied`, `put +3`, `failed +0`, `applied +\d{4}-.*`} {
		if !regexp.MustCompile(`(?m)^` + line + `$`).MatchString(out) {
			t.Errorf("show prints\n%s\nwithout a line %q", out, line)
		}
	}
	if out := c.must("batch", "show", m[1], "--json"); !strings.Contains(out, `"state":"applied"`) {
		t.Errorf("show --json prints %s", out)
	}
	if code, _, stderr := c.run("batch", "cancel", m[1]); code != exitFailed || !strings.Contains(stderr, "the batch is applied") {
		t.Errorf("cancel: exit code %d, %q", code, stderr)
	}
	if code, _, stderr := c.run("batch", "show", "bat_x"); code != exitFailed || !strings.Contains(stderr, "no batch") {
		t.Errorf("show of nothing: exit code %d, %q", code, stderr)
	}
}

func TestIndexesSwapAndRebuild(t *testing.T) {
	c := shop(t)
	c.must("import", "--index", "shop2", c.write("more.ndjson", `{"id":"z","title":"Coat"}`+"\n"))
	if out := c.must("indexes", "swap", "shop", "shop2"); out != "swapped shop and shop2\n" {
		t.Errorf("swap prints %q", out)
	}
	if out := c.must("indexes", "list"); !regexp.MustCompile(`(?m)^shop +1 `).MatchString(out) || !regexp.MustCompile(`(?m)^shop2 +3 `).MatchString(out) {
		t.Errorf("list prints\n%s", out)
	}
	for says, args := range map[string][2]string{`"shop" is one`: {"shop", "shop"}, "the second INDEX: is not the name": {"shop", "Bad!"}} {
		if code, _, stderr := c.run("indexes", "swap", args[0], args[1]); code != exitUsage || !strings.Contains(stderr, says) {
			t.Errorf("swap of %q: exit code %d, %q", args, code, stderr)
		}
	}
	if code, _, stderr := c.run("indexes", "swap", "shop", "none"); code != exitFailed || !strings.Contains(stderr, `there is no index "none"`) {
		t.Errorf("swap with nothing: exit code %d, %q", code, stderr)
	}
	if out := c.must("indexes", "rebuild", "shop"); out != "shop is ready\n" {
		t.Errorf("rebuild prints %q", out)
	}
	if out := c.must("indexes", "rebuild", "shop", "--json"); out != "null\n" {
		t.Errorf("rebuild --json prints %q", out)
	}
	if code, _, stderr := c.run("indexes", "rebuild", "shop", "--cancel"); code != exitFailed || !strings.Contains(stderr, "not being rebuilt") {
		t.Errorf("cancel: exit code %d, %q", code, stderr)
	}
}

func TestRebuildInWords(t *testing.T) {
	for want, r := range map[string]rebuild{
		"0 of 0 records (0 %)":          {State: "running"},
		"1,500 of 3,000 records (50 %)": {State: "running", Done: 1500, Total: 3000},
		"failed: no number":             {State: "failed", Error: &apiError{Status: 422, Detail: "no number"}},
	} {
		if got := r.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
