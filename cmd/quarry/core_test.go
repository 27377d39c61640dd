package main

import (
	"fmt"
	"os"
	"regexp"
	"runtime"
	"testing"
)

// TestServerLeavesNoCoreDump: the memory of a server that crashes, in which
// queries are, is not written to disk, whatever the shell allows.
func TestServerLeavesNoCoreDump(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("reads /proc")
	}
	t.Chdir(t.TempDir())
	p := spawn(t, nil, "serve", "--listen", "127.0.0.1:0", "--insecure-http")
	limits, err := os.ReadFile(fmt.Sprintf("/proc/%d/limits", p.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`(?m)^Max core file size +0 +0 `).Match(limits) {
		t.Errorf("core dumps are allowed:\n%s", limits)
	}
}
