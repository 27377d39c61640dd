package segment

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/termdict"
)

// ErrCorrupt marks errors about bytes that no Writer or Merge can have
// written. Test for it with errors.Is.
var ErrCorrupt = errors.New("corrupt segment")

// PartKind is a kind of part. The numbers are part of the format.
type PartKind uint8

const (
	PartMeta      PartKind = 0 // one, ordinal 0
	PartBlock     PartKind = 1 // a block of the dictionary
	PartList      PartKind = 2 // the list of a long term, without positions
	PartPositions PartKind = 3 // the positions of a long term in SpaceText, same ordinal as its list: these come first
)

// partKinds is how many kinds there are.
const partKinds = 4

// String returns the name of the kind.
func (k PartKind) String() string {
	if k < partKinds {
		return [partKinds]string{"meta", "block", "list", "positions"}[k]
	}
	return fmt.Sprintf("part kind %d", uint8(k))
}

// Source holds the parts of a segment. Part returns the bytes that a Sink was
// given; they must stay as they are for as long as anything read from the
// segment is in use. It returns an error if there is no such part. It is
// called concurrently.
type Source interface {
	Part(kind PartKind, ordinal uint32) ([]byte, error)
}

// Passer is a Source that keeps some parts at hand, and can also give a part without
// that: Pass is Part for a walk over all of them, which would push out what is asked
// for again.
type Passer interface {
	Source
	Pass(kind PartKind, ordinal uint32) ([]byte, error)
}

// Sink takes the parts of a segment as they are made: blocks, lists and
// positions each by ascending ordinal from 0, but interleaved with each other,
// and PartMeta last. A segment without its meta part is no segment, so whatever
// was put before an error can be thrown away. data is only valid during the
// call.
type Sink interface {
	Put(kind PartKind, ordinal uint32, data []byte) error
}

// Parts is a segment in memory: a Sink until it is complete, then an immutable
// Source.
type Parts struct {
	parts [partKinds][][]byte
	size  int
}

// Put adds a part; ordinals of a kind must come in order, from 0.
func (p *Parts) Put(kind PartKind, ordinal uint32, data []byte) error {
	if kind >= partKinds || int(ordinal) != len(p.parts[kind]) {
		return fmt.Errorf("segment: %v %d is out of order", kind, ordinal)
	}
	p.parts[kind] = append(p.parts[kind], slices.Clone(data))
	p.size += len(data)
	return nil
}

// Part implements Source.
func (p *Parts) Part(kind PartKind, ordinal uint32) ([]byte, error) {
	if kind >= partKinds || int(ordinal) >= len(p.parts[kind]) {
		return nil, fmt.Errorf("%w: no %v %d", ErrCorrupt, kind, ordinal)
	}
	return p.parts[kind][ordinal], nil
}

// Size returns the bytes of all parts together.
func (p *Parts) Size() int { return p.size }

// Each calls f with every part by ascending kind and ordinal, and stops at its
// first error. f must not change data.
func (p *Parts) Each(f func(kind PartKind, ordinal uint32, data []byte) error) error {
	for kind, parts := range p.parts {
		for ordinal, data := range parts {
			if err := f(PartKind(kind), uint32(ordinal), data); err != nil {
				return err
			}
		}
	}
	return nil
}

// sumSize is the length of the checksum in front of every part.
const sumSize = 4

// checksum is CRC-32C, which processors compute at memory speed.
func checksum(data []byte) uint32 { return crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli)) }

// seal writes the checksum of a part into its first bytes.
func seal(part []byte) {
	binary.LittleEndian.PutUint32(part, checksum(part[sumSize:]))
}

// body returns the contents of a part. verify compares the checksum, which
// reads all of it.
func body(part []byte, verify bool) ([]byte, error) {
	if len(part) < sumSize {
		return nil, fmt.Errorf("%w: %d bytes", ErrCorrupt, len(part))
	}
	if verify && binary.LittleEndian.Uint32(part) != checksum(part[sumSize:]) {
		return nil, fmt.Errorf("%w: checksum of %d bytes", ErrCorrupt, len(part))
	}
	return part[sumSize:], nil
}

// mark makes errors of the packages below answer to ErrCorrupt of this one.
func mark(err error) error {
	if err == nil || errors.Is(err, ErrCorrupt) {
		return err
	}
	if errors.Is(err, posting.ErrCorrupt) || errors.Is(err, termdict.ErrCorrupt) {
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return err
}
