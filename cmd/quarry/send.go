package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/quarry-search/quarry/cmd/quarry/internal/source"
)

// inFlight is how many batches are on their way at a time: while the server
// makes one durable it can analyse the next.
const inFlight = 2

// send sends all batches, inFlight at a time, and returns how many records
// were stored. Of records with the same id the last one of the file stays.
func (i *importer) send(ctx context.Context, batches *batcher, j *journal) (int64, error) {
	type outcome struct {
		*batch
		version uint64
		err     error
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
			i.identify(ctx, j)
			j.stored(o.end-int64(len(o.lines)), o.end, o.sum, o.version)
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
		j.sends(b)
		go func() {
			version, err := i.post(ctx, b, run)
			done <- outcome{b, version, err}
		}()
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

const (
	// tries is how often a batch is sent that the server has no room for now.
	tries = 8
	// patience is how long a batch is sent again that the server is still at
	// work on: it was sent by an import that was interrupted. The server gives it up
	// after a minute.
	patience = 90 * time.Second
)

// identify notes which index it is, where the server has made it with the first
// batch. Without the scope read it cannot be told.
func (i *importer) identify(ctx context.Context, j *journal) {
	if !j.state.Created.IsZero() || i.blind || j.path == "" {
		return
	}
	info, err := i.c.index(ctx, i.index)
	if err != nil {
		i.blind = isStatus(err, http.StatusForbidden)
		return
	}
	j.state.Created = info.CreatedAt
}

// codeUnderWay is the code of the answer to a request whose Idempotency-Key is
// that of another one under way.
const codeUnderWay = "idempotency_in_progress"

// post stores a batch and returns the version since when it is. A server that is
// overloaded, or still at work on the same batch, is asked again.
func (i *importer) post(ctx context.Context, b *batch, run string) (version uint64, err error) {
	path := "/v1/batch?op=put&index=" + url.QueryEscape(i.index)
	header := http.Header{}
	if b.anonymous {
		// Without ids a batch that is sent twice would be stored twice.
		header.Set("Idempotency-Key", run+"-"+strconv.FormatInt(b.end, 10))
	}
	begin := time.Now()
	for try := 1; ; try++ {
		answer, err := i.c.call(ctx, http.MethodPost, path, mediaNDJSON, b.body, header)
		if err == nil {
			var done struct {
				Version uint64 `json:"version"`
			}
			err = json.Unmarshal(answer, &done)
			return done.Version, err
		}
		var refused *apiError
		if !errors.As(err, &refused) {
			return 0, err
		}
		busy := refused.Status == http.StatusServiceUnavailable || refused.Status == http.StatusTooManyRequests
		underWay := refused.Code == codeUnderWay && time.Since(begin) < patience
		if !underWay && (!busy || try >= tries) {
			return 0, i.place(refused, b)
		}
		select {
		case <-time.After(max(refused.retryAfter, time.Second)):
		case <-ctx.Done():
			return 0, ctx.Err()
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
