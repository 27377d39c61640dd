package query

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

var rewrite = flag.Bool("rewrite", false, "write what the tests get to testdata instead of comparing")

// TestErrors compares the errors about the texts of testdata/errors.txt, of
// which each line has a parser and a quoted text, and the line below it what
// the parser says.
func TestErrors(t *testing.T) {
	path := filepath.Join("testdata", "errors.txt")
	golden, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for i, line := range strings.Split(strings.TrimRight(string(golden), "\n"), "\n") {
		if strings.HasPrefix(line, "\t") {
			continue
		}
		fmt.Fprintln(&got, line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, quoted, _ := strings.Cut(line, " ")
		parse := map[string]func(string, Limits) (Node, error){"filter": ParseFilter, "query": ParseQuery}[name]
		text, err := strconv.Unquote(quoted)
		if err != nil || parse == nil {
			t.Fatalf("%s:%d: want filter or query and a quoted text, got %s", path, i+1, line)
		}
		n, err := parse(text, Limits{})
		if err == nil {
			t.Errorf("%s:%d: %s parses to %s", path, i+1, line, dump(n))
		}
		fmt.Fprintf(&got, "\t%v\n", err)
	}
	if got.String() == string(golden) {
		return
	}
	if !*rewrite {
		t.Errorf("%s differs from what the parsers say (go test -rewrite writes it):\n%s", path, got.String())
		return
	}
	if err := os.WriteFile(path, []byte(got.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// Errors may be logged and what users look for may not, so that an error says
// where a word is, but not which.
func TestErrorsQuoteNoWords(t *testing.T) {
	secret := func(n Node) Node {
		value := func(v Value) Value {
			switch v.Kind {
			case KindString:
				v.Str = "zorp"
			case KindInt:
				v.Int = 7719
			}
			return v
		}
		switch n := n.(type) {
		case Text:
			n.Text, n.Field = "zorp", "zorp"
			return n
		case Compare:
			return Compare{"zorp", n.Op, value(n.Value)}
		case Range:
			n.Field, n.Low.Value, n.High.Value = "zorp", value(n.Low.Value), value(n.High.Value)
			return n
		case Exists:
			return Exists{"zorp"}
		}
		return n
	}
	failed := 0
	for seed := range uint64(5000) {
		g := newGenerator(seed)
		parse, n := ParseFilter, g.filter(3)
		if seed%2 == 0 {
			parse, n = ParseQuery, g.query(3)
		}
		text := String(Rewrite(n, secret))
		at := g.IntN(len(text) + 1)
		for !utf8.RuneStart((text + "x")[at]) {
			at--
		}
		text = text[:at] + pick(g, "", " ", ")", "(", "[", `"`, "'", "`", `\`, "^", "~", ":", "=", " zorp", " AND ", " NOT ", " IN ", "..") +
			text[min(len(text), at+g.IntN(4)):]
		_, err := parse(text, Limits{})
		if err == nil {
			continue
		}
		failed++
		if message := err.Error(); strings.Contains(message, "zorp") || strings.Contains(message, "7719") {
			t.Fatalf("seed %d: the error about %q repeats a word: %v", seed, text, err)
		}
	}
	if failed < 500 {
		t.Errorf("only %d texts had errors", failed)
	}
}

func TestErrorIsFoundThroughWrapping(t *testing.T) {
	_, err := ParseFilter("a = ", Limits{})
	err = fmt.Errorf("filter of key 7: %w", err)
	var e *Error
	if !errors.As(err, &e) || e.Code != CodeInvalidFilter || e.Column != 5 {
		t.Errorf("got %+v, want code %s at column 5", e, CodeInvalidFilter)
	}
}
