package main

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
)

var rewrite = flag.Bool("rewrite", false, "rewrite the files in testdata")

// cli runs command lines in a directory and environment of its own.
type cli struct {
	t     *testing.T
	env   map[string]string
	stdin string
}

// newCLI changes into an empty directory.
func newCLI(t *testing.T) *cli {
	t.Helper()
	t.Chdir(t.TempDir())
	return &cli{t: t, env: map[string]string{}}
}

func (c *cli) program(stdout, stderr io.Writer) *program {
	return &program{
		stdin: strings.NewReader(c.stdin), stdout: stdout, stderr: stderr,
		lookupEnv: func(name string) (string, bool) { v, ok := c.env[name]; return v, ok },
	}
}

// run carries out a command line.
func (c *cli) run(args ...string) (code int, stdout, stderr string) {
	c.t.Helper()
	var out, err bytes.Buffer
	code = c.program(&out, &err).run(c.t.Context(), args)
	return code, out.String(), err.String()
}

// must carries out a command line that has to succeed.
func (c *cli) must(args ...string) string {
	c.t.Helper()
	code, stdout, stderr := c.run(args...)
	if code != exitDone {
		c.t.Fatalf("quarry %s: exit code %d\n%s%s", strings.Join(args, " "), code, stdout, stderr)
	}
	return stdout
}

// write makes a file.
func (c *cli) write(name, text string) string {
	c.t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		c.t.Fatal(err)
	}
	return name
}

// running is a command that serves.
type running struct {
	ready  string // its line
	cancel context.CancelFunc
	code   chan int
	stderr *lockedBuffer
}

// start runs a command that prints a ready line; it is stopped at the end of
// the test.
func (c *cli) start(args ...string) *running {
	c.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	r := &running{cancel: cancel, code: make(chan int, 1), stderr: &lockedBuffer{}}
	in, out := io.Pipe()
	p := c.program(out, r.stderr)
	go func() {
		r.code <- p.run(ctx, args)
		out.Close()
	}()
	lines := bufio.NewReader(in)
	line, err := lines.ReadString('\n')
	if err != nil {
		cancel()
		c.t.Fatalf("quarry %s: no ready line: %v\n%s", strings.Join(args, " "), err, r.stderr.String())
	}
	r.ready = line
	go io.Copy(io.Discard, lines)
	c.t.Cleanup(func() { r.stop() })
	return r
}

// stop ends the command as a signal does, and returns its exit code.
func (r *running) stop() int {
	r.cancel()
	code := <-r.code
	r.code <- code
	return code
}

// url is the one in the ready line.
func (r *running) url() string { return strings.Fields(r.ready)[2] }

// value is what follows name= in the ready line.
func (r *running) value(name string) string {
	if m := regexp.MustCompile(` ` + name + `=(\S+)`).FindStringSubmatch(r.ready); m != nil {
		return m[1]
	}
	return ""
}

// lockedBuffer is a buffer that two goroutines may use.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// golden compares a text with a file in testdata of the package.
func golden(t *testing.T, name, got string) {
	t.Helper()
	if *rewrite {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s differs (-want +got); -rewrite takes it over:\n%s", name, d)
	}
}

