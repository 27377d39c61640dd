package tokenize

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

var rewrite = flag.Bool("rewrite", false, "write the golden files in testdata instead of comparing")

// TestGolden runs the cases in testdata/*.txt. A case is a line of options, the
// text, a line "----" and a line per token up to a blank line:
//
//	analyze language=en parts query whitespace nostem max=64
//	The text, of one or more lines.
//	----
//	0 [0,3) word stop the
//
// A token's line has position, offsets, kind, "stop" and "part" where they
// hold, the term, and the word after '<' where it differs.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			old, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var out strings.Builder
			for block := range strings.SplitSeq(strings.TrimSpace(string(old)), "\n\n") {
				head, want, _ := strings.Cut(block, "\n----")
				command, text, _ := strings.Cut(head, "\n")
				got := goldenTokens(t, command, text)
				if want = strings.TrimPrefix(want, "\n"); got != want && !*rewrite {
					t.Errorf("%s\n%s\n got\n%s\nwant\n%s", command, text, got, want)
				}
				fmt.Fprintf(&out, "%s\n----\n%s\n\n", head, got)
			}
			if *rewrite {
				if err := os.WriteFile(file, []byte(out.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func goldenTokens(t *testing.T, command, text string) string {
	t.Helper()
	var o Options
	analyze := (*Analyzer).Analyze
	for _, arg := range strings.Fields(command)[1:] {
		name, value, _ := strings.Cut(arg, "=")
		switch name {
		case "language":
			o.Language = value
		case "parts":
			o.Parts = true
		case "nostem":
			o.NoStem = true
		case "whitespace":
			o.Mode = Whitespace
		case "query":
			analyze = (*Analyzer).AnalyzeQuery
		case "max":
			n, err := strconv.Atoi(value)
			if err != nil {
				t.Fatalf("%s: %v", command, err)
			}
			o.MaxTokenBytes = n
		default:
			t.Fatalf("%s: option %s is not known", command, arg)
		}
	}
	var lines []string
	for _, tok := range analyze(mustNew(t, o), text) {
		line := fmt.Sprintf("%d [%d,%d) %s", tok.Position, tok.Start, tok.End, tok.Kind)
		if tok.Stop {
			line += " stop"
		}
		if tok.Part {
			line += " part"
		}
		line += " " + string(tok.Term)
		if string(tok.Word) != string(tok.Term) {
			line += " < " + string(tok.Word)
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}
