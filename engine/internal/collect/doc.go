// Package collect keeps what a search wants of the documents that matched: the
// best ones (TopK by score, Best in any other order), how many there are
// (Count, CountAnd), or each of them (Places). It knows nothing of how
// documents are matched.
//
// Sets of documents come page by page, as a Page of 1,024 words: bit i of word
// i/64 stands for place i of the page.
//
// Nothing in this package is safe for concurrent use.
package collect
