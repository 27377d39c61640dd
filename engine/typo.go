package engine

import (
	"fmt"
	"strings"

	"github.com/quarry-search/quarry/engine/internal/fuzzy"
	"github.com/quarry-search/quarry/tokenize"
)

// Typo says which words of a query may be read as others. The zero value
// repairs. Only words that no index of the search holds are ever repaired, and
// never words in quotes, words with digits, excluded words and beginnings of
// words, nor words that are written so ([tokenize.Written], [tokenize.ListedWords])
// or everyday words ([tokenize.CommonWords]) beside others, which are what people
// mean; RankingBM25 repairs nothing.
type Typo struct {
	// Off leaves every word as it is. What would have been repaired is in
	// QueryInfo.DidYouMean.
	Off bool
	// Min1 and Min2 are the letters that a word needs to be repaired by one
	// edit, and by two. 0 means 4 and 8; Min1 is at least 3.
	Min1, Min2 int
	// OffFields are text fields in which only the words as they were typed are
	// looked for.
	OffFields []string
}

// Letters that words need to be repaired, unless a request says otherwise. A
// shorter word is one edit away from too many others.
const (
	defaultMin1 = 4
	defaultMin2 = 8
	leastMin1   = 3
)

// typoPenalty is what an edit leaves of the score of a word.
const typoPenalty = 0.8

// edits is how many edits a word of so many letters may be repaired by.
func (t *Typo) edits(letters int) int {
	min1, min2 := orDefaultInt(t.Min1, defaultMin1), orDefaultInt(t.Min2, defaultMin2)
	switch {
	case letters >= max(min1, min2):
		return 2
	case letters >= min1:
		return 1
	}
	return 0
}

func orDefaultInt(v, d int) int {
	if v == 0 {
		return d
	}
	return v
}

// check reports what is wrong with the numbers.
func (t *Typo) check(p *problems) {
	if t.Min1 != 0 && (t.Min1 < leastMin1 || t.Min1 > fuzzy.MaxLetters) {
		p.addf(CodeInvalidRequest, "/typo/min1", "must be %d to %d letters", leastMin1, fuzzy.MaxLetters)
	}
	if t.Min2 != 0 && (t.Min2 < orDefaultInt(t.Min1, leastMin1) || t.Min2 > fuzzy.MaxLetters) {
		p.addf(CodeInvalidRequest, "/typo/min2", "must be at least min1, and at most %d letters", fuzzy.MaxLetters)
	}
}

// checkWords tests what a request says about words against the schemas.
func (s *searcher) checkWords() error {
	var p problems
	if !knownLanguage(s.req.Language) {
		p.addf(CodeInvalidRequest, "/language", "unknown language; known are none, %s", strings.Join(tokenize.KnownLanguages(), ", "))
	}
	for i, name := range s.req.Typo.OffFields {
		if !s.known(name) && len(s.names) > 0 {
			p.noField(s, fmt.Sprintf("/typo/off_fields/%d", i), name)
		}
	}
	return p.orNil()
}