// testdata returns the path of a file in testdata, also after a change of
// directory.
func testdata(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func TestHelp(t *testing.T) {
	path := testdata(t, "help.txt")
	c := newCLI(t)
	var all strings.Builder
	each(c.program(nil, nil).command(), func(cmd *cobra.Command) {
		args := append(strings.Fields(cmd.CommandPath())[1:], "--help")
		all.WriteString("$ quarry " + strings.Join(args, " ") + "\n" + c.must(args...) + "\n")
	})
	golden(t, path, all.String())
}

func TestMistakesInCommandLines(t *testing.T) {
	cases := []struct {
		args []string
		code int
		says string
	}{
		{[]string{"serv"}, exitUsage, `unknown command "serv" (did you mean "serve"?)`},
		{[]string{"help", "serv"}, exitUsage, `unknown command "serv" (did you mean "serve"?)`},
		{[]string{"help", "indexes", "lst"}, exitUsage, `unknown command "lst" (did you mean "list"?)`},
		{[]string{"indexes", "lst"}, exitUsage, `unknown command "lst" (did you mean "list"?)`},
		{[]string{"serve", "--lisen", "x"}, exitUsage, `unknown flag --lisen (did you mean "listen"?)`},
		{[]string{"serve", "-z"}, exitUsage, "unknown flag -z"},
		{[]string{"serve", "--listen"}, exitUsage, "--listen"},
		{[]string{"serve", "--listen", "nonsense"}, exitUsage, "not an address with a port"},
		{[]string{"serve", "--memory", "much"}, exitUsage, "want a size such as 512MiB"},
		{[]string{"serve", "--memory", "1"}, exitUsage, "quarry: --memory: must be at least 16 MiB"},
		{[]string{"serve", "--memory", "15MiB"}, exitUsage, "quarry: --memory: must be at least 16 MiB"},
		{[]string{"serve", "--data", ""}, exitUsage, "quarry: --data is empty: "},
		{[]string{"import", "--data", "", "x.json"}, exitUsage, "quarry: --data is empty: "},
		{[]string{"check", "--data="}, exitUsage, "quarry: --data is empty: "},
		{[]string{"restore", "--data", "", "b"}, exitUsage, "quarry: --data is empty: "},
		{[]string{"serve", "extra"}, exitUsage, `no use for "extra"`},
		{[]string{"serve", "--insecure-http", "--listen", ":7374"}, exitUsage, "loopback"},
		{[]string{"serve", "--insecure-http", "--listen", "192.0.2.1:7374"}, exitUsage, "loopback"},
		{[]string{"serve", "--listen", "127.0.0.1:70000"}, exitUsage, `--listen "127.0.0.1:70000": "70000" is not a port`},
		{[]string{"serve", "--listen", "127.0.0.1:-1"}, exitUsage, `is not a port`},
		{[]string{"serve", "--admin-listen", "127.0.0.1:70000"}, exitUsage, `--admin-listen "127.0.0.1:70000": "70000" is not a port`},
		{[]string{"demo", "--listen", "127.0.0.1:70000"}, exitUsage, `is not a port`},
		{[]string{"serve", "--tls-cert", "x"}, exitUsage, "belong together"},
		{[]string{"serve", "--admin-listen", "7375"}, exitUsage, "--admin-listen"},
		{[]string{"serve", "--debug"}, exitUsage, "--debug needs --admin-listen"},
		{[]string{"serve", "--debug", "--admin-listen", ":7375"}, exitUsage, "--debug needs a loopback address"},
		{[]string{"serve", "--insecure-http", "--admin-listen", "192.0.2.1:7375"}, exitUsage, "loopback"},
		{[]string{"serve", "--acme-host", "localhost"}, exitUsage, "--acme-host"},
		{[]string{"serve", "--acme-host", "192.0.2.1"}, exitUsage, "--acme-host"},
		{[]string{"serve", "--acme-host", "https://shop.example.com"}, exitUsage, "--acme-host"},
		{[]string{"serve", "--acme-host", "shop.example.com", "--insecure-http"}, exitUsage, "no use"},
		{[]string{"serve", "--acme-host", "shop.example.com", "--tls-cert", "c", "--tls-key", "k"}, exitUsage, "no use"},
		{[]string{"serve", "--tls-host", "search.internal:7374"}, exitUsage, "--tls-host"},
		{[]string{"serve", "--tls-host", "*.internal"}, exitUsage, "--tls-host"},
		{[]string{"serve", "--tls-host", "search.internal", "--insecure-http"}, exitUsage, "no use"},
		{[]string{"demo", "--listen", "0.0.0.0:0"}, exitUsage, "loopback"},
		{[]string{"import"}, exitUsage, "needs a file"},
		{[]string{"import", "x.json"}, exitUsage, "no API key"},
		{[]string{"import", "x.json", "--format", "xml", "--key", "k"}, exitUsage, "--format is"},
		{[]string{"import", "x.json", "--index", "Not A Name", "--key", "k"}, exitUsage, "--index"},
		{[]string{"search", "--limit", "x", "red"}, exitUsage, "quarry: --limit: \"x\" is not a whole number\n"},
		{[]string{"search", "--limit", "99999999999999999999", "red"}, exitUsage, "quarry: --limit: 99999999999999999999 is out of range\n"},
		{[]string{"search", "--explain=x", "red"}, exitUsage, "quarry: --explain: \"x\" is not true or false\n"},
		{[]string{"search", "--url", "shoes", "--key", "k"}, exitUsage, "not the address of a server"},
		{[]string{"search", "--url", "http://192.0.2.1:1", "--key", "k"}, exitUsage, "loopback"},
		{[]string{"search", "--url", "https://localhost:1", "--data", "d"}, exitUsage, "not both"},
		{[]string{"search", "--data", "nowhere"}, exitFailed, "there is no data directory nowhere"},
		{[]string{"indexes", "show"}, exitUsage, "needs the name of an index"},
		{[]string{"webhooks", "create"}, exitUsage, "needs a URL"},
		{[]string{"webhooks", "update", "whk_1", "--key", "k"}, exitUsage, "nothing to change"},
		{[]string{"webhooks", "update", "whk_1", "--key", "k", "--enable", "--disable"}, exitUsage, "not both"},
		{[]string{"webhooks", "replay", "whk_1"}, exitUsage, "needs the ids"},
		{[]string{"serve", "--webhook-allow", "intranet"}, exitUsage, "want a network"},
		{[]string{"serve", "--cors-origin", "shop.example"}, exitUsage, "no origin as browsers write it"},
		{[]string{"usage", "july"}, exitUsage, `no use for "july"`},
		{[]string{"usage", "verify", "a", "b"}, exitUsage, `no use for "b"`},
		{[]string{"usage", "verify", "nowhere.json"}, exitFailed, "nowhere.json"},
		{[]string{"check", "--data", "nowhere"}, exitFailed, "there is no data directory nowhere"},
		{[]string{"inspect", "--data", "nowhere"}, exitFailed, "there is no data directory nowhere"},
		{[]string{"eval"}, exitUsage, "needs the folder"},
		{[]string{"eval", "nowhere"}, exitFailed, "nowhere"},
		{[]string{"eval", "a", "b", "--run", "r"}, exitUsage, "one collection"},
		{[]string{"eval", "a", "--ranking", "best"}, exitUsage, "default or bm25"},
		{[]string{"bench", "query", "nowhere"}, exitFailed, "there is no data directory nowhere"},
		{[]string{"bench", "live", "d", "c", "many", "1"}, exitUsage, `"many" is not a number`},
		{[]string{"--config", "nowhere.toml", "version"}, exitUsage, "nowhere.toml"},
	}
	for _, c := range cases {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			code, stdout, stderr := newCLI(t).run(c.args...)
			if code != c.code || !strings.Contains(stderr, c.says) {
				t.Errorf("exit code %d, want %d; error %q, want one with %q", code, c.code, stderr, c.says)
			}
			if stdout != "" || strings.Count(stderr, "\n") != 1 || !strings.HasPrefix(stderr, "quarry: ") {
				t.Errorf("want one line of error and nothing else; standard output %q, standard error %q", stdout, stderr)
			}
			if made, err := os.ReadDir("."); err != nil || len(made) > 0 {
				t.Errorf("made %v, %v", made, err)
			}
		})
	}
}

