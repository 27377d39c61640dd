package main

import (
	"bytes"
	"hash/crc32"
	"hash/maphash"
	"io"

	"github.com/quarry-search/quarry/cmd/quarry/internal/source"
)

// Bounds of a batch. Batches are large, so that the cost of making each durable
// does not count, and small beside the 32 MiB that a server takes.
const (
	batchBytes   = 4 << 20
	batchRecords = 50_000
)

// batch is records on their way, as NDJSON.
type batch struct {
	body  []byte
	lines []int // that the records begin in
	ids   map[uint64]struct{}
	// anonymous batches hold records that get an id from the server.
	anonymous bool
	// end and sum are the number of records of the input up to the end of the
	// batch, and the checksum of their bytes.
	end int64
	sum uint32
}

// batcher cuts the records of an input into batches.
type batcher struct {
	in   *source.Reader
	key  string // field of the ids; "" if there is none
	most int    // bytes in a batch
	read int64  // records of the input so far
	sum  uint32 // of their bytes
	seed maphash.Seed
	// first is the beginning of the first batch, which was read as the sample.
	first *batch
	err   error // that in ended with
}

var sumTable = crc32.MakeTable(crc32.Castagnoli)

// take reads one record into b, which may be nil.
func (r *batcher) take(b *batch) error {
	if r.err != nil {
		return r.err
	}
	record, err := r.in.Next()
	if err != nil {
		r.err = err
		return err
	}
	r.read++
	r.sum = crc32.Update(r.sum, sumTable, record.JSON)
	if b != nil {
		b.body = append(append(b.body, record.JSON...), '\n')
		b.lines = append(b.lines, record.Line)
		b.end, b.sum = r.read, r.sum
	}
	return nil
}

// sample reads the first records, which stay the beginning of the first batch.
func (r *batcher) sample(records, bytesAtMost int) ([]source.Record, error) {
	r.first = &batch{end: r.read, sum: r.sum}
	for len(r.first.lines) < records && len(r.first.body) < bytesAtMost {
		if err := r.take(r.first); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
	}
	var out []source.Record
	rest := r.first.body
	for _, line := range r.first.lines {
		end := bytes.IndexByte(rest, '\n')
		out = append(out, source.Record{JSON: rest[:end], Line: line})
		rest = rest[end+1:]
	}
	return out, nil
}

// next returns the next batch, io.EOF after the last one.
func (r *batcher) next() (*batch, error) {
	b := r.first
	r.first = nil
	if b == nil {
		b = &batch{body: make([]byte, 0, r.most+r.most/8)}
	}
	for len(b.body) < r.most && len(b.lines) < batchRecords {
		if err := r.take(b); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
	}
	if len(b.lines) == 0 {
		return nil, io.EOF
	}
	b.anonymous = r.key == ""
	if !b.anonymous {
		if r.seed == (maphash.Seed{}) {
			r.seed = maphash.MakeSeed()
		}
		b.ids = make(map[uint64]struct{}, len(b.lines))
		for line := range bytes.Lines(b.body) {
			if id := memberValue(line, r.key); id != nil {
				b.ids[maphash.Bytes(r.seed, id)] = struct{}{}
			} else {
				b.anonymous = true
			}
		}
	}
	return b, nil
}

// waitsFor tells whether a batch must not be stored before another one is:
// they hold records of the same id, or an interruption would leave it open
// which of them is stored, and without ids they could not be sent again.
func (b *batch) waitsFor(other *batch) bool {
	if b.anonymous || other.anonymous {
		return true
	}
	for id := range b.ids {
		if _, ok := other.ids[id]; ok {
			return true
		}
	}
	return false
}
