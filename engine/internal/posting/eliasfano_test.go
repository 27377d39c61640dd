package posting

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"testing"
)

// TestPackedPages packs pages of all kinds of numbers of documents, spread out,
// at either end and close together, and reads them again.
func TestPackedPages(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	for _, card := range []int{1, 2, 3, 7, 8, 9, 63, 64, 65, 500, 4095, 4096, 4097, 8192, 10000, 16383, 16384, 16385, 20000, 32768, 65535, 65536} {
		for _, within := range []int{PageSize, card, min(PageSize, 2*card)} {
			for _, from := range []int{0, PageSize - within} {
				var docs []DocID
				for i, left := 0, card; left > 0; i++ {
					if rnd.IntN(within-i) < left {
						docs = append(docs, 7<<16|DocID(from+i))
						left--
					}
				}
				b := NewBuilder(nil, KindDocs)
				for _, doc := range docs {
					if err := b.Add(doc, nil, nil); err != nil {
						t.Fatal(err)
					}
				}
				data, err := b.AppendLong(nil, nil)
				if err != nil {
					t.Fatal(err)
				}
				l, err := Parse(data, nil)
				if err != nil {
					t.Fatalf("%d documents of %d from %d: %v", card, within, from, err)
				}
				if err := l.Validate(nil); err != nil {
					t.Fatalf("%d documents of %d from %d: %v", card, within, from, err)
				}
				for rank, doc := range l.All {
					if doc != docs[rank] {
						t.Fatalf("%d documents of %d from %d: document %d is %d, want %d", card, within, from, rank, doc, docs[rank])
					}
				}
				if form, size := formOf(card); size > 2*card || size > wordsSize {
					t.Errorf("%d documents take %d bytes in form %d", card, size, form)
				}
			}
		}
	}
}

// TestPackedPagesDamaged: bits that are too many, too few or out of order are
// found, and nothing is read beyond the end.
func TestPackedPagesDamaged(t *testing.T) {
	var docs []DocID
	for i := range 1000 {
		docs = append(docs, DocID(i*60))
	}
	data := appendPackedDocs(nil, docs)
	low, _ := packedDocsSize(len(docs))
	for name, damage := range map[string]func(data []byte){
		"a bit less":      func(data []byte) { data[low] &= data[low] - 1 },
		"a bit more":      func(data []byte) { data[len(data)-1] = 0xff },
		"all bits":        func(data []byte) { fill(data[low:], 0xff) },
		"no bits":         func(data []byte) { fill(data[low:], 0) },
		"twice one place": func(data []byte) { binary.LittleEndian.PutUint64(data, 0); data[low] = 0xff },
	} {
		bad := append([]byte(nil), data...)
		damage(bad)
		if err := unpackDocs(bad, len(docs), make([]byte, 2*len(docs)), nil); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func fill(data []byte, b byte) {
	for i := range data {
		data[i] = b
	}
}
