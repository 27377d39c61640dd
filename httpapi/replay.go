package httpapi

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/quarry-search/quarry/engine"
)

const (
	replayRows = "http/replay/"
	// replayTime is how long an Idempotency-Key is remembered.
	replayTime = 24 * time.Hour
	// maxIdempotencyKey is the length of the longest one, in bytes.
	maxIdempotencyKey = 255
)

// replayLog remembers the answers to batches that carried an Idempotency-Key,
// so that a client that did not see the answer can ask again. A row's key is
// the SHA-256 of API key and Idempotency-Key; its value is
//
//	expiry       8 bytes   seconds since 1970
//	fingerprint  32 bytes  SHA-256 of the request
//	id           30 bytes  of the batch
//	answer       the rest  JSON
//
// The row comes into being in the commit of the batch, and the answer is added
// when it is known. If the service ended in between, the batch's id and state
// are known, but not its counts.
type replayLog struct {
	engine Engine

	mu      sync.Mutex
	running map[string]bool // rows of requests under way
	expiry  []expiringRow   // oldest first
}

type expiringRow struct {
	key string
	at  int64
}

const replayHead = 8 + sha256.Size + len(batchPrefix) + 26

func openReplayLog(e Engine) (*replayLog, error) {
	l := &replayLog{engine: e, running: map[string]bool{}}
	for row, err := range e.Rows(replayRows) {
		if err != nil {
			return nil, err
		}
		if len(row.Value) < replayHead {
			continue
		}
		l.expiry = append(l.expiry, expiringRow{row.Key, int64(binary.BigEndian.Uint64(row.Value))})
	}
	slices.SortFunc(l.expiry, func(a, b expiringRow) int { return cmp.Compare(a.at, b.at) })
	return l, nil
}

// claim is the right to be the one request with an Idempotency-Key. The nil
// claim is that of a request without one.
type claim struct {
	log   *replayLog
	row   string
	value []byte // up to the id
	now   time.Time
}

// once runs do, unless the request carries an Idempotency-Key that was seen
// before: then the first answer is given again, or the reason why not.
func (l *replayLog) once(x *exchange, body []byte, now time.Time, do func(*claim) error) error {
	headers := x.r.Header["Idempotency-Key"]
	if len(headers) == 0 {
		return do(nil)
	}
	key, ok := idempotencyKey(headers)
	if !ok {
		return &problem{code: codeMalformedHeader, detail: "an Idempotency-Key is one text of 1 to 255 visible characters, in quotes or without"}
	}
	sum := sha256.Sum256([]byte(x.key.ID + "\x00" + key))
	c := &claim{log: l, row: replayRows + hex.EncodeToString(sum[:]), now: now}
	h := sha256.New()
	h.Write([]byte(x.media + "\x00" + x.r.URL.RawQuery + "\x00"))
	h.Write(body)
	c.value = binary.BigEndian.AppendUint64(nil, uint64(now.Add(replayTime).Unix()))
	c.value = h.Sum(c.value)

	l.mu.Lock()
	busy := l.running[c.row]
	l.running[c.row] = true
	l.mu.Unlock()
	if busy {
		return &problem{code: codeIdemInProgress, detail: "a request with this Idempotency-Key is under way"}
	}
	defer func() {
		l.mu.Lock()
		delete(l.running, c.row)
		l.mu.Unlock()
	}()
	earlier, err := l.engine.Row(c.row)
	switch {
	case errors.Is(err, engine.ErrNotFound):
		return do(c)
	case err != nil:
		return err
	case len(earlier) < replayHead || int64(binary.BigEndian.Uint64(earlier)) <= now.Unix():
		return do(c)
	case string(earlier[8:8+sha256.Size]) != string(c.value[8:]):
		return &problem{code: codeIdemReused, detail: "this Idempotency-Key was used for a request with other contents"}
	}
	id := string(earlier[8+sha256.Size : replayHead])
	answer := earlier[replayHead:]
	if len(answer) == 0 {
		answer = appendBatch(nil, &batchOutcome{id: id, state: "applied", atomic: true, createdAt: now, appliedAt: now})
	}
	x.w.Header().Set("Idempotency-Replayed", "true")
	x.w.Header().Set("Location", "/v1/batch/"+id)
	x.json(201, answer)
	return nil
}

// idempotencyKey takes the quotes off the header's value.
func idempotencyKey(headers []string) (string, bool) {
	key := strings.Trim(headers[0], " \t")
	if len(key) >= 2 && key[0] == '"' && key[len(key)-1] == '"' {
		key = key[1 : len(key)-1]
	}
	if len(headers) > 1 || key == "" || len(key) > maxIdempotencyKey {
		return "", false
	}
	for _, c := range []byte(key) {
		if c < 0x21 || c > 0x7e || c == '"' {
			return "", false
		}
	}
	return key, true
}

// marker returns the rows for the commit of a batch: the claim without its
// answer, and the end of claims that have expired.
func (c *claim) marker(out *batchOutcome) []engine.Row {
	if c == nil {
		return nil
	}
	rows := []engine.Row{{Key: c.row, Value: append(c.value[:len(c.value):len(c.value)], out.id...)}}
	return append(rows, c.log.expired(c.now)...)
}

// answered returns the row of the claim with its answer.
func (c *claim) answered(out *batchOutcome, answer []byte) []engine.Row {
	if c == nil {
		return nil
	}
	c.log.mu.Lock()
	c.log.expiry = append(c.log.expiry, expiringRow{c.row, c.now.Add(replayTime).Unix()})
	c.log.mu.Unlock()
	value := append(c.value[:len(c.value):len(c.value)], out.id...)
	return []engine.Row{{Key: c.row, Value: append(value, answer...)}}
}

// expired takes the rows whose time is over out of the list and returns their
// deletions. Should the commit fail that holds these, the next start of the
// service finds them again.
func (l *replayLog) expired(now time.Time) (rows []engine.Row) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.expiry) > 0 && l.expiry[0].at <= now.Unix() {
		if row := l.expiry[0].key; !l.running[row] {
			rows = append(rows, engine.Row{Key: row})
		}
		l.expiry = l.expiry[1:]
	}
	return rows
}