// TestReadingMakesNoStore: only what writes makes a data directory; one that is
// not there is told.
func TestReadingMakesNoStore(t *testing.T) {
	c := newCLI(t)
	if err := os.Mkdir("empty", 0o700); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"search", "x"}, {"indexes", "list"}, {"keys", "list"}, {"keys", "create", "k"}, {"usage"}, {"usage", "verify"}, {"webhooks", "list"}, {"batch", "list"},
		{"backup", "b"}, {"check"}, {"inspect"}, {"repair", "new"},
	} {
		code, out, stderr := c.run(append(args, "--data", "empty")...)
		if code != exitFailed || out != "" || stderr != "quarry: there is no data directory empty: it is empty\n" {
			t.Errorf("quarry %v: exit code %d, %q, %q", args, code, out, stderr)
		}
		if names, err := os.ReadDir("empty"); err != nil || len(names) > 0 {
			t.Fatalf("quarry %v made %v, %v", args, names, err)
		}
	}
	c.write("half/QUARRY.restoring", "")
	if code, _, stderr := c.run("search", "x", "--data", "half"); code != exitFailed || !strings.Contains(stderr, "half of a data directory") {
		t.Errorf("while it is restored: exit code %d, %q", code, stderr)
	}
}

// TestURLOrDirectory: of a URL and a directory the one that stands where it
// counts for more is the target.
func TestURLOrDirectory(t *testing.T) {
	cases := []struct {
		env  map[string]string
		args []string
		says string
	}{
		{map[string]string{"QUARRY_URL": "shoes"}, []string{"--data", "nowhere"}, "there is no data directory nowhere"},
		{map[string]string{"QUARRY_DATA": "nowhere"}, []string{"--url", "shoes"}, `"shoes" is not the address`},
		{map[string]string{"QUARRY_DATA": "nowhere"}, nil, "there is no data directory nowhere"},
		{map[string]string{"QUARRY_URL": "shoes"}, nil, `"shoes" is not the address`},
		{map[string]string{"QUARRY_URL": "shoes", "QUARRY_DATA": "nowhere"}, nil, "not both"},
		{map[string]string{"QUARRY_URL": "shoes", "QUARRY_DATA": "d"}, []string{"--data", "nowhere"}, "there is no data directory nowhere"},
	}
	for _, tc := range cases {
		c := newCLI(t)
		c.env = tc.env
		if _, _, stderr := c.run(append([]string{"search", "x"}, tc.args...)...); !strings.Contains(stderr, tc.says) {
			t.Errorf("environment %v, quarry search x %v: error %q, want one with %q", tc.env, tc.args, stderr, tc.says)
		}
	}
}

