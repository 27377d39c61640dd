package engine

import (
	"bytes"
	"slices"

	"github.com/quarry-search/quarry/engine/internal/thesaurus"
	"github.com/quarry-search/quarry/tokenize"
)

// meantAsWritten tells whether a word that no index holds is one of everyday
// language beside other words: in "some ideas for what to do with a pumpkin" it
// is the records that lack "ideas", and no letter that is wrong in "peas". Alone
// it may be a slip all the same: then nothing else tells what was meant. A word that the thesaurus or a list of written words knows is no slip: who
// asks for phishing does not want fishing, nor internal who asks for external; where next to
// nothing is found, that is offered all the same if it stands beside the other words.
// So are words with accents where these tell words apart: who types them knows what they write.
func (sp *speller) meantAsWritten(run *searchRun, t *tokenize.Token) bool {
	if !sp.rare && !bytes.Equal(t.Term, t.Word) && slices.ContainsFunc(run.iv.schema.groups, func(g analyzerGroup) bool { return g.analyzer.AccentsTell() }) {
		return true
	}
	if !sp.rare && sp.isRight(run, t) {
		return true
	}
	common := run.iv.schema.tables().common
	if sp.req.Language != "" {
		if sp.everyday == nil {
			sp.everyday = commonTable(sp.req.Language)
		}
		common = sp.everyday
	}
	return run.res.words > 1 && common[string(t.Word)]
}

// isRight tells whether a word is one that a list of the language has, or the thesaurus.
func (sp *speller) isRight(run *searchRun, t *tokenize.Token) bool {
	return sp.written(run, t) || run.isListed(t) || !sp.req.NoSynonyms && !run.iv.schema.NoThesaurus && run.knows(t)
}

// knows tells whether the thesaurus of a language of the index has a word. In English, where all that
// is often written is in a list, it has to be one of its inflections: "goverment" has
// the stem of "governess".
func (run *searchRun) knows(t *tokenize.Token) bool {
	for _, g := range run.iv.schema.groups {
		if g.analyzer.Stems() == "en" && !isInflected(string(t.Word), string(t.Term)) {
			continue
		}
		if row, _ := thesaurus.Of(g.analyzer.Language()).Alone(string(t.Term)); row != "" {
			return true
		}
	}
	return false
}

// isInflected tells whether an English word is its stem with an ending that makes no other word of it.
func isInflected(word, stem string) bool {
	same := 0
	for same < min(len(word), len(stem)) && word[same] == stem[same] {
		same++
	}
	rest := word[same:]
	if same > 0 && len(rest) > 2 && rest[0] == word[same-1] {
		rest = rest[1:] // running
	}
	switch rest {
	case "", "d", "e", "ed", "er", "ers", "es", "ied", "ies", "ing", "ings", "ly", "s", "y":
		return true
	}
	return false
}

// isListed tells whether a word, in some form, is one of a language of the index that there are
// lists of, the thesaurus among them; or the small form of one, or a verb with a pronoun. Of
// English more is known: see tokenize.Written.
func (run *searchRun) isListed(t *tokenize.Token) bool {
	for _, g := range run.iv.schema.groups {
		language := g.analyzer.Stems()
		if language == "" || language == "en" {
			continue
		}
		known, word := run.e.listed(language), string(t.Word)
		if known.has(word, string(t.Term)) || g.analyzer.WithoutPronoun(word) != "" {
			return true
		}
		for _, large := range g.analyzer.NotSmall(word) {
			if tokens := g.analyzer.AnalyzeQuery(large); len(tokens) == 1 && known.has(large, string(tokens[0].Term)) {
				return true
			}
		}
	}
	return false
}

// written tells whether a word is one of the language of the request, or of the index, as it is
// written there.
func (sp *speller) written(run *searchRun, t *tokenize.Token) bool {
	if l := sp.req.Language; l != "" {
		return tokenize.Written(l, t.Word)
	}
	return slices.ContainsFunc(run.iv.schema.groups, func(g analyzerGroup) bool { return tokenize.Written(g.analyzer.Stems(), t.Word) })
}

// isWord tells whether a stem is a word of the language of the index, of which it is the stem.
// Other lists than [tokenize.Written] have stems besides words.
func (sp *speller) isWord(run *searchRun, stem string) bool {
	return slices.ContainsFunc(run.iv.schema.groups, func(g analyzerGroup) bool {
		tokens := g.analyzer.AnalyzeQuery(stem)
		return len(tokens) == 1 && string(tokens[0].Term) == stem && sp.written(run, &tokens[0])
	})
}

// commonTable returns the everyday words of languages in the form of Token.Word;
// not nil.
func commonTable(languages ...string) map[string]bool {
	var words []string
	for _, l := range slices.Compact(slices.Sorted(slices.Values(languages))) {
		words = append(words, tokenize.CommonWords(l)...)
	}
	if len(words) == 0 {
		return map[string]bool{}
	}
	return stopTable(words)
}
