package termdict

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// Part of the format.
const (
	blockTarget     = 8 << 10 // bytes after which a block takes no further entry
	restartInterval = 16      // entries from one full key to the next
	maxKey          = 1 << 15 // bytes of the longest key
	maxInline       = 4 << 10 // bytes of the longest inline list; keeps offsets in a block below 1<<16
)

// Info is what the dictionary knows of a term.
type Info struct {
	DF     int    // documents in the term's list
	Long   int    // ordinal of its list in the long-term directory; -1 if the list is inline
	Inline []byte // the inline list
}

// blockWriter collects the entries of one block.
type blockWriter struct {
	buf      []byte
	restarts []uint16
	last     []byte // key of the last entry
	count    int
}

// add appends an entry. Long lists have their ordinal in place of bytes.
func (w *blockWriter) add(key []byte, info Info) {
	shared := 0
	if w.count%restartInterval == 0 {
		w.restarts = append(w.restarts, uint16(len(w.buf)))
	} else {
		shared = commonPrefix(w.last, key)
	}
	w.buf = binary.AppendUvarint(w.buf, uint64(shared))
	w.buf = binary.AppendUvarint(w.buf, uint64(len(key)-shared))
	w.buf = append(w.buf, key[shared:]...)
	if info.Long >= 0 {
		w.buf = binary.AppendUvarint(w.buf, uint64(info.DF)<<1|1)
		w.buf = binary.AppendUvarint(w.buf, uint64(info.Long))
	} else {
		w.buf = binary.AppendUvarint(w.buf, uint64(info.DF)<<1)
		w.buf = binary.AppendUvarint(w.buf, uint64(len(info.Inline)))
		w.buf = append(w.buf, info.Inline...)
	}
	w.last = append(w.last[:0], key...)
	w.count++
}

// finish appends the restart points and returns the block, which is the
// writer's until reset.
func (w *blockWriter) finish() []byte {
	for _, r := range w.restarts {
		w.buf = binary.LittleEndian.AppendUint16(w.buf, r)
	}
	w.buf = binary.LittleEndian.AppendUint16(w.buf, uint16(w.count))
	return w.buf
}

// reset begins a new block.
func (w *blockWriter) reset() {
	w.buf, w.restarts, w.last, w.count = w.buf[:0], w.restarts[:0], w.last[:0], 0
}

// block is a block being read. It never panics on wrong bytes.
type block struct {
	entries  []byte
	restarts []byte // u16 each
	count    int
}

// parseBlock splits a block into its parts and checks their lengths.
func parseBlock(data []byte) (block, error) {
	if len(data) < 2 {
		return block{}, fmt.Errorf("%w: block of %d bytes", ErrCorrupt, len(data))
	}
	count := int(binary.LittleEndian.Uint16(data[len(data)-2:]))
	size := (count + restartInterval - 1) / restartInterval * 2
	if count == 0 || size > len(data)-2 {
		return block{}, fmt.Errorf("%w: block of %d bytes with %d entries", ErrCorrupt, len(data), count)
	}
	split := len(data) - 2 - size
	return block{entries: data[:split:split], restarts: data[split : len(data)-2], count: count}, nil
}

// entry is the position of a reader in a block.
type entry struct {
	key  []byte // owned by the reader, extended in place
	info Info
	next int // offset of the entry after this one
	left int // entries after this one
}

// read reads the entry at e.next into e. e.key must be the key of the entry
// before, and is ignored at a restart point.
func (b *block) read(e *entry) error {
	data := b.entries[min(e.next, len(b.entries)):]
	var v [4]uint64
	at := 0
	for i := range v {
		n := 1
		if at < len(data) && data[at] < 0x80 {
			v[i] = uint64(data[at])
		} else if v[i], n = binary.Uvarint(data[at:]); n <= 0 {
			return fmt.Errorf("%w: entry at byte %d of a block", ErrCorrupt, e.next)
		}
		at += n
		if i != 1 {
			continue
		}
		shared, size := v[0], v[1]
		if shared > uint64(len(e.key)) || size > uint64(len(data)-at) || shared+size > maxKey {
			return fmt.Errorf("%w: key at byte %d of a block", ErrCorrupt, e.next)
		}
		e.key = append(e.key[:shared], data[at:at+int(size)]...)
		at += int(size)
	}
	df := v[2] >> 1
	if df == 0 || df > 1<<32-1 {
		return fmt.Errorf("%w: entry at byte %d of a block: %d documents", ErrCorrupt, e.next, df)
	}
	e.info = Info{DF: int(df), Long: -1}
	if v[2]&1 != 0 {
		if v[3] > 1<<32-1 {
			return fmt.Errorf("%w: entry at byte %d of a block: list %d", ErrCorrupt, e.next, v[3])
		}
		e.info.Long = int(v[3])
	} else {
		if v[3] > uint64(len(data)-at) {
			return fmt.Errorf("%w: list at byte %d of a block is cut off", ErrCorrupt, e.next)
		}
		e.info.Inline = data[at : at+int(v[3]) : at+int(v[3])]
		at += int(v[3])
	}
	e.next += at
	e.left--
	return nil
}

// restartKey returns the full key at a restart point.
func (b *block) restartKey(i int) ([]byte, error) {
	e := int(binary.LittleEndian.Uint16(b.restarts[2*i:]))
	data := b.entries[min(e, len(b.entries)):]
	if len(data) == 0 || data[0] != 0 {
		return nil, fmt.Errorf("%w: restart point %d of a block", ErrCorrupt, i)
	}
	size, n := binary.Uvarint(data[1:])
	if n <= 0 || size > uint64(len(data)-1-n) {
		return nil, fmt.Errorf("%w: key at restart point %d of a block", ErrCorrupt, i)
	}
	return data[1+n : 1+n+int(size)], nil
}

// seek moves e to the first entry whose key is not below key. It returns false
// if every key is. Only key, info, next and left of e are set.
func (b *block) seek(key []byte, e *entry) (bool, error) {
	lo, hi := 0, len(b.restarts)/2 // the last restart point with a key <= key is in [lo-1, hi)
	for lo < hi {
		h := (lo + hi) / 2
		k, err := b.restartKey(h)
		if err != nil {
			return false, err
		}
		if bytes.Compare(k, key) <= 0 {
			lo = h + 1
		} else {
			hi = h
		}
	}
	start := max(lo-1, 0)
	e.key = e.key[:0]
	e.next = int(binary.LittleEndian.Uint16(b.restarts[2*start:]))
	e.left = b.count - start*restartInterval
	for e.left > 0 {
		if err := b.read(e); err != nil {
			return false, err
		}
		if bytes.Compare(e.key, key) >= 0 {
			return true, nil
		}
	}
	return false, nil
}

// commonPrefix returns the length of the longest common prefix.
func commonPrefix(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}
