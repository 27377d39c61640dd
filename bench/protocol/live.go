package protocol

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"
)

// Live is an open index that is written to. Put and Delete return once the
// change is on disk, which is an fsync or what the engine promises in its place.
// It is used by one goroutine.
type Live interface {
	Put(ctx context.Context, docs []Doc) error           // insert, or replace by id
	Delete(ctx context.Context, ids []string) error      // absent ids are no error
	Count(ctx context.Context, term string) (int, error) // documents with the term, in a view taken after the last write
	Close() error
}

// ErrWrongCount is returned by [RunLive] when the documents that are left are not
// those that were written.
var ErrWrongCount = errors.New("wrong number of documents")

// visibilityLimit ends the wait for a document that never becomes visible.
const visibilityLimit = 20 * time.Second

// probes is how often the time from a write to its visibility is taken.
const probes = 100

// RunLive plays the write scenario with the first n documents of corpus in
// batches of batch, and prints the measures to out. open opens the index, the
// first time a new one and the second time the one that was closed. In turn:
//
//	insert           all documents
//	write_to_visible one new document, until a search counts it; 100 times
//	update           every 5th document again, with one more word
//	delete           every 10th document
//	check            the word counts the documents updated and not deleted
//	close, reopen    until the first answer
func RunLive(ctx context.Context, corpus io.Reader, n, batch int, out io.Writer, open func(context.Context) (Live, error)) error {
	if n < 1 || batch < 1 {
		return fmt.Errorf("%d documents in batches of %d: want at least one of each", n, batch)
	}
	var docs []Doc
	for d, err := range Documents(corpus) {
		if err != nil {
			return err
		}
		if docs = append(docs, d); len(docs) == n {
			break
		}
	}
	if len(docs) == 0 {
		return errors.New("the corpus has no documents")
	}
	index, err := open(ctx)
	if err != nil {
		return err
	}
	l := scenario{out: out, batch: batch, index: index}
	left, err := l.write(ctx, docs)
	start := time.Now()
	if err := errors.Join(err, index.Close()); err != nil {
		return err
	}
	fmt.Fprintf(out, "close_ms %.1f\n", ms(time.Since(start)))

	start = time.Now()
	if index, err = open(ctx); err != nil {
		return err
	}
	count, err := index.Count(ctx, updateMark)
	took := time.Since(start)
	if err == nil && count != left {
		err = fmt.Errorf("%w: %d after reopening, want %d", ErrWrongCount, count, left)
	}
	if err := errors.Join(err, index.Close()); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "reopen_first_query_ms %.2f\n", ms(took))
	return err
}

// updateMark is the word that only updated documents have.
const updateMark = "updatedmark"

type scenario struct {
	out   io.Writer
	batch int
	index Live
}

// write plays the part between open and close and returns how many documents
// carry the mark.
func (l scenario) write(ctx context.Context, docs []Doc) (left int, err error) {
	if err := l.put(ctx, "insert", docs); err != nil {
		return 0, err
	}
	var visible []time.Duration
	for i := range probes {
		took, err := l.probe(ctx, fmt.Sprintf("visibleprobe%d", i))
		if err != nil {
			return 0, err
		}
		visible = append(visible, took)
	}
	l.quantiles("write_to_visible_ms", visible)

	var updates []Doc
	var deletes []string
	for i := 0; i < len(docs); i += 5 {
		updates = append(updates, Doc{ID: docs[i].ID, Text: docs[i].Text + " " + updateMark})
		if i%10 == 0 {
			deletes = append(deletes, docs[i].ID)
		}
	}
	if err := l.put(ctx, "update", updates); err != nil {
		return 0, err
	}
	start := time.Now()
	for ids := range slices.Chunk(deletes, l.batch) {
		if err := l.index.Delete(ctx, ids); err != nil {
			return 0, fmt.Errorf("delete: %w", err)
		}
	}
	l.rate("delete", len(deletes), time.Since(start))
	count, err := l.index.Count(ctx, updateMark)
	if err != nil {
		return 0, err
	}
	left = len(updates) - len(deletes)
	fmt.Fprintf(l.out, "check_updated_left %d want %d\n", count, left)
	if count != left {
		return 0, fmt.Errorf("%w: %d after updates and deletes, want %d", ErrWrongCount, count, left)
	}
	return left, nil
}

// put writes docs in batches and prints the rate and the time of a batch.
func (l scenario) put(ctx context.Context, name string, docs []Doc) error {
	var took []time.Duration
	begin := time.Now()
	for b := range slices.Chunk(docs, l.batch) {
		start := time.Now()
		if err := l.index.Put(ctx, b); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		took = append(took, time.Since(start))
	}
	l.rate(name, len(docs), time.Since(begin))
	l.quantiles(name+"_batch_ms", took)
	return nil
}

// probe writes one document and counts its word until it is seen.
func (l scenario) probe(ctx context.Context, word string) (time.Duration, error) {
	start := time.Now()
	if err := l.index.Put(ctx, []Doc{{ID: word, Text: "a small new record " + word}}); err != nil {
		return 0, err
	}
	for {
		n, err := l.index.Count(ctx, word)
		if err != nil || n == 1 {
			return time.Since(start), err
		}
		if time.Since(start) > visibilityLimit {
			return 0, fmt.Errorf("%w: a written document is counted %d times after %v", ErrWrongCount, n, visibilityLimit)
		}
	}
}

func (l scenario) rate(name string, n int, d time.Duration) {
	fmt.Fprintf(l.out, "%s_docs_per_s %.0f\n", name, float64(n)/d.Seconds())
}

func (l scenario) quantiles(name string, d []time.Duration) {
	slices.Sort(d)
	at := func(q float64) float64 { return ms(d[int(q*float64(len(d)-1))]) }
	fmt.Fprintf(l.out, "%s p50 %.2f p99 %.2f max %.2f\n", name, at(.5), at(.99), at(1))
}

func ms(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e6 }
