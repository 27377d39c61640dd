package httpapi

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/quarry-search/quarry/engine"
	"github.com/quarry-search/quarry/httpapi/internal/keyring"
)

const (
	keyRound    = time.Minute         // between the rounds of tendKeys
	keyWarning  = 24 * time.Hour      // before the end of a key
	revokedKept = 90 * 24 * time.Hour // so long is told of a revoked key
)

// tendKeys looks after the keys in rounds until ctx ends. Then it writes the
// days of their last uses down once more.
func (s *Server) tendKeys(ctx context.Context) {
	round := time.NewTicker(keyRound)
	defer round.Stop()
	for {
		s.tendKeysOnce(ctx)
		select {
		case <-ctx.Done():
			s.keysTended(s.saveKeyDays(context.WithoutCancel(ctx)))
			return
		case <-round.C:
		}
	}
}

// tendKeysOnce warns of keys that are about to end, forgets those that were
// revoked long ago, and writes the days of last uses down.
func (s *Server) tendKeysOnce(ctx context.Context) {
	s.keysTended(errors.Join(s.warnOfKeys(ctx), s.forgetKeys(ctx), s.saveKeyDays(ctx)))
}

// keysTended logs what could not be done. The next round tries again.
func (s *Server) keysTended(err error) {
	if err != nil && !errors.Is(err, engine.ErrReadOnly) && !errors.Is(err, engine.ErrClosed) && !errors.Is(err, context.Canceled) {
		s.log.Warn("keys not tended", "cause", causeType(err))
	}
}

// warnOfKeys makes the event key.expiring of each key that ends within a day,
// once for each end that it is given.
func (s *Server) warnOfKeys(ctx context.Context) error {
	now := s.now()
	due := func(k *keyring.Key) bool {
		return k.State(now) == keyring.Active && !k.Expires.IsZero() && k.Expires.Sub(now) <= keyWarning && !k.Warned.Equal(k.Expires)
	}
	var all error
	for _, k := range s.keys.Keys() {
		if !due(k) {
			continue
		}
		errNotDue := errors.New("not due any more")
		err := s.keys.Change(k.ID, func(k *keyring.Key) error {
			if !due(k) {
				return errNotDue
			}
			k.Warned = k.Expires
			return nil
		}, func(k *keyring.Key, row []byte) error {
			return s.commitRows(ctx, &change{event: eventKeyExpiring, keyID: keyring.PublicID(k.ID)}, func() []engine.Row {
				return []engine.Row{{Key: keyRows + k.ID, Value: row}}
			})
		})
		if !errors.Is(err, errNotDue) && !errors.Is(err, keyring.ErrNotFound) {
			all = errors.Join(all, err)
		}
	}
	return all
}

// forgetKeys drops keys that were revoked long ago.
func (s *Server) forgetKeys(ctx context.Context) error {
	return s.keys.Forget(s.now().Add(-revokedKept), func(ids []string) error {
		var rows []engine.Row
		for _, id := range ids {
			rows = append(rows, engine.Row{Key: keyRows + id}, engine.Row{Key: keyDayRows + id})
		}
		return s.engine.PutRows(ctx, rows)
	})
}

// saveKeyDays writes down the days of last uses that changed, in rows of their
// own, so that it never meets a change of a key.
func (s *Server) saveKeyDays(ctx context.Context) error {
	days := s.keys.Unsaved()
	if len(days) == 0 {
		return nil
	}
	var rows []engine.Row
	for id, day := range days {
		date := time.Unix(day*secondsPerDay, 0).UTC().Format(time.DateOnly)
		rows = append(rows, engine.Row{Key: keyDayRows + id, Value: []byte(date)})
	}
	if err := s.engine.PutRows(ctx, rows); err != nil {
		return err
	}
	s.keys.Saved(days)
	return nil
}

const secondsPerDay = 24 * 60 * 60

// loadKeyDays reads the days of last uses, in days since 1970, by the ids of
// keys.
func loadKeyDays(e Engine) (map[string]int64, error) {
	days := map[string]int64{}
	for row, err := range e.Rows(keyDayRows) {
		if err != nil {
			return nil, err
		}
		if day, err := time.Parse(time.DateOnly, string(row.Value)); err == nil {
			days[strings.TrimPrefix(row.Key, keyDayRows)] = day.Unix() / secondsPerDay
		}
	}
	return days, nil
}
