package proto

import (
	"fmt"
	"log"
	"os"
	"runtime/debug"
	"strconv"
)

// Program is an engine that speaks the protocol.
type Program struct {
	// Version says which engine this is.
	Version func() string
	// Build makes a new index in dir of the corpus on standard input.
	Build func(dir string) error
	// Query opens the index in dir and calls Serve.
	Query func(dir string) error
	// Open opens the index in dir for writing, or makes it.
	Open func(dir string) (Live, error)
}

// Main runs the step that the command line names:
//
//	version
//	build DIR <corpus
//	query DIR
//	live DIR CORPUS N BATCH
func (p Program) Main() {
	log.SetFlags(0)
	if err := p.run(os.Args[1:]); err != nil {
		log.Fatal(err)
	}
}

func (p Program) run(args []string) error {
	switch {
	case len(args) == 1 && args[0] == "version":
		fmt.Println(p.Version())
		return nil
	case len(args) == 2 && args[0] == "build":
		if err := os.RemoveAll(args[1]); err != nil {
			return err
		}
		return p.Build(args[1])
	case len(args) == 2 && args[0] == "query":
		return p.Query(args[1])
	case len(args) == 5 && args[0] == "live":
		n, err := strconv.Atoi(args[3])
		if err != nil {
			return err
		}
		batch, err := strconv.Atoi(args[4])
		if err != nil {
			return err
		}
		if err := os.RemoveAll(args[1]); err != nil {
			return err
		}
		return RunLive(args[2], n, batch, func() (Live, error) { return p.Open(args[1]) })
	}
	return fmt.Errorf("usage: version | build DIR <corpus | query DIR | live DIR CORPUS N BATCH")
}

// ModuleVersion returns the path and version of a Go module in this program, and
// the version of Go.
func ModuleVersion(path string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return path
	}
	for _, m := range info.Deps {
		if m.Path == path {
			return m.Path + " " + m.Version + ", " + info.GoVersion
		}
	}
	return path
}
