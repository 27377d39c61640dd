package thesaurus

import (
	"slices"
	"testing"

	"github.com/quarry-search/quarry/tokenize"
)

func TestVocabulary(t *testing.T) {
	fold := func(word string) string { return string(tokenize.Fold(nil, []byte(word))) }
	v := Of("fr").Vocabulary(fold)
	if got := v.Accented("lumiere"); !slices.Equal(got, []string{"lumière"}) {
		t.Errorf("lumiere with accents: %q", got)
	}
	for term, has := range map[string]bool{"lumi": true, "machin": true, "caf": true, "xqztv": false, "machin a caf": false} {
		if v.Has(term) != has {
			t.Errorf("the table has %q: %v", term, !has)
		}
	}
	if v := (Thesaurus{}).Vocabulary(fold); v.Has("") || v.Accented("lumiere") != nil {
		t.Error("a table that is not there has words")
	}
}
