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

// readSchema reads the schema for the document stage, once: it never changes.
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

// librarySchema is the schema as the library parses it, once, without resolvers.
var librarySchema = sync.OnceValues(func() (*graphgophers.Schema, error) {
	schema, err := readSchema()
	if err != nil {
		return nil, err
	}
	// The library knows no types that are empty until they are extended, so it gets the
	// schema as it reads with everything in its place.
	var whole bytes.Buffer
	formatter.NewFormatter(&whole).FormatSchema(schema)
	return graphgophers.ParseSchema(whole.String(), nil, graphgophers.UseStringDescriptions())
})
