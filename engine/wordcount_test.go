package engine

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// What a request can ask for beside the number of records with a word is left to the
// rest of the search: each member of Request is either one of those that make no
// difference to that number, or turns countsWord off. A member that is added to
// Request fails here until somebody has thought about it.
func TestCountsWordKnowsEveryMember(t *testing.T) {
	plain := Request{Query: "word", Limit: -1, Ranking: RankingBM25}
	if !plain.countsWord() {
		t.Fatal("a plain request is not one")
	}
	same := map[string]bool{ // whatever their value, as far as it is one
		"Indexes": true, "Query": true, "Limit": true, "Prefix": true, "Match": true, "Ranking": true,
		"NoRecord": true, "Exhaustive": true, "MinVersion": true, "Timeout": true, "Memory": true,
	}
	var try func(path string, set func(r *Request) reflect.Value)
	try = func(path string, set func(r *Request) reflect.Value) {
		r := plain
		v := set(&r)
		switch v.Kind() {
		case reflect.String:
			v.SetString("x")
		case reflect.Bool:
			v.SetBool(true)
		case reflect.Int, reflect.Int64:
			v.SetInt(1)
		case reflect.Uint8, reflect.Uint64:
			v.SetUint(1)
		case reflect.Float64:
			v.SetFloat(.5)
		case reflect.Slice:
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		case reflect.Pointer:
			v.Set(reflect.New(v.Type().Elem()))
		case reflect.Struct:
			for i := range v.NumField() {
				try(path+"."+v.Type().Field(i).Name, func(r *Request) reflect.Value { return set(r).Field(i) })
			}
			return
		default:
			t.Fatalf("%s is a %s", path, v.Kind())
		}
		if r.countsWord() {
			t.Errorf("a request with %s is one for the number of records alone", path)
		}
	}
	for i := range reflect.TypeFor[Request]().NumField() {
		name := reflect.TypeFor[Request]().Field(i).Name
		if !same[name] {
			try(name, func(r *Request) reflect.Value { return reflect.ValueOf(r).Elem().Field(i) })
		}
	}
	for _, r := range []Request{{}, {Query: "word", Limit: -1}, {Query: "word", Ranking: RankingBM25}} {
		if r.countsWord() {
			t.Errorf("%+v is a request for the number of records alone", r)
		}
	}
	for _, query := range []string{"", "OR", "two words", `"word"`, "+word", "-word", "wor*", "word~", "naïve", "über", "a_b", "[", "word.", "日本"} {
		r := plain
		if r.Query = query; r.countsWord() {
			t.Errorf("%q is one word", query)
		}
	}
}

// The number of records with a word, found by itself, is that of a whole search, and so
// is everything else in the result: over one index and several, with records deleted,
// in segments in memory and on disk, with filler words, words of no record, and fields
// of two analyzers.
func TestCountOfWordIsThatOfASearch(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 5))
	e := newEngine(t, &Options{FlushRecords: 40, NoMerge: true})
	text := Field{Name: "text", Type: Text, Search: true}
	name := Field{Name: "name", Type: Text, Search: true}
	exact := Field{Name: "code", Type: Text, Search: true, Analyzer: "whitespace"}
	for index, s := range map[string]Schema{
		"plain": {Language: "none", Fields: []Field{text}},
		"stems": {Language: "en", Fields: []Field{text, name}},
		"mixed": {Language: "en", Fields: []Field{text, exact}},
		"ruled": {Language: "en", Fields: []Field{text}, Rules: []Rule{{ID: "r", Query: "run", Hide: []string{"3"}}}},
		"alike": {Language: "en", Fields: []Field{text}, Synonyms: []Synonym{{Words: []string{"run", "jog"}}}},
		"empty": {},
	} {
		if _, err := e.CreateIndex(t.Context(), index, s); err != nil {
			t.Fatal(err)
		}
	}
	words := strings.Fields("the run running runs jog not and to be shoe shoes xk47 3d 2024 Café cafe RED red OR not and 1918 007 007")
	indexes := []string{"plain", "stems", "mixed", "ruled", "alike"}
	for range 12 {
		var b Batch
		for range 30 {
			index, id := indexes[r.IntN(len(indexes))], fmt.Sprint(r.IntN(60))
			if r.IntN(5) == 0 {
				b.Delete(index, id)
				continue
			}
			member := func() string {
				var out []string
				for range r.IntN(4) {
					out = append(out, words[r.IntN(len(words))])
				}
				return strings.Join(out, " ")
			}
			record := fmt.Sprintf(`{"id":%q,"text":%q}`, id, member())
			if index == "stems" {
				record = fmt.Sprintf(`{"id":%q,"text":%q,"name":%q}`, id, member(), member())
			}
			if index == "mixed" {
				record = fmt.Sprintf(`{"id":%q,"text":%q,"code":%q}`, id, member(), member())
			}
			b.Put(index, []byte(record))
		}
		if _, err := e.Apply(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		if r.IntN(3) == 0 {
			if err := e.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		for _, word := range append(words, "AND", "NOT", "nothing") {
			for _, over := range [][]string{{"plain"}, {"stems"}, {"mixed"}, {"ruled"}, {"alike"}, {"empty"}, {"plain", "stems"}, {"s*", "empty"}, nil} {
				req := Request{Indexes: over, Query: word, Limit: -1, Ranking: RankingBM25, Match: Match(r.IntN(3)), Prefix: Prefix(r.IntN(3)), NoRecord: r.IntN(2) == 0}
				got, again := find(t, e, &req), find(t, e, &req)
				req.Explain = true // which counts for nothing without hits, but takes the long way
				want := find(t, e, &req)
				got.Took, again.Took, want.Took = 0, 0, 0
				if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(again, want) {
					t.Fatalf("%q in %v: %+v, and once more %+v, want %+v", word, over, got, again, want)
				}
			}
		}
	}
	for _, index := range []string{"plain", "stems"} {
		for _, word := range []string{"run", "1918"} {
			res, err := e.countOfWord(t.Context(), e.view.Load(), &Request{Indexes: []string{index}, Query: word, Limit: -1, Ranking: RankingBM25})
			if err != nil || res == nil {
				t.Errorf("%s: counting %q was left to a search, %v", index, word, err)
			}
		}
	}
	req := Request{Indexes: []string{"missing"}, Query: "run", Limit: -1, Ranking: RankingBM25}
	if _, err := e.Search(t.Context(), &req); err == nil {
		t.Error("an index that is not there is no error")
	}
}
