package thesaurus

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed apart/en.txt
var apartEnglish string

// apartMark is what stands behind a word of which the stem is that of others in the place of its term.
const apartMark = "/"

// apartWords are the words of apart/en.txt and what they are asked for by.
var apartWords = sync.OnceValue(func() map[string]string {
	words := map[string]string{}
	for line := range strings.Lines(apartEnglish) {
		line, _, _ = strings.Cut(line, "#")
		forms := strings.Fields(strings.TrimPrefix(line, "!"))
		for _, form := range forms {
			words[form] = forms[0] + apartMark
		}
	}
	return words
})

// Apart returns what a word is asked for by in place of its term, if the thesaurus of a language keeps it
// apart from others that have that; "" if it does not.
func Apart(language, word string) string {
	if language != "en" {
		return ""
	}
	return apartWords()[word]
}
