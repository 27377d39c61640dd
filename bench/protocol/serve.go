package protocol

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"time"
)

// maxLineBytes bounds a line of the corpus.
const maxLineBytes = 64 << 20

// Hit is a document that was found.
type Hit struct {
	ID    string
	Score float64
}

// Searcher is an open index.
type Searcher interface {
	// Search returns the number of matching documents if cmd.Count is set, else
	// the number of hits, which is at most cmd.K; and the hits, best first, if
	// cmd.IDs is set. It is called by one goroutine.
	Search(ctx context.Context, cmd Command, clauses []Clause) (n int, hits []Hit, err error)
}

// Serve says that the index was opened in the given time and answers the lines
// of in on out until in ends. It returns what fails in reading, writing or ctx;
// the errors of searches are answers.
func Serve(ctx context.Context, in io.Reader, out io.Writer, opened time.Duration, s Searcher) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "READY\t%d\n", opened.Nanoseconds())
	if err := w.Flush(); err != nil {
		return err
	}
	for lines.Scan() {
		if err := ctx.Err(); err != nil {
			return err
		}
		name, query, _ := strings.Cut(lines.Text(), "\t")
		var n int
		var hits []Hit
		cmd, err := ParseCommand(name)
		start := time.Now()
		if err == nil {
			n, hits, err = s.Search(ctx, cmd, ParseQuery(query))
		}
		took := time.Since(start)
		switch {
		case errors.Is(err, ErrUnsupported):
			w.WriteString("UNSUPPORTED")
		case err != nil:
			fmt.Fprintf(w, "ERROR %s", strings.Join(strings.Fields(err.Error()), " "))
		default:
			fmt.Fprintf(w, "%d\t%d", n, took.Nanoseconds())
			sep := '\t'
			for _, h := range hits {
				fmt.Fprintf(w, "%c%s=%.5f", sep, h.ID, h.Score)
				sep = ' '
			}
		}
		w.WriteByte('\n')
		if err := w.Flush(); err != nil { // the driver waits for each answer
			return err
		}
	}
	return lines.Err()
}

// Doc is one document of the corpus.
type Doc struct{ ID, Text string }

// Documents reads a corpus. Lines without a tab are passed over; the sequence
// ends after the first error.
func Documents(r io.Reader) iter.Seq2[Doc, error] {
	return func(yield func(Doc, error) bool) {
		lines := bufio.NewScanner(r)
		lines.Buffer(make([]byte, 0, 1<<20), maxLineBytes)
		n := 0
		for lines.Scan() {
			n++
			id, text, ok := strings.Cut(lines.Text(), "\t")
			if ok && !yield(Doc{ID: id, Text: text}, nil) {
				return
			}
		}
		if err := lines.Err(); err != nil {
			yield(Doc{}, fmt.Errorf("corpus line %d: %w", n+1, err))
		}
	}
}
