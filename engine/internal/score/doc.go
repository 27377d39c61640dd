// Package score is BM25F as pure integer arithmetic: document lengths as one
// byte, term frequencies as codes, and the impact of a posting as a 16 bit
// number.
//
// # The formula
//
// For a term t in a document d with text fields f,
//
//	x(t,d)     = sum over f of weight_f * tf_f(t,d) / (1 - b_f + b_f * len_f(d)/avglen_f)
//	score(t,d) = idf(t) * (k1+1) * x / (k1 + x)
//	idf(t)     = ln(1 + (N - df + 0.5)/(df + 0.5))
//
// which is BM25F as in Zaragoza, Craswell, Taylor, Saria and Robertson,
// "Microsoft Cambridge at TREC 13: Web and HARD tracks" (2004), with the
// non-negative idf that Lucene uses. With one field of weight 1 it is BM25.
//
// # Integers
//
// The part that depends on the document, x/(k1+x), lies in [0,1) and is kept
// as the impact: an integer in [0, 65535]. A query gives each term an integer
// weight, and the score of a document is the sum of weight*impact over its
// terms. Integer sums do not depend on the order of the terms, so every
// algorithm that scores a document gets the same number to the last bit, on
// every processor, and the parts that an explanation lists add up exactly.
//
// # Lengths
//
// The length of a field is kept as one byte, a norm: exact up to 40 words and
// with four significant bits above (EncodeNorm). The average length is the
// average of the decoded norms, so deleting a document takes away exactly
// what adding it had brought, in whatever order that happens.
//
// # Codes
//
// A posting holds the term's frequency in each text field, a Vector. Nearly
// all postings share a few hundred vectors, so a posting stores a one-byte
// code instead; a Codebook of F fields lists the vectors by growing total
// frequency until 255 codes are used, and code 255 (Escape) says that the
// vector is written out elsewhere. The codebook is a function of F alone, so
// codes need no table on disk and survive merges.
package score
