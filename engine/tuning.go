package engine

// Tuning says what the stages of the default ranking are worth. The zero value
// is the ranking as it was chosen on judged collections. In each member 0
// stands for the default and a negative number for none: the stage is left
// out. At most 1,000. RankingBM25 has none of the stages.
//
// Negation, Title, Proximity, Passage, Coverage, Character, Answer, Family and Thesaurus
// are bonuses: what they give is added to the scores of the best records alone (24, and those
// whose name the query is;
// Character and Answer: 10, Family: those of the 10 that may come first by it), where the
// order is by score. Compound and MixedPair are weights of terms. So are Filler and Form,
// which count for the best records alone, too, unless there is a MinScore or another
// order.
type Tuning struct {
	// Filler is the weight of filler words where two or more other words
	// remain, as a factor up to 1; see Request.NoStopWords. Default 0.2. A word that
	// the built-in thesaurus knows another one for which two fifths of all records hold, of a
	// hundred or more, is a filler word, too: "movies" among films.
	Filler float64
	// Form is what the very form of a word adds to that of its stem, as a
	// share of it. Default 0.1.
	Form float64
	// Negation is what a word after "without" and the like takes away from the
	// records that hold it, as a share of what it would give. Default 0.2. "Without"
	// denies nothing where a query of four words or more is asked of an index of nothing but
	// texts, unless it ends so and one of them says that something is with that: "pictures
	// without flash in low light".
	// Left out, values that are not wanted stay words, too; see Intent.
	Negation float64
	// Compound is the weight of words joined and split ("note book" and
	// "notebook", "mx5" and "MX-5") and of words in compounds of languages that write
	// them as one word ("Jacke" in "Winterjacke"; see tokenize.Analyzer.Links), as a
	// share of the weight of what was typed. Default 0.5.
	Compound float64
	// Title is what a title adds that consists of the words of the query, as a
	// share of their weight. Titles are the fields that weigh more than 1.
	// Default 0.2. With any, records come first that have a title which is just what
	// the query says (StageName): in its words, their forms and their order, and with no
	// others; or whose id it is, unless that is a number. Not if more than 24 of the matches
	// are called so.
	Title float64
	// Proximity is what words add that stand together as they do in the query,
	// as a share of the weight of the lesser one. Default 0.2; it fades in queries of
	// more than ten words, and is nothing in those of twenty-five.
	Proximity float64
	// Passage is what a passage of 30 words adds that holds all words of a query
	// of three or more, as a share of their weight, and five times as much where
	// they are pairs of characters. Default 0.1.
	Passage float64
	// Coverage is what the two words of a query of two add where a record holds
	// both, as a share of their weight; one alone adds much less. Default 0.2.
	Coverage float64
	// Character is what the characters of words without spaces add where a record
	// holds all of them near by, as a share of what the least of their pairs weigh;
	// some of them add less than their share. Default 0.35.
	Character float64
	// Answer is what a record adds that has a number of what a question of Chinese
	// or Japanese asks the number of, or a date if it asks when, as a share of what
	// a word of the query weighs in the mean. Default 0.75.
	Answer float64
	// Family is what a word adds that begins as one of the query, or has a part that
	// does, where a record does not hold that itself, as a share of its weight. It is
	// for fields of languages that make many words of one (see
	// tokenize.Analyzer.Families), and not for words asked for in a field of their
	// own ("title:war"). Default 0.2.
	Family float64
	// Thesaurus is what a record gets that lacks a word of the query, and has
	// something that the built-in thesaurus knows to stand for it, as a factor on what
	// that is worth beside the word: 0.6 of it for another form ("colour", "color") or
	// a word of its family ("birth", "born"), 0.5 for a synonym or a kind of it
	// ("footwear", "shoe"). Where few records hold the word, what stands for it is
	// found, too; where none does, for 0.9 of it, 0.8 for a word of its family and 0.6
	// for a kind. It is for fields of the languages that the thesaurus knows (ar, ca,
	// cs, da, de, el, en, es, fi, fr, hi, hu, it, ja, ko, nl, no, pl, pt, ro, ru, sv,
	// tr, uk, vi, zh), and for words without a sign. Default 1.
	Thesaurus float64
	// MixedPair is the weight of a pair of characters of which one is Chinese and
	// the other Hiragana, as a factor up to 1. Default 0.5.
	MixedPair float64
}

// tuned is a member of a Tuning.
type tuned struct {
	name string
	at   *float64
	def  float64
}

func (t *Tuning) members() [13]tuned {
	return [...]tuned{
		{"filler", &t.Filler, stopPenalty}, {"form", &t.Form, exactBonus}, {"negation", &t.Negation, negationShare},
		{"compounds", &t.Compound, compoundShare}, {"titles", &t.Title, titleShare}, {"proximity", &t.Proximity, proximityShare},
		{"passages", &t.Passage, passageShare}, {"coverage", &t.Coverage, coverageShare}, {"characters", &t.Character, characterShare},
		{"answers", &t.Answer, answerShare}, {"families", &t.Family, familyShare}, {"mixed_pairs", &t.MixedPair, mixedPairWeight},
		{"thesaurus", &t.Thesaurus, 1},
	}
}

// effective returns the tuning with defaults filled in, and 0 for what is left
// out.
func (t Tuning) effective() Tuning {
	for _, v := range t.members() {
		switch {
		case *v.at == 0:
			*v.at = v.def
		case *v.at < 0:
			*v.at = 0
		}
	}
	return t
}
