package segment

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// keeper is a Passer that counts how its blocks are read.
type keeper struct {
	*Parts
	kept, passed int
}

func (k *keeper) Part(kind PartKind, ordinal uint32) ([]byte, error) {
	if kind == PartBlock {
		k.kept++
	}
	return k.Parts.Part(kind, ordinal)
}

func (k *keeper) Pass(kind PartKind, ordinal uint32) ([]byte, error) {
	k.passed++
	return k.Parts.Part(kind, ordinal)
}

// A scan gives the terms that Terms gives, and so does one of a source that keeps
// nothing; but it asks for blocks in passing. So does a merge.
func TestScanKeepsNothing(t *testing.T) {
	docs := randomDocs(rand.New(rand.NewPCG(1, 1)), sequence(5, 400), shape{terms: 4000, fields: 1, length: 60})
	src := &keeper{Parts: build(t, NewWriter(1), docs, 1)}
	r := open(t, src)
	terms := r.Terms(nil, nil)
	for _, scan := range []*TermIter{r.Scan(nil, nil), open(t, src.Parts).Scan(nil, nil)} {
		terms.Seek(nil)
		n := 0
		for ok := true; scan.Next(); ok = terms.Next() {
			if n++; !ok || !bytes.Equal(scan.Key(), terms.Key()) || scan.DF() != terms.DF() {
				t.Fatalf("term %d is %q in %d documents, want %q in %d", n, scan.Key(), scan.DF(), terms.Key(), terms.DF())
			}
		}
		if terms.Next() || scan.Err() != nil || n < 1000 {
			t.Errorf("%d terms are not all, or %v", n, scan.Err())
		}
	}
	if src.kept == 0 || src.passed != r.dict.Blocks() {
		t.Errorf("Terms read %d blocks to keep, the scan %d in passing, of %d", src.kept, src.passed, r.dict.Blocks())
	}
	kept := src.kept
	if _, err := Merge(t.Context(), []*Reader{r}, nil, impacts(1), new(Parts)); err != nil {
		t.Fatal(err)
	}
	if src.kept != kept {
		t.Errorf("a merge read %d blocks to keep", src.kept-kept)
	}
}
