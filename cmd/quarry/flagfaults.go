package main

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// flagFaults puts what the server finds wrong with a request in the words of
// the command line: "--limit: must be at least 0", not "/limit". If all of it
// is about what was typed, it is a mistake in the command line, except for what
// is not there.
func flagFaults(cmd *cobra.Command, err error) error {
	var refused *apiError
	if !errors.As(err, &refused) || len(refused.Faults) == 0 {
		return err
	}
	var list []string
	for _, f := range refused.Faults {
		name := flagOf(cmd, f.Pointer+f.Parameter, f.Detail)
		if name == "" {
			return err
		}
		text := name + ": " + f.Detail
		if f.Column > 0 {
			text += fmt.Sprintf(" (column %d)", f.Column)
		}
		list = append(list, text)
	}
	told := errors.New(strings.Join(list, "; "))
	if refused.Status != http.StatusBadRequest && refused.Status != http.StatusUnprocessableEntity {
		return told
	}
	return usageError{told}
}

// targetFlags say where a request goes, and are not in it.
var targetFlags = []string{"url", "key", "ca", "data"}

// argument begins the annotations of commands that say which member of a
// request an argument becomes: argument+"q" is "QUERY".
const argument = "argument "

// flagOf returns the flag whose value came to stand at a place of a request,
// with the value if it is one of several that detail does not name; "" if there
// is none that was given. The members of requests are called like the flags, or
// are their plural.
func flagOf(cmd *cobra.Command, place, detail string) string {
	parts := strings.Split(strings.Trim(place, "/"), "/")
	if name := cmd.Annotations[argument+parts[0]]; name != "" && len(parts) == 1 {
		return name
	}
	number := -1
	for i := len(parts) - 1; i >= 0; i-- {
		if n, err := strconv.Atoi(parts[i]); err == nil {
			number = n
			continue
		}
		for _, ending := range []string{"", "s", "es", "_at"} {
			name, ok := strings.CutSuffix(parts[i], ending)
			f := cmd.Flags().Lookup(name)
			if !ok || f == nil || !f.Changed || slices.Contains(targetFlags, name) {
				continue
			}
			if list, ok := f.Value.(pflag.SliceValue); ok {
				if values := list.GetSlice(); number >= 0 && number < len(values) && !strings.Contains(detail, strconv.Quote(values[number])) {
					return "--" + name + " " + values[number]
				}
			}
			return "--" + name
		}
	}
	return ""
}
