package httpapi

import (
	_ "embed"

	"bytes"
	"net/http"

	"github.com/go-json-experiment/json/jsontext"
)

//go:embed openapi.json
var openAPIText []byte

// openAPIDocument returns the description of the interface with the program's
// version in it.
func openAPIDocument(version string) []byte {
	quoted, _ := jsontext.AppendQuote(nil, version)
	return bytes.Replace(openAPIText, []byte(`"{version}"`), quoted, 1)
}

// showOpenAPI answers GET /v1/openapi.json.
func (s *Server) showOpenAPI(x *exchange) error {
	if _, err := x.query(); err != nil {
		return err
	}
	x.send(http.StatusOK, mediaJSON, s.openapi)
	return nil
}

// showLimits answers GET /v1/limits.
func (s *Server) showLimits(x *exchange) error {
	if _, err := x.query(); err != nil {
		return err
	}
	x.json(http.StatusOK, appendLimits(nil, &s.limits, &s.engineMax))
	return nil
}

// healthz answers GET /healthz: the process lives and takes requests.
func (s *Server) healthz(x *exchange) error {
	x.json(http.StatusOK, appendStatus(nil, "ok"))
	return nil
}

// readyz answers GET /readyz: whether to send requests here.
func (s *Server) readyz(x *exchange) error {
	switch {
	case s.stopping.Load():
		x.json(http.StatusServiceUnavailable, appendStatus(nil, "stopping"))
	case s.engine.Healthy() != nil:
		x.json(http.StatusServiceUnavailable, appendStatus(nil, "corrupt"))
	default:
		x.json(http.StatusOK, appendStatus(nil, "ready"))
	}
	return nil
}

func appendStatus(dst []byte, status string) []byte {
	w := jsonWriter{buf: dst}
	w.open('{')
	w.textAt("status", status)
	w.close('}')
	return w.buf
}
