package quarry

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/quarry-search/quarry"

// imports lists every package of the module with the packages of the module
// that it may import. Arrows point down only: what stands at the bottom knows
// nothing of what stands above it.
var imports = map[string][]string{
	"cmd/quarry": {
		"bench/eval", "bench/protocol", "cmd/quarry/internal/demo", "cmd/quarry/internal/source", "engine", "engine/wordvec", "httpapi",
		"httpapi/embedding", "storage", "tokenize",
	},
	"cmd/quarry/internal/demo":   {"engine"},
	"cmd/quarry/internal/source": {"httpapi"},

	"httpapi": {
		"engine", "engine/query", "httpapi/internal/gqldoc", "httpapi/internal/keyring", "httpapi/internal/usage",
		"httpapi/internal/webhook", "httpapi/internal/webui",
	},
	"httpapi/embedding":        {"engine"},
	"httpapi/internal/gqldoc":  {},
	"httpapi/internal/keyring": {},
	"httpapi/internal/usage":   {"engine"},
	"httpapi/internal/webhook": {"engine"},
	"httpapi/internal/webui":   {},

	"bench":          {"bench/eval", "engine", "engine/query", "tokenize"},
	"bench/eval":     {},
	"bench/protocol": {},
	"bench/soak":     {},

	"engine": {
		"engine/internal/collect", "engine/internal/geo", "engine/internal/page", "engine/internal/posting", "engine/internal/score",
		"engine/internal/search", "engine/internal/segment", "engine/internal/termdict", "engine/query", "storage", "tokenize",
		"engine/internal/fuzzy", "engine/internal/intent", "engine/internal/thesaurus", "engine/internal/vector",
	},
	"engine/query":              {},
	"engine/wordvec":            {"engine"},
	"engine/internal/fuzzy":     {},
	"engine/internal/intent":    {"engine/query", "tokenize"},
	"engine/internal/thesaurus": {},
	"engine/internal/vector":    {},
	"engine/internal/search": {
		"engine/internal/collect", "engine/internal/page", "engine/internal/posting", "engine/internal/score",
		"engine/internal/segment", "engine/internal/termdict", "engine/query",
	},
	"engine/internal/collect":  {"engine/internal/posting"},
	"engine/internal/segment":  {"engine/internal/posting", "engine/internal/score", "engine/internal/termdict"},
	"engine/internal/geo":      {},
	"engine/internal/page":     {"engine/internal/geo", "engine/internal/posting", "engine/internal/score", "engine/internal/symbol"},
	"engine/internal/symbol":   {},
	"engine/internal/posting":  {"engine/internal/score"},
	"engine/internal/termdict": {},
	"engine/internal/score":    {},

	"storage":             {},
	"storage/storagetest": {"storage"},
	"tokenize":            {},
}

// owners lists outside packages that only some of ours may use, by the
// beginning of their import path.
var owners = map[string][]string{
	"net/http":                              {"httpapi", "httpapi/embedding", "httpapi/internal/webhook", "httpapi/internal/webui", "cmd/quarry", "bench/soak"},
	"os/signal":                             {"cmd/quarry"},
	"github.com/cockroachdb/pebble":         {"storage", "storage/storagetest"},
	"github.com/RoaringBitmap/roaring":      {"engine/internal/posting", "engine/internal/segment", "engine/internal/page"},
	"github.com/kljensen/snowball":          {"tokenize"},
	"github.com/blevesearch/snowballstem":   {"tokenize"},
	"github.com/clipperhouse/uax29":         {"tokenize"},
	"github.com/spf13/":                     {"cmd/quarry"},
	"github.com/graph-gophers/graphql-go":   {"httpapi"},
	"github.com/BurntSushi/toml":            {"cmd/quarry", "cmd/quarry/internal/demo"},
	"github.com/prometheus/client_golang":   {"cmd/quarry", "httpapi"},
	"github.com/go-json-experiment/json":    {"engine", "httpapi", "httpapi/internal/usage", "httpapi/embedding", "httpapi/internal/webhook", "cmd/quarry", "cmd/quarry/internal/source"},
	"golang.org/x/crypto/acme":              {"cmd/quarry"},
	"github.com/quarry-search/quarry/bench": {"bench", "cmd/quarry"},
}

