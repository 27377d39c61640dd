package storage_test

import (
	"context"
	"fmt"
	"log"

	"github.com/quarry-search/quarry/storage"
)

// A batch is committed, and a snapshot goes on seeing the state before it.
func Example() {
	s, err := storage.Open("", &storage.Options{InMemory: true})
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()

	before := s.NewSnapshot()
	defer before.Close()

	b := s.NewBatch()
	b.Set(storage.RowKey([]byte("usage/2")), []byte("20"))
	b.Set(storage.RowKey([]byte("usage/1")), []byte("10"))
	if err := s.Commit(b); err != nil {
		log.Fatal(err)
	}

	it, err := s.Iter(storage.RowRange([]byte("usage/")))
	if err != nil {
		log.Fatal(err)
	}
	defer it.Close()
	for ok := it.First(); ok; ok = it.Next() {
		row, err := storage.ParseRowKey(it.Key())
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s = %s\n", row, it.Value())
	}
	if err := it.Err(); err != nil {
		log.Fatal(err)
	}
	_, err = before.Get(storage.RowKey([]byte("usage/1")))
	fmt.Println("before:", err)
	// Output:
	// usage/1 = 10
	// usage/2 = 20
	// before: key not found
}

// Concurrent writers order their changes under a lock and share the wait for
// the disk.
func ExampleStore_Apply() {
	s, err := storage.Open("", &storage.Options{InMemory: true})
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()

	b := s.NewBatch()
	b.Set([]byte("key"), []byte("value"))
	// mu.Lock()
	wait, err := s.Apply(b)
	// mu.Unlock()
	if err != nil {
		log.Fatal(err)
	}
	if err := wait(); err != nil {
		log.Fatal(err)
	}
	fmt.Println("durable")
	// Output: durable
}

// Many entries are written to a table aside and added at once.
func ExampleStore_Ingest() {
	s, err := storage.Open("", &storage.Options{InMemory: true})
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()

	w, err := s.NewTable(true)
	if err != nil {
		log.Fatal(err)
	}
	for i := range uint32(1000) {
		if err := w.Set(storage.SegmentKey(1, 1, 0, i), []byte("part")); err != nil {
			log.Fatal(err)
		}
	}
	table, err := w.Finish()
	if err != nil {
		log.Fatal(err)
	}
	ok, _ := s.Has(storage.SegmentKey(1, 1, 0, 999))
	fmt.Println("before:", ok)
	if err := s.Ingest(context.Background(), table); err != nil {
		log.Fatal(err)
	}
	ok, _ = s.Has(storage.SegmentKey(1, 1, 0, 999))
	fmt.Println("after:", ok)
	// Output:
	// before: false
	// after: true
}
