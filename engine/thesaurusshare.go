package engine

import "github.com/quarry-search/quarry/engine/internal/thesaurus"

// thesaurusShare is what a phrase is worth where it stands for another, as a share of
// what that is worth. Other forms and words of one family are worth a little more than synonyms: of
// what two people call a thing, each has a meaning of its own more often than a noun has beside
// its verb. With .8 and more for forms, Spanish and Turkish questions found less: most of the forms that a
// stemmer leaves apart are of verbs, and questions have the same few verbs about everything. What several
// words together are called is the thing itself: who asks for a heart attack wants a myocardial
// infarction, and not a heart and an attack. A kind of what was asked for ("footwear" and a shoe) is worth
// as much as a synonym: a record that names the kind seldom names the whole besides.
//
// The values were chosen on the judged collections of the project, by which each of them is where
// changes in either direction lose or make no difference (bench/results/2026-11-27-judged-4.md).
func thesaurusShare(r thesaurus.Relation, words int) float64 {
	switch r {
	case thesaurus.Spelling, thesaurus.Form, thesaurus.Kin:
		return 0.6
	case thesaurus.Same:
		if words > 1 {
			return 1
		}
	}
	return 0.5
}

// missingShare is thesaurusShare where no record holds any of the words. Then what stands for
// them is all that they can find, and has to hold its own against the other words of the query:
// who asks whether the mic works wants the microphone, and not all that works.
func missingShare(r thesaurus.Relation, words int) float64 {
	switch r {
	case thesaurus.Spelling, thesaurus.Form:
		return 0.9
	case thesaurus.Kin:
		return 0.8
	case thesaurus.Same:
		return max(0.9, thesaurusShare(r, words))
	}
	return 0.6
}
