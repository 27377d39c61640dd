// Package embedding makes vectors of texts by asking a server that speaks the
// embeddings interface of OpenAI, as many do that run on one's own machine, too.
//
// Who sets one up sends texts away: those of the records of the indexes that
// name it, and those of the queries that are asked of them. Nothing else is
// sent, and never to another server than the one named: redirects are not
// followed, no proxy of the environment is used, and link-local addresses, at
// which clouds tell secrets, are refused when the connection is made.
package embedding

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/quarry-search/quarry/engine"
)

// Config sets up a Client. URL, Model and Dimensions are required.
type Config struct {
	// URL of the endpoint, such as https://api.example.com/v1/embeddings. Plain
	// HTTP is for loopback addresses only.
	URL        string
	Model      string
	Dimensions int    // of the model's vectors
	Key        string // sent as a bearer token; "" sends none
	// QueryPrefix and RecordPrefix are put before texts, for models that want to
	// know which is which, such as "query: " and "passage: ".
	QueryPrefix, RecordPrefix string
	// Batch is how many texts go into a request; default 32, at most 2,048.
	Batch int
	// Timeout bounds a try; default 30 s. Tries is how many there are for texts
	// of records where the server is busy or broken; default 3. Queries, for
	// which somebody waits, are tried once.
	Timeout time.Duration
	Tries   int
	RootCAs *x509.CertPool // that verify the server; nil are those of the system
}

const (
	maxBatch    = 2048
	maxKey      = 8 << 10
	maxPrefix   = 1 << 10
	connectTime = 5 * time.Second
	// firstPause is between the first two tries; the others are twice as long
	// each. longestPause bounds what the server may ask for.
	firstPause   = time.Second
	longestPause = 30 * time.Second
	// numberBytes is how long a number of an answer may be on average.
	numberBytes = 40
)

// Client asks a server. It is safe for concurrent use.
type Client struct {
	c     Config
	http  *http.Client
	pause func(ctx context.Context, d time.Duration) error
}

var _ engine.Embedder = (*Client)(nil)

// New returns a client. It makes no connection yet.
func New(c Config) (*Client, error) {
	u, err := url.Parse(c.URL)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http":
		return nil, errors.New("the URL of an endpoint looks like https://api.example.com/v1/embeddings")
	case u.User != nil || u.Fragment != "":
		return nil, errors.New("the URL must not hold a user name, password or fragment")
	case u.Scheme == "http" && !namesLoopback(u.Hostname()):
		return nil, errors.New("plain HTTP is for this machine only, such as http://127.0.0.1:8080/v1/embeddings; use https")
	case c.Model == "":
		return nil, errors.New("a model must be named")
	case c.Dimensions < 1 || c.Dimensions > 4096:
		return nil, errors.New("a model has 1 to 4096 dimensions")
	case c.Batch < 0 || c.Batch > maxBatch:
		return nil, fmt.Errorf("a request has up to %d texts", maxBatch)
	case len(c.Key) > maxKey || strings.ContainsFunc(c.Key, func(r rune) bool { return r <= ' ' || r > '~' }):
		return nil, errors.New("the key holds what cannot stand in a header")
	case len(c.QueryPrefix) > maxPrefix || len(c.RecordPrefix) > maxPrefix:
		return nil, fmt.Errorf("a prefix has up to %d bytes", maxPrefix)
	case c.Timeout < 0 || c.Tries < 0:
		return nil, errors.New("times and tries are not below 0")
	}
	if c.Batch == 0 {
		c.Batch = 32
	}
	if c.Timeout == 0 {
		c.Timeout = 30 * time.Second
	}
	if c.Tries == 0 {
		c.Tries = 3
	}
	return &Client{c: c, http: newHTTP(u.Scheme == "https", c.RootCAs), pause: sleep}, nil
}

func namesLoopback(host string) bool {
	a, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && a.IsLoopback()
}

// errForbidden is the error of an address that no text may go to.
var errForbidden = errors.New("the address is not one that texts may be sent to")

// admits tells whether a connection to an address may be made.
func admits(a netip.Addr, secure bool) bool {
	a = a.Unmap()
	if !secure {
		return a.IsLoopback()
	}
	return !a.IsLinkLocalUnicast() && !a.IsMulticast() && !a.IsUnspecified()
}

