package httpapi

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"time"

	"github.com/quarry-search/quarry/engine"
	"github.com/quarry-search/quarry/httpapi/internal/keyring"
)

// mayKnow tells whether a key may know of another one: what that one may use,
// it may use itself.
func mayKnow(key *keyring.Grant, other *keyring.Key) bool {
	rights := other.Rights()
	b := key.Beyond(&rights)
	return len(b.Indexes) == 0 && !b.Filter
}

// keyOf returns the key that the path of a request names, if the request's own
// key may know of it.
func (s *Server) keyOf(x *exchange) (*keyring.Key, error) {
	id, ok := keyring.ParsePublicID(x.r.PathValue("id"))
	if !ok {
		return nil, keyNotFound()
	}
	k, err := s.keys.Key(id)
	if err != nil || !mayKnow(x.key, k) {
		return nil, keyNotFound()
	}
	return k, nil
}

func keyNotFound() error {
	return &problem{code: codeKeyNotFound, detail: "there is no API key with this id"}
}

// keyRevoked is the answer to a change of a key that is shown, but can be used
// no more.
func keyRevoked() error {
	return &problem{code: codeKeyNotFound, detail: "the API key with this id is revoked, for good"}
}

// usable checks that a new text or a token of a key would be good for anything.
func (s *Server) usable(k *keyring.Key) error {
	switch k.State(s.now()) {
	case keyring.Revoked:
		return keyRevoked()
	case keyring.Expired:
		return &problem{code: codeKeyExpired, detail: "the API key with this id has expired, at " + k.Expires.Format(time.RFC3339) + `; PATCH it with another "expires_at", or null, first`}
	}
	return nil
}

// keyError is the answer to an error of a change of keys.
func keyError(err error) error {
	switch {
	case errors.Is(err, keyring.ErrNotFound):
		return keyNotFound()
	case errors.Is(err, keyring.ErrRoot):
		return forbiddenScope("the root key belongs to the settings of the server and is not changed here")
	}
	return err
}

// within checks that a request's key gives no rights that it lacks.
func within(key *keyring.Grant, given *keyring.Key) error {
	rights := given.Rights()
	b := key.Beyond(&rights)
	if !b.Any() {
		return nil
	}
	var f faults
	if b.Scopes != 0 {
		f.at("/scopes", codeForbiddenScope, "the API key of the request has not all of these scopes: %s", given.Scopes.String())
	}
	if len(b.Indexes) > 0 {
		f.at("/indexes", codeForbiddenIndex, "the API key of the request may not use all of these indexes")
	}
	if b.Filter {
		f.at("/filter", codeForbiddenScope, "the API key of the request has a filter that is missing")
	}
	if b.Expires {
		f.at("/expires_at", codeForbiddenScope, "the API key of the request ends earlier")
	}
	if b.Rate {
		f.at("/rate", codeForbiddenScope, "the API key of the request may itself make %d requests a second, and %d at once", key.Rate.PerSecond, key.Rate.Burst)
	}
	if b.Quota {
		f.at("/quota", codeForbiddenScope, "the API key of the request may itself make %d searches a month", key.Quota)
	}
	p := problemOf(f.err(), nil)
	if f.code == "" { // it is forbidden for more than one reason
		p.code = codeForbiddenScope
	}
	return p
}

// over checks that a request's key may take from another one: that one has no
// scopes that it lacks. A key that is faster or lasts longer may be revoked, by
// whoever is there when it has leaked.
func over(key *keyring.Grant, other *keyring.Key) error {
	if lacks := other.Scopes &^ key.Scopes; lacks != 0 {
		return forbiddenScope("that key may do more than the API key of the request, which lacks the scopes: %s", lacks.String())
	}
	return nil
}

// listKeys answers GET /v1/keys. A page begins after the key that its cursor
// holds.
func (s *Server) listKeys(x *exchange) error {
	params, err := x.query("limit", "cursor")
	if err != nil {
		return err
	}
	var f faults
	limit := pageLimit(&f, params, 100, 1000)
	after := s.pageStart(&f, params, cursorKeys, x.key.Identity())
	if err := f.err(); err != nil {
		return err
	}
	all := slices.DeleteFunc(s.keys.Keys(), func(k *keyring.Key) bool { return !mayKnow(x.key, k) })
	begin := 0
	if after != "" {
		begin = len(all)
		if i := slices.IndexFunc(all, func(k *keyring.Key) bool { return keyPlace(k) > after }); i >= 0 {
			begin = i
		}
	}
	page, next := all[begin:], ""
	if len(page) > limit {
		page = page[:limit]
		next = s.cursors.sign(cursorKeys, x.key.Identity(), []byte(keyPlace(page[limit-1])))
	}
	w := jsonWriter{}
	w.open('{')
	w.key("keys")
	w.open('[')
	for _, k := range page {
		s.writeKey(&w, k, "")
	}
	w.close(']')
	w.integerAt("total", int64(len(all)))
	w.textOrNullAt("next_cursor", next)
	w.close('}')
	x.json(200, w.buf)
	return nil
}

