package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
)

// giveProgramPages unmaps what this process has touched of its own program: its code and
// its constants, most of which only a start or an import runs through. The kernel keeps
// them in its cache of files and maps them again, up to 2 MiB around what is touched, when
// they are used: a fault without a read. What is written to is left alone, whether the
// linker made it so (variables) or a debugger (breakpoints).
func giveProgramPages() error {
	program, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return err
	}
	f, err := os.Open("/proc/self/smaps")
	if err != nil {
		return err
	}
	defer f.Close()
	unwritten, err := unwrittenMappings(f, program)
	if err != nil {
		return err
	}
	for _, m := range unwritten {
		if _, _, errno := syscall.Syscall(syscall.SYS_MADVISE, m.start, m.end-m.start, syscall.MADV_DONTNEED); errno != 0 {
			return fmt.Errorf("madvise: %w", errno)
		}
	}
	return nil
}

// mapping is a range of addresses.
type mapping struct{ start, end uintptr }

// unwrittenMappings returns the mappings of a file that a table in the format of
// /proc/PID/smaps lists as private and not writable, if no page of them was ever written to.
func unwrittenMappings(smaps io.Reader, file string) ([]mapping, error) {
	var found []mapping
	var last mapping // of the file; zero if the lines are about another one
	lines := bufio.NewScanner(smaps)
	for lines.Scan() {
		line := lines.Text()
		if _, pages, ok := strings.Cut(line, "Anonymous:"); ok {
			var kib int
			if _, err := fmt.Sscanf(pages, "%d kB", &kib); err != nil {
				return nil, fmt.Errorf("anonymous pages of a mapping: %q", line)
			}
			if last != (mapping{}) && kib == 0 {
				found = append(found, last)
			}
			continue
		}
		var m mapping
		var rights string
		if n, _ := fmt.Sscanf(line, "%x-%x %s", &m.start, &m.end, &rights); n != 3 {
			continue // one of the other properties of the mapping
		}
		last = mapping{}
		if strings.HasSuffix(line, " "+file) && (rights == "r-xp" || rights == "r--p") {
			last = m
		}
	}
	return found, lines.Err()
}
