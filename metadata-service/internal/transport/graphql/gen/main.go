// Command gen generates the Go form of the GraphQL schema: see package gqltype. It runs in the
// folder of that package and reads ../schema, ../mapping.tsv and the registry of the model. It
// fails when a field has no source, when the registry does not contain a source, and when the
// types of field and source do not fit.
package main

import (
	"fmt"
	"os"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
)

func main() {
	registry, err := model.Load()
	if err == nil {
		err = run(registry, "..", ".")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(registry *model.Registry, source, target string) error {
	schema, topics, err := readSchema(source + "/schema")
	if err != nil {
		return err
	}
	mapping, err := readMapping(source + "/mapping.tsv")
	if err != nil {
		return err
	}
	p, err := plan(registry, schema, mapping)
	if err != nil {
		return err
	}
	return write(p, topics, target)
}
