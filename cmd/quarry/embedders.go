package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/quarry-search/quarry/engine"
	"github.com/quarry-search/quarry/engine/wordvec"
	"github.com/quarry-search/quarry/httpapi/embedding"
	"github.com/spf13/pflag"
)

// embedderSpecs are the values of --embedder: NAME=WHERE;setting=value;...
type embedderSpecs []string

var _ pflag.SliceValue = (*embedderSpecs)(nil)

func (s *embedderSpecs) String() string { return strings.Join(*s, " ") }
func (s *embedderSpecs) Type() string   { return "EMBEDDER" }

// Set takes one value. It only looks at the form: files and keys are read when
// the embedders are opened.
func (s *embedderSpecs) Set(text string) error {
	if _, err := parseEmbedder(text); err != nil {
		return err
	}
	*s = append(*s, text)
	return nil
}

// Append, Replace and GetSlice implement pflag.SliceValue.
func (s *embedderSpecs) Append(text string) error { return s.Set(text) }

func (s *embedderSpecs) Replace(list []string) error {
	*s = nil
	for _, text := range list {
		if err := s.Set(text); err != nil {
			return err
		}
	}
	return nil
}

func (s *embedderSpecs) GetSlice() []string { return *s }

// embedderSpec is an embedder as a setting describes it.
type embedderSpec struct {
	name     string
	words    string // file of word vectors; "" for an endpoint
	most     int    // words of it
	endpoint embedding.Config
	keyFile  string
	keyEnv   string
}

const embedderForm = "an embedder is NAME=words:FILE, or NAME=URL;model=MODEL;dimensions=N"

// parseEmbedder reads the value of --embedder.
func parseEmbedder(text string) (spec embedderSpec, err error) {
	name, rest, ok := strings.Cut(text, "=")
	if !ok || !engine.ValidIndexName(name) {
		return spec, fmt.Errorf("%s; a name has lower case letters, digits, _ and -", embedderForm)
	}
	spec.name = name
	where, settings, _ := strings.Cut(rest, ";")
	number := func(to *int) func(string) error {
		return func(v string) (err error) {
			if *to, err = strconv.Atoi(v); err != nil || *to < 1 {
				return fmt.Errorf("%q is not a whole number above 0", v)
			}
			return nil
		}
	}
	str := func(to *string) func(string) error {
		return func(v string) error { *to = v; return nil }
	}
	e := &spec.endpoint
	known := map[string]func(string) error{
		"model": str(&e.Model), "dimensions": number(&e.Dimensions), "batch": number(&e.Batch), "tries": number(&e.Tries),
		"query-prefix": str(&e.QueryPrefix), "record-prefix": str(&e.RecordPrefix), "key-file": str(&spec.keyFile), "key-env": str(&spec.keyEnv),
		"timeout": func(v string) (err error) { e.Timeout, err = time.ParseDuration(v); return err },
	}
	if file, ok := strings.CutPrefix(where, "words:"); ok {
		spec.words, known = file, map[string]func(string) error{"most": number(&spec.most)}
	} else {
		e.URL = where
	}
	for settings != "" {
		var one string
		one, settings, _ = strings.Cut(settings, ";")
		key, value, _ := strings.Cut(one, "=")
		set := known[key]
		if set == nil {
			return spec, fmt.Errorf("%s: there is no setting %q; known are %s", embedderForm, key, strings.Join(slices.Sorted(maps.Keys(known)), ", "))
		}
		if err := set(value); err != nil {
			return spec, fmt.Errorf("%s: %w", key, err)
		}
	}
	switch {
	case spec.keyFile != "" && spec.keyEnv != "":
		return spec, fmt.Errorf("key-file and key-env exclude each other")
	case spec.words == "":
		_, err = embedding.New(*e)
	}
	return spec, err
}

// open makes the embedders that the settings describe.
func (s embedderSpecs) open(lookupEnv func(string) (string, bool)) (map[string]engine.Embedder, error) {
	out := map[string]engine.Embedder{}
	for _, text := range s {
		spec, err := parseEmbedder(text)
		if err != nil {
			return nil, usagef("--embedder: %w", err)
		}
		if out[spec.name] != nil {
			return nil, usagef("--embedder: there are two of the name %q", spec.name)
		}
		if out[spec.name], err = spec.open(lookupEnv); err != nil {
			return nil, fmt.Errorf("embedder %q: %w", spec.name, err)
		}
	}
	return out, nil
}

func (s *embedderSpec) open(lookupEnv func(string) (string, bool)) (engine.Embedder, error) {
	if s.words != "" {
		return wordvec.Open(s.words, &wordvec.Options{Words: s.most})
	}
	switch {
	case s.keyFile != "":
		b, err := os.ReadFile(s.keyFile)
		if err != nil {
			return nil, err
		}
		s.endpoint.Key = strings.TrimSpace(string(b))
	case s.keyEnv != "":
		key, ok := lookupEnv(s.keyEnv)
		if !ok {
			return nil, usagef("the environment has no %s", s.keyEnv)
		}
		s.endpoint.Key = strings.TrimSpace(key)
	}
	return embedding.New(s.endpoint)
}

// remote tells which of the embedders send texts away.
func (s embedderSpecs) remote() (names []string) {
	for _, text := range s {
		if spec, err := parseEmbedder(text); err == nil && spec.words == "" {
			names = append(names, spec.name)
		}
	}
	return names
}
