package tokenize_test

import (
	"fmt"

	"github.com/quarry-search/quarry/tokenize"
)

func Example() {
	a, err := tokenize.New(tokenize.Options{Language: "en"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, t := range a.Analyze("The café’s running shoes cost 1,000.50") {
		fmt.Printf("%d [%d,%d) %s %q stop=%v\n", t.Position, t.Start, t.End, t.Kind, t.Term, t.Stop)
	}
	// Output:
	// 0 [0,3) word "the" stop=true
	// 1 [4,13) word "cafe" stop=false
	// 2 [14,21) word "run" stop=false
	// 3 [22,27) word "shoe" stop=false
	// 4 [28,32) word "cost" stop=false
	// 5 [33,41) number "1,000.50" stop=false
}

// A goroutine that indexes many texts keeps one Stream.
func ExampleStream() {
	a, err := tokenize.New(tokenize.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	s := a.NewStream()
	for _, text := range []string{"Straße nach Łódź", "東京都"} {
		s.Reset([]byte(text))
		var terms []string
		for t, ok := s.Next(); ok; t, ok = s.Next() {
			terms = append(terms, string(t.Term)) // the token itself lasts until Next
		}
		fmt.Println(terms)
	}
	// Output:
	// [strasse nach lodz]
	// [東京 京都 都]
}

// Query text leaves out the single character that ends a longer run.
func ExampleAnalyzer_AnalyzeQuery() {
	a, err := tokenize.New(tokenize.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, t := range a.AnalyzeQuery("東京都 水") {
		fmt.Printf("%s %s\n", t.Term, t.Kind)
	}
	// Output:
	// 東京 bigram
	// 京都 bigram
	// 水 unigram
}

// Parts find the words inside the identifiers of source code.
func ExampleOptions_parts() {
	a, err := tokenize.New(tokenize.Options{Parts: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, t := range a.Analyze("parseHTTP2Header") {
		fmt.Printf("%d %s\n", t.Position, t.Term)
	}
	// Output:
	// 0 parsehttp2header
	// 0 parse
	// 0 http
	// 0 2
	// 0 header
}

func ExampleFold() {
	fmt.Printf("%s\n", tokenize.Fold(nil, []byte("Crème BRÛLÉE, ＡＢＣ, Ærø")))
	// Output: creme brulee, abc, aero
}
