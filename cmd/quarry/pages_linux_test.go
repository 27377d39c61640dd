package main

import (
	"os"
	"reflect"
	"strings"
	"testing"
)

const smapsOfAProgram = `00400000-012a3000 r-xp 00000000 fe:00 9175 /usr/bin/quarry
Rss:               10240 kB
Anonymous:             0 kB
VmFlags: rd ex mr mw me
012a3000-02d57000 r--p 00ea3000 fe:00 9175 /usr/bin/quarry
Anonymous:             0 kB
02d57000-02e4f000 rw-p 02957000 fe:00 9175 /usr/bin/quarry
Anonymous:             0 kB
02e4f000-02e50000 r--p 02a4f000 fe:00 9175 /usr/bin/quarry
Anonymous:             4 kB
02e50000-02e51000 r--s 02a50000 fe:00 9175 /usr/bin/quarry
Anonymous:             0 kB
7f0000000000-7f0000021000 r-xp 00000000 fe:00 17 /usr/lib/quarry/usr/bin/quarry.so
Anonymous:             0 kB
7f0000021000-7f0000022000 r-xp 00000000 00:00 0 [vdso]
Anonymous:             0 kB
`

// Only what is certain to be as it is in the file is given back.
func TestUnwrittenMappings(t *testing.T) {
	got, err := unwrittenMappings(strings.NewReader(smapsOfAProgram), "/usr/bin/quarry")
	if want := []mapping{{0x400000, 0x12a3000}, {0x12a3000, 0x2d57000}}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%x, %v; want %x", got, err, want)
	}
	if _, err := unwrittenMappings(strings.NewReader("Anonymous: many\n"), "/usr/bin/quarry"); err == nil {
		t.Error("a table that cannot be read is no error")
	}
}

// The program goes on without its pages.
func TestProgramPagesAreGivenBack(t *testing.T) {
	program, err := os.Readlink("/proc/self/exe")
	if err != nil {
		t.Skip(err)
	}
	smaps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Skip(err) // a kernel without CONFIG_PROC_PAGE_MONITOR
	}
	if m, err := unwrittenMappings(strings.NewReader(string(smaps)), program); err != nil || len(m) == 0 {
		t.Errorf("mappings of this program: %x, %v", m, err)
	}
	if err := giveProgramPages(); err != nil {
		t.Error(err)
	}
}
