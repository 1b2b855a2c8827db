package main_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	readsVariable = regexp.MustCompile(`os\.(?:Getenv|LookupEnv)\(([^()]+)\)`)
	literal       = regexp.MustCompile(`^"([A-Z_]+)"$`)
)

// TestVariablesThatTestsReadAreInTheGuide checks the tests of all modules. It ignores variables
// that a test sets for a process it starts.
func TestVariablesThatTestsReadAreInTheGuide(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile("../CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, module := range []string{".", "../frontend-proxy", "../pkg"} {
		err := filepath.WalkDir(module, func(path string, entry fs.DirEntry, err error) error {
			if err == nil && entry.IsDir() && entry.Name() == "node_modules" {
				return filepath.SkipDir
			}
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for _, name := range variablesOf(t, path, string(text)) {
				if found++; !strings.Contains(string(guide), "| `"+name+"` |") {
					t.Errorf("%s reads %s; say in CONTRIBUTING.md what it is for", path, name)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if found < 5 {
		t.Errorf("only %d variables were found, this test does not look where it should", found)
	}
}

// variablesOf returns the variables that the text of a test reads and does not set itself.
func variablesOf(t *testing.T, path, text string) (names []string) {
	t.Helper()
	for _, read := range readsVariable.FindAllStringSubmatch(text, -1) {
		argument := read[1]
		if strings.Contains(text, argument+`+"="`) || strings.Contains(text, argument+` + "="`) {
			continue
		}
		name := literal.FindStringSubmatch(argument)
		if name == nil {
			constant := regexp.MustCompile(`\b` + regexp.QuoteMeta(argument) + `\s*=\s*("[A-Z_]+")`).FindStringSubmatch(text)
			if constant == nil {
				t.Errorf("%s: what variable is %s?", path, argument)
				continue
			}
			name = literal.FindStringSubmatch(constant[1])
		}
		names = append(names, name[1])
	}
	return names
}
