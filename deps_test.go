package quarry

import (
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// What the engine brings into the program of whoever imports it: the modules
// that its own packages need, and those that come with Pebble alone. A name
// more is a decision; a name less is a gain, and a line to delete.
var (
	engineModules = []string{
		"github.com/RoaringBitmap/roaring/v2",
		"github.com/bits-and-blooms/bitset", // of roaring
		"github.com/blevesearch/snowballstem",
		"github.com/cespare/xxhash/v2",
		"github.com/clipperhouse/uax29/v2",
		"github.com/cockroachdb/pebble/v2",
		"github.com/go-json-experiment/json",
		"github.com/klauspost/compress",
		"github.com/kljensen/snowball",
		"golang.org/x/sys", // of roaring
		"golang.org/x/text",
	}
	pebbleModules = []string{
		"github.com/DataDog/zstd",
		"github.com/RaduBerinde/axisds",
		"github.com/RaduBerinde/btreemap",
		"github.com/beorn7/perks",
		"github.com/cockroachdb/crlib",
		"github.com/cockroachdb/errors",
		"github.com/cockroachdb/logtags",
		"github.com/cockroachdb/redact",
		"github.com/cockroachdb/swiss",
		"github.com/cockroachdb/tokenbucket",
		"github.com/getsentry/sentry-go",
		"github.com/gogo/protobuf",
		"github.com/golang/snappy",
		"github.com/kr/pretty",
		"github.com/kr/text",
		"github.com/minio/minlz",
		"github.com/munnerz/goautoneg",
		"github.com/pkg/errors",
		"github.com/prometheus/client_golang",
		"github.com/prometheus/client_model",
		"github.com/prometheus/common",
		"github.com/prometheus/procfs",
		"github.com/rogpeppe/go-internal",
		"golang.org/x/exp",
		"google.golang.org/protobuf",
	}
)

// noServer are packages that only programs need which speak to a network. With
// Pebble come net/http and expvar (by way of github.com/cockroachdb/errors,
// which reports to Sentry, and github.com/prometheus/client_golang); nothing of
// ours, and nothing else that we chose, may need them.
var noServer = []string{"net", "net/http", "crypto/tls", "expvar", "html/template", "log/slog", "os/exec", "os/signal", "flag"}

// listed is a package as go list tells of it.
type listed struct {
	ImportPath string
	Imports    []string
	ImportMap  map[string]string
	Standard   bool
	Module     *struct{ Path string }
}

// listDeps returns the packages that a package needs, itself included.
func listDeps(t *testing.T, name string) map[string]listed {
	t.Helper()
	out, err := exec.Command("go", "list", "-deps", "-json=ImportPath,Imports,ImportMap,Standard,Module", name).Output()
	if err != nil {
		var failed *exec.ExitError
		if errors.As(err, &failed) {
			t.Fatalf("go list: %v\n%s", err, failed.Stderr)
		}
		t.Skip("no go command here: ", err)
	}
	all := map[string]listed{}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := d.Decode(&p); err == io.EOF {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all[p.ImportPath] = p
	}
}

func TestDependenciesOfEngine(t *testing.T) {
	all := listDeps(t, module+"/engine")
	modules := func(names map[string]string) []string {
		set := map[string]bool{}
		for name := range names {
			if m := all[name].Module; m != nil && m.Path != module {
				set[m.Path] = true
			}
		}
		return slices.Sorted(maps.Keys(set))
	}
	// by is what needs a package first, for messages.
	reach := func(through func(listed) bool) map[string]string {
		by := map[string]string{module + "/engine": ""}
		for next := []string{module + "/engine"}; len(next) > 0; next = next[1:] {
			p := all[next[0]]
			if p.Standard || !through(p) {
				continue // what the standard library needs of itself is its own affair
			}
			for _, i := range p.Imports {
				if to, ok := p.ImportMap[i]; ok {
					i = to
				}
				if _, seen := by[i]; !seen {
					by[i] = p.ImportPath
					next = append(next, i)
				}
			}
		}
		return by
	}
	own := reach(func(p listed) bool { return p.Module == nil || p.Module.Path != "github.com/cockroachdb/pebble/v2" })
	for _, name := range noServer {
		if by, ok := own[name]; ok {
			t.Errorf("%s imports %s", by, name)
		}
	}
	if got := modules(own); !slices.Equal(got, engineModules) {
		t.Errorf("without Pebble's, the engine needs the modules\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(engineModules, "\n"))
	}
	for name, by := range reach(func(listed) bool { return true }) {
		m := all[name].Module
		if m != nil && m.Path != module && !slices.Contains(engineModules, m.Path) && !slices.Contains(pebbleModules, m.Path) {
			t.Errorf("%s imports %s, of a module that is not listed", by, name)
		}
	}
}
