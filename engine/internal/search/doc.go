// Package search runs a query over the segments of a snapshot.
//
// A Query has leaves, which are posting lists with weights; sets, which are
// filters; and a condition over both, an Expr. Its segments say which
// documents there are: each is a row of slots, a slot being the part of a
// segment that lies in one page of 65,536 document numbers. The score of a
// document is the sum of weight times impact over the leaves that hold it
// (package score), so it does not depend on the order in which anything is
// done, and all functions of this package agree on it to the last bit.
//
// Top returns the best hits, Count the number of documents that match, Matches
// the documents themselves page by page, ScoreDoc what a score is made of.
// Expand and Restrict make lists that are no terms of the index, to be used as
// leaves like any other; a Phrase is a leaf without a list. A Pool lends queries
// their memory, so that a query allocates little more than its hits.
//
// A Query and all that it refers to must not change while it runs. Nothing
// here keeps state between calls but Pool, so all of it is safe for concurrent
// use.
//
// # How the best hits are found
//
// Conditions are evaluated on words of 64 documents, in windows of 4,096
// places (condition.go). A slot for which a few documents are known to be the
// only ones worth a look is not walked by windows: each list is asked about all of them
// (few.go), or, where there are phrases, all lists about each (lead.go).
//
// Once there are K hits, the worst of them sets the score that a document has
// to reach. Lists have upper bounds of impacts by block, and a window, a block
// or a document whose bounds do not reach that score is passed over. Among the
// documents of a window, those are found by set operations for which the
// bounds of the leaves that hold them add up to the score (reach.go): if a
// single leaf suffices, it is a union; if all are needed, an intersection; in
// between, it is the threshold function of the bounds, which is split into
// cases leaf by leaf, or counted where there are many leaves. Leaves are read when
// their documents matter, the strongest first. This does for
// windows what WAND (Broder, Carmel, Herscovici, Soffer and Zien, "Efficient
// Query Evaluation using a Two-Level Retrieval Process", CIKM 2003) and its
// block-max form (Ding and Suel, "Faster Top-k Document Retrieval Using
// Block-Max Indexes", SIGIR 2011) do for single documents. It pays because the
// lists are bitmaps and arrays in which membership is a bit, and it keeps its
// advantage for queries of several frequent terms, for which those two come
// out slower than scoring everything.
//
// What is left is scored, strongest leaf first, until it is clear that the
// document does not reach the score. Documents that reach it exactly are kept,
// since the order of hits with equal scores is the caller's.
//
// Where there are many leaves with few postings, which is where bounds tell least,
// the postings of the stronger leaves are added up list by list, and the others are
// asked only about documents that may still come to the score (gather.go).
//
// The score to reach starts from the champions of the lists rather than from
// zero where that is sound (prime.go). A query for one word is answered by the
// champions alone where they are sure to hold its best hits (strongest.go), or by
// the leaders of its lists, which are the same for the scoring of today: the fourth
// search for a word finds them, and those that follow read them in order
// (leaders.go).
//
// # Phrases
//
// The documents that hold all words of a phrase are its candidates, and they
// are found by set operations like those of any conjunction. Which of them hold
// the phrase only positions tell, so it is asked last (phraseview.go): a phrase
// occurs no more often than any of its words, so the bounds of the words bound
// it, in blocks as in a single document, and Top reads the positions of those
// candidates only that come to the score to reach. A condition that needs to
// know all documents of a phrase settles it page by page and keeps the result
// in the Phrase; one that leaves few documents beside the phrase asks about
// these alone. In short texts the positions of a word are a set of a few machine
// words, and the phrase is what these sets have in common once each is moved by the
// word's offset.
//
// Built with the tag invariants, scoring checks that no impact is above its
// bounds, and no bound above those of the places around it, and panics if one is.
package search
