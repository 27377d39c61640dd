package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quarry-search/quarry/engine"
)

func TestEmbedderSpecs(t *testing.T) {
	for _, text := range []string{
		"a=words:/some/file.txt", "a=words:f;most=10", "b-1=https://x.example/v1/embeddings;model=m;dimensions=3",
		"b=http://127.0.0.1:1/v1;model=m;dimensions=3;key-file=/f;batch=8;timeout=5s;tries=2;query-prefix=query: ;record-prefix=passage: ",
	} {
		var s embedderSpecs
		if err := s.Set(text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	for text, want := range map[string]string{
		"words:f":                      "an embedder is",
		"A=words:f":                    "lower case",
		"a=words:f;model=m":            `no setting "model"`,
		"a=https://x.example/":         "a model must be named",
		"a=https://x.example/;model=m": "dimensions",
		"a=http://x.example/;model=m;dimensions=3":                          "use https",
		"a=https://x.example/;model=m;dimensions=x":                         "whole number",
		"a=https://x.example/;model=m;dimensions=3;key-file=f;key-env=NAME": "exclude",
	} {
		var s embedderSpecs
		if err := s.Set(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
}

func TestEmbeddersOpen(t *testing.T) {
	dir := t.TempDir()
	words, key := filepath.Join(dir, "words.txt"), filepath.Join(dir, "key")
	for file, text := range map[string]string{words: "car 1 0\nbread 0 1\n", key: "secret\n"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got := ""
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r.Header.Get("Authorization")
		_, _ = io.Copy(io.Discard, r.Body)
		fmt.Fprint(w, `{"data":[{"index":0,"embedding":[1,2,3]}]}`)
	}))
	defer s.Close()
	env := func(name string) (string, bool) { return "from-env", name == "MY_KEY" }
	for setting, want := range map[string]string{"key-file=" + key: "Bearer secret", "key-env=MY_KEY": "Bearer from-env"} {
		specs := embedderSpecs{"w=words:" + words, "far=" + s.URL + ";model=m;dimensions=3;" + setting}
		all, err := specs.open(env)
		if err != nil {
			t.Fatal(err)
		}
		if d := all["w"].Dimensions(); d != 2 {
			t.Errorf("%d dimensions", d)
		}
		if _, err := all["far"].Embed(context.Background(), engine.QueryText, []string{"a"}); err != nil || got != want {
			t.Errorf("%s: authorization %q, %v", setting, got, err)
		}
		if names := specs.remote(); len(names) != 1 || names[0] != "far" {
			t.Errorf("remote %v", names)
		}
	}
	for _, specs := range []embedderSpecs{
		{"w=words:" + filepath.Join(dir, "none")}, {"w=words:" + words, "w=words:" + words},
		{"far=" + s.URL + ";model=m;dimensions=3;key-env=NONE"},
	} {
		if _, err := specs.open(env); err == nil {
			t.Errorf("%v: no error", specs)
		}
	}
}
