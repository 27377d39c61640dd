package httpapi

import (
	"encoding/binary"
	"errors"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/quarry-search/quarry/engine"
	"github.com/quarry-search/quarry/httpapi/internal/webhook"
)

// Codes of problems of webhooks.
const (
	codeWebhookNotFound  = "webhook_not_found"
	codeDeliveryNotFound = "delivery_not_found"
	codeWebhookDisabled  = "webhook_disabled"
)

const (
	maxEventPatterns = 50
	maxIndexPatterns = 100

	// defaultGrace is how long a secret goes on when another has taken its place
	// and the request says nothing of it.
	defaultGrace = 24 * time.Hour
	maxGrace     = 7 * 24 * time.Hour
)

// webhookEvents lists what endpoints can ask for.
func webhookEvents() []string {
	return []string{
		"index.created", "index.updated", "index.rebuilt", "index.swapped", "index.deleted",
		"batch.queued", "batch.applied", "batch.failed", "batch.cancelled",
		"record.written", "record.deleted",
		"snapshot.created", "snapshot.failed",
		"key.created", "key.rotated", "key.expiring", "key.revoked",
		"usage.threshold",
		webhook.TypeDisabled,
	}
}

// webhookError is the answer to an error of the outbox.
func webhookError(err error) error {
	switch {
	case errors.Is(err, webhook.ErrNotFound):
		return &problem{code: codeWebhookNotFound, detail: "there is no webhook with this id"}
	case errors.Is(err, webhook.ErrDisabled):
		return &problem{code: codeWebhookDisabled, detail: `the webhook is disabled; set its state to "active" first`}
	case errors.Is(err, webhook.ErrTooMany):
		return &problem{code: engine.CodeLimitExceeded, detail: "there are as many webhooks as there may be (limit webhooks)"}
	}
	return err
}

// createWebhook answers POST /v1/webhooks. The secret is in this answer only.
func (s *Server) createWebhook(x *exchange) error {
	if _, err := x.query(); err != nil {
		return err
	}
	body, err := s.body(x, s.limits.SchemaBytes)
	if err != nil {
		return err
	}
	return s.replays.once(x, body, s.now(), func(c *claim) error {
		if err := checkJSON(body); err != nil {
			return err
		}
		spec := webhook.Spec{Events: []string{"*"}}
		if len(x.key.Indexes) > 0 {
			spec.Indexes, spec.Confined = x.key.Indexes[0], true
		}
		if err := s.parseWebhook(value{raw: body}, &spec, nil); err != nil {
			return err
		}
		if err := checkWebhookIndexes(x, spec.Indexes); err != nil {
			return err
		}
		ctx, cancel := s.writeContext(x)
		defer cancel()
		var answer []byte
		var replay []engine.Row
		e, err := s.outbox.Create(ctx, spec, func(e webhook.Endpoint, rows []engine.Row) error {
			answer = appendWebhook(nil, &e, 0, true)
			// An empty batch, as answers to an Idempotency-Key are written in the
			// order of batches.
			_, err := s.engine.Apply(ctx, &engine.Batch{Finish: func(*engine.BatchResult) []engine.Row {
				replay = c.answered(e.ID, answer)
				return slices.Concat(rows, replay)
			}})
			return err
		})
		if err != nil {
			c.undo(replay)
			return webhookError(err)
		}
		x.w.Header().Set("Location", "/v1/webhooks/"+e.ID)
		x.json(201, answer)
		return nil
	})
}

// listWebhooks answers GET /v1/webhooks. A page begins after the id that its
// cursor holds.
func (s *Server) listWebhooks(x *exchange) error {
	params, err := x.query("limit", "cursor")
	if err != nil {
		return err
	}
	var f faults
	limit := pageLimit(&f, params, 100, 1000)
	after := s.pageStart(&f, params, cursorWebhooks, x.key.Identity())
	if err := f.err(); err != nil {
		return err
	}
	all := knownWebhooks(x, s.outbox.Endpoints())
	page := all
	for len(page) > 0 && page[0].ID <= after {
		page = page[1:]
	}
	next := ""
	if len(page) > limit {
		page = page[:limit]
		next = s.cursors.sign(cursorWebhooks, x.key.Identity(), []byte(page[limit-1].ID))
	}
	w := jsonWriter{}
	w.open('{')
	w.key("webhooks")
	w.open('[')
	for i := range page {
		_, backlog, _ := s.outbox.Endpoint(page[i].ID) // 0 if it is gone by now
		w.raw(appendWebhook(nil, &page[i], backlog, false))
	}
	w.close(']')
	w.integerAt("total", int64(len(all)))
	w.textOrNullAt("next_cursor", next)
	w.close('}')
	x.json(200, w.buf)
	return nil
}

