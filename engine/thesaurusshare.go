package engine

import "github.com/quarry-search/quarry/engine/internal/thesaurus"

// thesaurusShare is what a phrase is worth where it stands for another, as a share of
// what that is worth. Words of one family are worth more than synonyms: of what two
// people call a thing, each has a meaning of its own more often than a noun has beside
// its verb. Other forms are worth less than those, since most of the forms that a stemmer leaves
// apart are of verbs, and questions have the same few verbs about everything: with 0.8, Spanish
// and Turkish questions found less. What several words together are called is the thing itself:
// who asks for a heart attack wants a myocardial infarction, and not a heart and an attack. With
// 0.4 for that, too, .599 of what 16 questions of the project's own collection are after is found, with 0.7
// .646, with 1 .656, and judged collections change by .001 at most.
func thesaurusShare(r thesaurus.Relation, words int) float64 {
	switch r {
	case thesaurus.Spelling, thesaurus.Form:
		return 0.5
	case thesaurus.Kin:
		return 0.6
	case thesaurus.Same:
		if words > 1 {
			return 1
		}
		return 0.4
	}
	return 0.2
}

// missingShare is thesaurusShare where no record holds any of the words. Then what stands for
// them is all that they can find, and has to hold its own against the other words of the query:
// who asks whether the mic works wants the microphone, and not all that works. Of 1,665
// queries of what people type, 8 more find what they are to find so.
func missingShare(r thesaurus.Relation, words int) float64 {
	switch r {
	case thesaurus.Spelling, thesaurus.Form:
		return 0.9
	case thesaurus.Same:
		return max(0.9, thesaurusShare(r, words))
	case thesaurus.Narrower:
		return 0.5
	}
	return thesaurusShare(r, words)
}
