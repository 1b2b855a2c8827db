package main_test

import (
	"go/ast"
	"go/token"
	"path"
	"strconv"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
)

// storeName returns the name under which a file imports package store, empty if it does not.
func storeName(file *ast.File) string {
	for _, spec := range file.Imports {
		if spec.Path.Value != strconv.Quote(internal+"store") {
			continue
		}
		if spec.Name != nil {
			return spec.Name.Name
		}
		return "store"
	}
	return ""
}

// Only one place, which applies the rules, writes rows, edges and log entries of a change. A second
// place could bypass the rules.
func TestFactsChangeInOnePlace(t *testing.T) {
	places := map[string][]string{"Put": nil, "Delete": nil, "DeleteEntity": nil}
	for where, file := range sources(t) {
		name := storeName(file)
		if name == "" {
			continue
		}
		// A use without a call counts, too: the function value is called elsewhere.
		ast.Inspect(file, func(n ast.Node) bool {
			selector, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if of, ok := selector.X.(*ast.Ident); ok && of.Name == name {
				if _, writes := places[selector.Sel.Name]; writes {
					places[selector.Sel.Name] = append(places[selector.Sel.Name], where)
				}
			}
			return true
		})
	}
	for function, in := range places {
		if len(in) != 1 || path.Dir(in[0]) != "internal/catalog" {
			t.Errorf("store.%s is used in %v, want one place in internal/catalog: let the change take txn.carry instead", function, in)
		}
	}
}

// The kernel implements changes without naming any aspect: aspect-specific behaviour belongs in a
// rule.
func TestTheKernelNamesNoAspect(t *testing.T) {
	registry, err := model.Load()
	if err != nil {
		t.Fatal(err)
	}
	for name, file := range sources(t) {
		if path.Dir(name) != "internal/catalog" {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			literal, ok := n.(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(literal.Value)
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if _, named := registry.Aspect(text); named {
				t.Errorf("%s names the aspect %q: what is special about it belongs into internal/catalog/rule", name, text)
			}
			return true
		})
	}
}
