package webhook

import (
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Types of events that the outbox makes itself.
const (
	// TypeTest is the type of the event that [Outbox.Test] sends.
	TypeTest = "webhook.test"
	// TypeDisabled is the type of the event that an endpoint was disabled by the
	// service.
	TypeDisabled = "webhook.disabled"
)

// MaxPayload bounds the body of a message, in bytes: Standard Webhooks asks
// for small ones, which tell what happened and not what is stored.
const MaxPayload = 20 << 10

// Event is something that endpoints can be told of.
type Event struct {
	Type    string // such as "batch.applied"
	At      time.Time
	Indexes []string // that it is about, for Spec.Indexes
	// Data is a JSON object, small enough for MaxPayload. It must not hold
	// contents of records, queries or secrets.
	Data []byte
}

// body is the body of the message about an event.
func (e *Event) body(seq uint64) ([]byte, error) {
	return json.Marshal(struct {
		Type      string         `json:"type"`
		Timestamp string         `json:"timestamp"`
		Seq       uint64         `json:"seq"`
		Data      jsontext.Value `json:"data"`
	}{e.Type, e.At.UTC().Format(time.RFC3339), seq, e.Data})
}

// aboutEndpoint makes an event of the outbox's own.
func aboutEndpoint(kind string, e *Endpoint, now time.Time) Event {
	data, _ := json.Marshal(struct { // of strings that are ASCII
		Webhook string `json:"webhook"`
		Reason  Reason `json:"reason,omitzero"`
	}{e.ID, e.Reason})
	return Event{Type: kind, At: now, Data: data}
}