func newHTTP(secure bool, roots *x509.CertPool) *http.Client {
	d := &net.Dialer{Timeout: connectTime, ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if err != nil || !admits(to.Addr(), secure) {
			return errForbidden
		}
		return nil
	}}
	return &http.Client{
		Transport: &http.Transport{
			DialContext:         d.DialContext,
			TLSClientConfig:     &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: roots},
			TLSHandshakeTimeout: connectTime,
			MaxIdleConnsPerHost: 4,
			IdleConnTimeout:     time.Minute,
			ForceAttemptHTTP2:   true,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Dimensions implements engine.Embedder.
func (c *Client) Dimensions() int { return c.c.Dimensions }

// Embed implements engine.Embedder.
func (c *Client) Embed(ctx context.Context, kind engine.TextKind, texts []string) ([][]float32, error) {
	prefix, tries := c.c.RecordPrefix, c.c.Tries
	if kind == engine.QueryText {
		prefix, tries = c.c.QueryPrefix, 1
	}
	var out [][]float32
	for part := range slices.Chunk(texts, c.c.Batch) {
		input := make([]string, len(part))
		for i, t := range part {
			input[i] = prefix + t
		}
		rows, err := c.try(ctx, input, tries)
		if err != nil {
			return nil, err
		}
		out = append(out, rows...)
	}
	return out, nil
}

// try asks until there is an answer, or no sense in asking again.
func (c *Client) try(ctx context.Context, input []string, tries int) ([][]float32, error) {
	pause := firstPause
	for n := 1; ; n++ {
		rows, err := c.ask(ctx, input)
		var f *failure
		if err == nil || n >= tries || !errors.As(err, &f) || !f.passing || ctx.Err() != nil {
			return rows, err
		}
		if err := c.pause(ctx, min(longestPause, max(pause, f.after))); err != nil {
			return nil, err
		}
		pause *= 2
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// failure is why a try brought nothing. Its text has nothing of the server's
// answer, which may repeat what it was asked.
type failure struct {
	what    string
	passing bool          // another try may do better
	after   time.Duration // that the server asks to wait
	refused bool          // the texts are at fault
}

func (f *failure) Error() string { return f.what }

func (f *failure) Is(target error) bool { return f.refused && target == engine.ErrTextRefused }

type question struct {
	Model    string   `json:"model"`
	Input    []string `json:"input"`
	Encoding string   `json:"encoding_format"`
}

type reply struct {
	Data []struct {
		Index     int       `json:"index"`
		Embedding []float64 `json:"embedding"`
	} `json:"data"`
}

// ask makes one request.
func (c *Client) ask(ctx context.Context, input []string) ([][]float32, error) {
	ctx, cancel := context.WithTimeout(ctx, c.c.Timeout)
	defer cancel()
	body, err := json.Marshal(question{c.c.Model, input, "float"})
	if err != nil {
		return nil, &failure{what: "a text is not valid UTF-8", refused: true}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.c.URL, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	if c.c.Key != "" {
		req.Header.Set("Authorization", "Bearer "+c.c.Key)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, unreachable(err)
	}
	defer resp.Body.Close()
	if err := refusal(resp); err != nil {
		return nil, err
	}
	most := int64(len(input)) * int64(c.c.Dimensions+16) * numberBytes
	text, err := io.ReadAll(io.LimitReader(resp.Body, most+1))
	if err != nil {
		return nil, unreachable(err)
	}
	if int64(len(text)) > most {
		return nil, &failure{what: "the server's answer is longer than vectors are"}
	}
	return c.read(text, len(input))
}

// unreachable hides the address that an error of the network tells.
func unreachable(err error) error {
	switch {
	case errors.Is(err, errForbidden):
		return &failure{what: errForbidden.Error()}
	case errors.Is(err, context.DeadlineExceeded):
		return &failure{what: "the server did not answer in time", passing: true}
	case errors.Is(err, context.Canceled):
		return context.Canceled
	}
	var cert *tls.CertificateVerificationError
	if errors.As(err, &cert) {
		return &failure{what: "the server's certificate is not trusted"}
	}
	return &failure{what: "the server cannot be reached", passing: true}
}

// refusal is what a status other than 200 means, nil for 200.
func refusal(resp *http.Response) error {
	f := &failure{what: fmt.Sprintf("the server answered with status %d", resp.StatusCode)}
	switch code := resp.StatusCode; {
	case code == http.StatusOK:
		return nil
	case code == http.StatusBadRequest, code == http.StatusRequestEntityTooLarge, code == http.StatusUnprocessableEntity:
		f.refused = true
	case code == http.StatusTooManyRequests, code == http.StatusRequestTimeout, code >= 500:
		f.passing = true
		if n, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil && n > 0 {
			f.after = time.Duration(min(n, 3600)) * time.Second
		}
	}
	return f
}

// read takes an answer apart.
func (c *Client) read(text []byte, n int) ([][]float32, error) {
	var r reply
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, &failure{what: "the server's answer is not one of the embeddings interface"}
	}
	out := make([][]float32, n)
	for _, d := range r.Data {
		if d.Index < 0 || d.Index >= n || out[d.Index] != nil {
			return nil, &failure{what: "the server's answer numbers its vectors in another way than the texts"}
		}
		if len(d.Embedding) != c.c.Dimensions {
			return nil, &failure{what: fmt.Sprintf("the model gives %d dimensions, not %d", len(d.Embedding), c.c.Dimensions)}
		}
		row := make([]float32, len(d.Embedding))
		for i, x := range d.Embedding {
			if math.Abs(x) > math.MaxFloat32 {
				return nil, &failure{what: "the model gives numbers that 32 bits do not hold"}
			}
			row[i] = float32(x)
		}
		out[d.Index] = row
	}
	if len(r.Data) != n {
		return nil, &failure{what: fmt.Sprintf("the server gave %d vectors for %d texts", len(r.Data), n)}
	}
	return out, nil
}
