package main_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

// TestLinksOfTheDocumentsLeadSomewhere follows each link in the documents to another file of the
// project, or to a heading.
func TestLinksOfTheDocumentsLeadSomewhere(t *testing.T) {
	t.Parallel()
	const top = ".."
	var documents []string
	for _, name := range []string{"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"} {
		documents = append(documents, filepath.Join(top, name))
	}
	err := filepath.WalkDir(filepath.Join(top, "docs"), func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".md") {
			documents = append(documents, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	headings := map[string]map[string]bool{}
	followed := 0
	for _, path := range documents {
		text, err := os.ReadFile(path)
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, link := range markdownLink.FindAllStringSubmatch(string(fencedCode.ReplaceAll(text, nil)), -1) {
			target, heading, _ := strings.Cut(link[1], "#")
			if strings.Contains(target, ":") {
				continue // a link to another host
			}
			followed++
			at := path
			if target != "" {
				at = filepath.Join(filepath.Dir(path), target)
			}
			if _, err := os.Stat(at); err != nil {
				t.Errorf("%s: %s: %v", path, link[0], err)
				continue
			}
			if heading == "" {
				continue
			}
			if headings[at] == nil {
				headings[at] = headingsOf(t, at)
			}
			if !headings[at][heading] {
				t.Errorf("%s: %s: there is no such heading", path, link[0])
			}
		}
	}
	if followed < 80 {
		t.Errorf("only %d links are followed", followed)
	}
}

var (
	markdownLink = regexp.MustCompile(`\[[^\]]*\]\(([^)\s]+)\)`)
	fencedCode   = regexp.MustCompile("(?ms)^```.*?^```")
	headingLine  = regexp.MustCompile(`(?m)^#+ (.*)$`)
)

// headingsOf returns the anchors of the headings of a document: lower case, with hyphens for blanks
// and without punctuation.
func headingsOf(t *testing.T, path string) map[string]bool {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	anchors := map[string]bool{}
	for _, line := range headingLine.FindAllStringSubmatch(string(fencedCode.ReplaceAll(text, nil)), -1) {
		anchors[strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-', r == '_', unicode.IsLetter(r), unicode.IsDigit(r):
				return unicode.ToLower(r)
			}
			return -1
		}, line[1])] = true
	}
	return anchors
}
