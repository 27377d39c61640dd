package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestKeys(t *testing.T) {
	c := newCLI(t)
	r := c.start("serve", "--listen", "127.0.0.1:0", "--data", "d")
	root, err := os.ReadFile(filepath.Join("d", "root.key"))
	if err != nil {
		t.Fatal(err)
	}
	server := []string{"--url", r.url(), "--key", strings.TrimSpace(string(root)), "--ca", r.value("ca")}
	run := func(args ...string) (code int, stdout, stderr string) { return c.run(append(args, server...)...) }
	must := func(args ...string) (stdout, stderr string) {
		t.Helper()
		code, stdout, stderr := run(args...)
		if code != exitDone {
			t.Fatalf("%v: exit code %d, %s", args, code, stderr)
		}
		return stdout, stderr
	}
	must("import", c.write("shop.ndjson", `{"id":"a","title":"Red shoes","tenant":1}`+"\n"+`{"id":"b","title":"Red hat","tenant":2}`+"\n"))

	secret, about := must("keys", "create", "web shop", "--scope", "search", "--scope", "read", "--index", "shop", "--index", "news_*", "--expires", "90d", "--rate", "5", "--quota", "1000")
	if !regexp.MustCompile(`^qk_\S{59}\n$`).MatchString(secret) {
		t.Errorf("create prints %q", secret)
	}
	secret = strings.TrimSpace(secret)
	for _, line := range []string{`name +web shop`, `scopes +search, read`, `indexes +shop, news_\*`, `rate +5 requests a second, 10 at once`, `quota +1,000 searches a month`, `This is the key\. .*never again:`} {
		if !regexp.MustCompile(`(?m)^` + line + `$`).MatchString(about) {
			t.Errorf("create says\n%s\nwithout a line %q", about, line)
		}
	}
	if strings.Contains(about, secret) {
		t.Error("the key is printed twice")
	}
	id := "key_" + secret[3:11]
	with := func(key string, args ...string) (int, string, string) {
		return c.run(append(args, "--url", r.url(), "--ca", r.value("ca"), "--key", key)...)
	}
	if code, out, stderr := with(secret, "search", "red", "--json"); code != exitDone || !strings.Contains(out, `"total":2`) {
		t.Errorf("search with the key: %d, %s %s", code, out, stderr)
	}
	if code, _, stderr := with(secret, "keys", "list"); code != exitFailed || !strings.Contains(stderr, "may not do this") {
		t.Errorf("list without the scope: %d, %q", code, stderr)
	}
	for _, scopes := range [][]string{{"write"}, {"write", "read"}} {
		index := "news_" + strings.Join(scopes, "_")
		args := []string{"keys", "create", "feed", "--index", "news_*"}
		for _, scope := range scopes {
			args = append(args, "--scope", scope)
		}
		feed, _ := must(args...)
		feed = strings.TrimSpace(feed)
		for range 2 { // the second time it is there
			if code, _, stderr := with(feed, "import", c.write("feed.ndjson", `{"id":"a","title":"Red"}`+"\n"), "--index", index); code != exitDone {
				t.Errorf("import with the scopes %v: %d, %s", scopes, code, stderr)
			}
		}
		if code, _, stderr := with(feed, "import", c.write("none.ndjson", `{"title":"Blue"}`+"\n"), "--index", index+"2"); code != exitDone {
			t.Errorf("import of records without ids with the scopes %v: %d, %s", scopes, code, stderr)
		}
		if code, _, stderr := with(feed, "import", c.write("sku.ndjson", `{"sku":"a","title":"Red"}`+"\n"), "--index", index+"3"); code != exitFailed || !strings.Contains(stderr, `the field "sku"`) || !strings.Contains(stderr, "read, write and admin") {
			t.Errorf("import of ids that are elsewhere with the scopes %v: %d, %s", scopes, code, stderr)
		}
		if out, _ := must("search", "--json", "--index", index); !strings.Contains(out, `"total":1`) {
			t.Errorf("imported with the scopes %v: %s", scopes, out)
		}
	}
	token, about := must("keys", "token", id, "--filter", "tenant = 2", "--expires", "1h")
	if !strings.HasPrefix(token, "qt_") || !strings.Contains(about, "a token of "+id) {
		t.Errorf("token prints %q and says %q", token, about)
	}
	if code, out, stderr := with(strings.TrimSpace(token), "search", "red", "--json"); code != exitDone || !strings.Contains(out, `"total":1`) {
		t.Errorf("search with the token: %d, %s %s", code, out, stderr)
	}

	out, _ := must("keys", "list")
	if !regexp.MustCompile(`(?m)^`+id+` +web shop +….{4} +search read +shop news_\* +active +\d{4}-\S+ \S+ +\d{4}-\S+$`).MatchString(out) || !strings.Contains(out, "active, root") || strings.Contains(out, secret) {
		t.Errorf("list prints\n%s", out)
	}
	if out, _ := must("keys", "list", "--json"); !strings.Contains(out, `"id":"`+id+`"`) {
		t.Errorf("list --json prints %s", out)
	}
	out, _ = must("keys", "update", id, "--name", "shop", "--scope", "search", "--expires", "never", "--quota", "none", "--rate", "none", "--filter", "tenant = 1")
	if !regexp.MustCompile(`(?m)^filter +tenant = 1$`).MatchString(out) || strings.Contains(out, "quota") || strings.Contains(out, "expires") {
		t.Errorf("update prints\n%s", out)
	}
	if !regexp.MustCompile(`(?m)^rate +50 requests a second, 100 at once$`).MatchString(out) {
		t.Errorf("update with --rate none prints\n%s", out)
	}
	if again, _ := must("keys", "show", id); again[:strings.Index(again, "last used")] != out[:strings.Index(out, "last used")] {
		t.Errorf("show prints\n%s", again)
	}
	if code, out, _ := with(secret, "search", "red", "--json"); code != exitDone || !strings.Contains(out, `"total":1`) {
		t.Errorf("search with the filter: %d, %s", code, out)
	}
	fresh, _ := must("keys", "rotate", id, "--grace", "0s")
	if code, _, _ := with(secret, "search", "red"); code != exitFailed {
		t.Error("the text before still works")
	}
	if code, _, _ := with(strings.TrimSpace(fresh), "search", "red"); code != exitDone {
		t.Error("the new text does not work")
	}
	if out, _ := must("keys", "revoke", id); out != "revoked "+id+"\n" {
		t.Errorf("revoke prints %q", out)
	}
	if code, _, _ := with(strings.TrimSpace(fresh), "search", "red"); code != exitFailed {
		t.Error("a revoked key works")
	}
	if out, _ := must("keys", "list"); strings.Contains(out, id) {
		t.Errorf("list prints a revoked key:\n%s", out)
	}
	if out, _ := must("keys", "list", "--all"); !strings.Contains(out, "revoked") {
		t.Errorf("list --all prints\n%s", out)
	}
	for _, tc := range []struct {
		code int
		says string
		args []string
	}{
		{exitFailed, "there is no key", []string{"keys", "show", "key_00000000"}},
		{exitFailed, "which begins with key_", []string{"keys", "revoke", secret}},
		{exitFailed, "root key", []string{"keys", "revoke", "key_" + string(root[3:11])}},
		{exitUsage, "--scope serch: must be one of", []string{"keys", "create", "x", "--scope", "serch"}},
		{exitUsage, "needs a --scope", []string{"keys", "create", "x"}},
		{exitUsage, "--filter is empty", []string{"keys", "create", "x", "--scope", "search", "--filter", ""}},
		{exitUsage, "--filter: is empty", []string{"keys", "create", "x", "--scope", "search", "--filter", " "}},
		{exitUsage, "--quota: 0 would leave nothing", []string{"keys", "create", "x", "--scope", "search", "--quota", "0"}},
		{exitUsage, "--rate: 0 would leave nothing", []string{"keys", "create", "x", "--scope", "search", "--rate", "0"}},
		{exitUsage, "--burst: 0 would leave nothing", []string{"keys", "create", "x", "--scope", "search", "--rate", "1", "--burst", "0"}},
		{exitUsage, `--quota: "" is not a whole number`, []string{"keys", "create", "x", "--scope", "search", "--quota", ""}},
		{exitUsage, "--index", []string{"keys", "create", "x", "--scope", "search", "--index", ""}},
		{exitUsage, "--quota: 0 would leave nothing; leave the flag out for the default, or give none to go back to it", []string{"keys", "update", id, "--quota", "0"}},
		{exitUsage, "--rate: 0 would leave nothing", []string{"keys", "update", id, "--rate", "0"}},
		{exitUsage, "--grace -1h0m0s", []string{"keys", "rotate", id, "--grace", "-1h"}},
		{exitUsage, "--grace 721h0m0s", []string{"keys", "rotate", id, "--grace", "721h"}},
		{exitUsage, "--expires", []string{"keys", "token", id, "--expires", ""}},
		{exitUsage, "--filter", []string{"keys", "token", "key_" + string(root[3:11]), "--filter", ""}},
		{exitUsage, "nothing to change", []string{"keys", "update", "key_00000000"}},
		{exitUsage, "--expires", []string{"keys", "create", "x", "--scope", "search", "--expires", "soon"}},
		{exitUsage, "needs a name", []string{"keys", "create"}},
	} {
		if code, _, stderr := run(tc.args...); code != tc.code || !strings.Contains(stderr, tc.says) || strings.Contains(stderr, secret) {
			t.Errorf("%v: exit code %d, %q", tc.args, code, stderr)
		}
	}
	r.stop()
}

