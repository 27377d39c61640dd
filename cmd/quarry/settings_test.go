package main

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// probe runs a command line up to where its settings are known, and returns
// the value of a flag.
func probe(t *testing.T, c *cli, name string, args ...string) (string, error) {
	t.Helper()
	root := c.program(&strings.Builder{}, &strings.Builder{}).command()
	value := ""
	each(root, func(cmd *cobra.Command) {
		if cmd.RunE != nil {
			cmd.RunE = func(cmd *cobra.Command, _ []string) error {
				value = cmd.Flags().Lookup(name).Value.String()
				return nil
			}
		}
	})
	root.SetArgs(args)
	err := root.ExecuteContext(t.Context())
	return value, err
}

func TestSettingsPrecedence(t *testing.T) {
	c := newCLI(t)
	want := func(value string, args ...string) {
		t.Helper()
		if got, err := probe(t, c, "listen", args...); got != value || err != nil {
			t.Errorf("quarry %v: listen is %q (error %v), want %q", args, got, err, value)
		}
	}
	want(defaultListen, "serve")
	c.write("quarry.toml", "listen = \"file:1\"\ninsecure-http = true\nmemory = \"1GiB\"\n")
	want("file:1", "serve")
	c.env["QUARRY_LISTEN"] = "environment:2"
	want("environment:2", "serve")
	want("flag:3", "serve", "--listen", "flag:3")
	want("environment:2", "serve", "--config", c.write("other.toml", `listen = "other:4"`))
	delete(c.env, "QUARRY_LISTEN")
	want("other:4", "serve", "--config", "other.toml")
	c.env["QUARRY_CONFIG"] = "other.toml"
	want("other:4", "serve")
	if got, err := probe(t, c, "memory", "serve", "--config", "quarry.toml"); got != "1.0 GiB" || err != nil {
		t.Errorf("memory is %q (error %v), want 1.0 GiB", got, err)
	}
}

func TestSettingsLists(t *testing.T) {
	c := newCLI(t)
	c.write("quarry.toml", `facet = ["brand", "color"]`)
	if got, err := probe(t, c, "facet", "search"); got != "[brand,color]" || err != nil {
		t.Errorf("facet from the file is %s (error %v)", got, err)
	}
	c.env["QUARRY_FACET"] = "a, b"
	if got, err := probe(t, c, "facet", "search"); got != "[a,b]" || err != nil {
		t.Errorf("facet from the environment is %s (error %v)", got, err)
	}
}

func TestAPIKeyFromEnvironment(t *testing.T) {
	c := newCLI(t)
	c.env["QUARRY_API_KEY"] = "secret"
	if got, err := probe(t, c, "key", "search"); got != "secret" || err != nil {
		t.Errorf("key is %q (error %v), want the one of QUARRY_API_KEY", got, err)
	}
	c.env["QUARRY_KEY"] = "other"
	if got, err := probe(t, c, "key", "search"); got != "secret" || err != nil {
		t.Errorf("key is %q (error %v), want the one of QUARRY_API_KEY before that of QUARRY_KEY", got, err)
	}
	delete(c.env, "QUARRY_API_KEY")
	if got, err := probe(t, c, "key", "search"); got != "other" || err != nil {
		t.Errorf("key is %q (error %v), want the one of QUARRY_KEY", got, err)
	}
}

