package tokenize

import (
	"embed"
	"strings"
)

// cueFiles holds three lists per language: a cue a line, lower case, sorted. "~"
// behind a cue stands for what it follows, and "-" before it makes it the end of a word; "?"
// before it makes it doubtful, and "*" one that tells.
//
//go:embed data/without-*.txt data/lacks-*.txt data/has-*.txt
var cueFiles embed.FS

// Cue is a word, or a few, that people put beside what they do not want.
type Cue struct {
	Words []string // in folded form, as in Token.Word
	After bool     // stands behind what is not wanted, as "hariç" in Turkish; else before it, as "without"
	Ends  bool     // the same, and is written together with it: the "less" of "sleeveless"

	// Doubtful: beside what is not wanted it may stand as well in what goes wrong: "not".
	Doubtful bool

	// Tells: among texts it tells how something is as often as what is not wanted: "pictures
	// without flash".
	Tells bool
}

// Exclusions returns the cues of a language, by its code, by which a query says
// that it does not want something: "without", "other than", "but not". It
// returns nil for a language without a list. The caller owns the slice.
func Exclusions(language string) []Cue {
	return cuesIn("data/without-" + language + ".txt")
}

// Lacks returns the cues of a language by which a text says of a thing what it does not have:
// "without", "no", "free" behind a word, "less" at its end. In a query most of these may mean
// something else. It returns nil for a language without a list. The caller owns the slice.
func Lacks(language string) []Cue {
	return cuesIn("data/lacks-" + language + ".txt")
}

// Has returns the cues of a language by which a text says of a thing what it does have: "with".
// It returns nil for a language without a list. The caller owns the slice.
func Has(language string) []Cue {
	return cuesIn("data/has-" + language + ".txt")
}

func cuesIn(file string) []Cue {
	b, err := cueFiles.ReadFile(file)
	if err != nil {
		return nil
	}
	var out []Cue
	for line := range strings.Lines(string(b)) {
		text, after := strings.CutSuffix(strings.TrimSpace(line), " ~")
		text, ends := strings.CutPrefix(text, "-")
		text, doubtful := strings.CutPrefix(text, "? ")
		text, tells := strings.CutPrefix(text, "* ")
		text = strings.NewReplacer("'", " ", "’", " ").Replace(string(Fold(nil, []byte(text))))
		out = append(out, Cue{strings.Fields(text), after, ends, doubtful, tells})
	}
	return out
}
