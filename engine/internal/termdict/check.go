package termdict

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// Check reads the whole dictionary and verifies the order of all keys, the
// restart points, and that blocks, index and long-term directory agree. It
// calls visit with every term in ascending order and stops at its first
// error. Its own errors are marked ErrCorrupt; key is valid during the call.
func (d *Dict) Check(visit func(key []byte, info Info) error) error {
	var last []byte
	terms, longs := 0, 0
	for i := range d.Blocks() {
		b, err := load(i, d.block)
		if err != nil {
			return err
		}
		e := entry{left: b.count}
		for n := 0; e.left > 0; n++ {
			at := e.next
			if err := b.read(&e); err != nil {
				return fmt.Errorf("block %d: %w", i, err)
			}
			if n%restartInterval == 0 {
				r := n / restartInterval
				if key, err := b.restartKey(r); err != nil || !bytes.Equal(key, e.key) || int(binary.LittleEndian.Uint16(b.restarts[2*r:])) != at {
					return fmt.Errorf("%w: block %d: restart point %d", ErrCorrupt, i, r)
				}
			}
			if terms > 0 && bytes.Compare(last, e.key) >= 0 || n == 0 && !bytes.Equal(d.firsts.at(i), e.key) {
				return fmt.Errorf("%w: block %d: the keys are not in order at entry %d", ErrCorrupt, i, n)
			}
			if e.info.Long >= 0 {
				if e.info.Long != longs || longs >= d.longs.len() || !bytes.Equal(d.longs.at(longs), e.key) || d.longInfo(longs).DF != e.info.DF {
					return fmt.Errorf("%w: block %d: the long term of entry %d is not that of the directory", ErrCorrupt, i, n)
				}
				longs++
			}
			if err := visit(e.key, e.info); err != nil {
				return fmt.Errorf("block %d: entry %d: %w", i, n, err)
			}
			last = append(last[:0], e.key...)
			terms++
		}
		if e.next != len(b.entries) {
			return fmt.Errorf("%w: block %d: bytes after the last entry", ErrCorrupt, i)
		}
	}
	if terms != d.terms || longs != d.longs.len() {
		return fmt.Errorf("%w: %d terms, %d of them long, want %d and %d", ErrCorrupt, terms, longs, d.terms, d.longs.len())
	}
	return nil
}
