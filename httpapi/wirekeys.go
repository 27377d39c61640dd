package httpapi

import (
	"time"

	"github.com/quarry-search/quarry/httpapi/internal/keyring"
)

// appendKey is the answer about a key. text is the key itself where it is new,
// and "" otherwise: then nobody knows it.
func (s *Server) appendKey(k *keyring.Key, text string) []byte {
	w := jsonWriter{}
	s.writeKey(&w, k, text)
	return w.buf
}

func (s *Server) writeKey(w *jsonWriter, k *keyring.Key, text string) {
	now := s.now()
	w.open('{')
	w.textAt("id", keyring.PublicID(k.ID))
	if text != "" {
		w.textAt("key", text)
	}
	w.textAt("name", k.Name)
	w.textsAt("scopes", k.Scopes.Names())
	w.textsAt("indexes", patternsOf(k))
	w.textOrNullAt("filter", k.Filter)
	w.timeOrNullAt("expires_at", k.Expires)
	w.key("rate")
	if k.Rate == (keyring.Rate{}) {
		w.null()
	} else {
		w.open('{')
		w.integerAt("per_second", k.Rate.PerSecond)
		w.integerAt("burst", k.Rate.Burst)
		w.close('}')
	}
	w.key("quota")
	if k.Quota == 0 {
		w.null()
	} else {
		w.open('{')
		w.integerAt("searches_per_month", k.Quota)
		w.close('}')
	}
	if k.Hint == "" {
		w.textOrNullAt("hint", "")
	} else {
		w.textAt("hint", "…"+k.Hint)
	}
	w.timeOrNullAt("created_at", k.Created)
	w.timeOrNullAt("rotated_at", k.Rotated)
	w.timeOrNullAt("grace_until", k.Grace(now))
	w.key("last_day")
	if day := s.keys.LastDay(k.ID); day.IsZero() {
		w.null()
	} else {
		w.text(day.Format(time.DateOnly))
	}
	w.textAt("state", string(k.State(now)))
	w.booleanAt("root", k.Root)
	w.close('}')
}

// patternsOf is the list of a key's indexes as the interface shows it.
func patternsOf(k *keyring.Key) []string {
	if len(k.Indexes) == 0 {
		return []string{"*"}
	}
	return k.Indexes
}

// appendToken is the answer to a request for a token: what it may do is what it
// says and the key may do, too.
func appendToken(k *keyring.Key, c *keyring.Claims, text string) []byte {
	w := jsonWriter{}
	w.open('{')
	w.textAt("token", text)
	w.textAt("key", c.Key)
	scopes, indexes := c.Scopes, c.Indexes
	if len(scopes) == 0 {
		scopes = (keyring.Search | keyring.Read).Names()
	}
	if len(indexes) == 0 {
		indexes = patternsOf(k)
	}
	w.textsAt("scopes", scopes)
	w.textsAt("indexes", indexes)
	w.textsAt("filters", c.Filters)
	w.key("expires_at")
	w.time(time.Unix(c.Expires, 0))
	w.close('}')
	return w.buf
}
