package main

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// TestCommandsInDocuments: the commands that documents and the files in deploy
// give are commands of the program, with flags that it has.
func TestCommandsInDocuments(t *testing.T) {
	checked := 0
	for _, pattern := range []string{"*.md", "docs/*.md", "bench/*.md", "deploy/*"} {
		files, err := filepath.Glob(filepath.Join("..", "..", pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if filepath.Base(file) == "CHANGELOG.md" {
				continue // it speaks of commands that may be gone
			}
			for _, command := range commandsIn(string(text)) {
				checked++
				if wrong := checkCommand(command); wrong != "" {
					t.Errorf("%s: quarry %s: %s", filepath.Base(file), command, wrong)
				}
			}
		}
	}
	if checked < 30 {
		t.Errorf("%d commands; the test does not find them", checked)
	}
}

var (
	// quarry in a block of commands, in a code span, and in a systemd unit.
	documentedCommand = regexp.MustCompile("(?m)(?:^    (?:bin/|docker exec quarry /|.*=\\$\\(|.* QUARRY_CONFIG=\\S+ )?|`|/usr/local/bin/)quarry ([a-z][^`\n]*)")
	commandWord       = regexp.MustCompile(`'[^']*'|"[^"]*"|(?:\$\([^)]*\)|\S)+`)
	commandEnd        = regexp.MustCompile(`^(?:#|\||>|<|&&|\)).*`)
)

// commandsIn returns the arguments of the command lines in a document.
func commandsIn(text string) (list []string) {
	for _, m := range documentedCommand.FindAllStringSubmatch(text, -1) {
		list = append(list, m[1])
	}
	return list
}

// checkCommand tells what is wrong with the arguments of a command line, "" if
// nothing is.
func checkCommand(text string) string {
	var args []string
	for _, word := range commandWord.FindAllString(text, -1) {
		if commandEnd.MatchString(word) {
			break
		}
		args = append(args, strings.Trim(word, `'"`))
	}
	cmd, rest, err := new(program).command().Find(args)
	if err != nil {
		return err.Error()
	}
	if err := cmd.ParseFlags(rest); err != nil && !errors.Is(err, pflag.ErrHelp) {
		return err.Error()
	}
	if rest = cmd.Flags().Args(); !cmd.HasParent() || cmd.HasSubCommands() && len(rest) > 0 {
		return "no such command"
	}
	return ""
}

// TestCheckCommand: the test above would find a mistake.
func TestCheckCommand(t *testing.T) {
	for text, wrong := range map[string]bool{
		`search "red shoes"`:                false,
		"keys create shop --scope search":   false,
		"serve --data x # comment --nodata": false,
		"keys made shop":                    true,
		"find x":                            true,
		"serve --dta x":                     true,
	} {
		if got := checkCommand(text); got != "" != wrong {
			t.Errorf("quarry %s: %q", text, got)
		}
	}
}

// TestDeployedSettings: the settings in deploy/quarry.toml, also those that
// stand in comments, are flags of quarry serve with values that they take.
func TestDeployedSettings(t *testing.T) {
	text, err := os.ReadFile("../../deploy/quarry.toml")
	if err != nil {
		t.Fatal(err)
	}
	lines := regexp.MustCompile(`(?m)^#?([a-z-]+) = "(.*)"$`).FindAllStringSubmatch(string(text), -1)
	if len(lines) < 8 {
		t.Errorf("%d settings; the test does not find them", len(lines))
	}
	serve, _, err := new(program).command().Find([]string{"serve"})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range lines {
		if err := serve.Flags().Set(m[1], m[2]); err != nil {
			t.Errorf("%s: %v", m[0], err)
		}
	}
}
