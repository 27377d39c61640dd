package tokenize

import (
	"bytes"
	"iter"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// byComma is a Tokenizer: it cuts at commas.
func byComma(text []byte) iter.Seq[Token] {
	return func(yield func(Token) bool) {
		for start, n := 0, 0; start < len(text); n++ {
			end := start + bytes.IndexByte(append(text[start:len(text):len(text)], ','), ',')
			if !yield(Token{Term: text[start:end], Start: start, End: end, Position: n}) {
				return
			}
			start = end + 1
		}
	}
}

// grams is a Filter: it puts three letters in the place of each word, and of
// each end of it when a text is indexed.
func grams(tokens iter.Seq[Token], query bool) iter.Seq[Token] {
	return func(yield func(Token) bool) {
		at := 0
		for t := range tokens {
			word := []rune(string(t.Word))
			for i := 0; i == 0 || i+3 <= len(word) && !query; i++ {
				g := t
				g.Term = []byte("~" + string(word[i:min(i+3, len(word))]))
				g.Position, at = at, at+1
				if !yield(g) {
					return
				}
			}
		}
	}
}

var (
	upper   = Each(func(t *Token) { t.Term = bytes.ToUpper(t.Term) })
	noStops = Each(func(t *Token) {
		if t.Stop {
			t.Term = nil
		}
	})
)

func TestRulesOfOnesOwn(t *testing.T) {
	for _, c := range []struct {
		name               string
		options            Options
		text, index, query string
	}{
		{"a tokenizer", Options{Tokenizer: byComma}, "red shoes,,Größe 42", "red shoes Größe 42", "red shoes Größe 42"},
		{"and filters", Options{Tokenizer: byComma, Filters: []Filter{upper}}, "red shoes,x", "RED SHOES X", "RED SHOES X"},
		{"filters of the package's tokens", Options{Language: "en", Filters: []Filter{noStops, upper}}, "the running of the bulls", "RUN BULL", "RUN BULL"},
		{"in their order", Options{Filters: []Filter{grams, upper}}, "Abcde fg", "~ABC ~BCD ~CDE ~FG", "~ABC ~FG"},
		{"pairs", Options{Filters: []Filter{upper}}, "東京都 x", "東京 京都 都 X", "東京 京都 X"},
		{"nothing", Options{Filters: []Filter{upper}}, "", "", ""},
		{"all dropped", Options{Filters: []Filter{Each(func(t *Token) { t.Term = nil })}}, "a b", "", ""},
	} {
		c.options.Version = "1"
		a := mustNew(t, c.options)
		if got := terms(a.Analyze(c.text)); got != c.index {
			t.Errorf("%s: Analyze(%q)\n got %s\nwant %s", c.name, c.text, got, c.index)
		}
		if got := terms(a.AnalyzeQuery(c.text)); got != c.query {
			t.Errorf("%s: AnalyzeQuery(%q)\n got %s\nwant %s", c.name, c.text, got, c.query)
		}
		if err := a.Check(c.text, false); err != nil {
			t.Errorf("%s: Check(%q): %v", c.name, c.text, err)
		}
	}
}

// TestWordsOfOnesOwn: a filter that changes terms leaves the words alone, and
// Word is Term where a tokenizer sets none.
func TestWordsOfOnesOwn(t *testing.T) {
	got := mustNew(t, Options{Language: "en", Filters: []Filter{upper}, Version: "1"}).Analyze("Running")
	if len(got) != 1 || string(got[0].Term) != "RUN" || string(got[0].Word) != "running" {
		t.Errorf("Analyze(Running) = %+v", got)
	}
	got = mustNew(t, Options{Tokenizer: byComma, Version: "1"}).Analyze("Running")
	if len(got) != 1 || string(got[0].Word) != "Running" {
		t.Errorf("Analyze(Running) = %+v", got)
	}
}

// TestFilterThatChangesNothing: the tokens are those of the package, also for
// goroutines that share an Analyzer, and for texts whose words do not fit the
// memory that is there.
func TestFilterThatChangesNothing(t *testing.T) {
	for _, o := range []Options{{}, {Language: "en", Parts: true}, {Mode: Whitespace}, {Language: "it", MaxTokenBytes: 64}} {
		plain := mustNew(t, o)
		o.Filters, o.Version = []Filter{func(tokens iter.Seq[Token], _ bool) iter.Seq[Token] { return tokens }}, "1"
		same := mustNew(t, o)
		var work sync.WaitGroup
		for seed := range uint64(4) {
			work.Go(func() {
				rng := rand.New(rand.NewPCG(seed, 8))
				for range 300 {
					text := randomText(rng, awkward, rng.IntN(200))
					if err := same.Check(text, false); err != nil {
						t.Errorf("seed %d: %q: %v", seed, text, err)
					}
					if d := cmp.Diff(plain.Analyze(text), same.Analyze(text)); d != "" {
						t.Errorf("seed %d: Analyze(%q) (-want +got):\n%s", seed, text, d)
					}
					if d := cmp.Diff(plain.AnalyzeQuery(text), same.AnalyzeQuery(text)); d != "" {
						t.Errorf("seed %d: AnalyzeQuery(%q) (-want +got):\n%s", seed, text, d)
					}
				}
			})
		}
		work.Wait()
	}
}

// TestTokensThatCannotBe: what nobody can index ends the tokens, with a reason.
func TestTokensThatCannotBe(t *testing.T) {
	good := Token{Term: []byte("good"), Start: 0, End: 1}
	for _, c := range []struct {
		name, want string
		bad        Token
	}{
		{"long", "65 bytes", Token{Term: bytes.Repeat([]byte("x"), 65)}},
		{"long word", "65 bytes", Token{Term: []byte("x"), Word: bytes.Repeat([]byte("x"), 65)}},
		{"bad bytes", "UTF-8", Token{Term: []byte("\xff")}},
		{"behind the text", "a text of 5", Token{Term: []byte("x"), Start: 1, End: 6}},
		{"before the text", "a text of 5", Token{Term: []byte("x"), Start: -1, End: 1}},
		{"backwards", "a text of 5", Token{Term: []byte("x"), Start: 2, End: 1}},
		{"inside of a character", "cuts a character", Token{Term: []byte("x"), Start: 0, End: 2}},
		{"positions that fall", "position -1 behind", Token{Term: []byte("x"), Position: -1}},
		{"positions that leap", "more than 80", Token{Term: []byte("x"), Position: 80}},
		{"kind", "unknown kind", Token{Term: []byte("x"), Kind: 9}},
	} {
		a := mustNew(t, Options{Version: "1", MaxTokenBytes: 64, Tokenizer: func([]byte) iter.Seq[Token] {
			return func(yield func(Token) bool) { _ = yield(good) && yield(c.bad) && yield(good) }
		}})
		const text = "zürn" // the second character has two bytes
		s := a.NewStream()
		s.Reset([]byte(text))
		n := 0
		for _, ok := s.Next(); ok; _, ok = s.Next() {
			n++
		}
		if n != 1 || s.Err() == nil || !strings.Contains(s.Err().Error(), c.want) {
			t.Errorf("%s: %d tokens, then %v, want 1 and an error with %q", c.name, n, s.Err(), c.want)
		}
		if err := a.Check(text, true); err == nil || err.Error() != s.Err().Error() {
			t.Errorf("%s: Check says %v, the stream %v", c.name, err, s.Err())
		}
		s.Reset(nil)
		if s.Err() != nil {
			t.Errorf("%s: the next text: %v", c.name, s.Err())
		}
	}
	endless := mustNew(t, Options{Version: "1", Tokenizer: func([]byte) iter.Seq[Token] {
		return func(yield func(Token) bool) {
			for yield(good) {
			}
		}
	}})
	if err := endless.Check("abc", false); err == nil {
		t.Error("a tokenizer without an end is not found out")
	}
}

func TestVersions(t *testing.T) {
	for _, o := range []Options{
		{Version: "1"},
		{Tokenizer: byComma},
		{Filters: []Filter{upper}},
		{Filters: []Filter{nil}, Version: "1"},
		{MaxTokenBytes: 5000},
	} {
		if _, err := New(o); err == nil {
			t.Errorf("New(%+v): no error", o)
		}
	}
	seen := map[string]Options{}
	for _, o := range []Options{
		{}, {Language: "en"}, {NoStem: true}, {Parts: true}, {Mode: Whitespace}, {MaxTokenBytes: 64},
		{Filters: []Filter{upper}, Version: "1"}, {Filters: []Filter{upper}, Version: "2"},
		{Filters: []Filter{upper}, Version: "1", Language: "en"}, {Tokenizer: byComma, Version: "1"},
	} {
		a := mustNew(t, o)
		if other, ok := seen[a.Version()]; ok {
			t.Errorf("%+v and %+v have the version %q", o, other, a.Version())
		}
		seen[a.Version()] = o
		if again := mustNew(t, o); again.Version() != a.Version() {
			t.Errorf("%+v has the versions %q and %q", o, a.Version(), again.Version())
		}
	}
}

// A Filter may append to the bytes of a token: what stands behind the text is no other
// token's.
func TestFilterThatAppends(t *testing.T) {
	a := mustNew(t, Options{Tokenizer: byComma, Filters: []Filter{Each(func(t *Token) {
		t.Word, t.Term = t.Term, append(t.Term, '+')
	})}, Version: "1"})
	for _, text := range []string{"book", "a", "some longer text"} {
		if got := a.AnalyzeQuery(text); len(got) != 1 || string(got[0].Term) != text+"+" || string(got[0].Word) != text {
			t.Errorf("%q gives %q", text, terms(got))
		}
	}
}
