package tokenize

import "strings"

// The Snowball algorithm for Arabic takes the first letter of words for a preposition (بركان is
// ركان, وزير is زير), leaves the article behind "and" (والكسوف), and stems a word with the article
// otherwise than without (القطة, قطة). Arabic has a light stemmer instead: L. Larkey, L. Ballesteros and
// M. Connell, Light Stemming for Arabic Information Retrieval, 2007 ("light10"), which takes
// off the article with what is written together with it, "and", and the ends of words, and
// looks for no roots. It sees folded words.

// arabicPrefixes are the article, with "and", "in", "like", "so" or "for" before it. "And" by itself
// is the first letter of many words.
var arabicPrefixes = [...]string{"وال", "بال", "كال", "فال", "وبال", "ولل", "ال", "لل"}

// arabicSuffixes are taken off in this order, each once: pronouns, duals, plurals, feminines and
// adjectives.
var arabicSuffixes = [...]string{"ها", "ان", "ات", "ون", "ين", "يه", "ية", "ه", "ة", "ي"}

// arabicPronouns stand behind a word: of a feminine the ة before them is ت.
var arabicPronouns = [...]string{"ي", "ك", "ه", "ها", "نا", "هم", "كم", "هن", "كن"}

const (
	leastArabic = 2 // letters that are left
	leastAnd    = 3 // and behind "and" alone: ورد
	leastVowel  = 4 // before a final ا: كاميرا
	leastOwned  = 3 // before the ت of a feminine: وقتي is no وقة
)

// arabicStem returns the stem of a folded word. An "and" goes behind the article, too, where it is the first
// letter of the word itself: الوزارة has the stem of وزارة.
func arabicStem(word string) string {
	word = arabicBase(word)
	if !strings.HasPrefix(word, "والد") { // its first letters are no "and the"
		word = withoutArabicArticle(word)
	}
	if rest, ok := strings.CutPrefix(word, "و"); ok {
		if stem := withoutArabicEnds(rest); arabicLetters(stem) >= leastAnd {
			return stem
		}
	}
	return withoutArabicEnds(word)
}

func arabicLetters(s string) int { return len(s) / len("ا") }

func withoutArabicArticle(word string) string {
	for _, prefix := range arabicPrefixes {
		if rest, ok := strings.CutPrefix(word, prefix); ok && arabicLetters(rest) >= leastArabic {
			return rest
		}
	}
	return word
}

func withoutArabicEnds(word string) string {
	for _, pronoun := range arabicPronouns {
		if rest, ok := strings.CutSuffix(word, "ت"+pronoun); ok && arabicLetters(rest) >= leastOwned {
			word = rest + "ة"
			break
		}
	}
	for _, suffix := range arabicSuffixes {
		if rest, ok := strings.CutSuffix(word, suffix); ok && arabicLetters(rest) >= leastArabic {
			word = rest
		}
	}
	if rest, ok := strings.CutSuffix(word, "ا"); ok && arabicLetters(rest) >= leastVowel {
		return rest
	}
	return word
}
