package graphql

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"sync"

	graphgophers "github.com/graph-gophers/graphql-go"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"
)

//go:embed schema/*.graphql
var schemaFiles embed.FS

// readSchema parses the schema for the document stage, once per process, because it never
// changes.
var readSchema = sync.OnceValues(func() (*ast.Schema, error) {
	names, err := fs.Glob(schemaFiles, "schema/*.graphql")
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	var sources []*ast.Source
	for _, name := range names {
		text, err := schemaFiles.ReadFile(name)
		if err != nil {
			return nil, err
		}
		sources = append(sources, &ast.Source{Name: name, Input: string(text)})
	}
	schema, err := gqlparser.LoadSchema(sources...)
	if err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	return schema, nil
})

// librarySchema is the schema as parsed by the library, once per process, without resolvers.
var librarySchema = sync.OnceValues(func() (*graphgophers.Schema, error) {
	schema, err := readSchema()
	if err != nil {
		return nil, err
	}
	// The library does not accept types that are empty until they are extended, so it receives
	// the schema with all extensions merged.
	var whole bytes.Buffer
	formatter.NewFormatter(&whole).FormatSchema(schema)
	return graphgophers.ParseSchema(whole.String(), nil, graphgophers.UseStringDescriptions())
})
