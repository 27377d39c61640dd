package page

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// idChunk is a chunk of documents with ids: in memory, as read from its parts, and as
// read where memory is short.
func idChunk(t *testing.T, ids [][]byte) map[string]*Chunk {
	docs := make([]Doc, len(ids))
	for i, id := range ids {
		docs[i] = Doc{ID: id, Absent: len(id) == 0}
	}
	c := buildChunk(t, 0, 1, docs)
	short, err := Open(0, encodeChunk(t, c), decoder(t), NewPool(1<<20, PoolOptions{Short: func() bool { return true }}))
	if err != nil {
		t.Fatal(err)
	}
	return map[string]*Chunk{"in memory": c, "read": reopen(t, c), "packed": short}
}

// Heads of ids never disagree with the order of ids, however short they are and
// whatever bytes they have.
func TestHeadsAreInTheOrderOfIDs(t *testing.T) {
	rounds(t, 20, func(t *testing.T, rng *rand.Rand) {
		var ids [][]byte
		for len(ids) < 300 {
			var id []byte
			if len(ids) > 0 && rng.IntN(2) == 0 { // it differs late, or in length only
				id = slices.Clone(ids[len(ids)-1])
			} else {
				for range rng.IntN(20) {
					id = append(id, "\x00\x00a\xff"[rng.IntN(4)])
				}
			}
			for range rng.IntN(3) {
				id = append(id, "\x00\x00a\xff"[rng.IntN(4)])
			}
			ids = append(ids, id)
		}
		for name, c := range idChunk(t, ids) {
			heads := make([][2]uint64, len(ids))
			for i := range ids {
				spot, err := c.Spot(i)
				if err != nil {
					t.Fatal(err)
				}
				heads[i] = spot.Head()
				if got := spot.ID([]byte("x")); string(got) != string(ids[i]) || spot.Len() != len(got) {
					t.Fatalf("%s: %q is %q, of %d bytes", name, ids[i], got, spot.Len())
				}
			}
			told := 0
			for range 2000 {
				i, j := rng.IntN(len(ids)), rng.IntN(len(ids))
				got, want := slices.Compare(heads[i][:], heads[j][:]), bytes.Compare(ids[i], ids[j])
				if got != 0 && got != want {
					t.Fatalf("%s: the heads of %q and %q compare as %d, the ids as %d", name, ids[i], ids[j], got, want)
				} else if got != 0 {
					told++
				}
			}
			if told == 0 {
				t.Errorf("%s: all heads are equal", name)
			}
		}
	})
}

// What the ids of a block have in common is written once, but for holes; an id that
// others begin with is not one of them.
func TestIDsThatOthersBeginWith(t *testing.T) {
	ids := [][]byte{[]byte("page"), nil, []byte("page/1"), []byte("page/10"), []byte("pag"), nil, []byte("page/2")}
	for name, c := range idChunk(t, ids) {
		for i, want := range ids {
			if got, err := c.ID(i); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s: id %d is %q, %v, want %q", name, i, got, err, want)
			}
		}
	}
	var common []byte
	if common = commonPrefix(len(ids), func(i int) []byte { return ids[i] }); string(common) != "pa" {
		t.Errorf("they have %q in common", common)
	}
}

// Ids of which sixteen take more than a block can have are refused, and not cut.
func TestIDsThatAreTooLong(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	var ids [][]byte
	for range idBlockDocs {
		id := make([]byte, 5000)
		for i := range id {
			id[i] = byte(rng.Uint32())
		}
		ids = append(ids, id)
	}
	docs := make([]Doc, len(ids))
	for i := range ids {
		docs[i].ID = ids[i]
	}
	err := buildChunk(t, 0, 1, docs).Encode(func(Part, []byte) error { return nil })
	if !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), "ids of block 0") {
		t.Errorf("error is %v", err)
	}
}
