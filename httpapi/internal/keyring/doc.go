// Package keyring holds the API keys of a service: what they are, what they
// may do, who has one, and how often it is used. It knows nothing of HTTP and
// of storage, and no clock: times are given by the caller.
//
// A [Ring] holds all keys. [Ring.Authenticate] finds the [Grant] of a text that
// a request carries; it takes no lock, and works on a state that each change
// replaces as a whole. A change goes through [Ring.Add] or [Ring.Change]: the
// caller's commit makes the key's row durable, and only then the new state is
// seen. What it takes away is taken away from every Authenticate that begins
// after Change has returned.
//
// # Keys
//
// The text of a key is qk_<id>_<secret>_<sum>, see [Generate]. Only its SHA-256
// is kept. A [Key] has up to four secrets at a time: rotating it makes a new
// one and leaves the earlier ones valid for a time of grace.
//
// # Rights
//
// [Rights] are scopes, index patterns, filters and an end. Rights are only ever
// narrowed: patterns and filters of a token are added to those of its key.
// [Rights.Beyond] tells what other rights have that these lack.
//
// # Tenant tokens
//
// Whoever has the text of a key can make tokens of it that may do less,
// without asking the service:
//
//	token    "qt_" payload "." mac
//	payload  base64url, without padding, of JSON:
//	         {"k":"key_<id>","f":[filters],"i":[index patterns],"e":<seconds since 1970>,"s":[scopes]}
//	mac      base64url, without padding, of HMAC-SHA256(secret, "qt_" payload)
//	secret   SHA-256("quarry-tenant-token\n" SHA-256(<text of the key>))
//
// k and e are required. A token may at most search and read, and is good until
// e, as long as its key is and as long as the very text of the key is that it
// was made of.
package keyring
