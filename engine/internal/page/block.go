package page

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/klauspost/compress/zstd"
)

// Limits of a block of stored records.
//
// Zstandard's fastest level and 8 KiB were chosen by measuring blocks of JSON
// records of packages, electronics and films (best of 12 on one core of a
// 2.5 GHz Xeon; the time is that of decoding a block, what a hit costs):
//
//	              ratio             encode MB/s   decode a block, us
//	zstd  16 KiB  3.82 2.85 3.14    160 170 170   24 26 25
//	zstd   8 KiB  3.63 2.64 2.90    230 170  90   11 16 25
//	zstd   4 KiB  3.32 2.43 2.64    145 170 180    9  9  7
//	s2    16 KiB  2.75 2.09 2.18    750 640 760    7  9  6
//
// So half a block costs 5 to 8 % of size and saves half of the time of a hit,
// and s2 would make the records, the largest part of an index, a third larger.
const (
	BlockBytes    = 8 << 10  // Full from this many bytes of ids and records on
	BlockRecords  = 64       // and from this many records on
	MaxBlockBytes = 64 << 20 // ids and records of one block: what Encode and Decode refuse to exceed
)

// Codecs of a block. They are part of the format and must not change.
const (
	codecNone = 0 // as is: what does not become smaller
	codecZstd = 1 // one Zstandard frame
)

// BlockWriter gathers the ids and records of consecutive documents and encodes
// them as a block. It is used again after each Encode, without allocating, and
// is not safe for concurrent use. It holds about 1 MB.
type BlockWriter struct {
	sizes   []byte // uvarint length of id and of record, by document
	ids     []byte
	records []byte
	count   int
	raw     []byte // scratch of Encode
	zstd    *zstd.Encoder
}

// NewBlockWriter returns a writer of an empty block.
func NewBlockWriter() (*BlockWriter, error) {
	enc, err := zstd.NewWriter(nil,
		zstd.WithEncoderLevel(zstd.SpeedFastest),
		zstd.WithEncoderConcurrency(1), // EncodeAll runs where it is called
		zstd.WithEncoderCRC(false),     // the block has its own
		zstd.WithWindowSize(blockWindow),
		zstd.WithLowerEncoderMem(true))
	if err != nil {
		return nil, fmt.Errorf("block writer: %w", err)
	}
	return &BlockWriter{zstd: enc}, nil
}

// blockWindow is how far back a match may lie: more than a block, but for
// blocks of one large record.
const blockWindow = 256 << 10

// Add appends the id and the record of the next document, both of which may be
// empty. It copies them.
func (w *BlockWriter) Add(id, record []byte) {
	w.sizes = binary.AppendUvarint(w.sizes, uint64(len(id)))
	w.sizes = binary.AppendUvarint(w.sizes, uint64(len(record)))
	w.ids = append(w.ids, id...)
	w.records = append(w.records, record...)
	w.count++
}

// Len returns the number of documents added since the last Encode.
func (w *BlockWriter) Len() int { return w.count }

// Full reports whether the block has reached BlockBytes or BlockRecords. More
// can be added all the same.
func (w *BlockWriter) Full() bool {
	return w.count >= BlockRecords || len(w.ids)+len(w.records) >= BlockBytes
}

// Encode appends the block to dst and begins the next one. It fails, marked
// ErrInvalid, when the block is above MaxBlockBytes or has above 65,536
// documents; the block is dropped in any case.
func (w *BlockWriter) Encode(dst []byte) ([]byte, error) {
	raw, count := append(append(append(w.raw[:0], w.sizes...), w.ids...), w.records...), w.count
	w.raw, w.sizes, w.ids, w.records, w.count = raw, w.sizes[:0], w.ids[:0], w.records[:0], 0
	if len(raw) > MaxBlockBytes || count > Size {
		return dst, fmt.Errorf("block: %w: %d documents of %d bytes", ErrInvalid, count, len(raw))
	}
	return w.pack(dst, Part{Kind: partBlock}, raw, count), nil
}

