package engine

import (
	"fmt"
	"maps"
	"slices"
	"testing"
)

// TestThesaurusRepairedWords: what stands for a repaired word is looked for in the fields
// in which words are repaired; the same with synonyms of the schema.
func TestThesaurusRepairedWords(t *testing.T) {
	e := newEngine(t, nil)
	fields := []Field{{Name: "title", Type: Text, Search: true}, {Name: "name", Type: Text, Search: true}}
	create(t, e, "known", Schema{Fields: fields})
	create(t, e, "named", Schema{Fields: fields, NoThesaurus: true, Synonyms: []Synonym{{Words: []string{"couch", "sofa"}}}})
	for _, index := range []string{"known", "named"} {
		apply(t, e, puts(index, `{"id":"1","title":"couch"}`, `{"id":"2","name":"sofa"}`, `{"id":"3","name":"couch"}`, `{"id":"4","title":"sofa"}`))
		for _, c := range []struct {
			off  []string
			want string
		}{{nil, "1 2 3 4"}, {[]string{"name"}, "1 4"}, {[]string{"title"}, "2 3"}, {[]string{"title", "name"}, ""}} {
			res := find(t, e, &Request{Indexes: []string{index}, Query: "couchh ", Typo: Typo{OffFields: c.off}})
			if got := sortedIDs(res); got != c.want {
				t.Errorf("%s, words are not repaired in %q: found %q, want %q", index, c.off, got, c.want)
			}
		}
	}
	// The same in the best records, where many hold the word.
	var records []string
	for i := range 6 {
		records = append(records, fmt.Sprintf(`{"id":"c%d","title":"couch %d"}`, i, i))
	}
	for i := range 100 {
		records = append(records, fmt.Sprintf(`{"id":"l%d","title":"lamp %d"}`, i, i))
	}
	records = append(records, `{"id":"x","title":"blue","name":"sofa"}`, `{"id":"y","title":"blue sofa"}`)
	apply(t, e, puts("known", records...))
	res := find(t, e, &Request{Indexes: []string{"known"}, Query: "blue couchh ", Match: MatchAny, Explain: true, Limit: 100, Typo: Typo{OffFields: []string{"name"}}})
	if got := raised(res); got != "y" {
		t.Errorf("what stands for a repaired word raises %q, want y", got)
	}
}

// raised names the records that have something that stands for a word they lack.
func raised(res *Result) string {
	hits := slices.DeleteFunc(slices.Clone(res.Hits), func(h Hit) bool { return stages(h)[StageThesaurus] == 0 })
	return sortedIDs(&Result{Hits: hits})
}

// TestThesaurusRaisesByLanguage: what stands for a word raises records by fields of its
// language alone, phrases too.
func TestThesaurusRaisesByLanguage(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "i", Schema{Fields: []Field{
		{Name: "title", Type: Text, Search: true}, {Name: "de", Type: Text, Search: true, Language: "de"}, {Name: "code", Type: Text, Search: true, Analyzer: "whitespace"}}})
	var records []string
	for i := range 30 {
		records = append(records, fmt.Sprintf(`{"id":"c%d","title":"couch, myocardial infarction %d"}`, i, i))
	}
	records = append(records, `{"id":"x","title":"blue","code":"sofa"}`, `{"id":"y","title":"blue","code":"heart attack"}`,
		`{"id":"z","title":"blue sofa"}`, `{"id":"d","title":"blue","de":"settee"}`, `{"id":"p","title":"blue heart attack"}`, `{"id":"q","title":"blue heart","code":"heart attack"}`)
	apply(t, e, puts("i", records...))
	for query, want := range map[string]string{"blue couch ": "z", "blue myocardial infarction ": "p"} {
		if got := raised(find(t, e, &Request{Query: query, Match: MatchAny, Explain: true, Limit: 100})); got != want {
			t.Errorf("%q raises %q, want %q", query, got, want)
		}
	}
}

// TestThesaurusTells: what was read otherwise is told as it was typed, and words count as
// covered however they were typed.
func TestThesaurusTells(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "i", Schema{Fields: []Field{{Name: "title", Type: Text, Search: true}}})
	apply(t, e, puts("i", `{"id":"1","title":"heart attack"}`, `{"id":"2","title":"blue sofa"}`, `{"id":"3","title":"colour blue"}`, `{"id":"4","title":"a tearoom"}`))
	for _, c := range []struct {
		query  string
		syntax Syntax
		from   string
	}{
		{`café`, SyntaxQuery, "café"}, {`\café`, SyntaxQuery, "café"}, {`Café `, SyntaxSimple, "Café"},
		{"cardiac  infarction ", SyntaxSimple, "cardiac infarction"},
	} {
		told := find(t, e, &Request{Query: c.query, Syntax: c.syntax}).Query.Thesaurus
		if len(told) == 0 || told[0].From != c.from {
			t.Errorf("%q: told %q, want from %q", c.query, told, c.from)
		}
	}
	for _, same := range [][2]string{{"cardiac infarction ", "cardiac  infarction "}, {"blue couch ", "blue cöuch "}, {"blue couch ", "blue COUCH "}} {
		a, b := find(t, e, &Request{Query: same[0], Match: MatchAny}), find(t, e, &Request{Query: same[1], Match: MatchAny})
		if x, y := scoresOf(a), scoresOf(b); !maps.Equal(x, y) {
			t.Errorf("%q scores %v, %q %v", same[0], x, same[1], y)
		}
	}
}
