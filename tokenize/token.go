package tokenize

// Kind says what a token was made from.
type Kind uint8

const (
	// KindWord is a word, an emoji, or a word's part.
	KindWord Kind = iota
	// KindNumber consists of digits and the separators between them.
	KindNumber
	// KindBigram is two neighbouring characters of an unspaced script.
	KindBigram
	// KindUnigram is the last or only character of a run of an unspaced script.
	KindUnigram
)

// String returns the kind in lower case: "word", "number", "bigram", "unigram".
func (k Kind) String() string {
	switch k {
	case KindWord:
		return "word"
	case KindNumber:
		return "number"
	case KindBigram:
		return "bigram"
	case KindUnigram:
		return "unigram"
	}
	return "unknown"
}

// Token is one term and where it stands in the text. Term and Word are never
// empty, are valid UTF-8 and must not be modified; Stream.Next says how long
// they live.
type Token struct {
	Term []byte // what is indexed and looked up: folded and stemmed
	Word []byte // the folded form before stemming; equal to Term if stemming changed nothing

	// Start and End delimit the token in the analyzed text, in bytes, on rune
	// boundaries. An elided article is outside, a possessive 's inside.
	Start, End int

	// Position is 0-based and grows by one from token to token, except that the
	// parts of a word share its position.
	Position int

	Kind Kind
	Stop bool // a stop word of the language: still a term, weighed at query time
	Part bool // a part of the nearest token before it that is not a part (Options.Parts)
}
