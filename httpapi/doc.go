// Package httpapi is the v1 interface of the search service: REST with JSON
// bodies, over TLS 1.3, for one engine.
//
// A [Server] answers requests. It is made by [New] from a [Config], whose only
// required member is an [Engine], and is either served on a listener
// ([Server.Serve]) or used as an http.Handler ([Server.Handler]). What a client
// can ask is described by the files of folder openapi, which are joined and served
// at /v1/openapi.json; tests hold it and the code to each other.
//
// # Keys
//
// Every request below /v1 carries an API key, qk_<id>_<secret>_<sum>, or a token
// of one as a bearer token. [RootKeyFile] keeps the first key of a service in a
// file; it makes all others. A server keeps only hashes of keys, see package
// keyring. Each route names the [Scope] that it needs; what else the grant of a
// request bounds is the business of its handler:
//
//   - a name of an index that the client gives is refused by mayUseIndex or, in
//     a body, as a fault, whether there is such an index or not;
//   - a pattern, or no name, is narrowed by confine, searches by find;
//   - a record that a filter of the key does not match is not there: the engine
//     gets the filters with each search and each reading;
//   - a cursor is bound to indexes and filters by Rights.Identity;
//   - nobody gives more than they have, see within.
//
// Rights are checked where requests are read, so GraphQL, which runs the handlers
// of the routes, has them, too. TestKeysReachNoForeignIndex goes through all
// routes and fails for one that it does not know.
//
// # Certificates
//
// [Certificates] follows a pair of PEM files. [LocalCertificates] makes such a
// pair for a service that has none, signed by an authority of its own.
//
// # How a request is answered
//
//  1. serve gives it an id and turns a panic into an answer;
//  2. admit asks for the key before it tells whether there is such a path,
//     then checks method, scope, Accept, Content-Type and Content-Encoding;
//  3. the route's handler reads parameters and body and collects everything
//     that is wrong with them, before the engine is called; of a search the
//     engine is then asked what else is (searchmistakes.go);
//  4. what the engine reports is placed in the request: a problem of record 17
//     has the pointer /operations/17/record/price, or names its line;
//  5. errors of all kinds end in Server.fail, the one place that writes
//     application/problem+json and the log; the table codes gives each code
//     its status.
//
// # Batches
//
// A JSON body, or NDJSON or CSV with atomic=true, is held in memory and applied
// in one commit. With atomic=false NDJSON and CSV are streamed: chunks of
// Limits.ChunkBytes are committed while the body comes in, and what fails is
// reported by position and line. All bodies in memory, and answers of searches, share
// one budget.
//
// The outcome of a batch and the answer to its Idempotency-Key are written by
// the commit of the batch itself, of a streamed batch by that of its last chunk:
// a crash leaves all of it or none. Only a streamed batch that breaks off is
// remembered, as failed, by a commit of its own.
//
// # Usage
//
// What each key uses is counted by day, for bills: searches when they are
// answered, and the records that a commit writes by a row in this very commit.
// [VerifyUsage] checks what GET /v1/usage shows.
//
// # Operators
//
// [Server.Metrics] shows the figures of the service to Prometheus;
// [Server.ServeAdmin] does so on a listener of its own. Requests are told apart
// by their routes, never by what they ask.
//
// # What comes to an end
//
// A route or parameter that is to go is listed in deprecationTable: its answers
// say so in headers for at least 12 months, and with status 410 from then on.
//
// # Work in the background
//
// With Prefer: respond-async a batch is checked, put into a durable queue and
// applied by one worker; a change of a schema that needs a rebuild is noted
// durably and carried out by a goroutine of its own. New goes on with what an
// earlier process has left, and [Server.Close], or the end of Serve, stops it
// between two commits.
//
// # GraphQL
//
// POST /v1/graphql answers each field of Query and Mutation by the handler of its
// REST route, as a request within the request: scopes, limits, codes, cursors,
// idempotency, usage and events are the same because they are the same code. The
// schema is the file schema.graphql. Package gqldoc bounds a document before the
// executor sees it. Only what cannot be run at all is answered with 400; a field
// that fails has an error beside the data, with the code and status that its
// route would have answered with.
//
// # Rows
//
// What has to outlive the process is kept in rows of the engine:
//
//	http/cursor-key     32 random bytes that sign cursors, made at the first start
//	http/batch/<id>     the answer of GET /v1/batch/<id>, of the newest batches
//	http/queue/<id>...  a batch that waits to be applied, see queue.go
//	http/replay/<hash>  the answer to a request with an Idempotency-Key, for a day; sealed if it holds a secret
//	http/key/<id>       a key: what it may do, and hashes of its texts
//	http/keyday/<id>    the day of its last use
//	http/webhook/...    endpoints, messages and deliveries, see package webhook
//	http/usage/...      what each key has used; see package usage
//
// # Webhooks
//
// What is committed is a change; witnesses add to its commit what they note of
// it. The outbox of package webhook is one: the message about a change is in the
// commit of the change. Messages go out while Serve runs.
//
// # Privacy
//
// Nothing that a client sends is logged: no query, no record, no path, no
// address. The address of a client is not even looked at. Errors are logged by
// request id, route, status, code and the Go types of their causes. Cursors hold
// a keyed hash of the query and never its text.
package httpapi
