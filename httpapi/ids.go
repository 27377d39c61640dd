package httpapi

import (
	"crypto/rand"
	"encoding/binary"
	"time"
	"unicode/utf8"
)

// crockford is the alphabet of ids: digits and capitals without I, L, O and U,
// in the order of their bytes, so that ids sort as the numbers they stand for.
const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// newID returns prefix followed by 26 characters: 48 bits of milliseconds
// since 1970, then 80 random bits. Ids of later milliseconds sort after those
// of earlier ones.
func newID(prefix string, now time.Time) string {
	var b [16]byte
	rand.Read(b[6:]) // never fails, see crypto/rand
	binary.BigEndian.PutUint16(b[0:], uint16(now.UnixMilli()>>32))
	binary.BigEndian.PutUint32(b[2:], uint32(now.UnixMilli()))
	id := append(make([]byte, 0, len(prefix)+26), prefix...)
	hi, lo := binary.BigEndian.Uint64(b[:8]), binary.BigEndian.Uint64(b[8:])
	for shift := 125; shift >= 0; shift -= 5 {
		var five uint64
		switch {
		case shift >= 64:
			five = hi >> (shift - 64)
		case shift > 59: // the five bits lie in both words
			five = hi<<(64-shift) | lo>>shift
		default:
			five = lo >> shift
		}
		id = append(id, crockford[five&31])
	}
	return string(id)
}

// maxRecordID is the length of the longest record id, in bytes.
const maxRecordID = 512

// checkRecordID says what is wrong with a record id, in words that go on after
// "a record id"; "" means nothing.
func checkRecordID(id string) string {
	switch {
	case id == "":
		return "is not empty"
	case len(id) > maxRecordID:
		return "has at most 512 bytes"
	case id == "." || id == "..":
		return `is neither "." nor ".."`
	case !utf8.ValidString(id):
		return "is valid UTF-8"
	}
	for _, r := range id {
		if r < 0x20 || r >= 0x7f && r < 0xa0 {
			return "has no control characters"
		}
	}
	return ""
}
