package storage

import (
	"encoding/binary"
	"fmt"
	"math"
)

// The whole key space. Every number is big endian, so that the order of the
// encoded keys is the order of their parts from left to right, and a scan of a
// range meets its entries in that order.
//
//	0x00 'f'                                           the engine's format and counters
//	0x01 <name>                                        catalogue entry of the index <name>
//	0x02 <row key>                                     row of the application: API keys, usage,
//	                                                   webhooks, idempotency; opaque to the engine
//	0x10 <index u32> 0x01                              manifest
//	0x10 <index u32> 0x02                              schema
//	0x10 <index u32> 0x03 <seq u64>                    batch log entry, kept until the batch is flushed
//	0x10 <index u32> 0x04 <record id>                  record id -> document number
//	0x10 <index u32> 0x05 <doc u32>                    stored block whose first document is doc
//	0x10 <index u32> 0x07 <page u16>                   tombstones of a page
//	0x10 <index u32> 0x08 <segment u32> <part u8> <ordinal u32>
//	                                                   part of a segment
//	0x10 <index u32> 0x09 <part u16>                   part of the id filter
//	0x10 <index u32> 0x0a <model u32> <part u8> <ordinal u32>
//	                                                   part of the vectors of a model
//	0x10 <index u32> 0x0b <field u16> <doc u32>        vectors of a field, of doc and those after it
//
// Names, row keys and record ids end their key, so they need no length and no
// escaping, and may hold any bytes. As a worked example, the stored block of
// index 7 that begins with document 65536 has the key
//
//	10 00000007 05 00010000
//
// Ranges are half open: lo is the first key that belongs, hi the first one
// after lo that does not. The numbers in these bytes are written to disk and
// change only together with [FormatVersion].
const (
	spaceMeta    = 0x00
	spaceCatalog = 0x01
	spaceRow     = 0x02
	spaceIndex   = 0x10

	kindManifest   = 0x01
	kindSchema     = 0x02
	kindBatchLog   = 0x03
	kindID         = 0x04
	kindBlock      = 0x05
	kindTombstones = 0x07
	kindSegment    = 0x08
	kindIDFilter   = 0x09
	kindVectors    = 0x0a
	kindFieldRun   = 0x0b

	// indexPrefixLen is the length of 0x10 <index u32>, kindLen the length of
	// the same followed by the byte that names the kind of the entry.
	indexPrefixLen = 5
	kindLen        = indexPrefixLen + 1
)

// MetaKey is the key of the engine's format and counters.
func MetaKey() []byte { return []byte{spaceMeta, 'f'} }

// CatalogKey is the key of the catalogue entry of the index called name.
func CatalogKey(name string) []byte {
	return append([]byte{spaceCatalog}, name...)
}

// ParseCatalogKey returns the name in a key made by [CatalogKey], or an error
// marked [ErrCorrupt] for any other key.
func ParseCatalogKey(key []byte) (name string, err error) {
	if len(key) < 1 || key[0] != spaceCatalog {
		return "", badKey("catalogue", key)
	}
	return string(key[1:]), nil
}

// CatalogRange covers the catalogue: one entry for each index, by name.
func CatalogRange() (lo, hi []byte) {
	return []byte{spaceCatalog}, []byte{spaceCatalog + 1}
}

// RowKey is the key of the application's row called row.
func RowKey(row []byte) []byte {
	return append([]byte{spaceRow}, row...)
}

// ParseRowKey returns the row key in a key made by [RowKey], or an error
// marked [ErrCorrupt] for any other key. The result is a part of key.
func ParseRowKey(key []byte) (row []byte, err error) {
	if len(key) < 1 || key[0] != spaceRow {
		return nil, badKey("row", key)
	}
	return key[1:], nil
}

// RowRange covers the application's rows whose row keys begin with prefix;
// an empty prefix stands for all of them.
func RowRange(prefix []byte) (lo, hi []byte) {
	return prefixRange(RowKey(prefix))
}

