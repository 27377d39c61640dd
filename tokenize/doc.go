// Package tokenize turns text into the terms of an inverted index, with byte
// offsets for highlighting and positions for phrases.
//
// There are three types. An [Analyzer] holds the rules chosen by [Options]; it
// never changes and any number of goroutines may share it. A [Stream] is the
// working memory of one goroutine: give it a text with Reset and take a
// [Token] at a time with Next, which allocates nothing once the Stream is warm.
// Analyze and AnalyzeQuery wrap a Stream for callers who prefer a slice.
// [Fold] is the folding alone, for keyword fields and for highlighting.
//
// What the options do not offer, a [Tokenizer] and [Filter] functions of one's
// own do: see [Options].
//
// Offsets always refer to the bytes given to Reset, whatever folding and
// stemming did to the term. Bytes that are not valid UTF-8 separate words.
//
// # Where words begin and end
//
// ASCII runs through a table; everything else starts from the word boundaries
// of Unicode Standard Annex #29, which are then cut more finely and, in one
// case, joined:
//
//   - '_', '-', ':' and '.' always end a word: snake_case is snake and case.
//   - A number keeps the separators between its digits, as in 43.2, 1,000.5
//     and 1.2.3, and a unit that follows directly, as in 1.5kg. After a letter
//     the dot ends the word: python3.11 is python3 and 11.
//   - An apostrophe between two letters or two digits stays inside the word and
//     is dropped from the term, so don't, don’t and dont are one term. Between
//     two letters ´, ` and ‛ are apostrophes, too, as in don´t. The
//     English possessive 's is removed, and so are the verb behind an English
//     pronoun where both were another word (we'll, she'd), an article elided before a
//     French, Italian, Catalan or Irish word and the suffixes behind the
//     apostrophe of a Turkish name.
//   - '#', '+' and "++" directly after a word of one or two ASCII letters belong
//     to it: c#, c++.
//   - Subscript digits join what they stand in, and superscript digits a word of
//     at most two letters: H₂O is h2o, km² is km2.
//
// A script that is written without spaces (Han with Kana, Thai, Lao, Khmer,
// Myanmar, and a few more) and Hangul give overlapping pairs of characters,
// and the last character of each run on its own, so that every character
// begins some term:
//
//	東京都  ->  東京 (position 0)  京都 (1)  都 (2)
//
// Pairs that questions and grammar are made of (什么, です) are stop words.
// ResetQuery leaves the single character out where there is a pair, since the
// pairs already demand it. A combining mark stays with its character. An emoji
// or another symbol that spells letters or digits (①, ㎏) is a word by itself.
//
// # From word to term
//
// Folding is NFKC, lower case, and then the removal of what writers leave out:
// accents on Latin and Greek letters, stress marks and ё in Cyrillic (but й, ї
// and ў are letters of their own), Arabic vowel signs, tatweel and the forms of
// alef, Hebrew points. Letters without a decomposition become their usual
// spelling: ß ss, æ ae, ø o, ł l, đ d, ı i. All decimal digits become ASCII.
// The voicing marks of Kana are letters in all but name and remain.
//
// Stemmers want the letters of their language, so a word is stemmed in lower
// case with its accents and folded afterwards. German Häuser and Hauser both
// end as haus. (English, Russian, Ukrainian, Czech, Arabic, Finnish, Greek and Hindi, where
// accents carry nothing for the stemmer, are folded first.) A word whose accents were left out may stem
// differently from the full spelling; Token.Word is equal in both cases.
// Tokens with digits and words of more than 64 bytes are not stemmed: stemming
// takes time quadratic in the word for some languages.
//
// Beside the Snowball algorithms there are rules for regular forms that they leave apart
// and people type for one another (inflect.go): plurals, cases, articles behind the word
// and feminines, as telefon and telefonlar, papel and papéis, чашка and чашек, سيارة and
// سيارات. Plurals that change the inside of a word are not brought together, but for a few.
// Finnish has an algorithm of its own, which knows consonant gradation: talvisota and
// talvisodan (finnish.go), Polish one that knows what consonants and vowels do before endings:
// książka and książce, okno and okien (polish.go). Arabic has a light one, which takes off the article
// with what is written before it, and the ends of words (arabic.go). So have Catalan (catalan.go);
// Czech and Ukrainian, which take off the endings of cases and spell what alternates before
// them in one way (czech.go, ukrainian.go); Greek, which takes one ending off and spells the past of verbs as
// their nouns (greek.go); and Hindi, which spells the nasals and the letters with dots in one way
// first, in terms alone (hindi.go). Terms of Vietnamese keep their accents, which tell its
// syllables apart, and have one of the two places that a tone may be written at (vietnamese.go).
package tokenize
