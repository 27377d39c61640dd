package engine

import "github.com/quarry-search/quarry/tokenize"

// queryTexts are the tokens of texts of one search: its stages, and the indexes
// that it looks into, take the same few words apart again and again. The zero
// value is ready for use, by one goroutine.
type queryTexts []queryText

type queryText struct {
	analyzer *tokenize.Analyzer
	text     string
	tokens   []tokenize.Token
}

// maxQueryTexts is how many texts are kept: finding one in a longer row takes
// about as long as taking it apart.
const maxQueryTexts = 64

// tokens returns AnalyzeQuery of a text. They must not be changed.
func (q *queryTexts) tokens(a *tokenize.Analyzer, text string) []tokenize.Token {
	for i := range *q {
		if t := &(*q)[i]; t.analyzer == a && t.text == text {
			return t.tokens
		}
	}
	tokens := a.AnalyzeQuery(text)
	if *q == nil {
		*q = make(queryTexts, 0, 12) // a query has a few words, as a rule
	}
	if len(*q) < maxQueryTexts {
		*q = append(*q, queryText{a, text, tokens})
	}
	return tokens
}
