package tokenize

import "strings"

// vietnameseStem returns a Vietnamese word in one of the two ways to write its tone: hòa is hoà,
// and thúy thuý. Words of Vietnamese have no endings; they are syllables, which their accents
// tell apart (language.accentsTell).
func vietnameseStem(word string) string { return vietnameseTones.Replace(word) }

// vietnameseTones writes a tone on the last vowel of oa, oe and uy.
var vietnameseTones = strings.NewReplacer(
	"òa", "oà", "óa", "oá", "ỏa", "oả", "õa", "oã", "ọa", "oạ",
	"òe", "oè", "óe", "oé", "ỏe", "oẻ", "õe", "oẽ", "ọe", "oẹ",
	"ùy", "uỳ", "úy", "uý", "ủy", "uỷ", "ũy", "uỹ", "ụy", "uỵ",
)