// showWebhook answers GET /v1/webhooks/{id}.
func (s *Server) showWebhook(x *exchange) error {
	if _, err := x.query(); err != nil {
		return err
	}
	return s.answerWebhook(x, false)
}

func (s *Server) answerWebhook(x *exchange, secret bool) error {
	e, backlog, err := s.outbox.Endpoint(x.r.PathValue("id"))
	if err != nil {
		return webhookError(err)
	}
	x.json(200, appendWebhook(nil, &e, backlog, secret))
	return nil
}

// patchWebhook answers PATCH /v1/webhooks/{id}.
func (s *Server) patchWebhook(x *exchange) error {
	body, err := s.schemaBody(x)
	if err != nil {
		return err
	}
	e, _, err := s.outbox.Endpoint(x.r.PathValue("id"))
	if err != nil {
		return webhookError(err)
	}
	var given webhook.Spec
	var state webhook.State
	if err := s.parseWebhook(body, &given, &state); err != nil {
		return err
	}
	if given.Indexes != nil {
		if err := checkWebhookIndexes(x, given.Indexes); err != nil {
			return err
		}
	}
	ctx, cancel := s.writeContext(x)
	defer cancel()
	_, err = s.outbox.Update(ctx, e.ID, func(spec *webhook.Spec, now *webhook.State) {
		if given.URL != "" {
			spec.URL = given.URL
		}
		if given.Events != nil {
			spec.Events = given.Events
		}
		if given.Indexes != nil {
			spec.Indexes, spec.Confined = given.Indexes, len(x.key.Indexes) > 0
		}
		if state != "" {
			*now = state
		}
	})
	if err != nil {
		return webhookError(err)
	}
	return s.answerWebhook(x, false)
}

// deleteWebhook answers DELETE /v1/webhooks/{id}.
func (s *Server) deleteWebhook(x *exchange) error {
	if _, err := x.query(); err != nil {
		return err
	}
	ctx, cancel := s.writeContext(x)
	defer cancel()
	if err := s.outbox.Delete(ctx, x.r.PathValue("id")); err != nil {
		return webhookError(err)
	}
	x.head(204)
	return nil
}

// rotateWebhook answers POST /v1/webhooks/{id}/rotate: a new secret, in this
// answer only. Its body may be missing.
func (s *Server) rotateWebhook(x *exchange) error {
	if _, err := x.query(); err != nil {
		return err
	}
	body, err := s.body(x, s.limits.SchemaBytes)
	if err != nil {
		return err
	}
	grace := int64(defaultGrace / time.Second)
	if len(body) > 0 {
		if err := checkJSON(body); err != nil {
			return err
		}
		var d reader
		d.object(value{raw: body}, []member{
			{"grace_seconds", func(v value) {
				d.integer(v, 0, int64(maxGrace/time.Second), engine.CodeLimitExceeded, &grace)
			}},
		})
		if err := d.err(); err != nil {
			return err
		}
	}
	ctx, cancel := s.writeContext(x)
	defer cancel()
	e, err := s.outbox.Rotate(ctx, x.r.PathValue("id"), time.Duration(grace)*time.Second)
	if err != nil {
		return webhookError(err)
	}
	_, backlog, _ := s.outbox.Endpoint(e.ID)
	x.json(200, appendWebhook(nil, &e, backlog, true))
	return nil
}

// testWebhook answers POST /v1/webhooks/{id}/test.
func (s *Server) testWebhook(x *exchange) error {
	if _, err := x.query(); err != nil {
		return err
	}
	ctx, cancel := s.writeContext(x)
	defer cancel()
	d, err := s.outbox.Test(ctx, x.r.PathValue("id"))
	if err != nil {
		return webhookError(err)
	}
	x.json(202, appendDelivery(nil, &d))
	return nil
}

