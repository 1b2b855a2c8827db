package main_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
)

const authPackage = internal + "auth"

// sources returns the parsed Go files of the service by path, without tests.
func sources(t *testing.T) map[string]*ast.File {
	t.Helper()
	files, err := parsedSources()
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	return files
}

// parsedSources parses the files once for all tests, which only read them.
var parsedSources = sync.OnceValues(func() (map[string]*ast.File, error) {
	files := map[string]*ast.File{}
	err := filepath.WalkDir("internal", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		files[filepath.ToSlash(path)], err = parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		return err
	})
	return files, err
})

// selectors yields the names that a file uses from a package, such as auth.Allow.
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

// actsAsSystem lists the files in which the service itself begins to act: they determine the actor
// of a request, or do work without one.
var actsAsSystem = []string{
	"internal/auth/authn/authn.go", "internal/auth/token/verify.go", "internal/auth/authtest/authtest.go",
	"internal/transport/adminsocket/server.go", "internal/catalog/bootstrap/bootstrap.go", "internal/catalog/catalogtest/catalogtest.go",
	"internal/app/app.go", "internal/service/credentials/root.go", "internal/service/servicetest/servicetest.go",
	"internal/task/manager.go", "internal/task/tasktest/suite.go", // a task continues as the actor that started it
	"internal/service/eventhook/deliver.go", // and a hook as the actor that created it
}

func TestNobodyBecomesTheSystemToPassACheck(t *testing.T) {
	t.Parallel()
	found := map[string]bool{}
	for name, file := range sources(t) {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.KeyValueExpr:
				if key, ok := n.Key.(*ast.Ident); ok && key.Name == "System" && !isFalse(n.Value) && inActor(file, n) {
					found[name] = true
				}
			case *ast.AssignStmt:
				for i, left := range n.Lhs {
					if s, ok := left.(*ast.SelectorExpr); ok && s.Sel.Name == "System" && i < len(n.Rhs) && isTrue(n.Rhs[i]) {
						found[name] = true
					}
				}
			}
			return true
		})
	}
	for name := range found {
		if !slices.Contains(actsAsSystem, name) {
			t.Errorf("%s acts as the system: hand on the decision that a change rests on instead", name)
		}
	}
	for _, name := range actsAsSystem {
		if !found[name] {
			t.Errorf("%s does not act as the system any more: take it off the list", name)
		}
	}
}

func isTrue(e ast.Expr) bool  { x, ok := e.(*ast.Ident); return ok && x.Name == "true" }
func isFalse(e ast.Expr) bool { x, ok := e.(*ast.Ident); return ok && x.Name == "false" }

// inActor reports whether a member belongs to a literal auth.Actor.
func inActor(file *ast.File, member *ast.KeyValueExpr) (found bool) {
	ast.Inspect(file, func(n ast.Node) bool {
		literal, ok := n.(*ast.CompositeLit)
		if ok && slices.Contains(literal.Elts, ast.Expr(member)) {
			s, of := literal.Type.(*ast.SelectorExpr)
			found = of && s.Sel.Name == "Actor"
		}
		return !found
	})
	return found
}

func TestNoTransportDecides(t *testing.T) {
	t.Parallel()
	asks := []string{"Decide", "DecideOne", "Require", "RequireOne", "RequireOver", "RequireEach", "RequireOwn", "Authorize", "Allow"}
	looked := 0
	for name, file := range sources(t) {
		if !strings.HasPrefix(name, "internal/transport/") {
			continue
		}
		looked++
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if s, ok := call.Fun.(*ast.SelectorExpr); ok && slices.Contains(asks, s.Sel.Name) {
				t.Errorf("%s calls %s: services and the catalog decide", name, s.Sel.Name)
			}
			return true
		})
	}
	if looked < 50 {
		t.Errorf("only %d files of transports were looked at", looked)
	}
}

// privilegeNames returns the constants of type auth.Privilege with their values.
func privilegeNames(files map[string]*ast.File) map[string]auth.Privilege {
	names := map[string]auth.Privilege{}
	for name, file := range files {
		if filepath.ToSlash(filepath.Dir(name)) != "internal/auth" {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok {
				return true
			}
			if kind, ok := spec.Type.(*ast.Ident); ok && kind.Name == "Privilege" {
				for i, constant := range spec.Names {
					if value, ok := spec.Values[i].(*ast.BasicLit); ok {
						names[constant.Name] = auth.Privilege(strings.Trim(value.Value, `"`))
					}
				}
			}
			return true
		})
	}
	return names
}

func TestEveryPrivilegeThatIsAskedForCanBeGranted(t *testing.T) {
	t.Parallel()
	files := sources(t)
	names := privilegeNames(files)
	granted := map[auth.Privilege]bool{auth.Own: true, auth.AcceptRole: true} // every actor has them, and no policy grants them
	for _, right := range auth.Rights() {
		if granted[right.Privilege] {
			t.Errorf("%s is listed twice", right.Privilege)
		}
		granted[right.Privilege] = true
		if right.Description == "" {
			t.Errorf("nobody says what %s is for", right.Privilege)
		}
	}
	asked := map[auth.Privilege]bool{}
	for _, file := range files {
		selectors(file, authPackage, func(name string, _ *ast.SelectorExpr) {
			if p, ok := names[name]; ok {
				asked[p] = true
			}
		})
	}
	for p := range asked {
		if !granted[p] {
			t.Errorf("%s is asked for, and no policy can grant it: add it to auth.Rights", p)
		}
	}
	if len(asked) < 60 {
		t.Errorf("only %d privileges are asked for", len(asked))
	}
}
