// Command soak puts a server under the load of many clients for a while and
// checks what it answers: no request may fail, no write that was acknowledged
// may be missing from a later search, and the process may not grow. Then it
// overloads the server, which must answer or say when to come again.
//
//	go run ./bench/soak -quarry bin/quarry -time 60s
//
// Each writer has records of its own. It knows what the server has acknowledged
// and asks for it after each write; that is the oracle. Searchers ask for words
// of the vocabulary, with filters, beginnings of words and misspellings, and
// check that hits satisfy what was asked. The program prints a table and ends
// with code 1 if anything was wrong.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"time"
)

func main() {
	binary := flag.String("quarry", "bin/quarry", "the program to test")
	length := flag.Duration("time", time.Minute, "how long the mixed load takes; the overload takes half of it, 10 minutes at most")
	records := flag.Int("records", 500_000, "how many are there before the load")
	searchers := flag.Int("searchers", 16, "clients that search")
	writers := flag.Int("writers", 2, "clients that write and delete")
	crowd := flag.Int("overload", 512, "clients of the overload")
	seed := flag.Uint64("seed", uint64(time.Now().UnixNano()), "of what clients do")
	flag.Parse()
	r := &report{seed: *seed}
	err := soak(context.Background(), r, *binary, *length, *records, *searchers, *writers, *crowd)
	r.print(os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
	}
	if err != nil || r.wrong.Load() > 0 {
		os.Exit(1)
	}
}

// soak runs both loads on a server of its own and fills in the report.
func soak(ctx context.Context, r *report, binary string, length time.Duration, records, searchers, writers, crowd int) error {
	s, err := start(ctx, binary)
	if err != nil {
		return err
	}
	defer s.stop()
	if err := s.prepare(ctx, records); err != nil {
		return err
	}
	if r.before, err = s.figures(ctx); err != nil {
		return err
	}
	s.mixed(ctx, r, length, records, searchers, writers)
	if r.after, err = s.settled(ctx, r.before); err != nil {
		return err
	}
	s.overload(ctx, r, min(length/2, 10*time.Minute), crowd)
	if err := s.recovers(ctx); err != nil {
		r.fault("after the overload: %v", err)
	}
	if r.end, err = s.settled(ctx, r.before); err != nil {
		return err
	}
	for _, f := range []figures{r.after, r.end} {
		if !f.back(r.before) {
			r.fault("%d descriptors and %d goroutines are left of %d and %d", f.descriptors, f.goroutines, r.before.descriptors, r.before.goroutines)
		}
	}
	return s.stop()
}