func TestParseEnd(t *testing.T) {
	now := time.Date(2026, 11, 21, 13, 5, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"12h": "2026-11-22T01:05:00Z", "90d": "2027-02-19T13:05:00Z", "2027-01-01": "2027-01-01T00:00:00Z", "2027-01-01T12:00:00+01:00": "2027-01-01T12:00:00+01:00",
		"": "", "0d": "", "-1h": "", "soon": "", "d": "", "2027-13-01": "", "99999999d": "",
	} {
		got, err := parseEnd(text, now)
		if (err != nil) != (want == "") || err == nil && got.Format(time.RFC3339) != want {
			t.Errorf("%q: %v, %v, want %q", text, got, err, want)
		}
	}
}

// TestRootKeyOfDirectory: a directory calls its root key as the server that had it does.
func TestRootKeyOfDirectory(t *testing.T) {
	c := newCLI(t)
	r := c.start("serve", "--listen", "127.0.0.1:0", "--data", "d")
	key, err := os.ReadFile(filepath.Join("d", "root.key"))
	if err != nil {
		t.Fatal(err)
	}
	root := regexp.MustCompile(`key_\w+`)
	want := root.FindString(c.must("keys", "list", "--url", r.url(), "--key", strings.TrimSpace(string(key)), "--ca", r.value("ca")))
	if code := r.stop(); code != exitDone {
		t.Fatalf("exit code %d", code)
	}
	for range 2 {
		if got := root.FindString(c.must("keys", "list", "--data", "d")); got == "" || got != want {
			t.Errorf("the root key is %q, and %q of the directory", want, got)
		}
	}
}
