package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"hash/crc32"
	"hash/maphash"
	"io"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/quarry-search/quarry/cmd/quarry/internal/source"
)

// Bounds of a batch. Batches are large, so that the cost of making each durable
// does not count, and small beside the 32 MiB that a server takes.
const (
	batchBytes   = 4 << 20
	batchRecords = 50_000
	inFlight     = 2
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

// send sends all batches, inFlight at a time, and returns how many records
// were stored. Of records with the same id the last one of the file stays.
func (i *importer) send(ctx context.Context, batches *batcher, j *journal) (int64, error) {
	type outcome struct {
		*batch
		err error
	}
	done := make(chan outcome)
	under := map[*batch]bool{}
	sent := int64(0)
	var first error // in the order of the file
	firstAt := int64(math.MaxInt64)
	settle := func() {
		o := <-done
		delete(under, o.batch)
		if o.err == nil {
			sent += int64(len(o.lines))
			j.stored(o.end-int64(len(o.lines)), o.end, o.sum)
			return
		}
		if o.end < firstAt {
			first, firstAt = o.err, o.end
		}
	}
	run := j.state.Run
	for first == nil {
		b, err := batches.next()
		if err != nil {
			if err != io.EOF {
				first = err
			}
			break
		}
		for first == nil && (len(under) == inFlight || mustWait(b, under)) {
			settle()
		}
		if first != nil {
			break
		}
		under[b] = true
		go func() { done <- outcome{b, i.post(ctx, b, run)} }()
	}
	for len(under) > 0 {
		settle()
	}
	return sent, first
}

func mustWait(b *batch, under map[*batch]bool) bool {
	for other := range under {
		if b.waitsFor(other) {
			return true
		}
	}
	return false
}

// tries is how often a batch is sent that the server has no room for now.
const tries = 8

// post stores a batch. A server that is overloaded is asked again.
func (i *importer) post(ctx context.Context, b *batch, run string) error {
	path := "/v1/batch?op=put&index=" + url.QueryEscape(i.index)
	header := http.Header{}
	if b.anonymous {
		// Without ids a batch that is sent twice would be stored twice.
		header.Set("Idempotency-Key", run+"-"+strconv.FormatInt(b.end, 10))
	}
	for try := 1; ; try++ {
		_, err := i.c.call(ctx, http.MethodPost, path, mediaNDJSON, b.body, header)
		var refused *apiError
		if !errors.As(err, &refused) {
			return err
		}
		if busy := refused.Status == http.StatusServiceUnavailable || refused.Status == http.StatusTooManyRequests; !busy || try == tries {
			return i.place(refused, b)
		}
		select {
		case <-time.After(max(refused.retryAfter, time.Second)):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// place finds the line of the file that the server refuses.
func (i *importer) place(refused *apiError, b *batch) error {
	for _, f := range refused.Faults {
		if f.Position == nil || *f.Position < 0 || *f.Position >= len(b.lines) {
			continue
		}
		reason := f.Detail
		// The server counts the lines of the batch; the file's are meant here.
		var line int
		if n, _ := fmt.Sscanf(reason, "line %d:", &line); n == 1 {
			reason = reason[len(fmt.Sprintf("line %d: ", line)):]
		}
		if f.Pointer != "" {
			reason = f.Pointer + ": " + reason
		}
		return &source.LineError{Name: i.name, Line: b.lines[*f.Position], Reason: reason}
	}
	return fmt.Errorf("%s: lines %d to %d: %w", i.name, b.lines[0], b.lines[len(b.lines)-1], refused)
}

// newRun names an import for the server.
func newRun() string { return rand.Text() }