// TestEveryFlagHasAVariable: each can be set from the environment by the rule
// that quarry --help states.
func TestEveryFlagHasAVariable(t *testing.T) {
	text := map[string]string{"bool": "true", "int": "7", "int64": "7", "float64": "0.5", "size": "20MiB", "duration": "7s"}
	each(newCLI(t).program(nil, nil).command(), func(cmd *cobra.Command) {
		if cmd.RunE == nil || !cmd.HasParent() {
			return
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Name == "help" || f.Name == "embedder" { // which has to name a file
				return
			}
			want := text[f.Value.Type()]
			if f.Name == "log-level" {
				want = "debug"
			} else if want == "" {
				want = "10.0.0.0/8" // also a text
			}
			c := newCLI(t)
			root := c.program(&strings.Builder{}, &strings.Builder{}).command()
			at, _, err := root.Find(strings.Fields(cmd.CommandPath())[1:])
			if err != nil {
				t.Fatal(err)
			}
			c.env["QUARRY_"+strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))] = want
			none := ""
			s := settings{file: &none, root: root, lookupEnv: func(name string) (string, bool) { v, ok := c.env[name]; return v, ok }}
			if err := s.apply(at); err != nil || !at.Flags().Lookup(f.Name).Changed {
				t.Errorf("%s: the variable of --%s does not set it: %v", cmd.CommandPath(), f.Name, err)
			}
		})
	})
}

func TestMistakesInSettings(t *testing.T) {
	cases := []struct{ file, env, says string }{
		{file: `lisen = "x"`, says: `unknown key "lisen" (did you mean "listen"?)`},
		{file: `root_key_file = "x"`, says: `unknown key "root_key_file" (did you mean "root-key-file"?)`},
		{file: `help = true`, says: `unknown key "help"`},
		{file: "[listen]\nport = 1", says: `"listen" is a table`},
		{file: "listen = \n", says: "quarry.toml:1"},
		{file: `memory = "much"`, says: `quarry.toml: "much" is not a value for memory`},
		{file: `insecure-http = "perhaps"`, says: `"perhaps" is not a value for insecure-http`},
		{file: `data = ""`, says: "quarry.toml: data is empty: "},
		{env: "much", says: `QUARRY_MEMORY: "much" is not a value for memory`},
	}
	for _, tc := range cases {
		t.Run(tc.file+tc.env, func(t *testing.T) {
			c := newCLI(t)
			if tc.file != "" {
				c.write("quarry.toml", tc.file)
			}
			if tc.env != "" {
				c.env["QUARRY_MEMORY"] = tc.env
			}
			code, _, stderr := c.run("serve")
			if code != exitUsage || !strings.Contains(stderr, tc.says) || strings.Count(stderr, "\n") != 1 {
				t.Errorf("exit code %d, error %q, want %d and one line with %q", code, stderr, exitUsage, tc.says)
			}
		})
	}
}

func TestEditDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"kitten", "sitting", 3}, {"listen", "lisen", 1}, {"same", "same", 0}, {"ab", "ba", 2},
	} {
		if got := editDistance(c.a, c.b); got != c.want {
			t.Errorf("editDistance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestSize(t *testing.T) {
	for _, c := range []struct {
		text string
		want size
	}{
		{"1", 1}, {"1024", 1024}, {"512MiB", 512 << 20}, {"512 mib", 512 << 20}, {"2G", 2 << 30}, {"1.5k", 1536}, {"1kB", 1000}, {"3TB", 3e12}, {"7b", 7},
		{"", 0}, {"0", 0}, {"-1", 0}, {"x", 0}, {"1XB", 0}, {"1iB", 0}, {"1KMB", 0}, {"9999TiB", 0}, {"NaN", 0},
	} {
		var s size
		err := s.Set(c.text)
		if s != c.want || (err == nil) != (c.want != 0) {
			t.Errorf("size %q is %d with error %v, want %d", c.text, s, err, c.want)
		}
	}
}

func TestFormat(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 B", 1023: "1023 B", 1024: "1.0 KiB", 1536: "1.5 KiB", 100 << 10: "100 KiB", 1<<20 - 1: "1.0 MiB", 5 << 30: "5.0 GiB", 3 << 50: "3072 TiB",
	} {
		if got := formatBytes(n); got != want {
			t.Errorf("formatBytes(%d) = %q, want %q", n, got, want)
		}
	}
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1000: "-1,000", -100: "-100"} {
		if got := formatCount(n); got != want {
			t.Errorf("formatCount(%d) = %q, want %q", n, got, want)
		}
	}
}
