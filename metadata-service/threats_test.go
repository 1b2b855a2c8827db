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
	namedTest    = regexp.MustCompile("`((?:Test|Fuzz)[A-Z]\\w+)`")
	declaredTest = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)[A-Z]\w+)\(`)
)

// The security documentation names the tests for the threats that it describes. A renamed or
// removed test must not leave a threat without a test.
func TestThreatsAreTriedByTheTestsThatAreNamed(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	_, threats, found := strings.Cut(string(page), "\n## Threats\n")
	if !found {
		t.Fatal("docs/security.md has no section Threats")
	}
	declared := map[string]bool{}
	for _, module := range []string{".", "../frontend-proxy", "../pkg"} {
		err := filepath.WalkDir(module, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			for _, match := range declaredTest.FindAllStringSubmatch(string(text), -1) {
				declared[match[1]] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for line := range strings.Lines(threats) {
		cells := strings.Split(line, "|")
		if len(cells) != 5 || strings.HasPrefix(cells[1], "---") || strings.TrimSpace(cells[1]) == "Threat" {
			continue
		}
		tests := namedTest.FindAllStringSubmatch(cells[3], -1)
		if len(tests) == 0 {
			t.Errorf("nothing tries: %s", strings.TrimSpace(cells[1]))
		}
		for _, test := range tests {
			if !declared[test[1]] {
				t.Errorf("%s tries nothing: there is no such test", test[1])
			}
		}
	}
}
