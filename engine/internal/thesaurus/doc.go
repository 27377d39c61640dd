// Package thesaurus knows words that mean the same: "sofa" and "couch", "colour"
// and "color", "birth" and "born". It was written for Quarry by hand, language by
// language: it is what anybody knows who speaks the language, and nothing of it
// comes from the texts of an index or from any collection.
//
// A [Thesaurus] tells which [Other] phrases a text may have in place of a phrase.
// Both are told as terms, in the form in which indexes know words, so that neither
// has to be analyzed when somebody asks.
//
// # The files
//
// words/<code>-<topic>.txt is what is written. A line is phrases between commas; #
// begins a comment. A sign at its beginning says how they are related:
//
//	== colour, color          one word, spelt in several ways
//	= went, go                one word, written or inflected in several ways
//	couch, sofa, settee       several words for the same thing
//	~ birth, born             what belongs together without being the same
//	footwear > shoe, boot     what stands before > also finds what is behind it
//
// A phrase is letters, digits, hyphens and apostrophes, in lower case, with single
// spaces between words. A phrase may stand in several lines.
//
// Where a language has no stemmer, the first of a line with = or == gives what stands for it to the
// others of the line, and where it stands for something, so do those that are written next.
//
// Chinese, Japanese and Korean are cut into pairs of characters (package tokenize): 手机壳 is 手机
// and 机壳. A character by itself can be asked for and stands for nothing, nor do two letters of
// Kana, which are in many words; and what a phrase is part of does not stand for it, since it is
// found anyway. Of Japanese and Korean verbs the part is written that all their forms begin with.
//
// data/<code>.tab is what is read: made of these files by
//
//	go test ./engine/internal/thesaurus -rewrite
//
// It has a line for each phrase that stands for something, in the order of bytes:
// its terms with a space between them, a tab, and what stands for it with bars
// between: a sign (: = + > ~), the terms and, where people write it otherwise, a
// semicolon and the phrase. A term that only begins phrases has a line
// with nothing behind the tab, and a word that is a form of another one may have @ and that: they
// share a line. data/<code>.idx tells where the line of a phrase is: a
// table of hashes with open addressing (slot). So nothing has to be read into memory, and
// nothing to be made before the first search.
//
// apart/en.txt lists words whose stem is also that of others, which mean something else: they are asked for
// by a term of their own ([Apart]), unless they are part of a phrase.
//
// # What belongs in them
//
// A word belongs into a line if what most people mean by it, in most texts, is what
// the line is about: "bank" has no synonyms. What only stands for something in some
// texts is found by it, and does not find it: laptop > notebook. Inflections that
// the stemmer of the language brings together need no line, nor do words that are
// written together or apart ("data set"): searches look for both by themselves.
package thesaurus
