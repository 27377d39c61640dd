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
//	id           30 bytes  of the batch, or whatever was made, filled up with zeros
//	answer       the rest  JSON, sealed if it holds a secret, see sealer
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
	seal *sealer
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
		return malformedIdempotencyKey()
	}
	sum := sha256.Sum256([]byte(x.key.ID + "\x00" + key))
	c := &claim{log: l, row: replayRows + hex.EncodeToString(sum[:]), now: now}
	bearer, _ := bearerOf(x.r.Header["Authorization"])
	c.seal = newSealer(bearer, key)
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
	id := strings.TrimRight(string(earlier[8+sha256.Size:replayHead]), "\x00")
	answer := earlier[replayHead:]
	if len(answer) > 0 && answer[0] == sealedMark {
		var ok bool
		if answer, ok = c.seal.open(answer, c.row); !ok {
			return &problem{code: codeIdemReused, detail: "the answer to this Idempotency-Key holds a secret; only the text of the API key that first got it gets it again"}
		}
	}
	x.w.Header().Set("Idempotency-Replayed", "true")
	if answerState(answer) == stateQueued {
		x.applied(preferAsync)
	}
	x.w.Header().Set("Location", x.route.pattern+"/"+id)
	x.json(201, answer)
	return nil
}

func malformedIdempotencyKey() *problem {
	return &problem{code: codeMalformedHeader, detail: "an Idempotency-Key is one text of 1 to 255 characters of ASCII, in quotes, or without them if it has neither spaces nor quotes"}
}

// idempotencyKey reads the header's value: a String of RFC 9651, of which it does
// not look at parameters, or visible characters without quotes.
func idempotencyKey(headers []string) (string, bool) {
	value := strings.Trim(headers[0], " \t")
	rest, quoted := strings.CutPrefix(value, `"`)
	least := byte(0x21)
	if quoted {
		least = ' '
	}
	var key []byte
	for i := 0; i < len(rest); i++ {
		c := rest[i]
		if c == '"' {
			after := rest[i+1:]
			if !quoted || after != "" && after[0] != ';' {
				return "", false
			}
			rest, quoted = "", false // the end of the loop, and of the text
			continue
		}
		if quoted && c == '\\' {
			if i++; i == len(rest) || rest[i] != '"' && rest[i] != '\\' {
				return "", false
			}
			c = rest[i]
		}
		if c < least || c > 0x7e {
			return "", false
		}
		key = append(key, c)
	}
	return string(key), !quoted && len(headers) == 1 && len(key) > 0 && len(key) <= maxIdempotencyKey
}

// sealed is answered for an answer that holds a secret.
func (c *claim) sealed(id string, answer []byte) (rows []engine.Row) {
	if c == nil {
		return nil
	}
	return c.answered(id, c.seal.seal(answer, c.row))
}

// answered returns the rows that delete the answers whose time is over and
// write the claim's own down, with the id of what was made. They belong into the
// commit of that; should it fail, undo must be called with them. An answer may follow an older one
// under the same key: answered is called in the order of commits, so that no
// later one deletes it in the belief that it is the old one.
func (c *claim) answered(id string, answer []byte) (rows []engine.Row) {
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
	return append(rows, engine.Row{Key: c.row, Value: slices.Concat(c.head, []byte(id), make([]byte, replayHead-len(c.head)-len(id)), answer)})
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
