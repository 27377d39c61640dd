package main

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/quarry-search/quarry/engine"
	"github.com/quarry-search/quarry/storage"
	"github.com/spf13/cobra"
)

// release is the version of this build, set by the linker (-X main.release=);
// without it the module's version or the commit stands for it.
var release string

// versionInfo says what this program is made of.
type versionInfo struct {
	Version      string            `json:"version"`
	Format       int               `json:"format"` // of data directories
	Values       int               `json:"values"` // format of the values in them
	Go           string            `json:"go"`
	Dependencies map[string]string `json:"dependencies"`

	order []string // of Dependencies
}

// version reads what the compiler noted.
func version() versionInfo {
	v := versionInfo{Version: release, Format: storage.FormatVersion, Values: engine.FormatVersion, Go: runtime.Version(), Dependencies: map[string]string{}}
	info, ok := debug.ReadBuildInfo()
	if v.Version == "" {
		v.Version = "dev"
	}
	if !ok {
		return v
	}
	if release == "" && info.Main.Version != "" && info.Main.Version != "(devel)" {
		v.Version = info.Main.Version
	}
	for _, d := range info.Deps {
		if d.Replace != nil {
			d = d.Replace
		}
		v.Dependencies[d.Path] = d.Version
		v.order = append(v.order, d.Path)
	}
	return v
}

// versionCommand is quarry version.
func (p *program) versionCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "version",
		Short: "Print the versions of the program, its data format and its dependencies",
		Example: `  quarry version
  quarry version --json`,
		Args: wants(0, 0, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			v := version()
			if asJSON {
				return json.NewEncoder(p.stdout).Encode(v)
			}
			var b strings.Builder
			fmt.Fprintf(&b, "quarry %s\ndata format %d, values %d\n%s %s/%s\n", v.Version, v.Format, v.Values, v.Go, runtime.GOOS, runtime.GOARCH)
			for _, path := range v.order {
				fmt.Fprintf(&b, "%s %s\n", path, v.Dependencies[path])
			}
			_, err := fmt.Fprint(p.stdout, b.String())
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return c
}
