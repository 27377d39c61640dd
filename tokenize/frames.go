package tokenize

import (
	"embed"
	"strings"
)

// frameFiles holds a list per language, of a phrase on each line.
//
//go:embed data/frame-*.txt
var frameFiles embed.FS

// Frames returns phrases of a language, by its code, that people put around what
// they ask for: "i am looking for", "thanks in advance". Their words may say much by
// themselves, as "looking" and "advance" do, but not there. It returns nil for a language without a list. The caller owns the
// slice.
//
// "^" before a phrase says that a query begins with it, or a part of one behind a pause, and "$" that
// it ends so; one that ends in a comma has a pause behind it.
func Frames(language string) []string {
	b, err := frameFiles.ReadFile("data/frame-" + language + ".txt")
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimSpace(string(b)), "\n")
}
