package quarry

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestFeaturesAreProved: the tests that the table of README.md names are there, and
// no row but those that say "no" of us lacks one.
func TestFeaturesAreProved(t *testing.T) {
	rows := 0
	for _, line := range documentLines(t, "README.md") {
		cells := strings.Split(line, " | ")
		if !strings.HasPrefix(line, "| ") || len(cells) < 8 {
			continue
		}
		rows++
		feature, ours, proof := cells[0], cells[1], strings.TrimSuffix(cells[7], "|")
		if feature == "| " || ours == "Quarry" {
			continue
		}
		named := provedBy(t, proof)
		if len(named) == 0 && ours != "**no**" {
			t.Errorf("%s: no test", feature)
		}
	}
	if rows < 20 {
		t.Errorf("%d rows of features; the test does not find them", rows)
	}
}

// TestDecisionsAreTested: the tests that docs/durability.md names are there.
func TestDecisionsAreTested(t *testing.T) {
	named := 0
	for _, line := range documentLines(t, "docs/durability.md") {
		if cells := strings.Split(line, " | "); strings.HasPrefix(line, "| ") && len(cells) == 2 {
			named += len(provedBy(t, cells[1]))
		}
	}
	if named < 30 {
		t.Errorf("%d tests; the test does not find them", named)
	}
}

var (
	proofFolder = regexp.MustCompile("`([a-z0-9/]+)`")
	proofTest   = regexp.MustCompile(`\b(?:Test|Example)\w*`)
)

// provedBy returns the tests that a cell names, "`folder` TestA, TestB, …", and
// fails for those that are not there.
func provedBy(t *testing.T, cell string) (names []string) {
	folder := ""
	for _, part := range strings.Split(cell, ",") {
		if m := proofFolder.FindStringSubmatch(part); m != nil {
			folder = m[1]
		}
		for _, name := range proofTest.FindAllString(part, -1) {
			names = append(names, name)
			if !hasTest(t, folder, name) {
				t.Errorf("%s has no %s", folder, name)
			}
		}
	}
	return names
}

// hasTest tells whether a folder has a test function of this name.
func hasTest(t *testing.T, folder, name string) bool {
	files, err := filepath.Glob(filepath.Join(filepath.FromSlash(folder), "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "\nfunc "+name+"(") {
			return true
		}
	}
	return false
}

// TestLinksOfDocuments: files that documents link to are there.
func TestLinksOfDocuments(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:, ]+)\)`) // a call of a generic function is none
	for _, name := range documents(t) {
		for _, line := range documentLines(t, name) {
			for _, m := range link.FindAllStringSubmatch(line, -1) {
				if _, err := os.Stat(filepath.Join(filepath.Dir(name), m[1])); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
	}
}

// TestPathsInDocuments: files and folders of ours that documents name are there.
func TestPathsInDocuments(t *testing.T) {
	named := regexp.MustCompile("`((?:engine|httpapi|storage|tokenize|cmd|bench|docs|deploy)(?:/[\\w.-]+)+)`")
	for _, name := range documents(t) {
		for _, line := range documentLines(t, name) {
			for _, m := range named.FindAllStringSubmatch(line, -1) {
				if _, err := os.Stat(filepath.FromSlash(m[1])); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
	}
}

// documents returns the documents of the module.
func documents(t *testing.T) (names []string) {
	for _, pattern := range []string{"*.md", "docs/*.md", "bench/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, found...)
	}
	return names
}

func documentLines(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(text), "\n")
}
