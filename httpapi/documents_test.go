package httpapi

import (
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
)

// TestMigratingGuide sends the requests of docs/migrating.md, one after the
// other, and compares the answers with what the guide says of them.
func TestMigratingGuide(t *testing.T) {
	text := readDocument(t, "docs/migrating.md")
	s := withEngine(t, "")
	requests := 0
	var last answer
	for _, b := range fences(text) {
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

// TestREADME sends what the curl commands of README.md send.
func TestREADME(t *testing.T) {
	s := withEngine(t, "")
	commands := regexp.MustCompile(`(?s)    curl .*?https://127\.0\.0\.1:7374(/\S+).*? -d '(.*?)'\n`).FindAllStringSubmatch(readDocument(t, "README.md"), -1)
	if len(commands) != 2 {
		t.Fatalf("%d commands, want one to write and one to search", len(commands))
	}
	write := s.want(201, "POST", commands[0][1], commands[0][2])
	if !strings.Contains(write.body, `"state":"applied"`) {
		t.Errorf("written: %s", write.body)
	}
	found := s.want(200, "POST", commands[1][1], commands[1][2])
	for _, part := range []string{`"total":1,`, `{"from":"runing","to":"running"}`, `<mark>shoes</mark>`, `{"value":"Nike","count":1}`} {
		if !strings.Contains(found.body, part) {
			t.Errorf("found no %s in %s", part, found.body)
		}
	}
}

// TestFiguresOfTheRunningGuide: what docs/running.md tells operators to watch
// is there to be watched, and its routes are the service's.
func TestFiguresOfTheRunningGuide(t *testing.T) {
	s := withEngine(t, "")
	w := httptest.NewRecorder()
	s.server.Metrics().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	text := readDocument(t, "docs/running.md")
	names := regexp.MustCompile(`\bquarry_\w+(\{\w+="[^"]*"\})?`).FindAllString(text, -1)
	if len(names) < 5 {
		t.Errorf("only %q; the test does not find them", names)
	}
	for _, name := range names {
		name, label, _ := strings.Cut(name, "{")
		if !strings.Contains(w.Body.String(), "\n"+name) || !strings.Contains(w.Body.String(), strings.TrimSuffix(label, "}")) {
			t.Errorf("no figure %s with label %q", name, label)
		}
	}
}

func readDocument(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("../" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
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
