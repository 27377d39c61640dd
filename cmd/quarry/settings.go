package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// settings gives flags that are not on the command line their values from the
// environment or the settings file.
type settings struct {
	file      *string // value of --config
	root      *cobra.Command
	lookupEnv func(string) (string, bool)
}

const (
	envPrefix    = "QUARRY_"
	settingsFile = "quarry.toml"
	// notTyped is the annotation of a flag that the environment or the file sets.
	notTyped = "not-typed"
)

// origin is where the value of a flag comes from. A greater one beats a lesser.
type origin int

const (
	fromDefault origin = iota
	fromFile
	fromEnvironment
	fromCommandLine
)

// originOf tells where the value of a flag comes from.
func originOf(cmd *cobra.Command, flag string) origin {
	f := cmd.Flags().Lookup(flag)
	switch {
	case f == nil || !f.Changed:
		return fromDefault
	case f.Annotations[notTyped] == nil:
		return fromCommandLine
	case f.Annotations[notTyped][0] == envName(flag):
		return fromEnvironment
	}
	return fromFile
}

// envName is the name of a flag's environment variable. That of the key, whose
// name would not say what it opens, is another one; env knows both.
func envName(flag string) string {
	if flag == "key" {
		return envPrefix + "API_KEY"
	}
	return envPrefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// env looks up a flag in the environment.
func (s *settings) env(flag string) (value, from string, ok bool) {
	from = envName(flag)
	if value, ok = s.lookupEnv(from); !ok && flag == "key" {
		from = envPrefix + "KEY"
		value, ok = s.lookupEnv(from)
	}
	return value, from, ok
}

// apply sets the flags of a command.
func (s *settings) apply(cmd *cobra.Command) error {
	path, required := *s.file, *s.file != ""
	if v, ok := s.lookupEnv(envName("config")); ok && v != "" && !required {
		path, required = v, true
	}
	if path == "" {
		path = settingsFile
	}
	file, err := s.read(path, required)
	if err != nil {
		return err
	}
	var errs []error
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Changed || f.Name == "help" || f.Name == "config" {
			return
		}
		if v, from, ok := s.env(f.Name); ok {
			values := []string{v}
			if _, list := f.Value.(pflag.SliceValue); list {
				values = strings.Split(v, ",")
			}
			errs = append(errs, set(cmd, f, values, from))
		} else if values, ok := file[f.Name]; ok {
			errs = append(errs, set(cmd, f, values, path))
		}
	})
	return errors.Join(append(errs, emptyData(cmd))...)
}

// emptyData refuses an empty name of a data directory, as a variable that is
// not set leaves it: it would stand for memory, or for a server.
func emptyData(cmd *cobra.Command) error {
	f := cmd.Flags().Lookup("data")
	if f == nil || !f.Changed || f.Value.String() != "" {
		return nil
	}
	name := "--data"
	if from := f.Annotations[notTyped]; from != nil {
		name = from[0] + ": data"
	}
	return usagef("%s is empty: name a directory, or leave it out", name)
}

// set gives a flag its values, remembers where they come from, and says so of a
// wrong one.
func set(cmd *cobra.Command, f *pflag.Flag, values []string, from string) error {
	f.Annotations = map[string][]string{notTyped: {from}}
	for _, v := range values {
		if err := cmd.Flags().Set(f.Name, strings.TrimSpace(v)); err != nil {
			return usagef("%s: %q is not a value for %s", from, v, f.Name)
		}
	}
	return nil
}

// read reads the settings file: values by the name of the flag. Only names of
// flags may stand in it.
func (s *settings) read(path string, required bool) (map[string][]string, error) {
	text, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !required:
		return nil, nil
	case err != nil:
		return nil, usagef("settings: %w", err)
	}
	var file map[string]any
	if err := toml.Unmarshal(text, &file); err != nil {
		var parse toml.ParseError
		if errors.As(err, &parse) {
			return nil, usagef("%s:%d: %s", path, parse.Position.Line, parse.Message)
		}
		return nil, usagef("%s: %w", path, err)
	}
	known := s.names()
	out := map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(file)) {
		if !slices.Contains(known, name) {
			return nil, usagef("%s: unknown key %q%s", path, name, didYouMean(name, known))
		}
		values, ok := file[name].([]any)
		if !ok {
			values = []any{file[name]}
		}
		for _, v := range values {
			if _, table := v.(map[string]any); table {
				return nil, usagef("%s: %q is a table; settings are plain values", path, name)
			}
			out[name] = append(out[name], fmt.Sprint(v))
		}
	}
	return out, nil
}

// names returns the names of all flags that can be set, sorted.
func (s *settings) names() []string {
	seen := map[string]bool{}
	each(s.root, func(c *cobra.Command) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Name != "help" && f.Name != "config" {
				seen[f.Name] = true
			}
		})
	})
	return slices.Sorted(maps.Keys(seen))
}

// didYouMean proposes the nearest of the known names, if one is near: " (did
// you mean x?)", else "".
func didYouMean(name string, known []string) string {
	best, least := "", len(name)/3+2
	for _, k := range known {
		if d := editDistance(name, k); d < least {
			best, least = k, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %q?)", best)
}

// editDistance is the number of bytes to insert, delete or replace (Levenshtein
// distance).
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replace := diagonal
			if a[i] != b[j] {
				replace++
			}
			diagonal = row[j+1]
			row[j+1] = min(replace, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
