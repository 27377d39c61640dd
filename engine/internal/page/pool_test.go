package page

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
)

// pooled returns chunks of 2,000 documents each, with two text fields and four
// columns, that keep to a pool, others with the same parts that keep all that they
// read, and what counts the reads of the first.
func pooled(t testing.TB, n int, pool *Pool) (chunks, whole []*Chunk, sources []*counting) {
	for k := range n {
		rng := rand.New(rand.NewPCG(uint64(k), 1))
		docs := make([]Doc, 2000)
		for i := range docs {
			docs[i] = Doc{ID: fmt.Appendf(nil, "%d-%05d", k, i), Lengths: []uint32{rng.Uint32N(200), rng.Uint32N(200)}}
			for f := range uint16(4) {
				docs[i].Columns = append(docs[i].Columns, ColumnValues{Field: f, Kind: KindInt, Values: []Value{IntValue(rng.Int64N(1 << 40))}})
			}
		}
		parts := encodeChunk(t, buildChunk(t, uint32(k)<<16, 2, docs))
		src := newCounting(parts)
		c, err := Open(uint32(k)<<16, src, decoder(t), pool)
		if err != nil {
			t.Fatal(err)
		}
		same, err := Open(uint32(k)<<16, parts, decoder(t), nil)
		if err != nil {
			t.Fatal(err)
		}
		chunks, whole, sources = append(chunks, c), append(whole, same), append(sources, src)
	}
	return chunks, whole, sources
}

// Whatever a pool has forgotten, chunks answer as those that keep everything, and
// the pool holds no more than its limit and the parts that are being read.
func TestPool(t *testing.T) {
	const limit, readers, largest = 100_000, 4, 40_000
	var told sync.Mutex
	sum := int64(0)
	pool := NewPool(limit, PoolOptions{Changed: func(bytes int64) {
		told.Lock()
		defer told.Unlock()
		sum += bytes
	}})
	chunks, whole, _ := pooled(t, 3, pool)
	pinned := int64(0)
	for _, c := range chunks {
		for _, f := range []int{0, 1, AllFields} {
			if _, err := c.Norms(f); err != nil {
				t.Fatal(err)
			}
		}
		pinned += c.Bytes()
	}
	var wait sync.WaitGroup
	for g := range readers {
		wait.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(g), 2))
			for range 3000 {
				k, i, f := rng.IntN(len(chunks)), rng.IntN(2000), uint16(rng.IntN(4))
				switch rng.IntN(20) {
				case 0:
					chunks[k].Drop()
				case 1:
					pool.Shrink(rng.Int64N(limit))
				}
				got, err := chunks[k].ID(i)
				want, _ := whole[k].ID(i)
				if err != nil || !bytes.Equal(got, want) {
					t.Errorf("id %d of chunk %d is %q (%v), want %q", i, k, got, err, want)
					return
				}
				col, err := chunks[k].Column(f)
				if err != nil {
					t.Error(err)
					return
				}
				same, _ := whole[k].Column(f)
				v, _ := col.FirstInt(i)
				if w, _ := same.FirstInt(i); v != w {
					t.Errorf("document %d of chunk %d has %d in column %d, want %d", i, k, v, f, w)
					return
				}
				if held := pool.Bytes(); held > limit+pinned+readers*largest {
					t.Errorf("the pool holds %d bytes", held)
					return
				}
			}
		})
	}
	wait.Wait()
	held := int64(0)
	for _, c := range chunks {
		held += c.Bytes()
	}
	if pool.Bytes() != held || sum != held {
		t.Errorf("the pool holds %d bytes and told of %d, its chunks hold %d", pool.Bytes(), sum, held)
	}
	for _, c := range chunks {
		c.Drop()
	}
	if pool.Bytes() != 0 || pool.clock.Len() != 0 {
		t.Errorf("%d bytes and %d parts are left in the pool", pool.Bytes(), pool.clock.Len())
	}
}

// What is asked for again and again stays, however much is read once; norms stay
// whatever happens.
func TestPoolKeepsWhatIsUsed(t *testing.T) {
	const columns = 2 // that fit
	pool := NewPool(columns*2000*(40/8+2)+10_000, PoolOptions{})
	chunks, _, sources := pooled(t, 2, pool)
	reads := func(p Part) int32 { return sources[0].reads[p].Load() }
	norms, hot := Part{PartNorms, 1}, Part{PartColumn, 0}
	for range 100 {
		if _, err := chunks[0].Norms(1); err != nil {
			t.Fatal(err)
		}
		for f := range uint16(4) {
			for range 2 { // the first reads it, the second asks for what is there
				if _, err := chunks[0].Column(hot.Field); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := chunks[1].Column(f); err != nil {
				t.Fatal(err)
			}
		}
	}
	if cold := sources[1].reads[hot].Load(); reads(hot) != 1 || reads(norms) != 1 || cold < 50 {
		t.Errorf("the column in use was read %d times, the norms %d; another one %d times", reads(hot), reads(norms), cold)
	}
	pool.Shrink(1 << 40)
	if _, err := chunks[0].Norms(1); err != nil || reads(norms) != 1 {
		t.Errorf("the norms were read %d times (%v)", reads(norms), err)
	}
	if want := int64(len(sources[0].recorder[norms])); pool.Bytes() != want {
		t.Errorf("%d bytes are left, want %d", pool.Bytes(), want)
	}
}
