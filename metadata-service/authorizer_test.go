package main_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const authPackage = internal + "auth"

// sources parses the Go files of the service, tests left out.
func sources(t *testing.T) map[string]*ast.File {
	t.Helper()
	files := map[string]*ast.File{}
	err := filepath.WalkDir("internal", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		files[filepath.ToSlash(path)], err = parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// selectors yields what a file takes from a package, such as auth.Allow.
func selectors(file *ast.File, importPath string, use func(name string, node *ast.SelectorExpr)) {
	local := ""
	for _, imported := range file.Imports {
		if strings.Trim(imported.Path.Value, `"`) == importPath {
			local = importPath[strings.LastIndex(importPath, "/")+1:]
			if imported.Name != nil {
				local = imported.Name.Name
			}
		}
	}
	if local == "" {
		return
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && x.Name == local {
				use(s.Sel.Name, s)
			}
		}
		return true
	})
}

func TestOnlyAuthorizersMakeDecisions(t *testing.T) {
	t.Parallel()
	allowed := []string{"internal/auth/policy", "internal/auth/authtest"}
	made := 0
	for name, file := range sources(t) {
		selectors(file, authPackage, func(selected string, _ *ast.SelectorExpr) {
			if selected != "Allow" && selected != "Refuse" {
				return
			}
			made++
			if !slices.Contains(allowed, filepath.ToSlash(filepath.Dir(name))) {
				t.Errorf("%s calls auth.%s: a decision is made by an authorizer alone", name, selected)
			}
		})
	}
	if made == 0 {
		t.Error("no decision is made anywhere: the test looks at the wrong names")
	}
}
