package httpapi

import (
	"os"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
)

// TestMigratingGuide sends the requests of docs/migrating.md, one after the
// other, and compares the answers with what the guide says of them.
func TestMigratingGuide(t *testing.T) {
	text, err := os.ReadFile("../docs/migrating.md")
	if err != nil {
		t.Fatal(err)
	}
	s := withEngine(t, "")
	requests := 0
	var last answer
	for _, b := range fences(string(text)) {
		switch b.language {
		case "http":
			requests++
			first, headers, body := cutMessage(b.text)
			method, path, _ := strings.Cut(first, " ")
			if last = s.do(method, path, body, headers...); last.status/100 != 2 {
				t.Fatalf("line %d: %s: status %d: %s", b.line, first, last.status, last.body)
			}
		case "json":
			var want, got any
			if err := json.Unmarshal([]byte(b.text), &want); err != nil {
				t.Fatalf("line %d: %v", b.line, err)
			}
			last.into(t, &got)
			for _, wrong := range matches(want, got, "", map[string]string{}) {
				t.Errorf("line %d: %s in %s", b.line, wrong, last.body)
			}
		}
	}
	if requests < 20 {
		t.Errorf("the guide has %d requests; the test does not find them", requests)
	}
}

// fence is a block of a Markdown text between lines of ```.
type fence struct {
	language, text string
	line           int // of its first line
}

func fences(text string) (list []fence) {
	open := false
	for i, line := range strings.Split(text, "\n") {
		language, is := strings.CutPrefix(line, "```")
		switch {
		case is && !open:
			list = append(list, fence{language: language, line: i + 2})
			open = true
		case is:
			open = false
		case open:
			list[len(list)-1].text += line + "\n"
		}
	}
	return list
}
