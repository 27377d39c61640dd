package engine

import (
	"crypto/rand"
	"encoding/binary"
	"sync"
	"time"
)

// idSource makes ids for records that come without one: 26 characters that
// sort by the time of their making, as ULIDs do: 48 bits of milliseconds, then
// 80 random bits, which grow by one within a millisecond.
type idSource struct {
	now  func() time.Time
	mu   sync.Mutex
	last uint64 // milliseconds
	hi   uint16 // random part: 16 and
	lo   uint64 // 64 bits
}

func newIDSource(now func() time.Time) *idSource { return &idSource{now: now} }

// crockford is the alphabet of ULIDs: digits and capitals without I, L, O, U.
const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

func (s *idSource) next() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if ms := uint64(s.now().UnixMilli()); ms > s.last {
		var b [10]byte
		rand.Read(b[:])
		s.last, s.hi, s.lo = ms, binary.BigEndian.Uint16(b[:2])&0x7fff, binary.BigEndian.Uint64(b[2:])
	} else if s.lo++; s.lo == 0 {
		s.hi++
	}
	var out [26]byte
	ms := s.last
	for i := 9; i >= 0; i-- {
		out[i] = crockford[ms&31]
		ms >>= 5
	}
	hi, lo := s.hi, s.lo
	for i := 25; i >= 10; i-- {
		out[i] = crockford[lo&31]
		lo = lo>>5 | uint64(hi&31)<<59
		hi >>= 5
	}
	return string(out[:])
}
