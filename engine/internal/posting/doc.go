// Package posting encodes, validates and reads posting lists: the documents
// that hold one term in one segment, with frequencies and positions.
//
// A Builder collects the postings of a term by ascending document and writes
// them in one of two forms: the long form (AppendLong, and AppendPositions
// apart from it), which is read in place by Parse, or the small form
// (AppendSmall) for up to 128 postings, which ParseSmall decodes. Either way
// the result is a List: containers of documents by page of 65,536 document
// numbers, and for every posting, known by its rank in the list, a code, a
// frequency vector and positions. FromDocs, FromWords and Builder.List make
// lists that never leave memory.
//
// The documents of a long list are a Roaring bitmap in the portable format
// (github.com/RoaringBitmap/RoaringFormatSpec), so that Bitmap costs nothing
// and kernels can work on the words of bitmap containers directly; run
// containers are never written, because a kernel could not take rank or words
// from them in constant time.
//
// A caller may not change a list or the bytes it was read from, and may not
// mix lists and codings of different numbers of text fields.
//
// # Impacts, bounds and champions
//
// The impact of a posting (package score) depends on collection averages that
// drift, so it is not stored. What is stored are upper bounds of impacts as
// they were when the list was built, one byte each, impact/256 rounded down,
// and the 32 documents with the strongest impacts; equal impacts go to the
// lower number. score.Bounds turns the bytes into bounds that hold now.
//
// # Long form, version 1
//
// Integers are little endian, sizes in bytes.
//
//	u8     version, 1
//	u8     kind: 0 documents, 1 and frequencies, 2 and positions (elsewhere)
//	u16    n, number of champions, up to 32
//	u32    documents
//	u32    containers
//	u32    size of the Roaring bytes
//	u32    e, number of escapes
//	4n     champions, ascending
//	       Roaring bytes, containers of up to 4,096 documents as arrays
//	256    for each bitmap container: bits before each 512 places, u16
//	       for each container of c documents: one bound for each 1<<s places,
//	       s the smallest of 8 to 16 with c<<s>>16 >= 16, else 16; if there are
//	       several, the largest goes before them; with kind 0 one byte 255
//	       and unless kind is 0:
//	4      for each 256 blocks of codes after the first 256: offset, units of 16
//	2      for each block of 128 codes: offset from there, units of 16,
//	       times 8, plus the kind of block
//	       codes: none in kinds 0 to 3, whose codes all equal the kind; 1, 2, 4
//	       or 8 bits each in kinds 4 to 7, from the low bits up; the last block
//	       ends with its last code
//	4e     ranks of the escapes, the postings with code 255, ascending
//	4e     end of the vector of each
//	       vectors in varints: fields, then for each field the distance to the
//	       field before, less one, and the frequency
//
// Positions are a value of their own, because most queries read none:
//
//	u8     version, 1; then three zero bytes
//	u32    documents
//	4      for each block of 64 postings: offset, a multiple of 4, plus log2 of
//	       the width of its positions
//	       positions, 1, 2 or 4 bytes each by the largest of the block; blocks
//	       are padded to 4
//
// The positions of a posting begin at offset + width * occurrences of the
// postings before it in the block, which come from the codes.
//
// # Small form, version 1
//
// Number of postings, base and kind come from the dictionary around it; v is
// an unsigned varint.
//
//	v      for each document: distance to the one before, less one; the first
//	       to base
//	1      for each page: bound, and unless the kind is 0:
//	1      kind of the only block of codes, then the codes, cut after the last;
//	       a single posting has its code here instead
//	       vectors of the escapes
//	v      with kind 2, for each posting, field and occurrence: distance to the
//	       position before in the field, or to 0
//
// Lists of kind 0 have no bounds and end after the documents. The list of
// documents 5, with one occurrence at position 2, and 7, with two at 0 and 4,
// over one text field from base 5, is
//
//	0 1 102 4 2 2 0 4
//
// documents 5+0 and 5+1+1; bound 102, so no impact is above 102*256+255; codes
// of one bit (kind 4), 0 and 1; positions 2, 0 and 0+4. testdata/long.txt
// explains a long list byte by byte.
//
// History: 1, the first.
package posting
