package main

import (
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// Setup is under what a measure was taken.
type Setup struct {
	Date     string            // UTC
	Commit   string            // of this repository; -dirty if it has changes that are not committed
	CPU      string            // model name
	Cores    int               // that the driver may use
	MemoryGB float64           // of the machine
	System   string            // distribution and kernel
	Load     string            // average number of running processes in the last minute
	Settings map[string]string // the driver's flags
	Engines  map[string]Engine
}

// Engine is which program was measured.
type Engine struct {
	Command []string // without the step
	Version string   // what it says of itself
}

func (c *config) setup() Setup {
	s := Setup{
		Date:     time.Now().UTC().Format("2006-01-02 15:04"),
		Commit:   output("git", "describe", "--always", "--dirty", "--exclude=*"),
		CPU:      field("/proc/cpuinfo", "model name"),
		Cores:    runtime.NumCPU(),
		MemoryGB: math.Round(float64(kilobytes("/proc/meminfo", "MemTotal"))/(1<<20)*10) / 10,
		System:   strings.Trim(assigned("/etc/os-release", "PRETTY_NAME"), `"`) + ", kernel " + output("uname", "-r"),
		Load:     load1(),
		Settings: c.settings,
		Engines:  map[string]Engine{},
	}
	for _, e := range c.engines {
		cmd, err := c.program(e, "version")
		if err != nil {
			continue
		}
		cmd.Stderr = nil
		version, err := cmd.Output()
		text, _, _ := strings.Cut(strings.TrimSpace(string(version)), "\n")
		if err != nil || text == "" {
			text = "unknown"
		}
		s.Engines[e] = Engine{Command: cmd.Args[:len(cmd.Args)-1], Version: text}
	}
	return s
}

// kilobytes returns a "name: n kB" line of a file, 0 if there is none.
func kilobytes(path, name string) int64 {
	n, _ := strconv.ParseInt(strings.TrimSuffix(field(path, name), " kB"), 10, 64)
	return n
}

// load1 returns the load average of the last minute.
func load1() string {
	b, err := os.ReadFile("/proc/loadavg")
	text, _, ok := strings.Cut(string(b), " ")
	if err != nil || !ok {
		return "unknown"
	}
	return text
}

// output returns the first line that a program prints, or "unknown".
func output(name string, args ...string) string {
	b, err := exec.Command(name, args...).Output()
	line, _, _ := strings.Cut(string(b), "\n")
	if err != nil || line == "" {
		return "unknown"
	}
	return line
}

// field returns the value of the first "name: value" line of a file.
func field(path, name string) string { return value(path, name, ":") }

// assigned returns the value of the first "name=value" line of a file.
func assigned(path, name string) string { return value(path, name, "=") }

func value(path, name, sep string) string {
	b, err := os.ReadFile(path)
	if err != nil {
		return "unknown"
	}
	for line := range strings.Lines(string(b)) {
		if k, v, ok := strings.Cut(line, sep); ok && strings.TrimSpace(k) == name {
			return strings.TrimSpace(v)
		}
	}
	return "unknown"
}

// Measured is a result with the setup it was taken under.
type Measured[T any] struct {
	Setup  Setup
	Result T
}

// queryResult is the file of what the query step measures. Engines that are much
// slower than others are measured apart, with fewer queries: see -group.
func (c *config) queryResult() string {
	if c.group == "" {
		return c.file("query")
	}
	return c.file(c.group, "query")
}

func (c *config) title() string {
	if c.group == "" {
		return c.corpus
	}
	return c.corpus + ", " + c.group
}

func (c *config) file(parts ...string) string {
	return filepath.Join(c.out, strings.Join(append([]string{c.corpus}, parts...), ".")+".json")
}

func save[T any](path string, setup Setup, result T) error {
	b, err := json.MarshalIndent(Measured[T]{setup, result}, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(b, '\n'), 0o666)
}

func load[T any](path string) (m Measured[T], ok bool) {
	b, err := os.ReadFile(path)
	return m, err == nil && json.Unmarshal(b, &m) == nil
}