// IndexPrefix is what all keys of the index ix begin with.
func IndexPrefix(ix uint32) []byte {
	return binary.BigEndian.AppendUint32([]byte{spaceIndex}, ix)
}

// ParseIndex returns the index that a key below [IndexPrefix] belongs to, or
// an error marked [ErrCorrupt] for any other key.
func ParseIndex(key []byte) (ix uint32, err error) {
	if len(key) < indexPrefixLen || key[0] != spaceIndex {
		return 0, badKey("index", key)
	}
	return binary.BigEndian.Uint32(key[1:]), nil
}

// IndexRange covers everything of the index ix except its catalogue entry.
func IndexRange(ix uint32) (lo, hi []byte) {
	return prefixRange(IndexPrefix(ix))
}

// ManifestKey is the key of the manifest of the index ix.
func ManifestKey(ix uint32) []byte { return indexKey(ix, kindManifest, 0) }

// SchemaKey is the key of the schema of the index ix.
func SchemaKey(ix uint32) []byte { return indexKey(ix, kindSchema, 0) }

// BatchLogKey is the key of the batch with the sequence number seq in the
// batch log of the index ix.
func BatchLogKey(ix uint32, seq uint64) []byte {
	return binary.BigEndian.AppendUint64(indexKey(ix, kindBatchLog, 8), seq)
}

// ParseBatchLogKey returns the parts of a key made by [BatchLogKey], or an
// error marked [ErrCorrupt] for any other key.
func ParseBatchLogKey(key []byte) (ix uint32, seq uint64, err error) {
	ix, rest, err := parseKind("batch log", kindBatchLog, key, 8)
	if err != nil {
		return 0, 0, err
	}
	return ix, binary.BigEndian.Uint64(rest), nil
}

// BatchLogRange covers the batches of the index ix with fromSeq <= seq <
// toSeq. A toSeq of [math.MaxUint64] stands for no upper bound.
func BatchLogRange(ix uint32, fromSeq, toSeq uint64) (lo, hi []byte) {
	lo = BatchLogKey(ix, fromSeq)
	if toSeq == math.MaxUint64 {
		return lo, indexKey(ix, kindBatchLog+1, 0)
	}
	return lo, BatchLogKey(ix, toSeq)
}

// IDKey is the key of the document number of the record id in the index ix.
func IDKey(ix uint32, id string) []byte {
	return AppendIDKey(make([]byte, 0, kindLen+len(id)), ix, id)
}

// AppendIDKey appends [IDKey] of the same arguments to dst and returns it. It
// lets a loop over many records reuse one buffer.
func AppendIDKey(dst []byte, ix uint32, id string) []byte {
	dst = binary.BigEndian.AppendUint32(append(dst, spaceIndex), ix)
	return append(append(dst, kindID), id...)
}

// ParseIDKey returns the parts of a key made by [IDKey], or an error marked
// [ErrCorrupt] for any other key.
func ParseIDKey(key []byte) (ix uint32, id string, err error) {
	if !hasKind(key, kindID) {
		return 0, "", badKey("record id", key)
	}
	return binary.BigEndian.Uint32(key[1:]), string(key[kindLen:]), nil
}

// IDRange covers the document numbers of all record ids of the index ix.
func IDRange(ix uint32) (lo, hi []byte) { return kindRange(ix, kindID) }

// BlockKey is the key of the block of stored documents of the index ix whose
// first document is doc.
func BlockKey(ix, doc uint32) []byte {
	return binary.BigEndian.AppendUint32(indexKey(ix, kindBlock, 4), doc)
}

// ParseBlockKey returns the parts of a key made by [BlockKey], or an error
// marked [ErrCorrupt] for any other key.
func ParseBlockKey(key []byte) (ix, doc uint32, err error) {
	ix, rest, err := parseKind("stored block", kindBlock, key, 4)
	if err != nil {
		return 0, 0, err
	}
	return ix, binary.BigEndian.Uint32(rest), nil
}

