// Package termdict is the dictionary of a segment: sorted keys, for each the
// number of its documents, and either its posting list itself, if that is
// short, or the number of the list. It knows nothing of what lists look like.
//
// A Builder takes keys in order and hands out blocks of about 8 KB; its Finish
// writes the index, which is all that Open reads. A Dict answers Lookup and
// makes an Iter for prefixes and ranges. Iterators skip inline lists by their
// length, and Seek lets automata jump over blocks.
//
// Most terms are rare: three in four of a corpus of short records occur in one
// document. Giving each a key of its own in the storage below would cost more
// than its postings, so neighbours share a block; a block costs one read,
// whatever is looked up in it. The few long terms, those that queries use, are
// also listed in the index, so that a lookup goes straight to the list.
//
// # Format, version 1
//
// The segment around it keeps version and checksums. Integers are little
// endian or unsigned varints (v).
//
//	block   = entry*, restart u16 for each 16 entries, number of entries u16
//	entry   = shared v, length v, that many bytes of the key,
//	          documents<<1 v, length v, inline list
//	        | shared v, length v, that many bytes of the key,
//	          documents<<1|1 v, ordinal of the long list v
//	index   = terms u32, keys of the first entries of the blocks, keys of the
//	          long terms, documents of each long term u32
//	keys    = number u32, end of each in bytes u32, bytes
//
// shared is how many bytes a key has in common with the one before; it is 0 at
// restart points, which are offsets in the block. A lookup searches restart
// points by halving, then reads 16 entries at most. The ordinal of a long list
// is its place in the directory of long terms. A block takes no entry that
// would carry it beyond 8,192 bytes unless it is empty; with keys of up to
// 32,768 and inline lists of up to 4,096 bytes, every offset fits 16 bits.
//
// The entries "car" (one document, inline list x), "cart" (200 documents, long
// list 7) and "cat" (two documents, inline list yz) are
//
//	0 3 c a r 2 1 x   3 1 t 145 3 7   2 1 t 4 2 y z   0 0  3 0
//
// where 145 3 is the varint of 401.
//
// History: 1, the first.
package termdict
