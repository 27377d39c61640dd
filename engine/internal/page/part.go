package page

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"strconv"
)

// PartKind says what an encoded part holds.
type PartKind uint8

// The kinds of parts of a chunk. They are part of the format and must not
// change.
const (
	PartSummary  PartKind = 1  // what the chunk has; the one part that Open reads
	PartIDs      PartKind = 2  // record ids; of chunks in memory, and those of version 1
	PartNorms    PartKind = 3  // norms of one text field
	PartAllNorms PartKind = 4  // norms of the sum of all text fields
	PartColumn   PartKind = 5  // values of one field
	PartIDBlock  PartKind = 9  // record ids of a block of documents
	PartSymbols  PartKind = 10 // what the blocks of ids are packed by

	partDead   PartKind = 6 // Dead.Encode
	partBlock  PartKind = 7 // BlockWriter.Encode
	partFilter PartKind = 8 // IDFilter.MarshalParts
)

// String returns the kind's name, such as "column".
func (k PartKind) String() string {
	names := [...]string{"none", "summary", "ids", "norms", "all norms", "column", "tombstones", "block", "id filter", "ids of block", "symbols"}
	if int(k) < len(names) {
		return names[k]
	}
	return "PartKind(" + strconv.Itoa(int(k)) + ")"
}

// Part names a part of a chunk. Field is the ordinal of the text field of
// PartNorms, the field of PartColumn, the number of a PartIDBlock, and 0 for the
// other kinds.
type Part struct {
	Kind  PartKind
	Field uint16
}

// String returns the part's name in error messages, such as "column 3".
func (p Part) String() string {
	if p.Kind == PartNorms || p.Kind == PartColumn || p.Kind == PartIDBlock {
		return p.Kind.String() + " " + strconv.Itoa(int(p.Field))
	}
	return p.Kind.String()
}

// Source gives a chunk the bytes that Encode put, on demand.
//
// Part returns nil, nil for a part that is not there. The bytes must never
// change and stay valid as long as anything read from the chunk is in use:
// parts are not copied. Part is called by many goroutines at once.
type Source interface {
	Part(p Part) ([]byte, error)
}

const (
	frameHead = 4 // version, kind, field
	frameTail = 4 // CRC-32C
)

func castagnoli(b []byte) uint32 {
	// MakeTable returns the package's one Castagnoli table; it builds nothing.
	return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli))
}

// newest is the version byte of parts of this kind that are written now.
func (p Part) newest() byte {
	if p.Kind == PartSummary {
		return symbolVersion
	}
	return 1
}

// beginFrame appends the head of a part.
func beginFrame(dst []byte, p Part) []byte {
	dst = append(dst, p.newest(), byte(p.Kind))
	return binary.LittleEndian.AppendUint16(dst, p.Field)
}

// endFrame appends the checksum of the frame that begins at start.
func endFrame(dst []byte, start int) []byte {
	return binary.LittleEndian.AppendUint32(dst, castagnoli(dst[start:]))
}

// openFrame checks head and sum of an encoded part and returns a reader of
// what is between them.
func openFrame(p Part, data []byte) (*reader, error) {
	if len(data) < frameHead+frameTail {
		return nil, corrupt(p, "%d bytes are too few", len(data))
	}
	if data[0] == 0 || data[0] > p.newest() {
		return nil, corrupt(p, "version %d, want %d", data[0], p.newest())
	}
	if got := (Part{PartKind(data[1]), binary.LittleEndian.Uint16(data[2:])}); got != p {
		return nil, corrupt(p, "bytes are those of %v", got)
	}
	body := data[:len(data)-frameTail]
	if got, want := castagnoli(body), binary.LittleEndian.Uint32(data[len(body):]); got != want {
		return nil, corrupt(p, "checksum %08x, want %08x", got, want)
	}
	return &reader{part: p, version: data[0], b: body[frameHead:]}, nil
}

func corrupt(p Part, format string, args ...any) error {
	return fmt.Errorf("%v: %w: %s", p, ErrCorrupt, fmt.Sprintf(format, args...))
}

// reader takes fixed-width fields off the front of a part. The first field
// that does not fit makes it short, and all later fields are zero; decoders
// look at short once, after the fields that must be there.
type reader struct {
	part    Part
	version byte
	b       []byte
	short   bool
}

// take returns the next n bytes, or nil when there are fewer.
func (r *reader) take(n int) []byte {
	if r.short || n < 0 || n > len(r.b) {
		r.short = true
		return nil
	}
	b := r.b[:n:n]
	r.b = r.b[n:]
	return b
}

func (r *reader) u8() byte {
	if b := r.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (r *reader) u16() uint16 {
	if b := r.take(2); b != nil {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}

func (r *reader) u32() uint32 {
	if b := r.take(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (r *reader) u64() uint64 {
	if b := r.take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// end returns an error unless the part was read exactly to its end.
func (r *reader) end() error {
	if r.short {
		return r.corrupt("cut short")
	}
	if len(r.b) > 0 {
		return r.corrupt("%d bytes too many", len(r.b))
	}
	return nil
}

func (r *reader) corrupt(format string, args ...any) error {
	return corrupt(r.part, format, args...)
}
