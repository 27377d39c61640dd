package keyring

import (
	"slices"
	"strings"
)

// Scope is a set of things that a key may do.
type Scope uint8

// Scopes of keys. All is all of them, present and future.
const (
	Search   Scope = 1 << iota // search
	Read                       // read records, indexes and batches
	Write                      // write records
	Admin                      // make, change and delete indexes
	Keys                       // manage keys
	Webhooks                   // manage webhooks
	Usage                      // read usage
	All      Scope = 0xff
)

// confinable are the scopes that keys with a filter, and tokens, may have: all
// others reach beyond the records that the filter lets through.
const confinable = Search | Read

// scopeNames in the order of the bits.
var scopeNames = [...]string{"search", "read", "write", "admin", "keys", "webhooks", "usage"}

// Names returns the names of the scopes, in a fixed order; "*" for All.
func (s Scope) Names() []string {
	if s == All {
		return []string{"*"}
	}
	names := []string{}
	for i, name := range scopeNames {
		if s&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// String returns the names, separated by spaces.
func (s Scope) String() string { return strings.Join(s.Names(), " ") }

// Confinable tells whether a key with a filter may have all these scopes.
func (s Scope) Confinable() bool { return s&^confinable == 0 }

// ParseScope returns the scope with a name; ok is false if there is none.
func ParseScope(name string) (s Scope, ok bool) {
	if name == "*" {
		return All, true
	}
	i := slices.Index(scopeNames[:], name)
	return 1 << max(i, 0), i >= 0
}

// ScopeNames lists the names that [ParseScope] knows.
func ScopeNames() []string { return append(slices.Clone(scopeNames[:]), "*") }
