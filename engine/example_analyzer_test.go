package engine_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/quarry-search/quarry/engine"
	"github.com/quarry-search/quarry/tokenize"
)

// sound is a key that names share which sound alike: the first letter and the
// consonants after it, by groups.
func sound(name string) string {
	groups := map[rune]rune{}
	for group, letters := range []string{"bfpv", "cgjkqsxz", "dt", "l", "mn", "r"} {
		for _, letter := range letters {
			groups[letter] = rune('1' + group)
		}
	}
	var key []rune
	for i, letter := range strings.ToLower(name) {
		if group := groups[letter]; i == 0 {
			key = append(key, letter)
		} else if group != 0 && group != key[len(key)-1] {
			key = append(key, group)
		}
	}
	return string(key)
}

// An analyzer of one's own: names are found by how they sound. The words stay
// what they are, so who is spelt as asked for comes first. What the words of a
// field are when a query looks for them is decided by the same rules, which
// Version names: another version needs a rebuild, see ErrOtherAnalyzer.
func Example_customAnalyzer() {
	ctx := context.Background()
	sounds, err := tokenize.New(tokenize.Options{
		Version: "sound-1",
		Filters: []tokenize.Filter{tokenize.Each(func(t *tokenize.Token) {
			t.Term = []byte("~" + sound(string(t.Word))) // no word begins with ~
		})},
	})
	if err != nil {
		log.Fatal(err)
	}
	e, err := engine.Open("", &engine.Options{Analyzers: map[string]*tokenize.Analyzer{"sounds": sounds}})
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()

	type Person struct {
		ID   string
		Name string `quarry:"analyzer=sounds"`
	}
	people, err := engine.Bind[Person](ctx, e, "people", nil)
	if err != nil {
		log.Fatal(err)
	}
	if err := people.Put(ctx, Person{"1", "Steffen Maier"}, Person{"2", "Stephan Meyer"}, Person{"3", "Ada Byron"}); err != nil {
		log.Fatal(err)
	}
	for hit, err := range people.Hits(ctx, &engine.Request{Query: "Stephan Maier", Match: engine.MatchAll}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(hit.Record.Name)
	}
	// Unordered output:
	// Steffen Maier
	// Stephan Meyer
}
