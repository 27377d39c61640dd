// Package segment is the immutable unit of the inverted index: a dictionary
// and the posting lists of a range of documents, bytes in and bytes out. It
// knows no files.
//
// A Writer inverts the documents of a batch and builds Parts, a segment in
// memory in the same bytes as on disk. A Reader opens the parts of any Source
// and finds lists by key. Merge joins segments over ascending ranges of
// documents into the segment that would have been built at once, leaving out
// what was deleted; documents keep their numbers. Reader.Check verifies all of
// a segment.
//
// Terms live in spaces (Key): the terms of text fields, the words they came
// from, and the values of each keyword field. Text fields are numbered from 0;
// fields are only ever appended, and a segment knows how many there were when
// it was built, because the codes of its postings depend on that number.
//
// # Format, version 1
//
// A segment is a set of parts, each known by kind and ordinal. Every part
// begins with the CRC-32C of the rest of it, u32. Integers are little endian.
//
//	kind  part       contents after the checksum
//	0     meta       below, one
//	1     block      a block of the dictionary (package termdict)
//	2     list       a long posting list (package posting)
//	3     positions  its positions, same ordinal; only of SpaceText
//
//	meta:
//	u8    version of all parts, 1
//	u8    zero
//	u16   text fields
//	u64   postings
//	u64   size of all blocks, checksums included; of all lists; of all positions
//	f64   k1 under which the bounds were made
//	u16   number of fields with parameters; for each f64 weight, b, average length
//	u32   size of the next
//	      documents that hold a term: a Roaring bitmap, portable format, runs
//	      allowed
//	      index of the dictionary (package termdict), to the end
//
// A term with up to 128 documents has its list in the dictionary block, in the
// small form of package posting with the first document of the segment as
// base, if it takes up to 4,096 bytes; all others have parts. SpaceText comes
// first in the order of keys, so the ordinals of positions have no gaps.
//
// One record "red car" as document 5 of a new index, with one text field, makes
// two parts. The block is
//
//	sum 4 bytes, 0 5 0 0 c a r 2 4 0 116 0 1   2 3 r e d 2 4 0 116 0 0
//	0 0 restart point, 2 0 number of entries
//
// (keys are \0 \0 c a r; the four bytes of a list are document 5-5, bound,
// code 0, position), and the meta part has 5 as its only document.
//
// History: 1, the first.
package segment
