package embedding

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/quarry-search/quarry/engine"
)

// lengths answers with the length of each text as its vector.
func lengths(w http.ResponseWriter, r *http.Request) {
	var q question
	body, _ := io.ReadAll(r.Body)
	if err := json.Unmarshal(body, &q); err != nil || q.Model != "m" || q.Encoding != "float" {
		http.Error(w, "bad", http.StatusBadRequest)
		return
	}
	var items []string
	for i := len(q.Input) - 1; i >= 0; i-- { // in any order
		items = append(items, fmt.Sprintf(`{"object":"embedding","index":%d,"embedding":[%d,1]}`, i, len(q.Input[i])))
	}
	fmt.Fprintf(w, `{"object":"list","data":[%s],"usage":{"total_tokens":1}}`, strings.Join(items, ","))
}

// newClient returns a client of a server over TLS.
func newClient(t *testing.T, h http.HandlerFunc, change func(*Config)) *Client {
	t.Helper()
	s := httptest.NewTLSServer(h)
	t.Cleanup(s.Close)
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	config := Config{URL: s.URL + "/v1/embeddings", Model: "m", Dimensions: 2, RootCAs: roots}
	if change != nil {
		change(&config)
	}
	c, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	c.pause = func(context.Context, time.Duration) error { return nil }
	return c
}

func TestEmbedAsksInBatches(t *testing.T) {
	var asked atomic.Int32
	c := newClient(t, func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if r.Header.Get("Authorization") != "Bearer secret" || r.Method != http.MethodPost {
			t.Errorf("%s with authorization %q", r.Method, r.Header.Get("Authorization"))
		}
		lengths(w, r)
	}, func(c *Config) { c.Batch, c.Key, c.QueryPrefix = 2, "secret", "query: " })
	rows, err := c.Embed(context.Background(), engine.RecordText, []string{"a", "bb", "ccc"})
	if err != nil || fmt.Sprint(rows) != "[[1 1] [2 1] [3 1]]" || asked.Load() != 2 {
		t.Errorf("%v, %v, %d requests", rows, err, asked.Load())
	}
	rows, err = c.Embed(context.Background(), engine.QueryText, []string{"a"})
	if err != nil || fmt.Sprint(rows) != "[[8 1]]" {
		t.Errorf("%v, %v", rows, err)
	}
}

func TestEmbedTriesAgainWhereThatHelps(t *testing.T) {
	for _, c := range []struct {
		status  int
		kind    engine.TextKind
		asked   int32
		refused bool
	}{
		{429, engine.RecordText, 3, false}, {503, engine.RecordText, 3, false}, {503, engine.QueryText, 1, false},
		{401, engine.RecordText, 1, false}, {400, engine.RecordText, 1, true}, {413, engine.RecordText, 1, true}, {302, engine.RecordText, 1, false},
	} {
		var asked atomic.Int32
		client := newClient(t, func(w http.ResponseWriter, r *http.Request) {
			asked.Add(1)
			w.Header().Set("Location", "https://example.invalid/")
			w.WriteHeader(c.status)
			fmt.Fprint(w, "you said: private text")
		}, nil)
		_, err := client.Embed(context.Background(), c.kind, []string{"private text"})
		if err == nil || errors.Is(err, engine.ErrTextRefused) != c.refused || asked.Load() != c.asked {
			t.Errorf("status %d: %v after %d requests, want %d", c.status, err, asked.Load(), c.asked)
		}
		if err != nil && strings.Contains(err.Error(), "private") {
			t.Errorf("the error repeats the text: %v", err)
		}
	}
	// A server that comes back is asked until it does.
	var asked atomic.Int32
	client := newClient(t, func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1) < 3 {
			w.WriteHeader(500)
			return
		}
		lengths(w, r)
	}, nil)
	if rows, err := client.Embed(context.Background(), engine.RecordText, []string{"a"}); err != nil || len(rows) != 1 {
		t.Errorf("%v, %v", rows, err)
	}
}

