package page

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

func blockCodec(t testing.TB) (*BlockWriter, *BlockDecoder) {
	t.Helper()
	w, err := NewBlockWriter()
	if err != nil {
		t.Fatal(err)
	}
	d, err := NewBlockDecoder()
	if err != nil {
		t.Fatal(err)
	}
	return w, d
}

func TestBlockRoundTrip(t *testing.T) {
	w, d := blockCodec(t)
	rounds(t, 30, func(t *testing.T, rng *rand.Rand) {
		var ids, records [][]byte
		for n := rng.IntN(100); !w.Full() && w.Len() < n; {
			id := fmt.Appendf(nil, "%d", rng.IntN(1<<rng.IntN(30)))
			record := fmt.Appendf(nil, `{"id":%q,"price":%d}`, id, rng.IntN(1000))
			switch rng.IntN(20) {
			case 0:
				id, record = nil, nil
			case 1: // does not compress
				record = make([]byte, rng.IntN(1<<rng.IntN(17)))
				for i := range record {
					record[i] = byte(rng.Uint32())
				}
			}
			w.Add(id, record)
			ids, records = append(ids, id), append(records, record)
		}
		prefix := []byte("kept")
		data, err := w.Encode(prefix)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.HasPrefix(data, prefix) || w.Len() != 0 {
			t.Fatalf("Encode left %d documents, and %q in front", w.Len(), data[:4])
		}
		b, err := d.Decode(data[len(prefix):])
		if err != nil {
			t.Fatal(err)
		}
		if b.Len() != len(ids) {
			t.Fatalf("Len = %d, want %d", b.Len(), len(ids))
		}
		for i := range ids {
			if !bytes.Equal(b.ID(i), ids[i]) || !bytes.Equal(b.Record(i), records[i]) {
				t.Fatalf("document %d: %q, %q; want %q, %q", i, b.ID(i), b.Record(i), ids[i], records[i])
			}
		}
	})
}

func TestBlockIsFull(t *testing.T) {
	w, _ := blockCodec(t)
	for i := range BlockRecords {
		if w.Full() {
			t.Fatalf("full after %d records", i)
		}
		w.Add([]byte("x"), []byte("{}"))
	}
	if !w.Full() {
		t.Errorf("not full after %d records", BlockRecords)
	}
	if _, err := w.Encode(nil); err != nil {
		t.Fatal(err)
	}
	w.Add(nil, make([]byte, BlockBytes))
	if !w.Full() {
		t.Errorf("not full after %d bytes", BlockBytes)
	}
}

func TestBlockOverTheLimitIsRefused(t *testing.T) {
	w, d := blockCodec(t)
	w.Add([]byte("x"), make([]byte, MaxBlockBytes))
	if _, err := w.Encode(nil); !errors.Is(err, ErrInvalid) {
		t.Errorf("Encode = %v, want an error marked ErrInvalid", err)
	}
	w.Add([]byte("x"), []byte("{}")) // the writer is empty again
	data, err := w.Encode(nil)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := d.Decode(data); err != nil || b.Len() != 1 {
		t.Errorf("the block after it: %v, %v", b, err)
	}
}

func TestBlockEncodeDoesNotAllocate(t *testing.T) {
	w, _ := blockCodec(t)
	var out []byte
	record := bytes.Repeat([]byte(`{"title":"a title","price":10}`), 10)
	allocs := testing.AllocsPerRun(20, func() {
		for !w.Full() {
			w.Add([]byte("id"), record)
		}
		var err error
		if out, err = w.Encode(out[:0]); err != nil {
			t.Fatal(err)
		}
	})
	if allocs > 0.5 {
		t.Errorf("%v allocations for a block, want none", allocs)
	}
}

func FuzzDecodeBlock(f *testing.F) {
	w, d := blockCodec(f)
	for n := range 4 {
		for i := range n * n {
			w.Add(fmt.Appendf(nil, "id-%d", i), bytes.Repeat([]byte("record "), i*n))
		}
		data, err := w.Encode(nil)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(payload(data))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		b, err := d.Decode(reframe(Part{Kind: partBlock}, body))
		if err != nil {
			if !errors.Is(err, ErrCorrupt) {
				t.Fatalf("error is not marked: %v", err)
			}
			return
		}
		w, err := NewBlockWriter()
		if err != nil {
			t.Fatal(err)
		}
		for i := range b.Len() {
			w.Add(b.ID(i), b.Record(i))
		}
		data, err := w.Encode(nil)
		if err != nil {
			t.Fatal(err)
		}
		again, err := d.Decode(data)
		if err != nil || again.Len() != b.Len() {
			t.Fatalf("encoded and decoded again: %v, %v; want %d documents", again, err, b.Len())
		}
		for i := range b.Len() {
			if !bytes.Equal(again.ID(i), b.ID(i)) || !bytes.Equal(again.Record(i), b.Record(i)) {
				t.Fatalf("document %d: %q, %q; want %q, %q", i, again.ID(i), again.Record(i), b.ID(i), b.Record(i))
			}
		}
	})
}

// collection returns up to 20,000 JSON records of a collection.
func collection(b *testing.B, name string) [][]byte {
	b.Helper()
	root := os.Getenv("QUARRY_COLLECTIONS")
	if root == "" {
		b.Skip("QUARRY_COLLECTIONS does not name the folder of the test collections")
	}
	file, err := os.Open(filepath.Join(root, name, "corpus.jsonl.gz"))
	if err != nil {
		b.Skip(err)
	}
	defer file.Close()
	unzip, err := gzip.NewReader(file)
	if err != nil {
		b.Fatal(err)
	}
	lines := bufio.NewScanner(unzip)
	lines.Buffer(nil, 1<<24)
	var records [][]byte
	for len(records) < 20_000 && lines.Scan() {
		records = append(records, bytes.Clone(lines.Bytes()))
	}
	return records
}

func BenchmarkBlock(b *testing.B) {
	for _, name := range []string{"speed-packages", "chorus-electronics", "movies-wikipedia"} {
		w, d := blockCodec(b)
		var blocks [][]byte
		raw, encoded := 0, 0
		records := collection(b, name)
		encode := func(keep bool) {
			var data []byte
			for i, record := range records {
				w.Add(fmt.Appendf(data[:0], "%s-%d", name, i), record)
				if !w.Full() && i < len(records)-1 {
					continue
				}
				var err error
				if data, err = w.Encode(data[:0]); err != nil {
					b.Fatal(err)
				}
				if keep {
					blocks = append(blocks, bytes.Clone(data))
					encoded += len(data)
				}
			}
		}
		encode(true)
		for _, record := range records {
			raw += len(record)
		}
		b.Run(name+"/Encode", func(b *testing.B) {
			b.SetBytes(int64(raw))
			for b.Loop() {
				encode(false)
			}
			b.ReportMetric(float64(raw)/float64(encoded), "ratio")
		})
		b.Run(name+"/Decode", func(b *testing.B) {
			b.SetBytes(int64(raw / len(blocks)))
			for i := 0; b.Loop(); i++ {
				if _, err := d.Decode(blocks[i%len(blocks)]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
