package httpapi

import (
	"time"

	"github.com/quarry-search/quarry/httpapi/internal/webhook"
)

// maxEventIndexes bounds the list of indexes in the data of an event, so that
// the message stays below webhook.MaxPayload.
const maxEventIndexes = 100

// appendWebhook is an endpoint as clients see it, with its secret if they are to
// see that.
func appendWebhook(dst []byte, e *webhook.Endpoint, backlog int, secret bool) []byte {
	w := jsonWriter{buf: dst}
	w.open('{')
	w.textAt("id", e.ID)
	w.textAt("url", e.URL)
	w.textsAt("events", e.Events)
	w.textsAt("indexes", e.Indexes)
	w.textAt("state", string(e.State))
	w.textOrNullAt("disabled_reason", string(e.Reason))
	w.timeOrNullAt("failing_since", e.FailingSince)
	w.integerAt("backlog", int64(backlog))
	if secret {
		w.textAt("secret", e.Secret.Text())
	}
	w.textAt("public_key", e.Secret.PublicKey())
	w.timeOrNullAt("created_at", e.CreatedAt)
	w.timeOrNullAt("rotated_at", e.RotatedAt)
	w.timeOrNullAt("grace_until", e.GraceUntil)
	w.close('}')
	return w.buf
}

// appendDelivery is a delivery as clients see it.
func appendDelivery(dst []byte, d *webhook.Delivery) []byte {
	w := jsonWriter{buf: dst}
	w.open('{')
	w.textAt("id", d.ID)
	w.textAt("event", d.Type)
	w.integerAt("seq", int64(d.Seq))
	w.textAt("state", string(d.State))
	w.integerAt("attempts", int64(d.Attempts))
	w.key("response_status")
	if d.Status == 0 {
		w.null()
	} else {
		w.integer(int64(d.Status))
	}
	w.textOrNullAt("error", string(d.Fault))
	w.timeOrNullAt("created_at", d.CreatedAt)
	w.timeOrNullAt("attempted_at", d.AttemptedAt)
	w.timeOrNullAt("next_attempt_at", d.NextAttempt)
	w.close('}')
	return w.buf
}

// timeOrNullAt writes null in place of the zero time.
func (w *jsonWriter) timeOrNullAt(name string, t time.Time) {
	w.key(name)
	if t.IsZero() {
		w.null()
		return
	}
	w.time(t)
}

// appendEventData is what a message tells of a change: what it was about, and
// nothing of what is stored.
func appendEventData(dst []byte, c *change) []byte {
	w := jsonWriter{buf: dst}
	w.open('{')
	if c.batch != nil {
		w.textAt("batch", c.batch.id)
	}
	if c.record != "" {
		w.textAt("record", c.record)
	}
	if len(c.indexes) > 0 {
		w.textsAt("indexes", c.indexes[:min(len(c.indexes), maxEventIndexes)])
	}
	if more := len(c.indexes) - maxEventIndexes; more > 0 {
		w.integerAt("more_indexes", int64(more))
	}
	if c.version > 0 {
		w.integerAt("version", int64(c.version))
	}
	if b := c.batch; b != nil {
		w.key("counts")
		w.open('{')
		w.integerAt("put", int64(b.put))
		w.integerAt("patched", int64(b.patched))
		w.integerAt("deleted", int64(b.deleted))
		w.integerAt("failed", int64(b.failed))
		w.close('}')
	}
	if c.keyID != "" {
		w.textAt("key", c.keyID)
	}
	if c.snapshot != "" {
		w.textAt("snapshot", c.snapshot)
	}
	if t := c.threshold; t != nil {
		w.textAt("key", "key_"+t.Key)
		w.integerAt("percent", int64(t.Percent))
		w.integerAt("searches", t.Searches)
		w.integerAt("quota", t.Quota)
	}
	w.close('}')
	return w.buf
}
