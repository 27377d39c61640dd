package main

import (
	"bufio"
	"flag"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// asQuarry, in the environment of a test program, makes it the command itself.
const asQuarry = "QUARRY_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asQuarry) != "" {
		os.Unsetenv(asQuarry)
		main()
	}
	os.Exit(m.Run())
}

// binary is the program that tests of processes run in place of themselves.
var binary = flag.String("quarry", "", "program to test, such as bin/quarry (default: the test itself as the command)")

// process is a server in a process of its own, with its data in ./quarry-data.
type process struct {
	*exec.Cmd
	t   testing.TB
	log *lockedBuffer
	out *bufio.Reader
	key string // root key
	running
}

// command is a command that is to run in a process of its own.
func command(t testing.TB, env []string, args ...string) *process {
	t.Helper()
	name := *binary
	if name == "" {
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		name, env = self, append([]string{asQuarry + "=1"}, env...)
	}
	p := &process{t: t, Cmd: exec.Command(name, args...), log: &lockedBuffer{}}
	p.Env = append(os.Environ(), env...)
	p.Stderr = p.log
	return p
}

// begin starts the process. It is killed at the end of the test if it still
// runs.
func (p *process) begin() {
	p.t.Helper()
	out, err := p.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	p.out = bufio.NewReader(out)
	if err := p.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(p.kill)
}

// launch starts a command.
func launch(t testing.TB, env []string, args ...string) *process {
	t.Helper()
	p := command(t, env, args...)
	p.begin()
	return p
}

// kill ends a process as a loss of power does to it, and waits until it is gone.
func (p *process) kill() {
	p.Process.Kill() // no more than an error once it has ended
	p.Wait()
}

// spawn starts a server and waits until it is ready.
func spawn(t testing.TB, env []string, args ...string) *process {
	t.Helper()
	p := launch(t, env, args...)
	var err error
	if p.ready, err = p.out.ReadString('\n'); err != nil {
		p.kill()
		t.Fatalf("no ready line: %v\n%s", err, p.log.String())
	}
	key, err := os.ReadFile("quarry-data/root.key")
	if err != nil {
		t.Fatal(err)
	}
	p.key = strings.TrimSpace(string(key))
	return p
}
