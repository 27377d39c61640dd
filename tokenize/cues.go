package tokenize

import (
	"embed"
	"strings"
)

// cueFiles holds a list per language: a cue a line, lower case, sorted. "~"
// behind a cue stands for what it follows.
//
//go:embed data/without-*.txt
var cueFiles embed.FS

// Cue is a word, or a few, that people put beside what they do not want.
type Cue struct {
	Words []string // in folded form, as in Token.Word
	After bool     // stands behind what is not wanted, as "hariç" in Turkish; else before it, as "without"
}

// Exclusions returns the cues of a language, by its code, by which a query says
// that it does not want something: "without", "other than", "but not". It
// returns nil for a language without a list. The caller owns the slice.
func Exclusions(language string) []Cue {
	b, err := cueFiles.ReadFile("data/without-" + language + ".txt")
	if err != nil {
		return nil
	}
	var out []Cue
	for line := range strings.Lines(string(b)) {
		text, after := strings.CutSuffix(strings.TrimSpace(line), " ~")
		text = strings.NewReplacer("'", " ", "’", " ").Replace(string(Fold(nil, []byte(text))))
		out = append(out, Cue{strings.Fields(text), after})
	}
	return out
}
