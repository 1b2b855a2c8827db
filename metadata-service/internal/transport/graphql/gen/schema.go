package main

import (
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

// readSchema reads all files of a folder as one schema. topics maps each type to the base name of
// its file.
func readSchema(folder string) (*ast.Schema, map[string]string, error) {
	files, err := filepath.Glob(folder + "/*.graphql")
	if err != nil {
		return nil, nil, err
	}
	sort.Strings(files)
	var sources []*ast.Source
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, nil, err
		}
		sources = append(sources, &ast.Source{Name: filepath.Base(file), Input: string(text)})
	}
	schema, err := gqlparser.LoadSchema(sources...)
	if err != nil {
		return nil, nil, err
	}
	topics := make(map[string]string)
	for name, def := range schema.Types {
		if def.Position != nil && def.Position.Src != nil {
			topics[name] = strings.TrimSuffix(def.Position.Src.Name, ".graphql")
		}
	}
	return schema, topics, nil
}

// builtIn reports whether every schema contains the type.
func builtIn(def *ast.Definition) bool {
	return def.BuiltIn || strings.HasPrefix(def.Name, "__")
}

// exported returns a GraphQL name as an exported Go name.
func exported(name string) string {
	name = strings.TrimLeft(name, "_")
	return strings.ToUpper(name[:1]) + name[1:]
}