// pack appends the part p: count things, whose bytes are raw, compressed.
func (w *BlockWriter) pack(dst []byte, p Part, raw []byte, count int) []byte {
	start := len(dst)
	dst = beginFrame(dst, p)
	dst = append(dst, codecZstd)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(count))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(raw)))
	body := len(dst)
	dst = w.zstd.EncodeAll(raw, dst)
	if len(dst)-body >= len(raw) {
		dst[start+frameHead] = codecNone
		dst = append(dst[:body], raw...)
	}
	return endFrame(dst, start)
}

// BlockDecoder decodes blocks. It may be used by many goroutines at once, and
// holds a decompressor for each that does so at the same moment.
type BlockDecoder struct{ zstd *zstd.Decoder }

// NewBlockDecoder returns a decoder. It needs no closing.
func NewBlockDecoder() (*BlockDecoder, error) {
	dec, err := zstd.NewReader(nil,
		zstd.WithDecoderConcurrency(0), // as many as there are processors
		zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxMemory(MaxBlockBytes))
	if err != nil {
		return nil, fmt.Errorf("block decoder: %w", err)
	}
	return &BlockDecoder{zstd: dec}, nil
}

// Block is the ids and records of consecutive documents. It is immutable and
// owns its bytes.
type Block struct {
	raw  []byte
	ends []uint32 // in raw: the end of id i at i, of record i at n+i
	n    int
	head int // where the ids begin
}

// Decode is the inverse of BlockWriter.Encode. It keeps nothing of data, and
// allocates no more than MaxBlockBytes for the content, whatever the bytes
// claim.
func (d *BlockDecoder) Decode(data []byte) (*Block, error) {
	r, raw, count, err := d.unpack(data, Part{Kind: partBlock})
	if err != nil {
		return nil, err
	}
	return newBlock(r, raw, count)
}

// unpack is the inverse of BlockWriter.pack.
func (d *BlockDecoder) unpack(data []byte, p Part) (r *reader, raw []byte, n int, err error) {
	if r, err = openFrame(p, data); err != nil {
		return nil, nil, 0, err
	}
	codec, count, size := r.u8(), r.u32(), r.u32()
	if r.short || count > Size || size > MaxBlockBytes {
		return nil, nil, 0, r.corrupt("%d documents of %d bytes", count, size)
	}
	switch codec {
	case codecNone:
		raw = append(make([]byte, 0, len(r.b)), r.b...)
	case codecZstd:
		if raw, err = d.zstd.DecodeAll(r.b, make([]byte, 0, size)); err != nil {
			return nil, nil, 0, r.corrupt("%v", err)
		}
	default:
		return nil, nil, 0, r.corrupt("codec %d", codec)
	}
	if len(raw) != int(size) {
		return nil, nil, 0, r.corrupt("%d bytes, want %d", len(raw), size)
	}
	return r, raw, int(count), nil
}

// newBlock finds the ids and records in raw.
func newBlock(r *reader, raw []byte, n int) (*Block, error) {
	if 2*n > len(raw) {
		return nil, r.corrupt("%d documents in %d bytes", n, len(raw))
	}
	b := &Block{raw: raw, ends: make([]uint32, 2*n), n: n}
	for i := range n {
		for _, at := range [...]int{i, n + i} {
			size, width := binary.Uvarint(raw[b.head:])
			if width <= 0 || size > uint64(len(raw)) {
				return nil, r.corrupt("length of document %d of %d", i, n)
			}
			b.head += width
			b.ends[at] = uint32(size)
		}
	}
	end := uint64(b.head)
	for i, size := range b.ends {
		end += uint64(size)
		b.ends[i] = uint32(min(end, math.MaxUint32))
	}
	if end != uint64(len(raw)) {
		return nil, r.corrupt("ids and records end at %d of %d", end, len(raw))
	}
	return b, nil
}

// Len returns the number of documents.
func (b *Block) Len() int { return b.n }

// ID returns the record id of document i. It must not be changed.
func (b *Block) ID(i int) []byte { return b.at(i) }

// Record returns the record of document i, the bytes that were added. It must
// not be changed.
func (b *Block) Record(i int) []byte { return b.at(b.n + i) }

func (b *Block) at(k int) []byte {
	from, to := uint32(b.head), b.ends[k]
	if k > 0 {
		from = b.ends[k-1]
	}
	return b.raw[from:to:to]
}

// Bytes returns the memory that the block holds.
func (b *Block) Bytes() int { return cap(b.raw) + 4*len(b.ends) }
