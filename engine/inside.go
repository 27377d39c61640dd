package engine

// How the package works inside. What it offers is told in doc.go.
//
// # Numbers and pages
//
// A record gets a document number, 32 bits, each time it is written, and the
// number never changes: an update is a new number, and the old one is marked
// as deleted. 65,536 consecutive numbers are a page, which is one container of
// a Roaring bitmap. What is addressed by number (ids, lengths, columns for
// filters, facets and sorting) is kept in chunks of pages, by package page;
// the inverted part (dictionary, posting lists, positions) in segments over
// disjoint, ascending ranges of numbers, by package segment. Only segments are
// merged.
//
// # What is in the store
//
// Package storage documents the keys. Per index there are
//
//	manifest      the segments and chunks on disk, the statistics, and the
//	              version up to which batches are in them (Flushed)
//	schema
//	batch log     an entry for each batch after Flushed
//	id map        record id -> document number and version
//	blocks        the records as written, compressed, by document number
//	parts         of segments and chunks, written once
//	tombstones    the deleted documents of a page, as of Flushed
//	id filter     a Bloom filter of the ids, written by Close
//	vectors       what was learnt from the records, and the vector of each
//	field vectors those of Vector fields, by document number; see fieldvectors.go
//
// # The way of a write
//
// See writer.go. A batch is one commit of the store: blocks, id map and a log
// entry. Its inverted form and its chunks are built while the log is being
// synced, stay in memory, and are published with the batch. In the background
// small segments in memory are merged, and at 8 MiB or 200,000 records they
// are flushed: new parts are ingested as tables, then one commit of the
// manifest makes them part of the index and empties the log. After a crash the
// batches of the log are inverted again from their stored records.
//
// # Another schema
//
// See update.go and rebuild.go. What stored bytes serve takes effect with one
// commit. Anything else is a rebuild: a hidden index with the new schema gets
// copies of all records, in their order and with their versions, in rounds
// beside writers; the last round runs with writers locked out and ends in the
// commit that puts the copy in the place of the index. The schema to come can
// be noted in the catalogue (StartUpdate), so that a rebuild that does not come
// to its end is begun again by the next process (Rebuild). SwapIndexes is one
// commit that rewrites two entries of the catalogue.
//
// # The way of a query
//
// See search.go. The text is parsed by package query; a resolver turns words
// into leaves, each a posting list per segment, and the tree into a condition
// over them (resolve.go, filter.go); package search finds the best hits of all
// segments in one run; ids, records, highlights and explanations are read for
// the hits alone. Ranking is BM25F in integers (package score), so a score is
// the same whatever the segments, and its parts add up exactly.
//
// # Vectors
//
// See learn.go, vectors.go and meaning.go. A moment after an index was written
// to, the background learns from its records which terms mean what (package
// vector), again whenever half as many documents as it looked at have been
// written since, and gives each record a vector; new records get theirs from
// the model that is there. A search ranks the best by words by their vectors,
// too. Vectors are not part of a view: searches use the newest ones, and a
// record that has none yet is ranked as if its words told its meaning. So a
// ranking is a function of the live records alone after TrainVectors, and
// between trainings also of the moments of the trainings before.
//
// Vectors of fields are another thing (fieldvectors.go, embedder.go, nearest.go,
// fusion.go). Records bring them, and then they are written with them and seen
// with them; or an Embedder makes them, some time later. They find records,
// whatever words these have, and take the place of what was learnt.
//
// # Invariants
//
//   - A view never changes; parts are written once and deleted when no view
//     can read them.
//   - Chunks cover the document numbers from 0 to the next one without gaps
//     but for whole pages that died and were dropped; segments hold every live
//     document once.
//   - Statistics are exact over live documents: they do not depend on the
//     order of writes, on flushes, merges or reopening.
//   - A batch is in the log before it is in a view, and views are published in
//     the order of versions.
//
// Check verifies them all.