// BlockRange covers the stored blocks of the index ix whose first document
// doc satisfies fromDoc <= doc < toDoc. A toDoc of [math.MaxUint32] stands
// for no upper bound. The block that holds a document often begins before it:
// find that one with [Iterator.SeekLT] of the key after the document's.
func BlockRange(ix, fromDoc, toDoc uint32) (lo, hi []byte) {
	lo = BlockKey(ix, fromDoc)
	if toDoc == math.MaxUint32 {
		return lo, indexKey(ix, kindBlock+1, 0)
	}
	return lo, BlockKey(ix, toDoc)
}

// TombstoneKey is the key of the tombstones of one page of the index ix.
func TombstoneKey(ix uint32, page uint16) []byte {
	return binary.BigEndian.AppendUint16(indexKey(ix, kindTombstones, 2), page)
}

// ParseTombstoneKey returns the parts of a key made by [TombstoneKey], or an
// error marked [ErrCorrupt] for any other key.
func ParseTombstoneKey(key []byte) (ix uint32, page uint16, err error) {
	ix, rest, err := parseKind("tombstone", kindTombstones, key, 2)
	if err != nil {
		return 0, 0, err
	}
	return ix, binary.BigEndian.Uint16(rest), nil
}

// TombstoneRange covers the tombstones of all pages of the index ix.
func TombstoneRange(ix uint32) (lo, hi []byte) { return kindRange(ix, kindTombstones) }

// SegmentKey is the key of one part of a segment of the index ix: what part
// means, and what ordinal counts, is the engine's.
func SegmentKey(ix, segment uint32, part uint8, ordinal uint32) []byte {
	key := binary.BigEndian.AppendUint32(indexKey(ix, kindSegment, 9), segment)
	return binary.BigEndian.AppendUint32(append(key, part), ordinal)
}

// ParseSegmentKey returns the parts of a key made by [SegmentKey], or an error
// marked [ErrCorrupt] for any other key.
func ParseSegmentKey(key []byte) (ix, segment uint32, part uint8, ordinal uint32, err error) {
	ix, rest, err := parseKind("segment", kindSegment, key, 9)
	if err != nil {
		return 0, 0, 0, 0, err
	}
	return ix, binary.BigEndian.Uint32(rest), rest[4], binary.BigEndian.Uint32(rest[5:]), nil
}

// SegmentRange covers all parts of one segment of the index ix.
func SegmentRange(ix, segment uint32) (lo, hi []byte) {
	return prefixRange(binary.BigEndian.AppendUint32(indexKey(ix, kindSegment, 4), segment))
}

// SegmentsRange covers all parts of all segments of the index ix.
func SegmentsRange(ix uint32) (lo, hi []byte) { return kindRange(ix, kindSegment) }

// IDFilterKey is the key of one part of the id filter of the index ix.
func IDFilterKey(ix uint32, part uint16) []byte {
	return binary.BigEndian.AppendUint16(indexKey(ix, kindIDFilter, 2), part)
}

// ParseIDFilterKey returns the parts of a key made by [IDFilterKey], or an
// error marked [ErrCorrupt] for any other key.
func ParseIDFilterKey(key []byte) (ix uint32, part uint16, err error) {
	ix, rest, err := parseKind("id filter", kindIDFilter, key, 2)
	if err != nil {
		return 0, 0, err
	}
	return ix, binary.BigEndian.Uint16(rest), nil
}

// IDFilterRange covers all parts of the id filter of the index ix.
func IDFilterRange(ix uint32) (lo, hi []byte) { return kindRange(ix, kindIDFilter) }

// VectorKey is the key of one part of the vectors of a model of the index ix:
// what part means, and what ordinal counts, is the engine's.
func VectorKey(ix, model uint32, part uint8, ordinal uint32) []byte {
	key := binary.BigEndian.AppendUint32(indexKey(ix, kindVectors, 9), model)
	return binary.BigEndian.AppendUint32(append(key, part), ordinal)
}

