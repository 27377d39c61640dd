// Package collect keeps what a search wants of the documents that matched: the
// best ones (TopK for scores, Best for any other order), and how many there
// are (Count, CountAnd). It knows nothing of how documents are matched.
//
// A set of documents is handed over page by page as 1,024 words, bit i of word
// i/64 standing for place i of the page; Each walks such a page.
//
// Nothing in this package is safe for concurrent use.
package collect