// keyPlace is the place of a key in the list of all, as a text that sorts like
// it: the root key has no time of making and comes first.
func keyPlace(k *keyring.Key) string {
	var made int64
	if !k.Created.IsZero() {
		made = k.Created.UnixMicro()
	}
	return string(binary.BigEndian.AppendUint64(nil, uint64(made))) + k.ID
}

// showKey answers GET /v1/keys/{id}.
func (s *Server) showKey(x *exchange) error {
	if _, err := x.query(); err != nil {
		return err
	}
	k, err := s.keyOf(x)
	if err != nil {
		return err
	}
	x.json(200, s.appendKey(k, ""))
	return nil
}

// createKey answers POST /v1/keys.
func (s *Server) createKey(x *exchange) error {
	if _, err := x.query(); err != nil {
		return err
	}
	body, err := s.jsonBody(x, s.limits.SchemaBytes)
	if err != nil {
		return err
	}
	return s.replays.once(x, body.raw, s.now(), func(c *claim) error {
		// What is not said is what the own key may.
		k := keyring.Key{Rate: keyring.DefaultRate.Within(x.key.Rate), Quota: x.key.Quota, Created: s.keyTime(), Expires: x.key.Expires}
		if len(x.key.Indexes) > 0 {
			k.Indexes = x.key.Indexes[0]
		}
		if err := s.parseKey(x.key, body, &k, true); err != nil {
			return err
		}
		if err := within(x.key, &k); err != nil {
			return err
		}
		var answer []byte
		var location string
		err := s.keys.Add(k, s.limits.Keys, func(k *keyring.Key, text string, row []byte) error {
			answer, location = s.appendKey(k, text), "/v1/keys/"+keyring.PublicID(k.ID)
			return s.commitKey(x, eventKeyCreated, k, row, c, answer)
		})
		if errors.Is(err, keyring.ErrTooMany) {
			return limitExceeded("there are as many keys as the limit keys allows, %d; revoke some", s.limits.Keys)
		}
		if err != nil {
			return err
		}
		x.w.Header().Set("Location", location)
		x.json(201, answer)
		return nil
	})
}

// patchKey answers PATCH /v1/keys/{id}: members of the body replace those of
// the key, which may afterwards do no more than the key of the request.
func (s *Server) patchKey(x *exchange) error {
	if _, err := x.query(); err != nil {
		return err
	}
	k, err := s.keyOf(x)
	if err != nil {
		return err
	}
	if k.State(s.now()) == keyring.Revoked {
		return keyRevoked()
	}
	body, err := s.jsonBody(x, s.limits.SchemaBytes)
	if err != nil {
		return err
	}
	return s.changeKey(x, k.ID, "", func(k *keyring.Key) error {
		if err := over(x.key, k); err != nil {
			return err
		}
		if err := s.parseKey(x.key, body, k, false); err != nil {
			return err
		}
		return within(x.key, k)
	}, func(k *keyring.Key) { x.json(200, s.appendKey(k, "")) })
}

// changeKey changes a key and answers with what answer makes of it.
func (s *Server) changeKey(x *exchange, id, event string, edit func(*keyring.Key) error, answer func(*keyring.Key)) error {
	var changed *keyring.Key
	err := s.keys.Change(id, edit, func(k *keyring.Key, row []byte) error {
		changed = k
		return s.commitKey(x, event, k, row, nil, nil)
	})
	if err != nil {
		return keyError(err)
	}
	answer(changed)
	return nil
}

// revokeKey answers DELETE /v1/keys/{id}. Requests that begin after the answer
// are refused.
func (s *Server) revokeKey(x *exchange) error {
	if _, err := x.query(); err != nil {
		return err
	}
	k, err := s.keyOf(x)
	if err != nil {
		return err
	}
	if k.State(s.now()) == keyring.Revoked { // it is what was asked for
		x.head(204)
		return nil
	}
	return s.changeKey(x, k.ID, eventKeyRevoked, func(k *keyring.Key) error {
		if err := over(x.key, k); err != nil {
			return err
		}
		k.Revoke(s.keyTime())
		return nil
	}, func(*keyring.Key) { x.head(204) })
}

