package main

import (
	"bufio"
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

// process is a server in a process of its own, with its data in ./quarry-data.
type process struct {
	*exec.Cmd
	log *lockedBuffer
	key string // root key
	running
}

// spawn starts a server. It is killed at the end of the test if it still runs.
func spawn(t *testing.T, env []string, args ...string) *process {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &process{Cmd: exec.Command(self, args...), log: &lockedBuffer{}}
	p.Env = append(append(os.Environ(), asQuarry+"=1"), env...)
	p.Stderr = p.log
	out, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.Process.Kill() // no more than an error once it has ended
		p.Wait()
	})
	if p.ready, err = bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatalf("no ready line: %v\n%s", err, p.log.String())
	}
	key, err := os.ReadFile("quarry-data/root.key")
	if err != nil {
		t.Fatal(err)
	}
	p.key = strings.TrimSpace(string(key))
	return p
}
