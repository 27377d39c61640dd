package httpapi

import (
	"errors"
	"fmt"
	"strings"

	"github.com/quarry-search/quarry/engine"
	"github.com/quarry-search/quarry/httpapi/internal/keyring"
)

// Scope is a set of things that a key may do.
type Scope = keyring.Scope

// Scopes of keys. ScopeAll is all of them, present and future.
const (
	ScopeSearch   = keyring.Search   // search
	ScopeRead     = keyring.Read     // read records, indexes and batches
	ScopeWrite    = keyring.Write    // write records
	ScopeAdmin    = keyring.Admin    // make, change and delete indexes
	ScopeKeys     = keyring.Keys     // manage keys
	ScopeWebhooks = keyring.Webhooks // manage webhooks
	ScopeUsage    = keyring.Usage    // read usage
	ScopeAll      = keyring.All
)

// Rows of keys: what a key is, and the day of its last use.
const (
	keyRows    = "http/key/"
	keyDayRows = "http/keyday/"
)

// openKeyring loads the keys from the engine's rows.
func openKeyring(e Engine, root KeyHash) (*keyring.Ring, error) {
	var keys []*keyring.Key
	for row, err := range e.Rows(keyRows) {
		if err != nil {
			return nil, err
		}
		k, err := keyring.Decode(strings.TrimPrefix(row.Key, keyRows), row.Value)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", engine.ErrCorrupt, err)
		}
		keys = append(keys, k)
	}
	days, err := loadKeyDays(e)
	if err != nil {
		return nil, err
	}
	return keyring.New(root, keys, days), nil
}

// authenticate finds what the key or token in a request's Authorization headers
// may do. Whatever is wrong with a key, the steps are the same, so that neither
// the answer nor its time tells a malformed from an unknown or a wrong one.
func (s *Server) authenticate(headers []string) (*keyring.Grant, error) {
	if len(headers) == 0 {
		return nil, &problem{code: codeMissingKey, detail: `the request has no header "Authorization: Bearer <API_KEY>"`}
	}
	bearer, one := bearerOf(headers)
	grant, err := s.keys.Authenticate(bearer, s.now())
	switch {
	case one && err == nil:
		return grant, nil
	case one && errors.Is(err, keyring.ErrExpired):
		return nil, &problem{code: codeExpiredKey, detail: "the API key has expired"}
	case !one:
		return nil, &problem{code: codeInvalidKey, detail: `what the request has is not one header "Authorization: Bearer <API_KEY>"`}
	}
	return nil, &problem{code: codeInvalidKey, detail: "the API key is not valid"}
}

// bearerOf returns the text of the key or token in Authorization headers; one
// is false if they are not one header with a bearer token.
func bearerOf(headers []string) (bearer string, one bool) {
	if len(headers) == 0 {
		return "", false
	}
	scheme, bearer, _ := strings.Cut(headers[0], " ")
	return strings.Trim(bearer, " "), len(headers) == 1 && strings.EqualFold(scheme, "Bearer")
}

// forbiddenIndex is the detail of every codeForbiddenIndex about one index. It
// is the same whether there is such an index or not.
const forbiddenIndex = "the API key may not use this index"

// mayUseIndex tells whether the key of a request may use an index, which need not be
// there.
func (x *exchange) mayUseIndex(index string) error {
	if x.key.Allows(index) {
		return nil
	}
	return &problem{code: codeForbiddenIndex, detail: forbiddenIndex}
}

func forbiddenScope(format string, args ...any) error {
	return &problem{code: codeForbiddenScope, detail: fmt.Sprintf(format, args...)}
}
