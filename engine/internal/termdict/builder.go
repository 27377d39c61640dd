package termdict

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// Builder writes a dictionary. Add or AddLong the terms in ascending order of
// their keys, then Finish. It is not safe for concurrent use.
type Builder struct {
	put     func(ordinal uint32, block []byte) error
	block   blockWriter
	last    []byte
	any     bool
	firsts  keyTable // first key of each block
	longs   keyTable // key of each long term
	longDF  []uint32
	entries int
}

// NewBuilder returns a builder that hands each finished block to put, with
// ordinals 0, 1, 2 and so on. The block is only valid during the call.
func NewBuilder(put func(ordinal uint32, block []byte) error) *Builder {
	return &Builder{put: put}
}

// Fits tells whether a list of this many encoded bytes may be inline.
func Fits(inline int) bool { return inline <= maxInline }

// Add adds a term whose list, df documents, is inline.
func (b *Builder) Add(key []byte, df int, inline []byte) error {
	if !Fits(len(inline)) {
		return fmt.Errorf("termdict: inline list of %d bytes is larger than %d", len(inline), maxInline)
	}
	return b.add(key, Info{DF: df, Long: -1, Inline: inline}, len(inline))
}

// AddLong adds a term whose list lies elsewhere and returns the ordinal of the
// list: the number of long terms before it.
func (b *Builder) AddLong(key []byte, df int) (int, error) {
	ordinal := len(b.longDF)
	if err := b.add(key, Info{DF: df, Long: ordinal}, 0); err != nil {
		return 0, err
	}
	b.longs.add(key)
	b.longDF = append(b.longDF, uint32(df))
	return ordinal, nil
}

// add appends an entry and begins a new block where the old one is full.
func (b *Builder) add(key []byte, info Info, inline int) error {
	if len(key) == 0 || len(key) > maxKey || b.any && bytes.Compare(b.last, key) >= 0 || info.DF < 1 {
		return fmt.Errorf("termdict: a key of %d bytes with %d documents cannot follow the one before", len(key), info.DF)
	}
	if b.block.count > 0 && len(b.block.buf)+len(key)+inline > blockTarget {
		if err := b.flush(); err != nil {
			return err
		}
	}
	if b.block.count == 0 {
		b.firsts.add(key)
	}
	b.block.add(key, info)
	b.last, b.any = append(b.last[:0], key...), true
	b.entries++
	return nil
}

// flush hands out the block and begins the next.
func (b *Builder) flush() error {
	err := b.put(uint32(len(b.firsts.ends)-1), b.block.finish())
	b.block.reset()
	return err
}

// Finish hands out the last block and appends the index to dst: what Open
// reads.
func (b *Builder) Finish(dst []byte) ([]byte, error) {
	if b.block.count > 0 {
		if err := b.flush(); err != nil {
			return dst, err
		}
	}
	dst = binary.LittleEndian.AppendUint32(dst, uint32(b.entries))
	dst = b.firsts.append(dst)
	dst = b.longs.append(dst)
	for _, df := range b.longDF {
		dst = binary.LittleEndian.AppendUint32(dst, df)
	}
	return dst, nil
}

// Terms returns the number of terms added.
func (b *Builder) Terms() int { return b.entries }

// LongTerms returns the number of terms added with AddLong.
func (b *Builder) LongTerms() int { return len(b.longDF) }

// keyTable is a list of keys with the end of each in bytes.
type keyTable struct {
	bytes []byte
	ends  []uint32
}

func (t *keyTable) add(key []byte) {
	t.bytes = append(t.bytes, key...)
	t.ends = append(t.ends, uint32(len(t.bytes)))
}

// append writes the number of keys, their ends and their bytes.
func (t *keyTable) append(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(t.ends)))
	for _, e := range t.ends {
		dst = binary.LittleEndian.AppendUint32(dst, e)
	}
	return append(dst, t.bytes...)
}
