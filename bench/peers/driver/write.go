package main

import (
	"errors"
	"fmt"
	"log"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Build is the cost of making an index.
type Build struct {
	WallS, CPUS    float64
	PeakRSS, Bytes int64
}

// build makes the index of every engine, -repeats times in turn.
func (c *config) build() error {
	setup := c.setup()
	results := map[string][]Build{}
	return c.each("build", func(engine string) error {
		b, err := c.buildOne(engine)
		if err != nil {
			return err
		}
		log.Printf("%s: %.1f s wall, %.1f s cpu, peak %d MB, index %d MB", engine, b.WallS, b.CPUS, b.PeakRSS>>20, b.Bytes>>20)
		results[engine] = append(results[engine], b)
		return save(c.file(engine, "build"), setup, results[engine])
	})
}

func (c *config) buildOne(engine string) (Build, error) {
	if err := os.RemoveAll(c.index(engine)); err != nil {
		return Build{}, err
	}
	cmd, err := c.program(engine, "build", c.index(engine))
	if err != nil {
		return Build{}, err
	}
	in, err := os.Open(c.corpusFile())
	if err != nil {
		return Build{}, err
	}
	defer in.Close()
	cmd.Stdin = in
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return Build{}, err
	}
	return Build{WallS: time.Since(start).Seconds(), CPUS: cpu(cmd), PeakRSS: peak(cmd), Bytes: size(c.index(engine))}, nil
}

// Live is one run of the write scenario: the number of each measure, quantiles
// with their names after it ("insert_batch_ms p99").
type Live map[string]float64

// live plays the write scenario on every engine, -repeats times in turn.
func (c *config) live() error {
	setup := c.setup()
	results := map[string][]Live{}
	return c.each("live", func(engine string) error {
		l, err := c.liveOne(engine)
		if err != nil {
			return err
		}
		results[engine] = append(results[engine], l)
		return save(c.file(engine, "live"), setup, results[engine])
	})
}

func (c *config) liveOne(engine string) (Live, error) {
	dir := c.index(engine) + ".live"
	if err := os.RemoveAll(dir); err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	cmd, err := c.program(engine, "live", dir, c.corpusFile(), strconv.Itoa(c.liveDocs), strconv.Itoa(c.batch))
	if err != nil {
		return nil, err
	}
	b, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	l, err := parseLive(string(b))
	if err != nil {
		return nil, err
	}
	l["peak_rss_mb"] = float64(peak(cmd) >> 20)
	l["index_mb"] = float64(size(dir)) / (1 << 20)
	l["cpu_s"] = cpu(cmd)
	return l, nil
}

// parseLive reads the lines that the write scenario prints.
func parseLive(text string) (Live, error) {
	l := Live{}
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		switch {
		case len(f) == 4 && f[2] == "want":
			if f[1] != f[3] {
				return nil, fmt.Errorf("wrong answer: %s", strings.TrimSpace(line))
			}
		case len(f) == 2:
			v, err := strconv.ParseFloat(f[1], 64)
			if err != nil {
				return nil, fmt.Errorf("line %q: %w", line, err)
			}
			l[f[0]] = v
		case len(f) > 2 && len(f)%2 == 1:
			for i := 1; i < len(f); i += 2 {
				v, err := strconv.ParseFloat(f[i+1], 64)
				if err != nil {
					return nil, fmt.Errorf("line %q: %w", line, err)
				}
				l[f[0]+" "+f[i]] = v
			}
		default:
			return nil, fmt.Errorf("line %q: want a name and a number, or names and numbers", line)
		}
	}
	return l, nil
}

// each calls f for every engine in turn, -repeats times. An engine that fails is
// left out from then on, and the others go on.
func (c *config) each(step string, f func(engine string) error) error {
	failed := map[string]error{}
	for round := range c.repeats {
		for _, e := range c.engines {
			if failed[e] != nil {
				continue
			}
			log.Printf("%s %s %s, %d of %d", step, c.corpus, e, round+1, c.repeats)
			if err := f(e); err != nil {
				failed[e] = fmt.Errorf("%s %s: %w", step, e, err)
				log.Print(failed[e])
			}
		}
	}
	var all []error
	for _, e := range c.engines {
		all = append(all, failed[e])
	}
	return errors.Join(all...)
}

func cpu(cmd *exec.Cmd) float64 {
	return (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
}

// peak returns the most memory that a finished program held, in bytes.
func peak(cmd *exec.Cmd) int64 {
	return cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10
}