// Grace that a rotation leaves to the text before.
const (
	keyGrace    = 24 * time.Hour // by default
	maxKeyGrace = 30 * 24 * time.Hour
)

// rotateKey answers POST /v1/keys/{id}/rotate.
func (s *Server) rotateKey(x *exchange) error {
	if _, err := x.query(); err != nil {
		return err
	}
	k, err := s.keyOf(x)
	if err != nil {
		return err
	}
	if err := s.usable(k); err != nil {
		return err
	}
	grace := int64(keyGrace / time.Second)
	body, err := s.optionalBody(x)
	if err != nil {
		return err
	}
	if body.raw != nil {
		var d reader
		d.object(body, []member{{"grace_seconds", func(v value) {
			d.integer(v, 0, int64(maxKeyGrace/time.Second), engine.CodeLimitExceeded, &grace)
		}}})
		if err := d.err(); err != nil {
			return err
		}
	}
	var text string
	return s.changeKey(x, k.ID, eventKeyRotated, func(k *keyring.Key) error {
		if err := within(x.key, k); err != nil { // the text is as good as all rights of the key
			return forbiddenScope("that key may do more than the API key of the request")
		}
		text = k.Rotate(s.keyTime(), time.Duration(grace)*time.Second)
		return nil
	}, func(k *keyring.Key) { x.json(200, s.appendKey(k, text)) })
}

// optionalBody reads a JSON body; without one, raw is nil.
func (s *Server) optionalBody(x *exchange) (value, error) {
	body, err := s.body(x, s.limits.SchemaBytes)
	if err != nil || len(body) == 0 {
		return value{}, err
	}
	return value{raw: body}, checkJSON(body)
}

// mintToken answers POST /v1/keys/{id}/token. Nothing is kept of a token.
func (s *Server) mintToken(x *exchange) error {
	if _, err := x.query(); err != nil {
		return err
	}
	k, err := s.keyOf(x)
	if err != nil {
		return err
	}
	body, err := s.optionalBody(x)
	if err != nil {
		return err
	}
	if err := s.usable(k); err != nil {
		return err
	}
	claims, err := s.parseClaims(body, k)
	if err != nil {
		return err
	}
	if err := within(x.key, k); err != nil {
		return forbiddenScope("that key may do more than the API key of the request")
	}
	text, err := k.Mint(claims)
	if errors.Is(err, keyring.ErrTokenTooLong) {
		return limitExceeded("the token would have more than %d bytes", keyring.MaxToken)
	}
	if err != nil {
		return keyError(err)
	}
	x.json(201, appendToken(k, &claims, text))
	return nil
}

func limitExceeded(format string, args ...any) error {
	p := invalidRequest(format, args...).(*problem)
	p.code = engine.CodeLimitExceeded
	return p
}

// keyTime is the time that is noted of a change of a key.
func (s *Server) keyTime() time.Time { return s.now().UTC().Truncate(time.Microsecond) }

// commitKey makes the row of a key durable, with what the witnesses note of the
// change and the answer to the request's Idempotency-Key. It goes through the
// engine's batches for their order, on which replays rely.
func (s *Server) commitKey(x *exchange, event string, k *keyring.Key, row []byte, c *claim, answer []byte) error {
	ctx, cancel := s.writeContext(x)
	defer cancel()
	var replay []engine.Row
	err := s.commitRows(ctx, &change{event: event, key: x.key.ID, keyID: keyring.PublicID(k.ID)}, func() []engine.Row {
		replay = c.sealed(keyring.PublicID(k.ID), answer)
		return append([]engine.Row{{Key: keyRows + k.ID, Value: row}}, replay...)
	})
	if err != nil {
		c.undo(replay)
	}
	return err
}

// commitRows commits rows and what the witnesses note of a change. rows runs
// within the commit.
func (s *Server) commitRows(ctx context.Context, c *change, rows func() []engine.Row) error {
	done := func(error) {}
	// A key is revoked on a full disk, too.
	_, err := s.engine.Apply(ctx, &engine.Batch{Shrinks: c.event == eventKeyRevoked, Finish: func(*engine.BatchResult) []engine.Row {
		var noted []engine.Row
		c.at = s.now()
		noted, done = s.witnessed(c)
		return append(rows(), noted...)
	}})
	done(err)
	return err
}
