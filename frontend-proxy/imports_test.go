package main_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const (
	product = "github.com/cartulary/cartulary/"
	here    = product + "frontend-proxy"
)

// mayImport lists for each package the packages of this module that it may import, besides pkg. A
// new package needs a line; no package may import the metadata service.
var mayImport = map[string][]string{
	".":                    {"internal/cli"},
	"internal/cli":         {"internal/app"},
	"internal/app":         {"internal/gateway", "internal/login", "internal/metrics", "internal/outage", "internal/seal", "internal/session", "internal/sso", "internal/upstream", "internal/webui", "web"},
	"internal/gateway":     {"internal/outage", "internal/session"},
	"internal/login":       {"internal/session", "internal/sso"},
	"internal/metrics":     {},
	"internal/outage":      {},
	"internal/seal":        {},
	"internal/session":     {"internal/seal"},
	"internal/sso":         {"internal/seal"},
	"internal/sso/ssotest": {},
	"internal/upstream":    {"internal/outage"},
	"internal/webui":       {},
	"web":                  {},
}

func TestRoomsImportOnlyWhatTheyMay(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	err := filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "node_modules" || entry.Name() == "e2e") {
			return filepath.SkipDir
		}
		if entry.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		room := path.Dir(filepath.ToSlash(file))
		allowed, known := mayImport[room]
		if !known {
			t.Errorf("%s: room %s is not in the table", file, room)
			return nil
		}
		seen[room] = true
		for _, imported := range importsOf(t, file) {
			if !allowedImport(imported, allowed) {
				t.Errorf("%s imports %s", file, imported)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for room := range mayImport {
		if !seen[room] {
			t.Errorf("room %s is in the table and holds no code", room)
		}
	}
}

func allowedImport(imported string, allowed []string) bool {
	if !strings.HasPrefix(imported, product) || strings.HasPrefix(imported, product+"pkg/") {
		return true
	}
	return slices.Contains(allowed, strings.TrimPrefix(imported, here+"/"))
}

func importsOf(t *testing.T, file string) []string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, spec := range parsed.Imports {
		text, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, text)
	}
	return paths
}