func TestNoCommandShowsHelp(t *testing.T) {
	c := newCLI(t)
	for _, args := range [][]string{{}, {"indexes"}, {"bench"}, {"help"}, {"help", "indexes"}, {"help", "usage"}} {
		if out := c.must(args...); !strings.Contains(out, "Available Commands:") {
			t.Errorf("quarry %v prints %q, want help", args, out)
		}
	}
}

func TestCompletion(t *testing.T) {
	if out := newCLI(t).must("completion", "bash"); !strings.Contains(out, "quarry") {
		t.Errorf("no completion script: %q", out)
	}
}

func TestVersion(t *testing.T) {
	c := newCLI(t)
	if out := c.must("version"); !regexp.MustCompile(`(?m)\Aquarry \S+\ndata format \d+, values \d+\ngo1\.\S+ \S+/\S+$`).MatchString(out) {
		t.Errorf("version prints %q", out)
	}
	if first, out := strings.SplitAfter(c.must("version"), "\n")[0], c.must("--version"); out != first {
		t.Errorf("--version prints %q, version %q", out, first)
	}
	if out := c.must("version", "--json"); !strings.Contains(out, `"format":`) {
		t.Errorf("version --json prints %q", out)
	}
}

// fullOutput is a standard output that takes nothing, such as a file on a full
// disk.
type fullOutput struct{}

func (fullOutput) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// TestFullOutput: what could not be written was not done.
func TestFullOutput(t *testing.T) {
	c := newCLI(t)
	c.must("import", c.write("products.ndjson", `{"id":"1","title":"red shoes"}`+"\n"), "--data", "d")
	for _, args := range [][]string{
		{"search", "red", "--data", "d"}, {"indexes", "list", "--data", "d"}, {"indexes", "show", "products", "--data", "d"},
		{"inspect", "--data", "d"}, {"check", "--data", "d"}, {"repair", "new", "--data", "d"}, {"backup", "b", "--data", "d"},
		{"keys", "list", "--data", "d"}, {"usage", "--data", "d"}, {"usage", "verify", "--data", "d"}, {"version"},
	} {
		var stderr bytes.Buffer
		if code := c.program(fullOutput{}, &stderr).run(t.Context(), args); code != exitFailed || !strings.Contains(stderr.String(), syscall.ENOSPC.Error()) {
			t.Errorf("quarry %v: exit code %d, %q", args, code, &stderr)
		}
	}
}
