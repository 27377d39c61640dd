// Package page keeps what is addressed by document number: record ids, norms,
// columns, stored records and tombstones, by pages of 65,536 numbers. It turns
// documents into bytes and bytes into answers; it knows no files.
//
// A Builder takes documents with consecutive numbers and makes a Chunk for
// each page that they touch. Merge joins the chunks of a page. A chunk is
// immutable: Encode writes its parts, Open reads one of them, the summary, and
// the rest when it is asked for. A Column is the values of one field of a
// chunk, with scans that work on a page's documents as 1,024 words of bits:
// Range, OrdsIn, Present, CountOrds, Stats. All of them are exact: integers and
// dates to 64 bits, whatever number they are compared with, sums whatever the
// order.
//
// Beside the chunks there are Dead, the tombstones of a page; BlockWriter,
// BlockDecoder and Block, the stored records; and IDFilter, which says that a
// record id is new.
//
// Bytes and slices that a method returns belong to the chunk, column or block
// and must not be changed. Every error about damaged bytes is marked
// ErrCorrupt.
//
// # Frame
//
// All integers are little-endian. Every part, tombstone set, block and piece
// of an id filter is framed, so that a part that was put in the place of
// another is found out:
//
//	version   uint8   1, of summaries 4
//	kind      uint8   PartKind
//	field     uint16  of norms and columns, the number of a block of ids, else 0
//	content
//	checksum  uint32  CRC-32C of all before it
//
// # Packed integers
//
// A packed sequence of n integers has its length from elsewhere, and blocks of
// 1,024 integers, the last one shorter:
//
//	directory  for each block: least uint64, greatest uint64
//	data       for each block: integer - least, width bits each, from the low
//	           bit of the first byte up, zero bits to the next byte
//	pad        8 zero bytes
//
// The width of a block is the number of bits of greatest - least, or 64 where
// that is above 56: then the 8 bytes from the one with the first bit of an
// integer hold all of it, and random access is one load.
//
// # Strings
//
// A list of n strings: size uint64 of all together; n+1 packed offsets, where
// each string begins and the last one ends; the strings themselves.
//
// # Parts of a chunk
//
//	ids        of 16 documents, those of block 0, 1 and so on: uvarint number of
//	           codes of what all ids begin with; for each document, uvarint number
//	           of codes of the rest, 0 only for a hole; the codes, as package symbol
//	           packs strings
//	symbols    of all blocks of ids, as package symbol writes a table
//	norms      a byte for each document
//	all norms  the same; only if several text fields have norms
//	column     kind uint8, flags uint8, exponent uint8, 0 uint8
//	           documents uint32, documents with a value uint32, values uint32
//	           flag 1: presence, a bit for each document, in words of 64
//	           flag 2: packed, how many values there are before each document
//	                   with a value and after the last
//	           keywords: distinct values uint32; strings, ascending
//	                     packed ordinals, for each value
//	           numbers:  base uint64, unit uint64
//	                     packed (key-base)/unit, for each value
//	summary    base uint32, documents uint32, text fields uint32
//	           any text uint8, whether each id is above the one before uint8,
//	           fields with norms uint32, uint16 for each
//	           columns uint32, for each: field uint16, kind uint8, documents
//	           uint32, values uint32, least and greatest value uint64 each (of
//	           keywords: 0 and the number of distinct values)
//
// The key of a number grows with it. Of ints, dates and bools it is the value
// with its highest bit turned; of floats, if all of a column are n/10^exponent
// for integers n, that of n; else exponent is 255, and the key is the bits of
// the float, all turned for negative ones and the highest for others; of places
// the code of package geo, whose bits alternate between latitude and longitude,
// so that the least and the greatest key of a block bound where its points
// are: places anywhere on the earth take 8 bytes each, those of one city, which
// share their highest 20 bits or more, 5 to 6. base is
// the least key and unit the greatest common divisor of the distances to it.
//
// So the prices 9.99, 12.5 and 20 of three documents, field 1, are
//
//	01 05 0100           version 1, column, field 1
//	02 00 02 00          float, each document has one value, exponent 2
//	03000000 03000000 03000000
//	e703000000000080     base: 999, highest bit turned
//	0100000000000000     unit: 1 divides 251 and 1001
//	0000000000000000 e903000000000000   one block: 0 to 1001, 10 bits wide
//	00ec933e             0, 251 and 1001 in 30 bits
//	0000000000000000     pad
//	846595c7             checksum
//
// # Blocks of records
//
//	codec uint8, documents uint32, raw size uint32
//	raw, or one Zstandard frame of it:
//	    for each document: uvarint size of its id, uvarint size of its record
//	    the ids; the records
//
// # Tombstones and id filters
//
// Tombstones are a bitmap of one container in Roaring's portable format. For
// the pieces of an id filter see IDFilter.MarshalParts.
//
// # History
//
// Summaries of version 3 say that blocks of ids are packed by Zstandard, without
// symbols; those of version 2 that they are of 256 documents besides:
//
//	ids        codec uint8, documents uint32, raw size uint32
//	           raw, or one Zstandard frame of it:
//	               form uint8: 0, and each id is followed by a zero byte; or 1,
//	               and before each is the uvarint of its size
//
// Summaries of version 1 have no byte about the order of ids. Their chunks have
// all norms wherever there is text, and all ids in one part:
//
//	ids        number of documents uint32; strings, empty for holes
package page
