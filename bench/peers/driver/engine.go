package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// program returns the command that runs a step of an engine.
func (c *config) program(engine string, args ...string) (*exec.Cmd, error) {
	b, err := os.ReadFile(c.table)
	if err != nil {
		return nil, err
	}
	table := map[string][]string{}
	if err := json.Unmarshal(b, &table); err != nil {
		return nil, fmt.Errorf("%s: %w", c.table, err)
	}
	argv := table[engine]
	if len(argv) == 0 {
		return nil, fmt.Errorf("%s has no engine %q", c.table, engine)
	}
	for i := range argv {
		argv[i] = os.Expand(argv[i], func(name string) string {
			if name == "BIN" {
				return c.bin
			}
			return os.Getenv(name)
		})
	}
	cmd := exec.Command(argv[0], append(argv[1:], args...)...)
	cmd.Stderr = os.Stderr
	return cmd, nil
}

func (c *config) index(engine string) string {
	return filepath.Join(c.indexes, c.corpus+"."+engine)
}

func (c *config) corpusFile() string { return filepath.Join(c.data, c.corpus+".tsv") }

// size adds up the files below path.
func size(path string) (n int64) {
	// A file that goes away while it is counted is not worth an error.
	_ = filepath.WalkDir(path, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if i, err := d.Info(); err == nil {
				n += i.Size()
			}
		}
		return nil
	})
	return n
}

// client speaks the protocol with a running query program.
type client struct {
	engine string
	cmd    *exec.Cmd
	stdin  io.Closer
	in     *bufio.Writer
	out    *bufio.Reader

	opened  time.Duration // the program's own time to open the index
	started time.Time
}

// start runs an engine's query program until it is ready.
func (c *config) start(engine string) (*client, error) {
	cmd, err := c.program(engine, "query", c.index(engine))
	if err != nil {
		return nil, err
	}
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p := &client{engine: engine, cmd: cmd, stdin: stdin, in: bufio.NewWriter(stdin), out: bufio.NewReaderSize(stdout, 1<<20), started: time.Now()}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	f, err := p.read()
	if err == nil && (len(f) != 2 || f[0] != "READY") {
		err = fmt.Errorf("not ready: %q", f)
	}
	if err != nil {
		p.close()
		return nil, err
	}
	ns, err := strconv.ParseInt(f[1], 10, 64)
	p.opened = time.Duration(ns)
	return p, err
}

// ask sends a line and returns the columns of the answer.
func (p *client) ask(command, query string) ([]string, error) {
	fmt.Fprintf(p.in, "%s\t%s\n", command, query)
	if err := p.in.Flush(); err != nil {
		return nil, err
	}
	return p.read()
}

func (p *client) read() ([]string, error) {
	s, err := p.out.ReadString('\n')
	return strings.Split(strings.TrimRight(s, "\n"), "\t"), err
}

// answer is what an engine says to one query.
type answer struct {
	supported bool
	n         int
	inside    float64 // microseconds in the engine
	trip      float64 // microseconds until the answer is read
	hits      string
}

func (p *client) query(command, query string) (answer, error) {
	start := time.Now()
	f, err := p.ask(command, query)
	trip := time.Since(start)
	if err != nil {
		return answer{}, err
	}
	if f[0] == "UNSUPPORTED" {
		return answer{}, nil
	}
	a := answer{supported: true, trip: float64(trip.Nanoseconds()) / 1e3}
	if len(f) < 2 {
		return a, fmt.Errorf("%s %s: %q", command, query, f)
	}
	var nErr, nsErr error
	a.n, nErr = strconv.Atoi(f[0])
	a.inside, nsErr = strconv.ParseFloat(f[1], 64)
	a.inside /= 1e3
	if nErr != nil || nsErr != nil {
		return a, fmt.Errorf("%s %s: %q", command, query, f)
	}
	if len(f) > 2 {
		a.hits = f[2]
	}
	return a, nil
}

// Memory is what a process holds, in bytes.
type Memory struct {
	RSS       int64
	Anonymous int64 // of it not a file's pages
}

func (p *client) memory() Memory {
	status := fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid)
	return Memory{RSS: kilobytes(status, "VmRSS") << 10, Anonymous: kilobytes(status, "RssAnon") << 10}
}

// close ends the input, at which a program exits, and waits for it.
func (p *client) close() {
	p.stdin.Close()
	_ = p.cmd.Wait() // its measures are taken; how it exits does not change them
}
