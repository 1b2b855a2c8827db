package main_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// Only model.ColumnURN creates URNs of columns, since it encodes the path: no other code may
// contain the prefix of these URNs, or pass their entity type to urn.Make.
func TestOnlyTheModelMakesURNsOfColumns(t *testing.T) {
	t.Parallel()
	err := filepath.WalkDir("internal", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, filepath.Join("internal", "model")+"/") ||
			strings.HasSuffix(filepath.Dir(name), "test") {
			return err
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, name, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BasicLit:
				if n.Kind == token.STRING && strings.Contains(n.Value, "urn:li:schemaField:(") {
					t.Errorf("%s: use model.ColumnURN or model.SplitColumn", fset.Position(n.Pos()))
				}
			case *ast.CallExpr:
				if isMakeOfColumn(n) {
					t.Errorf("%s: use model.ColumnURN", fset.Position(n.Pos()))
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// isMakeOfColumn reports whether a call is urn.Make with the entity type of columns, as a literal
// or by the name of a constant.
func isMakeOfColumn(call *ast.CallExpr) bool {
	made, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || made.Sel.Name != "Make" || len(call.Args) == 0 {
		return false
	}
	if on, ok := made.X.(*ast.Ident); !ok || on.Name != "urn" {
		return false
	}
	switch of := call.Args[0].(type) {
	case *ast.BasicLit:
		return of.Value == `"schemaField"`
	case *ast.Ident:
		return isColumnName(of.Name)
	case *ast.SelectorExpr:
		return isColumnName(of.Sel.Name)
	}
	return false
}

func isColumnName(name string) bool {
	lower := strings.ToLower(name)
	return strings.Contains(lower, "column") || lower == "schemafield"
}
