package engine

// A query of very many words is a text, of which records are wanted that are like it. In
// such a one, words stand side by side by the dozen that do so in many records ("is an
// American film directed by"), and what it is about as a whole says less than the rare
// words in it. So from fadeFrom content words on the bonus for nearness and the meaning
// count for less, evenly, and from fadeUntil on not at all.
//
// Where 32 words are taken out of a record and asked for, so that the rest of it is to be
// found, both cost up to a seventh of nDCG@10 without this, and in halves of long texts a
// sixth (TestKnownItems). Ending at 20 words, this gains more there (films: 2.9 % above
// plain BM25 in place of 2.5 % below) and loses on judged questions: cacm .557, with 25 .562,
// with 30 .563, and .560 without.
const (
	fadeFrom  = 10
	fadeUntil = 25
)

// fade is the share that is left, of what counts for questions, in a query of so many words.
func fade(words int) float64 {
	return min(1, max(0, float64(fadeUntil-words)/(fadeUntil-fadeFrom)))
}

// length is how many words of the query say what it is about. As text without spaces is
// cut, a word or two are many pairs of characters: these count as three at most.
func (r *resolver) length() int { return r.words - max(0, r.pairs-meaningPairs) }
