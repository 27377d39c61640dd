package engine

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"
)

// TestEventsMayCallTheEngine: no lock is held while it is told what was done, so
// that whoever is told may ask for the like.
func TestEventsMayCallTheEngine(t *testing.T) {
	ctx := context.Background()
	var e *Engine
	var told []string
	event := func(what string, err error) {
		if told = append(told, what); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	o := &Options{NoMerge: true, Vectors: VectorOptions{Records: 1, Words: 1}, learnQuiet: time.Hour}
	quiet := false // what e does by itself, and what the events ask for, is not looked at
	again := func(what string, f func() error) {
		if !quiet {
			quiet = true
			event(what, f())
			quiet = false
		}
	}
	o.Events.Flushed = func(index string, _ int, _ time.Duration) {
		again("flushed "+index, func() error {
			apply(t, e, puts("a", `{"id":"x","t":"a word or two"}`))
			return e.Flush(ctx)
		})
	}
	o.Events.Merged = func(index string, n int, _ time.Duration) {
		again(fmt.Sprintf("merged %d of %s", n, index), func() error { return e.Merge(ctx, "a") })
	}
	o.Events.Learnt = func(index string, n int, _ time.Duration) {
		again(fmt.Sprintf("learnt %d of %s", n, index), func() error { return e.TrainVectors(ctx, "a") })
	}
	e = newEngine(t, o)
	e.maintain.stop()
	for i := range 3 {
		apply(t, e, puts("a", fmt.Sprintf(`{"id":"%d","t":"some words of a text that is long enough"}`, i)))
	}
	for _, step := range []func() error{
		func() error { return e.Flush(ctx) },
		func() error {
			quiet = true
			defer func() { quiet = false }()
			apply(t, e, puts("a", `{"t":"one more"}`))
			return e.Flush(ctx)
		},
		func() error { return e.Merge(ctx, "a") },
		func() error { return e.TrainVectors(ctx, "a") },
	} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	if want := []string{"flushed a", "merged 3 of a", "learnt 5 of a"}; !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
	quiet = true // for the end
}

// TestEventsOfSearchesAreSeldom: what may be met with every search is told once in
// a while.
func TestEventsOfSearchesAreSeldom(t *testing.T) {
	var s seldom
	begin := time.Now()
	told := 0
	for i := range 50 {
		if s.due(begin.Add(time.Duration(i) * tellEvery / 25)) {
			told++
		}
	}
	if told != 2 {
		t.Errorf("in less than twice the time it is told %d times, want 2", told)
	}
	down := 0
	o := lettersOptions()
	o.Events.EmbedderDown = func(string, error) { down++ }
	o.Events.Background = func(err error) { t.Errorf("a query is no work in the background: %v", err) }
	e := newEngine(t, o)
	create(t, e, "a", lettersSchema)
	e.embedderDown.last = time.Now().Add(time.Hour) // it has just been told
	for range 50 {
		find(t, e, &Request{Query: "fail"})
	}
	if down != 0 {
		t.Errorf("%d events within the time after one, want none", down)
	}
	e.embedderDown.last = time.Time{}
	find(t, e, &Request{Query: "fail"})
	if down != 1 {
		t.Errorf("%d events after a while, want 1", down)
	}
}