// ParseVectorKey returns the parts of a key made by [VectorKey], or an error
// marked [ErrCorrupt] for any other key.
func ParseVectorKey(key []byte) (ix, model uint32, part uint8, ordinal uint32, err error) {
	ix, rest, err := parseKind("vector", kindVectors, key, 9)
	if err != nil {
		return 0, 0, 0, 0, err
	}
	return ix, binary.BigEndian.Uint32(rest), rest[4], binary.BigEndian.Uint32(rest[5:]), nil
}

// VectorRange covers all parts of the vectors of one model of the index ix.
func VectorRange(ix, model uint32) (lo, hi []byte) {
	return prefixRange(binary.BigEndian.AppendUint32(indexKey(ix, kindVectors, 4), model))
}

// VectorsRange covers the vectors of all models of the index ix.
func VectorsRange(ix uint32) (lo, hi []byte) { return kindRange(ix, kindVectors) }

// FieldRunKey is the key of the vectors that the field has in the document doc of
// the index ix and in some that follow it; how many is the engine's.
func FieldRunKey(ix uint32, field uint16, doc uint32) []byte {
	key := binary.BigEndian.AppendUint16(indexKey(ix, kindFieldRun, 6), field)
	return binary.BigEndian.AppendUint32(key, doc)
}

// ParseFieldRunKey returns the parts of a key made by [FieldRunKey], or an error
// marked [ErrCorrupt] for any other key.
func ParseFieldRunKey(key []byte) (ix uint32, field uint16, doc uint32, err error) {
	ix, rest, err := parseKind("field vectors", kindFieldRun, key, 6)
	if err != nil {
		return 0, 0, 0, err
	}
	return ix, binary.BigEndian.Uint16(rest), binary.BigEndian.Uint32(rest[2:]), nil
}

// FieldRunRange covers the vectors of one field of the index ix that begin at a
// document doc with fromDoc <= doc < toDoc. A toDoc of [math.MaxUint32] stands
// for no upper bound.
func FieldRunRange(ix uint32, field uint16, fromDoc, toDoc uint32) (lo, hi []byte) {
	lo = FieldRunKey(ix, field, fromDoc)
	if toDoc == math.MaxUint32 {
		_, hi = prefixRange(binary.BigEndian.AppendUint16(indexKey(ix, kindFieldRun, 2), field))
		return lo, hi
	}
	return lo, FieldRunKey(ix, field, toDoc)
}

// FieldRunsRange covers the vectors of all fields of the index ix.
func FieldRunsRange(ix uint32) (lo, hi []byte) { return kindRange(ix, kindFieldRun) }

// indexKey returns 0x10 <ix> <kind> with room for extra more bytes.
func indexKey(ix uint32, kind byte, extra int) []byte {
	key := make([]byte, 0, kindLen+extra)
	key = binary.BigEndian.AppendUint32(append(key, spaceIndex), ix)
	return append(key, kind)
}

// kindRange covers all entries of one kind of the index ix.
func kindRange(ix uint32, kind byte) (lo, hi []byte) {
	return indexKey(ix, kind, 0), indexKey(ix, kind+1, 0)
}

// hasKind reports whether key is one of an index and of the given kind.
func hasKind(key []byte, kind byte) bool {
	return len(key) >= kindLen && key[0] == spaceIndex && key[indexPrefixLen] == kind
}

// parseKind splits a key of the given kind that has exactly n bytes after the
// kind into its index and those bytes.
func parseKind(name string, kind byte, key []byte, n int) (ix uint32, rest []byte, err error) {
	if !hasKind(key, kind) || len(key) != kindLen+n {
		return 0, nil, badKey(name, key)
	}
	return binary.BigEndian.Uint32(key[1:]), key[kindLen:], nil
}

// prefixRange covers the keys that begin with prefix, which must hold a byte
// below 0xff; every prefix of this file begins with one.
func prefixRange(prefix []byte) (lo, hi []byte) {
	end := len(prefix)
	for prefix[end-1] == 0xff {
		end--
	}
	hi = append([]byte(nil), prefix[:end]...)
	hi[end-1]++
	return prefix, hi
}

func badKey(kind string, key []byte) error {
	return fmt.Errorf("%x is not a %s key: %w", key, kind, ErrCorrupt)
}