func TestEmbedRefusesWrongAnswers(t *testing.T) {
	for _, body := range []string{
		``, `[]`, `{"data":[]}`, `{"data":[{"index":1,"embedding":[1,2]}]}`, `{"data":[{"index":-1,"embedding":[1,2]}]}`,
		`{"data":[{"index":0,"embedding":[1,2,3]}]}`, `{"data":[{"index":0,"embedding":[1,1e300]}]}`, `{"data":[{"index":0,"embedding":[1,"x"]}]}`,
		`{"data":[{"index":0,"embedding":[1,2]},{"index":0,"embedding":[1,2]}]}`,
		`{"data":[{"index":0,"embedding":[1,2]}],"pad":"` + strings.Repeat("x", 1<<20) + `"}`,
	} {
		c := newClient(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, body) }, nil)
		if rows, err := c.Embed(context.Background(), engine.RecordText, []string{"a"}); err == nil {
			t.Errorf("%.60s is taken for %v", body, rows)
		}
	}
}

func TestEmbedEndsInTime(t *testing.T) {
	release := make(chan struct{})
	c := newClient(t, func(http.ResponseWriter, *http.Request) { <-release }, func(c *Config) { c.Timeout, c.Tries = 20*time.Millisecond, 1 })
	defer close(release)
	if _, err := c.Embed(context.Background(), engine.RecordText, []string{"a"}); err == nil || !strings.Contains(err.Error(), "in time") {
		t.Errorf("error %v", err)
	}
}

func TestNewRefusesWhatIsNotSafe(t *testing.T) {
	ok := Config{URL: "https://a.example/v1/embeddings", Model: "m", Dimensions: 3}
	if _, err := New(ok); err != nil {
		t.Error(err)
	}
	for _, change := range []func(*Config){
		func(c *Config) { c.URL = "http://a.example/v1/embeddings" },
		func(c *Config) { c.URL = "http://10.0.0.1/v1/embeddings" },
		func(c *Config) { c.URL = "ftp://a.example/" },
		func(c *Config) { c.URL = "https://user:pass@a.example/" },
		func(c *Config) { c.URL = "/v1" },
		func(c *Config) { c.Model = "" },
		func(c *Config) { c.Dimensions = 0 },
		func(c *Config) { c.Dimensions = 4097 },
		func(c *Config) { c.Key = "a\nb" },
		func(c *Config) { c.Batch = 2049 },
	} {
		c := ok
		change(&c)
		if _, err := New(c); err == nil {
			t.Errorf("%+v is taken", c)
		}
	}
	for _, url := range []string{"http://127.0.0.1:8080/v1", "http://localhost:1/v1", "http://[::1]:1/v1", "https://10.0.0.1/v1"} {
		c := ok
		if c.URL = url; true {
			if _, err := New(c); err != nil {
				t.Errorf("%s: %v", url, err)
			}
		}
	}
}

func TestAddressesThatTextsGoTo(t *testing.T) {
	for _, c := range []struct {
		address string
		secure  bool
		want    bool
	}{
		{"127.0.0.1", false, true}, {"::1", false, true}, {"10.0.0.1", false, false}, {"8.8.8.8", false, false},
		{"10.0.0.1", true, true}, {"8.8.8.8", true, true}, {"169.254.169.254", true, false}, {"fe80::1", true, false},
		{"::ffff:169.254.169.254", true, false}, {"0.0.0.0", true, false}, {"224.0.0.1", true, false},
	} {
		if got := admits(netip.MustParseAddr(c.address), c.secure); got != c.want {
			t.Errorf("%s, secure %t: %t", c.address, c.secure, got)
		}
	}
	c, err := New(Config{URL: "https://169.254.169.254/v1", Model: "m", Dimensions: 2, Tries: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Embed(context.Background(), engine.RecordText, []string{"a"}); err == nil || err.Error() != errForbidden.Error() {
		t.Errorf("error %v", err)
	}
}