// listDeliveries answers GET /v1/webhooks/{id}/deliveries, the newest first. A
// page begins after the number that its cursor holds.
func (s *Server) listDeliveries(x *exchange) error {
	params, err := x.query("limit", "cursor")
	if err != nil {
		return err
	}
	id := x.r.PathValue("id")
	var f faults
	limit := pageLimit(&f, params, 100, 1000)
	at := positionReader{b: []byte(s.pageStart(&f, params, cursorDeliveries, []byte(id)))}
	if err := f.err(); err != nil {
		return err
	}
	list, more, err := s.outbox.Deliveries(id, at.uvarint(), limit)
	if err != nil {
		return webhookError(err)
	}
	next := ""
	if more && len(list) > 0 {
		next = s.cursors.sign(cursorDeliveries, []byte(id), binary.AppendUvarint(nil, list[len(list)-1].Seq))
	}
	w := jsonWriter{}
	w.open('{')
	w.key("deliveries")
	w.open('[')
	for i := range list {
		w.raw(appendDelivery(nil, &list[i]))
	}
	w.close(']')
	w.textOrNullAt("next_cursor", next)
	w.close('}')
	x.json(200, w.buf)
	return nil
}

// replayDelivery answers POST /v1/webhooks/{id}/deliveries/{delivery}/replay.
func (s *Server) replayDelivery(x *exchange) error {
	if _, err := x.query(); err != nil {
		return err
	}
	id := x.r.PathValue("id")
	if _, _, err := s.outbox.Endpoint(id); err != nil {
		return webhookError(err)
	}
	ctx, cancel := s.writeContext(x)
	defer cancel()
	d, err := s.outbox.Replay(ctx, id, x.r.PathValue("delivery"))
	if errors.Is(err, webhook.ErrNotFound) {
		return &problem{code: codeDeliveryNotFound, detail: "no delivery with this id is remembered of the webhook"}
	}
	if err != nil {
		return webhookError(err)
	}
	x.json(202, appendDelivery(nil, &d))
	return nil
}

// webhookWitness puts events into the outbox.
type webhookWitness struct{ outbox *webhook.Outbox }

// witness implements the interface of that name.
func (w webhookWitness) witness(c *change) ([]engine.Row, func(error)) {
	if c.event == "" {
		return nil, nil
	}
	return w.outbox.Note(webhook.Event{Type: c.event, At: c.at, Indexes: c.indexes, Data: appendEventData(nil, c)})
}

// openOutbox makes the outbox and has it witness all changes.
func (s *Server) openOutbox(c *Config) (err error) {
	s.outbox, err = webhook.Open(webhook.Config{
		Store: c.Engine, Now: c.Now, Allow: c.WebhookAllow, RootCAs: c.WebhookRootCAs,
		Endpoints: c.Limits.Webhooks, Backlog: c.Limits.WebhookBacklog, History: c.Limits.WebhookHistory,
		NewID: func(prefix string) string { return newID(prefix, s.now()) },
		Failed: func(err error) {
			s.log.Error("webhook state not written; it will be with the next change", "cause", causeType(err))
		},
	})
	s.witnesses = append(s.witnesses, webhookWitness{s.outbox})
	return err
}

// webhookMetrics adds the figures of the outbox to the metrics.
func (s *Server) webhookMetrics() {
	s.metrics.gauge("quarry_webhook_backlog", "Messages that wait for their webhooks.",
		func() float64 { return float64(s.outbox.Stats().Backlog) })
	s.metrics.gauge("quarry_webhooks", "Webhooks, disabled ones included.",
		func() float64 { return float64(s.outbox.Stats().Endpoints) })
	for name, c := range map[string]struct {
		help  string
		value func(webhook.Stats) uint64
	}{
		"quarry_webhook_attempts_total":  {"Attempts at delivering messages.", func(s webhook.Stats) uint64 { return s.Attempts }},
		"quarry_webhook_delivered_total": {"Messages that were accepted.", func(s webhook.Stats) uint64 { return s.Delivered }},
		"quarry_webhook_failed_total":    {"Messages that were given up.", func(s webhook.Stats) uint64 { return s.Failed }},
	} {
		s.metrics.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: name, Help: c.help},
			func() float64 { return float64(c.value(s.outbox.Stats())) }))
	}
}
