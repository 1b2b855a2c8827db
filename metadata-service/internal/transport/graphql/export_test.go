package graphql

import (
	library "github.com/graph-gophers/graphql-go"
	"github.com/graph-gophers/graphql-go/trace/tracer"

	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/document"
)

// Traced is the engine with a tracer at work in the library.
func (e *Engine) Traced(t tracer.Tracer) (*Engine, error) {
	_, text, err := readSchema()
	if err != nil {
		return nil, err
	}
	traced := *e
	traced.schema, err = library.ParseSchema(text, &root{&query{e.api}, &mutation{e.api}},
		library.UseStringDescriptions(), library.UseFieldResolvers(), library.DisableFieldSelections(), library.MaxSelections(maxSelections), library.Tracer(t))
	return &traced, err
}

// Stage is the stage in front of the library.
func (e *Engine) Stage() *document.Stage { return e.stage }
