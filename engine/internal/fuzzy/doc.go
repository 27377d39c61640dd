// Package fuzzy finds the words of a vocabulary that are a few edits away from
// a given one. An edit is a letter too much, too few or wrong, or two
// neighbours that changed places.
//
// There are three types. A Pattern is a word prepared for measuring its
// distance from others. A Builder collects the vocabulary of a segment, and
// its Lexicon is that vocabulary in memory, in which Near, Beginning and Ending look.
// A Lexicon and a Pattern never change and may be shared; a Builder belongs to
// one goroutine. The package knows nothing of terms, documents and ranking:
// who asks decides which of the words found is meant.
//
// # Distance
//
// It is the optimal string alignment distance: Levenshtein's with
// transpositions, where no letter is edited twice. Letters are code points. It
// is computed for a whole column of the matrix at once, as bits of a machine
// word, by the algorithm of Hyyrö ("A bit-vector algorithm for computing
// Levenshtein and Damerau edit distances", Nordic Journal of Computing 10,
// 2003), so words have at most 64 letters. The values in the last row, which
// the algorithm follows letter by letter, are the distances from the
// beginnings of the other word; BeginningDistance is the least of them.
//
// # Looking up
//
// The words of a lexicon stand by length, and each has a signature: which of
// 32 classes of letters it has at all, and which more than once. One edit adds
// at most one bit to a signature and takes away at most one. So of the words
// whose length fits, all but a few in a thousand are passed over by two
// instructions each, and only those few are measured.
//
// This reads eight bytes for each word of the right length, in sequence,
// instead of walking a trie. For one edit an automaton visits fewer words, for
// two it visits nearly as many, out of order; here the two cost nearly the
// same and no first letter is taken for granted. A word takes 16 bytes and its
// letters, a fifth of what an index of all its deletions would take.
package fuzzy
