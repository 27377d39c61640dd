package httpapi

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Pages of other origins may call the interface from browsers where the operator
// names these origins: the protocol is CORS, https://fetch.spec.whatwg.org, of
// which this is all that the interface needs. Keys travel in a header that the
// page sets itself, never in cookies, so there is no Access-Control-Allow-Credentials
// and a page can do no more than the key that it was given.

// preflightSeconds is how long browsers may remember what they were told: two
// hours, more than which some of them do not.
const preflightSeconds = "7200"

const (
	corsMethods = "GET, HEAD, POST, PUT, PATCH, DELETE"
	corsHeaders = "Authorization, Content-Type, Content-Encoding, Accept, Idempotency-Key, Prefer, If-Match, If-None-Match"
	// corsExposed are the headers of answers that scripts may read besides those
	// that they always may.
	corsExposed = "Allow, Deprecation, ETag, Idempotency-Replayed, Link, Location, Next-Cursor, Preference-Applied, RateLimit, RateLimit-Policy, Request-Id, Retry-After, Sunset, WWW-Authenticate"
)

// CheckOrigin tells what is wrong with one of Config.CORSOrigins.
func CheckOrigin(origin string) error {
	if origin == "*" {
		return nil
	}
	u, err := url.Parse(origin)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || origin != u.Scheme+"://"+u.Host ||
		origin != strings.ToLower(origin) || strings.Contains(origin, "*") || // browsers compare letter by letter
		u.Scheme == "https" && u.Port() == "443" || u.Scheme == "http" && u.Port() == "80" {
		return fmt.Errorf("%q is no origin as browsers write it, such as https://shop.example or http://localhost:3000, nor *", origin)
	}
	return nil
}

// crossOrigin lets pages of some origins use what is below /v1. What they ask
// before, which is answered here, gets a Request-Id of requestID.
func crossOrigin(origins []string, requestID func() string, next http.Handler) http.Handler {
	if len(origins) == 0 {
		return next
	}
	all := slices.Contains(origins, "*")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, "/v1/") {
			next.ServeHTTP(w, r)
			return
		}
		h := w.Header()
		if !all {
			h.Add("Vary", "Origin") // also where it is not among them, for caches
		}
		origin := r.Header.Get("Origin")
		if origin == "" || !all && !slices.Contains(origins, origin) {
			next.ServeHTTP(w, r)
			return
		}
		if all {
			origin = "*"
		}
		h.Set("Access-Control-Allow-Origin", origin)
		if r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" {
			h.Set("Request-Id", requestID())
			h.Set("Access-Control-Allow-Methods", corsMethods)
			h.Set("Access-Control-Allow-Headers", corsHeaders)
			h.Set("Access-Control-Max-Age", preflightSeconds)
			w.WriteHeader(http.StatusNoContent)
			return
		}
		h.Set("Access-Control-Expose-Headers", corsExposed)
		next.ServeHTTP(w, r)
	})
}
