package httpapi

import "net/http"

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
	if s.stopping.Load() || s.engine.Healthy() != nil {
		x.w.Header().Set("Retry-After", "1")
	}
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
