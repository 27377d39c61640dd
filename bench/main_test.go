package bench

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
)

// skipped are the tests and benchmarks that want collections.
var skipped struct {
	sync.Mutex
	names []string
}

// wanted returns the directory of the collections, and skips what cannot do
// without it.
func wanted(tb testing.TB) string {
	tb.Helper()
	root := os.Getenv("QUARRY_COLLECTIONS")
	if root == "" {
		skipped.Lock()
		skipped.names = append(skipped.names, tb.Name())
		skipped.Unlock()
		tb.Skip("QUARRY_COLLECTIONS is not set: no collections to measure on")
	}
	return root
}

// TestMain tells benchstat which way is better, and in one line what was not
// measured.
func TestMain(m *testing.M) {
	flag.Parse()
	if f := flag.Lookup("test.bench"); f != nil && f.Value.String() != "" {
		// The same index gives the same ranking, whatever the machine.
		fmt.Println("Unit nDCG@10 better=higher assume=exact")
	}
	code := m.Run()
	if len(skipped.names) > 0 {
		slices.Sort(skipped.names) // several runs skip the same
		fmt.Println("Skipped, QUARRY_COLLECTIONS is not set:", strings.Join(slices.Compact(skipped.names), ", "))
	}
	os.Exit(code)
}
