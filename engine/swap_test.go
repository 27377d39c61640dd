package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
)

func TestSwapExchangesEverythingButVisibility(t *testing.T) {
	ctx := context.Background()
	d := newDisk(t, Options{})
	create(t, d.e, "shop", Schema{Fields: []Field{{Name: "n", Type: Int, Filter: true}}, Notes: map[string]string{"k": "old"}})
	create(t, d.e, "shop_v2", Schema{Fields: []Field{{Name: "t", Type: Text, Search: true}}, Hidden: true, Notes: map[string]string{"k": "new"}})
	apply(t, d.e, puts("shop", `{"id":"1","n":7}`, `{"id":"2","n":8}`))
	apply(t, d.e, puts("shop_v2", `{"id":"1","t":"seven"}`))
	before := d.e.Version()
	version, err := d.e.SwapIndexes(ctx, "shop", "shop_v2", Row{Key: "note", Value: []byte("swapped")})
	if err != nil || version != before+1 || d.e.Version() != version {
		t.Fatalf("SwapIndexes: version %d after %d, %v", version, before, err)
	}
	check := func(t *testing.T, e *Engine) {
		shop, err := e.Index("shop")
		if err != nil {
			t.Fatal(err)
		}
		v2, err := e.Index("shop_v2")
		if err != nil {
			t.Fatal(err)
		}
		if shop.Records != 1 || shop.Schema.Field("t") != 0 || shop.Schema.Notes["k"] != "new" || shop.Schema.Hidden {
			t.Errorf("shop: %+v", shop)
		}
		if v2.Records != 2 || v2.Schema.Field("n") != 0 || v2.Schema.Notes["k"] != "old" || !v2.Schema.Hidden {
			t.Errorf("shop_v2: %+v", v2)
		}
		if got := idsOf(find(t, e, &Request{Query: "seven"})); got != "1" {
			t.Errorf("hits in all visible indexes: %q", got)
		}
		if got := filtered(t, e, "shop_v2", "n > 7"); got != "2" {
			t.Errorf("hits in shop_v2: %q", got)
		}
		if row, err := e.Row("note"); err != nil || string(row) != "swapped" {
			t.Errorf("row: %q, %v", row, err)
		}
	}
	check(t, d.e)
	d.states("shop", check)
	// Writes after the swap go where the names lead.
	apply(t, d.e, puts("shop", `{"id":"9","t":"nine"}`))
	d.crash()
	if rec, err := d.e.Record(ctx, "shop", "9"); err != nil || rec.Index != "shop" {
		t.Errorf("record: %+v, %v", rec, err)
	}
}

func TestSwapMistakes(t *testing.T) {
	ctx := context.Background()
	e := newEngine(t, nil)
	create(t, e, "a", Schema{})
	_, err := e.SwapIndexes(ctx, "a", "a")
	wantProblem(t, err, CodeInvalidRequest, "/b")
	_, err = e.SwapIndexes(ctx, "a", "none")
	wantProblem(t, err, CodeIndexNotFound, "/b")
	if !errors.Is(err, ErrNotFound) {
		t.Errorf("%v is not ErrNotFound", err)
	}
	_, err = e.SwapIndexes(ctx, "nobody", "none")
	if inv := wantProblem(t, err, CodeIndexNotFound, "/a"); inv != nil && inv.Total != 2 {
		t.Errorf("%d problems, want both names", inv.Total)
	}
}

// TestSwapUnderLoad: no reader sees one name changed without the other, and no
// write goes astray.
func TestSwapUnderLoad(t *testing.T) {
	ctx := context.Background()
	d := newDisk(t, Options{FlushRecords: 200})
	for _, name := range []string{"a", "b"} {
		create(t, d.e, name, Schema{Fields: []Field{{Name: "side", Type: Keyword, Filter: true}, {Name: "n", Type: Int, Filter: true}}})
		apply(t, d.e, puts(name, fmt.Sprintf(`{"id":"mark","side":%q}`, name)))
	}
	side := func(s *Snapshot, index string) string {
		rec, err := s.Record(index, "mark")
		if err != nil {
			t.Error(err)
		}
		return string(rec.JSON)
	}
	stop := make(chan struct{})
	var readers, writers sync.WaitGroup
	for range 2 {
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				s, err := d.e.Snapshot()
				if err != nil {
					t.Error(err)
					return
				}
				if side(s, "a") == side(s, "b") {
					t.Error("both names lead to one index")
				}
				s.Close()
			}
		})
	}
	var written atomic.Int64
	for w := range 2 {
		writers.Go(func() {
			for i := range 150 {
				var b Batch
				for _, name := range []string{"a", "b"} {
					b.Put(name, fmt.Appendf(nil, `{"id":"w%d-%d","side":"w","n":%d}`, w, i, i))
				}
				if _, err := d.e.Apply(ctx, &b); err != nil {
					t.Error(err)
					return
				}
				written.Add(1)
			}
		})
	}
	for range 41 {
		if _, err := d.e.SwapIndexes(ctx, "a", "b"); err != nil {
			t.Error(err)
		}
	}
	writers.Wait()
	close(stop)
	readers.Wait()
	check := func() {
		t.Helper()
		for _, name := range []string{"a", "b"} {
			info, err := d.e.Index(name)
			if err != nil || info.Records != written.Load()+1 {
				t.Errorf("%s: %d records, %v; want %d", name, info.Records, err, written.Load()+1)
			}
		}
		if rec, err := d.e.Record(ctx, "a", "mark"); err != nil || string(rec.JSON) != `{"id":"mark","side":"b"}` {
			t.Errorf("after an odd number of swaps a is %s, %v", rec.JSON, err)
		}
	}
	check()
	d.crash()
	check()
}
