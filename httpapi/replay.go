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

// replayLog remembers the answers to requests that carried an Idempotency-Key,
// so that a client that did not see the answer can ask again. A row's key is
// the SHA-256 of API key and Idempotency-Key; its value is
//
//	expiry       8 bytes   seconds since 1970
//	fingerprint  32 bytes  SHA-256 of the request
//	id           30 bytes  of the batch, or whatever was made
//	answer       the rest  JSON
//
// The row is written by the commit of what the request is about.
type replayLog struct {
	engine Engine

	mu      sync.Mutex
	running map[string]bool // rows of requests under way
	expiry  []expiringRow   // by their times; one for each row
}

type expiringRow struct {
	key string
	at  int64 // seconds since 1970
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
	log  *replayLog
	row  string
	head []byte // of the row's value, up to the id
	now  time.Time
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
	h.Write([]byte(x.route.pattern + "\x00" + x.media + "\x00" + x.r.URL.RawQuery + "\x00"))
	h.Write(body)
	c.head = binary.BigEndian.AppendUint64(nil, uint64(now.Add(replayTime).Unix()))
	c.head = h.Sum(c.head)

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
	case string(earlier[8:8+sha256.Size]) != string(c.head[8:]):
		return &problem{code: codeIdemReused, detail: "this Idempotency-Key was used for a request with other contents"}
	}
	x.w.Header().Set("Idempotency-Replayed", "true")
	if answerState(earlier[replayHead:]) == stateQueued {
		x.applied(preferAsync)
	}
	id := string(earlier[8+sha256.Size : replayHead])
	x.w.Header().Set("Location", x.route.pattern+"/"+id)
	x.json(201, earlier[replayHead:])
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

// answered returns the rows that delete the answers whose time is over and
// write the claim's own down. They belong into the commit of the batch; should
// it fail, undo must be called with them. An answer may follow an older one
// under the same key: answered is called in the order of commits, so that no
// later one deletes it in the belief that it is the old one.
func (c *claim) answered(batchID string, answer []byte) (rows []engine.Row) {
	if c == nil {
		return nil
	}
	l := c.log
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.expiry) > 0 && l.expiry[0].at <= c.now.Unix() {
		rows = append(rows, engine.Row{Key: l.expiry[0].key})
		l.expiry = l.expiry[1:]
	}
	at := c.now.Add(replayTime).Unix()
	i, _ := slices.BinarySearchFunc(l.expiry, at, func(r expiringRow, at int64) int { return cmp.Compare(r.at, at) })
	l.expiry = slices.Insert(l.expiry, i, expiringRow{c.row, at})
	return append(rows, engine.Row{Key: c.row, Value: slices.Concat(c.head, []byte(batchID), answer)})
}

// undo takes back what answered did besides returning rows; nil stands for an
// answered that was never called. Rows that another commit has written since
// are left to that one.
func (c *claim) undo(rows []engine.Row) {
	if rows == nil {
		return
	}
	l := c.log
	l.mu.Lock()
	defer l.mu.Unlock()
	l.expiry = slices.DeleteFunc(l.expiry, func(r expiringRow) bool { return r.key == c.row })
	if len(rows) == 1 {
		return
	}
	known := map[string]bool{}
	for _, r := range l.expiry {
		known[r.key] = true
	}
	var over []expiringRow
	for _, row := range rows[:len(rows)-1] {
		if !known[row.Key] {
			over = append(over, expiringRow{key: row.Key})
		}
	}
	l.expiry = append(over, l.expiry...)
}
