package webhook

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	// attemptTime is how long an attempt may take, from resolving the host to
	// the end of the answer.
	attemptTime = 15 * time.Second
	// maxAnswer is how much is read of an answer's head and of its body, so that
	// the connection can be used again. None of the body is looked at.
	maxAnswer = 64 << 10
)

// Fault says in a word why an attempt failed.
type Fault string

// Faults of attempts.
const (
	FaultStatus     Fault = "status"     // the answer was not a 2xx
	FaultRedirect   Fault = "redirect"   // it was a redirect, which is not followed
	FaultTimeout    Fault = "timeout"    // there was no answer in time
	FaultForbidden  Fault = "forbidden"  // the host has an address that messages may not go to
	FaultResolve    Fault = "resolve"    // the host has no address
	FaultTLS        Fault = "tls"        // no TLS 1.3, or a certificate that is not trusted
	FaultConnection Fault = "connection" // anything else on the way
)

// message is one attempt.
type message struct {
	url     string
	id      string
	at      time.Time // of this attempt
	body    []byte
	secrets []Secret
}

// result is what came of an attempt.
type result struct {
	status     int   // of the answer; 0 without one
	fault      Fault // "" if the message was accepted
	retryAfter time.Duration
}

// poster sends messages.
type poster struct {
	secure, plain *http.Client
}

func newPoster(g *guard, roots *x509.CertPool) *poster {
	client := func(secure bool) *http.Client {
		return &http.Client{
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
			Transport: &http.Transport{
				DialContext:            g.dialer(secure),
				TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS13, RootCAs: roots},
				TLSHandshakeTimeout:    connectTime,
				MaxResponseHeaderBytes: maxAnswer,
				MaxIdleConnsPerHost:    2,
				MaxIdleConns:           64,
				IdleConnTimeout:        30 * time.Second,
				DisableCompression:     true, // no answer may grow in memory
			},
		}
	}
	return &poster{secure: client(true), plain: client(false)}
}

// hangUp ends the connections that wait for further messages.
func (p *poster) hangUp() {
	p.secure.CloseIdleConnections()
	p.plain.CloseIdleConnections()
}

// post makes an attempt.
func (p *poster) post(ctx context.Context, m *message) result {
	ctx, cancel := context.WithTimeout(ctx, attemptTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, m.url, bytes.NewReader(m.body))
	if err != nil {
		return result{fault: FaultConnection}
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "Quarry-Webhooks/1")
	req.Header.Set("webhook-id", m.id)
	req.Header.Set("webhook-timestamp", strconv.FormatInt(m.at.Unix(), 10))
	req.Header.Set("webhook-signature", signature(m.secrets, m.id, m.at, m.body))
	client := p.plain
	if strings.EqualFold(req.URL.Scheme, "https") {
		client = p.secure
	}
	res, err := client.Do(req)
	if err != nil {
		return result{fault: faultOf(ctx, err)}
	}
	io.CopyN(io.Discard, res.Body, maxAnswer) // whatever it is, the status has been given
	res.Body.Close()
	out := result{status: res.StatusCode}
	switch {
	case res.StatusCode >= 200 && res.StatusCode < 300:
		return out
	case res.StatusCode >= 300 && res.StatusCode < 400:
		out.fault = FaultRedirect
	default:
		out.fault = FaultStatus
	}
	out.retryAfter = retryAfter(res.Header.Get("Retry-After"), m.at)
	return out
}

// faultOf finds the word for the error of an attempt without an answer.
func faultOf(ctx context.Context, err error) Fault {
	var certificate *tls.CertificateVerificationError
	var op *net.OpError
	var record tls.RecordHeaderError
	var dns *net.DNSError
	var timeout net.Error
	switch {
	case errors.Is(err, errForbidden):
		return FaultForbidden
	case ctx.Err() != nil:
		return FaultTimeout
	case errors.As(err, &certificate), errors.As(err, &record), errors.Is(err, http.ErrSchemeMismatch),
		errors.As(err, &op) && (op.Op == "remote error" || op.Op == "local error"): // an alert of TLS
		return FaultTLS
	case errors.As(err, &dns):
		return FaultResolve
	case errors.As(err, &timeout) && timeout.Timeout():
		return FaultTimeout
	}
	return FaultConnection
}
