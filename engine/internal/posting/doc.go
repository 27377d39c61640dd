// Package posting encodes, validates and reads posting lists: the documents
// that hold one term in one segment, with frequencies and positions.
//
// A Builder collects the postings of a term by ascending document and writes
// them in one of two forms: the long form (AppendLong, and AppendPositions
// apart from it), which Parse and Unpack read, or the small form
// (AppendSmall) for up to 128 postings, which ParseSmall decodes. Either way
// the result is a List: containers of documents by page of 65,536 document
// numbers, and for every posting, known by its rank in the list, a code, a
// frequency vector and positions. FromDocs and Builder.List make
// lists that never leave memory.
//
// In memory the documents of a list lie in containers as Roaring has them, arrays
// and bitmaps of a page, so that kernels can work on the words of bitmaps directly;
// there are no run containers, because a kernel could not take rank or words from
// them in constant time, and bitmaps begin at fewer documents (unpackedMax). A long
// list on disk has its documents packed, in half of the room that arrays and bitmaps
// take, and Parse unpacks them; all else Parse reads in place, and Unpack from a copy,
// so that a list which is kept does not keep its packed documents. Lists that never
// leave memory are not packed.
//
// A caller may not change a list or the bytes it was read from, and may not
// mix lists and codings of different numbers of text fields.
//
// # Impacts, bounds and champions
//
// The impact of a posting (package score) depends on collection averages that
// drift, so it is not stored. What is stored are upper bounds of impacts as
// they were when the list was built, one byte each, impact/256 rounded down,
// and the postings with the strongest impacts, 32 to 128; of equal impacts, that
// is the stronger which stands before the other in the order of hits, if that is
// known, else the lower number. score.Bounds turns the bytes into bounds that hold
// now.
//
// # Long form, version 5
//
// Integers are little endian, sizes in bytes.
//
//	u8     version, 5
//	u8     kind: 0 documents, 1 and frequencies, 2 and positions (elsewhere); and
//	       128 if champions of equal impact come in the order of hits
//	u16    n, number of champions, up to 128
//	u32    documents
//	u32    containers
//	u32    size of the documents
//	u32    e, number of escapes
//	u16    impact of the last champion
//	       champions, the strongest first: ranks, of as many bits as that of the
//	       last document takes, from the low bits up, to whole bytes; a list of d
//	       documents has up to d/8, but not less than 32
//	4      for each container: page u16, documents less one u16
//	       for each container of c documents the smallest of these, the first if
//	       they are equal: places as u16 each, for c up to 4,096; 8,192 bytes of
//	       bitmap; places packed: the low bits of each, l the number of bits of
//	       65,536/c less one, from the low bits up, to whole bytes; then as many
//	       bytes as 1 + c + 65,535>>l bits need, of which bit i + place i>>l is 1
//	       for each i
//	       for each container of c documents: one bound for each 1<<s places,
//	       s the smallest of 6 to 16 with c<<s>>16 >= 8, else 16; before them,
//	       if s < 10, one bound for each 4,096 places, else, if there are
//	       several, the largest; with kind 0 one byte 255
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
//	u8     version, 2; then three zero bytes
//	u32    documents
//	4      for each block of 64 postings: its offset
//	       blocks: u8 bits of a position, as many as the largest of the block
//	       needs; positions, from the low bits up, to whole bytes
//
// The positions of a posting begin after as many as there are occurrences of the
// postings before it in the block, which come from the codes.
//
// Measured on the long lists of the speed corpora, MB: positions of 1, 2 or 4
// bytes 37.4 and 9.8, packed by block 26.5 and 6.2, by 16 postings 25.4 and 6.2,
// distances with exceptions 23.2 and 6.0; the last ones cannot be found without
// reading those before.
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
// History: 1, the first; 2 packs documents and positions of long lists; 3 has
// finer bounds, and more champions; 5 has them in order, and in more lists. Version
// 3 is still read: the champions, up to d/128, are documents of 4 bytes, the 32
// strongest, ascending, then the others, ascending, and nothing is before them.
// Version 2 is still read: as 3, but s is the smallest
// of 8 to 16 with c<<s>>16 >= 16, only the largest bound goes before the others,
// and there are 32 champions. Version 1 is still read: as 2, but the documents are
// Roaring's portable format, and 256 bytes for each bitmap container follow it,
// the bits before each 512 places, u16. Lists in memory are version 6, which has
// no documents and all else of 5. Positions of version 1 are still read: an
// offset is a multiple of 4, plus log2 of the bytes of a position, which are 1, 2
// or 4; blocks are padded to 4.
package posting
