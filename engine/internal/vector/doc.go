// Package vector learns what terms mean from the texts of a collection, and
// gives texts vectors by which those of like meaning are found near each other
// even where they share no words. It is pure: it knows no index, no files and
// no network.
//
// A Corpus takes the texts, term by term; Train makes a Model of it; a Model
// makes a Vector of a document (Text) or of a query (Query); Cosine compares
// two. A Model and its vectors belong together: vectors of different models
// have nothing to do with each other.
//
// # What is learnt
//
// Two things, each by a truncated singular value decomposition:
//
//   - the company of a term: the terms that stand around it more often than
//     chance would have it (positive pointwise mutual information, ppmi.go);
//   - its occurrence: the documents that it is in (latent semantic indexing:
//     Deerwester, Dumais, Furnas, Landauer and Harshman, Indexing by latent
//     semantic analysis, JASIS 41, 1990).
//
// The vector of a text is the sum of those of its terms by weight, so a new
// document gets one without training. It has one part of each kind, and both
// count alike: the one knows which words replace each other, the other which
// belong to one subject, and together they are better than either.
//
// # What is the same each time
//
// A model depends on the documents and their keys, not on the order in which
// they were added: terms are numbered in their own order, documents are put in
// that of their keys, sums of counts are of whole numbers, and the random start
// of a decomposition has a fixed seed. On processors whose compilers join
// multiplications and additions (arm64 and others, not amd64) last bits may
// differ from those of amd64, and with them, rarely, a step of a vector.
package vector
