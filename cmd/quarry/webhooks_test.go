package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
)

func TestWebhooks(t *testing.T) {
	var status atomic.Int64
	status.Store(200)
	messages := make(chan string, 100)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(int(status.Load()))
		messages <- r.Header.Get("webhook-id")
	}))
	defer receiver.Close()

	c := newCLI(t)
	r := c.start(append(serveArgs, "--webhook-allow", "10.0.0.0/8", "--webhook-allow", "127.0.0.1")...)
	c.clientEnv(r)
	out := c.must("webhooks", "create", receiver.URL+"/hook", "--events", "batch.*,index.rebuilt", "--indexes", "shop")
	for _, line := range []string{`url +` + receiver.URL + `/hook`, `state +active`, `events +batch\.\*, index\.rebuilt`, `indexes +shop`, `backlog +0`, `public key +whpk_\S{44}`, `secret +whsec_\S{44}`} {
		if !regexp.MustCompile(`(?m)^` + line + `$`).MatchString(out) {
			t.Errorf("create prints\n%s\nwithout a line %q", out, line)
		}
	}
	id := regexp.MustCompile(`whk_\w+`).FindString(out)
	if out := c.must("webhooks", "show", id); strings.Contains(out, "whsec_") || !strings.Contains(out, id) {
		t.Errorf("show prints\n%s", out)
	}
	if out := c.must("webhooks", "list"); !regexp.MustCompile(`(?m)^` + id + ` +active +0 +batch\.\*,index\.rebuilt +http`).MatchString(out) {
		t.Errorf("list prints\n%s", out)
	}

	delivery := regexp.MustCompile(`msg_\w+`).FindString(c.must("webhooks", "test", id))
	if got := <-messages; got != delivery || delivery == "" {
		t.Errorf("the receiver got %q, the command says %q", got, delivery)
	}
	if out := c.must("webhooks", "deliveries", id); !regexp.MustCompile(`(?m)^` + delivery + ` +webhook\.test +\S+ \S+ +delivered +1 +status 200 *$`).MatchString(out) {
		t.Errorf("deliveries prints\n%s", out)
	}
	var answer struct{ ID, State string }
	if err := json.Unmarshal([]byte(c.must("webhooks", "replay", id, delivery, "--json")), &answer); err != nil || answer.ID != delivery || answer.State != "delivered" {
		t.Errorf("replay --json prints %+v (error %v)", answer, err)
	}
	if got := <-messages; got != delivery {
		t.Errorf("the replay sent %q", got)
	}
	status.Store(500)
	if code, _, stderr := c.run("webhooks", "test", id); code != exitFailed || !strings.Contains(stderr, "status 500") {
		t.Errorf("test of a receiver that fails: exit code %d, %q", code, stderr)
	}
	if out := c.must("webhooks", "list"); !strings.Contains(out, "failing") {
		t.Errorf("list prints\n%s", out)
	}

	if out := c.must("webhooks", "rotate", id, "--grace", "1h"); !strings.Contains(out, "whsec_") || !strings.Contains(out, "old secret until") {
		t.Errorf("rotate prints\n%s", out)
	}
	out = c.must("webhooks", "update", id, receiver.URL+"/other", "--events", "*", "--indexes", "", "--disable")
	if !regexp.MustCompile(`(?s)/other\n.*state +disabled\n.*events +\*\n.*indexes +all\n`).MatchString(out) {
		t.Errorf("update prints\n%s", out)
	}
	if code, _, stderr := c.run("webhooks", "test", id); code != exitFailed || !strings.Contains(stderr, "disabled") {
		t.Errorf("test of a disabled webhook: exit code %d, %q", code, stderr)
	}
	if out := c.must("webhooks", "delete", id); out != "deleted "+id+"\n" {
		t.Errorf("delete prints %q", out)
	}
	if code, _, stderr := c.run("webhooks", "show", id); code != exitFailed || !strings.Contains(stderr, "no webhook") {
		t.Errorf("show of a deleted webhook: exit code %d, %q", code, stderr)
	}
	if code, _, stderr := c.run("webhooks", "create", "ftp://x"); code != exitUsage || !strings.HasPrefix(stderr, "quarry: URL: ") || strings.Contains(stderr, "/url") {
		t.Errorf("a URL of another scheme: exit code %d, %q", code, stderr)
	}
	if code, _, stderr := c.run("webhooks", "create", "http://192.168.0.1/"); code != exitUsage || !strings.Contains(stderr, "URL: ") || !strings.Contains(stderr, "--webhook-allow") {
		t.Errorf("a network that is not allowed: exit code %d, %q", code, stderr)
	}
	if code := r.stop(); code != exitDone {
		t.Errorf("exit code %d\n%s", code, r.stderr.String())
	}
}

// In a directory that no server holds a message waits for the next server.
func TestWebhooksOfADirectory(t *testing.T) {
	c := shop(t)
	id := regexp.MustCompile(`whk_\w+`).FindString(c.must("webhooks", "create", "https://shop.example/hook"))
	if out := c.must("webhooks", "test", id); !regexp.MustCompile(`webhook\.test .* pending +0`).MatchString(out) {
		t.Errorf("test prints\n%s", out)
	}
	if out := c.must("webhooks", "show", id); !regexp.MustCompile(`backlog +1\n`).MatchString(out) {
		t.Errorf("show prints\n%s", out)
	}
}

func TestNetworks(t *testing.T) {
	for text, want := range map[string]string{
		"10.1.2.3/8": "10.0.0.0/8", "127.0.0.1": "127.0.0.1/32", "fd00::/8": "fd00::/8", "::1": "::1/128",
		"::ffff:10.0.0.1": "10.0.0.1/32", "10.0.0.0/8, 192.168.0.0/16": "10.0.0.0/8,192.168.0.0/16",
	} {
		var n networks
		if err := n.Set(text); err != nil || n.String() != want {
			t.Errorf("%q is %q (error %v), want %q", text, n.String(), err, want)
		}
	}
	for _, text := range []string{"", "10.0.0.0/33", "localhost", "10.0.0.0-10.0.0.9", "fe80::1%eth0", "::ffff:10.0.0.0/104", "10.0.0.0/8,"} {
		var n networks
		if err := n.Set(text); err == nil {
			t.Errorf("%q is %q, want an error", text, n.String())
		}
	}
}
