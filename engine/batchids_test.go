package engine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestBatchesFindWhatIsStored writes and deletes records of two indexes in
// batches of all sizes, whose ids are looked up together or one by one, and
// holds what they count and leave to a map.
func TestBatchesFindWhatIsStored(t *testing.T) {
	const seed = 71
	r := rand.New(rand.NewPCG(seed, 1))
	d := newDisk(t, Options{FlushRecords: 60})
	names := []string{"a", "b"}
	have := map[string]uint64{} // version by index and id
	for round := range 60 {
		var b Batch
		var touched []string
		deleted, version := 0, d.e.Version()+1
		for range 1 + r.IntN(4*findTogether) {
			index, id := names[r.IntN(2)], fmt.Sprintf("r%02d", r.IntN(60))
			key := index + id
			if r.IntN(2) == 0 {
				b.Delete(index, id)
				if _, ok := have[key]; ok {
					deleted++
				}
				delete(have, key)
			} else {
				b.Put(index, fmt.Appendf(nil, `{"id":%q,"n":%d}`, id, round))
				have[key] = version
			}
			touched = append(touched, key)
		}
		res := apply(t, d.e, &b)
		if res.Deleted != deleted || res.Version != version {
			t.Fatalf("seed %d, round %d: deleted %d in version %d, want %d in %d", seed, round, res.Deleted, res.Version, deleted, version)
		}
		for _, key := range touched {
			want, there := have[key]
			got, err := d.e.Record(context.Background(), key[:1], key[1:])
			if (err == nil) != there || there && got.Version != want || !there && !errors.Is(err, ErrNotFound) {
				t.Fatalf("seed %d, round %d: %s has version %d, %v; want %d, %v", seed, round, key, got.Version, err, want, there)
			}
		}
	}
	for _, name := range names {
		d.states(name, func(t *testing.T, e *Engine) {
			info, err := e.Index(name)
			n := int64(0)
			for key := range have {
				if key[:1] == name {
					n++
				}
			}
			if err != nil || info.Records != n {
				t.Errorf("%s: %d records, %v; want %d", name, info.Records, err, n)
			}
		})
	}
}
