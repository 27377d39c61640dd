package httpapi

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"math"
	"strings"
	"sync"

	"github.com/quarry-search/quarry/engine"
)

// A cursor is base64url of
//
//	kind      1 byte    what it pages through: one of the constants below
//	query     16 bytes  of the HMAC of everything that decides which hits there are and in which order
//	position  the rest  a signed 64-bit score, then strings and sort values, see position
//	signature 16 bytes  of the HMAC of all before
//
// with HMAC-SHA256 under a key that never leaves the engine's rows. The query's
// own HMAC is keyed, too: nobody can try queries against it.
const (
	cursorSearch     = 's'
	cursorIndexes    = 'i'
	cursorRecords    = 'r'
	cursorKeys       = 'k'
	cursorBatches    = 'b'
	cursorUsage      = 'u'
	cursorSnapshots  = 'n'
	cursorWebhooks   = 'w'
	cursorDeliveries = 'd'

	cursorMACLen = 16
	cursorKeyRow = "http/cursor-key"
)

// cursorSigner makes cursors and recognises its own.
type cursorSigner struct {
	key  []byte
	macs sync.Pool // of hash.Hash, keyed: keying one takes longer than using it
}

// openCursorSigner loads the signing key, or makes one.
func openCursorSigner(e Engine) (*cursorSigner, error) {
	key, err := e.Row(cursorKeyRow)
	if errors.Is(err, engine.ErrNotFound) {
		key = make([]byte, 32)
		rand.Read(key)
		err = e.PutRows(context.Background(), []engine.Row{{Key: cursorKeyRow, Value: key}})
		if errors.Is(err, engine.ErrReadOnly) {
			err = nil // cursors are good for as long as the process lives
		}
	}
	if err == nil && len(key) != 32 { // a short one could be guessed
		err = fmt.Errorf("%w: the key of the cursors", engine.ErrCorrupt)
	}
	return &cursorSigner{key: key}, err
}

func (c *cursorSigner) mac(purpose byte, data []byte) []byte {
	h, ok := c.macs.Get().(hash.Hash)
	if !ok {
		h = hmac.New(sha256.New, c.key)
	}
	h.Reset()
	h.Write([]byte{purpose})
	h.Write(data)
	sum := h.Sum(nil)
	c.macs.Put(h)
	return sum[:cursorMACLen]
}

// sign makes a cursor. query is whatever must be the same in the request for
// the next page.
func (c *cursorSigner) sign(kind byte, query, position []byte) string {
	b := append([]byte{kind}, c.mac('q', query)...)
	b = append(b, position...)
	return base64.RawURLEncoding.EncodeToString(append(b, c.mac('c', b)...))
}

var errCursor = errors.New("not a cursor of this request")

// verify returns the position of a cursor that sign made of the same kind and
// query.
func (c *cursorSigner) verify(cursor string, kind byte, query []byte) ([]byte, error) {
	b, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil || strings.ContainsAny(cursor, "\r\n") || len(b) < 1+2*cursorMACLen {
		return nil, errCursor
	}
	b, mac := b[:len(b)-cursorMACLen], b[len(b)-cursorMACLen:]
	if !hmac.Equal(mac, c.mac('c', b)) || b[0] != kind || !hmac.Equal(b[1:1+cursorMACLen], c.mac('q', query)) {
		return nil, errCursor
	}
	return b[1+cursorMACLen:], nil
}

// invalidCursor is the fault of any cursor that verify refuses.
const invalidCursor = "the cursor was not made by this service for this request"

// completeBit is set in the score of a position that is Complete. Scores are below 1<<62.
const completeBit = 1 << 63

// appendPosition writes a place in the order of hits: the score in 8 bytes,
// the index and the id as varint length and bytes, the number of sort values,
// and each of these as a byte that tells whether it is missing, 8 bytes of
// integer, 8 bytes of float, and a string. After that, where records are
// pinned, the hits before, the pinned ones among them, and a byte that tells
// whether these were all.
func appendPosition(b []byte, p *engine.Position) []byte {
	score := p.Score
	if p.Complete {
		score |= completeBit
	}
	b = binary.BigEndian.AppendUint64(b, score)
	b = appendString(b, p.Index)
	b = appendString(b, p.ID)
	b = binary.AppendUvarint(b, uint64(len(p.Sort)))
	for _, v := range p.Sort {
		var missing byte
		if v.Missing {
			missing = 1
		}
		b = append(b, missing)
		b = binary.BigEndian.AppendUint64(b, uint64(v.Int))
		b = binary.BigEndian.AppendUint64(b, math.Float64bits(v.Float))
		b = appendString(b, v.Str)
	}
	if p.Seen > 0 {
		b = binary.AppendUvarint(b, uint64(p.Seen))
		b = binary.AppendUvarint(b, uint64(p.Pinned))
		begin := byte(0)
		if p.Begin {
			begin = 1
		}
		b = append(b, begin)
	}
	return b
}

func appendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// readPosition reads what appendPosition wrote.
func readPosition(b []byte) (*engine.Position, error) {
	r := positionReader{b: b}
	score := r.uint64()
	p := &engine.Position{Score: score &^ completeBit, Complete: score&completeBit != 0, Index: r.string(), ID: r.string()}
	for n := r.uvarint(); n > 0 && !r.bad; n-- {
		p.Sort = append(p.Sort, engine.SortValue{
			Missing: r.byte() == 1,
			Int:     int64(r.uint64()),
			Float:   math.Float64frombits(r.uint64()),
			Str:     r.string(),
		})
	}
	if !r.bad && len(r.b) > 0 {
		p.Seen, p.Pinned, p.Begin = int(r.uvarint()), int(r.uvarint()), r.byte() == 1
	}
	if r.bad || len(r.b) > 0 {
		return nil, errCursor
	}
	return p, nil
}

// positionReader takes values off the front of its bytes; bad stays set once
// they do not suffice.
type positionReader struct {
	b   []byte
	bad bool
}

func (r *positionReader) take(n uint64) []byte {
	if r.bad || n > uint64(len(r.b)) {
		r.bad = true
		return nil
	}
	taken := r.b[:n]
	r.b = r.b[n:]
	return taken
}

func (r *positionReader) byte() byte {
	if b := r.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (r *positionReader) uint64() uint64 {
	if b := r.take(8); b != nil {
		return binary.BigEndian.Uint64(b)
	}
	return 0
}

func (r *positionReader) uvarint() uint64 {
	n, size := binary.Uvarint(r.b)
	if size <= 0 {
		r.bad = true
		return 0
	}
	r.take(uint64(size))
	return n
}

func (r *positionReader) string() string { return string(r.take(r.uvarint())) }
