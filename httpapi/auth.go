package httpapi

import (
	"crypto/sha256"
	"strings"
)

// Scope is a set of things that a key may do.
type Scope uint8

// Scopes of keys. ScopeAll is all of them, present and future.
const (
	ScopeSearch   Scope = 1 << iota // search
	ScopeRead                       // read records, indexes and batches
	ScopeWrite                      // write records
	ScopeAdmin                      // make, change and delete indexes
	ScopeKeys                       // manage keys
	ScopeWebhooks                   // manage webhooks
	ScopeUsage                      // read usage
	ScopeAll      Scope = 0xff
)

// scopeNames in the order of the bits.
var scopeNames = [...]string{"search", "read", "write", "admin", "keys", "webhooks", "usage"}

// String returns the names of the scopes, separated by spaces; "*" for all.
func (s Scope) String() string {
	if s == ScopeAll {
		return "*"
	}
	var names []string
	for i, name := range scopeNames {
		if s&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, " ")
}

// Key is an API key as the service knows it.
type Key struct {
	KeyHash
	Scopes Scope
}

// keyring holds the keys that are valid.
type keyring struct{ byID map[string]*Key }

func newKeyring(root KeyHash) *keyring {
	k := &keyring{byID: map[string]*Key{}}
	if root != (KeyHash{}) {
		k.byID[root.ID] = &Key{KeyHash: root, Scopes: ScopeAll}
	}
	return k
}

// authenticate finds the key that a request's Authorization headers carry. A
// malformed, an unknown and a wrong key take the same steps, so that neither
// the answer nor its time tells them apart.
func (k *keyring) authenticate(headers []string) (*Key, error) {
	if len(headers) == 0 {
		return nil, &problem{code: codeMissingKey, detail: `the request has no header "Authorization: Bearer <API_KEY>"`}
	}
	scheme, token, _ := strings.Cut(headers[0], " ")
	token = strings.Trim(token, " ")
	sum := sha256.Sum256([]byte(token))
	id, shapeErr := ParseKey(token)
	key := k.byID[id]
	known := key != nil && shapeErr == nil && len(headers) == 1 && strings.EqualFold(scheme, "Bearer")
	if key == nil {
		key = new(Key)
	}
	if !key.matches(&sum) || !known {
		return nil, &problem{code: codeInvalidKey, detail: "the API key is not valid"}
	}
	return key, nil
}
