// Package webhook tells HTTPS endpoints of events, as Standard Webhooks 1.0.0
// describes: signed messages, each delivered at least once.
//
// An [Outbox] holds the endpoints, the events that are yet to be delivered and
// the newest ones that were. [Outbox.Note] makes the rows of an event, which
// the caller puts into the very commit that the event is about: however the
// process ends, there is both or neither. [Outbox.Send] is for events without
// such a commit. [Outbox.Run] delivers for as long as it runs; what is not
// delivered by then is after the next start.
//
// # Delivery
//
// A message that an endpoint does not answer with a 2xx is tried ten times, over
// three days (see [Schedule]). Attempts at an endpoint begin in the order of the
// events, one at a time as long as it keeps up, so that a receiver sees them in
// order nearly always, but that is no promise: a message that waits for its next
// attempt holds up no other. Every message carries a number, seq, that grows in
// the order of the events.
//
// The service disables an endpoint that answers 410, that has done nothing but
// fail for [FailingTime], or for which more messages wait than Config.Backlog.
// Events from then on are not noted for it; messages that wait are kept and go
// out when it is enabled again.
//
// # Where messages may go
//
// The address of every connection is checked after the name of the host is
// resolved, by the very call that connects (see guard): a name that resolves
// to something else the second time gains nothing. No redirect is followed, no
// proxy is used, and of an answer only its status and Retry-After are looked
// at.
//
// # Rows
//
//	http/webhook/endpoint/<id>            an Endpoint, in JSON, with its secrets
//	http/webhook/event/<seq>              the body of a message
//	http/webhook/delivery/<endpoint>/<seq>  a Delivery, in JSON
//	http/webhook/seq                      the last seq, 8 bytes
//
// where <seq> in keys has 16 hexadecimal digits. Secrets have to be at hand for
// signing, so they are stored as they are: whoever can read the data directory
// can sign in the service's name.
package webhook
