package httpapi

import (
	"slices"

	"github.com/quarry-search/quarry/httpapi/internal/keyring"
	"github.com/quarry-search/quarry/httpapi/internal/webhook"
)

// beyondKey returns the index patterns of an endpoint that reach further than
// the key of a request: it must not be told what the key may not see.
func beyondKey(x *exchange, indexes []string) []string {
	var rights keyring.Rights
	if len(indexes) > 0 {
		rights.Indexes = [][]string{indexes}
	}
	return x.key.Rights.Beyond(&rights).Indexes
}

// checkWebhookIndexes refuses patterns that a key may not have its webhooks
// listen to.
func checkWebhookIndexes(x *exchange, indexes []string) error {
	var f faults
	if len(beyondKey(x, indexes)) > 0 {
		f.at("/indexes", codeForbiddenIndex, "the API key of the request may not use all of these indexes")
	}
	return f.err()
}

// mayKnowWebhook tells whether a key may know of an endpoint: if that is told of
// no more than the key may know itself.
func mayKnowWebhook(x *exchange, e *webhook.Endpoint) bool {
	return len(x.key.Indexes) == 0 || e.Confined && len(beyondKey(x, e.Indexes)) == 0
}

// knownWebhooks leaves out the endpoints that a key may not know of.
func knownWebhooks(x *exchange, all []webhook.Endpoint) []webhook.Endpoint {
	return slices.DeleteFunc(slices.Clone(all), func(e webhook.Endpoint) bool { return !mayKnowWebhook(x, &e) })
}

// ofWebhook makes a handler of a request about one endpoint answer only those
// who may know of it.
func ofWebhook(handle func(*Server, *exchange) error) func(*Server, *exchange) error {
	return func(s *Server, x *exchange) error {
		e, _, err := s.outbox.Endpoint(x.r.PathValue("id"))
		if err == nil && !mayKnowWebhook(x, &e) {
			err = webhook.ErrNotFound
		}
		if err != nil {
			return webhookError(err)
		}
		return handle(s, x)
	}
}
