package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// onTerminal carries out a command line on a terminal and returns what that is
// sent.
func (c *cli) onTerminal(args ...string) string {
	c.t.Helper()
	near, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		c.t.Skip("no terminals here: ", err)
	}
	defer near.Close()
	number, err := unix.IoctlGetInt(int(near.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(near.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err != nil {
		c.t.Skip("no terminals here: ", err)
	}
	far, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		c.t.Skip("no terminals here: ", err)
	}
	sent := make(chan string)
	go func() {
		b, _ := io.ReadAll(near) // it ends with an error when the far end is closed
		sent <- string(b)
	}()
	code := c.program(far, far).run(c.t.Context(), args)
	if err := far.Close(); err != nil {
		c.t.Error(err)
	}
	out := <-sent
	if code != exitDone {
		c.t.Errorf("quarry %s: exit code %d\n%s", strings.Join(args, " "), code, out)
	}
	return out
}

func TestTerminal(t *testing.T) {
	c := newCLI(t)
	file := c.write("products.ndjson", `{"id":"1","title":"red shoes"}`+"\n")
	out := c.onTerminal("import", file, "--data", "d")
	if before, _, ok := strings.Cut(out, "made the index products"); !ok || !strings.Contains(before, " B of ") || !strings.HasSuffix(before, clearLine) {
		t.Errorf("the import prints %q, want what it says of the index on a line of its own", out)
	}
	if out := c.onTerminal("search", "red", "--data", "d"); !strings.Contains(out, highlightOn+"red"+highlightOff+" shoes") {
		t.Errorf("the search prints %q, want red marked", out)
	}
	c.env["TERM"] = "dumb"
	for _, args := range [][]string{{"import", file, "--data", "d2"}, {"search", "red", "--data", "d2"}} {
		if out := c.onTerminal(args...); out == "" || strings.Contains(out, "\x1b") {
			t.Errorf("quarry %v prints %q on a terminal that knows no codes", args, out)
		}
	}
}