// file is one Go file that belongs to a package, tests left out.
type file struct {
	path string // below the root, with slashes
	*ast.File
	text []byte
}

// packages parses the module, by the directory below the root.
func packages(t *testing.T) map[string][]file {
	t.Helper()
	out := map[string][]file{}
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			skip := name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata")
			if _, err := os.Stat(filepath.Join(name, "go.mod")); name != "." && err == nil {
				skip = true // a module of its own
			}
			if skip {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		out[path.Dir(name)] = append(out[path.Dir(name)], file{name, f, text})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestArchitecture(t *testing.T) {
	all := packages(t)
	t.Run("imports", func(t *testing.T) { checkImports(t, all) })
	t.Run("table", func(t *testing.T) { checkTable(t, all) })
	t.Run("comments", func(t *testing.T) { checkPackageComments(t, all) })
	t.Run("documented", func(t *testing.T) { checkDocumented(t, all) })
	t.Run("for readers", func(t *testing.T) { checkReadable(t, all) })
	t.Run("init", func(t *testing.T) { checkNoInit(t, all) })
	t.Run("words", func(t *testing.T) { checkForbiddenWords(t, all) })
}

func checkImports(t *testing.T, all map[string][]file) {
	for dir, files := range all {
		allowed, listed := imports[dir]
		if !listed {
			t.Errorf("package %s is not in the table of imports", dir)
			continue
		}
		for _, f := range files {
			for _, i := range f.Imports {
				name, err := strconv.Unquote(i.Path.Value)
				if err != nil {
					t.Fatal(err)
				}
				if own, ok := strings.CutPrefix(name, module+"/"); ok && !slices.Contains(allowed, own) {
					t.Errorf("%s imports %s, which %s may not", f.path, own, dir)
				}
				for _, owned := range slices.Sorted(maps.Keys(owners)) {
					under := name == owned || strings.HasPrefix(name, strings.TrimSuffix(owned, "/")+"/")
					if under && !slices.Contains(owners[owned], dir) {
						t.Errorf("%s imports %s, which only %s may", f.path, name, strings.Join(owners[owned], ", "))
					}
				}
			}
		}
	}
}

// checkTable: the table has no package that is gone, and no circle.
func checkTable(t *testing.T, all map[string][]file) {
	var descend func(dir string, above []string)
	descend = func(dir string, above []string) {
		if slices.Contains(above, dir) {
			t.Fatalf("the table goes in a circle: %s", strings.Join(append(above, dir), " -> "))
		}
		for _, below := range imports[dir] {
			if _, listed := imports[below]; !listed {
				t.Errorf("%s may import %s, which the table does not list", dir, below)
			}
			descend(below, append(above, dir))
		}
	}
	for dir := range imports {
		if all[dir] == nil {
			t.Errorf("the table lists %s, which is no package", dir)
		}
		descend(dir, nil)
	}
}

func checkPackageComments(t *testing.T, all map[string][]file) {
	for dir, files := range all {
		with := 0
		for _, f := range files {
			if f.Doc == nil {
				continue
			}
			with++
			begin := "Package " + f.Name.Name + " "
			if f.Name.Name == "main" {
				begin = "Command " + path.Base(dir) + " "
			}
			if !strings.HasPrefix(f.Doc.Text(), begin) {
				t.Errorf("%s: the package comment does not begin with %q", f.path, begin)
			}
		}
		if with != 1 {
			t.Errorf("package %s has %d package comments, want one", dir, with)
		}
	}
}

// checkDocumented: what the packages for programs export has a comment, of its
// own or of its group.
func checkDocumented(t *testing.T, all map[string][]file) {
	for _, dir := range []string{"engine", "engine/query", "tokenize", "storage"} {
		for _, f := range all[dir] {
			for _, d := range f.Decls {
				switch d := d.(type) {
				case *ast.FuncDecl:
					if d.Name.IsExported() && ofExported(d) && d.Doc == nil {
						t.Errorf("%s: %s has no comment", f.path, d.Name)
					}
				case *ast.GenDecl:
					for _, s := range d.Specs {
						name, doc := exportedSpec(s)
						if name != "" && d.Doc == nil && !doc {
							t.Errorf("%s: %s has no comment", f.path, name)
						}
					}
				}
			}
		}
	}
}

// checkReadable: comments of what programs use do not send their readers to
// packages that they cannot see.
func checkReadable(t *testing.T, all map[string][]file) {
	var hidden []string
	for dir := range all {
		if strings.Contains(dir, "internal/") {
			hidden = append(hidden, path.Base(dir))
		}
	}
	refers := regexp.MustCompile(`internal/|\bpackage (` + strings.Join(hidden, "|") + `)\b`)
	for _, dir := range []string{"engine", "engine/query", "engine/wordvec", "tokenize", "storage"} {
		for _, f := range all[dir] {
			read := func(c *ast.CommentGroup, of string) {
				if m := refers.FindString(c.Text()); m != "" {
					t.Errorf("%s: the comment of %s speaks of %s", f.path, of, m)
				}
			}
			read(f.Doc, "the package")
			for _, d := range f.Decls {
				switch d := d.(type) {
				case *ast.FuncDecl:
					if d.Name.IsExported() && ofExported(d) {
						read(d.Doc, d.Name.Name)
					}
				case *ast.GenDecl:
					for _, s := range d.Specs {
						name, _ := exportedSpec(s)
						if name == "" {
							continue
						}
						read(d.Doc, name)
						ast.Inspect(s, func(n ast.Node) bool {
							if c, ok := n.(*ast.CommentGroup); ok {
								read(c, name)
							}
							return true
						})
					}
				}
			}
		}
	}
}

// ofExported tells whether a function is no method, or one of an exported type.
func ofExported(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	exported := false
	ast.Inspect(d.Recv.List[0].Type, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && len(id.Name) > 1 {
			exported = id.IsExported()
			return false
		}
		return true
	})
	return exported
}

// exportedSpec returns an exported name that a declaration makes, or "", and
// whether it has a comment of its own.
func exportedSpec(s ast.Spec) (name string, documented bool) {
	switch s := s.(type) {
	case *ast.TypeSpec:
		if s.Name.IsExported() {
			return s.Name.Name, s.Doc != nil || s.Comment != nil
		}
	case *ast.ValueSpec:
		for _, n := range s.Names {
			if n.IsExported() {
				return n.Name, s.Doc != nil || s.Comment != nil
			}
		}
	}
	return "", false
}

// checkNoInit: no registry is filled behind the back of the caller.
func checkNoInit(t *testing.T, all map[string][]file) {
	for _, files := range all {
		for _, f := range files {
			for _, d := range f.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
					t.Errorf("%s has an init function", f.path)
				}
			}
		}
	}
}

// checkForbiddenWords: addresses of clients are neither logged nor counted, so
// the service does not even look at them; and the engine's public types know
// nothing of JSON tags.
func checkForbiddenWords(t *testing.T, all map[string][]file) {
	forbidden := map[string][]string{
		"httpapi": {"RemoteAddr", "X-Forwarded-For", "X-Real-Ip", "Forwarded\""},
	}
	for dir, words := range forbidden {
		for _, f := range all[dir] {
			for _, w := range words {
				if bytes.Contains(bytes.ToLower(f.text), bytes.ToLower([]byte(w))) {
					t.Errorf("%s speaks of %s", f.path, w)
				}
			}
		}
	}
	for _, name := range []string{"engine/batch.go", "engine/options.go", "engine/request.go", "engine/schema.go"} {
		i := slices.IndexFunc(all["engine"], func(f file) bool { return f.path == name })
		if i < 0 {
			t.Errorf("%s, which holds public types, is gone", name)
		} else if bytes.Contains(all["engine"][i].text, []byte("`json:")) {
			t.Errorf("%s: public types of the engine have JSON tags", name)
		}
	}
}
