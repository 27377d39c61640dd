package main

import (
	"errors"
	"fmt"
	"log"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Query is a line of the query file.
type Query struct{ Tag, Text string }

// Timing is what was seen of one query under one command on one engine, in
// microseconds. N is the count or number of hits, or -1 if the engine does not
// support the query.
type Timing struct {
	N            int
	Best, Median float64 // in the engine
	Round        float64 // best until the answer was read
}

// Answers is what was seen of one engine.
type Answers struct {
	OpenMS  float64             // by its own clock
	StartMS float64             // from the start of the process to the first answer
	Idle    Memory              // after the first answer
	Loaded  Memory              // after all queries
	Timings map[string][]Timing // by command, in the order of Queries
	Hits    []string            // the ten best, in the order of Queries
	Exact   map[string]Check    // by TOP command, nil if the engine cannot say
	Failed  string              // why there is no more, if so
}

// Check is how many answers were equal to those they should equal.
type Check struct{ Equal, Of int }

// Queries is what the query step measures.
type Queries struct {
	Queries []Query
	Passes  int // of each engine and command
	Engines map[string]*Answers
}

// settle is how long a program is left alone before its memory is read.
const settle = 300 * time.Millisecond

// participant is a running engine and what was seen of it so far.
type participant struct {
	*client
	*Answers
	samples []samples
}

type samples struct{ inside, round []float64 }

// query times the query file: for every command each engine is warmed up, then
// the measured rounds follow, in each of which every engine answers all queries
// once, engines in another order and queries in another order every round.
func (c *config) query() error {
	queries, err := c.queryFile()
	if err != nil {
		return err
	}
	setup := c.setup()
	result := Queries{Queries: queries, Passes: c.passes, Engines: map[string]*Answers{}}
	var running []*participant
	defer func() {
		for _, s := range running {
			s.close()
		}
	}()
	var failed []error
	drop := func(s *participant, err error) {
		log.Printf("%s: %v", s.engine, err)
		s.Failed = err.Error()
		failed = append(failed, fmt.Errorf("query %s: %w", s.engine, err))
		s.close()
		running = slices.DeleteFunc(running, func(r *participant) bool { return r == s })
	}
	for _, e := range c.engines {
		a := &Answers{Timings: map[string][]Timing{}}
		result.Engines[e] = a
		p, err := c.start(e)
		if err != nil {
			log.Printf("%s: %v", e, err)
			a.Failed = err.Error()
			failed = append(failed, fmt.Errorf("query %s: %w", e, err))
			continue
		}
		s := &participant{client: p, Answers: a}
		running = append(running, s)
		if _, err := s.query("TOP_10", queries[0].Text); err != nil {
			drop(s, err)
			continue
		}
		s.OpenMS = float64(s.opened.Microseconds()) / 1e3
		s.StartMS = float64(time.Since(s.started).Microseconds()) / 1e3
		time.Sleep(settle)
		s.Idle = s.memory()
	}
	rnd := rand.New(rand.NewSource(2))
	for _, command := range c.commands {
		for _, s := range slices.Clone(running) {
			s.samples = make([]samples, len(queries))
			s.Timings[command] = make([]Timing, len(queries))
			passes := 0
			for start := time.Now(); passes == 0 || time.Since(start) < c.warm; passes++ {
				if err = s.pass(command, queries, rnd.Perm(len(queries)), false); err != nil {
					break
				}
			}
			log.Printf("%s %s: %d passes to warm up", s.engine, command, passes)
			if err != nil {
				drop(s, err)
			}
		}
		for pass := range c.passes {
			begun := time.Now()
			order := rnd.Perm(len(queries))
			turn := slices.Clone(running)
			rnd.Shuffle(len(turn), func(i, j int) { turn[i], turn[j] = turn[j], turn[i] })
			for _, s := range turn {
				if err := s.pass(command, queries, order, true); err != nil {
					drop(s, err)
				}
			}
			log.Printf("%s %s: pass %d of %d in %.1f s", c.corpus, command, pass+1, c.passes, time.Since(begun).Seconds())
		}
		for _, s := range running {
			s.summarize(command)
		}
		log.Printf("%s: %d measured passes of %d queries on each of %d engines", command, c.passes, len(queries), len(running))
	}
	for _, s := range slices.Clone(running) {
		s.Loaded = s.memory()
		if err := errors.Join(s.name(queries), s.check(c.commands, queries)); err != nil {
			drop(s, err)
		}
	}
	return errors.Join(append(failed, save(c.queryResult(), setup, result))...)
}

// pass asks all queries once, in the given order.
func (s *participant) pass(command string, queries []Query, order []int, keep bool) error {
	timings := s.Timings[command]
	for _, i := range order {
		if timings[i].N < 0 {
			continue
		}
		a, err := s.query(command, queries[i].Text)
		if err != nil {
			return err
		}
		if !a.supported {
			timings[i].N = -1
			continue
		}
		timings[i].N = a.n
		if keep {
			s.samples[i].inside = append(s.samples[i].inside, a.inside)
			s.samples[i].round = append(s.samples[i].round, a.trip)
		}
	}
	return nil
}

// name asks for the ten best of all queries by name.
func (s *participant) name(queries []Query) error {
	for _, q := range queries {
		a, err := s.query("IDS_10", q.Text)
		if err != nil {
			return err
		}
		s.Hits = append(s.Hits, a.hits)
	}
	return nil
}

// check compares the hits of every TOP command with those that the engine finds
// by scoring each document that matches, if it has such a way: the same
// documents, scores and order.
func (s *participant) check(commands []string, queries []Query) error {
	if a, err := s.query("EXHAUSTIVE_1", queries[0].Text); err != nil || !a.supported {
		return err
	}
	s.Exact = map[string]Check{}
	for _, q := range queries {
		all := map[int]string{} // hits by their number
		for _, command := range commands {
			named, ok := strings.CutPrefix(command, "TOP_")
			if !ok {
				continue
			}
			got, err := s.query("IDS_"+named, q.Text)
			if err != nil {
				return err
			}
			if !got.supported {
				continue
			}
			k, err := strconv.Atoi(strings.TrimSuffix(named, "_COUNT"))
			if err != nil {
				return fmt.Errorf("command %s: %w", command, err)
			}
			want, ok := all[k]
			if !ok {
				a, err := s.query("EXHAUSTIVE_"+strconv.Itoa(k), q.Text)
				if err != nil {
					return err
				}
				want, all[k] = a.hits, a.hits
			}
			c := s.Exact[command]
			c.Of++
			if got.hits == want {
				c.Equal++
			} else {
				log.Printf("%s %s %s (%s): hits are not the best", s.engine, command, q.Text, q.Tag)
			}
			s.Exact[command] = c
		}
	}
	log.Printf("%s: hits compared with those of scoring every match: %v", s.engine, s.Exact)
	return nil
}

// summarize turns the samples of a command into its timings.
func (s *participant) summarize(command string) {
	for i, v := range s.samples {
		if len(v.inside) == 0 {
			continue
		}
		t := &s.Timings[command][i]
		slices.Sort(v.inside)
		t.Best, t.Median, t.Round = v.inside[0], at(v.inside, .5), slices.Min(v.round)
	}
}

// queryFile reads every -sample'th "tag<tab>query" line.
func (c *config) queryFile() ([]Query, error) {
	path := filepath.Join(c.data, c.corpus+".q")
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var queries []Query
	n := 0
	for line := range strings.Lines(string(b)) {
		tag, text, ok := strings.Cut(strings.TrimRight(line, "\n"), "\t")
		if !ok {
			return nil, fmt.Errorf("%s:%d: no tab", path, n+1)
		}
		if n++; (n-1)%c.sample == 0 {
			queries = append(queries, Query{tag, text})
		}
	}
	if len(queries) == 0 {
		return nil, fmt.Errorf("%s: no queries", path)
	}
	return queries, nil
}
